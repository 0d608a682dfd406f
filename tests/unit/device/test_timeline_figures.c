/* A run as a whole: its sink, its sums, and what holds of every row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- the run as a whole ---- */

static ks_status count_event(void *self, const ks_event *event) {
    (void)event;
    ++*(uint64_t *)self;
    return KS_OK;
}

static ks_status stop_at_third(void *self, const ks_event *event) {
    (void)event;
    return ++*(uint64_t *)self == 3 ? KS_IO : KS_OK;
}

static void without_a_sink_the_figures_are_the_same(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=8 TILE=16 d=32 S=100");
    ks_timeline bare;
    assert_int_equal(ks_timeline_run(r.program, &r.machine, r.arena, NULL, &bare), KS_OK);
    assert_int_equal(bare.total_ticks, r.timeline.total_ticks);
    assert_int_equal(bare.wait_ticks, r.timeline.wait_ticks);
    assert_memory_equal(bare.busy_ticks, r.timeline.busy_ticks, sizeof bare.busy_ticks);
    assert_memory_equal(bare.path_ticks, r.timeline.path_ticks, sizeof bare.path_ticks);
    rig_close(&r);
}

static void a_sink_that_fails_ends_the_run_with_its_status(void **state) {
    (void)state;
    rig r = rig_lower("kernel=decode_opt2 G=8 TILE=16 d=32 S=100");
    uint64_t count = 0;
    ks_timeline timeline;
    const ks_event_sink sink = {&count, stop_at_third};
    assert_int_equal(ks_timeline_run(r.program, &r.machine, r.arena, &sink, &timeline), KS_IO);
    assert_int_equal(count, 3);
    rig_close(&r);
}

static void every_event_is_given_once(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt3 G=8 TILE=16 d=32 S=100");
    uint64_t count = 0;
    ks_timeline timeline;
    const ks_event_sink sink = {&count, count_event};
    assert_int_equal(ks_timeline_run(r.program, &r.machine, r.arena, &sink, &timeline), KS_OK);
    assert_int_equal(count, r.row_count);
    rig_close(&r);
}

static void the_same_point_gives_the_same_bytes_in_a_used_arena(void **state) {
    (void)state;
    rig first = rig_run("kernel=decode_a1 G=17 TILE=33 d=65 S=100 policy=rw_aware queue_depth=2");
    rig second = rig_run("kernel=decode_a1 G=17 TILE=33 d=65 S=100 policy=rw_aware queue_depth=2");
    rig_expect_log(&second, rig_log(&first));
    rig_close(&first);
    rig_close(&second);
}

/* ---- figures ---- */

static const char *const points[] = {
    "kernel=gemm M=33 K=130 N=65",
    "kernel=gemm_bias_relu M=17 K=65 N=65 policy=rw_aware",
    "kernel=gemm_ktile_scale M=17 K=200 N=65 dma_latency_cycles=0",
    "kernel=gemm_chain M=17 K=65 N=65 queue_depth=1",
    "kernel=gemm_postnorm M=17 K=65 N=65 math_lanes=1",
    "kernel=math_chain M=17 N=65",
    "kernel=rmsnorm_linear M=17 K=65 N=65 stream_in_prologue=1",
    "kernel=decode_opt1 G=8 TILE=64 d=128 S=256",
    "kernel=decode_opt2 G=8 TILE=64 d=128 S=1000",
    "kernel=decode_opt2 G=8 TILE=64 d=128 S=1000 policy=rw_aware stream_in_prologue=1",
    "kernel=decode_opt2 G=8 TILE=16 d=64 S=300 policy=serial queue_depth=1",
    "kernel=decode_opt3 G=8 TILE=64 d=128 S=1000",
    "kernel=decode_opt3 G=33 TILE=70 d=72 S=333 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
    "kernel=decode_a1 G=8 TILE=64 d=128 S=1000 policy=rw_aware queue_depth=3",
    "kernel=decode_a1 G=3 TILE=7 d=5 S=50 max_composite_logical_bytes=40 dma_bytes_per_cycle=0.5",
};

