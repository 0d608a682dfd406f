#include "run/gates.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_map.h"
#include "run/group.h"
#include "run/pool.h"

/* One side's value in one group, or a twin's digest. */
typedef struct side_value {
    bool has_value, does_not_run;
    bool lacks_value;     /* a point that should have run has none */
    uint64_t point_count; /* of the group that this side stands for */
    ks_figure figure;
    ks_pool pool; /* of a gate that pools seeds */
} side_value;

typedef struct group_state {
    const ks_point *point; /* its first; of a gate that names parameters, else NULL */
    const char *label;
    bool is_out; /* `when` does not hold */
    side_value *sides;
} group_state;

typedef struct gate_state {
    const ks_gate *gate;
    ks_names names; /* of its groups */
    size_t side_count;
    ks_text_map *map;
    group_state *groups;
    size_t group_room;
} gate_state;

struct ks_gates {
    const ks_sweep *sweep;
    ks_arena *arena;
    gate_state *gates;
    size_t count;
    ks_text group;
};

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

ks_gates *ks_gates_new(const ks_sweep *sweep) {
    ks_gates *gates = calloc(1, sizeof *gates);
    if (!gates) return NULL;
    gates->sweep = sweep;
    gates->arena = ks_arena_new(1 << 16);
    gates->gates = calloc(sweep->gate_count + 1, sizeof *gates->gates);
    bool is_fine = gates->arena && gates->gates;
    for (size_t i = 0; is_fine && i < sweep->gate_count; i++) {
        gate_state *state = &gates->gates[gates->count++];
        state->gate = &sweep->gates[i];
        state->names = names_of_groups(state->gate, ks_group_axes(sweep));
        state->side_count =
            state->gate->twins ? state->gate->twin_count : ks_expr_side_count(state->gate->expr);
        state->map = ks_text_map_new();
        is_fine = state->map != NULL;
    }
    if (is_fine) return gates;
    ks_gates_free(gates);
    return NULL;
}

void ks_gates_free(ks_gates *gates) {
    if (!gates) return;
    for (size_t i = 0; i < gates->count; i++) {
        ks_text_map_free(gates->gates[i].map);
        free(gates->gates[i].groups);
    }
    free(gates->gates);
    ks_arena_free(gates->arena);
    ks_text_free(&gates->group);
    free(gates);
}

/* ---- taking points ---- */

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

/* The group of the point, a new one if it is the first there. NULL: out of memory. */
static group_state *group_of(ks_gates *gates, gate_state *state, const ks_point *point,
                             const char *label) {
    ks_group_print(&gates->group, gates->sweep, point, state->names);
    const size_t known = ks_text_map_count(state->map);
    const size_t number = ks_text_map_add(state->map, ks_text_string(&gates->group));
    if (gates->group.has_failed || number == KS_TEXT_MAP_NONE) return NULL;
    if (number < known) return &state->groups[number];
    if (number == state->group_room) {
        const size_t room = state->group_room ? 2 * state->group_room : 16;
        group_state *groups = realloc(state->groups, room * sizeof *groups);
        if (!groups) return NULL;
        state->groups = groups;
        state->group_room = room;
    }
    group_state *group = &state->groups[number];
    *group = (group_state){0};
    group->sides = ks_arena_take(gates->arena, state->side_count, sizeof *group->sides);
    if (!group->sides) return NULL;
    if (state->gate->expr && ks_expr_names(state->gate->expr)) {
        ks_point *first = ks_arena_take(gates->arena, 1, sizeof *first);
        group->label = ks_arena_text(gates->arena, label ? label : "");
        if (!first || !group->label) return NULL;
        *first = *point;
        group->point = first;
    }
    if (state->gate->when)
        group->is_out =
            ks_expr_holds(state->gate->when, gates->sweep->kernels, point, label) != KS_EXPR_YES;
    return group;
}

