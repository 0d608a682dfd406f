/* What a probe says of a point's neighbours, against simulating them. */
#include "run_bench.h"

#include "run/probe.h"

enum { FIXED = KS_C_dispatch_fixed_cycles, BYTE = KS_C_dispatch_cycles_per_byte };

static const char *const keys[] = {
    "kernel=decode_opt3 G=8 TILE=64 d=128 S=512",
    "kernel=decode_opt2 G=8 TILE=16 d=64 S=200",
    "kernel=decode_opt1 G=4 TILE=32 d=64 S=100",
    "kernel=decode_a1 G=8 TILE=64 d=128 S=512 policy=rw_aware",
    "kernel=decode_opt3 G=8 TILE=64 d=128 S=512 dispatch_fixed_cycles=0.5",
    "kernel=decode_opt2 G=8 TILE=64 d=128 S=256 dma_latency_cycles=0 queue_depth=1",
    "kernel=gemm_bias_relu M=40 K=100 N=130",
};

static uint64_t total_of(const ks_point *point) {
    static ks_worker *worker;
    const ks_job job = {.kernels = &ks_kernels, .mode = KS_MODE_TIMING, .oplog = KS_OPLOG_NONE};
    ks_row row;
    ks_error detail;
    if (!worker) worker = ks_worker_new();
    assert_int_equal(ks_point_run(worker, &job, point, "", &row, &detail), KS_OK);
    assert_int_equal(row.verdict, KS_VERDICT_pass);
    return row.figures[KS_COL_total_cycles].count;
}

static ks_point moved(const ks_point *point, int64_t fixed, int64_t byte) {
    ks_point next = *point;
    next.calibration.values[FIXED] += (uint64_t)fixed;
    next.calibration.values[BYTE] += (uint64_t)byte;
    return next;
}

static void expect_linear(const ks_point *point, const ks_probed *at, int64_t fixed, int64_t byte) {
    const ks_point next = moved(point, fixed, byte);
    const int64_t wanted = (int64_t)at->total_ticks + (int64_t)at->path_segments * fixed +
                           (int64_t)at->path_bytes * byte;
    assert_int_equal(total_of(&next), wanted);
}

static void within_its_reach_total_cycles_is_linear(void **state) {
    (void)state;
    static const int64_t ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {3, 1}, {40, -1}};
    ks_probe *probe = ks_probe_new(&ks_kernels);
    uint64_t reached = 0;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const ks_point point = bench_point(keys[i]);
        ks_probed at;
        ks_error error = {""};
        assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
        assert_true(at.has_figures);
        assert_int_equal(at.total_ticks, total_of(&point));
        for (size_t w = 0; w < COUNT(ways); w++) {
            uint64_t reach = ks_probe_reach(probe, ways[w][0], ways[w][1]);
            /* Neither constant below 0, nor far from where anybody looks. */
            uint64_t most = 2000000;
            if (ways[w][0] < 0) most = point.calibration.values[FIXED];
            if (ways[w][1] < 0) most = point.calibration.values[BYTE];
            if (reach > most) reach = most;
            reached += reach;
            for (int part = 1; part <= 4; part++) {
                const int64_t steps = (int64_t)(reach * (uint64_t)part / 4);
                expect_linear(&point, &at, steps * ways[w][0], steps * ways[w][1]);
            }
        }
    }
    assert_true(reached > 100000);
    ks_probe_free(probe);
}

static void where_the_order_holds_over_a_box_its_corners_are_linear(void **state) {
    (void)state;
    ks_probe *probe = ks_probe_new(&ks_kernels);
    size_t held = 0, broken = 0;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const ks_point point = bench_point(keys[i]);
        const uint64_t fixed = point.calibration.values[FIXED],
                       byte = point.calibration.values[BYTE];
        ks_probed at;
        ks_error error = {""};
        assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
        for (uint64_t half = 1; half <= 4096 && half <= fixed && half / 64 <= byte; half *= 4) {
            const ks_dispatch_box box = {fixed - half, fixed + half, byte - half / 64,
                                         byte + half / 64};
            if (!ks_probe_holds(probe, &box)) {
                broken++;
                continue;
            }
            held++;
            for (int corner = 0; corner < 4; corner++)
                expect_linear(&point, &at, corner & 1 ? (int64_t)half : -(int64_t)half,
                              corner & 2 ? (int64_t)(half / 64) : -(int64_t)(half / 64));
        }
    }
    assert_true(held > 5 && broken > 5);
    ks_probe_free(probe);
}

