#include "cli/run_reports.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text_map.h"
#include "cli/failures.h"
#include "cli/red_gates.h"
#include "cli/reproduce.h"
#include "cli/run_causes.h"
#include "report/account.h"
#include "report/cause_text.h"
#include "report/junit.h"
#include "report/summary_md.h"

enum { SHOWN_CAUSES = 10, JOINED_BYTES = 1 << 28, EXPECTED = 64 };

struct ks_run_reports {
    const ks_sweep *sweep;
    const ks_options *options;
    const ks_folder *folder;
    const ks_grid_count *count;
    ks_text_map *expected; /* "VERDICT WHY" of points that are as a rule expects */
    uint64_t expected_points[EXPECTED];
    ks_run_causes *causes;
    ks_cause_list list;
    ks_red_gates red_gates;
    ks_failures failures;
    ks_text compare; /* the command that holds all of it against the golden */
    ks_text stored;  /* what failures/ holds, in words */
    FILE *junit_file;
    ks_junit *junit;
    uint64_t ran;
    ks_text line;
};

/* What never runs has no test case, so it is a property. */
static ks_status add_excluded(ks_run_reports *r) {
    ks_status status = KS_OK;
    for (size_t i = 0; i < r->sweep->exclude_count && !status; i++) {
        if (!r->count->excludes[i].removed) continue;
        ks_text name = {0};
        ks_text_add_string(&name, "excluded ");
        ks_text_add_count(&name, r->count->excludes[i].removed, "point");
        status = name.has_failed
                     ? KS_NO_MEMORY
                     : ks_junit_property(r->junit, name.data, r->sweep->excludes[i].why);
        ks_text_free(&name);
    }
    return status;
}

ks_status ks_run_reports_new(const ks_sweep *sweep, const ks_grid *grid, const ks_grid_count *count,
                             const ks_options *options, const ks_folder *folder,
                             ks_run_reports **out, ks_error *error) {
    ks_run_reports *r = *out = calloc(1, sizeof *r);
    if (!r) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    *r = (ks_run_reports){.sweep = sweep, .options = options, .folder = folder, .count = count};
    r->expected = ks_text_map_new();
    r->causes = ks_run_causes_new(sweep, grid, options);
    if (!r->causes || !r->expected) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    r->junit_file = ks_folder_create(folder, "junit.xml", error);
    if (!r->junit_file) return KS_IO;
    r->junit = ks_junit_begin(r->junit_file, sweep->name);
    const ks_status status = r->junit ? add_excluded(r) : KS_NO_MEMORY;
    if (status == KS_IO)
        return ks_fail(error, status, "cannot write '%s/junit.xml': %s", folder->part,
                       strerror(errno));
    return status ? ks_fail(error, status, "out of memory") : KS_OK;
}

void ks_run_reports_free(ks_run_reports *r) {
    if (!r) return;
    if (r->junit_file) fclose(r->junit_file);
    ks_junit_free(r->junit);
    ks_text_map_free(r->expected);
    ks_run_causes_free(r->causes);
    ks_red_gates_free(&r->red_gates);
    ks_failures_free(&r->failures);
    ks_text_free(&r->compare);
    ks_text_free(&r->stored);
    ks_text_free(&r->line);
    free(r);
}

/* ---- while it runs ---- */

static void print_line(const ks_run_reports *r) { fputs(ks_text_string(&r->line), stdout); }

/* Rules beyond EXPECTED of them are told by the last. */
static ks_status count_expected(ks_run_reports *r, const ks_record *record) {
    ks_text key = {0};
    if (record->is_red || !record->why[0]) return KS_OK;
    ks_text_add_format(&key, "%s\n%s", ks_verdict_name(record->row->verdict), record->why);
    size_t number = key.has_failed ? KS_TEXT_MAP_NONE : ks_text_map_find(r->expected, key.data);
    if (number == KS_TEXT_MAP_NONE && !key.has_failed && ks_text_map_count(r->expected) < EXPECTED)
        number = ks_text_map_add(r->expected, key.data);
    const bool is_full = ks_text_map_count(r->expected) == EXPECTED;
    if (number == KS_TEXT_MAP_NONE && !key.has_failed && is_full) number = EXPECTED - 1;
    ks_text_free(&key);
    if (number == KS_TEXT_MAP_NONE) return KS_NO_MEMORY;
    r->expected_points[number]++;
    return KS_OK;
}

