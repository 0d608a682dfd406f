#include "study/sobol.h"

#include <math.h>
#include <stdlib.h>

const char KS_SOBOL_ESTIMATOR[] = "S1 Saltelli 2010; ST Jansen; S2 Saltelli 2002; y standardised";

static size_t per_sample(const ks_sobol_plan *plan) {
    return (plan->has_second_order ? 2 : 1) * plan->dims + 2;
}

size_t ks_sobol_points(const ks_sobol_plan *plan) { return plan->n * per_sample(plan); }

const char *ks_sobol_refusal(const ks_sobol_plan *plan) {
    if (plan->n < 2 || plan->n > KS_SOBOL_MAX_N) return "a whole number from 2 to 1048576";
    if (plan->kind == KS_SEQUENCE_SOBOL && plan->n & (plan->n - 1))
        return "a power of two (the Sobol' sequence is balanced only then)";
    return NULL;
}

/* ---- the design ---- */

typedef struct design {
    const ks_sobol_plan *plan;
    ks_sequence sequence;
} design;

/* Which matrix gives column `column` of point `part` of a base sample. */
static bool is_from_b(const ks_sobol_plan *plan, size_t part, size_t column) {
    if (part == 0) return false;
    if (part == per_sample(plan) - 1) return true;
    if (part <= plan->dims) return column == part - 1;
    return column != part - 1 - plan->dims;
}

static void at(const void *self, size_t index, double *u) {
    const design *d = self;
    const size_t sample = index / per_sample(d->plan), part = index % per_sample(d->plan);
    for (size_t i = 0; i < d->plan->dims; i++) {
        const size_t dimension = is_from_b(d->plan, part, i) ? d->plan->dims + i : i;
        u[i] = ks_sequence_at(&d->sequence, sample, (uint32_t)dimension);
    }
}

ks_status ks_sobol_ask(const ks_sobol_plan *plan, const ks_response *response, double *y,
                       ks_error *error) {
    design *d = malloc(sizeof *d);
    if (!d) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    d->plan = plan;
    ks_sequence_begin(&d->sequence, plan->kind, plan->seed);
    const ks_status status = ks_response_ask(response, ks_sobol_points(plan), d, at, y, error);
    free(d);
    return status;
}

/* ---- the estimates ---- */

/* The standardised outputs of one base sample after another. */
typedef struct bases {
    const ks_sobol_plan *plan;
    double *y;
    uint32_t *weights; /* how often a base sample counts */
} bases;

/* Sums over base samples, then the indices. s1, st by dimension, s2 as in the result. */
typedef struct sums {
    double *s1, *st, *s2;
} sums;

static void add_pairs(const ks_sobol_plan *plan, const double *y, double weight, sums *s) {
    const size_t dims = plan->dims;
    const double *ab = y + 1, *ba = y + 1 + dims;
    const double product = y[0] * y[per_sample(plan) - 1];
    for (size_t i = 0; i < dims; i++)
        for (size_t j = i + 1; j < dims; j++)
            s->s2[i * dims + j] += weight * (ba[i] * ab[j] - product);
}

static void add_sample(const ks_sobol_plan *plan, const double *y, double weight, sums *s) {
    const double a = y[0], b = y[per_sample(plan) - 1];
    for (size_t i = 0; i < plan->dims; i++) {
        const double ab = y[1 + i];
        s->s1[i] += weight * (b * (ab - a));
        s->st[i] += weight * ((a - ab) * (a - ab));
    }
    if (plan->has_second_order) add_pairs(plan, y, weight, s);
}

static double variance_of(const bases *all_y) {
    const size_t per = per_sample(all_y->plan);
    double count = 0, sum = 0, squares = 0;
    for (size_t r = 0; r < all_y->plan->n; r++) {
        const double weight = all_y->weights[r], a = all_y->y[r * per],
                     b = all_y->y[r * per + per - 1];
        count += 2 * weight;
        sum += weight * (a + b);
        squares += weight * (a * a + b * b);
    }
    const double mean = sum / count;
    return squares / count - mean * mean;
}

static void estimate(const bases *all_y, sums *s) {
    const ks_sobol_plan *plan = all_y->plan;
    const size_t dims = plan->dims, per = per_sample(plan);
    for (size_t i = 0; i < dims; i++) s->s1[i] = s->st[i] = 0;
    for (size_t i = 0; i < dims * dims; i++) s->s2[i] = 0;
    for (size_t r = 0; r < plan->n; r++)
        if (all_y->weights[r]) add_sample(plan, all_y->y + r * per, (double)all_y->weights[r], s);
    const double variance = variance_of(all_y);
    const double scale = variance > 0 ? 1 / (variance * (double)plan->n) : 0;
    for (size_t i = 0; i < dims; i++) {
        s->s1[i] *= scale;
        s->st[i] *= scale / 2;
    }
    for (size_t i = 0; i < dims; i++)
        for (size_t j = i + 1; j < dims; j++)
            s->s2[i * dims + j] = s->s2[i * dims + j] * scale - s->s1[i] - s->s1[j];
}

