/* The run that a bless takes: what it observed, and that it may be blessed. */
#ifndef KS_CLI_BLESS_RUN_H
#define KS_CLI_BLESS_RUN_H

#include "golden/golden_file.h"
#include "sweep/sweep_file.h"

/* REPORT/observed.csv. KS_INPUT: there is none, or it is of another build, of other inputs, of a
 * part of the points, without op_logs that are pinned, cut short; or points are red whatever their
 * golden says. *observed is the caller's to free, whatever the status. *red_gates: groups of the
 * run's gates that are red, which no golden pins. */
KS_CHECKED ks_status ks_bless_run_read(const ks_sweep *sweep, const char *report,
                                       const ks_golden_head *now, ks_golden **observed,
                                       uint64_t *red_gates, ks_error *error);

#endif
