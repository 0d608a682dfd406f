#include "study/statistics.h"

#include <math.h>
#include <string.h>

#include "study/sequence.h"

/* P(|X| <= z) = erf(z / sqrt 2) by its Taylor series: exact to about 1e-12 for z up to 5. */
static double within(double z) {
    static const double TWO_OVER_SQRT_PI = 1.1283791670955126;
    const double x = z / sqrt(2.0);
    double term = x, sum = x;
    for (int n = 1; n < 200; n++) {
        term *= -x * x / n;
        sum += term / (2 * n + 1);
    }
    return TWO_OVER_SQRT_PI * sum;
}

double ks_normal_z(double confidence) {
    double low = 0, high = 5;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (within(middle) < confidence)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void ks_bootstrap_weights(const ks_bootstrap *bootstrap, uint32_t resample, uint32_t *weights,
                          size_t count) {
    memset(weights, 0, count * sizeof *weights);
    /* A stream of its own, apart from the sample's. */
    const uint64_t seed = bootstrap->seed ^ UINT64_C(0x626f6f7473747261);
    for (size_t i = 0; i < count; i++) weights[ks_draw_below(seed, resample, i, count)]++;
}

void ks_moments_add(ks_moments *moments, double value) {
    const double distance = value - moments->mean;
    moments->count++;
    moments->mean += distance / (double)moments->count;
    moments->squares += distance * (value - moments->mean);
}

double ks_moments_variance(const ks_moments *moments, uint64_t divisor) {
    return divisor ? moments->squares / (double)divisor : 0;
}

ks_interval ks_interval_of(double value, const ks_moments *resampled, double z) {
    const double half =
        resampled->count > 1 ? z * sqrt(ks_moments_variance(resampled, resampled->count - 1)) : 0;
    return (ks_interval){value, value - half, value + half};
}
