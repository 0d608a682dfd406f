#include "device/machine.h"

#define KS_WHOLE_CYCLES(ticks) \
    (((ticks) + KS_TICKS_PER_UNIT - 1) / KS_TICKS_PER_UNIT * KS_TICKS_PER_UNIT)

ks_machine ks_machine_of(const ks_point *point) {
    const ks_calibration *c = &point->calibration;
    return (ks_machine){
        .dispatch_fixed_ticks = ks_ticks_of(c, KS_C_dispatch_fixed_cycles),
        .dispatch_ticks_per_byte = ks_ticks_of(c, KS_C_dispatch_cycles_per_byte),
        .segment_cap_bytes = ks_whole_of(c, KS_C_max_composite_logical_bytes),
        .op_header_bytes = ks_whole_of(c, KS_C_op_header_bytes),
        .operand_bytes = ks_whole_of(c, KS_C_operand_bytes),
        .queue_depth = ks_whole_of(c, KS_C_queue_depth),
        .stream_buffers = ks_whole_of(c, KS_C_stream_buffers),
        .operand_buffers = ks_whole_of(c, KS_C_operand_buffers),
        .acc_buffers = ks_whole_of(c, KS_C_acc_buffers),
        .dma_ticks_rate = ks_ticks_of(c, KS_C_dma_bytes_per_cycle),
        .fetch_ticks_rate = ks_ticks_of(c, KS_C_fetch_bytes_per_cycle),
        .store_ticks_rate = ks_ticks_of(c, KS_C_store_bytes_per_cycle),
        .dma_latency_ticks = KS_WHOLE_CYCLES(ks_ticks_of(c, KS_C_dma_latency_cycles)),
        .dma_burst_bytes = ks_whole_of(c, KS_C_dma_burst_bytes),
        .gemm_rule = (ks_gemm_rule)ks_ticks_of(c, KS_C_gemm_rule),
        .gemm_rows = ks_whole_of(c, KS_C_gemm_rows),
        .gemm_cols = ks_whole_of(c, KS_C_gemm_cols),
        .gemm_fill_ticks = ks_ticks_of(c, KS_C_gemm_fill_cycles),
        .tile_m = ks_whole_of(c, KS_C_gemm_tile_m),
        .tile_n = ks_whole_of(c, KS_C_gemm_tile_n),
        .tile_k = ks_whole_of(c, KS_C_gemm_tile_k),
        .math_lanes = ks_whole_of(c, KS_C_math_lanes),
        .math_startup_ticks = ks_ticks_of(c, KS_C_math_startup_cycles),
        .math_weight_ticks = {[KS_WEIGHT_ONE] = KS_TICKS_PER_UNIT,
                              [KS_WEIGHT_EXP] = ks_ticks_of(c, KS_C_math_exp_weight),
                              [KS_WEIGHT_DIV] = ks_ticks_of(c, KS_C_math_div_weight)},
        .policy = (ks_policy)ks_param_of(point, KS_P_policy),
        .is_streaming_in_prologue = ks_param_of(point, KS_P_stream_in_prologue) == 1,
    };
}
