/* What ran, in order: the rows of MODEL.md section 8, one at a time, in their final order. */
#ifndef KS_OP_LOG_OP_LOG_H
#define KS_OP_LOG_OP_LOG_H

#include "base/text.h"
#include "contract/command.h"
#include "contract/stage.h"

/* A rectangle of a matrix as a stage touches it. range.addr is its first element, range.bytes
 * its own rows x cols x element size; rows lie handle->cols elements apart. In a buffer (stg,
 * opb, acc, wst) the rectangle is packed; handle then names the tensor whose values (and dtype)
 * it holds, and is NULL for acc (f32) and opb (both tiles, a's first). A transposed b tile is
 * nt rows of kt elements, as it is stored. */
typedef struct ks_access {
    ks_range range;
    uint64_t rows, cols;
    const ks_handle *handle;
} ks_access;

enum { KS_MAX_READS = KS_MAX_OPERANDS + 1 };

typedef struct ks_op_row {
    uint64_t seq;  /* from 0 */
    uint32_t cmd;  /* issue index; of a WAIT or STALL the command waited for or held back */
    int64_t stage; /* index in the command's plan; KS_CPU_STAGE for PE_CPU rows */
    ks_server server;
    ks_row_kind kind;
    ks_phase phase;
    const ks_op *op;  /* what it works for; DISPATCH: its segment's first op; NULL: STALL, WAIT */
    uint64_t m, n, k; /* tile indices, or KS_NO_INDEX */
    uint64_t start, end;   /* ticks; of a DMA stage `end` is its completion... */
    uint64_t occupied_end; /* ...and this the end of its occupancy; elsewhere = end */
    uint64_t bytes, elements;
    uint32_t read_count, write_count; /* write_count is 0 or 1 */
    ks_access reads[KS_MAX_READS];
    ks_access write;

    /* Not columns: what checks and data mode need so that they need not look back. */
    const ks_command *command; /* of `cmd` */
    uint64_t mt, nt, kt;       /* tile extents of a loop stage, else 0 */
    bool is_last_of_command;   /* its completion completes the command */
    uint32_t dep_count;        /* stages of the same command it waited for... */
    const uint32_t *deps;      /* ...as stage indices */
    bool has_cause;            /* false: nothing ended when it started (start of the point) */
    bool is_cause_occupancy;   /* the cause is the end of an occupancy, not a completion */
    uint32_t cause_cmd;        /* the row that the critical path takes from this one */
    int64_t cause_stage;
    uint32_t cause_segment, segment; /* which DISPATCH row of its command, from 0 */
} ks_op_row;

/* Takes the rows in order. KS_OK to go on; anything else ends the simulation with it. */
typedef struct ks_op_sink {
    void *self;
    ks_status (*row)(void *self, const ks_op_row *row);
} ks_op_sink;

#define KS_OP_LOG_HEADER \
    "seq,cmd,stage,server,kind,op,phase,m,n,k,start,end,bytes,elements,reads,writes\n"

/* Appends the row's line with its LF. */
void ks_op_row_print(ks_text *out, const ks_op_row *row);

#endif