ks_status ks_run_reports_point(ks_run_reports *r, const ks_record *record) {
    r->ran++;
    ks_text_clear(&r->line);
    if (r->options->is_verbose) {
        ks_point_line_print(&r->line, record);
        print_line(r);
        ks_text_clear(&r->line);
    }
    if (record->is_red) ks_reproduce_point(&r->line, r->sweep, r->options, record);
    if (r->line.has_failed) return KS_NO_MEMORY;
    const char *show = ks_text_string(&r->line);
    ks_status status = ks_junit_point(r->junit, record, show);
    if (!status) status = count_expected(r, record);
    if (!status && record->is_red) status = ks_failures_take(&r->failures, record, show);
    return status ? status : ks_run_causes_take(r->causes, record);
}

ks_status ks_run_reports_gate(ks_run_reports *r, const ks_gate_line *line) {
    bool is_shown = false;
    ks_text_clear(&r->line);
    if (r->options->is_verbose) {
        ks_gate_line_print(&r->line, line);
        print_line(r);
        ks_text_clear(&r->line);
    }
    if (line->is_red) ks_reproduce_gate(&r->line, r->sweep, r->options, line);
    if (r->line.has_failed) return KS_NO_MEMORY;
    ks_status status = ks_junit_gate(r->junit, line, ks_text_string(&r->line));
    if (!status && line->is_red) status = ks_red_gates_take(&r->red_gates, line, &is_shown);
    if (!status && is_shown) ks_red_gate_print(&r->red_gates.lines, line, ks_text_string(&r->line));
    return status;
}

/* ---- the end ---- */

static ks_status end_junit(ks_run_reports *r, const ks_run_end *end, ks_error *error) {
    ks_status status = ks_junit_end(r->junit, end->account, end->red);
    if (ks_file_close(r->junit_file) && !status) status = KS_IO;
    r->junit_file = NULL;
    if (status == KS_IO)
        return ks_fail(error, status, "cannot write '%s/junit.xml': %s", r->folder->part,
                       strerror(errno));
    return status ? ks_fail(error, status, "out of memory") : KS_OK;
}

static ks_status write_failures(ks_run_reports *r, const ks_job *job, ks_error *error) {
    size_t stored;
    uint64_t points = r->list.more_points;
    for (size_t i = 0; i < r->list.count; i++) points += r->list.causes[i].points;
    const ks_status status =
        ks_failures_write(&r->failures, &r->list, r->folder, job, &stored, error);
    if (status || !points) return status;
    ks_text_add_string(&r->stored, "failures/ holds ");
    ks_text_add_count(&r->stored, stored, "red point");
    if (points > stored)
        ks_text_add_format(&r->stored, ", and %" PRIu64 " more are not stored", points - stored);
    ks_text_add_string(&r->stored, ".\n");
    return KS_OK;
}

static void add_rules(ks_text *out, const ks_run_reports *r) {
    for (size_t i = 0; i < r->sweep->exclude_count; i++)
        if (r->count->excludes[i].removed)
            ks_summary_rule_print(out, r->count->excludes[i].removed, "excluded",
                                  r->sweep->excludes[i].why);
    for (size_t i = 0; i < ks_text_map_count(r->expected); i++) {
        const char *key = ks_text_map_at(r->expected, i);
        char what[64];
        const size_t verdict = strcspn(key, "\n");
        snprintf(what, sizeof what, "%.*s, as a rule expects", (int)verdict, key);
        ks_summary_rule_print(out, r->expected_points[i], what, key + verdict + 1);
    }
}

static ks_status write_summary(const ks_run_reports *r, const ks_run_end *end, ks_error *error) {
    ks_text gates = {0}, rules = {0}, out = {0}, path = {0};
    add_rules(&rules, r);
    ks_red_gates_print(&gates, &r->red_gates, r->sweep->name);
    const ks_summary summary = {.sweep = r->sweep->name,
                                .about = r->sweep->about,
                                .mode = ks_mode_name(r->sweep->mode),
                                .exit_code = end->exit_code,
                                .verdict = end->verdict,
                                .account = end->account,
                                .causes = &r->list,
                                .ran = r->ran,
                                .rules = ks_text_string(&rules),
                                .gates = ks_text_string(&gates),
                                .notes = end->notes,
                                .failures = ks_text_string(&r->stored)};
    ks_summary_md_print(&out, &summary);
    ks_text_add_format(&path, "%s/summary.md", r->folder->part);
    const ks_status status =
        out.has_failed || gates.has_failed || rules.has_failed || path.has_failed
            ? ks_fail(error, KS_NO_MEMORY, "out of memory")
            : ks_file_write(path.data, out.data, out.length, error);
    ks_text_free(&gates);
    ks_text_free(&rules);
    ks_text_free(&out);
    ks_text_free(&path);
    return status;
}

