/* bless: what the last whole run of this build observed becomes the golden, with a reason. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/bless_logs.h"
#include "cli/bless_places.h"
#include "cli/bless_run.h"
#include "cli/golden_use.h"
#include "cli/verbs.h"
#include "golden/golden_compare.h"
#include "golden/golden_place.h"
#include "golden/golden_write.h"
#include "golden/pending.h"
#include "kernels/kernels.h"
#include "report/pending_text.h"
#include "run/gates.h"
#include "sweep/key.h"

enum { REASONS_LIMIT = 64 << 20, SHOWN_CAUSES = 9 };

typedef struct bless {
    const ks_options *options;
    ks_sweep *sweep;
    ks_grid *grid; /* of --where */
    ks_text report, folder, path, defaults;
    ks_golden_head now;
    ks_golden *observed, *golden; /* golden NULL: there is none yet */
    bool is_stale;
    ks_error stale;
    ks_pending pending;
    ks_text bytes;   /* of the golden as it will be... */
    ks_golden *next; /* ...read back */
    uint64_t missing_logs, orphan_logs, red_gates;
    long cause; /* from 0; KS_NO_LINE: all */
    int lock;
} bless;

/* ---- refusals ---- */

static bool is_under_ci(void) {
    const char *ci = getenv("CI");
    return ci && *ci && strcmp(ci, "0") != 0 && strcasecmp(ci, "false") != 0;
}

static ks_status check_options(const bless *b, ks_error *error) {
    const char *reason = b->options->reason;
    if (is_under_ci())
        return ks_fail(error, KS_INPUT, "bless: refused, the environment says CI=%s", getenv("CI"));
    if (strcmp(b->options->arguments[0], "-") == 0)
        return ks_fail(error, KS_INPUT, "bless: a sweep from standard input has no golden");
    if (!reason && !b->options->is_dry_run)
        return ks_fail(error, KS_INPUT,
                       "bless: found no --reason TEXT, which says why the numbers move");
    if (b->options->prunes && (b->options->where || b->options->cause))
        return ks_fail(
            error, KS_INPUT,
            "bless: --prune takes out every orphan; it does not go with --where or --cause");
    return KS_OK;
}

static ks_status read_sweep(bless *b, ks_error *error) {
    ks_sweep_options options = {.where = b->options->where};
    ks_grid_count *count = NULL; /* refuses a --where that leaves nothing */
    options.column_count = ks_gate_columns(&options.columns);
    const char *file = b->options->arguments[0];
    ks_status status = ks_sweep_read(file, &ks_kernels, &options, &b->sweep, error);
    if (!status) status = ks_grid_new(b->sweep, b->options->max_points, &b->grid, error);
    if (!status) status = ks_grid_count_new(b->grid, &count, error);
    ks_grid_count_free(count);
    if (status) return status;
    if (!b->sweep->wants_golden)
        return ks_fail(error, KS_INPUT, "%s: says `golden: none`, so there is nothing to bless",
                       file);
    b->now = ks_golden_head_now(b->sweep, &b->defaults);
    ks_golden_folder_of(&b->folder, file);
    ks_golden_path_of(&b->path, b->sweep);
    if (b->options->output)
        ks_text_add_string(&b->report, b->options->output);
    else
        ks_text_add_format(&b->report, "reports/%s", b->sweep->name);
    if (b->defaults.has_failed || b->folder.has_failed || b->path.has_failed ||
        b->report.has_failed)
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    return ks_golden_place_check(b->folder.data, b->sweep->name, error);
}

static ks_status read_golden(bless *b, ks_error *error) {
    if (!ks_path_exists(b->path.data)) return KS_OK;
    const ks_status status = ks_golden_read(b->path.data, KS_GOLDEN_BLESSED, &b->golden, error);
    if (status) return status;
    const ks_golden_head *head = ks_golden_head_of(b->golden);
    if (strcmp(head->sweep, b->sweep->name) != 0)
        return ks_fail(error, KS_INPUT, "%s:1: found the golden of '%s', expected that of '%s'",
                       b->path.data, head->sweep, b->sweep->name);
    b->is_stale = ks_golden_is_stale(head, &b->now, &b->stale);
    if (b->is_stale && (b->options->where || b->options->cause))
        return ks_fail(
            error, KS_INPUT,
            "%s:1: %s. All of its rows are blessed together: without --where and --cause",
            b->path.data, b->stale.text);
    return KS_OK;
}

/* ---- what changes ---- */

static bool is_asked(const void *self, const char *key) {
    const bless *b = self;
    ks_point point;
    uint64_t index;
    return ks_key_parse(key, &ks_kernels, &point, NULL) == KS_OK &&
           ks_grid_find(b->grid, &point, &index);
}

