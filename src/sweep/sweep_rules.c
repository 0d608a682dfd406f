#include <string.h>

#include "sweep/quote.h"
#include "sweep/sweep_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ks_status no_memory(ks_sweep_reader *r) {
    return ks_fail(r->error, KS_NO_MEMORY, "out of memory");
}

/* The verdicts that can be expected; the first is the default. */
static const char *const verdicts[] = {"fail", "infeasible", "error", "doubt", "timeout", "crash"};

static ks_status read_rule(ks_sweep_reader *r, const ks_tree *map, bool has_verdict,
                           ks_rule *rule) {
    static const char *const keys[] = {"when", "why", "verdict"};
    size_t verdict = 0;
    ks_status status =
        ks_tree_expect_keys(map, "a rule", keys, has_verdict ? 3 : 2, KS_EXPR_ADVICE, r->error);
    if (status) return status;
    const ks_tree *when = ks_tree_find(map, "when");
    if (!when)
        return ks_place_fail(r->error, &map->place,
                             "found no when in a rule, expected an expression");
    rule->place = when->place;
    status = ks_sweep_read_expr(r, when, KS_EXPR_CONDITION, &rule->when);
    if (status == KS_OK)
        status = ks_tree_text(ks_tree_find(map, "why"), "why", &rule->why, r->error);
    if (status == KS_OK && has_verdict)
        status = ks_sweep_read_word(r, ks_tree_find(map, "verdict"), "verdict", verdicts,
                                    COUNT(verdicts), &verdict);
    if (has_verdict) rule->verdict = verdicts[verdict];
    return status;
}

static ks_status needs_list(ks_sweep_reader *r, const ks_tree *node, const char *what) {
    char found[KS_QUOTE_MAX];
    if (node->kind == KS_TREE_LIST) return KS_OK;
    return ks_place_fail(r->error, &node->place,
                         "found %s for %s, expected a list of rules `- {when: \"...\"}`",
                         ks_tree_found(found, node), what);
}

static ks_status read_rules(ks_sweep_reader *r, const ks_tree *list, const char *what,
                            bool has_verdict, const ks_rule **out, size_t *count) {
    if (!list) return KS_OK;
    ks_status status = needs_list(r, list, what);
    if (status) return status;
    ks_rule *rules = ks_arena_take(r->arena, list->count + 1, sizeof *rules);
    if (!rules) return no_memory(r);
    *out = rules;
    for (const ks_tree *node = list->first; node && status == KS_OK; node = node->next)
        status = read_rule(r, node, has_verdict, &rules[(*count)++]);
    return status;
}

ks_status ks_sweep_read_rules(ks_sweep_reader *r, const ks_tree *root) {
    ks_sweep *sweep = r->sweep;
    const ks_tree *where = ks_tree_find(root, "where");
    ks_status status = KS_OK;
    if (where) {
        sweep->where_place = where->place;
        status = ks_sweep_read_expr(r, where, KS_EXPR_CONDITION, &sweep->where);
    }
    if (status == KS_OK)
        status = read_rules(r, ks_tree_find(root, "exclude"), "exclude", false, &sweep->excludes,
                            &sweep->exclude_count);
    if (status == KS_OK)
        status = read_rules(r, ks_tree_find(root, "expect"), "expect", true, &sweep->expects,
                            &sweep->expect_count);
    return status;
}

static ks_status read_gate_name(ks_sweep_reader *r, const ks_tree *map, const ks_gate *gates,
                                ks_gate *gate) {
    char found[KS_QUOTE_MAX];
    const ks_tree *node = ks_tree_find(map, "name");
    if (!node)
        return ks_place_fail(r->error, &map->place,
                             "found a gate without a name, expected name: NAME");
    if (!ks_tree_is_name(node))
        return ks_place_fail(r->error, &node->place,
                             "found %s for name, expected letters, digits, _ . -",
                             ks_tree_found(found, node));
    for (const ks_gate *other = gates; other < gate; other++)
        if (strcmp(other->name, node->text) == 0)
            return ks_place_fail(
                r->error, &node->place,
                "found %s a second time, expected each gate once (first at %s:%zu:%zu)",
                ks_tree_found(found, node), other->place.file, other->place.line,
                other->place.column);
    gate->name = node->text;
    gate->place = node->place;
    return KS_OK;
}

static ks_status read_twin(ks_sweep_reader *r, const ks_tree *item, ks_gate *gate, int *kernel) {
    ks_error why;
    char found[KS_QUOTE_MAX];
    uint64_t value;
    if (item->kind != KS_TREE_SCALAR)
        return ks_place_fail(r->error, &item->place, "found %s, expected a kernel",
                             ks_tree_found(found, item));
    if (ks_value_parse(KS_P_kernel, r->sweep->kernels, item->text, item->length, &value, &why))
        return ks_place_fail(r->error, &item->place, "%s", why.text);
    for (size_t i = 0; i < gate->twin_count; i++)
        if (gate->twins[i] == (int)value)
            return ks_place_fail(r->error, &item->place,
                                 "found %s a second time, expected each kernel once",
                                 ks_tree_found(found, item));
    *kernel = (int)value;
    return KS_OK;
}