/* decode_opt3 at FIXED 31, 32, 33: 15072.125, 15178.875, 15278.125 is no line. */
static void no_piece_goes_over_the_known_bend(void **state) {
    (void)state;
    ks_probe *probe = ks_probe_new(&ks_kernels);
    const ks_point point =
        bench_point("kernel=decode_opt3 G=8 TILE=64 d=128 S=1024 dispatch_fixed_cycles=31");
    ks_probed at;
    ks_error error = {""};
    assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
    assert_int_equal(at.total_ticks, 150721250);
    assert_true(ks_probe_reach(probe, 1, 0) < 20000);
    const ks_dispatch_box box = {310000, 330000, 625, 625};
    assert_false(ks_probe_holds(probe, &box));
    ks_probe_free(probe);
}

/* Nothing but a DISPATCH takes no time: with both constants 0 its row starts where it ends. */
static void where_dispatch_is_free_nothing_is_said_of_neighbours(void **state) {
    (void)state;
    ks_probe *probe = ks_probe_new(&ks_kernels);
    const ks_point point = bench_point("kernel=decode_opt2 G=8 TILE=16 d=64 S=64 "
                                       "dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0");
    ks_probed at;
    ks_error error = {""};
    assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
    assert_true(at.has_figures);
    assert_int_equal(ks_probe_reach(probe, 1, 0), 0);
    ks_probe_free(probe);
}

static bool same(ks_probe *probe, const char *a, const char *b) {
    const ks_point x = bench_point(a), y = bench_point(b);
    bool is_same;
    ks_error error = {""};
    assert_int_equal(ks_probe_same_services(probe, &x, &y, &is_same, &error), KS_OK);
    return is_same;
}

#define KEY "kernel=decode_opt2 G=8 TILE=64 d=128 S=512 "

static void services_differ_from_the_value_on_at_which_one_is_rounded_up_further(void **state) {
    (void)state;
    ks_probe *probe = ks_probe_new(&ks_kernels);
    assert_true(same(probe, KEY, KEY "dma_latency_cycles=249.0001"));
    assert_false(same(probe, KEY, KEY "dma_latency_cycles=249"));
    assert_true(same(probe, KEY, KEY "math_startup_cycles=7.0001"));
    assert_false(same(probe, KEY, KEY "math_startup_cycles=8.0001"));
    assert_true(same(probe, KEY, KEY "dispatch_fixed_cycles=0"));
    assert_true(same(probe, KEY, KEY "dma_bytes_per_cycle=64.0001"));  /* 8192 bytes: 127.99 */
    assert_false(same(probe, KEY, KEY "dma_bytes_per_cycle=63.9999")); /* 128.0002 */
    /* Another shape has other works. */
    assert_false(same(probe, "kernel=decode_opt2 G=8 TILE=16 d=64 S=64 store_bytes_per_cycle=32",
                      "kernel=decode_opt2 G=8 TILE=16 d=64 S=64 store_bytes_per_cycle=16"));
    assert_true(same(probe, KEY, KEY "math_startup_cycles=7.0001"));
    ks_probe_free(probe);
}

static void a_point_that_does_not_run_has_no_figures_and_no_services(void **state) {
    (void)state;
    ks_probe *probe = ks_probe_new(&ks_kernels);
    const ks_point point = bench_point(KEY "tcm_bytes=1000");
    ks_probed at;
    ks_error error = {""};
    assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
    assert_false(at.has_figures);
    assert_int_equal(ks_probe_reach(probe, 1, 0), 0);
    assert_false(same(probe, KEY "tcm_bytes=1000", KEY "tcm_bytes=1000"));
    ks_probe_free(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_its_reach_total_cycles_is_linear),
        cmocka_unit_test(where_the_order_holds_over_a_box_its_corners_are_linear),
        cmocka_unit_test(no_piece_goes_over_the_known_bend),
        cmocka_unit_test(where_dispatch_is_free_nothing_is_said_of_neighbours),
        cmocka_unit_test(services_differ_from_the_value_on_at_which_one_is_rounded_up_further),
        cmocka_unit_test(a_point_that_does_not_run_has_no_figures_and_no_services),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
