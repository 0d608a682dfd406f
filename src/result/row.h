/* What is said of one point: its verdict, its figures, and the one list of columns. CSV header,
 * `list --columns`, gates and tables all walk this list. */
#ifndef KS_RESULT_ROW_H
#define KS_RESULT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/text.h"

/* How a cell is held and printed. COUNT: an integer. CYCLES: ticks, printed as an exact decimal of
 * cycles. REAL: a double. WORD: short text. DIGEST: XXH3-128. */
typedef enum ks_column_kind { KS_COUNT, KS_CYCLES, KS_REAL, KS_WORD, KS_DIGEST } ks_column_kind;

/* Columns from `tiles` on, in the order of points.csv. X(kind, name, unit, meaning) */
#define KS_COLUMN_MAP(X)                                                                     \
    X(COUNT, tiles, "tile", "context tiles; 1 for a bench")                                  \
    X(COUNT, commands, "command", "commands issued")                                         \
    X(COUNT, composites, "command", "of these, composites")                                  \
    X(COUNT, logical_bytes, "byte", "logical bytes of all commands")                         \
    X(CYCLES, dispatch_cycles, "cycle", "PE_CPU time of all dispatches")                     \
    X(CYCLES, dispatch_cycles_per_tile, "cycle", "that of the commands of tiles, per tile")  \
    X(CYCLES, total_cycles, "cycle", "completion of the last command")                       \
    X(REAL, total_ns, "ns", "total_cycles / clock_ghz, the nearest double")                  \
    X(CYCLES, cpu_stall_cycles, "cycle", "PE_CPU held back for want of a queue place")       \
    X(CYCLES, cpu_wait_cycles, "cycle", "PE_CPU blocked by WAIT")                            \
    X(CYCLES, busy_dma_rd, "cycle", "occupancy of the DMA read server")                      \
    X(CYCLES, busy_dma_wr, "cycle", "occupancy of the DMA write server")                     \
    X(CYCLES, busy_fetch, "cycle", "busy time of FETCH")                                     \
    X(CYCLES, busy_store, "cycle", "busy time of STORE")                                     \
    X(CYCLES, busy_gemm, "cycle", "busy time of GEMM")                                       \
    X(CYCLES, busy_math, "cycle", "busy time of MATH")                                       \
    X(CYCLES, crit_cpu, "cycle", "dispatching on the critical path")                         \
    X(CYCLES, crit_dma_rd, "cycle", "DMA read occupancy on the critical path")               \
    X(CYCLES, crit_dma_wr, "cycle", "DMA write occupancy on the critical path")              \
    X(CYCLES, crit_dma_lat, "cycle", "DMA latency on the critical path")                     \
    X(CYCLES, crit_fetch, "cycle", "FETCH on the critical path")                             \
    X(CYCLES, crit_store, "cycle", "STORE on the critical path")                             \
    X(CYCLES, crit_gemm, "cycle", "GEMM on the critical path")                               \
    X(CYCLES, crit_math, "cycle", "MATH on the critical path")                               \
    X(WORD, bound_by, "", "largest of the crit columns")                                     \
    X(COUNT, dma_bytes, "byte", "payload read and written")                                  \
    X(COUNT, macs, "mac", "multiply-accumulates")                                            \
    X(COUNT, tcm_peak_bytes, "byte", "highest end of a TCM allocation")                      \
    X(CYCLES, roofline_cycles, "cycle", "least cycles by DMA rate, MAC array or MATH lanes") \
    X(REAL, max_abs_err, "", "largest |OUT - reference| on the same rounded inputs")         \
    X(REAL, max_rel_err, "", "largest of that over |reference|")                             \
    X(REAL, rmse, "", "root of the mean squared error")                                      \
    X(COUNT, max_ulp_err, "ulp", "largest distance in representable values of dtype")        \
    X(REAL, max_abs_err_full, "", "largest error against the reference on unrounded inputs") \
    X(REAL, rmse_full, "", "root mean square of the same")                                   \
    X(COUNT, nonfinite, "element", "NaN and infinite elements of OUT")                       \
    X(DIGEST, out_xxh128, "", "digest of the final m, l, O and OUT")                         \
    X(COUNT, oplog_records, "record", "rows of the op_log")                                  \
    X(DIGEST, oplog_xxh128, "", "digest of the op_log's bytes")