ks_status ks_run_reports_end(ks_run_reports *r, const ks_run_end *end, ks_error *error) {
    ks_status status = ks_run_causes_end(r->causes, &r->list, error);
    if (!status && end->account->goldens[KS_GOLDEN_mismatch] && end->golden[0]) {
        status = ks_run_causes_ask_anchors(r->causes, &r->list, SHOWN_CAUSES, end->golden, error);
        ks_text_add_string(&r->compare, "compare: kernsweep diff ");
        ks_text_add_shell(&r->compare, end->golden);
        ks_text_add_char(&r->compare, ' ');
        ks_text_add_shell(&r->compare, r->folder->final);
        ks_text_add_char(&r->compare, '\n');
    }
    if (!status) status = end_junit(r, end, error);
    if (!status) status = write_failures(r, end->job, error);
    return status ? status : write_summary(r, end, error);
}

void ks_run_reports_print(ks_text *out, const ks_run_reports *r) {
    uint64_t points = r->list.more_points, shown = 0;
    for (size_t i = 0; i < r->list.count; i++) points += r->list.causes[i].points;
    if (points) {
        ks_text_add_format(out, "red in %s: ", r->sweep->name);
        ks_text_add_count(out, points, "point");
        ks_text_add_string(out, ", ");
        ks_text_add_count(out, r->list.count, "cause");
        ks_text_add_string(out, r->list.more_points ? " and more\n" : "\n");
    }
    for (size_t i = 0; i < r->list.count && i < SHOWN_CAUSES; i++) {
        ks_cause_print(out, &r->list.causes[i], i + 1, r->ran);
        shown += r->list.causes[i].points;
    }
    if (shown < points) {
        ks_text_add_string(out, "and ");
        ks_text_add_count(out, points - shown, "point");
        ks_text_add_string(out, " of other causes\n");
    }
    ks_text_add_string(out, ks_text_string(&r->compare));
    ks_text_add_string(out, ks_text_string(&r->stored));
    ks_red_gates_print(out, &r->red_gates, r->sweep->name);
}

/* ---- several sweeps ---- */

static ks_status add_file(ks_text *out, const char *folder, const char *name, size_t head,
                          size_t tail, ks_error *error) {
    ks_text path = {0}, text = {0};
    ks_text_add_format(&path, "%s/%s", folder, name);
    ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                       : ks_file_read(path.data, JOINED_BYTES, &text, error);
    if (!status && text.length >= head + tail)
        ks_text_add(out, text.data + head, text.length - head - tail);
    ks_text_free(&path);
    ks_text_free(&text);
    return status;
}

static ks_status write_joined(const char *base, const char *name, const ks_text *out,
                              ks_error *error) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s", base, name);
    const ks_status status = out->has_failed || path.has_failed
                                 ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                 : ks_file_write(path.data, out->data, out->length, error);
    ks_text_free(&path);
    return status;
}

ks_status ks_run_reports_clear(const char *base, ks_error *error) {
    static const char *const names[] = {"junit.xml", "summary.md", "run.json"};
    ks_status status = KS_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++) {
        ks_text path = {0};
        ks_text_add_format(&path, "%s/%s", base, names[i]);
        status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                 : ks_path_remove(path.data, error);
        ks_text_free(&path);
    }
    return status;
}

ks_status ks_run_reports_join(const char *base, const char *const *folders, size_t count,
                              const char *headline, ks_error *error) {
    ks_text junit = {0}, summary = {0};
    ks_status status = KS_OK;
    ks_text_add_string(&junit, ks_junit_head);
    ks_text_add_format(&summary, "# %s\n", headline);
    for (size_t i = 0; i < count && !status; i++) {
        status = add_file(&junit, folders[i], "junit.xml", strlen(ks_junit_head),
                          strlen(ks_junit_tail), error);
        ks_text_add_string(&summary, "\n#");
        if (!status) status = add_file(&summary, folders[i], "summary.md", 0, 0, error);
    }
    ks_text_add_string(&junit, ks_junit_tail);
    if (!status) status = write_joined(base, "junit.xml", &junit, error);
    if (!status) status = write_joined(base, "summary.md", &summary, error);
    ks_text_free(&junit);
    ks_text_free(&summary);
    return status;
}
