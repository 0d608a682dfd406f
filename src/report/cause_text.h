/* Causes of failures, a paragraph each. */
#ifndef KS_REPORT_CAUSE_TEXT_H
#define KS_REPORT_CAUSE_TEXT_H

#include "base/text.h"
#include "result/cause.h"

/* What goes wrong, where, by how much, the smallest point, and the commands that show it. `number`
 * counts from 1, `ran` are the points that ran. */
void ks_cause_print(ks_text *out, const ks_failure_cause *cause, size_t number, uint64_t ran);

/* `412 points with TILE >= 64`, `412 of the 500 points with TILE >= 64`, `all 412 points`. */
void ks_cause_where_print(ks_text *out, const ks_failure_cause *cause, uint64_t ran);

#endif
