#include "sweep/grid_classes.h"

#include <stdlib.h>

typedef struct item {
    const ks_axis *axis;
    ks_names names;
    uint32_t step;
} item;

static int by_values(const item *a, const item *b) {
    for (size_t i = 0; i < a->axis->column_count; i++) {
        const ks_axis_column *column = &a->axis->columns[i];
        const uint64_t x = column->values[a->step], y = column->values[b->step];
        if ((a->names & KS_NAME_BIT(column->name)) && x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static int by_values_and_step(const void *left, const void *right) {
    const item *a = left, *b = right;
    const int order = by_values(a, b);
    return order ? order : (a->step > b->step) - (a->step < b->step);
}

/* The usual axis: one name, values going up. */
static bool is_rising(const ks_axis *axis, ks_names names) {
    if (axis->column_count != 1 || !names) return false;
    const uint64_t *values = axis->columns[0].values;
    for (uint32_t i = 1; i < axis->count; i++)
        if (values[i - 1] >= values[i]) return false;
    return true;
}

static void link_classes(const item *items, uint32_t count, uint32_t *first, uint32_t *next) {
    for (uint32_t i = 0; i < count; i++) {
        const bool continues = i > 0 && by_values(&items[i - 1], &items[i]) == 0;
        const uint32_t step = items[i].step;
        first[step] = continues ? first[items[i - 1].step] : step;
        next[step] = KS_NO_STEP;
        if (continues) next[items[i - 1].step] = step;
    }
}

ks_status ks_classes_of(const ks_axis *axis, ks_names taken, ks_arena *arena, ks_classes *out,
                        ks_error *error) {
    const ks_names names = axis->names & taken;
    *out = (ks_classes){.names = names};
    if (axis->count == 1 || is_rising(axis, names)) return KS_OK;
    item *items = calloc(axis->count, sizeof *items);
    uint32_t *first = ks_arena_take(arena, axis->count, sizeof *first);
    uint32_t *next = ks_arena_take(arena, axis->count, sizeof *next);
    if (!items || !first || !next) {
        free(items);
        return ks_fail(error, KS_NO_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < axis->count; i++) items[i] = (item){axis, names, i};
    qsort(items, axis->count, sizeof *items, by_values_and_step);
    link_classes(items, axis->count, first, next);
    free(items);
    out->first = first;
    out->next = next;
    return KS_OK;
}
