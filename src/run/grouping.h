/* Numbers for the groups of a grid's points by some of its names, without a text or a table of
 * groups: from the index alone. The grid falls into blocks of indices that follow each other; every
 * group lies in one block, so what is kept of groups can go when the next block begins. */
#ifndef KS_RUN_GROUPING_H
#define KS_RUN_GROUPING_H

#include "sweep/grid.h"

typedef struct ks_grouping ks_grouping;

/* The sweep must outlive it. NULL if out of memory. */
ks_grouping *ks_grouping_new(const ks_sweep *sweep, ks_names names);
void ks_grouping_free(ks_grouping *grouping); /* NULL is fine */

uint64_t ks_grouping_block(const ks_grouping *grouping, uint64_t index);
/* Groups of a block, those without a point too. */
uint64_t ks_grouping_count(const ks_grouping *grouping);
uint64_t ks_grouping_all(const ks_grouping *grouping); /* of all blocks together */
/* Of a point of the grid that is no copy: its group in its block, below the count. Two points of a
 * block have the same number exactly when the names that their kernels take have equal values.
 * Numbers go up with the first index that could be of the group. */
uint64_t ks_grouping_number(const ks_grouping *grouping, uint64_t index, const ks_point *point);

#endif
