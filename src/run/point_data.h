/* Mode data of one point: its numbers, its replay, or the result of one before that is the same. */
#ifndef KS_RUN_POINT_DATA_H
#define KS_RUN_POINT_DATA_H

#include "run/data_cache.h"
#include "run/point_run.h"

/* One per worker. */
typedef struct ks_point_data ks_point_data;

ks_point_data *ks_point_data_new(void); /* NULL if out of memory */
void ks_point_data_free(ks_point_data *data);
void ks_point_data_forget(ks_point_data *data); /* the present point is over */

/* All of it may be KS_NO_MEMORY, and nothing else. The program must outlive the point. `spoil`
 * NULL: the point is not spoilt; one that is shares no results. */
KS_CHECKED ks_status ks_point_data_begin(ks_point_data *data, const ks_job *job,
                                         const ks_spoil *spoil, const ks_kernel *kernel,
                                         const ks_point *point, const ks_program *program);
/* Every row of the op_log, in order; `data` is a ks_point_data. */
KS_CHECKED ks_status ks_point_data_row(void *data, const ks_op_row *row);
/* After the last row. `wants_rows`: all of them once more. */
KS_CHECKED ks_status ks_point_data_settle(ks_point_data *data, bool *wants_rows);
/* At the end; what a spoil does to OUT lies in the arena. `fault`: why the op_log cannot be replayed, and there is no result; else "". */
KS_CHECKED ks_status ks_point_data_end(ks_point_data *data, ks_arena *arena, ks_data_result *result,
                                       const char **fault);

bool ks_point_data_is_on(const ks_point_data *data);                /* a point has begun */
const ks_numbers *ks_point_data_numbers(const ks_point_data *data); /* NULL: none were needed */
const float *ks_point_data_out(const ks_point_data *data); /* NULL: the replay has not ended well */

#endif