static void resample(bases *all_y, sums *s, ks_moments *moments, ks_sobol_indices *out) {
    const ks_sobol_plan *plan = all_y->plan;
    const size_t dims = plan->dims;
    const double z = ks_normal_z(plan->bootstrap.confidence);
    for (uint32_t k = 0; k < plan->bootstrap.resamples; k++) {
        ks_bootstrap_weights(&plan->bootstrap, k, all_y->weights, plan->n);
        estimate(all_y, s);
        for (size_t i = 0; i < dims; i++) {
            ks_moments_add(&moments[i], s->s1[i]);
            ks_moments_add(&moments[dims + i], s->st[i]);
        }
        for (size_t i = 0; out->s2 && i < dims * dims; i++)
            ks_moments_add(&moments[2 * dims + i], s->s2[i]);
    }
    for (size_t i = 0; i < dims; i++) {
        out->s1[i] = ks_interval_of(out->s1[i].value, &moments[i], z);
        out->st[i] = ks_interval_of(out->st[i].value, &moments[dims + i], z);
    }
    for (size_t i = 0; out->s2 && i < dims * dims; i++)
        out->s2[i] = ks_interval_of(out->s2[i].value, &moments[2 * dims + i], z);
}

/* Copies the output standardised by mean and sd of the whole sample; false where nothing is left
 * to estimate: a value is missing, or all are the same. */
static bool standardise(const bases *all_y, const double *y, size_t outputs, size_t output,
                        ks_sobol_indices *out) {
    const size_t count = ks_sobol_points(all_y->plan), per = per_sample(all_y->plan);
    ks_moments all = {0}, together = {0};
    for (size_t i = 0; i < count; i++) {
        const double value = y[i * outputs + output];
        all_y->y[i] = value;
        if (value != value) {
            out->missing++;
            continue;
        }
        ks_moments_add(&all, value);
        if (i % per == 0 || i % per == per - 1) ks_moments_add(&together, value);
    }
    out->mean = together.mean;
    out->variance = ks_moments_variance(&together, together.count);
    out->is_constant = out->missing == 0 && !(out->variance > 0);
    if (out->missing || out->is_constant) return false;
    const double sd = sqrt(ks_moments_variance(&all, all.count));
    for (size_t i = 0; i < count; i++) all_y->y[i] = (all_y->y[i] - all.mean) / sd;
    return true;
}

static void fill(bases *all_y, sums *s, ks_moments *moments, ks_sobol_indices *out) {
    const size_t dims = all_y->plan->dims;
    for (size_t r = 0; r < all_y->plan->n; r++) all_y->weights[r] = 1;
    estimate(all_y, s);
    for (size_t i = 0; i < dims; i++) {
        out->s1[i].value = s->s1[i];
        out->st[i].value = s->st[i];
    }
    for (size_t i = 0; out->s2 && i < dims * dims; i++) out->s2[i].value = s->s2[i];
    resample(all_y, s, moments, out);
}

ks_status ks_sobol_estimate(const ks_sobol_plan *plan, const double *y, size_t outputs,
                            size_t output, ks_sobol_indices *out, ks_error *error) {
    const size_t dims = plan->dims, indices = dims * (2 + dims);
    bases all_y = {plan, malloc(ks_sobol_points(plan) * sizeof(double)),
                   malloc(plan->n * sizeof(uint32_t))};
    double *room = calloc(indices, sizeof *room);
    ks_moments *moments = calloc(indices, sizeof *moments);
    ks_status status = KS_NO_MEMORY;
    *out = (ks_sobol_indices){.s1 = calloc(dims, sizeof *out->s1),
                              .st = calloc(dims, sizeof *out->st)};
    if (plan->has_second_order) out->s2 = calloc(dims * dims, sizeof *out->s2);
    if (!all_y.y || !all_y.weights || !room || !moments || !out->s1 || !out->st ||
        (plan->has_second_order && !out->s2)) {
        ks_fail(error, status, "out of memory");
        goto done;
    }
    sums s = {room, room + dims, room + 2 * dims};
    if (standardise(&all_y, y, outputs, output, out)) fill(&all_y, &s, moments, out);
    status = KS_OK;

done:
    free(all_y.y);
    free(all_y.weights);
    free(room);
    free(moments);
    return status;
}

void ks_sobol_indices_free(ks_sobol_indices *indices) {
    free(indices->s1);
    free(indices->st);
    free(indices->s2);
    *indices = (ks_sobol_indices){0};
}
