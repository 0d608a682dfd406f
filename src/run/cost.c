#include "run/cost.h"

#include <math.h>

static const double SECONDS_PER_STAGE = 25e-9, SECONDS_PER_RECORD = 100e-9,
                    SECONDS_PER_FLOP = 1e-10, SECONDS_PER_POINT = 5e-6;

static double steps_along(double extent, const ks_point *point, ks_constant tile) {
    const double length = (double)ks_whole_of(&point->calibration, tile);
    return extent < length ? 1 : extent / length;
}

static double loop_steps(const ks_point *point, double m, double n, double k) {
    return steps_along(m, point, KS_C_gemm_tile_m) * steps_along(n, point, KS_C_gemm_tile_n) *
           steps_along(k, point, KS_C_gemm_tile_k);
}

static bool is_decode(const ks_kernel *kernel) {
    return ks_task_shapes(kernel->task) >> KS_P_S & 1;
}

static double stages_of(const ks_kernel *kernel, const ks_point *point, double most_tiles) {
    const uint64_t *p = point->params;
    if (!is_decode(kernel))
        return 8 +
               4 * loop_steps(point, (double)p[KS_P_M], (double)p[KS_P_N], (double)(p[KS_P_K] | 1));
    const double width = (double)(p[KS_P_TILE] < p[KS_P_S] ? p[KS_P_TILE] : p[KS_P_S]);
    double tiles = (double)p[KS_P_S] / width + 1;
    if (tiles > most_tiles) tiles = most_tiles;
    const double scores = loop_steps(point, (double)p[KS_P_G], width, (double)p[KS_P_d]);
    const double values = loop_steps(point, (double)p[KS_P_G], (double)p[KS_P_d], width);
    return 8 + tiles * (14 + 3.5 * (scores + values));
}

double ks_cost_stages(const ks_kernel *kernel, const ks_point *point) {
    return stages_of(kernel, point, HUGE_VAL);
}

/* Where tiles are skipped: those before a state repeats, those that PE_CPU is ahead, and the last. */
static double simulated_stages(const ks_kernel *kernel, const ks_point *point) {
    const double ahead = (double)ks_whole_of(&point->calibration, KS_C_queue_depth) / 2;
    return stages_of(kernel, point, 5 + ahead);
}

static double flops_of(const ks_kernel *kernel, const ks_point *point) {
    const uint64_t *p = point->params;
    /* Inputs and reference cost about ten times the kernel's own arithmetic. */
    if (is_decode(kernel))
        return 4 * (double)p[KS_P_G] * (double)p[KS_P_S] * (double)p[KS_P_d] * 11 +
               200 * (double)p[KS_P_S] * (double)p[KS_P_d];
    return 22 * (double)p[KS_P_M] * (double)p[KS_P_N] * (double)(p[KS_P_K] | 1);
}

double ks_cost_seconds(const ks_kernel *kernel, const ks_point *point, ks_mode mode,
                       ks_oplog_mode oplog) {
    if (mode == KS_MODE_DISPATCH) return SECONDS_PER_POINT;
    if (mode == KS_MODE_TIMING && oplog == KS_OPLOG_NONE)
        return SECONDS_PER_POINT + SECONDS_PER_STAGE * simulated_stages(kernel, point);
    const double per_stage = SECONDS_PER_STAGE + (oplog == KS_OPLOG_NONE ? 0 : SECONDS_PER_RECORD);
    const double timing = SECONDS_PER_POINT + per_stage * ks_cost_stages(kernel, point);
    return mode == KS_MODE_DATA ? timing + SECONDS_PER_FLOP * flops_of(kernel, point) : timing;
}
