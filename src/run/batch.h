/* Points by the list, for studies: figures without op_log, in the order asked. A point that was
 * asked before is not run again. */
#ifndef KS_RUN_BATCH_H
#define KS_RUN_BATCH_H

#include <stdatomic.h>

#include "result/row.h"
#include "sweep/sweep_file.h"

typedef struct ks_batch ks_batch;

typedef struct ks_batch_options {
    const ks_kernel_table *kernels;
    ks_mode mode;   /* dispatch or timing */
    int threads;    /* from 1 */
    ks_names names; /* that tell points apart; all else is the same in every point asked */
    const ks_column *columns; /* wanted: COUNT, CYCLES or REAL */
    size_t column_count;
    size_t memory_bytes; /* of results that are kept; 0: 256 MiB. When full, all are forgotten */
    const atomic_int *is_stopped; /* not 0: ks_batch_run ends with KS_IO; or NULL */
} ks_batch_options;

ks_batch *ks_batch_new(const ks_batch_options *options); /* NULL if out of memory */
void ks_batch_free(ks_batch *batch);                     /* NULL is fine */

typedef union ks_batch_cell {
    uint64_t count; /* COUNT, CYCLES (ticks) */
    double real;
} ks_batch_cell;

/* What became of a point. A point whose verdict is not pass has no figures. */
typedef struct ks_batch_row {
    ks_verdict verdict;
    const ks_batch_cell *cells; /* by wanted column; NULL: no figures. Until the next run */
} ks_batch_row;

/* Row i is that of points[i], whatever the threads. */
KS_CHECKED ks_status ks_batch_run(ks_batch *batch, const ks_point *points, size_t count,
                                  ks_batch_row *rows, ks_error *error);

uint64_t ks_batch_asked(const ks_batch *batch);     /* points */
uint64_t ks_batch_simulated(const ks_batch *batch); /* of these */
/* The first point that has no figures, in words; "" while there is none. */
const char *ks_batch_trouble(const ks_batch *batch);

#endif
