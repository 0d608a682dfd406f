/* A point spoilt on its way: selftest changes what the machine made of one point, so that the checks
 * behind it, which are those of any run, have something to find. A run without a spoil is not touched. */
#ifndef KS_RUN_SPOIL_H
#define KS_RUN_SPOIL_H

#include "data/data.h"
#include "device/timeline.h"
#include "host/host.h"
#include "op_log/log_blocks.h"
#include "op_log/resolve.h"
#include "result/row.h"

/* A point's op_log. There is room for KS_SPOIL_MORE rows more than the machine made. */
typedef struct ks_kept_rows {
    ks_op_row *rows;
    size_t count, room;
} ks_kept_rows;

enum { KS_SPOIL_MORE = 8 };

/* Called in this order; NULL: left as it is. `which`: a choice of the function's own. */
typedef struct ks_spoil {
    const char *key; /* of the point */
    int which;
    void (*program)(int which, ks_program *program, ks_arena *arena);
    void (*rows)(int which, ks_kept_rows *rows);
    void (*timeline)(int which, ks_timeline *timeline);
    void (*out)(int which, float *out, uint64_t count); /* OUT, of mode data */
    void (*row)(int which, ks_row *row);                /* before rules and goldens */
} ks_spoil;

/* What the point was lowered to, with the program spoilt in *own where there is anything to spoil. */
const ks_lowering *ks_spoil_lowering(const ks_spoil *spoil, const ks_lowering *lowering,
                                     ks_lowering *own, ks_arena *arena);

/* `out` itself where `spoil` is NULL or has nothing to do with it, else a spoilt copy. NULL: out of
 * memory. */
const float *ks_spoil_out(const ks_spoil *spoil, const ks_numbers *numbers, const float *out,
                          ks_arena *arena);

/* What a spoilt op_log comes to. */
typedef struct ks_spoilt_log {
    ks_digest digest;
    uint64_t row_count;
    ks_log_blocks blocks;
} ks_spoilt_log;

/* As ks_timeline_run, but the op_log is kept until it is whole, spoilt, printed and digested, and then
 * passed on. */
KS_CHECKED ks_status ks_spoil_run(const ks_spoil *spoil, const ks_program *program,
                                  const ks_machine *machine, ks_arena *arena,
                                  const ks_op_sink *next, ks_timeline *timeline,
                                  ks_spoilt_log *log);
/* In the place of what the machine's own came to. */
static inline void ks_spoilt_log_take(const ks_spoilt_log *log, ks_digest *digest,
                                      uint64_t *row_count, ks_log_blocks *blocks) {
    *digest = log->digest;
    *row_count = log->row_count;
    *blocks = log->blocks;
}

#endif
