/* Points drawn over the ranges: elementary effects, shares of variance, filtering. */
#include <math.h>
#include <stdlib.h>

#include "study/filter.h"
#include "study/method.h"
#include "study/morris.h"
#include "study/sobol.h"

typedef struct sample {
    ks_response response;
    double *y;
    size_t count; /* points */
} sample;

static ks_status sample_new(ks_method_context *c, size_t count, sample *out) {
    out->response = ks_subject_response(c->subject);
    out->count = count;
    out->y = calloc(count * out->response.outputs, sizeof *out->y);
    return out->y ? KS_OK : ks_fail(c->error, KS_NO_MEMORY, "out of memory");
}

static ks_bootstrap bootstrap_of(const ks_study_method *m) {
    return (ks_bootstrap){(uint32_t)m->resamples, (double)m->confidence_ticks / KS_TICKS_PER_UNIT,
                          m->seed};
}

static void warn(ks_table *table, const char *output, size_t missing, bool is_constant) {
    if (missing)
        ks_text_add_format(&table->notes,
                           "\n**Warning:** %s has no value at %zu points: there are no indices.\n",
                           output, missing);
    if (is_constant)
        ks_text_add_format(&table->notes,
                           "\n**Warning:** %s is the same at every point: its indices are 0.\n",
                           output);
}

static void note_interval(ks_table *table, const ks_study_method *m) {
    ks_text_add_string(&table->notes, "Intervals: ");
    ks_text_add_decimal(&table->notes, m->confidence_ticks * 100);
    ks_text_add_format(&table->notes, " %%, bootstrap of %llu resamples.\n",
                       (unsigned long long)m->resamples);
}

/* ---- morris ---- */

static const ks_table_column morris_columns[] = {
    {"output", "figure of merit, or the gate on one as 0 and 1", false, 0},
    {"constant", "the one that steps", false, 0},
    {"mu", "mean elementary effect over the whole range", true, 4},
    {"mu_star", "mean size of the effects", true, 4},
    {"mu_star_lo", "lower end of its interval", true, 4},
    {"mu_star_hi", "upper end of its interval", true, 4},
    {"sigma", "standard deviation of the effects: interactions and bends", true, 4},
    {"r", "trajectories; 0: every effect of the grid", true, 0},
    {"p", "levels; ranks hang on them", true, 0},
    {"seed", "of the trajectories", true, 0},
};

static ks_morris_plan morris_plan(const ks_study *study, const ks_study_method *m) {
    return (ks_morris_plan){study->constant_count, (uint32_t)m->n, (uint32_t)m->p, m->seed,
                            bootstrap_of(m)};
}

ks_status ks_check_morris(const ks_study *study, const ks_study_method *m, ks_error *error) {
    const ks_morris_plan plan = morris_plan(study, m);
    const char *refusal = ks_morris_refusal(&plan);
    return refusal ? ks_place_fail(error, &m->place, "expected %s", refusal) : KS_OK;
}

static ks_status add_morris(ks_method_context *c, ks_table *table, const ks_morris_plan *plan,
                            const sample *s, ks_morris_effect *effects) {
    for (size_t o = 0; o < s->response.outputs; o++) {
        size_t figure;
        const char *output = ks_subject_output_name(c->subject, o, &figure);
        const ks_status status =
            ks_morris_estimate(plan, s->y, s->response.outputs, o, effects, c->error);
        if (status) return status;
        warn(table, output, effects[0].missing, effects[0].is_constant);
        for (size_t k = 0; k < plan->dims; k++) {
            const bool has_effect = effects[k].missing == 0;
            const double values[] = {effects[k].mu, effects[k].mu_star.value, effects[k].mu_star.lo,
                                     effects[k].mu_star.hi, effects[k].sigma};
            ks_table_text(table, output);
            ks_table_text(table, ks_study_constant_name(&c->study->constants[k]));
            for (size_t i = 0; i < KS_COUNT_OF(values); i++)
                ks_table_double(table, has_effect ? values[i] : NAN);
            ks_table_u64(table, plan->r);
            ks_table_u64(table, plan->p);
            ks_table_u64(table, plan->seed);
        }
    }
    return KS_OK;
}

