/* Statistics that methods share. Sums run in index order; only + - * / and sqrt are used. */
#ifndef KS_STUDY_STATISTICS_H
#define KS_STUDY_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An estimate with its confidence interval. */
typedef struct ks_interval {
    double value, lo, hi;
} ks_interval;

/* How intervals are made: rows drawn with replacement, `resamples` times; value -+ z * sd of the
 * resampled estimates, z the normal quantile of `confidence`. */
typedef struct ks_bootstrap {
    uint32_t resamples; /* from 2 */
    double confidence;  /* in (0, 1) */
    uint64_t seed;
} ks_bootstrap;

enum { KS_DEFAULT_RESAMPLES = 100 };

/* z with P(|X| <= z) = confidence of a standard normal X; confidence in (0, 1). */
double ks_normal_z(double confidence);

/* How often each of `count` rows is drawn in resample number `resample`. */
void ks_bootstrap_weights(const ks_bootstrap *bootstrap, uint32_t resample, uint32_t *weights,
                          size_t count);

/* Mean and variance (divisor n) of a series that is given value by value (Welford). */
typedef struct ks_moments {
    uint64_t count;
    double mean, squares; /* squares: sum of squared distances from the mean */
} ks_moments;

void ks_moments_add(ks_moments *moments, double value);
double ks_moments_variance(const ks_moments *moments, uint64_t divisor);

ks_interval ks_interval_of(double value, const ks_moments *resampled, double z);

#endif
