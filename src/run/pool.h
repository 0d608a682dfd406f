/* A figure of error over several points that differ in their seed alone. */
#ifndef KS_RUN_POOL_H
#define KS_RUN_POOL_H

#include "result/row.h"

typedef struct ks_pool {
    double squares, weight; /* of root mean squares */
    ks_figure largest;
    uint64_t sum;
} ks_pool;

bool ks_column_can_pool(ks_column column); /* figures of error */

/* Adds a point's figure; `elements`: how many of its OUT were compared. In grid order, as sums of
 * doubles depend on it. */
void ks_pool_add(ks_pool *pool, ks_column column, ks_figure figure, uint64_t elements);

/* rmse, rmse_full: root of the mean square over all elements of all points; the max_ columns:
 * the largest; nonfinite: the sum. */
ks_figure ks_pool_figure(const ks_pool *pool, ks_column column);

#endif
