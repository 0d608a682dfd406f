#include <stdlib.h>

#include "sweep/grid_inside.h"

static ks_grid_count *count_new(const ks_sweep *sweep) {
    ks_grid_count *count = calloc(1, sizeof *count);
    if (!count) return NULL;
    count->excludes = calloc(sweep->exclude_count + 1, sizeof *count->excludes);
    count->expects = calloc(sweep->expect_count + 1, sizeof *count->expects);
    if (count->excludes && count->expects) return count;
    ks_grid_count_free(count);
    return NULL;
}

void ks_grid_count_free(ks_grid_count *count) {
    if (!count) return;
    free(count->excludes);
    free(count->expects);
    free(count);
}

static ks_status count_expects(const ks_grid *grid, uint64_t index, const ks_point *point,
                               ks_text *labels, ks_rule_count *expects, ks_error *error) {
    const ks_sweep *sweep = grid->sweep;
    if (sweep->expect_count == 0) return KS_OK;
    ks_text_clear(labels);
    ks_grid_labels(grid, index, labels);
    if (labels->has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < sweep->expect_count; i++) {
        const ks_rule *rule = &sweep->expects[i];
        const ks_expr_answer answer =
            ks_expr_holds(rule->when, sweep->kernels, point, ks_text_string(labels));
        if (answer == KS_EXPR_UNDEFINED)
            return ks_place_fail(error, &rule->place,
                                 "found a division by zero, expected a divisor other than 0");
        expects[i].matched += answer == KS_EXPR_YES;
    }
    return KS_OK;
}

static ks_status count_cells(const ks_grid *grid, ks_grid_count *count, ks_text *labels,
                             ks_error *error) {
    count->total = grid->size;
    for (uint64_t index = 0; index < grid->size; index++) {
        ks_spot spot;
        ks_cell cell;
        ks_spot_at(grid, index, &spot);
        ks_status status = ks_spot_classify(grid, &spot, &cell, count->excludes, error);
        if (status) return status;
        count->cells[cell.status]++;
        count->taken |=
            ks_kernel_names(&grid->sweep->kernels->kernels[ks_param_of(&cell.point, KS_P_kernel)]);
        if (cell.status == KS_CELL_EXCLUDED) count->excludes[cell.rule].removed++;
        if (cell.status == KS_CELL_RUN)
            status = count_expects(grid, index, &cell.point, labels, count->expects, error);
        if (status) return status;
    }
    return KS_OK;
}

/* What no point has is often why a condition, NULL for none, leaves nothing: it is named. */
static ks_status removes_all(const ks_place *place, const char *what, uint64_t left,
                             const ks_expr *expr, const ks_grid_count *count, ks_error *error) {
    const ks_names known = count->taken | KS_NAME_BIT(KS_NAME_MODEL);
    const ks_names missing = expr ? ks_expr_names(expr) & ~known : 0;
    return ks_place_fail(
        error, place, "found %s that leaves nothing of %llu points, expected some to be left%s%s",
        what, (unsigned long long)left, missing ? "; none of them has " : "",
        missing ? ks_name_text(__builtin_ctzll(missing)) : "");
}

static ks_status check_left(const ks_grid *grid, const ks_grid_count *count, ks_error *error) {
    const ks_sweep *sweep = grid->sweep;
    const ks_place start = {sweep->file, 1, 1};
    uint64_t left = count->total;
    if (count->cells[KS_CELL_RUN] > 0) return KS_OK;
    if (count->cells[KS_CELL_NOT_WHERE] == left)
        return removes_all(&sweep->where_place, "a where", left, sweep->where, count, error);
    left -= count->cells[KS_CELL_NOT_WHERE];
    if (count->cells[KS_CELL_NOT_OPTION] == left)
        return removes_all(&sweep->where_option_place, "a --where", left, sweep->where_option,
                           count, error);
    left -= count->cells[KS_CELL_NOT_OPTION];
    for (size_t i = 0; i < sweep->exclude_count; i++)
        if (count->excludes[i].removed == left)
            return removes_all(&sweep->excludes[i].place, "a rule", left, sweep->excludes[i].when,
                               count, error);
    return removes_all(&start, "a set of rules", left, NULL, count, error);
}

ks_status ks_grid_count_new(const ks_grid *grid, ks_grid_count **out, ks_error *error) {
    ks_grid_count *count = count_new(grid->sweep);
    ks_text labels = {0};
    *out = NULL;
    if (!count) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_status status = count_cells(grid, count, &labels, error);
    if (status == KS_OK) status = check_left(grid, count, error);
    ks_text_free(&labels);
    if (status)
        ks_grid_count_free(count);
    else
        *out = count;
    return status;
}