typedef enum ks_column {
#define X(kind, name, unit, about) KS_COL_##name,
    KS_COLUMN_MAP(X)
#undef X
        KS_COLUMN_COUNT
} ks_column;

typedef struct ks_column_info {
    const char *name;
    ks_column_kind kind;
    const char *unit; /* "" for none */
    const char *about;
} ks_column_info;

const ks_column_info *ks_column_describe(ks_column column);

#define KS_VERDICT_MAP(X) \
    X(pass) X(fail) X(xfail) X(xpass) X(infeasible) X(error) X(doubt) X(timeout) X(crash) X(not_run)
typedef enum ks_verdict {
#define X(name) KS_VERDICT_##name,
    KS_VERDICT_MAP(X)
#undef X
        KS_VERDICT_COUNT
} ks_verdict;
const char *ks_verdict_name(ks_verdict verdict);
bool ks_verdict_find(const char *text, size_t length, ks_verdict *verdict); /* false: no such */

typedef enum ks_golden_state {
    KS_GOLDEN_none,
    KS_GOLDEN_new,
    KS_GOLDEN_match,
    KS_GOLDEN_mismatch
} ks_golden_state;
const char *ks_golden_state_name(ks_golden_state state);

typedef union ks_figure {
    uint64_t count; /* COUNT, CYCLES (ticks) */
    double real;
    char word[16];
    ks_digest digest;
} ks_figure;

/* How a row's timeline came about; the figures are the same either way. forward: tiles were skipped
 * where the machine's state repeats; drift: where it repeats but for PE_CPU's lead. */
#define KS_PATH_MAP(X) X(unsimulated) X(full) X(forward) X(drift)
typedef enum ks_row_path {
#define X(name) KS_PATH_##name,
    KS_PATH_MAP(X)
#undef X
        KS_PATH_COUNT
} ks_row_path;
const char *ks_row_path_name(ks_row_path path);

enum { KS_REASON_BYTES = 192 };

/* A value without pointers. */
typedef struct ks_row {
    char id[17];
    ks_verdict verdict;
    char reason[KS_REASON_BYTES]; /* `name key=number ...`, or "" */
    uint64_t has;                 /* bit by column: the cell has a value */
    ks_figure figures[KS_COLUMN_COUNT];
    ks_golden_state golden;
    ks_row_path path;                 /* no column */
    char invariants[KS_REASON_BYTES]; /* `ok`, `skipped`, or the failed ids joined by `|` */
} ks_row;

static inline bool ks_row_has(const ks_row *row, ks_column column) {
    return row->has >> column & 1;
}
void ks_row_set_count(ks_row *row, ks_column column, uint64_t count); /* COUNT, CYCLES */
void ks_row_set_real(ks_row *row, ks_column column, double real);
void ks_row_set_word(ks_row *row, ks_column column, const char *word);
void ks_row_set_digest(ks_row *row, ks_column column, const ks_digest *digest);

/* Appends the cell's text; nothing where it has no value. */
void ks_row_print_cell(ks_text *out, const ks_row *row, ks_column column);
/* The cell from the text that ks_row_print_cell gives it, "" for none; `text` need not end with NUL.
 * False: not such a text; the cell has no value then. */
bool ks_row_read_cell(ks_row *row, ks_column column, const char *text, size_t length);
/* Appends `,cell` for every column, then golden and invariants; no line end. */
void ks_row_print_figures(ks_text *out, const ks_row *row);

/* The double nearest to a / b; b > 0. Exact operands, one rounding (ties to even). */
double ks_nearest_quotient(uint64_t a, uint64_t b);

#endif
