/* An op_log that was written as CSV (MODEL.md section 8), read back into fields. */
#ifndef KS_GOLDEN_LOG_FILE_H
#define KS_GOLDEN_LOG_FILE_H

#include "base/text.h"
#include "op_log/op_log.h"

/* What tells a row from all others: which stage of which command, or which PE_CPU row. Texts are
 * pieces of the file. */
typedef struct ks_log_row {
    uint64_t cmd;
    int64_t stage; /* KS_CPU_STAGE for PE_CPU rows */
    ks_server server;
    ks_row_kind kind;
    ks_phase phase;
    const char *op;      /* "" for STALL and WAIT */
    uint64_t m, n, k;    /* or KS_NO_INDEX */
    uint64_t start, end; /* ticks */
    uint64_t bytes, elements;
    const char *reads, *writes; /* `space:0xADDR+BYTES` joined by `|`, or "" */
} ks_log_row;

typedef struct ks_log {
    ks_text bytes;    /* lines and fields end with NUL; owned */
    ks_log_row *rows; /* by seq; owned */
    size_t count;
} ks_log; /* all zero is a log without rows */

enum { KS_LOG_FILE_LIMIT = 1 << 30 };

/* True when the bytes begin as an op_log does. */
bool ks_log_is_one(const char *bytes, size_t length);

/* Takes over `bytes`, whatever it returns. Strict: the header to the letter, 16 fields a line, seq
 * from 0 without a gap, numbers as they are printed, known words, LF, no quotes, a last LF. A
 * complaint is KS_INPUT, `FILE:LINE:COLUMN: found X, expected Y` (column = field, from 1). */
KS_CHECKED ks_status ks_log_parse(const char *file, ks_text bytes, ks_log *log, ks_error *error);
KS_CHECKED ks_status ks_log_read(const char *file, ks_log *log, ks_error *error);
void ks_log_free(ks_log *log); /* leaves a log without rows */

/* Ticks from start to end; negative where a log says so. */
static inline int64_t ks_log_row_ticks(const ks_log_row *row) {
    return (int64_t)(row->end - row->start);
}

static inline bool ks_log_row_is_pause(const ks_log_row *row) {
    return row->kind == KS_ROW_WAIT || row->kind == KS_ROW_STALL;
}

#endif
