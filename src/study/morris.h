/* Elementary effects: what one step along one dimension of a grid of p levels does, wherever the
 * other dimensions stand. The step is p / (2 (p - 1)) of the range. */
#ifndef KS_STUDY_MORRIS_H
#define KS_STUDY_MORRIS_H

#include "study/response.h"
#include "study/statistics.h"

typedef struct ks_morris_plan {
    size_t dims;
    uint32_t r; /* trajectories, from 2; 0: every effect of the grid, so the exact population */
    uint32_t p; /* levels, even */
    uint64_t seed;
    ks_bootstrap bootstrap; /* of trajectories */
} ks_morris_plan;

enum { KS_MORRIS_MAX_R = 100000, KS_MORRIS_MAX_P = 1000, KS_MORRIS_MAX_GRID = 1 << 20 };

/* NULL when the plan can be carried out, else what was expected. */
const char *ks_morris_refusal(const ks_morris_plan *plan);
/* r (dims + 1), or p^dims. */
size_t ks_morris_points(const ks_morris_plan *plan);

typedef struct ks_morris_effect {
    size_t missing;      /* points without a value: then there are no effects */
    bool is_constant;    /* of all points */
    double mu, sigma;    /* sigma with divisor n - 1; of the exact population n */
    ks_interval mu_star; /* of the exact population lo = hi = value */
} ks_morris_effect;

KS_CHECKED ks_status ks_morris_ask(const ks_morris_plan *plan, const ks_response *response,
                                   double *y, ks_error *error);
/* out has room for dims. */
KS_CHECKED ks_status ks_morris_estimate(const ks_morris_plan *plan, const double *y, size_t outputs,
                                        size_t output, ks_morris_effect *out, ks_error *error);

#endif
