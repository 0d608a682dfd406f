/* Points of two reports, or of a golden and a report, held against each other; exact. */
#ifndef KS_GOLDEN_POINTS_DIFF_H
#define KS_GOLDEN_POINTS_DIFF_H

#include "golden/points_file.h"
#include "result/points_diff.h"

typedef struct ks_points_comparison ks_points_comparison;

/* Both must outlive it. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_points_compare(const ks_points *left, const ks_points *right,
                                       ks_points_comparison **out);
void ks_points_comparison_free(ks_points_comparison *comparison); /* NULL is fine */
const ks_points_diff *ks_points_diff_of(const ks_points_comparison *comparison);

/* What moved of a point that both have; false: nothing. Columns that one side has nowhere are not
 * looked at. `change->was` is the left row, *got the right one. */
bool ks_points_change(const ks_points_comparison *comparison, size_t left, size_t right,
                      ks_change *change, ks_row *got);

#endif
