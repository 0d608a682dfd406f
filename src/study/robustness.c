#include "study/robustness.h"

#include <math.h>
#include <stdlib.h>

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
    {"radius_percent",
     "largest box around the base, in per cent of every constant, with a proof; "
     "0: none",
     true, 4},
    {"nearest_flip_constant", "the constant whose flip is nearest to its base", false, 0},
    {"nearest_flip_value", "its value there, exact: a decimal, or a fraction", false, 0},
    {"nearest_flip_percent", "how far that is from its base", true, 4},
    {"worst_corner", "KEYs of the calibration with the least margin that was found", false,
     KS_TABLE_FILE_ONLY},
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

/* As a decimal where it is a value of the lattice, else as a fraction. */
static void add_exact(ks_table *table, const ks_exact *value) {
    const ks_exact unit = ks_exact_of_u64(KS_TICKS_PER_UNIT);
    ks_exact ticks = ks_exact_mul(value, &unit);
    uint64_t whole = 0;
    const bool fits = ks_exact_floor(&ticks, &whole);
    ks_exact floor = ks_exact_of_u64(whole);
    if (fits && ks_exact_compare(&ticks, &floor) == 0)
        ks_table_decimal(table, whole);
    else
        ks_table_exact(table, value);
    ks_exact_free(&ticks);
    ks_exact_free(&floor);
}

static void add_flip(const ks_method_context *c, ks_table *table, size_t f) {
    const ks_gate_note *note = &c->notes[f];
    if (!note->has_flip) {
        for (int i = 0; i < 3; i++) ks_table_none(table);
        return;
    }
    ks_table_text(table, ks_study_constant_name(&c->study->constants[note->flip_constant]));
    add_exact(table, &note->flip_value);
    ks_table_double(table, note->flip_percent);
}

ks_certificate_line *ks_robustness_add_line(ks_method_context *c, size_t figure) {
    ks_certificate_line *lines = realloc(c->lines, (c->line_count + 1) * sizeof *lines);
    if (!lines) return NULL;
    c->lines = lines;
    lines[c->line_count] = (ks_certificate_line){.figure = figure, .radius_percent = NAN};
    return &lines[c->line_count++];
}

void ks_robustness_free_lines(ks_method_context *c) {
    for (size_t i = 0; i < c->line_count; i++) {
        ks_text_free(&c->lines[i].method);
        ks_text_free(&c->lines[i].box);
        ks_text_free(&c->lines[i].worst_corner);
    }
    free(c->lines);
    c->lines = NULL;
    c->line_count = 0;
}

/* `line` NULL: no certificate was asked for. */
static void add_line(ks_method_context *c, ks_table *table, size_t f,
                     const ks_certificate_line *line) {
    const ks_study_figure *figure = &c->study->figures[f];
    const ks_answer *base = &c->base[f];
    const bool has_limit = base->gate != KS_GATE_UNKNOWN;
    ks_table_text(table, figure->name);
    ks_table_text(table, figure->gate_text);
    ks_table_answer(table, base);
    ks_table_double(table, has_limit ? ks_exact_double(&base->limit) : NAN);
    ks_table_double(table, margin_of(figure, base));
    ks_table_text(table, line ? line->verdict : ks_gate_state_name(base->gate));
    ks_table_text(table, line ? ks_text_string(&line->method) : "base");
    ks_table_text(table, line ? ks_text_string(&line->box) : "base");
    ks_table_double(table, line ? line->radius_percent : NAN);
    add_flip(c, table, f);
    ks_table_text(table, line ? ks_text_string(&line->worst_corner) : "");
}

static void add_lines(ks_method_context *c, ks_table *table, size_t f) {
    bool has_line = false;
    for (size_t i = 0; i < c->line_count; i++) {
        if (c->lines[i].figure != f) continue;
        add_line(c, table, f, &c->lines[i]);
        has_line = true;
    }
    if (!has_line) add_line(c, table, f, NULL);
}

ks_status ks_robustness_add_table(ks_method_context *c) {
    ks_table *table =
        ks_method_table(c, "robustness", "Does each gate survive", columns, KS_COUNT_OF(columns));
    if (!table) return KS_NO_MEMORY;
    for (size_t f = 0; f < c->study->figure_count; f++)
        if (c->study->figures[f].op) add_lines(c, table, f);
    return KS_OK;
}
