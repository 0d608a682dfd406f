/* Gates of a table file, asked of stored results on exact figures. */
#include <stdlib.h>
#include <string.h>

#include "base/exact_text.h"
#include "run/adr_judging.h"
#include "run/gates.h"

enum { MOST_DIGITS = 17 };

/* What is known of one gate while its groups come in. */
typedef struct asking {
    ks_adr_judging *j;
    size_t gate;      /* the one whose groups come */
    ks_exact nearest; /* margin of the group that is shown */
} asking;

static ks_exact negated(const ks_exact *value) {
    const ks_exact zero = {0};
    return ks_exact_sub(&zero, value);
}

/* |limit| / 100, or 1 of a limit of 0: what a margin is told in. */
static ks_exact unit_of_margin(const ks_exact *limit) {
    const ks_exact hundred = ks_exact_of_u64(100);
    const int sign = ks_exact_sign(limit);
    if (sign == 0) return ks_exact_of_u64(1);
    ks_exact size = sign < 0 ? negated(limit) : ks_exact_copy(limit);
    const ks_exact unit = ks_exact_div(&size, &hundred);
    ks_exact_free(&size);
    return unit;
}

/* value - limit on the side where the gate holds, in per cent of the limit; of a limit of 0 as it
 * is. False: there is no such side. */
static bool margin_of(const ks_gate_line *line, ks_exact *margin, bool *is_percent) {
    const bool is_above = line->op[0] == '>', is_below = line->op[0] == '<';
    *margin = (ks_exact){0};
    *is_percent = false;
    if (!line->exact_value || (!is_above && !is_below)) return false;
    ks_exact distance = is_above ? ks_exact_sub(line->exact_value, line->exact_limit)
                                 : ks_exact_sub(line->exact_limit, line->exact_value);
    ks_exact unit = unit_of_margin(line->exact_limit);
    *is_percent = ks_exact_sign(line->exact_limit) != 0;
    *margin = ks_exact_div(&distance, &unit);
    ks_exact_free(&distance);
    ks_exact_free(&unit);
    return true;
}

static ks_shown shown_side(const ks_exact *value, const char *unit) {
    const bool is_ratio = strcmp(unit, "ratio") == 0;
    return (ks_shown){.form = is_ratio ? KS_SHOWN_DIGITS : KS_SHOWN_EXACT,
                      .places = 4,
                      .value = ks_exact_copy(value)};
}

/* As many digits as tell a value from its limit: 2.0000254 is above 2, 2.000 would not show it. */
static unsigned digits_apart(const ks_exact *value, const ks_exact *limit) {
    unsigned digits = 4;
    bool is_apart = ks_exact_compare(value, limit) == 0;
    for (; !is_apart && digits < MOST_DIGITS; digits += !is_apart) {
        ks_text texts[2] = {{0}, {0}};
        ks_exact_add_digits(&texts[0], value, digits);
        ks_exact_add_digits(&texts[1], limit, digits);
        is_apart = strcmp(ks_text_string(&texts[0]), ks_text_string(&texts[1])) != 0;
        ks_text_free(&texts[0]);
        ks_text_free(&texts[1]);
    }
    return digits;
}

/* `> 2`, not `> 2.000`: what ends within four decimals is shown as it is. */
static ks_shown shown_limit(const ks_exact *value, const char *unit) {
    const ks_exact scale = ks_exact_of_u64(10000), one = ks_exact_of_u64(1);
    ks_shown shown = shown_side(value, unit);
    ks_exact scaled = ks_exact_mul(value, &scale);
    ks_exact rest = ks_exact_mod(&scaled, &one);
    if (ks_exact_sign(&rest) == 0) shown.form = KS_SHOWN_EXACT;
    ks_exact_free(&scaled);
    ks_exact_free(&rest);
    return shown;
}

static void show_group(ks_adr_gate_line *out, const ks_gate_line *line, const char *unit) {
    bool is_percent = false;
    ks_exact_free(&out->value.value);
    ks_exact_free(&out->limit.value);
    ks_exact_free(&out->margin_percent);
    out->group = line->group;
    out->op = line->op;
    out->has_sides = line->exact_value != NULL;
    out->has_margin = false;
    out->why = line->why ? line->why : "";
    if (!out->has_sides) return;
    out->value = shown_side(line->exact_value, unit);
    out->value.places = digits_apart(line->exact_value, line->exact_limit);
    out->limit = shown_limit(line->exact_limit, unit);
    out->has_margin = margin_of(line, &out->margin_percent, &is_percent) && is_percent;
}

static ks_adr_result result_of(ks_gate_answer answer) {
    static const ks_adr_result results[] = {[KS_GATE_yes] = KS_ADR_PASS,
                                            [KS_GATE_no] = KS_ADR_FAIL,
                                            [KS_GATE_doubt] = KS_ADR_INCOMPLETE};
    return results[answer];
}

