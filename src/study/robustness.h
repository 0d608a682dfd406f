/* What all methods together say of each gate: one line of robustness.csv. Seen by study/ only. */
#ifndef KS_STUDY_ROBUSTNESS_H
#define KS_STUDY_ROBUSTNESS_H

#include "study/method.h"

KS_CHECKED ks_status ks_robustness_add_table(ks_method_context *context);

#endif
