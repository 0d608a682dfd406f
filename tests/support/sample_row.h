/* Rows with every cell filled, as mode data fills them, and the plainest way to print one. */
#ifndef KS_TEST_SUPPORT_SAMPLE_ROW_H
#define KS_TEST_SUPPORT_SAMPLE_ROW_H

#include "result/record.h"
#include "support/random_point.h"

/* Cycles with fractions, counts of all sizes, errors of seventeen digits. */
ks_row sample_row(random_source *source);
ks_record sample_record(const ks_row *row);

/* A line of points.csv by printf, one cell at a time: what the product's writer is held against. */
void plain_points_line(ks_text *out, const ks_record *record);
/* Shortest digits that read back to the same double, found by trying. */
void plain_double(ks_text *out, double value);

#endif
