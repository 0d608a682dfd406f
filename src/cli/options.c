/* The verbs, the options, and what each option's value means. */
#include <string.h>

#include "base/decimal.h"
#include "base/near.h"
#include "base/text.h"
#include "cli/option_table.h"

#define EVERY_VERB ((1 << 11) - 1)
#define GRID_VERBS (KS_VERB_RUN | KS_VERB_LIST)

enum { MAX_THREADS = 1024 };

const ks_verb_info ks_verb_table[] = {
    {"run", KS_VERB_RUN, true, 1, KS_MAX_ARGUMENTS, "SWEEP...",
     "expand the grids, run every point, check it, write the reports; `-` reads a sweep from\n"
     "           standard input"},
    {"list", KS_VERB_LIST, true, 0, 1, "SWEEP",
     "dry run: what a sweep holds and what it would cost"},
    {"show", KS_VERB_SHOW, true, 1, 1, "'KEY'",
     "one point in depth: figures, critical path, and more"},
    {"bless", KS_VERB_BLESS, true, 1, 1, "SWEEP",
     "write the golden of a sweep from its last whole run by this build, with a reason"},
    {"diff", KS_VERB_DIFF, true, 2, 2, "A B",
     "what moved between two op_logs, two report folders, or a report folder and a golden"},
    {"study", KS_VERB_STUDY, true, 1, 1, "STUDY",
     "which constants a figure hangs on, and at which ones a gate flips"},
    {"adr", KS_VERB_ADR, true, 1, KS_MAX_ARGUMENTS, "TABLE...",
     "result tables of decision records, rebuilt from the results stored beside them"},
    {"report", KS_VERB_REPORT, false, 0, 0, "DIR", "rebuild the pages of a report folder"},
    {"merge", KS_VERB_MERGE, false, 0, 0, "DIR...", "join shards"},
    {"history", KS_VERB_HISTORY, false, 0, 0, "", "nights over time"},
    {"selftest", KS_VERB_SELFTEST, true, 0, 0, "",
     "prove that the checks bite: spoil what they look at, and see them turn red"},
};

const size_t ks_verb_count = sizeof ks_verb_table / sizeof ks_verb_table[0];
_Static_assert(sizeof ks_verb_table / sizeof ks_verb_table[0] <= KS_MOST_VERBS, "more verbs");

/* ---- values ---- */

static ks_status set_output(ks_options *o, const char *value, ks_error *error) {
    if (!*value) return ks_fail(error, KS_INPUT, "-o: found an empty name, expected a folder");
    o->output = value;
    return KS_OK;
}

static ks_status read_count(const char *option, const char *value, uint64_t least, uint64_t most,
                            uint64_t *count, ks_error *error) {
    if (ks_u64_parse(value, strlen(value), count) && *count >= least && *count <= most)
        return KS_OK;
    return ks_fail(error, KS_INPUT, "%s: found '%s', expected a whole number from %llu to %llu",
                   option, value, (unsigned long long)least, (unsigned long long)most);
}

static ks_status set_threads(ks_options *o, const char *value, ks_error *error) {
    uint64_t count = 0;
    const ks_status status = read_count("-j", value, 1, MAX_THREADS, &count, error);
    if (!status) o->threads = (int)count;
    return status;
}

static ks_status set_cause(ks_options *o, const char *value, ks_error *error) {
    return read_count("--cause", value, 1, UINT32_MAX, &o->cause, error);
}

/* One line: it becomes a paragraph of REASONS.md. */
static ks_status set_reason(ks_options *o, const char *value, ks_error *error) {
    bool says_something = false;
    for (const char *c = value; *c; c++) {
        says_something |= *c != ' ';
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return ks_fail(error, KS_INPUT,
                           "--reason: found a control character or a line end, "
                           "expected one line of text");
    }
    if (!says_something)
        return ks_fail(error, KS_INPUT, "--reason: found nothing, expected why the numbers move");
    o->reason = value;
    return KS_OK;
}

static ks_status set_max_points(ks_options *o, const char *value, ks_error *error) {
    return read_count("--max-points", value, 1, UINT64_MAX >> 1, &o->max_points, error);
}

static ks_status set_cache(ks_options *o, const char *value, ks_error *error) {
    return read_count("--cache", value, 0, UINT64_C(1) << 30, &o->cache_mib, error);
}

static ks_status set_set(ks_options *o, const char *value, ks_error *error) {
    if (o->set_count == KS_MAX_SETS)
        return ks_fail(error, KS_INPUT, "--set: more than %d of them", KS_MAX_SETS);
    o->sets[o->set_count++] = value;
    return KS_OK;
}

