/* Constants with their ranges; figures with their gates. */
#include <string.h>

#include "sweep/quote.h"
#include "sweep/study_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- constants ---- */

ks_status ks_study_read_value(ks_study_reader *r, const ks_tree *node, ks_constant constant,
                              uint64_t *value) {
    const ks_name name = KS_NAME_CONSTANTS + (ks_name)constant;
    ks_error why;
    if (node->kind != KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, node, node, ks_name_text(name), "a value");
    if (ks_value_parse(name, r->study->kernel_table, node->text, node->length, value, &why))
        return ks_place_fail(r->common.error, &node->place, "%s", why.text);
    return KS_OK;
}

ks_status ks_study_read_range(ks_study_reader *r, const ks_tree *map, ks_constant constant,
                              bool *is_given, uint64_t *low, uint64_t *high) {
    const ks_tree *from = ks_tree_find(map, "low"), *to = ks_tree_find(map, "high");
    *is_given = from && to;
    if (!from && !to) return KS_OK;
    if (!from || !to)
        return ks_place_fail(r->common.error, &map->place, "found %s without %s, expected both",
                             from ? "low" : "high", from ? "high" : "low");
    ks_status status = ks_study_read_value(r, from, constant, low);
    if (!status) status = ks_study_read_value(r, to, constant, high);
    if (status || *low < *high) return status;
    return ks_reader_expected(&r->common, map, to, "high", "a value above low");
}

static ks_status read_scale(ks_study_reader *r, const ks_tree *map, ks_study_constant *out) {
    static const char *const words[] = {"per-unit", "rate"};
    const char *unit = ks_constant_describe(out->constant)->unit;
    size_t index = strcmp(unit, "byte/cycle") == 0;
    const ks_status status = ks_sweep_read_word(&r->common, map ? ks_tree_find(map, "scale") : NULL,
                                                "scale", words, COUNT(words), &index);
    out->is_rate = index == 1;
    return status;
}

static ks_status read_unit(ks_study_reader *r, const ks_tree *map, ks_study_constant *out) {
    const ks_tree *unit = map ? ks_tree_find(map, "unit") : NULL;
    const char *expected = ks_constant_describe(out->constant)->unit;
    out->unit = expected;
    if (!unit) return KS_OK;
    if (unit->kind == KS_TREE_SCALAR && strcmp(unit->text, expected) == 0) return KS_OK;
    return ks_reader_expected(&r->common, map, unit, "unit", expected);
}

/* The name of an entry: `NAME`, or `{name: NAME, ...}`. */
static ks_status read_name(ks_study_reader *r, const ks_tree *item, ks_study_constant *out) {
    static const char *const keys[] = {"name", "low", "high", "unit", "source", "scale"};
    const ks_tree *node = item;
    if (item->kind == KS_TREE_MAP) {
        const ks_status status =
            ks_tree_expect_keys(item, "a constant", keys, COUNT(keys), "", r->common.error);
        if (status) return status;
        node = ks_tree_find(item, "name");
    }
    if (!node || node->kind != KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, item, node, "name", "the name of a constant");
    const ks_name name = ks_name_find(node->text, node->length);
    const char *near = ks_name_near(node->text);
    if (name < KS_NAME_CONSTANTS || name >= KS_NAME_COUNT)
        return ks_place_fail(r->common.error, &node->place,
                             "found '%s', expected the name of a constant%s%s%s", node->text,
                             near && name < 0 ? " (did you mean " : "",
                             near && name < 0 ? near : "", near && name < 0 ? "?)" : "");
    out->constant = (ks_constant)(name - KS_NAME_CONSTANTS);
    out->place = node->place;
    if (ks_constant_describe(out->constant)->value_class == KS_GEMM_RULE_NAME)
        return ks_place_fail(r->common.error, &node->place,
                             "found gemm_rule, expected a constant whose values are numbers");
    return KS_OK;
}

