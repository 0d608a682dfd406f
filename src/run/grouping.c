#include "run/grouping.h"

#include <stdlib.h>

#include "sweep/grid_classes.h"

/* The steps of an axis by the values of a space's names. */
typedef struct scale {
    ks_names names;      /* of the axis; none: one class */
    const uint32_t *ids; /* by step; NULL: the step, or 0 without names */
    uint64_t class_count;
} scale;

/* Kernels that take the same of the names: their groups have the same names. */
typedef struct space {
    ks_names names;
    scale scales[KS_NAME_ALL]; /* by axis */
    uint64_t first;            /* number of its first group */
} space;

struct ks_grouping {
    const ks_sweep *sweep;
    ks_arena *arena;
    space *spaces;
    size_t space_count;
    size_t *space_of;  /* by kernel */
    size_t first_axis; /* the slowest that a block does not hold fixed */
    uint64_t block_size, block_count, group_count;
};

static ks_names column_names(const ks_axis *axis) {
    ks_names names = 0;
    for (size_t i = 0; i < axis->column_count; i++) names |= KS_NAME_BIT(axis->columns[i].name);
    return names;
}

/* ---- blocks ---- */

static bool has_equal_steps(ks_grouping *g, const ks_axis *axis) {
    ks_classes classes;
    ks_error error;
    if (ks_classes_of(axis, column_names(axis), g->arena, &classes, &error)) return true;
    for (uint32_t step = 0; step < axis->count; step++)
        if (ks_class_first(&classes, step) != step) return true;
    return false;
}

/* Axes before it tell groups apart by every step: of such an axis every kernel takes every name,
 * every name is one of the groups', and no two steps are equal. Which of two models with the same
 * heads runs for both may depend on the kernel, so a model's axis is inside. */
static size_t first_axis_of(ks_grouping *g, const bool *is_there, ks_names names) {
    const ks_sweep *sweep = g->sweep;
    for (size_t k = 0; k < sweep->kernels->count; k++)
        if (is_there[k]) names &= ks_kernel_names(&sweep->kernels->kernels[k]);
    size_t i = 0;
    for (; i < sweep->axis_count; i++) {
        const ks_axis *axis = &sweep->axes[i];
        if (axis->count == 1) continue;
        if (axis->labels || column_names(axis) & ~names || has_equal_steps(g, axis)) break;
    }
    return i;
}

/* ---- spaces ---- */

static bool number_steps(ks_grouping *g, const ks_axis *axis, scale *s) {
    ks_classes classes;
    ks_error error;
    s->class_count = s->names ? axis->count : 1;
    if (!s->names || axis->count == 1) return true;
    if (ks_classes_of(axis, s->names, g->arena, &classes, &error)) return false;
    if (!classes.first) return true;
    uint32_t *ids = ks_arena_take(g->arena, axis->count, sizeof *ids);
    if (!ids) return false;
    uint32_t count = 0;
    for (uint32_t step = 0; step < axis->count; step++)
        ids[step] = classes.first[step] == step ? count++ : ids[classes.first[step]];
    s->ids = ids;
    s->class_count = count;
    return true;
}

static bool add_space(ks_grouping *g, ks_names names) {
    space *made = &g->spaces[g->space_count++];
    *made = (space){.names = names, .first = g->group_count};
    uint64_t count = 1;
    for (size_t i = g->first_axis; i < g->sweep->axis_count; i++) {
        const ks_axis *axis = &g->sweep->axes[i];
        made->scales[i].names = column_names(axis) & names;
        if (!number_steps(g, axis, &made->scales[i])) return false;
        count *= made->scales[i].class_count;
    }
    g->group_count += count;
    return true;
}

static void find_kernels(const ks_sweep *sweep, bool *is_there) {
    for (size_t i = 0; i < sweep->axis_count; i++)
        for (size_t c = 0; c < sweep->axes[i].column_count; c++) {
            const ks_axis_column *column = &sweep->axes[i].columns[c];
            for (uint32_t s = 0; column->name == KS_P_kernel && s < sweep->axes[i].count; s++)
                is_there[column->values[s]] = true;
        }
}

static bool add_spaces(ks_grouping *g, ks_names names) {
    const ks_kernel_table *kernels = g->sweep->kernels;
    bool *is_there = ks_arena_take(g->arena, kernels->count, sizeof *is_there);
    g->space_of = ks_arena_take(g->arena, kernels->count, sizeof *g->space_of);
    g->spaces = ks_arena_take(g->arena, kernels->count, sizeof *g->spaces);
    if (!is_there || !g->space_of || !g->spaces) return false;
    find_kernels(g->sweep, is_there);
    g->first_axis = first_axis_of(g, is_there, names);
    g->block_size = g->block_count = 1;
    for (size_t i = 0; i < g->sweep->axis_count; i++)
        *(i < g->first_axis ? &g->block_count : &g->block_size) *= g->sweep->axes[i].count;
    for (size_t k = 0; k < kernels->count; k++) {
        const ks_names own = names & ks_kernel_names(&kernels->kernels[k]);
        if (!is_there[k]) continue;
        size_t i = 0;
        while (i < g->space_count && g->spaces[i].names != own) i++;
        if (i == g->space_count && !add_space(g, own)) return false;
        g->space_of[k] = i;
    }
    return true;
}

/* ---- the whole ---- */

ks_grouping *ks_grouping_new(const ks_sweep *sweep, ks_names names) {
    ks_grouping *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->sweep = sweep;
    g->arena = ks_arena_new(1 << 16);
    if (g->arena && add_spaces(g, names)) return g;
    ks_grouping_free(g);
    return NULL;
}

void ks_grouping_free(ks_grouping *g) {
    if (!g) return;
    ks_arena_free(g->arena);
    free(g);
}

uint64_t ks_grouping_block(const ks_grouping *g, uint64_t index) { return index / g->block_size; }

uint64_t ks_grouping_count(const ks_grouping *g) { return g->group_count; }

uint64_t ks_grouping_all(const ks_grouping *g) { return g->block_count * g->group_count; }

uint64_t ks_grouping_number(const ks_grouping *g, uint64_t index, const ks_point *point) {
    const space *own = &g->spaces[g->space_of[ks_param_of(point, KS_P_kernel)]];
    uint64_t number = 0, weight = 1;
    for (size_t i = g->sweep->axis_count; i-- > g->first_axis;) {
        const scale *s = &own->scales[i];
        const uint64_t step = index % g->sweep->axes[i].count;
        index /= g->sweep->axes[i].count;
        if (s->names) number += weight * (s->ids ? s->ids[step] : step);
        weight *= s->class_count;
    }
    return own->first + number;
}