/* FAIL shows before INCOMPLETE, INCOMPLETE before PASS; of equals the one with less margin. */
static bool is_nearer(asking *a, const ks_adr_gate_line *shown, ks_adr_result result,
                      const ks_exact *margin) {
    static const int ranks[KS_ADR_RESULT_COUNT] = {
        [KS_ADR_INCOMPLETE] = 1, [KS_ADR_PASS] = 2}; /* a group alone has no robustness */
    if (shown->group_count == 1) return true;
    if (ranks[result] != ranks[shown->result]) return ranks[result] < ranks[shown->result];
    return ks_exact_compare(margin, &a->nearest) < 0;
}

/* `name=value` of a default: what a KEY would leave out. The formats that follow another stay. */
static bool is_default(const ks_kernel_table *kernels, const char *word, size_t length) {
    const ks_point defaults = ks_point_default();
    const size_t name_length = strcspn(word, "=");
    const ks_name name = ks_name_find(word, name_length);
    const ks_names without = KS_NAMES_SHAPES | KS_NAME_BIT(KS_P_kernel) | KS_NAME_BIT(KS_P_score) |
                             KS_NAME_BIT(KS_P_p_dtype);
    if (name == KS_NAME_NONE || KS_NAME_BIT(name) & without) return false;
    ks_text value = {0};
    ks_value_print(&value, name, kernels, ks_point_get(&defaults, name));
    const bool is_same = value.length == length - name_length - 1 &&
                         memcmp(ks_text_string(&value), word + name_length + 1, value.length) == 0;
    ks_text_free(&value);
    return is_same;
}

/* The group as a KEY would name it. */
static const char *short_group(ks_adr_judging *j, const char *group) {
    ks_text text = {0};
    for (const char *word = group; *word;) {
        const size_t length = strcspn(word, " ");
        if (!is_default(j->adr->kernels, word, length))
            ks_text_add_format(&text, "%s%.*s", text.length ? " " : "", (int)length, word);
        word += length + (word[length] == ' ');
    }
    return ks_adr_judging_keep(j, &text);
}

static ks_status keep_group(ks_adr_judging *j, const ks_gate_line *line, const char *gate) {
    ks_adr_block *block = j->block;
    const size_t count = block->group_count;
    if ((count & (count - 1)) == 0) { /* full at every power of two */
        ks_adr_group *groups = realloc(block->groups, (count ? 2 * count : 1) * sizeof *groups);
        if (!groups) return KS_NO_MEMORY;
        block->groups = groups;
    }
    ks_adr_group *group = &block->groups[count];
    *group = (ks_adr_group){.gate = gate,
                            .group = ks_arena_text(block->arena, line->group),
                            .op = line->op,
                            .has_sides = line->exact_value != NULL,
                            .result = result_of(line->answer)};
    if (!group->group) return KS_NO_MEMORY;
    if (group->has_sides) {
        group->value = ks_exact_copy(line->exact_value);
        group->limit = ks_exact_copy(line->exact_limit);
    }
    block->group_count++;
    return KS_OK;
}

static ks_status take_group(void *self, const ks_gate_line *line) {
    asking *a = self;
    const ks_adr *adr = a->j->adr;
    bool is_percent;
    ks_exact margin;
    while (strcmp(adr->gates[a->gate].name, line->gate) != 0) a->gate++;
    ks_adr_gate_line *out = &a->j->block->gates[a->gate];
    const ks_adr_result result = result_of(line->answer);
    if (keep_group(a->j, line, out->name)) return KS_NO_MEMORY;
    margin_of(line, &margin, &is_percent);
    out->group_count++;
    if (is_nearer(a, out, result, &margin)) {
        ks_gate_line kept = *line;
        kept.group = short_group(a->j, line->group);
        if (!kept.group) return KS_NO_MEMORY;
        show_group(out, &kept, adr->gate_facts[a->gate].unit);
        out->result = result;
        ks_exact_free(&a->nearest);
        a->nearest = margin;
    } else {
        ks_exact_free(&margin);
    }
    return KS_OK;
}

static const char *question_of(ks_adr_judging *j, const ks_gate *gate) {
    ks_text text = {0};
    if (gate->expr) return ks_expr_text(gate->expr);
    ks_text_add_string(&text, "the same out_xxh128: ");
    for (size_t i = 0; i < gate->twin_count; i++)
        ks_text_add_format(&text, "%s%s", i ? ", " : "",
                           j->adr->kernels->kernels[gate->twins[i]].name);
    return ks_adr_judging_keep(j, &text);
}