ks_status ks_method_morris(ks_method_context *c, const ks_study_method *m) {
    const ks_morris_plan plan = morris_plan(c->study, m);
    sample s = {.y = NULL};
    ks_morris_effect *effects = calloc(plan.dims, sizeof *effects);
    ks_status status = sample_new(c, ks_morris_points(&plan), &s);
    if (!effects) status = ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    if (!status) status = ks_morris_ask(&plan, &s.response, s.y, c->error);
    ks_table *table = status ? NULL
                             : ks_method_table(c, "morris", "Elementary effects (Morris)",
                                               morris_columns, KS_COUNT_OF(morris_columns));
    if (!status && !table) status = KS_NO_MEMORY;
    if (!status) {
        ks_text_add_format(&table->notes,
                           "%zu points over the ranges: r = %u trajectories, p = %u levels, seed "
                           "%llu; an effect is that of p / (2 (p - 1)) of the range, scaled to "
                           "all of it. ",
                           s.count, plan.r, plan.p, (unsigned long long)plan.seed);
        note_interval(table, m);
        status = add_morris(c, table, &plan, &s, effects);
    }
    free(effects);
    free(s.y);
    return status;
}

/* ---- sobol ---- */

static const ks_table_column sobol_columns[] = {
    {"output", "figure of merit, or the gate on one as 0 and 1: three different answers", false, 0},
    {"constant", "", false, 0},
    {"S1", "share of the output's variance that the constant has alone", true, 4},
    {"S1_lo", "lower end of its interval", true, 4},
    {"S1_hi", "upper end of its interval", true, 4},
    {"ST", "share with all that it does together with others", true, 4},
    {"ST_lo", "lower end of its interval", true, 4},
    {"ST_hi", "upper end of its interval", true, 4},
    {"N", "base samples", true, 0},
    {"seed", "of the sequence", true, 0},
    {"sequence", "sobol: scrambled Sobol' sequence; random: pseudo-random", false, 0},
    {"estimator", "of S1, ST and S2", false, KS_TABLE_FILE_ONLY},
};

static const ks_table_column s2_columns[] = {
    {"output", "figure of merit, or the gate on one as 0 and 1", false, 0},
    {"constant_a", "first of the pair", false, 0},
    {"constant_b", "second of the pair", false, 0},
    {"S2", "share of the variance that the pair has beyond both alone", true, 4},
    {"S2_lo", "lower end of its interval", true, 4},
    {"S2_hi", "upper end of its interval", true, 4},
    {"N", "base samples", true, 0},
    {"seed", "of the sequence", true, 0},
};

static ks_sobol_plan sobol_plan(const ks_study *study, const ks_study_method *m) {
    return (ks_sobol_plan){
        .dims = study->constant_count,
        .n = m->n,
        .kind = m->is_random ? KS_SEQUENCE_RANDOM : KS_SEQUENCE_SOBOL,
        .seed = m->seed,
        .has_second_order = m->has_second_order,
        .bootstrap = bootstrap_of(m),
    };
}

ks_status ks_check_sobol(const ks_study *study, const ks_study_method *m, ks_error *error) {
    const ks_sobol_plan plan = sobol_plan(study, m);
    const char *refusal = ks_sobol_refusal(&plan);
    return refusal ? ks_place_fail(error, &m->place, "expected %s", refusal) : KS_OK;
}

static void add_interval(ks_table *table, const ks_interval *interval, bool has_value) {
    ks_table_double(table, has_value ? interval->value : NAN);
    ks_table_double(table, has_value ? interval->lo : NAN);
    ks_table_double(table, has_value ? interval->hi : NAN);
}

