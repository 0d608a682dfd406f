#include "study/morris.h"

#include <math.h>
#include <stdlib.h>

#include "study/sequence.h"

enum { MOST_DIMS = 64 };

static size_t grid_size(const ks_morris_plan *plan) {
    size_t size = 1;
    for (size_t i = 0; i < plan->dims; i++) {
        size *= plan->p;
        if (size > KS_MORRIS_MAX_GRID) return 0;
    }
    return size;
}

const char *ks_morris_refusal(const ks_morris_plan *plan) {
    if (plan->p < 2 || plan->p % 2 || plan->p > KS_MORRIS_MAX_P)
        return "an even number of levels from 2 to 1000";
    if (plan->r == 0 && grid_size(plan) == 0)
        return "a grid of at most 1048576 points for r: all (levels to the power of constants)";
    if (plan->r == 1 || plan->r > KS_MORRIS_MAX_R) return "trajectories from 2 to 100000, or all";
    return NULL;
}

size_t ks_morris_points(const ks_morris_plan *plan) {
    return plan->r ? plan->r * (plan->dims + 1) : grid_size(plan);
}

static double step(const ks_morris_plan *plan) { return plan->p / (2.0 * (plan->p - 1.0)); }

/* ---- trajectories ---- */

typedef struct trajectory {
    uint32_t start[MOST_DIMS]; /* levels */
    bool goes_down[MOST_DIMS];
    size_t order[MOST_DIMS]; /* which dimension moves as the k-th */
} trajectory;

static void draw(const ks_morris_plan *plan, size_t number, trajectory *t) {
    const uint32_t half = plan->p / 2;
    for (size_t i = 0; i < plan->dims; i++) {
        const uint32_t low =
            (uint32_t)ks_draw_below(plan->seed, number, 3 * i, half); /* the lower end */
        t->goes_down[i] = ks_draw_below(plan->seed, number, 3 * i + 1, 2) != 0;
        t->start[i] = t->goes_down[i] ? low + half : low;
        const size_t k = (size_t)ks_draw_below(plan->seed, number, 3 * i + 2, i + 1);
        t->order[i] = t->order[k]; /* Fisher and Yates, inside out */
        t->order[k] = i;
    }
}

static uint32_t moved(const ks_morris_plan *plan, const trajectory *t, size_t i) {
    return t->goes_down[i] ? t->start[i] - plan->p / 2 : t->start[i] + plan->p / 2;
}

static void at(const void *self, size_t index, double *u) {
    const ks_morris_plan *plan = self;
    const double last = plan->p - 1.0;
    if (plan->r == 0) {
        for (size_t i = 0; i < plan->dims; i++, index /= plan->p)
            u[i] = (double)(index % plan->p) / last;
        return;
    }
    trajectory t = {0};
    draw(plan, index / (plan->dims + 1), &t);
    for (size_t i = 0; i < plan->dims; i++) u[i] = t.start[i] / last;
    for (size_t k = 0; k < index % (plan->dims + 1); k++)
        u[t.order[k]] = moved(plan, &t, t.order[k]) / last;
}

ks_status ks_morris_ask(const ks_morris_plan *plan, const ks_response *response, double *y,
                        ks_error *error) {
    return ks_response_ask(response, ks_morris_points(plan), plan, at, y, error);
}

/* ---- effects ---- */

/* The output's values; effect number `e` of dimension `i`. */
typedef struct effects {
    const ks_morris_plan *plan;
    const double *y;
    size_t outputs, output, per_dimension;
    double *of_trajectories; /* [number * dims + i]; NULL of a whole grid */
} effects;

static double value(const effects *e, size_t point) { return e->y[point * e->outputs + e->output]; }

static void fill_trajectories(const effects *e) {
    const ks_morris_plan *plan = e->plan;
    for (size_t number = 0; number < plan->r; number++) {
        trajectory t = {0};
        draw(plan, number, &t);
        for (size_t k = 0; k < plan->dims; k++) {
            const size_t point = number * (plan->dims + 1) + k, i = t.order[k];
            const double rise = value(e, point + 1) - value(e, point);
            e->of_trajectories[number * plan->dims + i] =
                (t.goes_down[i] ? -rise : rise) / step(plan);
        }
    }
}