static ks_status read_twins(ks_sweep_reader *r, const ks_tree *node, ks_gate *gate) {
    if (node->kind != KS_TREE_LIST || node->count < 2)
        return ks_place_fail(r->error, &node->place,
                             "found no list of two or more for twin, expected [kernel, kernel]");
    if (r->sweep->mode != KS_MODE_DATA)
        return ks_place_fail(
            r->error, &node->place,
            "found a twin gate in mode %s, expected mode: data (it compares results)",
            ks_mode_name(r->sweep->mode));
    int *twins = ks_arena_take(r->arena, node->count, sizeof *twins);
    if (!twins) return no_memory(r);
    gate->twins = twins;
    for (const ks_tree *item = node->first; item; item = item->next) {
        const ks_status status = read_twin(r, item, gate, &twins[gate->twin_count]);
        if (status) return status;
        gate->twin_count++;
    }
    return KS_OK;
}

static ks_status read_question(ks_sweep_reader *r, const ks_tree *map, ks_gate *gate) {
    const ks_tree *expr = ks_tree_find(map, "expr"), *twin = ks_tree_find(map, "twin");
    const ks_tree *when = ks_tree_find(map, "when");
    if (!expr == !twin)
        return ks_place_fail(r->error, &map->place,
                             "found %s of expr and twin in a gate, expected one of them",
                             expr ? "both" : "neither");
    const ks_status status = expr ? ks_sweep_read_expr(r, expr, KS_EXPR_COMPARISON, &gate->expr)
                                  : read_twins(r, twin, gate);
    return status || !when ? status : ks_sweep_read_expr(r, when, KS_EXPR_CONDITION, &gate->when);
}

ks_status ks_sweep_read_question(ks_sweep_reader *r, const ks_tree *map, const ks_gate *gates,
                                 ks_gate *gate) {
    const ks_status status = read_gate_name(r, map, gates, gate);
    return status ? status : read_question(r, map, gate);
}

static bool has_axis(const ks_sweep *sweep, ks_name name) {
    for (size_t i = 0; i < sweep->axis_count; i++)
        for (size_t c = 0; c < sweep->axes[i].column_count; c++)
            if (sweep->axes[i].columns[c].name == name) return sweep->axes[i].count > 1;
    return false;
}

ks_status ks_sweep_read_pool(ks_sweep_reader *r, const ks_tree *map, ks_gate *gate) {
    static const char *const words[] = {"seed"};
    const ks_tree *node = ks_tree_find(map, "pool");
    size_t index = 0;
    if (!node) return KS_OK;
    const ks_status status = ks_sweep_read_word(r, node, "pool", words, 1, &index);
    if (status) return status;
    if (!gate->expr)
        return ks_place_fail(r->error, &node->place, "found pool in a twin gate, expected expr");
    for (size_t s = 0; s < ks_expr_side_count(gate->expr); s++) {
        const ks_expr_side *side = ks_expr_side_at(gate->expr, s);
        const ks_expr_column *column = &r->options->columns[side->column];
        if (!column->can_pool)
            return ks_place_fail(r->error, &node->place,
                                 "found pool with %s, expected figures of error: max_abs_err, "
                                 "max_rel_err, rmse, max_ulp_err, max_abs_err_full, rmse_full, "
                                 "nonfinite",
                                 column->name);
        if (side->fixed_names & KS_NAME_BIT(KS_P_seed))
            return ks_place_fail(r->error, &node->place,
                                 "found pool: seed with a side that fixes seed, expected one of "
                                 "them");
    }
    gate->pools_seeds = true;
    return KS_OK;
}

/* Of the gates of a sweep, which knows its axes; a table learns of them from its results. */
static ks_status check_pool(ks_sweep_reader *r, const ks_tree *map, const ks_gate *gate) {
    if (!gate->pools_seeds || (r->sweep->mode == KS_MODE_DATA && has_axis(r->sweep, KS_P_seed)))
        return KS_OK;
    return ks_place_fail(r->error, &ks_tree_find(map, "pool")->place,
                         "found pool: seed, expected it in mode data with several seeds");
}

static ks_status read_gate(ks_sweep_reader *r, const ks_tree *map, const ks_gate *gates,
                           ks_gate *gate) {
    static const char *const keys[] = {"name", "expr", "when", "expect", "why", "twin", "pool"};
    static const char *const expectations[] = {"fail"};
    const ks_tree *expect;
    size_t index = 0;
    ks_status status =
        ks_tree_expect_keys(map, "a gate", keys, COUNT(keys), KS_EXPR_ADVICE, r->error);
    if (status == KS_OK) status = ks_sweep_read_question(r, map, gates, gate);
    if (status == KS_OK) status = ks_sweep_read_pool(r, map, gate);
    if (status == KS_OK) status = check_pool(r, map, gate);
    if (status == KS_OK)
        status = ks_tree_text(ks_tree_find(map, "why"), "why", &gate->why, r->error);
    if (status) return status;
    expect = ks_tree_find(map, "expect");
    gate->expects_fail = expect != NULL;
    return ks_sweep_read_word(r, expect, "expect", expectations, 1, &index);
}

ks_status ks_sweep_read_gates(ks_sweep_reader *r, const ks_tree *root) {
    const ks_tree *list = ks_tree_find(root, "gates");
    if (!list) return KS_OK;
    ks_status status = needs_list(r, list, "gates");
    if (status) return status;
    ks_gate *gates = ks_arena_take(r->arena, list->count + 1, sizeof *gates);
    if (!gates) return no_memory(r);
    r->sweep->gates = gates;
    for (const ks_tree *node = list->first; node && status == KS_OK; node = node->next)
        status = read_gate(r, node, gates, &gates[r->sweep->gate_count++]);
    return status;
}
