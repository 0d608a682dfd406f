/* What is wrong with one point, in words: its verdict, and the cells that moved. */
#ifndef KS_REPORT_POINT_DIFF_TEXT_H
#define KS_REPORT_POINT_DIFF_TEXT_H

#include "base/text.h"
#include "result/record.h"

/* Lines: KEY, verdict and reason, what a person should read; then of every cell that moved what was
 * expected and what was got, and where the op_log first differs as far as blocks tell. */
void ks_point_diff_print(ks_text *out, const ks_record *record);

/* `COLUMN expected A, got B, +C` with its LF, indented. */
void ks_cell_diff_print(ks_text *out, const ks_row *expected, const ks_row *got, ks_column column);

#endif
