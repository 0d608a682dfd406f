#include <string.h>

#include "sweep/grid_inside.h"
#include "sweep/key.h"

void ks_spot_fill(const ks_grid *grid, ks_spot *spot) {
    const ks_sweep *sweep = grid->sweep;
    spot->point = sweep->base;
    for (size_t i = 0; i < sweep->axis_count; i++)
        for (size_t k = 0; k < sweep->axes[i].column_count; k++) {
            const ks_axis_column *column = &sweep->axes[i].columns[k];
            ks_point_set(&spot->point, column->name, column->values[spot->steps[i]]);
        }
    ks_point_follow(&spot->point, sweep->set_names);
    const ks_names taken = grid->taken[ks_param_of(&spot->point, KS_P_kernel)];
    for (ks_name name = KS_P_G; name <= KS_P_N; name++)
        if (!(taken & KS_NAME_BIT(name))) ks_point_set(&spot->point, name, 0);
    const bool is_model_taken = taken & (KS_NAME_BIT(KS_P_G) | KS_NAME_BIT(KS_P_d));
    spot->label = grid->label_axis < 0 || !is_model_taken
                      ? NULL
                      : sweep->axes[grid->label_axis].labels[spot->steps[grid->label_axis]];
}

void ks_spot_at(const ks_grid *grid, uint64_t index, ks_spot *spot) {
    for (size_t i = grid->sweep->axis_count; i-- > 0;) {
        const uint32_t count = grid->sweep->axes[i].count;
        spot->steps[i] = (uint32_t)(index % count);
        index /= count;
    }
    ks_spot_fill(grid, spot);
}

static ks_status ask(const ks_grid *grid, const ks_expr *expr, const ks_place *place,
                     const ks_point *point, const char *label, bool *holds, ks_error *error) {
    const ks_expr_answer answer = ks_expr_holds(expr, grid->sweep->kernels, point, label);
    *holds = answer == KS_EXPR_YES;
    if (answer != KS_EXPR_UNDEFINED) return KS_OK;
    ks_text key = {0};
    ks_key_print(&key, grid->sweep->kernels, point);
    ks_place_fail(error, place,
                  "found a division by zero at the point '%s', expected a divisor other than 0",
                  ks_text_string(&key));
    ks_text_free(&key);
    return KS_INPUT;
}

static ks_status judge_rules(const ks_grid *grid, const ks_point *point, const char *label,
                             ks_cell *cell, ks_rule_count *matched, ks_error *error) {
    const ks_sweep *sweep = grid->sweep;
    for (size_t i = 0; i < sweep->exclude_count; i++) {
        const ks_rule *rule = &sweep->excludes[i];
        bool holds;
        const ks_status status = ask(grid, rule->when, &rule->place, point, label, &holds, error);
        if (status) return status;
        if (!holds) continue;
        if (cell->status == KS_CELL_RUN) {
            cell->status = KS_CELL_EXCLUDED;
            cell->rule = i;
        }
        if (!matched) break;
        matched[i].matched++;
    }
    return KS_OK;
}

ks_status ks_spot_judge(const ks_grid *grid, const ks_point *point, const char *label,
                        ks_cell *cell, ks_rule_count *matched, ks_error *error) {
    const ks_sweep *sweep = grid->sweep;
    const struct {
        const ks_expr *expr;
        const ks_place *place;
        ks_cell_status status;
    } conditions[] = {{sweep->where, &sweep->where_place, KS_CELL_NOT_WHERE},
                      {sweep->where_option, &sweep->where_option_place, KS_CELL_NOT_OPTION}};
    cell->status = KS_CELL_RUN;
    cell->rule = 0;
    for (size_t i = 0; i < 2; i++) {
        bool holds = true;
        if (!conditions[i].expr) continue;
        const ks_status status =
            ask(grid, conditions[i].expr, conditions[i].place, point, label, &holds, error);
        if (status) return status;
        if (holds) continue;
        cell->status = conditions[i].status;
        return KS_OK;
    }
    return judge_rules(grid, point, label, cell, matched, error);
}

