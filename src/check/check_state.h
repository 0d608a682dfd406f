/* Inside of a checker. Seen by check/ only. */
#ifndef KS_CHECK_CHECK_STATE_H
#define KS_CHECK_CHECK_STATE_H

#include "check/check.h"

/* ---- what a command must do, by shape ---- */

typedef enum ks_check_role {
    KS_ROLE_WHOLE, /* one op on whole tensors: pre, single, post, primitives */
    KS_ROLE_READ_A,
    KS_ROLE_READ_B,
    KS_ROLE_FETCH,
    KS_ROLE_GEMM,
    KS_ROLE_TILE_MATH,
    KS_ROLE_STORE,
    KS_ROLE_WRITE_TILE,
    KS_ROLE_WRITE_WHOLE
} ks_check_role;

enum {
    KS_CHECK_MAX_DEPS = 3,
    KS_CHECK_ALL_STORES = 255 /* as dep_count: the first post op waits for every STORE */
};
#define KS_CHECK_NO_TILE UINT32_MAX

/* A stage as MODEL.md section 6 has it. Small: there are as many as rows in a large GEMM. */
typedef struct ks_due {
    uint8_t role, kind, phase, dep_count;
    uint32_t op;
    uint32_t m, n, k; /* or KS_CHECK_NO_TILE */
    uint32_t deps[KS_CHECK_MAX_DEPS];
    uint32_t slot_in, slot_out; /* buffer that is read, written: ADDR of the op_log */
} ks_due;

typedef struct ks_shape {
    struct ks_shape *next;
    const ks_command *sample;
    int gemm;           /* op that drives the tile loop, or -1: primitive or MATH-only */
    uint32_t pre_count; /* stages before the loop */
    bool has_stream[2]; /* a, b */
    bool has_write, has_tile_write;     /* out is hbm; written tile by tile */
    uint32_t m_count, n_count, k_count; /* tiles */
    uint32_t step_stages, tile_stages;  /* stages of a step, of an output tile */
    uint32_t stage_count;
    ks_due *stages;
    struct ks_live *free;
} ks_shape;

/* The shape of a command, made when it is the first of its kind. NULL: out of memory. */
ks_shape *ks_shape_of(ks_check *check, const ks_command *command);
uint32_t ks_shape_store(const ks_shape *shape, uint64_t out_tile); /* its STORE's stage */

/* ---- commands in flight ---- */

#define KS_CHECK_UNSEEN UINT64_MAX

typedef struct ks_seen {
    uint64_t end; /* or KS_CHECK_UNSEEN */
    uint64_t seq;
} ks_seen;

/* From a command's first row until every row was seen; with rw_handles, until it also ended. */
typedef struct ks_live {
    struct ks_live *next_free;
    struct ks_live *before, *after; /* with rw_handles: others like it, by index */
    const ks_command *command;
    ks_shape *shape;
    uint32_t missing;                 /* stages without a row */
    uint32_t pre_missing;             /* of them before the loop */
    bool has_dispatch, is_dispatched; /* a DISPATCH row; all of them */
    bool has_started, is_complete;
    bool has_read[2], has_written; /* DMA rows seen, a and b */
    ks_seen dispatch, last, pre;   /* latest end: of DISPATCH rows, of stages, of pre stages */
    uint32_t next_of_kind[KS_ROW_KIND_COUNT]; /* first stage that is not out of step order */
    ks_seen *seen;                            /* by stage */
} ks_live;

/* The command's state; begins it with its first row. *live is NULL when all of it was seen.
 * KS_NO_MEMORY, or KS_OK. */
KS_CHECKED ks_status ks_live_of(ks_check *check, uint32_t cmd, ks_live **live);
/* Ends it when there is nothing left to see. */
void ks_live_settle(ks_check *check, ks_live *live);
void ks_live_unlink(ks_check *check, ks_live *live); /* from those with rw_handles */
void ks_live_free(ks_live *live);

/* ---- the checker ---- */

typedef struct ks_holder {
    uint64_t start, end, seq; /* the row that holds a server longest */
} ks_holder;

/* A row's place in the op_log's order. */
typedef struct ks_place {
    uint64_t start;
    bool is_stage;
    uint32_t cmd;
    uint64_t index; /* stage; of PE_CPU rows kind and segment */
} ks_place;

