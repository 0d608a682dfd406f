/* All points of a grid in parallel threads; what comes out leaves in grid order, through a window
 * of bounded size, so memory does not grow with the grid. */
#ifndef KS_RUN_RUNNER_H
#define KS_RUN_RUNNER_H

#include <stdatomic.h>

#include "result/record.h"
#include "result/tally.h"
#include "run/point_run.h"
#include "sweep/grid.h"

typedef struct ks_progress {
    uint64_t ran, planned, red; /* points */
} ks_progress;

typedef struct ks_run_options {
    const ks_job *job;
    int threads;                  /* from 1 */
    bool is_fail_fast;            /* go no further than the window with the first red point */
    const atomic_int *is_stopped; /* not 0: stop as soon as the running points are done; or NULL */

    void *self;
    /* In its worker: fills in the row of a point that need not be simulated. NULL: all must be. */
    bool (*known)(const void *self, const char *key, ks_row *row);
    /* In the worker that ran the point, so several at once: what its golden says of it, and the
     * cells that a golden pins. The record's verdict is the point's own, is_red_alone is settled;
     * `blocks` NULL: it has no op_log. NULL: no golden is wanted. */
    ks_golden_state (*compare)(const void *self, const ks_record *record,
                               const ks_log_blocks *blocks, ks_text *cells, ks_change *change);
    /* Likewise: renders the record's line. */
    void (*format)(const void *self, const ks_record *record, ks_text *line);
    /* In grid order, one at a time; meanwhile points of later windows run. */
    ks_status (*take)(void *self, const ks_record *record, const ks_text *line);
    /* Every index of the grid in order, for gates and winners; row NULL where a rule took it out. */
    ks_status (*take_index)(void *self, uint64_t index, const ks_point *point, const char *label,
                            const ks_row *row, bool does_not_run);
    /* After every point, in its worker, one at a time. NULL: nobody asks. */
    void (*progress)(void *self, const ks_progress *progress);
} ks_run_options;

/* Threads that the machine offers this process. */
int ks_run_threads(void);

/* body(self, thread, index) for every index below count, in any order, in `threads` threads that
 * are numbered from 0: for work that needs no grid. */
void ks_run_each(int threads, size_t count, void *self,
                 void (*body)(void *self, int thread, size_t index));

/* KS_OK when every point has its row, whatever the verdicts; KS_FAILED: fail-fast ended it;
 * KS_IO: stopped, or a line could not be taken; KS_INPUT: a rule divides by zero; KS_NO_MEMORY.
 * The account counts what ran, with all the rest as not_run. */
KS_CHECKED ks_status ks_run(const ks_sweep *sweep, const ks_grid *grid,
                            const ks_run_options *options, uint64_t planned, ks_account *account,
                            ks_error *error);

/* The record's verdict after the sweep's expect rules, and whether it is red. `rule` NULL: none. */
ks_verdict ks_verdict_expected(ks_verdict verdict, const ks_rule *rule, bool *is_red);
/* That verdict after the golden: what moved is red, and fails where it was none or expected. */
ks_verdict ks_verdict_compared(ks_verdict verdict, ks_golden_state state, bool *is_red);

#endif
