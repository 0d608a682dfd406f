/* Ways to spoil an op_log. Seen by selftest/ only. */
#ifndef KS_SELFTEST_ROW_SPOILS_H
#define KS_SELFTEST_ROW_SPOILS_H

#include "run/spoil.h"

/* For ks_spoil.rows. Each does nothing where the op_log has no such row, and so is not caught. */
typedef void ks_spoil_log(int which, ks_kept_rows *rows);

ks_spoil_log ks_drop_first; /* the first row of the kind `which` of a composite */
ks_spoil_log ks_drop_all;   /* every such row */
ks_spoil_log ks_drop_dispatch;
ks_spoil_log ks_cut_half, ks_lose_log;
ks_spoil_log ks_double_row, ks_row_of_no_command;
ks_spoil_log ks_swap_places; /* of two rows: each is right, their order is not */
ks_spoil_log ks_swap_times;  /* of two stages, one of which waits for the other */
ks_spoil_log ks_start_undispatched;
ks_spoil_log ks_stream_in_prologue; /* V is read while the softmax runs */
ks_spoil_log ks_overlap_server;     /* a DMA_READ starts a tick before its server is free */
ks_spoil_log ks_overlap_state;      /* a composite starts a tick before its state is complete */
ks_spoil_log ks_read_pinned, ks_write_unasked;
ks_spoil_log ks_other_server;
ks_spoil_log ks_grow_segment;
ks_spoil_log ks_lengthen_wait; /* which no invariant looks at */

/* One cell of a FETCH row, by `which`. */
typedef enum ks_flip {
    KS_FLIP_BYTES,
    KS_FLIP_TILE,
    KS_FLIP_READ,
    KS_FLIP_WRITE,
    KS_FLIP_PHASE,
    KS_FLIP_LENGTH
} ks_flip;
ks_spoil_log ks_flip_cell;

#endif
