#include "golden/points_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_map.h"
#include "golden/geometric_mean.h"
#include "golden/signature.h"

struct ks_points_comparison {
    const ks_points *sides[2];
    ks_points_diff diff;
    uint64_t compared; /* columns */
    ks_text_map *kernels, *groups;
    ks_geometric_mean means[KS_DIFF_KERNELS];
    uint64_t group_rows[KS_DIFF_GROUPS], first_rows;
    ks_text words[KS_DIFF_GROUPS], signature;
    bool has_failed; /* memory */
};

void ks_points_comparison_free(ks_points_comparison *c) {
    if (!c) return;
    ks_text_map_free(c->kernels);
    ks_text_map_free(c->groups);
    for (size_t i = 0; i < KS_DIFF_GROUPS; i++) ks_text_free(&c->words[i]);
    ks_text_free(&c->signature);
    free(c);
}

const ks_points_diff *ks_points_diff_of(const ks_points_comparison *c) { return &c->diff; }

/* ---- a point ---- */

static bool is_equal(const ks_row *a, const ks_row *b, ks_column column) {
    const ks_figure *x = &a->figures[column], *y = &b->figures[column];
    if (ks_row_has(a, column) != ks_row_has(b, column)) return false;
    if (!ks_row_has(a, column)) return true;
    switch (ks_column_describe(column)->kind) {
    case KS_COUNT:
    case KS_CYCLES: return x->count == y->count;
    case KS_REAL: return memcmp(&x->real, &y->real, sizeof x->real) == 0;
    case KS_WORD: return strcmp(x->word, y->word) == 0;
    case KS_DIGEST: return memcmp(&x->digest, &y->digest, sizeof x->digest) == 0;
    }
    return false;
}

/* Before any rule of the sweep: what a golden holds. */
static void make_own(ks_row *row) {
    if (row->verdict == KS_VERDICT_xfail) row->verdict = KS_VERDICT_fail;
    if (row->verdict == KS_VERDICT_xpass) row->verdict = KS_VERDICT_pass;
}

static bool has_other_invariants(const ks_row *a, const ks_row *b) {
    return a->invariants[0] && b->invariants[0] && strcmp(a->invariants, b->invariants) != 0;
}

bool ks_points_change(const ks_points_comparison *c, size_t left, size_t right, ks_change *change,
                      ks_row *got) {
    *change = (ks_change){0};
    ks_points_row(c->sides[0], left, &change->was);
    ks_points_row(c->sides[1], right, got);
    if (ks_points_have_own_verdicts(c->sides[0]) || ks_points_have_own_verdicts(c->sides[1])) {
        make_own(&change->was);
        make_own(got);
    }
    change->is_verdict = change->was.verdict != got->verdict;
    change->is_reason = strcmp(change->was.reason, got->reason) != 0;
    for (int i = 0; i < KS_COLUMN_COUNT; i++)
        if (c->compared >> i & 1 && !is_equal(&change->was, got, (ks_column)i))
            change->columns |= UINT64_C(1) << i;
    return ks_change_count(change) || has_other_invariants(&change->was, got);
}

/* ---- over all points ---- */

static void move_integers(ks_column_move *move, uint64_t from, uint64_t to) {
    const int64_t by = (int64_t)(to - from);
    if (!move->has_range || by < move->least) move->least = by;
    if (!move->has_range || by > move->most) move->most = by;
    move->has_range = true;
}

static void move_reals(ks_column_move *move, double from, double to) {
    if (from == 0 || to == 0) return;
    const double ratio = to / from;
    if (move->least_ratio == 0 || ratio < move->least_ratio) move->least_ratio = ratio;
    if (move->most_ratio == 0 || ratio > move->most_ratio) move->most_ratio = ratio;
}

static void move_column(ks_column_move *move, const ks_row *from, const ks_row *to,
                        ks_column column) {
    const bool is_both = ks_row_has(from, column) && ks_row_has(to, column);
    const ks_column_kind kind = ks_column_describe(column)->kind;
    move->points++;
    move->came += !ks_row_has(from, column);
    move->went += !ks_row_has(to, column);
    if (is_both && (kind == KS_COUNT || kind == KS_CYCLES))
        move_integers(move, from->figures[column].count, to->figures[column].count);
    if (is_both && kind == KS_REAL)
        move_reals(move, from->figures[column].real, to->figures[column].real);
}

static uint64_t rows_of(const ks_row *a, const ks_row *b) {
    const ks_row *row = ks_row_has(b, KS_COL_oplog_records) ? b : a;
    return ks_row_has(row, KS_COL_oplog_records) ? row->figures[KS_COL_oplog_records].count
                                                 : UINT64_MAX;
}

