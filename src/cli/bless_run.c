#include "cli/bless_run.h"

#include <string.h>

#include "base/file.h"
#include "base/program_digest.h"
#include "cli/golden_use.h"
#include "golden/golden_compare.h"
#include "golden/run_file.h"

enum { SHOWN_RED = 5 };

typedef struct source {
    const ks_sweep *sweep;
    const char *report;
    const ks_golden_head *now;
    ks_golden *observed;
    uint64_t red_gates;
} source;

/* run.json says which build it was, and that observed.csv is of that very run. */
static ks_status check_build(source *s, ks_error *error) {
    ks_text path = {0}, json = {0};
    ks_digest program;
    char found[KS_DIGEST_HEX] = "", own[KS_DIGEST_HEX], observed[KS_DIGEST_HEX];
    ks_text_add_format(&path, "%s/run.json", s->report);
    ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
    if (!status && !ks_path_exists(path.data))
        status = ks_fail(error, KS_INPUT, "found no %s, expected that of a whole run", path.data);
    if (!status) status = ks_file_read_stored(path.data, KS_RUN_FILE_LIMIT, &json, error);
    if (!status) status = ks_program_digest(&program, error);
    if (!status) {
        ks_digest_print(own, &program);
        ks_digest_print(observed, ks_golden_digest(s->observed));
        if (!ks_run_file_digest(&json, "program_digest", found) || strcmp(found, own) != 0)
            status = ks_fail(error, KS_INPUT,
                             "%s: found a run of another build of kernsweep, expected one of this "
                             "build: `kernsweep run %s` again",
                             path.data, s->sweep->file);
        else if (!ks_run_file_digest(&json, "observed", found) || strcmp(found, observed) != 0)
            status =
                ks_fail(error, KS_INPUT, "%s: found the digest of another %s than lies beside it",
                        path.data, "observed.csv");
        else if (!ks_run_file_count(&json, "gates", "red", &s->red_gates))
            status = ks_fail(error, KS_INPUT, "%s: found no count of red gates", path.data);
    }
    ks_text_free(&path);
    ks_text_free(&json);
    return status;
}

static const char *advice_on(const char *word) {
    if (strncmp(word, "points=", 7) == 0) return ", a run without --where and --set";
    if (strncmp(word, "op_logs=", 8) == 0) return ", a run without --oplog none";
    return ", as the file is now";
}

/* The run must have been of these inputs, whole, with op_logs. */
static ks_status check_origin(source *s, ks_error *error) {
    ks_text expected = {0};
    const char *found = ks_golden_head_of(s->observed)->origin;
    ks_golden_origin_print(&expected, s->sweep, "whole", true);
    if (expected.has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const char *want = expected.data;
    ks_error why = {""};
    /* Word by word: points, op_logs, sweep, calibration, models. */
    while (*want && !why.text[0]) {
        const size_t length = strcspn(want, " "), other = strcspn(found, " ");
        if (length != other || memcmp(want, found, length) != 0)
            ks_fail(&why, KS_INPUT, "found '%.*s', expected '%.*s'%s", (int)other, found,
                    (int)length, want, advice_on(want));
        want += length + (want[length] == ' ');
        found += other + (found[other] == ' ');
    }
    ks_text_free(&expected);
    if (!why.text[0]) return check_build(s, error);
    return ks_fail(error, KS_INPUT, "%s:1: %s; `kernsweep run %s` first",
                   ks_golden_path(s->observed), why.text, s->sweep->file);
}

static ks_status check_red(const source *s, ks_error *error) {
    ks_text list = {0};
    size_t red = 0;
    for (size_t i = 0; i < ks_golden_count(s->observed); i++) {
        const ks_golden_line line = ks_golden_at(s->observed, i);
        if (!line.is_red) continue;
        if (red++ < SHOWN_RED) ks_text_add_format(&list, "\n  %s", line.key);
    }
    if (red)
        ks_fail(error, KS_INPUT,
                "%s: %zu points are red by themselves or break an invariant, whatever their golden "
                "says; bless takes none of this run:%s%s",
                s->report, red, ks_text_string(&list), red > SHOWN_RED ? "\n  ..." : "");
    ks_text_free(&list);
    return red ? KS_INPUT : KS_OK;
}

static ks_status read_run(source *s, ks_error *error) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/observed.csv", s->report);
    ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
    if (!status && !ks_path_exists(path.data))
        status = ks_fail(error, KS_INPUT,
                         "found no %s, expected that of a whole run: `kernsweep run %s` first",
                         path.data, s->sweep->file);
    if (!status) status = ks_golden_read(path.data, KS_GOLDEN_OBSERVED, &s->observed, error);
    ks_text_free(&path);
    if (status) return status;
    if (strcmp(ks_golden_head_of(s->observed)->sweep, s->sweep->name) != 0)
        return ks_fail(error, KS_INPUT, "%s: found a run of '%s', expected one of '%s'",
                       ks_golden_path(s->observed), ks_golden_head_of(s->observed)->sweep,
                       s->sweep->name);
    status = check_origin(s, error);
    return status ? status : check_red(s, error);
}

ks_status ks_bless_run_read(const ks_sweep *sweep, const char *report, const ks_golden_head *now,
                            ks_golden **observed, uint64_t *red_gates, ks_error *error) {
    source s = {.sweep = sweep, .report = report, .now = now};
    const ks_status status = read_run(&s, error);
    *observed = s.observed;
    *red_gates = s.red_gates;
    return status;
}