static void add_indices(const ks_method_context *c, ks_table *table, const ks_sobol_plan *plan,
                        const char *output, const ks_sobol_indices *found) {
    warn(table, output, found->missing, found->is_constant);
    for (size_t k = 0; k < plan->dims; k++) {
        ks_table_text(table, output);
        ks_table_text(table, ks_study_constant_name(&c->study->constants[k]));
        add_interval(table, &found->s1[k], !found->missing);
        add_interval(table, &found->st[k], !found->missing);
        ks_table_u64(table, plan->n);
        ks_table_u64(table, plan->seed);
        ks_table_text(table, ks_sequence_name(plan->kind));
        ks_table_text(table, KS_SOBOL_ESTIMATOR);
    }
}

static void add_pairs(const ks_method_context *c, ks_table *table, const ks_sobol_plan *plan,
                      const char *output, const ks_sobol_indices *found) {
    for (size_t i = 0; i < plan->dims; i++)
        for (size_t j = i + 1; j < plan->dims; j++) {
            ks_table_text(table, output);
            ks_table_text(table, ks_study_constant_name(&c->study->constants[i]));
            ks_table_text(table, ks_study_constant_name(&c->study->constants[j]));
            add_interval(table, &found->s2[i * plan->dims + j], !found->missing);
            ks_table_u64(table, plan->n);
            ks_table_u64(table, plan->seed);
        }
}

static void note_sobol(ks_table *table, const ks_sobol_plan *plan, const ks_study_method *m) {
    ks_text_add_format(&table->notes,
                       "N = %zu base samples (%zu calibrations), seed %llu, sequence %s; "
                       "estimators: %s. ",
                       plan->n, ks_sobol_points(plan), (unsigned long long)plan->seed,
                       ks_sequence_name(plan->kind), KS_SOBOL_ESTIMATOR);
    note_interval(table, m);
    if (plan->kind == KS_SEQUENCE_SOBOL)
        ks_text_add_string(&table->notes,
                           "The bootstrap takes samples for independent; those of the sequence "
                           "err less, so the intervals are wider than need be.\n");
}

static ks_status fill_sobol(ks_method_context *c, const ks_study_method *m,
                            const ks_sobol_plan *plan, const sample *s) {
    ks_table *table = ks_method_table(c, "sobol", "Shares of variance (Sobol')", sobol_columns,
                                      KS_COUNT_OF(sobol_columns));
    ks_table *pairs = table && plan->has_second_order
                          ? ks_method_table(c, "sobol-pairs", "Shares of pairs (Sobol' S2)",
                                            s2_columns, KS_COUNT_OF(s2_columns))
                          : NULL;
    if (!table || (plan->has_second_order && !pairs)) return KS_NO_MEMORY;
    note_sobol(table, plan, m);
    for (size_t o = 0; o < s->response.outputs; o++) {
        size_t figure;
        const char *output = ks_subject_output_name(c->subject, o, &figure);
        ks_sobol_indices found;
        const ks_status status =
            ks_sobol_estimate(plan, s->y, s->response.outputs, o, &found, c->error);
        if (!status) add_indices(c, table, plan, output, &found);
        if (!status && pairs) add_pairs(c, pairs, plan, output, &found);
        ks_sobol_indices_free(&found);
        if (status) return status;
    }
    return KS_OK;
}

ks_status ks_method_sobol(ks_method_context *c, const ks_study_method *m) {
    const ks_sobol_plan plan = sobol_plan(c->study, m);
    sample s = {.y = NULL};
    ks_status status = sample_new(c, ks_sobol_points(&plan), &s);
    if (!status) status = ks_sobol_ask(&plan, &s.response, s.y, c->error);
    if (!status) status = fill_sobol(c, m, &plan, &s);
    free(s.y);
    return status;
}

/* ---- filter ---- */

