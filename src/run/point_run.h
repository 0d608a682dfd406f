/* One point, from its kernel's calls to its row: the only file where host and device meet. */
#ifndef KS_RUN_POINT_RUN_H
#define KS_RUN_POINT_RUN_H

#include "data/data.h"
#include "device/dispatch.h"
#include "device/timeline.h"
#include "host/host.h"
#include "op_log/log_blocks.h"
#include "op_log/op_log.h"
#include "result/row.h"
#include "run/spoil.h"
#include "sweep/sweep_file.h"

/* What is done with every point of a run. */
typedef struct ks_job {
    const ks_kernel_table *kernels;
    const ks_isa *isa; /* of mode data; NULL: the best of this machine */
    ks_mode mode;
    ks_oplog_mode oplog;
    struct ks_data_cache *cache; /* of mode data; NULL: each worker has its own, a small one */
    bool shares_results; /* mode data: points that differ in machine and policy alone are likely */
    bool is_exact_full;  /* no fast path: every program whole and its own, every tile simulated */
    ks_tolerance tolerance[KS_DTYPE_COUNT];
    const char *oplog_folder; /* of oplog full: each log as FOLDER/ID.csv; NULL: not kept */
    ks_op_sink watcher;       /* sees every row after the checks; .row NULL: nobody */
    const ks_spoil *spoil;    /* of selftest; NULL: none */
} ks_job;

/* Memory and state that one thread carries from point to point. */
typedef struct ks_worker ks_worker;

ks_worker *ks_worker_new(void);         /* NULL if out of memory */
void ks_worker_free(ks_worker *worker); /* NULL is fine */

/* Fills the row from verdict to invariants, all but `golden`; the verdict is the point's own, no
 * rule of the sweep is looked at. `key` is its KEY. `detail`: what a person should read about a
 * verdict that is not pass, infeasible or error; else empty.
 * KS_OK whatever the verdict; KS_IO: an op_log could not be written; or what the watcher said. */
KS_CHECKED ks_status ks_point_run(ks_worker *worker, const ks_job *job, const ks_point *point,
                                  const char *key, ks_row *row, ks_error *detail);

/* What the last point of this worker left behind, for `show`; NULL where it did not get so far.
 * Valid until the worker's next point. */
const ks_program *ks_worker_program(const ks_worker *worker);
const ks_timeline *ks_worker_timeline(const ks_worker *worker);
const ks_numbers *ks_worker_numbers(const ks_worker *worker);
const float *ks_worker_out(const ks_worker *worker); /* OUT as float32, of mode data */
const ks_log_blocks *
ks_worker_blocks(const ks_worker *worker); /* of its op_log, where one is made */

#endif
