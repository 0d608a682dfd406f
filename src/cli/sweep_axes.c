#include "cli/sweep_axes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 65536 };

typedef struct named_axis {
    ks_name name;
    const uint64_t *values; /* ascending; of a model NULL */
    const char **labels;    /* of a model */
    size_t count;
} named_axis;

struct ks_sweep_axes {
    const ks_sweep *sweep;
    ks_arena *arena;
    named_axis named[KS_NAME_ALL];
    ks_region_axis axes[KS_NAME_ALL];
    ks_region_axes all;
};

static int compare_values(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static char *quoted(ks_arena *arena, const char *label) {
    const size_t length = strlen(label);
    char *text = ks_arena_take(arena, length + 3, 1);
    if (!text) return NULL;
    text[0] = text[length + 1] = '\'';
    return memcpy(text + 1, label, length) ? text : NULL;
}

static bool add_model(ks_sweep_axes *x, const ks_axis *axis) {
    named_axis *n = &x->named[x->all.count];
    *n = (named_axis){.name = KS_NAME_MODEL};
    n->labels = ks_arena_take(x->arena, axis->count, sizeof *n->labels);
    const char **texts = ks_arena_take(x->arena, axis->count, sizeof *texts);
    if (!n->labels || !texts) return false;
    for (uint32_t i = 0; i < axis->count; i++) {
        n->labels[n->count] = axis->labels[i];
        texts[n->count] = quoted(x->arena, axis->labels[i]);
        if (!texts[n->count++]) return false;
    }
    x->axes[x->all.count++] = (ks_region_axis){"model", false, n->count, texts};
    return true;
}

static bool add_name(ks_sweep_axes *x, const ks_axis *axis, const ks_axis_column *column) {
    named_axis *n = &x->named[x->all.count];
    ks_words words;
    uint64_t *values = ks_arena_take(x->arena, axis->count, sizeof *values);
    if (!values) return false;
    memcpy(values, column->values, axis->count * sizeof *values);
    qsort(values, axis->count, sizeof *values, compare_values);
    *n = (named_axis){.name = column->name, .values = values};
    for (uint32_t i = 0; i < axis->count; i++)
        if (!n->count || values[n->count - 1] != values[i]) values[n->count++] = values[i];
    if (n->count == 1 || n->count > MOST_VALUES) return true;
    const char **texts = ks_arena_take(x->arena, n->count, sizeof *texts);
    ks_text text = {0};
    bool is_fine = texts != NULL;
    for (size_t i = 0; is_fine && i < n->count; i++) {
        ks_text_clear(&text);
        ks_value_print(&text, column->name, x->sweep->kernels, values[i]);
        is_fine = !text.has_failed && (texts[i] = ks_arena_text(x->arena, text.data));
    }
    ks_text_free(&text);
    x->axes[x->all.count++] =
        (ks_region_axis){ks_name_text(column->name),
                         !ks_name_words(column->name, x->sweep->kernels, &words), n->count, texts};
    return is_fine;
}

static bool add_axis(ks_sweep_axes *x, const ks_axis *axis) {
    if (axis->origin == KS_FROM_SET || axis->count == 1) return true;
    if (axis->labels && !add_model(x, axis)) return false;
    for (size_t c = 0; c < axis->column_count; c++) {
        const ks_name name = axis->columns[c].name;
        if (axis->labels && (name == KS_P_G || name == KS_P_d)) continue;
        if (!add_name(x, axis, &axis->columns[c])) return false;
    }
    return true;
}

ks_sweep_axes *ks_sweep_axes_new(const ks_sweep *sweep) {
    ks_sweep_axes *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->sweep = sweep;
    x->arena = ks_arena_new(1 << 12);
    x->all.axes = x->axes;
    bool is_fine = x->arena != NULL;
    for (size_t i = 0; is_fine && i < sweep->axis_count; i++)
        is_fine = add_axis(x, &sweep->axes[i]);
    if (is_fine) return x;
    ks_sweep_axes_free(x);
    return NULL;
}

void ks_sweep_axes_free(ks_sweep_axes *x) {
    if (!x) return;
    ks_arena_free(x->arena);
    free(x);
}

const ks_region_axes *ks_sweep_axes_of(const ks_sweep_axes *x) { return &x->all; }

static uint32_t step_of_label(const named_axis *n, const char *label) {
    for (size_t i = 0; label && i < n->count; i++)
        if (strcmp(n->labels[i], label) == 0) return (uint32_t)i;
    return KS_REGION_NO_STEP;
}

static uint32_t step_of_value(const named_axis *n, uint64_t value) {
    const uint64_t *found = bsearch(&value, n->values, n->count, sizeof value, compare_values);
    return found ? (uint32_t)(found - n->values) : KS_REGION_NO_STEP;
}

void ks_sweep_axes_steps(const ks_sweep_axes *x, const ks_point *point, const char *label,
                         uint32_t steps[KS_NAME_ALL]) {
    const ks_kernel *kernel = &x->sweep->kernels->kernels[ks_param_of(point, KS_P_kernel)];
    const ks_names taken = ks_kernel_names(kernel);
    for (size_t i = 0; i < x->all.count; i++) {
        const named_axis *n = &x->named[i];
        if (n->name == KS_NAME_MODEL)
            steps[i] = step_of_label(n, label);
        else
            steps[i] = taken & KS_NAME_BIT(n->name) ? step_of_value(n, ks_point_get(point, n->name))
                                                    : KS_REGION_NO_STEP;
    }
}