/* Which causes there are. */
static ks_status fail_cause(const bless *b, ks_error *error) {
    ks_text list = {0};
    const size_t count = b->pending.group_count;
    for (size_t g = 0; g < count && g < SHOWN_CAUSES; g++) {
        ks_text_add_format(&list, "\n  %zu: ", g + 1);
        ks_pending_title_print(&list, &b->pending.groups[g]);
    }
    if (count)
        ks_fail(error, KS_INPUT, "--cause: found %" PRIu64 ", expected 1 to %zu:%s%s",
                b->options->cause, count, ks_text_string(&list),
                count > SHOWN_CAUSES ? "\n  ..." : "");
    else
        ks_fail(error, KS_INPUT, "--cause: found %" PRIu64 ", but nothing changes: there is none",
                b->options->cause);
    ks_text_free(&list);
    return KS_INPUT;
}

static ks_status find_pending(bless *b, ks_error *error) {
    if (ks_pending_find(b->golden, b->observed, b, b->options->where ? is_asked : NULL,
                        &b->pending))
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (ks_bless_places(&b->pending, b->observed, b->sweep, b->grid))
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    b->cause = KS_NO_LINE;
    if (!b->options->cause) return KS_OK;
    if (b->options->cause > b->pending.group_count) return fail_cause(b, error);
    b->cause = (long)b->options->cause - 1;
    return KS_OK;
}

static ks_bless_logs logs_of(const bless *b) {
    return (ks_bless_logs){b->folder.data, b->report.data, b->next};
}