/* Elements of OUT that are finite. */
static uint64_t compared_elements(const ks_gates *gates, const ks_point *point, const ks_row *row) {
    const ks_kernel_table *kernels = gates->sweep->kernels;
    const ks_task task = kernels->kernels[ks_param_of(point, KS_P_kernel)].task;
    const ks_layout layout = ks_task_layout(task, point);
    const ks_tensor *out = ks_layout_find(&layout, "OUT");
    return out->rows * out->cols - row->figures[KS_COL_nonfinite].count;
}

static void take_value(const ks_gates *gates, const gate_state *state, size_t side,
                       side_value *value, const ks_point *point, const ks_row *row) {
    const ks_column column = column_of(state, side);
    value->has_value = true;
    if (!state->gate->pools_seeds) {
        value->figure = row->figures[column];
        return;
    }
    ks_pool_add(&value->pool, column, row->figures[column], compared_elements(gates, point, row));
    value->figure = ks_pool_figure(&value->pool, column);
}

ks_status ks_gates_take(ks_gates *gates, const ks_point *point, const char *label,
                        const ks_row *row, bool does_not_run) {
    for (size_t g = 0; g < gates->count; g++) {
        gate_state *state = &gates->gates[g];
        for (size_t s = 0; s < state->side_count; s++) {
            if (!is_side_of(state, s, point, label)) continue;
            group_state *group = group_of(gates, state, point, label);
            if (!group) return KS_NO_MEMORY;
            side_value *value = &group->sides[s];
            value->point_count++;
            if (does_not_run) value->does_not_run = true;
            if (row && ks_row_has(row, column_of(state, s)))
                take_value(gates, state, s, value, point, row);
            else if (!does_not_run)
                value->lacks_value = true;
        }
    }
    return KS_OK;
}

/* ---- asking ---- */

typedef struct asking {
    const ks_sweep *sweep;
    const gate_state *state;
    const group_state *group;
} asking;

/* A parameter has a value where all points of the group share it. */
static ks_expr_value resolve_name(const asking *a, ks_name name) {
    const ks_names axes = ks_group_axes(a->sweep);
    const bool is_shared = !(axes & KS_NAME_BIT(name)) || a->state->names & KS_NAME_BIT(name);
    if (name == KS_NAME_MODEL || !is_shared) return (ks_expr_value){.kind = KS_EXPR_NOTHING};
    return ks_expr_value_of(a->sweep->kernels, a->group->point, a->group->label, name);
}

static ks_expr_value resolve(void *context, ks_name name, const ks_expr_side *side) {
    const asking *a = context;
    if (!side) return resolve_name(a, name);
    const side_value *value = &a->group->sides[side->index];
    const ks_figure *figure = &value->figure;
    ks_expr_value result = {.kind = KS_EXPR_NOTHING};
    if (!value->has_value) return result;
    if (a->state->gate->pools_seeds ? value->lacks_value : value->point_count > 1) return result;
    result.kind = KS_EXPR_NUMBER;
    switch (ks_column_describe((ks_column)side->column)->kind) {
    case KS_COUNT: result.number = ks_exact_of_u64(figure->count); break;
    case KS_CYCLES: result.number = ks_exact_of_ticks(figure->count); break;
    case KS_REAL: result.number = ks_exact_of_double(figure->real); break;
    case KS_WORD:
    case KS_DIGEST: result.kind = KS_EXPR_NOTHING; break;
    }
    return result;
}

static const char *why_in_doubt(const asking *a, ks_expr_answer answer) {
    for (size_t i = 0; i < a->state->side_count && !a->state->gate->pools_seeds; i++)
        if (a->group->sides[i].point_count > 1)
            return "a side stands for several points: fix in it every axis that another side fixes";
    return answer == KS_EXPR_UNDEFINED ? "a division by zero" : "a side has no value";
}

