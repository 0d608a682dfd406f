/* One constant at a time: the tornado, and how many per cent a figure moves for one of a constant. */
#include <stdlib.h>

#include "study/method.h"

/* ---- oat ---- */

static const ks_table_column oat_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"constant", "the one that moves; all others stand at their base", false, 0},
    {"unit", "of the constant", false, 0},
    {"low", "lower end of its range", true, 0},
    {"base", "its base", true, 0},
    {"high", "upper end of its range", true, 0},
    {"y_low", "figure at the lower end", true, 8},
    {"y_base", "figure at the base", true, 8},
    {"y_high", "figure at the upper end", true, 8},
    {"swing", "largest less smallest of the three", true, 4},
    {"gate_low", "gate at the lower end: pass or fail", false, 0},
    {"gate_base", "gate at the base", false, 0},
    {"gate_high", "gate at the upper end", false, 0},
    {"bar", "the swing; the figure's largest has 20 marks", false, 0},
};

typedef struct oat_bar {
    size_t constant;
    const ks_answer *low, *base, *high;
    double swing; /* -1: not all three have a value */
} oat_bar;

static oat_bar bar_of(const ks_method_context *c, const ks_asked *asked, size_t constant,
                      size_t figure) {
    oat_bar bar = {constant, ks_asked_at(c, asked, 1 + 2 * constant, figure),
                   ks_asked_at(c, asked, 0, figure),
                   ks_asked_at(c, asked, 2 + 2 * constant, figure), -1};
    if (!bar.low->has_value || !bar.base->has_value || !bar.high->has_value) return bar;
    const ks_answer *least = bar.low, *most = bar.low, *const all[] = {bar.base, bar.high};
    for (size_t i = 0; i < KS_COUNT_OF(all); i++) {
        if (ks_exact_compare(&all[i]->value, &least->value) < 0) least = all[i];
        if (ks_exact_compare(&all[i]->value, &most->value) > 0) most = all[i];
    }
    ks_exact swing = ks_exact_sub(&most->value, &least->value);
    bar.swing = ks_exact_double(&swing);
    ks_exact_free(&swing);
    return bar;
}

/* Longest bars first; equal ones in the study's order. */
static int compare_bars(const void *a, const void *b) {
    const oat_bar *x = a, *y = b;
    if (x->swing != y->swing) return x->swing < y->swing ? 1 : -1;
    return x->constant < y->constant ? -1 : 1;
}

enum { LONGEST_BAR = 20 };

/* At least one mark for what moves at all. */
static void draw_bar(ks_table *table, double swing, double largest) {
    static const char marks[LONGEST_BAR + 1] = "####################";
    const int count = swing > 0 ? (int)(swing / largest * LONGEST_BAR + 0.5) : 0;
    ks_table_format(table, "%.*s", count || swing <= 0 ? count : 1, marks);
}

static void add_bar(const ks_method_context *c, ks_table *table, const ks_study_figure *figure,
                    const oat_bar *bar, double largest) {
    const ks_study_constant *constant = &c->study->constants[bar->constant];
    ks_table_text(table, figure->name);
    ks_table_text(table, ks_study_constant_name(constant));
    ks_table_text(table, constant->unit);
    ks_table_decimal(table, constant->low);
    ks_table_decimal(table, constant->base);
    ks_table_decimal(table, constant->high);
    ks_table_answer(table, bar->low);
    ks_table_answer(table, bar->base);
    ks_table_answer(table, bar->high);
    if (bar->swing < 0)
        ks_table_none(table);
    else
        ks_table_double(table, bar->swing);
    ks_table_gate(table, figure, bar->low);
    ks_table_gate(table, figure, bar->base);
    ks_table_gate(table, figure, bar->high);
    draw_bar(table, bar->swing, largest);
}

static ks_status fill_oat(ks_method_context *c, const ks_asked *asked) {
    const size_t constants = c->study->constant_count;
    ks_table *table =
        ks_method_table(c, "oat", "One at a time (tornado)", oat_columns, KS_COUNT_OF(oat_columns));
    oat_bar *bars = calloc(constants, sizeof *bars);
    if (!table || !bars) {
        free(bars);
        return ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    }
    ks_text_add_string(&table->notes,
                       "Each constant at both ends of its range, all others at their base; the "
                       "largest swing first.\n");
    for (size_t f = 0; f < c->study->figure_count; f++) {
        for (size_t k = 0; k < constants; k++) bars[k] = bar_of(c, asked, k, f);
        qsort(bars, constants, sizeof *bars, compare_bars);
        for (size_t k = 0; k < constants; k++)
            add_bar(c, table, &c->study->figures[f], &bars[k], bars[0].swing);
    }
    free(bars);
    return KS_OK;
}

