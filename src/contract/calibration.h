/* The calibration: every constant of the machine that a user can replace (MODEL.md section 1). */
#ifndef KS_CONTRACT_CALIBRATION_H
#define KS_CONTRACT_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/decimal.h"

/* What values a constant takes. */
typedef enum ks_constant_class {
    KS_WHOLE_FROM_1,
    KS_WHOLE_FROM_0,
    KS_DECIMAL_FROM_0,
    KS_DECIMAL_ABOVE_0,
    KS_GEMM_RULE_NAME /* mac, ws, os */
} ks_constant_class;

/* X(name, class, default, unit, is from the ADR, meaning). KEY order. */
#define KS_CONSTANT_MAP(X)                                                                       \
    X(clock_ghz, DECIMAL_ABOVE_0, 1.25, "GHz", 1, "clock of the PE; turns cycles into ns")       \
    X(dispatch_fixed_cycles, DECIMAL_FROM_0, 40, "cycle", 1,                                     \
      "PE_CPU cost of a dispatched segment")                                                     \
    X(dispatch_cycles_per_byte, DECIMAL_FROM_0, 0.0625, "cycle/byte", 1,                         \
      "PE_CPU cost of a logical byte")                                                           \
    X(max_composite_logical_bytes, WHOLE_FROM_1, 1024, "byte", 1, "cap of a dispatched segment") \
    X(op_header_bytes, WHOLE_FROM_0, 16, "byte", 0, "logical bytes of an op without handles")    \
    X(operand_bytes, WHOLE_FROM_0, 6, "byte", 0, "logical bytes of an operand handle")           \
    X(queue_depth, WHOLE_FROM_1, 8, "command", 0, "composites between arrival and completion")   \
    X(tcm_bytes, WHOLE_FROM_1, 1048576, "byte", 0, "allocatable TCM")                            \
    X(stream_buffers, WHOLE_FROM_1, 4, "step", 0, "steps whose tiles can be staged at once")     \
    X(operand_buffers, WHOLE_FROM_1, 2, "step", 0, "steps whose tiles can be fetched at once")   \
    X(acc_buffers, WHOLE_FROM_1, 2, "tile", 0,                                                   \
      "output tiles that can be accumulated or stored at once")                                  \
    X(dma_bytes_per_cycle, DECIMAL_ABOVE_0, 64, "byte/cycle", 0, "rate of each DMA direction")   \
    X(dma_latency_cycles, DECIMAL_FROM_0, 250, "cycle", 0,                                       \
      "from the end of occupancy to completion")                                                 \
    X(dma_burst_bytes, WHOLE_FROM_1, 64, "byte", 0, "rows of a transfer are rounded up to it")   \
    X(fetch_bytes_per_cycle, DECIMAL_ABOVE_0, 256, "byte/cycle", 0,                              \
      "TCM or staging to operand buffers")                                                       \
    X(store_bytes_per_cycle, DECIMAL_ABOVE_0, 256, "byte/cycle", 0,                              \
      "accumulator to TCM or write staging")                                                     \
    X(gemm_rule, GEMM_RULE_NAME, mac, "", 0,                                                     \
      "cycle rule: mac, ws (weight-stationary), os (output-stationary)")                         \
    X(gemm_rows, WHOLE_FROM_1, 16, "row", 0, "rows of the MAC array")                            \
    X(gemm_cols, WHOLE_FROM_1, 64, "column", 0, "columns of the MAC array")                      \
    X(gemm_fill_cycles, DECIMAL_FROM_0, 16, "cycle", 0, "start-up of a GEMM step (rule mac)")    \
    X(gemm_tile_m, WHOLE_FROM_1, 16, "row", 0, "tile of a GEMM loop along m")                    \
    X(gemm_tile_n, WHOLE_FROM_1, 64, "column", 0, "tile of a GEMM loop along n")                 \
    X(gemm_tile_k, WHOLE_FROM_1, 64, "element", 0, "tile of a GEMM loop along k")                \
    X(math_lanes, WHOLE_FROM_1, 64, "lane", 0, "elements a MATH cycle")                          \
    X(math_startup_cycles, DECIMAL_FROM_0, 8, "cycle", 0, "start-up of a MATH stage")            \
    X(math_exp_weight, DECIMAL_ABOVE_0, 4, "cycle", 0, "cycles of a lane-wide exp_diff")         \
    X(math_div_weight, DECIMAL_ABOVE_0, 4, "cycle", 0,                                           \
      "cycles of a lane-wide div_bcast, rsqrt_mean, rmsnorm")

typedef enum ks_constant {
#define X(name, class, text, unit, from_adr, about) KS_C_##name,
    KS_CONSTANT_MAP(X)
#undef X
        KS_CONSTANT_COUNT
} ks_constant;

typedef enum ks_gemm_rule { KS_RULE_MAC, KS_RULE_WS, KS_RULE_OS, KS_RULE_COUNT } ks_gemm_rule;

/* Values by constant, in ticks (10,000 = 1); gemm_rule holds its ks_gemm_rule. */
typedef struct ks_calibration {
    uint64_t values[KS_CONSTANT_COUNT];
} ks_calibration;

typedef struct ks_constant_info {
    const char *name;
    ks_constant_class value_class;
    const char *default_text;
    const char *unit; /* "" for gemm_rule */
    bool is_from_adr;
    const char *about;
} ks_constant_info;

const ks_constant_info *ks_constant_describe(ks_constant constant);

/* MODEL.md's defaults. */
ks_calibration ks_calibration_default(void);

static inline uint64_t ks_ticks_of(const ks_calibration *c, ks_constant id) {
    return c->values[id];
}
/* Of a whole constant: its value. */
static inline uint64_t ks_whole_of(const ks_calibration *c, ks_constant id) {
    return c->values[id] / KS_TICKS_PER_UNIT;
}

const char *ks_gemm_rule_name(ks_gemm_rule rule);

/* NULL when `ticks` is a value of the constant, else what was expected: "a whole number from 1",
 * "a decimal above 0", ... For gemm_rule any ks_gemm_rule is fine. */
const char *ks_constant_refusal(ks_constant constant, uint64_t ticks);

#endif
