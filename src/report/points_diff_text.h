/* Differences of two reports' points as text and as JSON. */
#ifndef KS_REPORT_POINTS_DIFF_TEXT_H
#define KS_REPORT_POINTS_DIFF_TEXT_H

#include "report/json.h"
#include "result/points_diff.h"

/* Columns that moved and by how much, means of kernels, groups of changed points, and counts. */
void ks_points_diff_print(ks_text *out, const ks_points_diff *diff);
/* The last line of it alone: `points: 90 same, 6 changed, ...`. */
void ks_points_counts_print(ks_text *out, const ks_points_diff *diff);
/* Keys of an object that has begun. */
void ks_points_diff_json(ks_json *json, const ks_points_diff *diff);

/* A changed point on one line: `KEY: verdict pass -> fail, total_cycles 43 -> 43.5, 7 columns`. */
void ks_changed_point_print(ks_text *out, const char *key, const ks_change *change,
                            const ks_row *got);

#endif
