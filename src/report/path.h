/* The critical path of one point, walked back from its op_log rows, in words. */
#ifndef KS_REPORT_PATH_H
#define KS_REPORT_PATH_H

#include "op_log/op_log.h"

/* What the walk needs of every row. Fed in log order; grows with the log. */
typedef struct ks_path_log ks_path_log;

ks_path_log *ks_path_log_new(void);                         /* NULL if out of memory */
void ks_path_log_free(ks_path_log *log);                    /* NULL is fine */
ks_status ks_path_log_row(void *log, const ks_op_row *row); /* the shape of ks_op_sink.row */

typedef struct ks_path_step {
    uint64_t seq;
    uint32_t cmd;
    int64_t stage;
    ks_server server;
    ks_row_kind kind;
    ks_op_kind op;
    uint64_t start, end;     /* of the row */
    uint64_t occupied_ticks; /* its share of the path: service... */
    uint64_t latency_ticks;  /* ...and DMA latency, 0 where the path left at the end of occupancy */
} ks_path_step;

/* The steps from the start of the point to its end; they are the log's until it is fed or freed.
 * KS_BUG when the walk breaks off: the causes in the rows are the simulator's. */
size_t ks_path_walk(ks_path_log *log, const ks_path_step **steps);

#endif
