/* Gates asked: what was kept of each group becomes a comparison. */
#include <string.h>

#include "run/gates_inside.h"
#include "run/group.h"

/* A group that is asked, with its first point. */
typedef struct asking {
    ks_gates *gates;
    const gate_state *state;
    uint64_t number;
    ks_point point;
    const char *label;
} asking;

static unsigned marks_of(const asking *a, size_t side) {
    return a->state->marks[a->number * a->state->side_count + side];
}

static ks_figure figure_of(const asking *a, size_t side) {
    const uint64_t place = a->number * a->state->side_count + side;
    const size_t bytes = a->state->value_bytes;
    ks_figure figure = {0};
    memcpy(&figure, &a->state->values[place * bytes],
           bytes < sizeof figure ? bytes : sizeof figure);
    return figure;
}

/* A parameter has a value where all points of the group share it. */
static ks_expr_value resolve_name(const asking *a, ks_name name) {
    const ks_names axes = ks_group_axes(a->gates->sweep);
    const bool is_shared = !(axes & KS_NAME_BIT(name)) || a->state->names & KS_NAME_BIT(name);
    if (name == KS_NAME_MODEL || !is_shared) return (ks_expr_value){.kind = KS_EXPR_NOTHING};
    return ks_expr_value_of(a->gates->sweep->kernels, &a->point, a->label, name);
}

static ks_expr_value resolve(void *context, ks_name name, const ks_expr_side *side) {
    const asking *a = context;
    if (!side) return resolve_name(a, name);
    const unsigned marks = marks_of(a, side->index);
    const ks_figure figure = figure_of(a, side->index);
    ks_expr_value result = {.kind = KS_EXPR_NOTHING};
    const unsigned too_much = a->state->gate->pools_seeds ? SIDE_LACKS_VALUE : SIDE_HAS_POINTS;
    if (!(marks & SIDE_HAS_VALUE) || marks & too_much) return result;
    result.kind = KS_EXPR_NUMBER;
    switch (ks_column_describe((ks_column)side->column)->kind) {
    case KS_COUNT: result.number = ks_exact_of_u64(figure.count); break;
    case KS_CYCLES: result.number = ks_exact_of_ticks(figure.count); break;
    case KS_REAL: result.number = ks_exact_of_double(figure.real); break;
    case KS_WORD:
    case KS_DIGEST: result.kind = KS_EXPR_NOTHING; break;
    }
    return result;
}

static const char *why_in_doubt(const asking *a, ks_expr_answer answer) {
    for (size_t i = 0; i < a->state->side_count && !a->state->gate->pools_seeds; i++)
        if (marks_of(a, i) & SIDE_HAS_POINTS)
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
        const ks_figure own = figure_of(a, i);
        if (!(marks_of(a, i) & SIDE_HAS_VALUE)) {
            line->op = "==";
            line->why = "a twin has no out_xxh128";
            return KS_GATE_doubt;
        }
        bool is_new = true;
        for (size_t k = 0; k < i; k++) {
            const ks_figure other = figure_of(a, k);
            is_new &= memcmp(&other.digest, &own.digest, sizeof own.digest) != 0;
        }
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
    for (size_t i = 0; i < a->state->side_count; i++)
        if ((marks_of(a, i) & (SIDE_HAS_VALUE | SIDE_DOES_NOT_RUN)) == SIDE_DOES_NOT_RUN)
            return false;
    return true;
}

/* Point, label and text of the group; the text is the gates' until the next one. */
static const char *describe(asking *a) {
    ks_gates *gates = a->gates;
    const uint64_t first = a->state->firsts[a->number] - 1;
    ks_error error;
    ks_cell cell;
    if (!gates->grid) {
        a->point = gates->points[first].point;
        a->label = gates->points[first].label;
        return ks_text_map_at(a->state->map, (size_t)a->number);
    }
    if (ks_grid_at(gates->grid, first, &cell, &error)) KS_BUG("%s", error.text);
    a->point = cell.point;
    a->label = cell.label;
    if (cell.status == KS_CELL_RUN) {
        ks_text_clear(&gates->labels);
        ks_grid_labels(gates->grid, first, &gates->labels);
        a->label = ks_text_string(&gates->labels);
    }
    ks_group_print(&gates->group, gates->sweep, &a->point, a->state->names);
    return gates->group.has_failed || gates->labels.has_failed ? NULL
                                                               : ks_text_string(&gates->group);
}

static ks_status ask_group(asking *a, ks_account *account, void *self,
                           ks_status (*take)(void *, const ks_gate_line *)) {
    const ks_gate *gate = a->state->gate;
    ks_gate_line line = {.gate = gate->name, .group = describe(a), .why = gate->why};
    if (!line.group) return KS_NO_MEMORY;
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

static ks_status ask_gate(ks_gates *gates, const gate_state *state, ks_account *account, void *self,
                          ks_status (*take)(void *self, const ks_gate_line *line)) {
    uint64_t asked = 0;
    for (uint64_t i = 0; i < state->room; i++) {
        asking a = {.gates = gates, .state = state, .number = i};
        if (!state->firsts[i] || state->is_out[i]) continue;
        if (!is_asked(&a)) {
            account->gates_not_asked++;
            continue;
        }
        asked++;
        const ks_status status = ask_group(&a, account, self, take);
        if (status) return status;
    }
    /* With --where a user chose to look at less. */
    if (asked || gates->sweep->where_option) return KS_OK;
    return never_asked(state->gate, account, self, take);
}

ks_status ks_gates_ask(ks_gates *gates, ks_account *account, void *self,
                       ks_status (*take)(void *self, const ks_gate_line *line)) {
    ks_status status = KS_OK;
    for (size_t g = 0; g < gates->count && !status; g++)
        status = ask_gate(gates, &gates->gates[g], account, self, take);
    return status;
}
