#include "report/points_diff_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/log_diff_text.h"

static void add_integer(ks_text *out, ks_column_kind kind, int64_t by) {
    if (kind == KS_CYCLES)
        ks_text_add_change(out, by);
    else
        ks_text_add_format(out, "%+" PRId64, by);
}

static void add_ratio(ks_text *out, double ratio) { ks_text_add_format(out, "x %.4g", ratio); }

static void add_range(ks_text *out, ks_column_kind kind, const ks_column_move *move) {
    if (move->has_range) {
        ks_text_add_string(out, ", ");
        add_integer(out, kind, move->least);
        if (move->least != move->most) {
            ks_text_add_string(out, " to ");
            add_integer(out, kind, move->most);
        }
    }
    if (move->least_ratio != 0) {
        ks_text_add_string(out, ", ");
        add_ratio(out, move->least_ratio);
        if (move->least_ratio != move->most_ratio) {
            ks_text_add_string(out, " to ");
            add_ratio(out, move->most_ratio);
        }
    }
    if (move->came) ks_text_add_format(out, ", %" PRIu64 " came", move->came);
    if (move->went) ks_text_add_format(out, ", %" PRIu64 " went", move->went);
}

static void add_cell_count(ks_text *out, const char *name, uint64_t count) {
    if (!count) return;
    ks_text_add_format(out, "  %-26s ", name);
    ks_text_add_count(out, count, "point");
    ks_text_add_char(out, '\n');
}

static void print_columns(ks_text *out, const ks_points_diff *d) {
    if (!d->changed) return;
    ks_text_add_string(out, "moved, right minus left:\n");
    add_cell_count(out, "verdict", d->verdicts);
    add_cell_count(out, "reason", d->reasons);
    add_cell_count(out, "invariants", d->invariants);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_column_info *info = ks_column_describe((ks_column)c);
        if (!d->columns[c].points) continue;
        ks_text_add_format(out, "  %-26s ", info->name);
        ks_text_add_count(out, d->columns[c].points, "point");
        add_range(out, info->kind, &d->columns[c]);
        ks_text_add_char(out, '\n');
    }
}

static void print_kernels(ks_text *out, const ks_points_diff *d) {
    if (!d->changed || !d->kernel_count) return;
    ks_text_add_string(out, "total_cycles right / left, geometric mean over points of both:\n");
    for (size_t i = 0; i < d->kernel_count; i++) {
        const ks_kernel_move *k = &d->kernels[i];
        ks_text_add_format(out, "  %-26s %.6f over ", k->kernel, k->mean);
        ks_text_add_count(out, k->points, "point");
        ks_text_add_format(out, ", %" PRIu64 " changed\n", k->changed);
    }
}

static void print_groups(ks_text *out, const ks_points_diff *d) {
    if (!d->changed) return;
    ks_text_add_string(out, "causes:\n");
    for (size_t i = 0; i < d->group_count; i++) {
        ks_text_add_string(out, "  ");
        ks_text_add_count(out, d->groups[i].points, "point");
        ks_text_add_format(out, ": %s; smallest %s\n", d->groups[i].what, d->groups[i].key);
    }
    if (!d->more_points) return;
    ks_text_add_string(out, "  and ");
    ks_text_add_count(out, d->more_points, "point");
    ks_text_add_string(out, " of other causes\n");
}

static void print_not_compared(ks_text *out, uint64_t columns) {
    if (!columns) return;
    ks_text_add_string(out, "not compared, for one side has them nowhere:");
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (columns >> c & 1)
            ks_text_add_format(out, " %s", ks_column_describe((ks_column)c)->name);
    ks_text_add_char(out, '\n');
}

void ks_points_counts_print(ks_text *out, const ks_points_diff *d) {
    ks_text_add_format(out,
                       "points: %" PRIu64 " left, %" PRIu64 " right: %" PRIu64 " same, %" PRIu64
                       " changed, %" PRIu64 " only left, %" PRIu64 " only right\n",
                       d->counts[0], d->counts[1], d->same, d->changed, d->only[0], d->only[1]);
    if (d->same + d->changed == 0)
        ks_text_add_string(out, "no point is on both sides: nothing was compared\n");
}

void ks_points_diff_print(ks_text *out, const ks_points_diff *d) {
    print_columns(out, d);
    print_kernels(out, d);
    print_groups(out, d);
    print_not_compared(out, d->not_compared);
    ks_points_counts_print(out, d);
}