static ks_status check_range(ks_study_reader *r, const ks_study_constant *c) {
    const char *name = ks_constant_describe(c->constant)->name;
    char base[KS_DECIMAL_TEXT_MAX];
    ks_decimal_print(base, c->base);
    if (c->low <= c->base && c->base <= c->high && c->low < c->high) return KS_OK;
    return ks_place_fail(r->common.error, &c->place,
                         "found a range of %s that does not hold its base %s, expected low <= base "
                         "<= high and low < high",
                         name, base);
}

static ks_status read_constant(ks_study_reader *r, const ks_tree *item, ks_study_constant *out) {
    const ks_tree *map = item->kind == KS_TREE_MAP ? item : NULL;
    bool is_given = false;
    ks_status status = read_name(r, item, out);
    if (status) return status;
    const ks_calibration_entry *entry = &r->common.sweep->calibration.entries[out->constant];
    const char *name = ks_constant_describe(out->constant)->name;
    if (ks_study_find(r->study, name) < r->study->constant_count)
        return ks_place_fail(r->common.error, &out->place,
                             "found %s a second time, expected each constant once", name);
    if (map) status = ks_study_read_range(r, map, out->constant, &is_given, &out->low, &out->high);
    if (!status && map)
        status = ks_tree_text(ks_tree_find(map, "source"), "source", &out->source, r->common.error);
    if (!status) status = read_unit(r, map, out);
    if (!status) status = read_scale(r, map, out);
    if (status) return status;
    out->base = ks_ticks_of(&r->study->base.calibration, out->constant);
    if (!is_given && !entry->has_bounds)
        return ks_place_fail(r->common.error, &out->place,
                             "found no range of %s, expected low and high here or in the "
                             "calibration file",
                             name);
    if (!is_given) {
        out->low = entry->low;
        out->high = entry->high;
    }
    if (!out->source || !*out->source)
        out->source = is_given || !entry->source ? "" : entry->source;
    return check_range(r, out);
}

ks_status ks_study_read_constants(ks_study_reader *r, const ks_tree *root) {
    const ks_tree *list;
    ks_status status = ks_reader_list(&r->common, root, "constants", true,
                                      "a list: [dispatch_fixed_cycles, ...]", &list);
    if (status) return status;
    ks_study_constant *constants = ks_reader_take(&r->common, list->count, sizeof *constants);
    if (!constants) return KS_NO_MEMORY;
    r->study->constants = constants;
    for (const ks_tree *item = list->first; item && !status; item = item->next) {
        status = read_constant(r, item, &constants[r->study->constant_count]);
        if (!status) r->study->constant_count++;
    }
    return status;
}

/* ---- figures ---- */

/* `> 2` is an operator and a figure. */
static ks_status read_gate(ks_study_reader *r, const ks_tree *map, ks_study_figure *out) {
    static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">"};
    const ks_tree *gate = ks_tree_find(map, "gate");
    if (!gate) return KS_OK;
    if (gate->kind != KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, map, gate, "gate", "a comparison: \"> 2\"");
    size_t blanks = strspn(gate->text, " ");
    for (size_t i = 0; i < COUNT(ops) && !out->op; i++)
        if (strncmp(gate->text + blanks, ops[i], strlen(ops[i])) == 0) out->op = ops[i];
    if (!out->op)
        return ks_reader_expected(&r->common, map, gate, "gate",
                                  "==, !=, <, <=, > or >= and a figure");
    const size_t skipped = blanks + strlen(out->op);
    ks_tree limit = *gate;
    limit.text += skipped;
    limit.length -= skipped;
    limit.place.column += gate->is_verbatim ? skipped : 0;
    out->gate_text = gate->text;
    return ks_sweep_read_expr(&r->common, &limit, KS_EXPR_FIGURE, &out->limit);
}

static bool is_studied(const ks_study *study, int kernel) {
    for (size_t i = 0; i < study->kernel_count; i++)
        if (study->kernels[i] == kernel) return true;
    return false;
}

