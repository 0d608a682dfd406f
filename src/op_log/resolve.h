/* From the device's events to op_log rows: addresses, tiles, operands. */
#ifndef KS_OP_LOG_RESOLVE_H
#define KS_OP_LOG_RESOLVE_H

#include "device/timeline.h"
#include "op_log/op_log.h"

/* Numbers the rows and passes them on. Used as the sink of a timeline: its `event` is
 * ks_op_log_take, its `self` a ks_op_log_feed. */
typedef struct ks_op_log_feed {
    uint64_t row_count;
    ks_op_sink sink;
} ks_op_log_feed;

ks_status ks_op_log_take(void *feed, const ks_event *event);

#endif