static ks_status set_where(ks_options *o, const char *value, ks_error *error) {
    if (o->where) return ks_fail(error, KS_INPUT, "--where: given twice; join both with `and`");
    o->where = value;
    return KS_OK;
}

/* The index of `value` among `words`. */
static ks_status read_word(const char *option, const char *value, const char *const *words,
                           size_t count, size_t *index, ks_error *error) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], value) == 0) {
            *index = i;
            return KS_OK;
        }
    ks_text list = {0};
    for (size_t i = 0; i < count; i++) ks_text_add_format(&list, "%s%s", i ? ", " : "", words[i]);
    const char *near = ks_near(value, words, count);
    ks_fail(error, KS_INPUT, "%s: found '%s', expected one of %s%s%s%s", option, value,
            ks_text_string(&list), near ? " (did you mean '" : "", near ? near : "",
            near ? "'?)" : "");
    ks_text_free(&list);
    return KS_INPUT;
}

static ks_status set_oplog(ks_options *o, const char *value, ks_error *error) {
    static const char *const words[] = {"none", "hash", "full"};
    size_t index = 0;
    const ks_status status = read_word("--oplog", value, words, 3, &index, error);
    if (!status) o->oplog = words[index];
    return status;
}

static ks_status set_progress(ks_options *o, const char *value, ks_error *error) {
    static const char *const words[] = {"auto", "plain", "none"};
    size_t index = 0;
    const ks_status status = read_word("--progress", value, words, 3, &index, error);
    if (!status) o->progress = (ks_progress_mode)index;
    return status;
}

static const char *const golden_words[] = {"check", "ignore", "require"};
const char *ks_golden_option_name(ks_golden_option option) { return golden_words[option]; }

static ks_status set_golden(ks_options *o, const char *value, ks_error *error) {
    size_t index = 0;
    const ks_status status = read_word("--golden", value, golden_words, 3, &index, error);
    if (!status) o->golden = (ks_golden_option)index;
    return status;
}

static ks_status set_exact(ks_options *o, const char *value, ks_error *error) {
    static const char *const words[] = {"full"};
    size_t index = 0;
    o->is_exact_full = true;
    return read_word("--exact", value, words, 1, &index, error);
}

static ks_status set_against(ks_options *o, const char *value, ks_error *error) {
    if (!*value)
        return ks_fail(error, KS_INPUT, "--against: found an empty name, expected a folder");
    o->against = value;
    return KS_OK;
}

static ks_status set_tensors(ks_options *o, const char *value, ks_error *error) {
    if (!*value)
        return ks_fail(error, KS_INPUT, "--tensors: found an empty name, expected a folder");
    o->tensor_folder = value;
    return KS_OK;
}

#define FLAG(function, member)                                                     \
    static ks_status function(ks_options *o, const char *value, ks_error *error) { \
        (void)value, (void)error;                                                  \
        o->member = true;                                                          \
        return KS_OK;                                                              \
    }
FLAG(set_fail_fast, is_fail_fast)
FLAG(set_only_changed, only_changed)
FLAG(set_json, is_json)
FLAG(set_dry_run, is_dry_run)
FLAG(set_sure, is_sure)
FLAG(set_prune, prunes)
FLAG(set_quiet, is_quiet)
FLAG(set_verbose, is_verbose)
FLAG(set_points, shows_points)
FLAG(set_constants, shows_constants)
FLAG(set_columns, shows_columns)
FLAG(set_commands, shows_commands)
FLAG(set_plan, shows_plan)
FLAG(set_show_oplog, shows_oplog)
FLAG(set_gate, asks_gates)
FLAG(set_check, checks)
FLAG(set_inputs, checks_inputs)
FLAG(set_verify, verifies)
FLAG(set_collect, collects)
FLAG(set_force, is_forced)
#undef FLAG

/* ---- the table ---- */

