/* diff of points: report folders and goldens, one against the other. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/diff.h"
#include "cli/diff_anchor.h"
#include "golden/log_diff.h"
#include "golden/points_diff.h"
#include "golden/run_file.h"
#include "golden/signature.h"
#include "kernels/kernels.h"
#include "report/log_diff_text.h"
#include "report/point_diff_text.h"
#include "report/points_diff_text.h"
#include "sweep/key.h"

enum { SHOWN_CELLS = 4, SHOWN_ROWS = 4 };

typedef struct side {
    const char *path;
    ks_text folder; /* where op_logs may lie */
    ks_points *points;
} side;

typedef struct diff {
    const ks_options *options;
    side sides[2];
    ks_points_comparison *comparison;
    const ks_points_diff *found;

    /* Of the first divergence. */
    ks_text key;
    ks_change change;
    ks_row got;
    ks_found_log logs[2];
    ks_arena *arena;
    ks_log parsed[2];
    ks_log_diff log_diff;
    bool has_log_diff;
    ks_anchor anchor;

    ks_points_diff shown; /* found, with KEYs as they are printed */
    ks_text keys[KS_DIFF_GROUPS];
    ks_text out;
    ks_json json;
    ks_error *error;
} diff;

static ks_status no_memory(diff *d) { return ks_fail(d->error, KS_NO_MEMORY, "out of memory"); }

/* run.json counts the points that ran: each has its line, or the file was cut. A folder without it
 * is none that a run has ended. */
static ks_status check_count(const diff *d, const side *s) {
    ks_text path = {0}, json = {0};
    uint64_t planned = 0, not_run = 0;
    ks_text_add_format(&path, "%s/run.json", s->path);
    ks_status status = path.has_failed ? ks_fail(d->error, KS_NO_MEMORY, "out of memory") : KS_OK;
    if (!status && !ks_path_exists(path.data))
        status = ks_fail(d->error, KS_INPUT, "found no '%s', expected that of a run that has ended",
                         path.data);
    if (!status) status = ks_file_read_stored(path.data, KS_RUN_FILE_LIMIT, &json, d->error);
    if (!status && (!ks_run_file_count(&json, "account", "planned", &planned) ||
                    !ks_run_file_count(&json, "account", "not_run", &not_run)))
        status = ks_fail(d->error, KS_INPUT, "%s: found no account of the points", path.data);
    if (!status && ks_points_count(s->points) != planned - not_run)
        status = ks_fail(d->error, KS_INPUT,
                         "%s/points.csv: found %zu points, expected %" PRIu64
                         " as run.json counts them: truncated, or of another run",
                         s->path, ks_points_count(s->points), planned - not_run);
    ks_text_free(&path);
    ks_text_free(&json);
    return status;
}

static ks_status read_side(diff *d, int i) {
    side *s = &d->sides[i];
    ks_text path = {0};
    s->path = d->options->arguments[i];
    ks_status status;
    if (ks_diff_kind_of(s->path) == KS_DIFF_GOLDEN) {
        ks_folder_of_file(&s->folder, s->path);
        status = ks_points_of_golden(s->path, &s->points, d->error);
    } else {
        ks_text_add_string(&s->folder, s->path);
        ks_text_add_format(&path, "%s/points.csv", s->path);
        status = path.has_failed ? no_memory(d) : ks_points_read(path.data, &s->points, d->error);
        if (!status) status = check_count(d, s);
    }
    ks_text_free(&path);
    return status || !s->folder.has_failed ? status : no_memory(d);
}

/* ---- the first divergence ---- */

/* A KEY as it is printed: points.csv has every column, defaults too. */
static ks_status canonical_key(const char *text, ks_text *key, ks_error *error) {
    ks_point point;
    const ks_status status = ks_key_parse(text, &ks_kernels, &point, error);
    if (!status) ks_key_print(key, &ks_kernels, &point);
    return status;
}

static ks_status show_keys(diff *d) {
    d->shown = *d->found;
    for (size_t i = 0; i < d->shown.group_count; i++) {
        const ks_status status = canonical_key(d->found->groups[i].key, &d->keys[i], d->error);
        if (status) return status;
        d->shown.groups[i].key = ks_text_string(&d->keys[i]);
    }
    return KS_OK;
}

