#include "golden/geometric_mean.h"

#include <math.h> /* frexp and ldexp, which are exact */

#include "result/row.h"

static void normalise(ks_geometric_mean *mean) {
    int exponent;
    mean->mantissa = frexp(mean->mantissa, &exponent);
    mean->exponent += exponent;
}

void ks_geometric_mean_add(ks_geometric_mean *mean, uint64_t from, uint64_t to) {
    if (!mean->count++) mean->mantissa = 1;
    mean->mantissa *= ks_nearest_quotient(to, from);
    normalise(mean);
}

/* ln x for x in [1/2, 1): twice the series of artanh((x - 1) / (x + 1)), where |t| <= 1/3. */
static double ln_of(double x) {
    const double t = (x - 1) / (x + 1), square = t * t;
    double sum = 0;
    for (int k = 41; k >= 1; k -= 2) sum = sum * square + 1 / (double)k;
    return 2 * t * sum;
}

/* e to the power of x for |x| < 1. */
static double exp_of(double x) {
    double sum = 1;
    for (int k = 24; k >= 1; k--) sum = 1 + sum * x / k;
    return sum;
}

static const double LN_2 = 0.6931471805599453;

double ks_geometric_mean_of(const ks_geometric_mean *mean) {
    if (!mean->count) return 1;
    const int64_t n = (int64_t)mean->count;
    const int64_t whole = mean->exponent / n, rest = mean->exponent % n;
    const double log_rest = (ln_of(mean->mantissa) + (double)rest * LN_2) / (double)n;
    return ldexp(exp_of(log_rest), (int)whole);
}