static void busy_ticks_are_the_sum_of_the_rows_of_a_server(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        rig r = rig_run(points[i]);
        uint64_t busy[KS_SERVER_COUNT] = {0}, stall = 0, wait = 0, last = 0, macs = 0;
        for (size_t k = 0; k < r.row_count; k++) {
            const ks_op_row *row = &r.rows[k];
            const uint64_t length = row->occupied_end - row->start;
            if (row->kind == KS_ROW_STALL)
                stall += length;
            else if (row->kind == KS_ROW_WAIT)
                wait += length;
            else
                busy[row->server] += length;
            if (row->kind == KS_ROW_GEMM) macs += row->elements;
            if (row->end > last) last = row->end;
        }
        assert_memory_equal(busy, r.timeline.busy_ticks, sizeof busy);
        assert_int_equal(stall, r.timeline.stall_ticks);
        assert_int_equal(wait, r.timeline.wait_ticks);
        assert_int_equal(last, r.timeline.total_ticks);
        assert_int_equal(macs, r.timeline.macs);
        assert_int_equal(busy[KS_SERVER_CPU], r.dispatch.ticks);
        rig_close(&r);
    }
}

static void no_server_serves_two_stages_at_once(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        rig r = rig_run(points[i]);
        uint64_t free_at[KS_SERVER_COUNT] = {0};
        for (size_t k = 0; k < r.row_count; k++) {
            const ks_op_row *row = &r.rows[k];
            if (row->server == KS_SERVER_CPU) continue;
            assert_true(row->start >= free_at[row->server]);
            free_at[row->server] = row->occupied_end;
        }
        rig_close(&r);
    }
}

static void no_stage_starts_before_its_dependencies_and_its_dispatch_ended(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        rig r = rig_run(points[i]);
        for (size_t k = 0; k < r.row_count; k++) {
            const ks_op_row *row = &r.rows[k];
            if (row->stage == KS_CPU_STAGE) continue;
            assert_true(row->start >= rig_dispatch_end(&r, row->cmd));
            for (uint32_t d = 0; d < row->dep_count; d++)
                assert_true(row->start >= rig_row(&r, row->cmd, row->deps[d])->end);
        }
        rig_close(&r);
    }
}

/* ---- B62 ---- */

typedef struct order_check {
    uint64_t start, rows;
    bool is_monotone;
} order_check;

static ks_status check_order(void *self, const ks_event *event) {
    order_check *check = self;
    if (event->start < check->start || event->end < event->start) check->is_monotone = false;
    check->start = event->start;
    check->rows++;
    return KS_OK;
}

/* The same as S=1048576 with 100000 cycles, which is a matter of an hour's memory, not of a unit test. */
static void cycles_beyond_2_to_the_32_stay_monotone(void **state) {
    (void)state;
    static const char *const kernels[] = {"decode_opt1", "decode_opt2", "decode_opt3", "decode_a1"};
    for (size_t k = 0; k < COUNT(kernels); k++) {
        char key[256];
        snprintf(key, sizeof key, "kernel=%s G=1 TILE=1 d=1 S=2048 dispatch_fixed_cycles=2000000",
                 kernels[k]);
        rig r = rig_lower(key);
        order_check check = {.is_monotone = true};
        const ks_event_sink sink = {&check, check_order};
        assert_int_equal(ks_timeline_run(r.program, &r.machine, r.arena, &sink, &r.timeline),
                         KS_OK);
        assert_true(check.is_monotone);
        assert_true(check.rows > 2048 * 20);
        assert_true(r.timeline.total_ticks / 10000 > UINT64_C(1) << 32);
        assert_true(r.timeline.total_ticks >= r.dispatch.ticks);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_sink_the_figures_are_the_same),
        cmocka_unit_test(a_sink_that_fails_ends_the_run_with_its_status),
        cmocka_unit_test(every_event_is_given_once),
        cmocka_unit_test(the_same_point_gives_the_same_bytes_in_a_used_arena),
        cmocka_unit_test(busy_ticks_are_the_sum_of_the_rows_of_a_server),
        cmocka_unit_test(no_server_serves_two_stages_at_once),
        cmocka_unit_test(no_stage_starts_before_its_dependencies_and_its_dispatch_ended),
        cmocka_unit_test(cycles_beyond_2_to_the_32_stay_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