static ks_status compare_logs(const ks_text *expected, const ks_text *got, ks_log logs[2],
                              ks_arena *arena, ks_log_diff *out, ks_error *error) {
    const ks_text *const sides[] = {expected, got};
    for (int i = 0; i < 2; i++) {
        ks_text copy = {0};
        ks_text_add(&copy, ks_text_string(sides[i]), sides[i]->length);
        if (copy.has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
        const ks_status status =
            ks_log_parse(i ? "right op_log" : "left op_log", copy, &logs[i], error);
        if (status) return status;
    }
    *out = (ks_log_diff){.change = KS_LOG_SAME};
    return ks_log_compare(&logs[0], &logs[1], arena, out)
               ? ks_fail(error, KS_NO_MEMORY, "out of memory")
               : KS_OK;
}

static ks_status find_logs(diff *d) {
    const size_t *first = d->found->first;
    for (int i = 0; i < 2; i++) {
        ks_points_line line = ks_points_at(d->sides[i].points, first[i]);
        line.key = ks_text_string(&d->key);
        const ks_status status =
            ks_log_find(d->options, ks_text_string(&d->sides[i].folder), d->options->against, &line,
                        i ? &d->got : &d->change.was, &d->logs[i], d->error);
        if (status) return status;
    }
    return KS_OK;
}

/* What the golden's own folder can say though it has not these rows: an anchor. */
static ks_status find_anchor(diff *d) {
    for (int i = 0; i < 2; i++)
        if (ks_points_have_own_verdicts(d->sides[i].points) && !d->logs[i].is_there)
            return ks_anchor_find(d->options, ks_text_string(&d->sides[i].folder),
                                  ks_text_string(&d->key), &d->anchor, d->error);
    return KS_OK;
}

static ks_status look_at_first(diff *d) {
    const size_t *first = d->found->first;
    ks_points_change(d->comparison, first[0], first[1], &d->change, &d->got);
    ks_status status =
        canonical_key(ks_points_at(d->sides[1].points, first[1]).key, &d->key, d->error);
    if (!status) status = find_logs(d);
    if (status) return status;
    if (d->logs[0].is_there && d->logs[1].is_there) {
        status = compare_logs(&d->logs[0].bytes, &d->logs[1].bytes, d->parsed, d->arena,
                              &d->log_diff, d->error);
        d->has_log_diff = !status && d->log_diff.change != KS_LOG_SAME;
        return status;
    }
    if (d->logs[1].is_there)
        ks_points_find_block(d->sides[0].points, first[0], ks_text_string(&d->logs[1].bytes),
                             d->logs[1].bytes.length, &d->change);
    return find_anchor(d);
}

/* ---- in words ---- */

/* What all else follows from first, then the cycles, then the rest. */
static void print_figures(diff *d) {
    const uint64_t total = UINT64_C(1) << KS_COL_total_cycles, root = ks_change_root(&d->change);
    const uint64_t passes[] = {root, total & ~root, ~(root | total)};
    int shown = 0;
    for (size_t p = 0; p < sizeof passes / sizeof passes[0]; p++)
        for (int c = 0; c < KS_COLUMN_COUNT; c++)
            if (ks_change_has(&d->change, (ks_column)c) && passes[p] >> c & 1 &&
                shown++ < SHOWN_CELLS)
                ks_cell_diff_print(&d->out, &d->change.was, &d->got, (ks_column)c);
    if (shown > SHOWN_CELLS)
        ks_text_add_format(&d->out, "  and %d more columns\n", shown - SHOWN_CELLS);
}

static void print_cells(diff *d) {
    ks_text_add_format(&d->out, "point: %s\n", ks_text_string(&d->key));
    if (d->change.is_verdict || d->change.is_reason)
        ks_text_add_format(&d->out, "  verdict expected %s %s, got %s %s\n",
                           ks_verdict_name(d->change.was.verdict), d->change.was.reason,
                           ks_verdict_name(d->got.verdict), d->got.reason);
    if (!d->has_log_diff) print_figures(d);
}

/* The got rows from which on the op_log may differ. */
static ks_status print_block(diff *d) {
    const ks_change *change = &d->change;
    ks_text copy = {0};
    ks_text_add_format(&d->out,
                       "first divergence: in the op_log's block %" PRIu64 ", rows %" PRIu64
                       " to %" PRIu64 "; all rows before are equal. It begins, now:\n",
                       change->block, change->block_row,
                       change->block_row + change->block_row_count - 1);
    ks_text_add(&copy, ks_text_string(&d->logs[1].bytes), d->logs[1].bytes.length);
    ks_status status = ks_log_parse("op_log", copy, &d->parsed[1], d->error);
    for (size_t i = 0; !status && i < SHOWN_ROWS; i++) {
        ks_log_line line;
        if (change->block_row + i >= d->parsed[1].count) break;
        if (!ks_log_line_of(&d->parsed[1], change->block_row + i, d->arena, &line))
            return no_memory(d);
        ks_text_add_string(&d->out, "    ");
        ks_log_line_print(&d->out, &line);
        ks_text_add_char(&d->out, '\n');
    }
    return status;
}

static void print_anchor(diff *d) {
    const ks_anchor *a = &d->anchor;
    if (!a->is_there) return;
    ks_text_add_format(&d->out, "anchor of the same kernel and policy: %s\n",
                       ks_text_string(&a->key));
    if (a->diff.change == KS_LOG_SAME)
        ks_text_add_string(&d->out, "  its op_log is as stored\n");
    else
        ks_log_diff_print_short(&d->out, &a->diff);
}

static ks_status print_first(diff *d) {
    print_cells(d);
    if (d->has_log_diff) {
        ks_log_diff_print(&d->out, &d->log_diff, "");
        return KS_OK;
    }
    if (!ks_change_has(&d->change, KS_COL_oplog_xxh128)) return KS_OK;
    if (d->change.has_block) {
        const ks_status status = print_block(d);
        if (status) return status;
    }
    for (int i = 0; i < 2; i++)
        if (!d->logs[i].is_there)
            ks_text_add_format(&d->out,
                               "the rows of %s are not stored (--against DIR takes a folder with "
                               "them, from run --oplog full)\n",
                               d->sides[i].path);
    print_anchor(d);
    return KS_OK;
}

static ks_status print_text(diff *d) {
    const ks_points_diff *found = d->found;
    const bool is_equal = !found->changed && !found->only[0] && !found->only[1];
    ks_text_add_format(&d->out, "left: %s\nright: %s\n", d->sides[0].path, d->sides[1].path);
    const ks_status status = found->has_first ? print_first(d) : KS_OK;
    if (is_equal)
        ks_points_counts_print(&d->out, found);
    else
        ks_points_diff_print(&d->out, &d->shown);
    return status;
}

/* ---- every changed point ---- */

static ks_status put_changed(diff *d, size_t left, size_t right, ks_text *key) {
    ks_change change;
    ks_row got;
    if (!ks_points_change(d->comparison, left, right, &change, &got)) return KS_OK;
    ks_text_clear(key);
    const ks_status status =
        canonical_key(ks_points_at(d->sides[1].points, right).key, key, d->error);
    if (status) return status;
    if (!d->options->is_json) {
        ks_changed_point_print(&d->out, ks_text_string(key), &change, &got);
        return KS_OK;
    }
    ks_json_begin(&d->json, '{');
    ks_json_put_string(&d->json, "key", ks_text_string(key));
    ks_json_put_string(&d->json, "verdict_expected", ks_verdict_name(change.was.verdict));
    ks_json_put_string(&d->json, "verdict_got", ks_verdict_name(got.verdict));
    ks_json_key(&d->json, "columns");
    ks_json_begin(&d->json, '[');
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (ks_change_has(&change, (ks_column)c))
            ks_json_string(&d->json, ks_column_describe((ks_column)c)->name);
    ks_json_end(&d->json, ']');
    ks_json_end(&d->json, '}');
    return KS_OK;
}

static ks_status put_only(diff *d, int side_number, size_t index, ks_text *key) {
    ks_text_clear(key);
    const ks_status status =
        canonical_key(ks_points_at(d->sides[side_number].points, index).key, key, d->error);
    if (!status)
        ks_text_add_format(&d->out, "only %s: %s\n", side_number ? "right" : "left",
                           ks_text_string(key));
    return status;
}

/* In the order of the left, then those that only the right has. Text: flushed as it grows. */
static ks_status put_all_changed(diff *d) {
    const ks_points *left = d->sides[0].points, *right = d->sides[1].points;
    ks_text key = {0};
    ks_status status = KS_OK;
    size_t other;
    for (size_t i = 0; i < ks_points_count(left) && !status; i++) {
        if (ks_points_find(right, ks_points_at(left, i).id, &other))
            status = put_changed(d, i, other, &key);
        else if (!d->options->is_json)
            status = put_only(d, 0, i, &key);
    }
    for (size_t i = 0; i < ks_points_count(right) && !status && !d->options->is_json; i++)
        if (!ks_points_find(left, ks_points_at(right, i).id, &other))
            status = put_only(d, 1, i, &key);
    ks_text_free(&key);
    return status;
}

static ks_status print_json(diff *d) {
    ks_status status = KS_OK;
    d->json = ks_json_on(&d->out);
    ks_json_begin(&d->json, '{');
    ks_json_put_string(&d->json, "left_path", d->sides[0].path);
    ks_json_put_string(&d->json, "right_path", d->sides[1].path);
    ks_points_diff_json(&d->json, &d->shown);
    if (d->options->only_changed) {
        ks_json_key(&d->json, "points");
        ks_json_begin(&d->json, '[');
        status = put_all_changed(d);
        ks_json_end(&d->json, ']');
    } else if (d->has_log_diff) {
        ks_json_key(&d->json, "first_divergence");
        ks_log_diff_json(&d->json, &d->log_diff, ks_text_string(&d->key));
    } else if (d->found->has_first) {
        ks_json_key(&d->json, "first_divergence");
        ks_json_begin(&d->json, '{');
        ks_json_put_string(&d->json, "key", ks_text_string(&d->key));
        if (d->change.has_block) {
            ks_json_put_u64(&d->json, "block", d->change.block);
            ks_json_put_u64(&d->json, "block_row", d->change.block_row);
            ks_json_put_u64(&d->json, "block_rows", d->change.block_row_count);
        }
        ks_json_end(&d->json, '}');
    }
    ks_json_end(&d->json, '}');
    return status;
}

/* ---- the whole ---- */

static ks_status run(diff *d) {
    ks_status status = d->arena ? read_side(d, 0) : no_memory(d);
    if (!status) status = read_side(d, 1);
    if (status) return status;
    if (ks_points_count(d->sides[0].points) + ks_points_count(d->sides[1].points) == 0)
        return ks_fail(d->error, KS_INPUT, "found no point in '%s' and none in '%s', expected some",
                       d->sides[0].path, d->sides[1].path);
    if (ks_points_compare(d->sides[0].points, d->sides[1].points, &d->comparison))
        return no_memory(d);
    d->found = ks_points_diff_of(d->comparison);
    status = show_keys(d);
    if (!status && !d->options->only_changed && d->found->has_first) status = look_at_first(d);
    if (status) return status;
    if (d->options->is_json) {
        status = print_json(d);
    } else if (d->options->only_changed) {
        status = put_all_changed(d);
        ks_points_counts_print(&d->out, d->found);
    } else {
        status = print_text(d);
    }
    if (!status) status = ks_diff_show(&d->out, d->error);
    const bool is_equal = !d->found->changed && !d->found->only[0] && !d->found->only[1];
    return status || is_equal ? status : KS_FAILED;
}

ks_status ks_diff_points(const ks_options *options, ks_error *error) {
    diff d = {.options = options, .arena = ks_arena_new(1 << 12), .error = error};
    const ks_status status = run(&d);
    for (int i = 0; i < 2; i++) {
        ks_points_free(d.sides[i].points);
        ks_text_free(&d.sides[i].folder);
        ks_found_log_free(&d.logs[i]);
        ks_log_free(&d.parsed[i]);
    }
    for (size_t i = 0; i < KS_DIFF_GROUPS; i++) ks_text_free(&d.keys[i]);
    ks_points_comparison_free(d.comparison);
    ks_anchor_free(&d.anchor);
    ks_arena_free(d.arena);
    ks_text_free(&d.key);
    ks_text_free(&d.out);
    return status;
}
