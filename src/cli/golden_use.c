#include "cli/golden_use.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "contract/defaults.h"
#include "golden/golden_compare.h"
#include "golden/golden_logs.h"
#include "golden/golden_place.h"
#include "kernels/kernels.h"
#include "run/gates.h"
#include "sweep/key.h"

enum { SHOWN_ORPHANS = 10 };

struct ks_golden_use {
    const ks_sweep *sweep;
    const ks_grid *grid;
    ks_golden_option option;
    bool is_part, has_sets; /* --where; --set */
    ks_golden_hooks hooks;

    ks_text path, folder;
    ks_golden *golden; /* NULL: none is there, or none is asked */
    bool is_unwanted;  /* it is there, and the sweep says golden: none */
    bool is_stale;
    ks_error stale;
    uint64_t orphans;
    ks_text orphan_lines; /* the first of them */

    ks_golden_head now, observed; /* what the sweep pins; the same, with who observed it */
    ks_golden_parts made;         /* of it, what this run makes */
    ks_text defaults, origin;

    /* Of observed.csv. */
    ks_golden_writer writer;
    ks_digester *digester;
    bool has_digest;
    ks_digest digest;
};

ks_golden_head ks_golden_head_now(const ks_sweep *sweep, ks_text *defaults) {
    const char *tier = strrchr(sweep->name, '.');
    const bool has_log = sweep->mode != KS_MODE_DISPATCH && sweep->oplog != KS_OPLOG_NONE;
    ks_text_clear(defaults);
    ks_defaults_print(defaults);
    return (ks_golden_head){
        .model = KS_MODEL_VERSION,
        .sweep = sweep->name,
        .defaults = ks_text_string(defaults),
        .parts = {.has_times = sweep->mode != KS_MODE_DISPATCH,
                  .has_numbers = sweep->mode == KS_MODE_DATA,
                  .has_log = has_log,
                  .has_blocks = has_log && !(tier && strcmp(tier, ".nightly") == 0)}};
}

void ks_golden_path_of(ks_text *out, const ks_sweep *sweep) {
    if (strcmp(sweep->file, "-") == 0) return;
    ks_golden_folder_of(out, sweep->file);
    ks_text_add_format(out, "/%s.csv", sweep->name);
}

void ks_golden_origin_print(ks_text *out, const ks_sweep *sweep, const char *extent, bool has_log) {
    const struct {
        const char *name;
        const ks_digest *digest;
    } digests[] = {{"sweep", &sweep->digest},
                   {"calibration", &sweep->calibration_digest},
                   {"models", &sweep->models_digest}};
    ks_text_add_format(out, "points=%s op_logs=%s", extent, has_log ? "made" : "none");
    for (size_t i = 0; i < sizeof digests / sizeof digests[0]; i++) {
        char hex[KS_DIGEST_HEX];
        ks_digest_print(hex, digests[i].digest);
        ks_text_add_format(out, " %s=%s", digests[i].name, hex);
    }
}

/* ---- before the run ---- */

/* The sweep file's whole grid: without --set and --where. */
static ks_status read_whole_grid(const ks_golden_use *use, uint64_t max_points, ks_sweep **sweep,
                                 ks_grid **grid, ks_error *error) {
    ks_sweep_options options = {.sets = NULL};
    ks_error why = {{0}};
    options.column_count = ks_gate_columns(&options.columns);
    ks_status status = ks_sweep_read(use->sweep->file, &ks_kernels, &options, sweep, &why);
    if (!status && memcmp(&(*sweep)->digest, &use->sweep->digest, sizeof(ks_digest)) != 0)
        status = ks_fail(&why, KS_INPUT, "%s: changed while it was read", use->sweep->file);
    if (!status) status = ks_grid_new(*sweep, max_points, grid, &why);
    if (!status) return KS_OK;
    return ks_fail(
        error, status,
        "without --set and --where, which tells whether each row of %s is still a point: "
        "%s",
        ks_text_string(&use->path), why.text);
}

