/* What a probe says, on machines at random: starved and lavish, with instants that coincide. */
#include "run_bench.h"

#include "run/probe.h"
#include "support/random_point.h"

enum { FIXED = KS_C_dispatch_fixed_cycles, BYTE = KS_C_dispatch_cycles_per_byte, POINTS = 400 };

static ks_worker *worker;
static ks_probe *probe;

/* False: the point does not run. */
static bool total_of(const ks_point *point, uint64_t *ticks) {
    const ks_job job = {.kernels = &ks_kernels, .mode = KS_MODE_TIMING, .oplog = KS_OPLOG_NONE};
    ks_row row;
    ks_error detail;
    assert_int_equal(ks_point_run(worker, &job, point, "", &row, &detail), KS_OK);
    *ticks = row.figures[KS_COL_total_cycles].count;
    return row.verdict == KS_VERDICT_pass;
}

static void expect_linear(const ks_point *point, const ks_probed *at, int64_t fixed, int64_t byte) {
    ks_point next = *point;
    uint64_t ticks;
    char key[1024];
    next.calibration.values[FIXED] += (uint64_t)fixed;
    next.calibration.values[BYTE] += (uint64_t)byte;
    const int64_t wanted = (int64_t)at->total_ticks + (int64_t)at->path_segments * fixed +
                           (int64_t)at->path_bytes * byte;
    assert_true(total_of(&next, &ticks));
    if ((int64_t)ticks != wanted)
        fail_msg("%s: %lld for %lld", random_point_key(&next, key, sizeof key), (long long)ticks,
                 (long long)wanted);
}

static uint64_t at_most(uint64_t value, uint64_t most) { return value < most ? value : most; }

/* How many steps of the way leave both constants at 0 or above. */
static uint64_t room_of(const ks_point *point, int64_t fixed, int64_t byte) {
    uint64_t room = 1000000;
    if (fixed < 0) room = at_most(room, point->calibration.values[FIXED] / (uint64_t)-fixed);
    if (byte < 0) room = at_most(room, point->calibration.values[BYTE] / (uint64_t)-byte);
    return room;
}

static void total_cycles_is_linear_as_far_as_is_said(void **state) {
    (void)state;
    random_source source = {20261130};
    size_t ran = 0, moved = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const ks_point point = random_point(&source, i % ks_kernels.count);
        ks_probed at;
        ks_error error = {""};
        assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
        if (!at.has_figures) continue;
        ran++;
        for (int way = 0; way < 4; way++) {
            const int64_t fixed = (int64_t)random_below(&source, 7) - 3,
                          byte = (int64_t)random_below(&source, 3) - 1;
            const uint64_t reach =
                at_most(ks_probe_reach(probe, fixed, byte), room_of(&point, fixed, byte));
            moved += reach > 0;
            expect_linear(&point, &at, (int64_t)reach * fixed, (int64_t)reach * byte);
            const int64_t part = (int64_t)random_below(&source, reach + 1);
            expect_linear(&point, &at, part * fixed, part * byte);
        }
    }
    assert_true(ran > POINTS / 2 && moved > ran);
}

static void a_box_in_which_the_order_holds_is_linear(void **state) {
    (void)state;
    random_source source = {7};
    size_t held = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const ks_point point = random_point(&source, i % ks_kernels.count);
        const uint64_t fixed = point.calibration.values[FIXED],
                       byte = point.calibration.values[BYTE];
        ks_probed at;
        ks_error error = {""};
        assert_int_equal(ks_probe_run(probe, &point, &at, &error), KS_OK);
        for (uint64_t half = 1; at.has_figures && half < 100000; half *= 6) {
            const ks_dispatch_box box = {fixed - at_most(half, fixed), fixed + half,
                                         byte - at_most(half / 40, byte), byte + half / 40};
            if (!ks_probe_holds(probe, &box)) break;
            held++;
            for (int k = 0; k < 3; k++) {
                const uint64_t f = random_between(&source, box.fixed_low, box.fixed_high),
                               b = random_between(&source, box.byte_low, box.byte_high);
                expect_linear(&point, &at, (int64_t)f - (int64_t)fixed, (int64_t)b - (int64_t)byte);
            }
        }
    }
    assert_true(held > POINTS / 4);
}

/* Of each decimal of the engines: what is the same at two values is so in between. */
static void services_that_are_the_same_at_two_values_are_so_between_them(void **state) {
    (void)state;
    static const ks_constant constants[] = {
        KS_C_dma_bytes_per_cycle,   KS_C_dma_latency_cycles, KS_C_fetch_bytes_per_cycle,
        KS_C_store_bytes_per_cycle, KS_C_gemm_fill_cycles,   KS_C_math_startup_cycles,
        KS_C_math_exp_weight,       KS_C_math_div_weight,
    };
    random_source source = {99};
    size_t compared = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const ks_point point = random_point(&source, i % ks_kernels.count);
        const ks_constant constant = constants[i % COUNT(constants)];
        for (uint64_t width = 1; width < 4000000; width *= 5) {
            ks_point low = point, high = point, middle = point;
            uint64_t a, b;
            bool is_same;
            ks_error error = {""};
            high.calibration.values[constant] += width;
            assert_int_equal(ks_probe_same_services(probe, &low, &high, &is_same, &error), KS_OK);
            if (!is_same) break;
            middle.calibration.values[constant] += random_below(&source, width + 1);
            assert_int_equal(ks_probe_same_services(probe, &low, &middle, &is_same, &error), KS_OK);
            assert_true(is_same);
            if (!total_of(&low, &a)) break;
            assert_true(total_of(&middle, &b) && a == b);
            compared++;
        }
    }
    assert_true(compared > POINTS / 2);
}

static int set_up(void **state) {
    (void)state;
    worker = ks_worker_new();
    probe = ks_probe_new(&ks_kernels);
    return !worker || !probe;
}

static int tear_down(void **state) {
    (void)state;
    ks_worker_free(worker);
    ks_probe_free(probe);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(total_cycles_is_linear_as_far_as_is_said),
        cmocka_unit_test(a_box_in_which_the_order_holds_is_linear),
        cmocka_unit_test(services_that_are_the_same_at_two_values_are_so_between_them),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