static const ks_table_column filter_columns[] = {
    {"gate", "gate that parts the sample", false, 0},
    {"constant", "", false, 0},
    {"distance", "Kolmogorov-Smirnov distance of the constant's values where it passes and fails",
     true, 4},
    {"critical", "distances above it are significant at 5 %", true, 4},
    {"passed", "calibrations at which the gate holds", true, 0},
    {"failed", "calibrations at which it does not", true, 0},
    {"N", "calibrations", true, 0},
    {"seed", "of the sequence", true, 0},
    {"sequence", "sobol or random", false, 0},
};

typedef struct filter_plan {
    ks_sequence sequence;
    size_t dims;
} filter_plan;

static void filter_at(const void *design, size_t index, double *u) {
    const filter_plan *plan = design;
    for (size_t k = 0; k < plan->dims; k++)
        u[k] = ks_sequence_at(&plan->sequence, index, (uint32_t)k);
}

/* Points at which the gate has no answer are left out. */
static ks_status add_filter(ks_method_context *c, ks_table *table, const ks_study_method *m,
                            const filter_plan *plan, const sample *s, size_t output) {
    size_t figure, known = 0, outputs = s->response.outputs;
    const char *name = ks_subject_output_name(c->subject, output, &figure);
    double *values = calloc(s->count, sizeof *values);
    bool *passes = calloc(s->count, sizeof *passes);
    ks_status status = values && passes ? KS_OK : KS_NO_MEMORY;
    for (size_t k = 0; k < plan->dims && !status; k++) {
        const ks_study_constant *constant = &c->study->constants[k];
        ks_filter_result found;
        known = 0;
        for (size_t i = 0; i < s->count; i++) {
            const double gate = s->y[i * outputs + output];
            if (isnan(gate)) continue;
            values[known] = (double)ks_lattice_at(constant->constant, constant->low, constant->high,
                                                  ks_sequence_at(&plan->sequence, i, (uint32_t)k));
            passes[known++] = gate != 0;
        }
        status = ks_filter(values, passes, known, &found);
        if (status) break;
        ks_table_text(table, name);
        ks_table_text(table, ks_study_constant_name(constant));
        ks_table_double(table, found.distance);
        ks_table_double(table, found.critical);
        ks_table_u64(table, found.passed);
        ks_table_u64(table, found.failed);
        ks_table_u64(table, s->count);
        ks_table_u64(table, m->seed);
        ks_table_text(table, ks_sequence_name(plan->sequence.kind));
    }
    if (known < s->count)
        ks_text_add_format(&table->notes,
                           "\n**Warning:** %s has no answer at %zu of %zu calibrations.\n", name,
                           s->count - known, s->count);
    free(values);
    free(passes);
    return status ? ks_fail(c->error, status, "out of memory") : KS_OK;
}

ks_status ks_check_filter(const ks_study *study, const ks_study_method *m, ks_error *error) {
    for (size_t f = 0; f < study->figure_count; f++)
        if (study->figures[f].op) return KS_OK;
    return ks_place_fail(error, &m->place,
                         "found no gate, expected a figure with one to filter by");
}

ks_status ks_method_filter(ks_method_context *c, const ks_study_method *m) {
    filter_plan *plan = malloc(sizeof *plan);
    sample s = {.y = NULL};
    ks_status status = sample_new(c, m->n, &s);
    if (!plan) status = ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    if (!status) {
        plan->dims = c->study->constant_count;
        ks_sequence_begin(&plan->sequence, m->is_random ? KS_SEQUENCE_RANDOM : KS_SEQUENCE_SOBOL,
                          m->seed);
        status = ks_response_ask(&s.response, s.count, plan, filter_at, s.y, c->error);
    }
    ks_table *table = status ? NULL
                             : ks_method_table(c, "filter", "What parts pass from fail",
                                               filter_columns, KS_COUNT_OF(filter_columns));
    if (!status && !table) status = KS_NO_MEMORY;
    for (size_t o = c->study->figure_count; o < s.response.outputs && !status; o++)
        status = add_filter(c, table, m, plan, &s, o);
    free(plan);
    free(s.y);
    return status;
}