ks_status ks_method_oat(ks_method_context *c, const ks_study_method *m) {
    const size_t constants = c->study->constant_count;
    ks_asked asked;
    (void)m;
    ks_status status = ks_asked_new(c, 1 + 2 * constants, &asked);
    for (size_t k = 0; k < constants && !status; k++) {
        asked.calibrations[(1 + 2 * k) * constants + k] = c->study->constants[k].low;
        asked.calibrations[(2 + 2 * k) * constants + k] = c->study->constants[k].high;
    }
    if (!status) status = ks_asked_answer(c, &asked);
    if (!status) status = fill_oat(c, &asked);
    ks_asked_free(c, &asked);
    return status;
}

/* ---- elasticity ---- */

static const ks_table_column elasticity_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"constant", "the one that moves", false, 0},
    {"from", "value below the base", true, 0},
    {"to", "value above the base", true, 0},
    {"dy_dc", "slope of the figure between the two, per unit of the constant", true, 6},
    {"elasticity", "that times base / figure: per cent of the figure for one of the constant", true,
     4},
};

static void add_slope(ks_table *table, const ks_study_constant *constant, const ks_answer *base,
                      const ks_answer *low, const ks_answer *high, uint64_t from, uint64_t to) {
    if (!low->has_value || !high->has_value || from == to) {
        ks_table_none(table);
        ks_table_none(table);
        return;
    }
    const ks_exact run = ks_exact_of_ticks(to - from), at = ks_exact_of_ticks(constant->base);
    ks_exact rise = ks_exact_sub(&high->value, &low->value);
    ks_exact slope = ks_exact_div(&rise, &run);
    ks_table_double(table, ks_exact_double(&slope));
    if (base->has_value && ks_exact_sign(&base->value) != 0) {
        ks_exact scaled = ks_exact_mul(&slope, &at);
        ks_exact elasticity = ks_exact_div(&scaled, &base->value);
        ks_table_double(table, ks_exact_double(&elasticity));
        ks_exact_free(&scaled);
        ks_exact_free(&elasticity);
    } else {
        ks_table_none(table);
    }
    ks_exact_free(&rise);
    ks_exact_free(&slope);
}

static ks_status fill_elasticity(ks_method_context *c, const ks_study_method *m,
                                 const ks_asked *asked) {
    const size_t constants = c->study->constant_count;
    ks_table *table = ks_method_table(c, "elasticity", "Elasticity at the base", elasticity_columns,
                                      KS_COUNT_OF(elasticity_columns));
    if (!table) return KS_NO_MEMORY;
    ks_text_add_string(&table->notes, "Slope between the base less and plus ");
    ks_text_add_decimal(&table->notes, m->step_ticks);
    ks_text_add_string(&table->notes, " %, rounded outward to values of the constant.\n");
    for (size_t f = 0; f < c->study->figure_count; f++)
        for (size_t k = 0; k < constants; k++) {
            const uint64_t from = asked->calibrations[2 * k * constants + k],
                           to = asked->calibrations[(2 * k + 1) * constants + k];
            ks_table_text(table, c->study->figures[f].name);
            ks_table_text(table, ks_study_constant_name(&c->study->constants[k]));
            ks_table_decimal(table, from);
            ks_table_decimal(table, to);
            add_slope(table, &c->study->constants[k], &c->base[f], ks_asked_at(c, asked, 2 * k, f),
                      ks_asked_at(c, asked, 2 * k + 1, f), from, to);
        }
    return KS_OK;
}

ks_status ks_method_elasticity(ks_method_context *c, const ks_study_method *m) {
    const size_t constants = c->study->constant_count;
    ks_asked asked;
    ks_status status = ks_asked_new(c, 2 * constants, &asked);
    for (size_t k = 0; k < constants && !status; k++)
        ks_lattice_around(c->study->constants[k].constant, c->study->constants[k].base,
                          m->step_ticks, &asked.calibrations[2 * k * constants + k],
                          &asked.calibrations[(2 * k + 1) * constants + k]);
    if (!status) status = ks_asked_answer(c, &asked);
    if (!status) status = fill_elasticity(c, m, &asked);
    ks_asked_free(c, &asked);
    return status;
}
