/* The geometric mean of ratios, for display: the same digits on any machine, without libm. */
#ifndef KS_GOLDEN_GEOMETRIC_MEAN_H
#define KS_GOLDEN_GEOMETRIC_MEAN_H

#include <stdint.h>

typedef struct ks_geometric_mean {
    uint64_t count;
    double mantissa;  /* of the product: in [1/2, 1), times two to the power of exponent */
    int64_t exponent; /* all zero is no ratio */
} ks_geometric_mean;

/* Another ratio to / from; both above 0. */
void ks_geometric_mean_add(ks_geometric_mean *mean, uint64_t from, uint64_t to);
/* Relative error below 1e-12; 1 of no ratio. */
double ks_geometric_mean_of(const ks_geometric_mean *mean);

#endif