typedef struct ks_dispatching {
    bool has_begun;
    uint32_t cmd, next_op; /* the latest command, and its first op that was not dispatched */
    uint32_t command_count;
    uint32_t skipped; /* the first command that was passed over, or KS_NO_COMMAND */
} ks_dispatching;

typedef struct ks_figures {
    uint64_t total_ticks, dispatch_ticks;
    uint64_t busy_ticks[KS_SERVER_COUNT];
} ks_figures;

struct ks_check {
    const ks_program *program;
    const ks_point *point;
    ks_arena *arena;
    ks_check_result result;

    uint64_t tile_m, tile_n, tile_k;
    uint64_t stream_buffers, operand_buffers, acc_buffers;
    uint64_t cap_bytes, header_bytes, operand_bytes;
    bool is_prologue_closed; /* stream_in_prologue = 0 */

    bool has_rows;
    ks_shape *shapes;
    ks_live **lives; /* by command: NULL before its first row, &done after its last */
    ks_live done;
    ks_live *rw_first, *rw_last; /* in flight with rw_handles, by index */
    ks_dispatching dispatching;
    ks_place place; /* of the row before */
    uint64_t place_seq;
    ks_holder holders[KS_SERVER_COUNT];
    ks_figures of_rows, given;
};

/* Counts a violation and, for the first of its invariant, keeps its text: id, row (NULL: none),
 * then the format. */
void ks_check_blame(ks_check *check, ks_invariant id, const ks_op_row *row, const char *format, ...)
    KS_PRINTF(4, 5) __attribute__((cold));

/* Ticks as cycles, for a format's %s: lives as long as the block that it stands in. */
#define KS_CYCLES(ticks) ks_check_cycles((char[KS_DECIMAL_TEXT_MAX]){0}, (ticks))
const char *ks_check_cycles(char *buffer, uint64_t ticks);
/* Names, also of values that have none. */
const char *ks_check_kind_name(ks_row_kind kind);
const char *ks_check_server_name(ks_server server);
static inline bool ks_is_kind(ks_row_kind kind) { return (unsigned)kind < KS_ROW_KIND_COUNT; }
static inline bool ks_is_server(ks_server server) { return (unsigned)server < KS_SERVER_COUNT; }

/* The questions, by file. `live` has the row's stage within its shape where `due` is given. */
void ks_ask_program(ks_check *check); /* check_program.c: gemm_count, tcm_only */

void ks_ask_segment(ks_check *check, const ks_op_row *row, uint32_t cmd, uint32_t first_op,
                    uint64_t bytes); /* check_segment.c: size_cap */
void ks_ask_dispatch(ks_check *check, ks_live *live, const ks_op_row *row);
void ks_ask_all_dispatched(ks_check *check);

void ks_ask_server(ks_check *check, const ks_op_row *row); /* check_server.c: exclusive, bound */
void ks_ask_figures(ks_check *check);

void ks_ask_order(ks_check *check, const ks_op_row *row); /* check_time.c: causal, ... */
void ks_ask_dispatched(ks_check *check, const ks_live *live, const ks_op_row *row);
void ks_ask_deps(ks_check *check, const ks_live *live, const ks_op_row *row, const ks_due *due);
void ks_ask_prologue(ks_check *check, const ks_live *live, const ks_op_row *row);
void ks_ask_fifo(ks_check *check, ks_live *live, const ks_op_row *row);

/* check_moves.c: dma_iff_streamed, writeback. A DMA row that no stage is due for; true: blamed. */
bool ks_ask_extra(ks_check *check, const ks_shape *shape, const ks_op_row *row);
void ks_ask_moves(ks_check *check, const ks_live *live);

void ks_ask_content(ks_check *check, ks_live *live, const ks_op_row *row,
                    const ks_due *due); /* check_content.c: conservation */
void ks_ask_complete(ks_check *check);

/* check_access.c: what a stage must touch, move and compute. */
typedef struct ks_touch {
    uint64_t bytes, elements;
    uint64_t mt, nt, kt;
    uint32_t read_count;
    bool has_write, is_last; /* of the command's stages */
    ks_range reads[KS_MAX_READS];
    ks_range write;
} ks_touch;

void ks_touch_of(const ks_check *check, const ks_live *live, const ks_due *due, ks_touch *touch);

#endif
