#include "sweep/grid.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/grid_inside.h"

static const ks_axis_column *kernel_column(const ks_sweep *sweep, uint32_t *count) {
    for (size_t i = 0; i < sweep->axis_count; i++)
        for (size_t k = 0; k < sweep->axes[i].column_count; k++) {
            *count = sweep->axes[i].count;
            if (sweep->axes[i].columns[k].name == KS_P_kernel) return &sweep->axes[i].columns[k];
        }
    KS_BUG("a sweep without a kernel");
}

static ks_status check_shapes(const ks_sweep *sweep, const ks_kernel *kernel, const ks_place *place,
                              ks_error *error) {
    const ks_names missing = ks_task_shapes(kernel->task) & ~sweep->set_names;
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (missing & KS_NAME_BIT(name))
            return ks_place_fail(error, place,
                                 "found no %s, expected it in axes, zip or set: %s needs it",
                                 ks_name_text(name), kernel->name);
    return KS_OK;
}

static ks_status check_size(ks_grid *grid, uint64_t max_points, ks_error *error) {
    const ks_place place = {grid->sweep->file, 1, 1};
    unsigned __int128 size = 1;
    for (size_t i = 0; i < grid->sweep->axis_count; i++) {
        size *= grid->sweep->axes[i].count;
        if (size > UINT64_MAX)
            return ks_place_fail(
                error, &place,
                "found a grid of 2^64 points or more, expected at most %llu (--max-points)",
                (unsigned long long)max_points);
    }
    grid->size = (uint64_t)size;
    if (grid->size <= max_points) return KS_OK;
    return ks_place_fail(error, &place,
                         "found a grid of %llu points, expected at most %llu (--max-points)",
                         (unsigned long long)grid->size, (unsigned long long)max_points);
}

static ks_status add_kernel(ks_grid *grid, uint64_t kernel, ks_error *error) {
    const ks_sweep *sweep = grid->sweep;
    ks_classes *classes = ks_arena_take(grid->arena, sweep->axis_count, sizeof *classes);
    if (!classes) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    grid->classes[kernel] = classes;
    for (size_t i = 0; i < sweep->axis_count; i++) {
        const ks_classes *known = NULL;
        for (uint64_t k = 0; k < sweep->kernels->count && !known; k++)
            if (k != kernel && grid->classes[k] &&
                grid->classes[k][i].names == (sweep->axes[i].names & grid->taken[kernel]))
                known = &grid->classes[k][i];
        if (known) {
            classes[i] = *known;
            continue;
        }
        const ks_status status =
            ks_classes_of(&sweep->axes[i], grid->taken[kernel], grid->arena, &classes[i], error);
        if (status) return status;
    }
    return KS_OK;
}

static ks_status add_kernels(ks_grid *grid, ks_error *error) {
    const ks_sweep *sweep = grid->sweep;
    const size_t kernel_count = sweep->kernels->count;
    uint32_t count = 0;
    const ks_axis_column *column = kernel_column(sweep, &count);
    grid->taken = ks_arena_take(grid->arena, kernel_count, sizeof *grid->taken);
    grid->classes = ks_arena_take(grid->arena, kernel_count, sizeof *grid->classes);
    if (!grid->taken || !grid->classes) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < kernel_count; k++)
        grid->taken[k] = ks_kernel_names(&sweep->kernels->kernels[k]);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t kernel = column->values[i];
        if (grid->classes[kernel]) continue;
        ks_status status =
            check_shapes(sweep, &sweep->kernels->kernels[kernel], &column->place, error);
        if (status == KS_OK) status = add_kernel(grid, kernel, error);
        if (status) return status;
    }
    return KS_OK;
}

static bool asks_model(const ks_expr *expr) {
    return expr && (ks_expr_names(expr) & KS_NAME_BIT(KS_NAME_MODEL));
}

static void note_models(ks_grid *grid) {
    const ks_sweep *sweep = grid->sweep;
    grid->label_axis = -1;
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].labels) grid->label_axis = (int)i;
    grid->rules_ask_model = asks_model(sweep->where) || asks_model(sweep->where_option);
    for (size_t i = 0; i < sweep->exclude_count; i++)
        grid->rules_ask_model = grid->rules_ask_model || asks_model(sweep->excludes[i].when);
}

_Static_assert(KS_NAME_ALL <= 64, "ks_grid.ascending is a bit set of axes");

/* Goldens ask for each of their points where it is: long axes must not be walked for each. */
static void note_ascending(ks_grid *grid) {
    for (size_t i = 0; i < grid->sweep->axis_count; i++) {
        const ks_axis *axis = &grid->sweep->axes[i];
        bool rises = axis->column_count == 1;
        for (uint32_t step = 1; step < axis->count && rises; step++)
            rises = axis->columns[0].values[step - 1] < axis->columns[0].values[step];
        if (rises) grid->ascending |= UINT64_C(1) << i;
    }
}