static void add_orphan(ks_golden_use *use, const ks_golden_line *line) {
    if (use->orphans++ < SHOWN_ORPHANS)
        ks_text_add_format(&use->orphan_lines, "  orphan: %s:%zu: %s is no point of %s\n",
                           ks_text_string(&use->path), line->line, line->key, use->sweep->file);
}

static void find_orphans(ks_golden_use *use, const ks_grid *grid) {
    for (size_t i = 0; i < ks_golden_count(use->golden); i++) {
        const ks_golden_line line = ks_golden_at(use->golden, i);
        ks_point point;
        uint64_t index;
        if (ks_key_parse(line.key, &ks_kernels, &point, NULL) ||
            !ks_grid_find(grid, &point, &index))
            add_orphan(use, &line);
    }
}

static ks_status look_for_orphans(ks_golden_use *use, const ks_options *options, ks_error *error) {
    ks_sweep *sweep = NULL;
    ks_grid *grid = NULL;
    if (!options->set_count && !options->where) {
        find_orphans(use, use->grid);
        return KS_OK;
    }
    const ks_status status = read_whole_grid(use, options->max_points, &sweep, &grid, error);
    if (!status) find_orphans(use, grid);
    ks_grid_free(grid);
    ks_sweep_free(sweep);
    return status;
}

static void add_log_orphan(void *self, const char *name) {
    ks_golden_use *use = self;
    if (use->orphans++ < SHOWN_ORPHANS)
        ks_text_add_format(&use->orphan_lines,
                           "  orphan: %s/oplog/%s: no row of %s has this op_log\n",
                           use->folder.data, name, ks_text_string(&use->path));
}

/* What the rows say of op_logs, the files beside them must say too: then the digest of a point's
 * op_log compares it with the file, byte by byte. */
static ks_status read_logs(ks_golden_use *use, ks_error *error) {
    if (!use->sweep->pins_logs) return KS_OK;
    const ks_status status = ks_golden_logs_check(use->folder.data, use->golden, error);
    if (status) return status;
    return ks_golden_logs_orphans(use->folder.data, use->golden, use, add_log_orphan, error);
}

static ks_status read_golden(ks_golden_use *use, const ks_options *options, ks_error *error) {
    ks_golden_path_of(&use->path, use->sweep);
    if (!use->path.length && !use->path.has_failed) return KS_OK;
    ks_golden_folder_of(&use->folder, use->sweep->file);
    if (use->path.has_failed || use->folder.has_failed)
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_status status = ks_golden_place_look(use->folder.data, use->sweep->name, error);
    if (status || !ks_path_exists(use->path.data)) return status;
    status = ks_golden_read(use->path.data, KS_GOLDEN_BLESSED, &use->golden, error);
    if (status) return status;
    const ks_golden_head *head = ks_golden_head_of(use->golden);
    if (strcmp(head->sweep, use->sweep->name) != 0)
        return ks_fail(error, KS_INPUT, "%s:1: found the golden of '%s', expected that of '%s'",
                       use->path.data, head->sweep, use->sweep->name);
    use->is_stale = ks_golden_is_stale(head, &use->now, &use->stale);
    if (use->is_stale) return KS_OK;
    const ks_status found = look_for_orphans(use, options, error);
    return found ? found : read_logs(use, error);
}

/* ---- points ---- */

static bool has_ended(const ks_row *row) {
    return row->verdict != KS_VERDICT_crash && row->verdict != KS_VERDICT_timeout &&
           row->verdict != KS_VERDICT_not_run;
}

static ks_golden_state compare(const void *self, const ks_record *record,
                               const ks_log_blocks *blocks, ks_text *cells, ks_change *change) {
    const ks_golden_use *use = self;
    ks_golden_cells_print(cells, use->now.parts, record, blocks);
    if (use->option == KS_GOLDEN_OPTION_IGNORE || !has_ended(record->row) || cells->has_failed)
        return KS_GOLDEN_none;
    if (!use->golden || use->is_stale) return KS_GOLDEN_new;
    const ks_golden_state state =
        ks_golden_compare(use->golden, record->key, cells->data, cells->length, use->made, change);
    const bool is_beside = use->has_sets && use->option == KS_GOLDEN_OPTION_CHECK;
    return state == KS_GOLDEN_new && is_beside ? KS_GOLDEN_none : state;
}

