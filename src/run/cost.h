/* What a point costs to run, roughly: to run the longest first, and for `list`. */
#ifndef KS_RUN_COST_H
#define KS_RUN_COST_H

#include "sweep/sweep_file.h"

/* Stages of the point's timeline, roughly. */
double ks_cost_stages(const ks_kernel *kernel, const ks_point *point);

/* Seconds on one thread of a machine of 2025. Only ratios mean anything. */
double ks_cost_seconds(const ks_kernel *kernel, const ks_point *point, ks_mode mode,
                       ks_oplog_mode oplog);

#endif
