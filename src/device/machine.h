/* The calibration as the engines use it: whole constants as integers, decimals in ticks. */
#ifndef KS_DEVICE_MACHINE_H
#define KS_DEVICE_MACHINE_H

#include "contract/op.h"
#include "contract/point.h"

typedef struct ks_machine {
    uint64_t dispatch_fixed_ticks, dispatch_ticks_per_byte;
    uint64_t segment_cap_bytes, op_header_bytes, operand_bytes, queue_depth;
    uint64_t stream_buffers, operand_buffers, acc_buffers;
    uint64_t dma_ticks_rate, fetch_ticks_rate, store_ticks_rate; /* 10,000 x bytes per cycle */
    uint64_t dma_latency_ticks;                                  /* rounded up to whole cycles */
    uint64_t dma_burst_bytes;
    ks_gemm_rule gemm_rule;
    uint64_t gemm_rows, gemm_cols, gemm_fill_ticks;
    uint64_t tile_m, tile_n, tile_k;
    uint64_t math_lanes, math_startup_ticks;
    uint64_t math_weight_ticks[3]; /* by ks_weight */
    ks_policy policy;
    bool is_streaming_in_prologue;
} ks_machine;

ks_machine ks_machine_of(const ks_point *point);

/* Services of the engines, in ticks: whole cycles, the expression rounded up once, at least one
 * (MODEL.md section 7). UINT64_MAX when the figure is not below 2^63. */
uint64_t ks_dma_occupancy_ticks(const ks_machine *machine, uint64_t rows, uint64_t row_bytes);
uint64_t ks_fetch_ticks(const ks_machine *machine, uint64_t bytes);
uint64_t ks_store_ticks(const ks_machine *machine, uint64_t bytes);
uint64_t ks_gemm_ticks(const ks_machine *machine, uint64_t mt, uint64_t nt, uint64_t kt);
uint64_t ks_math_ticks(const ks_machine *machine, ks_op_kind kind, uint64_t elements);

/* All that a stage's service depends on besides the machine: equal works take equal times. */
typedef struct ks_work {
    uint32_t server;  /* a ks_server, not the CPU */
    uint32_t op;      /* MATH: the ks_op_kind, else 0 */
    uint64_t size[3]; /* DMA: rows, bytes of a row; FETCH, STORE: bytes; GEMM: mt, nt, kt; MATH:
                       * elements; the rest 0 */
} ks_work;

uint64_t ks_work_ticks(const ks_machine *machine, const ks_work *work);

#endif