static void observed_begin(void *self, ks_text *out) {
    ks_golden_use *use = self;
    use->writer = ks_golden_begin(out, &use->observed);
    ks_digester_add(use->digester, ks_text_string(out), out->length);
}

/* A point that breaks an invariant is not to be blessed, though a rule expects it to fail. */
static bool breaks_invariant(const ks_row *row) {
    static const char *const fine[] = {"ok", "skipped", "numeric", ""};
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++)
        if (strcmp(row->invariants, fine[i]) == 0) return false;
    return true;
}

static void observed_line(void *self, const ks_record *record, ks_text *out) {
    ks_golden_use *use = self;
    const size_t start = out->length;
    ks_golden_line_print(out, &use->writer, record->cells, strlen(record->cells),
                         record->is_red_alone || breaks_invariant(record->row));
    ks_digester_add(use->digester, ks_text_string(out) + start, out->length - start);
}

static void observed_end(void *self, ks_text *out) {
    ks_golden_use *use = self;
    const size_t start = out->length;
    ks_golden_end(out, &use->writer);
    ks_digester_add(use->digester, ks_text_string(out) + start, out->length - start);
    use->digest = ks_digester_end(use->digester);
    use->has_digest = true;
}

/* ---- the whole ---- */

/* Of a sweep that wants no golden: one that lies there is passed by. */
static ks_status note_unwanted(ks_golden_use *use, ks_error *error) {
    ks_golden_path_of(&use->path, use->sweep);
    if (use->path.has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    use->is_unwanted = use->path.length && ks_path_exists(use->path.data);
    return KS_OK;
}

ks_status ks_golden_use_new(const ks_sweep *sweep, const ks_grid *grid, ks_oplog_mode oplog,
                            const ks_options *options, ks_golden_use **out, ks_error *error) {
    ks_golden_use *use = calloc(1, sizeof *use);
    *out = use;
    if (!use) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    use->sweep = sweep;
    use->grid = grid;
    use->option = options->golden;
    use->is_part = options->where != NULL;
    use->has_sets = options->set_count > 0;
    use->hooks = (ks_golden_hooks){.self = use,
                                   .compare = compare,
                                   .observed_begin = observed_begin,
                                   .observed_line = observed_line,
                                   .observed_end = observed_end};
    if (!sweep->wants_golden && use->option == KS_GOLDEN_OPTION_REQUIRE)
        return ks_place_fail(error, &sweep->golden_place,
                             "found golden: none, and --golden require on the command line; "
                             "expected one of the two");
    if (!sweep->wants_golden) return note_unwanted(use, error);
    use->now = ks_golden_head_now(sweep, &use->defaults);
    use->made = use->now.parts;
    use->made.has_log &= oplog != KS_OPLOG_NONE;
    use->made.has_blocks &= oplog != KS_OPLOG_NONE;
    const bool has_log = oplog != KS_OPLOG_NONE;
    ks_golden_origin_print(&use->origin, sweep,
                           use->has_sets  ? "set"
                           : use->is_part ? "where"
                                          : "whole",
                           has_log || !use->now.parts.has_log);
    use->observed = use->now;
    use->observed.origin = ks_text_string(&use->origin);
    use->digester = ks_digester_new();
    if (use->origin.has_failed || use->defaults.has_failed || !use->digester)
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    return use->option == KS_GOLDEN_OPTION_IGNORE ? KS_OK : read_golden(use, options, error);
}

void ks_golden_use_free(ks_golden_use *use) {
    if (!use) return;
    ks_golden_free(use->golden);
    ks_text_free(&use->path);
    ks_text_free(&use->folder);
    ks_text_free(&use->orphan_lines);
    ks_text_free(&use->defaults);
    ks_text_free(&use->origin);
    ks_digester_free(use->digester);
    free(use);
}

const ks_golden_hooks *ks_golden_use_hooks(const ks_golden_use *use) {
    return use->sweep->wants_golden ? &use->hooks : NULL;
}

const ks_digest *ks_golden_use_digest(const ks_golden_use *use) {
    return use->golden ? ks_golden_digest(use->golden) : NULL;
}

const ks_digest *ks_golden_use_observed(const ks_golden_use *use) {
    return use->has_digest ? &use->digest : NULL;
}

static bool is_asked(const ks_golden_use *use) {
    return use->sweep->wants_golden && use->option != KS_GOLDEN_OPTION_IGNORE;
}

void ks_golden_use_settle(const ks_golden_use *use, ks_account *account) {
    if (!is_asked(use)) return;
    account->golden_orphans = use->orphans;
    account->golden_stale = use->is_stale;
    account->golden_unused =
        account->goldens[KS_GOLDEN_match] + account->goldens[KS_GOLDEN_mismatch] == 0;
    if (use->option == KS_GOLDEN_OPTION_REQUIRE)
        account->golden_required = account->goldens[KS_GOLDEN_new] + account->golden_unused;
}

static void add_file(const ks_golden_use *use, ks_text *out) {
    if (!use->path.length)
        ks_text_add_string(out, "golden file: none, standard input has none\n");
    else if (!use->golden)
        ks_text_add_format(out, "golden file: none at %s\n", use->path.data);
    else
        ks_text_add_format(out, "golden file: %s, %zu rows%s\n", use->path.data,
                           ks_golden_count(use->golden),
                           use->sweep->pins_logs ? ", with whole op_logs" : "");
}

void ks_golden_use_print(const ks_golden_use *use, const ks_account *account, ks_text *out) {
    const uint64_t compared =
        account->goldens[KS_GOLDEN_match] + account->goldens[KS_GOLDEN_mismatch];
    if (use->is_unwanted)
        ks_text_add_format(out, "note: %s is there, but %s:%zu says golden: none\n", use->path.data,
                           use->sweep->file, use->sweep->golden_place.line);
    if (!is_asked(use)) return;
    add_file(use, out);
    if (use->golden && use->has_sets && use->option == KS_GOLDEN_OPTION_CHECK)
        ks_text_add_format(out,
                           "golden: with --set only points that it has are compared: %" PRIu64
                           " of %" PRIu64 "\n",
                           compared, account->planned);
    if (use->golden && use->now.parts.has_log && !use->made.has_log)
        ks_text_add_string(out, "golden: op_logs are not compared, this run makes none\n");
    if (compared == 0) ks_text_add_string(out, "golden: nothing was compared\n");
}

void ks_golden_use_shorten(const ks_golden_use *use, ks_text *text) {
    static const char last[] = "golden";
    const char *project = ks_text_string(&use->folder);
    const size_t length =
        use->folder.length < sizeof last ? 0 : use->folder.length - sizeof last + 1;
    ks_text out = {0};
    bool is_word_start = true;
    for (const char *at = ks_text_string(text); *at && length;) {
        if (is_word_start && strncmp(at, project, length) == 0) at += length;
        if (!*at) break;
        is_word_start = *at == ' ' || *at == '\n';
        ks_text_add_char(&out, *at++);
    }
    if (!length) return;
    if (text->has_failed) out.has_failed = true;
    ks_text_free(text);
    *text = out;
}

void ks_golden_use_print_red(const ks_golden_use *use, const ks_account *account, ks_text *out) {
    if (!is_asked(use)) return;
    if (use->is_stale)
        ks_text_add_format(out, "  stale: %s:1: %s. Nothing was compared.\n", use->path.data,
                           use->stale.text);
    if (use->orphans > SHOWN_ORPHANS && use->orphans == ks_golden_count(use->golden))
        ks_text_add_string(
            out, "  orphans: no row of the golden is a point any more; did the calibration "
                 "change, or what the sweep sets?\n");
    ks_text_add_string(out, ks_text_string(&use->orphan_lines));
    if (use->orphans > SHOWN_ORPHANS)
        ks_text_add_format(out, "  and %" PRIu64 " more orphans\n", use->orphans - SHOWN_ORPHANS);
    if (account->golden_required)
        ks_text_add_format(
            out, "  missing: --golden require, and %" PRIu64 " points have no golden%s\n",
            account->goldens[KS_GOLDEN_new], use->golden ? "" : ": there is no file");
}