static ks_gate_answer ask_comparison(const asking *a, ks_exact *left, ks_exact *right,
                                     ks_gate_line *line) {
    const ks_expr_answer answer =
        ks_expr_compare(a->state->gate->expr, resolve, (void *)a, left, right);
    line->op = ks_expr_operator(a->state->gate->expr);
    line->has_sides = answer == KS_EXPR_YES || answer == KS_EXPR_NO;
    line->value = ks_exact_double(left);
    line->limit = ks_exact_double(right);
    /* Beyond every double: the answer is exact, the cells stay empty. */
    const bool are_doubles = line->value - line->value == 0 && line->limit - line->limit == 0;
    if (!line->has_sides) line->why = why_in_doubt(a, answer);
    const bool has_answer = line->has_sides;
    line->has_sides = has_answer && are_doubles;
    if (!has_answer) return KS_GATE_doubt;
    line->exact_value = left;
    line->exact_limit = right;
    return answer == KS_EXPR_YES ? KS_GATE_yes : KS_GATE_no;
}

static ks_gate_answer ask_twins(const asking *a, ks_exact *left, ks_exact *right,
                                ks_gate_line *line) {
    size_t distinct = 0;
    for (size_t i = 0; i < a->state->side_count; i++) {
        const side_value *value = &a->group->sides[i];
        if (!value->has_value) {
            line->op = "==";
            line->why = "a twin has no out_xxh128";
            return KS_GATE_doubt;
        }
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= memcmp(&a->group->sides[k].figure.digest, &value->figure.digest,
                             sizeof(ks_digest)) != 0;
        distinct += is_new;
    }
    line->op = "==";
    line->has_sides = true;
    line->value = (double)distinct;
    line->limit = 1;
    *left = ks_exact_of_u64(distinct);
    *right = ks_exact_of_u64(1);
    line->exact_value = left;
    line->exact_limit = right;
    return distinct == 1 ? KS_GATE_yes : KS_GATE_no;
}

/* A side that a rule says does not run leaves nothing to ask. */
static bool is_asked(const asking *a) {
    if (a->group->is_out) return false;
    for (size_t i = 0; i < a->state->side_count; i++)
        if (!a->group->sides[i].has_value && a->group->sides[i].does_not_run) return false;
    return true;
}

static ks_status ask_group(const asking *a, size_t number, ks_account *account, void *self,
                           ks_status (*take)(void *, const ks_gate_line *)) {
    const ks_gate *gate = a->state->gate;
    ks_gate_line line = {
        .gate = gate->name, .group = ks_text_map_at(a->state->map, number), .why = gate->why};
    ks_exact left = {0}, right = {0};
    line.answer =
        gate->twins ? ask_twins(a, &left, &right, &line) : ask_comparison(a, &left, &right, &line);
    line.is_red =
        line.answer == KS_GATE_doubt || (line.answer == KS_GATE_yes) == gate->expects_fail;
    account->gate_groups[line.answer]++;
    account->gates_red += line.is_red;
    const ks_status status = take(self, &line);
    ks_exact_free(&left);
    ks_exact_free(&right);
    return status;
}

/* A gate that no group was asked proves nothing. */
static ks_status never_asked(const ks_gate *gate, ks_account *account, void *self,
                             ks_status (*take)(void *, const ks_gate_line *)) {
    const ks_gate_line line = {.gate = gate->name,
                               .group = "",
                               .op = gate->twins ? "==" : ks_expr_operator(gate->expr),
                               .answer = KS_GATE_doubt,
                               .is_red = true,
                               .why = "no group was asked"};
    account->gate_groups[KS_GATE_doubt]++;
    account->gates_red++;
    return take(self, &line);
}

ks_status ks_gates_ask(ks_gates *gates, ks_account *account, void *self,
                       ks_status (*take)(void *self, const ks_gate_line *line)) {
    for (size_t g = 0; g < gates->count; g++) {
        const gate_state *state = &gates->gates[g];
        const size_t group_count = ks_text_map_count(state->map);
        size_t asked = 0;
        ks_status status = KS_OK;
        for (size_t i = 0; i < group_count && !status; i++) {
            const asking a = {gates->sweep, state, &state->groups[i]};
            if (is_asked(&a)) {
                asked++;
                status = ask_group(&a, i, account, self, take);
            } else if (!a.group->is_out) {
                account->gates_not_asked++;
            }
        }
        /* With --where a user chose to look at less. */
        if (!status && asked == 0 && !gates->sweep->where_option)
            status = never_asked(state->gate, account, self, take);
        if (status) return status;
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