static void take_group(ks_points_comparison *c, const ks_record *record, uint64_t rows) {
    ks_text_clear(&c->signature);
    ks_signature_print(&c->signature, record);
    if (c->signature.has_failed) {
        c->has_failed = true;
        return;
    }
    size_t number = ks_text_map_find(c->groups, c->signature.data);
    if (number == KS_TEXT_MAP_NONE && ks_text_map_count(c->groups) == KS_DIFF_GROUPS) {
        c->diff.more_points++;
        return;
    }
    if (number == KS_TEXT_MAP_NONE) {
        number = ks_text_map_add(c->groups, c->signature.data);
        if (number == KS_TEXT_MAP_NONE) {
            c->has_failed = true;
            return;
        }
        ks_change_say(&c->words[number], record);
        c->diff.group_count++;
    }
    ks_change_group *group = &c->diff.groups[number];
    if (!group->points++ || rows < c->group_rows[number]) {
        group->key = record->key;
        c->group_rows[number] = rows;
    }
}

static void take_changed(ks_points_comparison *c, size_t left, size_t right,
                         const ks_change *change, const ks_row *got) {
    ks_points_diff *d = &c->diff;
    const ks_points_line line = ks_points_at(c->sides[1], right);
    const uint64_t rows = rows_of(&change->was, got);
    d->changed++;
    d->verdicts += change->is_verdict;
    d->reasons += change->is_reason;
    d->invariants += has_other_invariants(&change->was, got);
    for (int i = 0; i < KS_COLUMN_COUNT; i++)
        if (ks_change_has(change, (ks_column)i))
            move_column(&d->columns[i], &change->was, got, (ks_column)i);
    /* Groups are those of cells: as if nothing else were wrong with the point. */
    ks_row row = *got;
    if (!change->is_verdict) {
        row.verdict = KS_VERDICT_fail;
        strcpy(row.reason, "golden");
    }
    const ks_record record = {
        .row = &row, .key = line.key, .kernel = line.kernel, .why = "", .change = change};
    take_group(c, &record, rows);
    if (d->has_first && rows >= c->first_rows) return;
    d->has_first = true;
    d->first[0] = left;
    d->first[1] = right;
    c->first_rows = rows;
}

static void take_kernel(ks_points_comparison *c, const char *kernel, const ks_row *a,
                        const ks_row *b) {
    if (!ks_row_has(a, KS_COL_total_cycles) || !ks_row_has(b, KS_COL_total_cycles)) return;
    const uint64_t from = a->figures[KS_COL_total_cycles].count,
                   to = b->figures[KS_COL_total_cycles].count;
    const size_t number = ks_text_map_add(c->kernels, kernel);
    if (number == KS_TEXT_MAP_NONE) c->has_failed = true;
    if (number >= KS_DIFF_KERNELS || !from || !to) return;
    ks_kernel_move *move = &c->diff.kernels[number];
    if (number >= c->diff.kernel_count) c->diff.kernel_count = number + 1;
    move->kernel = ks_text_map_at(c->kernels, number);
    move->points++;
    move->changed += from != to;
    ks_geometric_mean_add(&c->means[number], from, to);
}

static int compare_groups(const void *left, const void *right) {
    const ks_change_group *a = left, *b = right;
    if (a->points != b->points) return a->points > b->points ? -1 : 1;
    return strcmp(a->what, b->what);
}

static void finish(ks_points_comparison *c) {
    ks_points_diff *d = &c->diff;
    for (size_t i = 0; i < d->kernel_count; i++)
        d->kernels[i].mean = ks_geometric_mean_of(&c->means[i]);
    for (size_t i = 0; i < d->group_count; i++) {
        d->groups[i].what = ks_text_string(&c->words[i]);
        c->has_failed |= c->words[i].has_failed;
    }
    qsort(d->groups, d->group_count, sizeof d->groups[0], compare_groups);
    d->only[1] = d->counts[1] - d->same - d->changed;
}

static void compare_all(ks_points_comparison *c) {
    ks_points_diff *d = &c->diff;
    for (size_t i = 0; i < d->counts[0] && !c->has_failed; i++) {
        const ks_points_line line = ks_points_at(c->sides[0], i);
        size_t right;
        ks_change change;
        ks_row got;
        if (!ks_points_find(c->sides[1], line.id, &right)) {
            d->only[0]++;
            continue;
        }
        if (ks_points_change(c, i, right, &change, &got))
            take_changed(c, i, right, &change, &got);
        else
            d->same++;
        take_kernel(c, line.kernel, &change.was, &got);
    }
    finish(c);
}

ks_status ks_points_compare(const ks_points *left, const ks_points *right,
                            ks_points_comparison **out) {
    ks_points_comparison *c = *out = calloc(1, sizeof *c);
    if (!c) return KS_NO_MEMORY;
    c->sides[0] = left;
    c->sides[1] = right;
    c->compared = ks_points_columns(left) & ks_points_columns(right);
    c->diff.not_compared = ks_points_columns(left) ^ ks_points_columns(right);
    c->diff.counts[0] = ks_points_count(left);
    c->diff.counts[1] = ks_points_count(right);
    c->kernels = ks_text_map_new();
    c->groups = ks_text_map_new();
    if (!c->kernels || !c->groups) return KS_NO_MEMORY;
    compare_all(c);
    return c->has_failed ? KS_NO_MEMORY : KS_OK;
}