/* Of every side: a kernel of the study, a column that there is without an op_log. */
static ks_status check_sides(ks_study_reader *r, const ks_study_figure *figure, const ks_expr *expr,
                             bool *has_column_alone) {
    for (size_t s = 0; s < ks_expr_side_count(expr); s++) {
        const ks_expr_side *side = ks_expr_side_at(expr, s);
        if (side->kernel < 0) *has_column_alone = true;
        if (side->kernel >= 0 && !is_studied(r->study, side->kernel))
            return ks_place_fail(r->common.error, &figure->place,
                                 "found %s in a figure, expected one of the study's kernels",
                                 r->study->kernel_table->kernels[side->kernel].name);
        if (!r->options->is_studied[side->column])
            return ks_place_fail(
                r->common.error, &figure->place,
                "found %s, expected a figure that mode timing gives without an op_log",
                r->options->columns[side->column].name);
    }
    return KS_OK;
}

static ks_status add_figure(ks_study_reader *r, ks_study_figure *figures,
                            const ks_study_figure *figure, int kernel, bool needs_suffix) {
    ks_study_figure *out = &figures[r->study->figure_count];
    *out = *figure;
    out->kernel = kernel;
    if (needs_suffix) {
        ks_text text = {0};
        ks_text_add_format(&text, "%s.%s", figure->name,
                           r->study->kernel_table->kernels[kernel].name);
        out->name = text.has_failed ? NULL : ks_arena_text(r->common.arena, text.data);
        ks_text_free(&text);
        if (!out->name) return ks_fail(r->common.error, KS_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < r->study->figure_count; i++)
        if (strcmp(figures[i].name, out->name) == 0)
            return ks_place_fail(r->common.error, &out->place,
                                 "found the figure '%s' a second time, expected each once",
                                 out->name);
    r->study->figure_count++;
    return KS_OK;
}

static ks_status read_figure(ks_study_reader *r, const ks_tree *map, ks_study_figure *figures) {
    static const char *const keys[] = {"name", "expr", "gate"};
    ks_study_figure figure = {.kernel = -1};
    bool has_column_alone = false;
    ks_status status =
        ks_tree_expect_keys(map, "a figure", keys, COUNT(keys), KS_EXPR_ADVICE, r->common.error);
    if (status) return status;
    const ks_tree *name = ks_tree_find(map, "name"), *expr = ks_tree_find(map, "expr");
    if (!name || !ks_tree_is_name(name))
        return ks_reader_expected(&r->common, map, name, "name", "letters, digits, _ . -");
    if (!expr)
        return ks_reader_expected(&r->common, map, NULL, "expr", "an expression of result columns");
    figure.name = name->text;
    figure.place = expr->place;
    status = ks_sweep_read_expr(&r->common, expr, KS_EXPR_FIGURE, &figure.expr);
    if (!status) status = read_gate(r, map, &figure);
    if (!status) status = check_sides(r, &figure, figure.expr, &has_column_alone);
    if (!status && figure.limit) status = check_sides(r, &figure, figure.limit, &has_column_alone);
    if (status) return status;
    if (ks_expr_side_count(figure.expr) == 0)
        return ks_reader_expected(&r->common, map, expr, "expr",
                                  "an expression that names a result column");
    const size_t count = has_column_alone ? r->study->kernel_count : 1;
    for (size_t i = 0; i < count && !status; i++)
        status = add_figure(r, figures, &figure, has_column_alone ? r->study->kernels[i] : -1,
                            count > 1);
    return status;
}

ks_status ks_study_read_figures(ks_study_reader *r, const ks_tree *root) {
    const ks_tree *list;
    ks_status status =
        ks_reader_list(&r->common, root, "figures", true,
                       "a list: [{name: NAME, expr: \"...\", gate: \"> 2\"}]", &list);
    if (status) return status;
    ks_study_figure *figures =
        ks_reader_take(&r->common, list->count * r->study->kernel_count, sizeof *figures);
    if (!figures) return KS_NO_MEMORY;
    r->study->figures = figures;
    for (const ks_tree *item = list->first; item && !status; item = item->next)
        status = read_figure(r, item, figures);
    return status;
}
