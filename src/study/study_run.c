#include "study/study_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/method.h"
#include "study/prover.h"
#include "study/robustness.h"

static const struct method {
    ks_method *run;
    ks_method_check *check; /* NULL: any study will do */
} methods[KS_METHOD_COUNT] = {
    [KS_METHOD_OAT] = {ks_method_oat, NULL},
    [KS_METHOD_ELASTICITY] = {ks_method_elasticity, NULL},
    [KS_METHOD_CENTERED] = {ks_method_centered, ks_check_centered},
    [KS_METHOD_GRID] = {ks_method_grid, ks_check_grid},
    [KS_METHOD_PAIRS] = {ks_method_pairs, ks_check_pairs},
    [KS_METHOD_LIST] = {ks_method_list, NULL},
    [KS_METHOD_MORRIS] = {ks_method_morris, ks_check_morris},
    [KS_METHOD_SOBOL] = {ks_method_sobol, ks_check_sobol},
    [KS_METHOD_FILTER] = {ks_method_filter, ks_check_filter},
    [KS_METHOD_FLIPS] = {ks_method_flips, ks_check_flips},
    [KS_METHOD_BOUNDARY] = {ks_method_boundary, ks_check_boundary},
    [KS_METHOD_CERTIFICATE] = {ks_method_certificate, ks_check_flips},
    [KS_METHOD_WHATIF] = {ks_method_whatif, NULL},
};

ks_status ks_study_refuse(const ks_study *study, ks_error *error) {
    ks_status status = KS_OK;
    for (size_t i = 0; i < study->method_count && !status; i++) {
        const ks_study_method *m = &study->methods[i];
        if (!methods[m->kind].run)
            return ks_place_fail(error, &m->place, "%s: not built yet", ks_method_name(m->kind));
        if (methods[m->kind].check) status = methods[m->kind].check(study, m, error);
    }
    return status;
}

static const ks_table_column constant_columns[] = {
    {"constant", "", false, 0},
    {"unit", "", false, 0},
    {"low", "lower end of its range", true, 0},
    {"base", "value that the study starts from", true, 0},
    {"high", "upper end of its range", true, 0},
    {"per_unit", "of a rate: 1 / base, its cost a unit", true, 4},
    {"source", "where the range comes from", false, 0},
};

static ks_status add_constants(ks_method_context *c) {
    ks_table *table = ks_method_table(c, "constants", "Constants and ranges", constant_columns,
                                      KS_COUNT_OF(constant_columns));
    if (!table) return KS_NO_MEMORY;
    for (size_t k = 0; k < c->study->constant_count; k++) {
        const ks_study_constant *constant = &c->study->constants[k];
        ks_table_text(table, ks_study_constant_name(constant));
        ks_table_text(table, constant->unit);
        ks_table_decimal(table, constant->low);
        ks_table_decimal(table, constant->base);
        ks_table_decimal(table, constant->high);
        ks_table_double(table, constant->is_rate && constant->base
                                   ? (double)KS_TICKS_PER_UNIT / (double)constant->base
                                   : NAN);
        ks_table_text(table, *constant->source ? constant->source : "not said");
    }
    return KS_OK;
}

static const ks_table_column figure_columns[] = {
    {"figure", "name", false, 0},
    {"expression", "what it is made of", false, 0},
    {"value", "at the base", true, 8},
    {"exact", "the same as a fraction", false, 0},
    {"gate", "condition on it", false, 0},
    {"answer", "of the gate at the base: pass or fail", false, 0},
};

static ks_status add_figures(ks_method_context *c) {
    ks_table *table = ks_method_table(c, "figures", "Figures at the base", figure_columns,
                                      KS_COUNT_OF(figure_columns));
    if (!table) return KS_NO_MEMORY;
    for (size_t f = 0; f < c->study->figure_count; f++) {
        const ks_study_figure *figure = &c->study->figures[f];
        ks_table_text(table, figure->name);
        ks_table_text(table, ks_expr_text(figure->expr));
        ks_table_answer(table, &c->base[f]);
        if (c->base[f].has_value)
            ks_table_exact(table, &c->base[f].value);
        else
            ks_table_none(table);
        ks_table_text(table, figure->op ? figure->gate_text : "");
        ks_table_gate(table, figure, &c->base[f]);
    }
    return KS_OK;
}