/* The golden as it will be; it must read back, or it is not written. */
static ks_status make_next(bless *b, ks_error *error) {
    ks_text copy = {0};
    if (ks_pending_apply(&b->pending, b->golden, b->observed, &b->now, b->cause, &b->bytes))
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_text_add(&copy, b->bytes.data, b->bytes.length);
    if (copy.has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const ks_status status =
        ks_golden_parse("the golden to be", copy, KS_GOLDEN_BLESSED, &b->next, error);
    if (status || !b->sweep->pins_logs) return status;
    const ks_bless_logs logs = logs_of(b);
    return ks_bless_logs_count(&logs, &b->missing_logs, &b->orphan_logs, error);
}

/* Lines that the bless takes: changed, new, gone. */
static void count_taken(const bless *b, uint64_t counts[3]) {
    memset(counts, 0, 3 * sizeof *counts);
    for (size_t g = 0; g < b->pending.group_count; g++)
        if (b->cause == KS_NO_LINE || (size_t)b->cause == g)
            counts[b->pending.groups[g].kind] += b->pending.groups[g].count;
}

/* Gates are no part of a golden: they stay as they are, and are told before the question. */
static void add_red_gates(const bless *b, const char *begin, ks_text *out) {
    if (!b->red_gates) return;
    ks_text_add_string(out, begin);
    ks_text_add_count(out, b->red_gates, "gate group");
    ks_text_add_format(out, " of the run %s red, and no bless makes a gate green\n",
                       b->red_gates == 1 ? "is" : "are");
}

static void show(const bless *b, const uint64_t counts[3]) {
    ks_text out = {0};
    ks_text_add_format(&out, "%s: what %s holds, against %s%s\n", b->sweep->name, b->report.data,
                       b->golden ? "" : "no golden yet at ", b->path.data);
    if (b->is_stale) ks_text_add_format(&out, "stale: %s\n", b->stale.text);
    for (size_t g = 0; g < b->pending.group_count; g++)
        ks_pending_group_print(&out, &b->pending.groups[g], g + 1);
    ks_text_add_format(&out,
                       "%s: %" PRIu64 " rows change, %" PRIu64 " are new, %" PRIu64 " go; %" PRIu64
                       " asked rows are as they were\n",
                       b->options->is_dry_run ? "would bless" : "to bless",
                       counts[KS_PENDING_CHANGED], counts[KS_PENDING_NEW], counts[KS_PENDING_GONE],
                       b->pending.unchanged);
    add_red_gates(b, "note: ", &out);
    if (b->missing_logs) {
        ks_text_add_string(&out, "op_logs to bring along: ");
        ks_text_add_count(&out, b->missing_logs, "file");
        ks_text_add_char(&out, '\n');
    }
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
}

/* KS_OK: yes. */
static ks_status ask(const bless *b, ks_error *error) {
    char answer[16] = "";
    if (b->options->is_sure) return KS_OK;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return ks_fail(error, KS_INPUT, "bless: there is no terminal to ask on; --yes answers");
    printf("bless? [y/N] ");
    fflush(stdout);
    if (fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y')) return KS_OK;
    return ks_fail(error, KS_INPUT, "bless: not blessed");
}

/* ---- writing ---- */

/* Why it happened; written first: a reason without its golden does no harm. */
static ks_status write_reason(const bless *b, ks_error *error) {
    ks_text path = {0}, text = {0};
    ks_text_add_format(&path, "%s/REASONS.md", b->folder.data);
    ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
    if (!status && ks_path_exists(path.data))
        status = ks_file_read(path.data, REASONS_LIMIT, &text, error);
    else if (!status)
        ks_text_add_string(&text,
                           "# Why goldens changed\n\nWritten by `kernsweep bless`; the newest "
                           "entry stands last.\n");
    ks_reason_begin(&text, b->sweep->name, b->options->reason);
    for (size_t g = 0; g < b->pending.group_count; g++)
        if (b->cause == KS_NO_LINE || (size_t)b->cause == g)
            ks_reason_group(&text, &b->pending.groups[g]);
    if (b->is_stale) ks_text_add_format(&text, "- %s\n", b->stale.text);
    add_red_gates(b, "- ", &text);
    if (!status) status = ks_golden_replace(b->folder.data, "REASONS.md", &text, error);
    ks_text_free(&path);
    ks_text_free(&text);
    return status;
}

/* The golden must still be the one that was shown. */
static ks_status check_unchanged(const bless *b, ks_error *error) {
    ks_text bytes = {0};
    ks_status status = KS_OK;
    bool is_same = !b->golden && !ks_path_exists(b->path.data);
    if (b->golden) {
        status = ks_file_read(b->path.data, KS_GOLDEN_FILE_LIMIT, &bytes, error);
        const ks_digest digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
        is_same = memcmp(&digest, ks_golden_digest(b->golden), sizeof digest) == 0;
    }
    ks_text_free(&bytes);
    if (status || is_same) return status;
    return ks_fail(error, KS_INPUT, "%s: changed meanwhile; nothing is blessed", b->path.data);
}

static ks_status write_logs(const bless *b, ks_error *error) {
    const ks_bless_logs logs = logs_of(b);
    if (!b->sweep->pins_logs) return KS_OK;
    const ks_status status = ks_bless_logs_write(&logs, error);
    return status || !b->options->prunes ? status : ks_bless_logs_prune(&logs, error);
}

static ks_status write_golden(const bless *b, ks_error *error) {
    ks_text name = {0};
    ks_text_add_format(&name, "%s.csv", b->sweep->name);
    ks_status status = check_unchanged(b, error);
    if (!status) status = write_logs(b, error);
    if (!status) status = write_reason(b, error);
    if (!status)
        status = ks_golden_replace(b->folder.data, ks_text_string(&name), &b->bytes, error);
    if (!status) printf("blessed: %s\n", b->path.data);
    ks_text_free(&name);
    return status;
}

static ks_status bless_shown(bless *b, ks_error *error) {
    uint64_t counts[3];
    count_taken(b, counts);
    show(b, counts);
    const bool has_stray = b->orphan_logs && b->options->prunes;
    if (!b->is_stale && counts[0] + counts[1] + counts[2] + b->missing_logs == 0 && !has_stray) {
        printf("nothing to bless\n");
        return KS_OK;
    }
    if (b->options->is_dry_run) {
        printf("dry run: nothing was written\n");
        return KS_OK;
    }
    if (counts[KS_PENDING_GONE] && !b->options->prunes)
        return ks_fail(error, KS_INPUT,
                       "bless: %" PRIu64 " rows of %s would vanish, for they are no points of %s; "
                       "--prune takes them out",
                       counts[KS_PENDING_GONE], b->path.data, b->sweep->file);
    const ks_status status = ask(b, error);
    return status ? status : write_golden(b, error);
}

static ks_status bless_all(bless *b, ks_error *error) {
    ks_status status = check_options(b, error);
    if (!status) status = read_sweep(b, error);
    if (!status)
        status = ks_bless_run_read(b->sweep, b->report.data, &b->now, &b->observed, &b->red_gates,
                                   error);
    if (!status && !b->options->is_dry_run)
        status = ks_golden_lock(b->folder.data, &b->lock, error);
    if (!status) status = read_golden(b, error);
    if (!status) status = find_pending(b, error);
    if (!status) status = make_next(b, error);
    return status ? status : bless_shown(b, error);
}

int ks_verb_bless(const ks_options *options) {
    ks_error error = {{0}};
    bless b = {.options = options, .lock = -1};
    const ks_status status = bless_all(&b, &error);
    ks_golden_unlock(b.lock);
    ks_pending_free(&b.pending);
    ks_golden_free(b.observed);
    ks_golden_free(b.golden);
    ks_golden_free(b.next);
    ks_text_free(&b.bytes);
    ks_grid_free(b.grid);
    ks_sweep_free(b.sweep);
    ks_text_free(&b.report);
    ks_text_free(&b.folder);
    ks_text_free(&b.path);
    ks_text_free(&b.defaults);
    return ks_say_error(status, &error);
}
