/* Monte-Carlo filtering: along which dimension do the points that pass a gate lie elsewhere than
 * those that fail it? */
#ifndef KS_STUDY_FILTER_H
#define KS_STUDY_FILTER_H

#include "base/status.h"
#include "study/statistics.h"

typedef struct ks_filter_result {
    size_t passed, failed;
    double distance; /* Kolmogorov-Smirnov: largest difference of the two distribution functions; 0
                        where one side is empty */
    double
        critical; /* distances above it are significant at 5 % (two-sample, large n); 0 likewise */
} ks_filter_result;

/* value[i] of point i along the dimension, whether it passes. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_filter(const double *values, const bool *passes, size_t count,
                               ks_filter_result *out);

#endif