const ks_option_info ks_option_table[] = {
    {"output", 'o', KS_VERB_RUN | KS_VERB_STUDY | KS_VERB_BLESS, "DIR", set_output,
     "report folder (default reports/NAME; of several sweeps reports)"},
    {"threads", 'j', KS_VERB_RUN | KS_VERB_STUDY | KS_VERB_ADR, "N", set_threads,
     "threads (default: all)"},
    {"set", 0, GRID_VERBS, "NAME=VALUES", set_set,
     "replace or add an axis or constant: TILE=16,64 or any YAML value"},
    {"where", 0, GRID_VERBS | KS_VERB_BLESS, "EXPR", set_where,
     "only the points for which the expression holds"},
    {"reason", 0, KS_VERB_BLESS, "TEXT", set_reason, "why the numbers move; kept in REASONS.md"},
    {"cause", 0, KS_VERB_BLESS, "K", set_cause,
     "only the rows of cause K, as --dry-run numbers them"},
    {"dry-run", 0, KS_VERB_BLESS, NULL, set_dry_run, "show what would change, write nothing"},
    {"yes", 0, KS_VERB_BLESS, NULL, set_sure, "do not ask"},
    {"prune", 0, KS_VERB_BLESS, NULL, set_prune, "take out rows that are no points of the sweep"},
    {"max-points", 0, GRID_VERBS | KS_VERB_BLESS, "N", set_max_points,
     "refuse larger grids (default 10000000)"},
    {"fail-fast", 0, KS_VERB_RUN, NULL, set_fail_fast,
     "stop soon after the first red point, and run no sweep after a red one"},
    {"oplog", 0, KS_VERB_RUN, "none|hash|full", set_oplog,
     "what becomes of op_logs (default: what the sweep says)"},
    {"golden", 0, KS_VERB_RUN, "check|ignore|require", set_golden,
     "compare with golden/SWEEP.csv (default), with none, or fail points that have none"},
    {"exact", 0, KS_VERB_RUN | KS_VERB_SHOW, "full", set_exact,
     "skip no tiles and share no plans: slower, the same bytes"},
    {"cache", 0, KS_VERB_RUN, "MIB", set_cache,
     "memory for what points of mode data share (default 256; 0: nothing); the same bytes"},
    {"progress", 0, KS_VERB_RUN, "auto|plain|none", set_progress,
     "on standard error (default auto)"},
    {"json", 0, KS_VERB_LIST | KS_VERB_SHOW | KS_VERB_DIFF, NULL, set_json, "print JSON"},
    {"only-changed", 0, KS_VERB_DIFF, NULL, set_only_changed,
     "print every point that changed, one a line"},
    {"against", 0, KS_VERB_DIFF, "DIR", set_against, "a folder with op_logs of the points"},
    {"points", 0, KS_VERB_LIST, NULL, set_points, "print the KEY of every point, one a line"},
    {"constants", 0, KS_VERB_LIST, NULL, set_constants,
     "print parameters and constants: names, units, defaults, meanings"},
    {"columns", 0, KS_VERB_LIST, NULL, set_columns, "print the columns of points.csv"},
    {"commands", 0, KS_VERB_SHOW, NULL, set_commands, "print the commands that the kernel issues"},
    {"plan", 0, KS_VERB_SHOW, NULL, set_plan, "print the stages of each different plan"},
    {"oplog", 0, KS_VERB_SHOW, NULL, set_show_oplog, "print the op_log"},
    {"tensors", 0, KS_VERB_SHOW, "DIR", set_tensors,
     "write inputs and OUT as raw float32 (turns data mode on)"},
    {"gate", 0, KS_VERB_STUDY, NULL, set_gate,
     "exit 1 when a gate does not hold at the base, or is not proved over its box"},
    {"check", 0, KS_VERB_ADR, NULL, set_check,
     "write nothing; say what differs from the stored results, and hand edits"},
    {"inputs", 0, KS_VERB_ADR, NULL, set_inputs,
     "with --check: say which sweep, calibration, models or program changed since"},
    {"verify", 0, KS_VERB_ADR, NULL, set_verify,
     "write nothing; simulate every stored point again, each figure must be equal"},
    {"collect", 0, KS_VERB_ADR, NULL, set_collect, "take the results anew, stale or not"},
    {"force", 0, KS_VERB_ADR, NULL, set_force, "write over a block that was edited by hand"},
    {"quiet", 'q', KS_VERB_RUN | KS_VERB_STUDY | KS_VERB_ADR, NULL, set_quiet,
     "print what is red and the verdict only"},
    {"verbose", 'v', KS_VERB_RUN | KS_VERB_LIST | KS_VERB_SHOW | KS_VERB_SELFTEST, NULL,
     set_verbose,
     "print more: each point and gate (run), values, costs and gates (list), the path (show),\n"
     "                                 each mutation (selftest)"},
    {"shard", 0, EVERY_VERB, "I/N", NULL, "one part of a grid"},
    {"resume", 0, EVERY_VERB, NULL, NULL, "go on with an unfinished run"},
    {"baseline", 0, EVERY_VERB, "DIR", NULL, "report folder to compare with"},
    {"timeout", 0, EVERY_VERB, "SECONDS", NULL, "limit per point"},
    {"memory", 0, EVERY_VERB, "MIB", NULL, "limit per worker"},
    {"trace", 0, KS_VERB_SHOW, "perfetto|konata", NULL, "print a trace"},
};

const size_t ks_option_count = sizeof ks_option_table / sizeof ks_option_table[0];
_Static_assert(sizeof ks_option_table / sizeof ks_option_table[0] <= KS_MOST_OPTIONS,
               "more options");