/* ---- JSON ---- */

static void put_signed(ks_json *json, const char *key, ks_column_kind kind, int64_t by) {
    ks_text text = {0};
    add_integer(&text, kind, by);
    ks_json_put_string(json, key, ks_text_string(&text)); /* exact, whatever the reader holds */
    ks_text_free(&text);
}

static void put_column(ks_json *json, const ks_column_info *info, const ks_column_move *move) {
    ks_json_begin(json, '{');
    ks_json_put_string(json, "name", info->name);
    ks_json_put_u64(json, "points", move->points);
    ks_json_put_u64(json, "came", move->came);
    ks_json_put_u64(json, "went", move->went);
    if (move->has_range) {
        put_signed(json, "least", info->kind, move->least);
        put_signed(json, "most", info->kind, move->most);
    }
    if (move->least_ratio != 0) {
        ks_json_key(json, "least_ratio");
        ks_json_double(json, move->least_ratio);
        ks_json_key(json, "most_ratio");
        ks_json_double(json, move->most_ratio);
    }
    ks_json_end(json, '}');
}

static void put_kernels(ks_json *json, const ks_points_diff *d) {
    ks_json_key(json, "kernels");
    ks_json_begin(json, '[');
    for (size_t i = 0; i < d->kernel_count; i++) {
        ks_json_begin(json, '{');
        ks_json_put_string(json, "kernel", d->kernels[i].kernel);
        ks_json_put_u64(json, "points", d->kernels[i].points);
        ks_json_put_u64(json, "changed", d->kernels[i].changed);
        ks_json_key(json, "total_cycles_geometric_mean");
        ks_json_double(json, d->kernels[i].mean);
        ks_json_end(json, '}');
    }
    ks_json_end(json, ']');
}

static void put_groups(ks_json *json, const ks_points_diff *d) {
    ks_json_key(json, "causes");
    ks_json_begin(json, '[');
    for (size_t i = 0; i < d->group_count; i++) {
        ks_json_begin(json, '{');
        ks_json_put_string(json, "what", d->groups[i].what);
        ks_json_put_u64(json, "points", d->groups[i].points);
        ks_json_put_string(json, "smallest", d->groups[i].key);
        ks_json_end(json, '}');
    }
    ks_json_end(json, ']');
    ks_json_put_u64(json, "points_of_other_causes", d->more_points);
}

void ks_points_diff_json(ks_json *json, const ks_points_diff *d) {
    ks_json_put_u64(json, "left", d->counts[0]);
    ks_json_put_u64(json, "right", d->counts[1]);
    ks_json_put_u64(json, "same", d->same);
    ks_json_put_u64(json, "changed", d->changed);
    ks_json_put_u64(json, "only_left", d->only[0]);
    ks_json_put_u64(json, "only_right", d->only[1]);
    ks_json_put_u64(json, "verdicts_changed", d->verdicts);
    ks_json_key(json, "columns");
    ks_json_begin(json, '[');
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (d->columns[c].points)
            put_column(json, ks_column_describe((ks_column)c), &d->columns[c]);
    ks_json_end(json, ']');
    put_kernels(json, d);
    put_groups(json, d);
}

/* ---- one point ---- */

void ks_changed_point_print(ks_text *out, const char *key, const ks_change *change,
                            const ks_row *got) {
    static const ks_column told[] = {KS_COL_total_cycles, KS_COL_dispatch_cycles};
    const char *joint = "";
    ks_text_add_format(out, "%s: ", key);
    if (change->is_verdict || change->is_reason) {
        ks_text_add_format(out, "verdict %s %s -> %s %s", ks_verdict_name(change->was.verdict),
                           change->was.reason, ks_verdict_name(got->verdict), got->reason);
        joint = ", ";
    }
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (!ks_change_has(change, told[i])) continue;
        ks_text_add_format(out, "%s%s ", joint, ks_column_describe(told[i])->name);
        ks_row_print_cell(out, &change->was, told[i]);
        ks_text_add_string(out, " -> ");
        ks_row_print_cell(out, got, told[i]);
        joint = ", ";
    }
    ks_text_add_string(out, joint);
    ks_text_add_count(out, (uint64_t)__builtin_popcountll(change->columns), "column");
    ks_text_add_char(out, '\n');
}
