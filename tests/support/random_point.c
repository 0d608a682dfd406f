#include "support/random_point.h"

#include <stdio.h>

#include "kernels/kernels.h"
#include "sweep/key.h"

uint64_t random_below(random_source *source, uint64_t limit) {
    uint64_t x = source->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (x ^ (x >> 31)) % limit;
}

uint64_t random_between(random_source *source, uint64_t low, uint64_t high) {
    return low + random_below(source, high - low + 1);
}

static bool is_one_in(random_source *source, uint64_t n) { return random_below(source, n) == 0; }

/* Spread over orders of magnitude. */
static uint64_t spread(random_source *source, uint64_t high) {
    uint64_t limit = 2;
    while (limit < high && !is_one_in(source, 4)) limit *= 2;
    return random_between(source, 1, limit < high ? limit : high);
}

typedef enum draw { WHOLE, DECIMAL, DECIMAL_OR_0, WHOLE_OR_0 } draw;

static const struct {
    ks_constant constant;
    draw draw;
    uint64_t high; /* in units */
    uint64_t keep; /* once in so many draws it keeps its default */
} machine_draws[] = {
    {KS_C_dispatch_fixed_cycles, DECIMAL_OR_0, 500, 3},
    {KS_C_dispatch_cycles_per_byte, DECIMAL_OR_0, 2, 2},
    {KS_C_op_header_bytes, WHOLE_OR_0, 60, 2},
    {KS_C_operand_bytes, WHOLE_OR_0, 20, 2},
    {KS_C_queue_depth, WHOLE, 12, 2},
    {KS_C_stream_buffers, WHOLE, 9, 2},
    {KS_C_operand_buffers, WHOLE, 5, 2},
    {KS_C_acc_buffers, WHOLE, 4, 2},
    {KS_C_dma_bytes_per_cycle, DECIMAL, 400, 2},
    {KS_C_dma_latency_cycles, DECIMAL_OR_0, 900, 2},
    {KS_C_dma_burst_bytes, WHOLE, 300, 2},
    {KS_C_fetch_bytes_per_cycle, DECIMAL, 600, 2},
    {KS_C_store_bytes_per_cycle, DECIMAL, 600, 2},
    {KS_C_gemm_rows, WHOLE, 40, 2},
    {KS_C_gemm_cols, WHOLE, 80, 2},
    {KS_C_gemm_fill_cycles, DECIMAL_OR_0, 100, 2},
    {KS_C_math_lanes, WHOLE, 200, 2},
    {KS_C_math_startup_cycles, DECIMAL_OR_0, 40, 2},
    {KS_C_math_exp_weight, DECIMAL, 20, 2},
    {KS_C_math_div_weight, DECIMAL, 20, 2},
};

static uint64_t constant_ticks(random_source *source, draw kind, uint64_t high) {
    if ((kind == DECIMAL_OR_0 || kind == WHOLE_OR_0) && is_one_in(source, 5)) return 0;
    const uint64_t whole = spread(source, high) * KS_TICKS_PER_UNIT;
    if (kind == WHOLE || kind == WHOLE_OR_0 || is_one_in(source, 2)) return whole;
    return whole - random_below(source, KS_TICKS_PER_UNIT);
}

void random_machine(random_source *source, ks_point *point) {
    ks_calibration *c = &point->calibration;
    for (size_t i = 0; i < sizeof machine_draws / sizeof machine_draws[0]; i++)
        if (!is_one_in(source, machine_draws[i].keep))
            c->values[machine_draws[i].constant] =
                constant_ticks(source, machine_draws[i].draw, machine_draws[i].high);
    c->values[KS_C_gemm_rule] = random_below(source, KS_RULE_COUNT);
    point->params[KS_P_policy] = random_below(source, KS_POLICY_COUNT);
    point->params[KS_P_stream_in_prologue] = is_one_in(source, 3);
    /* From one op a segment to all of them: 40 + 3 x 20 + 60 bytes is the largest op. */
    c->values[KS_C_max_composite_logical_bytes] =
        random_between(source, 200, is_one_in(source, 2) ? 400 : 2000) * KS_TICKS_PER_UNIT;
}

static uint64_t tile_ticks(random_source *source, uint64_t extent) {
    const uint64_t least = extent / 6 + 1; /* at most seven tiles along an extent */
    return random_between(source, least, extent + 3) * KS_TICKS_PER_UNIT;
}

ks_point random_point(random_source *source, uint64_t kernel) {
    const uint32_t shapes = ks_task_shapes(ks_kernels.kernels[kernel].task);
    ks_point point = ks_point_default();
    point.params[KS_P_kernel] = kernel;
    for (int p = KS_P_G; p <= KS_P_N; p++)
        if (shapes >> p & 1) point.params[p] = spread(source, 150);
    if (shapes >> KS_P_S & 1) {
        const uint64_t tiles = random_between(source, 1, 40);
        const uint64_t width = point.params[KS_P_TILE];
        point.params[KS_P_S] =
            tiles * width - (is_one_in(source, 2) ? random_below(source, width) : 0);
    }
    const bool is_attention = ks_kernels.kernels[kernel].task == KS_TASK_ATTENTION;
    for (int p = KS_P_dtype; p <= KS_P_p_dtype; p++)
        point.params[p] = random_below(
            source, is_attention && p == KS_P_dtype ? KS_DTYPE_COUNT : KS_WIDE_DTYPE_COUNT);
    point.params[KS_P_s_buffers] = is_one_in(source, 4) ? 1 : 2;
    if (point.params[KS_P_s_buffers] < ks_kernels.kernels[kernel].least_s_buffers)
        point.params[KS_P_s_buffers] = 2;
    ks_calibration *c = &point.calibration;
    c->values[KS_C_gemm_tile_m] = tile_ticks(source, point.params[KS_P_G] + point.params[KS_P_M]);
    c->values[KS_C_gemm_tile_n] = tile_ticks(source, 150);
    c->values[KS_C_gemm_tile_k] = tile_ticks(source, 150);
    random_machine(source, &point);
    return point;
}

const char *random_point_key(const ks_point *point, char *text, size_t bytes) {
    ks_text key = {0};
    ks_key_print(&key, &ks_kernels, point);
    snprintf(text, bytes, "%s", ks_text_string(&key));
    ks_text_free(&key);
    return text;
}
