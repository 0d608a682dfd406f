/* What all methods together say of each gate: one line of robustness.csv. Seen by study/ only. */
#ifndef KS_STUDY_ROBUSTNESS_H
#define KS_STUDY_ROBUSTNESS_H

#include "study/method.h"

/* A new line of a gate, to be filled. NULL: out of memory. */
ks_certificate_line *ks_robustness_add_line(ks_method_context *context, size_t figure);
void ks_robustness_free_lines(ks_method_context *context);

KS_CHECKED ks_status ks_robustness_add_table(ks_method_context *context);

#endif