/* What is asked most stands ahead of how it was found: behind constants and figures. */
enum { KS_PLACE_OF_ANSWER = 2 };

static ks_status run_methods(ks_method_context *c) {
    ks_status status = add_constants(c);
    if (!status) status = add_figures(c);
    for (size_t i = 0; i < c->study->method_count && !status; i++)
        status = methods[c->study->methods[i].kind].run(c, &c->study->methods[i]);
    if (!status) status = ks_robustness_add_table(c);
    if (!status) ks_tables_move_last(c->tables, KS_PLACE_OF_ANSWER);
    return status;
}

/* Every gate that --gate is red for, and why. */
static void say_red_gates(const ks_method_context *c, ks_text *out) {
    for (size_t f = 0; f < c->study->figure_count; f++) {
        const ks_study_figure *figure = &c->study->figures[f];
        if (!figure->op || c->base[f].gate == KS_GATE_HOLDS) continue;
        ks_text_add_format(out, "gate %s %s: %s at the base\n", figure->name, figure->gate_text,
                           c->base[f].gate == KS_GATE_FAILS
                               ? "does not hold"
                               : "no answer, a figure that it needs is missing");
    }
    for (size_t i = 0; i < c->line_count; i++) {
        const ks_certificate_line *line = &c->lines[i];
        const ks_study_figure *figure = &c->study->figures[line->figure];
        if (strcmp(line->verdict, ks_proof_verdict_name(KS_PROVED_PASS)) == 0) continue;
        ks_text_add_format(out, "gate %s %s: %s over %s, expected a proof\n", figure->name,
                           figure->gate_text, line->verdict, line->box.data);
    }
}

static void close(ks_method_context *c, ks_study_outcome *out) {
    out->asked = c->asked + ks_subject_asked(c->subject);
    out->simulated = c->simulated + ks_subject_simulated(c->subject);
    ks_text_add_string(&out->trouble, ks_subject_trouble(c->subject));
    say_red_gates(c, &out->red_gates);
    out->gates_failed = c->unproved;
    for (size_t f = 0; f < c->study->figure_count; f++)
        out->gates_failed += c->study->figures[f].op && c->base[f].gate != KS_GATE_HOLDS;
}

ks_status ks_study_run(const ks_study *study, const ks_study_run_options *options,
                       ks_study_outcome *out, ks_error *error) {
    const ks_subject_options subject_options = {options->threads, options->is_stopped};
    ks_asked base = {0};
    *out = (ks_study_outcome){0};
    ks_method_context c = {
        .study = study, .tables = &out->tables, .options = subject_options, .error = error};
    c.subject = ks_subject_new(study, &subject_options);
    if (!c.subject) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    c.notes = calloc(study->figure_count, sizeof *c.notes);
    ks_status status =
        c.notes ? ks_asked_new(&c, 1, &base) : ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (!status) status = ks_asked_answer(&c, &base);
    c.base = base.answers;
    if (!status) status = run_methods(&c);
    if (!status) close(&c, out);
    if (!status && (ks_tables_have_failed(&out->tables) || out->trouble.has_failed ||
                    out->red_gates.has_failed))
        status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_asked_free(&c, &base);
    for (size_t f = 0; c.notes && f < study->figure_count; f++)
        ks_exact_free(&c.notes[f].flip_value);
    free(c.notes);
    ks_robustness_free_lines(&c);
    ks_subject_free(c.subject);
    return status;
}

void ks_study_outcome_free(ks_study_outcome *outcome) {
    ks_tables_free(&outcome->tables);
    ks_text_free(&outcome->trouble);
    ks_text_free(&outcome->red_gates);
}
