/* What is kept of a group: a few bytes a side. Rows go as soon as they were looked at. */
#include <stdlib.h>
#include <string.h>

#include "run/gates_inside.h"
#include "run/group.h"

static ks_names names_of_groups(const ks_gate *gate, ks_names axes) {
    ks_names fixed = KS_NAME_BIT(KS_P_kernel);
    if (gate->twins) return axes & ~fixed;
    fixed = 0;
    for (size_t s = 0; s < ks_expr_side_count(gate->expr); s++) {
        const ks_names side = ks_expr_side_at(gate->expr, s)->fixed_names;
        fixed |= side;
        if (side & KS_NAME_BIT(KS_NAME_MODEL)) fixed |= KS_NAME_BIT(KS_P_G) | KS_NAME_BIT(KS_P_d);
    }
    return axes & ~fixed & ~(gate->pools_seeds ? KS_NAME_BIT(KS_P_seed) : 0);
}

static size_t value_bytes_of(const ks_gate *gate) {
    if (gate->pools_seeds) return sizeof(pooled_value);
    return gate->twins ? sizeof(ks_digest) : sizeof(uint64_t);
}

static ks_gates *gates_of(const ks_sweep *sweep, const ks_grid *grid) {
    ks_gates *gates = calloc(1, sizeof *gates);
    if (!gates) return NULL;
    gates->sweep = sweep;
    gates->grid = grid;
    gates->arena = ks_arena_new(1 << 16);
    gates->gates = calloc(sweep->gate_count + 1, sizeof *gates->gates);
    bool is_fine = gates->arena && gates->gates;
    for (size_t i = 0; is_fine && i < sweep->gate_count; i++) {
        gate_state *state = &gates->gates[gates->count++];
        const ks_gate *gate = state->gate = &sweep->gates[i];
        state->names = names_of_groups(gate, ks_group_axes(sweep));
        state->side_count = gate->twins ? gate->twin_count : ks_expr_side_count(gate->expr);
        state->value_bytes = value_bytes_of(gate);
        if (grid)
            state->grouping = ks_grouping_new(sweep, state->names);
        else
            state->map = ks_text_map_new();
        is_fine = state->grouping || state->map;
    }
    if (is_fine) return gates;
    ks_gates_free(gates);
    return NULL;
}

ks_gates *ks_gates_new(const ks_sweep *sweep) { return gates_of(sweep, NULL); }

ks_gates *ks_gates_of_grid(const ks_sweep *sweep, const ks_grid *grid) {
    return gates_of(sweep, grid);
}

void ks_gates_free(ks_gates *gates) {
    if (!gates) return;
    for (size_t i = 0; i < gates->count; i++) {
        gate_state *state = &gates->gates[i];
        ks_grouping_free(state->grouping);
        ks_text_map_free(state->map);
        free(state->firsts);
        free(state->is_out);
        free(state->marks);
        free(state->values);
    }
    free(gates->gates);
    free(gates->points);
    ks_arena_free(gates->arena);
    ks_text_free(&gates->group);
    ks_text_free(&gates->labels);
    free(gates);
}

/* ---- sides ---- */

static bool has_label(const char *labels, const char *wanted) {
    const size_t length = strlen(wanted);
    for (const char *at = labels; at && *at;) {
        const char *end = strchr(at, '|');
        const size_t part = end ? (size_t)(end - at) : strlen(at);
        if (part == length && strncmp(at, wanted, length) == 0) return true;
        at = end ? end + 1 : NULL;
    }
    return false;
}

static bool is_fixed_to(const ks_expr_fixed *fixed, const ks_point *point, const char *label) {
    if (fixed->name == KS_NAME_MODEL) return has_label(label, fixed->label);
    return ks_point_get(point, fixed->name) == fixed->value;
}

static bool is_side_of(const gate_state *state, size_t side, const ks_point *point,
                       const char *label) {
    const int kernel = (int)ks_param_of(point, KS_P_kernel);
    if (state->gate->twins) return state->gate->twins[side] == kernel;
    const ks_expr_side *s = ks_expr_side_at(state->gate->expr, side);
    if (s->kernel >= 0 && s->kernel != kernel) return false;
    for (size_t i = 0; i < s->fixed_count; i++)
        if (!is_fixed_to(&s->fixed[i], point, label)) return false;
    return true;
}

static ks_column column_of(const gate_state *state, size_t side) {
    if (state->gate->twins) return KS_COL_out_xxh128;
    return (ks_column)ks_expr_side_at(state->gate->expr, side)->column;
}

/* ---- groups ---- */

static bool grow_bytes(unsigned char **bytes, uint64_t from, uint64_t to) {
    unsigned char *grown = from ? realloc(*bytes, to) : calloc(to, 1);
    if (!grown) return false;
    if (from) memset(grown + from, 0, to - from);
    *bytes = grown;
    return true;
}

