/* The invariants of MODEL.md section 10, asked of every op_log: a second look that shares nothing
 * with the device. Stages, their order, tiles and addresses are derived again from the program and
 * the calibration; what is asked follows from what is fed.
 *
 *     check = ks_check_new(program, point, arena)          gemm_count, tcm_only
 *     every row of the op_log: ks_check_row(check, row)    all others but bound and numeric, or,
 *     every segment: ks_check_segment(check, ...)          without an op_log, size_cap alone
 *     ks_check_figures(check, ...)                         bound
 *     ks_check_numeric(check, ...)                         numeric
 *     result = ks_check_finish(check)
 */
#ifndef KS_CHECK_CHECK_H
#define KS_CHECK_CHECK_H

#include "base/arena.h"
#include "base/text.h"
#include "contract/command.h"
#include "contract/point.h"
#include "op_log/op_log.h"

/* In the order of MODEL.md. */
#define KS_INVARIANT_MAP(X)  \
    X(gemm_count)            \
    X(no_stream_in_prologue) \
    X(fifo)                  \
    X(dma_iff_streamed)      \
    X(writeback)             \
    X(tcm_only)              \
    X(size_cap)              \
    X(exclusive)             \
    X(causal)                \
    X(conservation)          \
    X(bound)                 \
    X(numeric)

typedef enum ks_invariant {
#define X(name) KS_INVARIANT_##name,
    KS_INVARIANT_MAP(X)
#undef X
        KS_INVARIANT_COUNT
} ks_invariant;

const char *ks_invariant_name(ks_invariant id);
static inline uint32_t ks_invariant_bit(ks_invariant id) { return UINT32_C(1) << id; }

/* Appends the ids of a mask of bits, joined by `|`. */
void ks_invariants_print(ks_text *out, uint32_t mask);

/* What a point gives a checker to look at. */
typedef enum ks_check_feed {
    KS_CHECK_DISPATCH, /* mode dispatch: segments */
    KS_CHECK_TIMELINE, /* segments and figures, no op_log */
    KS_CHECK_OP_LOG,   /* rows and figures */
    KS_CHECK_DATA      /* rows, figures and the numeric verdict */
} ks_check_feed;

/* The invariants that have to be asked of such a point: compare with `asked` of the result, so
 * that an op_log that was lost on the way does not pass. */
uint32_t ks_check_due(const ks_point *point, ks_check_feed feed);

typedef struct ks_check ks_check;

/* Keeps `program` and `point`, which must outlive it. Memory is the arena's: nothing a command
 * before the first row, then 8 bytes a command, 16 a stage in flight, and 44 a stage of each
 * different shape of command. NULL if out of memory. */
ks_check *ks_check_new(const ks_program *program, const ks_point *point, ks_arena *arena);

/* Takes the next row; `check` is a ks_check (the shape of ks_op_sink.row). KS_OK, whatever is
 * wrong with the row, or KS_NO_MEMORY. A row may hold anything but wild pointers. */
KS_CHECKED ks_status ks_check_row(void *check, const ks_op_row *row);

/* A dispatched segment, for callers without an op_log; a DISPATCH row does it by itself. */
void ks_check_segment(ks_check *check, uint32_t cmd, uint32_t first_op, uint64_t bytes);

/* The point's figures: busy_ticks as in the device's timeline (of the CPU its dispatching). Rows
 * may come before and after. */
void ks_check_figures(ks_check *check, uint64_t total_ticks,
                      const uint64_t busy_ticks[KS_SERVER_COUNT], uint64_t dispatch_ticks);

/* Data mode's verdict; `text` says why it failed. */
void ks_check_numeric(ks_check *check, bool has_passed, const char *text);

typedef struct ks_check_result {
    uint32_t asked, failed; /* masks of ks_invariant_bit */
    uint64_t violation_count;
    uint64_t counts[KS_INVARIANT_COUNT]; /* violations of each */
    /* The first of each, `id: row 812 (cmd 13 stage 4 GEMM) ...`; or NULL. */
    const char *texts[KS_INVARIANT_COUNT];
} ks_check_result;

/* After the last row and figure, once. The arena's. */
const ks_check_result *ks_check_finish(ks_check *check);

#endif