/* Of a whole grid: number e of dimension i is that from a lower half's level, others running. */
static double grid_effect(const effects *e, size_t i, size_t number) {
    const ks_morris_plan *plan = e->plan;
    size_t stride = 1;
    for (size_t k = 0; k < i; k++) stride *= plan->p;
    const size_t half = plan->p / 2, inner = number % stride, rest = number / stride;
    const size_t low = inner + rest % half * stride + rest / half * stride * plan->p;
    return (value(e, low + half * stride) - value(e, low)) / step(plan);
}

static double effect_at(const effects *e, size_t i, size_t number) {
    if (e->of_trajectories) return e->of_trajectories[number * e->plan->dims + i];
    return grid_effect(e, i, number);
}

static void describe(const effects *e, size_t i, ks_morris_effect *out) {
    ks_moments plain = {0}, sizes = {0};
    for (size_t number = 0; number < e->per_dimension; number++) {
        const double effect = effect_at(e, i, number);
        ks_moments_add(&plain, effect);
        ks_moments_add(&sizes, effect < 0 ? -effect : effect);
    }
    const uint64_t divisor = e->of_trajectories ? plain.count - 1 : plain.count;
    out->mu = plain.mean;
    out->sigma = sqrt(ks_moments_variance(&plain, divisor));
    out->mu_star = (ks_interval){sizes.mean, sizes.mean, sizes.mean};
}

static double resampled_mu_star(const effects *e, size_t i, const uint32_t *weights) {
    double sum = 0;
    for (size_t number = 0; number < e->per_dimension; number++) {
        const double effect = effect_at(e, i, number);
        sum += weights[number] * (effect < 0 ? -effect : effect);
    }
    return sum / (double)e->per_dimension;
}

static void resample(const effects *e, uint32_t *weights, ks_moments *moments,
                     ks_morris_effect *out) {
    const ks_bootstrap *bootstrap = &e->plan->bootstrap;
    const double z = ks_normal_z(bootstrap->confidence);
    for (uint32_t k = 0; k < bootstrap->resamples; k++) {
        ks_bootstrap_weights(bootstrap, k, weights, e->per_dimension);
        for (size_t i = 0; i < e->plan->dims; i++)
            ks_moments_add(&moments[i], resampled_mu_star(e, i, weights));
    }
    for (size_t i = 0; i < e->plan->dims; i++)
        out[i].mu_star = ks_interval_of(out[i].mu_star.value, &moments[i], z);
}

static void look(const effects *e, size_t *missing, bool *is_constant) {
    *missing = 0;
    *is_constant = true;
    for (size_t i = 0; i < ks_morris_points(e->plan); i++) {
        *missing += value(e, i) != value(e, i);
        *is_constant &= value(e, i) == value(e, 0);
    }
}

ks_status ks_morris_estimate(const ks_morris_plan *plan, const double *y, size_t outputs,
                             size_t output, ks_morris_effect *out, ks_error *error) {
    effects e = {plan, y, outputs, output, plan->r, NULL};
    size_t missing;
    bool is_constant;
    look(&e, &missing, &is_constant);
    for (size_t i = 0; i < plan->dims; i++)
        out[i] = (ks_morris_effect){.missing = missing, .is_constant = is_constant};
    if (missing) return KS_OK;
    if (plan->r == 0) {
        e.per_dimension = ks_morris_points(plan) / 2;
        for (size_t i = 0; i < plan->dims; i++) describe(&e, i, &out[i]);
        return KS_OK;
    }
    uint32_t *weights = calloc(plan->r, sizeof *weights);
    ks_moments *moments = calloc(plan->dims, sizeof *moments);
    e.of_trajectories = calloc(plan->r * plan->dims, sizeof(double));
    const bool has_room = weights && moments && e.of_trajectories;
    if (has_room) {
        fill_trajectories(&e);
        for (size_t i = 0; i < plan->dims; i++) describe(&e, i, &out[i]);
        resample(&e, weights, moments, out);
    }
    free(weights);
    free(moments);
    free(e.of_trajectories);
    return has_room ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
}