/* The step of the label axis whose point runs for all of its class: the first that the rules let
 * through. */
static uint32_t first_survivor(const ks_grid *grid, const ks_spot *spot,
                               const ks_classes *classes) {
    const ks_axis *axis = &grid->sweep->axes[grid->label_axis];
    const uint32_t own = spot->steps[grid->label_axis];
    uint32_t step = ks_class_first(classes, own);
    if (!grid->rules_ask_model || !spot->label) return step;
    for (; step < own; step = ks_class_next(classes, step)) {
        ks_cell cell;
        const ks_status status =
            ks_spot_judge(grid, &spot->point, axis->labels[step], &cell, NULL, NULL);
        if (status == KS_OK && cell.status == KS_CELL_RUN) break;
    }
    return step;
}

static bool has_equal_values(const ks_axis *axis, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < axis->column_count; i++)
        if (axis->columns[i].values[a] != axis->columns[i].values[b]) return false;
    return true;
}

/* Of a point that the rules let through: whether an equal one runs in its place. */
static ks_cell_status compare_with_first(const ks_grid *grid, const ks_spot *spot) {
    const ks_classes *classes = grid->classes[ks_param_of(&spot->point, KS_P_kernel)];
    ks_cell_status status = KS_CELL_RUN;
    for (size_t i = 0; i < grid->sweep->axis_count; i++) {
        const uint32_t own = spot->steps[i];
        const uint32_t first = (int)i == grid->label_axis ? first_survivor(grid, spot, &classes[i])
                                                          : ks_class_first(&classes[i], own);
        if (first == own) continue;
        if (!has_equal_values(&grid->sweep->axes[i], first, own)) return KS_CELL_NOT_APPLICABLE;
        status = KS_CELL_DUPLICATE;
    }
    return status;
}

ks_status ks_spot_classify(const ks_grid *grid, const ks_spot *spot, ks_cell *cell,
                           ks_rule_count *matched, ks_error *error) {
    cell->point = spot->point;
    const ks_status status = ks_spot_judge(grid, &spot->point, spot->label, cell, matched, error);
    if (status == KS_OK && cell->status == KS_CELL_RUN)
        cell->status = compare_with_first(grid, spot);
    return status;
}

/* Whether `label` stands in out[start..), where labels are joined by `|`. */
static bool has_label(const ks_text *out, size_t start, const char *label) {
    const size_t length = strlen(label);
    for (size_t i = start; i < out->length;) {
        const size_t n = strcspn(out->data + i, "|");
        if (n == length && memcmp(out->data + i, label, n) == 0) return true;
        i += n + 1;
    }
    return false;
}

void ks_grid_labels(const ks_grid *grid, uint64_t index, ks_text *out) {
    const size_t start = out->length;
    ks_spot spot;
    if (grid->label_axis < 0) return;
    ks_spot_at(grid, index, &spot);
    if (!spot.label) return;
    const ks_axis *axis = &grid->sweep->axes[grid->label_axis];
    const ks_classes *classes =
        &grid->classes[ks_param_of(&spot.point, KS_P_kernel)][grid->label_axis];
    for (uint32_t step = spot.steps[grid->label_axis]; step != KS_NO_STEP;
         step = ks_class_next(classes, step)) {
        ks_cell cell = {.status = KS_CELL_RUN};
        const char *label = axis->labels[step];
        if (grid->rules_ask_model &&
            ks_spot_judge(grid, &spot.point, label, &cell, NULL, NULL) != KS_OK)
            continue;
        if (cell.status != KS_CELL_RUN || has_label(out, start, label)) continue;
        if (out->length > start) ks_text_add_char(out, '|');
        ks_text_add_string(out, label);
    }
}
