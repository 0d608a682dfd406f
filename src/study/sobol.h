/* Variance-based indices: the share of an output's variance that a dimension has alone (S1), with
 * all others (ST), and a pair beyond both alone (S2), by Saltelli's design. */
#ifndef KS_STUDY_SOBOL_H
#define KS_STUDY_SOBOL_H

#include "study/response.h"
#include "study/sequence.h"
#include "study/statistics.h"

/* Estimators on y standardised by mean and sd of the whole sample, with A, B and AB_i (A with
 * column i of B): S1 = mean(B (AB_i - A)) / V, ST = mean((A - AB_i)^2) / 2V,
 * S2 = mean(BA_i AB_j - A B) / V - S1_i - S1_j; V the variance of A and B together. */
extern const char KS_SOBOL_ESTIMATOR[];

typedef struct ks_sobol_plan {
    size_t dims; /* at most KS_SEQUENCE_DIMS / 2 */
    size_t n;    /* base samples; of the Sobol' sequence a power of two */
    ks_sequence_kind kind;
    uint64_t seed;
    bool has_second_order;
    ks_bootstrap bootstrap; /* of rows: base samples */
} ks_sobol_plan;

enum { KS_SOBOL_MAX_N = 1 << 20 };

/* NULL when the plan can be carried out, else what was expected of N. */
const char *ks_sobol_refusal(const ks_sobol_plan *plan);
/* dims + 2 points a base sample, 2 dims + 2 with second order. In this order: A, AB_1.., [BA_1..,] B. */
size_t ks_sobol_points(const ks_sobol_plan *plan);

typedef struct ks_sobol_indices {
    double mean, variance; /* of A and B */
    size_t missing;        /* points without a value: then there are no indices */
    bool is_constant;      /* every index is 0 */
    ks_interval *s1, *st;  /* by dimension; owned */
    ks_interval *s2;       /* [i * dims + j], i < j; owned; NULL without second order */
} ks_sobol_indices;

/* Fills y (ks_sobol_points * outputs) by asking. */
KS_CHECKED ks_status ks_sobol_ask(const ks_sobol_plan *plan, const ks_response *response, double *y,
                                  ks_error *error);
/* Of output `output`. */
KS_CHECKED ks_status ks_sobol_estimate(const ks_sobol_plan *plan, const double *y, size_t outputs,
                                       size_t output, ks_sobol_indices *out, ks_error *error);
void ks_sobol_indices_free(ks_sobol_indices *indices);

#endif