/* With a grid all at once: what is never written to takes no memory. */
static bool make_room(const ks_gates *gates, gate_state *state, uint64_t number) {
    if (number < state->room) return true;
    const uint64_t from = state->room;
    const uint64_t doubled = from ? 2 * from : 16;
    const uint64_t to = gates->grid ? ks_grouping_all(state->grouping) : doubled;
    const uint64_t sides = state->side_count ? state->side_count : 1;
    unsigned char *firsts = (unsigned char *)state->firsts;
    const bool is_fine =
        grow_bytes(&firsts, from * sizeof *state->firsts, to * sizeof *state->firsts);
    state->firsts = (uint64_t *)(void *)firsts;
    if (!is_fine || !grow_bytes(&state->is_out, from, to) ||
        !grow_bytes(&state->marks, from * sides, to * sides) ||
        !grow_bytes(&state->values, from * sides * state->value_bytes,
                    to * sides * state->value_bytes))
        return false;
    state->room = to;
    return true;
}

/* Without a grid the point is kept. 0: out of memory. */
static uint64_t first_of(ks_gates *gates, uint64_t index, const ks_point *point,
                         const char *label) {
    if (gates->grid) return index + 1;
    if (gates->point_count == gates->point_room) {
        const size_t room = gates->point_room ? 2 * gates->point_room : 16;
        labelled_point *points = realloc(gates->points, room * sizeof *points);
        if (!points) return 0;
        gates->points = points;
        gates->point_room = room;
    }
    labelled_point *own = &gates->points[gates->point_count];
    own->point = *point;
    own->label = ks_arena_text(gates->arena, label ? label : "");
    return own->label ? ++gates->point_count : 0;
}

/* The point's group, a new one if it is the first there. */
static bool group_of(ks_gates *gates, gate_state *state, uint64_t index, const ks_point *point,
                     const char *label, uint64_t *number) {
    if (gates->grid) {
        *number = ks_grouping_block(state->grouping, index) * ks_grouping_count(state->grouping) +
                  ks_grouping_number(state->grouping, index, point);
    } else {
        ks_group_print(&gates->group, gates->sweep, point, state->names);
        const size_t known = ks_text_map_add(state->map, ks_text_string(&gates->group));
        if (gates->group.has_failed || known == KS_TEXT_MAP_NONE) return false;
        *number = known;
    }
    if (!make_room(gates, state, *number)) return false;
    if (state->firsts[*number]) return true;
    state->firsts[*number] = first_of(gates, index, point, label);
    if (state->gate->when)
        state->is_out[*number] =
            ks_expr_holds(state->gate->when, gates->sweep->kernels, point, label) != KS_EXPR_YES;
    return state->firsts[*number] != 0;
}

/* Elements of OUT that are finite. */
static uint64_t compared_elements(const ks_gates *gates, const ks_point *point, const ks_row *row) {
    const ks_kernel_table *kernels = gates->sweep->kernels;
    const ks_task task = kernels->kernels[ks_param_of(point, KS_P_kernel)].task;
    const ks_layout layout = ks_task_layout(task, point);
    const ks_tensor *out = ks_layout_find(&layout, "OUT");
    return out->rows * out->cols - row->figures[KS_COL_nonfinite].count;
}

static void take_value(const ks_gates *gates, gate_state *state, uint64_t place, ks_column column,
                       const ks_point *point, const ks_row *row) {
    unsigned char *value = &state->values[place * state->value_bytes];
    if (!state->gate->pools_seeds) {
        memcpy(value, &row->figures[column], state->value_bytes);
        return;
    }
    pooled_value pooled;
    memcpy(&pooled, value, sizeof pooled);
    ks_pool_add(&pooled.pool, column, row->figures[column], compared_elements(gates, point, row));
    pooled.figure = ks_pool_figure(&pooled.pool, column);
    memcpy(value, &pooled, sizeof pooled);
}

static void take_side(const ks_gates *gates, gate_state *state, uint64_t number, size_t side,
                      const ks_point *point, const ks_row *row, bool does_not_run) {
    const uint64_t place = number * state->side_count + side;
    const ks_column column = column_of(state, side);
    unsigned char *marks = &state->marks[place];
    *marks |= *marks & SIDE_HAS_POINT ? SIDE_HAS_POINTS : SIDE_HAS_POINT;
    if (does_not_run) *marks |= SIDE_DOES_NOT_RUN;
    if (row && ks_row_has(row, column)) {
        *marks |= SIDE_HAS_VALUE;
        take_value(gates, state, place, column, point, row);
    } else if (!does_not_run) {
        *marks |= SIDE_LACKS_VALUE;
    }
}

ks_status ks_gates_take(ks_gates *gates, uint64_t index, const ks_point *point, const char *label,
                        const ks_row *row, bool does_not_run) {
    for (size_t g = 0; g < gates->count; g++) {
        gate_state *state = &gates->gates[g];
        for (size_t s = 0; s < state->side_count; s++) {
            uint64_t number;
            if (!is_side_of(state, s, point, label)) continue;
            if (!group_of(gates, state, index, point, label, &number)) return KS_NO_MEMORY;
            take_side(gates, state, number, s, point, row, does_not_run);
        }
    }
    return KS_OK;
}

size_t ks_gate_columns(const ks_expr_column **columns) {
    static const ks_expr_column all[KS_COLUMN_COUNT] = {
#define X(kind, name, unit, about)                          \
    {#name, KS_##kind == KS_WORD || KS_##kind == KS_DIGEST, \
     KS_COL_##name >= KS_COL_max_abs_err && KS_COL_##name <= KS_COL_nonfinite},
        KS_COLUMN_MAP(X)
#undef X
    };
    *columns = all;
    return KS_COLUMN_COUNT;
}
