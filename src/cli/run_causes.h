/* The causes of a run's failures: points are taken as they end, then the grid is walked again to
 * say where each cause holds and where not. */
#ifndef KS_CLI_RUN_CAUSES_H
#define KS_CLI_RUN_CAUSES_H

#include "cli/options.h"
#include "golden/causes.h"
#include "sweep/grid.h"

typedef struct ks_run_causes ks_run_causes;

/* Sweep, grid and options must outlive it. NULL: out of memory. */
ks_run_causes *ks_run_causes_new(const ks_sweep *sweep, const ks_grid *grid,
                                 const ks_options *options);
void ks_run_causes_free(ks_run_causes *causes); /* NULL is fine */

/* Every point that ran, in grid order. */
KS_CHECKED ks_status ks_run_causes_take(ks_run_causes *causes, const ks_record *record);
/* Texts are those of `causes`. KS_NO_MEMORY, or a rule that divides by zero. */
KS_CHECKED ks_status ks_run_causes_end(ks_run_causes *causes, ks_cause_list *list, ks_error *error);

/* Lets the anchors beside a golden say which row moved first, of at most `count` causes. */
KS_CHECKED ks_status ks_run_causes_ask_anchors(ks_run_causes *causes, const ks_cause_list *list,
                                               size_t count, const char *golden_path,
                                               ks_error *error);

#endif
