#include "study/robustness.h"

#include <math.h>

static const ks_table_column columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"base_value", "figure at the base", true, 8},
    {"limit", "of the gate at the base", true, 8},
    {"margin", "how far the figure is from the limit, in per cent of the limit; below 0: it fails",
     true, 4},
    {"verdict",
     "proved-pass, proved-fail, mixed, undecided or sampled over the box; pass or fail at the base "
     "alone where no certificate was asked for",
     false, 0},
    {"method", "what gave the verdict", false, 0},
    {"box", "calibrations that the verdict speaks of", false, 0},
    {"radius_percent", "largest box around the base, in per cent of every constant, with a proof",
     true, 4},
    {"nearest_flip_constant", "the constant whose flip is nearest to its base", false, 0},
    {"nearest_flip_value", "its value there, exact", false, 0},
    {"nearest_flip_percent", "how far that is from its base", true, 4},
    {"worst_corner", "KEYs of the calibration with the least margin that was found", false, 0},
};

/* Positive: the gate holds. Not finite: there is none (== and !=, a limit of 0, no value). */
static double margin_of(const ks_study_figure *figure, const ks_answer *answer) {
    if (answer->gate == KS_GATE_UNKNOWN || figure->op[0] == '=' || figure->op[0] == '!' ||
        ks_exact_sign(&answer->limit) == 0)
        return NAN;
    ks_exact difference = ks_exact_sub(&answer->value, &answer->limit);
    ks_exact share = ks_exact_div(&difference, &answer->limit);
    double margin = 100 * ks_exact_double(&share);
    if (ks_exact_sign(&answer->limit) < 0) margin = -margin;
    ks_exact_free(&difference);
    ks_exact_free(&share);
    return figure->op[0] == '<' ? -margin : margin;
}

static void add_line(ks_method_context *c, ks_table *table, size_t f) {
    const ks_study_figure *figure = &c->study->figures[f];
    const ks_answer *base = &c->base[f];
    const bool has_limit = base->gate != KS_GATE_UNKNOWN;
    ks_table_text(table, figure->name);
    ks_table_text(table, figure->gate_text);
    ks_table_answer(table, base);
    ks_table_double(table, has_limit ? ks_exact_double(&base->limit) : NAN);
    ks_table_double(table, margin_of(figure, base));
    ks_table_text(table, ks_gate_state_name(base->gate));
    ks_table_text(table, "base");
    ks_table_text(table, "base");
    for (int i = 0; i < 5; i++) ks_table_none(table);
}

ks_status ks_robustness_add_table(ks_method_context *c) {
    ks_table *table =
        ks_method_table(c, "robustness", "Does each gate survive", columns, KS_COUNT_OF(columns));
    if (!table) return KS_NO_MEMORY;
    for (size_t f = 0; f < c->study->figure_count; f++)
        if (c->study->figures[f].op) add_line(c, table, f);
    return KS_OK;
}
