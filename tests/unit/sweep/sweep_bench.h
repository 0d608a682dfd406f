/* Kernels and short forms for the tests of the sweep language. */
#ifndef KS_TEST_SWEEP_BENCH_H
#define KS_TEST_SWEEP_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/grid.h"
#include "sweep/key.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FILE_NAME KS_SOURCE_DIR "/sweeps/t.yaml" /* models and calibration lie beside it */

enum { OPT2, OPT3, GEMM, CHAIN };

static const ks_kernel bench_kernels[] = {
    [OPT2] = {.name = "decode_opt2", .task = KS_TASK_ATTENTION},
    [OPT3] = {.name = "decode_opt3", .task = KS_TASK_ATTENTION},
    [GEMM] = {.name = "gemm", .task = KS_TASK_GEMM},
    [CHAIN] = {.name = "math_chain", .task = KS_TASK_MATH_CHAIN},
};
static const ks_kernel_table bench_table = {bench_kernels, COUNT(bench_kernels)};

static const ks_expr_column bench_columns[] = {{"total_cycles", false, false},
                                               {"dispatch_cycles_per_tile", false, false},
                                               {"rmse", false, true},
                                               {"rmse_full", false, true},
                                               {"bound_by", true, false}};

static const ks_sweep_options bench_options = {.columns = bench_columns,
                                               .column_count = COUNT(bench_columns)};

/* A sweep that must parse. */
static inline ks_sweep *bench_sweep_with(const char *yaml, const ks_sweep_options *options) {
    ks_sweep *sweep;
    ks_error error = {""};
    const ks_status status =
        ks_sweep_parse(FILE_NAME, yaml, strlen(yaml), &bench_table, options, &sweep, &error);
    if (status) fail_msg("%s", error.text);
    return sweep;
}

static inline ks_sweep *bench_sweep(const char *yaml) {
    return bench_sweep_with(yaml, &bench_options);
}

static inline ks_grid *bench_grid(const ks_sweep *sweep) {
    ks_grid *grid;
    ks_error error = {""};
    if (ks_grid_new(sweep, KS_GRID_MAX_POINTS, &grid, &error)) fail_msg("%s", error.text);
    return grid;
}

/* A KEY that must parse. */
static inline ks_point bench_point(const char *key) {
    ks_point point;
    ks_error error = {""};
    if (ks_key_parse(key, &bench_table, &point, &error)) fail_msg("%s", error.text);
    return point;
}

static inline void bench_expect_key(const ks_point *point, const char *key) {
    ks_text text = {0};
    ks_key_print(&text, &bench_table, point);
    assert_string_equal(ks_text_string(&text), key);
    ks_text_free(&text);
}

#endif