/* Every gate has its line, whether or not a group is asked. */
static ks_status begin_lines(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    block->gates = ks_adr_judging_take(j, j->adr->gate_count, sizeof *block->gates);
    if (!block->gates) return KS_NO_MEMORY;
    for (size_t i = 0; i < j->adr->gate_count; i++) {
        const ks_gate *gate = &j->adr->gates[i];
        const ks_adr_gate *facts = &j->adr->gate_facts[i];
        block->gates[block->gate_count++] =
            (ks_adr_gate_line){.name = gate->name,
                               .text = facts->text,
                               .question = question_of(j, gate),
                               .group = "",
                               .op = gate->twins ? "==" : ks_expr_operator(gate->expr),
                               .unit = facts->unit,
                               .robust = "",
                               .result = KS_ADR_INCOMPLETE,
                               .why = "no group was asked"};
        if (!block->gates[i].question) return KS_NO_MEMORY;
    }
    return KS_OK;
}

/* What studies say of a gate, of the group that is shown. */
static ks_status find_robust(ks_adr_judging *j, size_t gate) {
    ks_adr_gate_line *line = &j->block->gates[gate];
    const ks_adr_gate *facts = &j->adr->gate_facts[gate];
    bool is_known;
    ks_text text = {0};
    if (!line->has_sides) return KS_OK;
    const ks_adr_robust_line *robust =
        ks_adr_robust_find(&j->stored->robust, facts->figure, &line->value.value, line->op,
                           &line->limit.value, &is_known);
    if (!robust && !*facts->figure) return KS_OK;
    if (!robust)
        return ks_fail(j->error, KS_INPUT,
                       "%s: gate %s: found %s '%s' in the studies, expected one that was studied "
                       "where this gate is nearest to its threshold%s%s",
                       j->adr->file, line->name, is_known ? "no fitting figure" : "no figure",
                       facts->figure, *line->group ? ": " : "", line->group);
    ks_adr_robust_say(&text, robust);
    line->robust = ks_adr_judging_keep(j, &text);
    if (line->result == KS_ADR_PASS) line->result = ks_adr_robust_result(robust);
    return line->robust ? KS_OK : KS_NO_MEMORY;
}

/* A table with a missing or failed point, or of another grid than its sweep's, never says PASS. */
static void withhold(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    if (block->is_whole) return;
    for (size_t i = 0; i < block->gate_count; i++)
        if (ks_adr_result_holds(block->gates[i].result)) {
            block->gates[i].result = KS_ADR_INCOMPLETE;
            block->gates[i].why = j->hole;
        }
}

static ks_status ask(ks_adr_judging *j, ks_gates *gates, asking *a) {
    const ks_adr_rows *rows = &j->stored->rows;
    ks_account account = {0};
    ks_status status = KS_OK;
    for (size_t i = 0; i < rows->count && !status; i++)
        status = ks_gates_take(gates, i, &rows->items[i].point, rows->items[i].label,
                               &rows->items[i].row, false);
    return status ? status : ks_gates_ask(gates, &account, a, take_group);
}

/* A pool of one seed would read as one of many. With a hole the seeds may be what is missing. */
static ks_status check_pools(ks_adr_judging *j) {
    for (size_t i = 0; i < j->adr->gate_count; i++)
        if (j->adr->gates[i].pools_seeds && !(j->varying & KS_NAME_BIT(KS_P_seed)) &&
            j->block->is_whole)
            return ks_place_fail(j->error, &j->adr->gates[i].place,
                                 "found pool: seed in the gate %s, expected results of several "
                                 "seeds",
                                 j->adr->gates[i].name);
    return KS_OK;
}

ks_status ks_adr_judge_gates(ks_adr_judging *j) {
    ks_axis_column columns[KS_NAME_COUNT];
    ks_sweep asked = {.gates = j->adr->gates,
                      .gate_count = j->adr->gate_count,
                      .kernels = j->adr->kernels,
                      .axis_count = 1};
    ks_axis *axis = &asked.axes[0];
    asking a = {.j = j};
    ks_status status = check_pools(j);
    if (!status) status = begin_lines(j);
    if (status) return status;
    axis->origin = KS_FROM_AXES;
    axis->columns = columns;
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (j->varying & KS_NAME_BIT(name))
            columns[axis->column_count++] = (ks_axis_column){.name = name};
    ks_gates *gates = ks_gates_new(&asked);
    status = gates ? ask(j, gates, &a) : KS_NO_MEMORY;
    ks_gates_free(gates);
    ks_exact_free(&a.nearest);
    if (status) return ks_fail(j->error, status, "out of memory");
    for (size_t i = 0; i < j->adr->gate_count && !status; i++) status = find_robust(j, i);
    withhold(j);
    return status;
}