ks_status ks_grid_new(const ks_sweep *sweep, uint64_t max_points, ks_grid **out, ks_error *error) {
    ks_grid *grid = calloc(1, sizeof *grid);
    ks_status status = KS_NO_MEMORY;
    *out = NULL;
    if (!grid || !(grid->arena = ks_arena_new(4096))) {
        ks_fail(error, status, "out of memory");
        goto done;
    }
    grid->sweep = sweep;
    status = check_size(grid, max_points, error);
    if (status == KS_OK) status = add_kernels(grid, error);
    if (status == KS_OK) note_models(grid);
    if (status == KS_OK) note_ascending(grid);

done:
    if (status)
        ks_grid_free(grid);
    else
        *out = grid;
    return status;
}

void ks_grid_free(ks_grid *grid) {
    if (!grid) return;
    ks_arena_free(grid->arena);
    free(grid);
}

uint64_t ks_grid_size(const ks_grid *grid) { return grid->size; }

ks_status ks_grid_at(const ks_grid *grid, uint64_t index, ks_cell *cell, ks_error *error) {
    ks_spot spot;
    ks_spot_at(grid, index, &spot);
    cell->label = spot.label ? spot.label : "";
    return ks_spot_classify(grid, &spot, cell, NULL, error);
}

int ks_grid_expect(const ks_grid *grid, const ks_point *point, const char *label) {
    const ks_sweep *sweep = grid->sweep;
    for (size_t i = 0; i < sweep->expect_count; i++)
        if (ks_expr_holds(sweep->expects[i].when, sweep->kernels, point, label) == KS_EXPR_YES)
            return (int)i;
    return -1;
}

bool ks_grid_shows(const ks_grid *grid, ks_name name) {
    const ks_sweep *sweep = grid->sweep;
    if (sweep->set_names & KS_NAME_BIT(name)) return true;
    if (name < KS_NAME_CONSTANTS || name >= KS_NAME_COUNT) return false;
    const ks_point defaults = ks_point_default();
    return ks_point_get(&sweep->base, name) != ks_point_get(&defaults, name);
}

static bool step_matches(const ks_axis *axis, uint32_t step, ks_names taken,
                         const ks_point *point) {
    for (size_t i = 0; i < axis->column_count; i++) {
        const ks_axis_column *column = &axis->columns[i];
        const bool is_taken = taken & KS_NAME_BIT(column->name);
        if (is_taken && column->values[step] != ks_point_get(point, column->name)) return false;
    }
    return true;
}

/* Of values that rise: the step that may match. */
static uint32_t search(const ks_axis *axis, uint64_t value) {
    uint32_t low = 0, high = axis->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (axis->columns[0].values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t first_match(const ks_grid *grid, size_t index, ks_names taken,
                            const ks_point *point) {
    const ks_axis *axis = &grid->sweep->axes[index];
    const bool is_taken = axis->column_count == 1 && taken & KS_NAME_BIT(axis->columns[0].name);
    if (is_taken && grid->ascending >> index & 1) {
        const uint32_t step = search(axis, ks_point_get(point, axis->columns[0].name));
        return step < axis->count && step_matches(axis, step, taken, point) ? step : axis->count;
    }
    uint32_t step = 0;
    while (step < axis->count && !step_matches(axis, step, taken, point)) step++;
    return step;
}

static bool is_same(const ks_point *a, const ks_point *b, ks_names taken) {
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if ((taken & KS_NAME_BIT(name)) && ks_point_get(a, name) != ks_point_get(b, name))
            return false;
    return true;
}

static uint64_t index_of(const ks_grid *grid, const ks_spot *spot) {
    uint64_t index = 0;
    for (size_t i = 0; i < grid->sweep->axis_count; i++)
        index = index * grid->sweep->axes[i].count + spot->steps[i];
    return index;
}

bool ks_grid_find(const ks_grid *grid, const ks_point *point, uint64_t *index) {
    const ks_sweep *sweep = grid->sweep;
    const uint64_t kernel = ks_param_of(point, KS_P_kernel);
    if (!grid->classes[kernel]) return false;
    const ks_names taken = grid->taken[kernel];
    ks_spot spot;
    for (size_t i = 0; i < sweep->axis_count; i++) {
        spot.steps[i] = first_match(grid, i, taken, point);
        if (spot.steps[i] == sweep->axes[i].count) return false;
    }
    for (;;) {
        ks_cell cell;
        ks_spot_fill(grid, &spot);
        if (!is_same(&spot.point, point, taken)) return false;
        *index = index_of(grid, &spot);
        if (ks_spot_classify(grid, &spot, &cell, NULL, NULL) == KS_OK && cell.status == KS_CELL_RUN)
            return true;
        if (grid->label_axis < 0) return false;
        uint32_t *step = &spot.steps[grid->label_axis];
        *step = ks_class_next(&grid->classes[kernel][grid->label_axis], *step);
        if (*step == KS_NO_STEP) return false;
    }
}
