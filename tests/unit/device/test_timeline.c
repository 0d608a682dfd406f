/* PE_CPU, servers and instants: MODEL.md section 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FREE_DISPATCH "dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0 "

static const ks_handle *column(ks_tl *tl, uint64_t rows) {
    return ks_tl_alloc(tl, rows, 1, KS_F16);
}

static void fill(ks_tl *tl, const ks_handle *out) {
    const ks_math op = {.kind = KS_OP_fill, .out = out};
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &op, .math_count = 1});
}

/* 1 x 1 x 1 on hbm cells of its own; a pinned when it is given. */
static void gemm(ks_tl *tl, uint64_t cell, const ks_handle *a) {
    const uint64_t addr = 0x20000000 + cell * 3 * 4096;
    ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                        .a = a ? a : ks_tl_ref(tl, addr, 1, 1, KS_F16),
                                        .b = ks_tl_ref(tl, addr + 4096, 1, 1, KS_F16),
                                        .out_addr = &(uint64_t){addr + 8192}});
}

static rig run_calls(void (*lower)(ks_tl *, const ks_point *, const ks_layout *), const char *key) {
    const ks_kernel kernel = {"calls", KS_TASK_GEMM, lower, 0};
    rig r = rig_run_kernel(&kernel, key);
    r.kernel = NULL; /* gone */
    return r;
}

/* ---- B65: 1 x 1 x 1 by hand ---- */

static void every_stage_of_the_smallest_gemm_is_as_worked_out_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *key;
        struct {
            const char *start, *occupied_end, *end;
        } stages[6]; /* A, B, F, G, S, W */
        const char *total;
    } table[] = {
        /* dispatch 40 + 34 / 16; reads 1 + 250, one after the other; fetch 1; gemm 16 + 1; store 1 */
        {"",
         {{"42.125", "43.125", "293.125"},
          {"43.125", "44.125", "294.125"},
          {"294.125", "295.125", "295.125"},
          {"295.125", "312.125", "312.125"},
          {"312.125", "313.125", "313.125"},
          {"313.125", "314.125", "564.125"}},
         "564.125"},
        {"dma_latency_cycles=0",
         {{"42.125", "43.125", "43.125"},
          {"43.125", "44.125", "44.125"},
          {"44.125", "45.125", "45.125"},
          {"45.125", "62.125", "62.125"},
          {"62.125", "63.125", "63.125"},
          {"63.125", "64.125", "64.125"}},
         "64.125"},
        {"dma_latency_cycles=0.0001 dma_bytes_per_cycle=32", /* latency 1, occupancy 2 */
         {{"42.125", "44.125", "45.125"},
          {"44.125", "46.125", "47.125"},
          {"47.125", "48.125", "48.125"},
          {"48.125", "65.125", "65.125"},
          {"65.125", "66.125", "66.125"},
          {"66.125", "68.125", "69.125"}},
         "69.125"},
        {"gemm_rule=ws " FREE_DISPATCH, /* 1 x 1 x (32 + 64 + 1 - 2) */
         {{"0", "1", "251"},
          {"1", "2", "252"},
          {"252", "253", "253"},
          {"253", "348", "348"},
          {"348", "349", "349"},
          {"349", "350", "600"}},
         "600"},
        {"gemm_rule=os dtype=f32 fetch_bytes_per_cycle=3 store_bytes_per_cycle=3 " FREE_DISPATCH,
         {{"0", "1", "251"},
          {"1", "2", "252"},
          {"252", "255", "255"},
          {"255", "334", "334"},
          {"334", "336", "336"},
          {"336", "337", "587"}},
         "587"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char key[256];
        snprintf(key, sizeof key, "kernel=gemm M=1 K=1 N=1 %s", table[i].key);
        rig r = rig_run(key);
        for (int s = 0; s < 6; s++) {
            const ks_op_row *row = rig_row(&r, 0, s);
            rig_expect_cycles(row->start, table[i].stages[s].start);
            rig_expect_cycles(row->occupied_end, table[i].stages[s].occupied_end);
            rig_expect_cycles(row->end, table[i].stages[s].end);
        }
        rig_expect_cycles(r.timeline.total_ticks, table[i].total);
        rig_close(&r);
    }
}

static void the_dma_serves_the_next_while_the_last_one_s_latency_runs(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm M=1 K=1 N=1");
    assert_int_equal(rig_row(&r, 0, 1)->start, rig_row(&r, 0, 0)->occupied_end);
    assert_true(rig_row(&r, 0, 1)->start < rig_row(&r, 0, 0)->end);
    rig_expect_cycles(r.timeline.busy_ticks[KS_SERVER_DMA_RD], "2"); /* occupancy, not latency */
    rig_expect_cycles(r.timeline.busy_ticks[KS_SERVER_DMA_WR], "1");
    rig_close(&r);
}

/* ---- PE_CPU ---- */

static void a_wait_blocks_until_its_command_is_complete(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm M=1 K=1 N=1");
    const ks_op_row *wait = rig_cpu_row(&r, KS_ROW_WAIT, 0, 0);
    assert_non_null(wait);
    rig_expect_cycles(wait->start, "42.125");
    rig_expect_cycles(wait->end, "564.125");
    assert_int_equal(wait->phase, KS_PHASE_wait);
    assert_null(wait->op);
    rig_expect_cycles(r.timeline.wait_ticks, "522");
    rig_expect_cycles(r.timeline.stall_ticks, "0"); /* waits do not count */
    rig_close(&r);
}

static void two_gemms_backwards(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    gemm(tl, 0, NULL);
    fill(tl, column(tl, 64));
}

/* The end waits for 0, then for 1, which is complete by then. */
static void a_wait_on_a_complete_command_gives_no_row(void **state) {
    (void)state;
    rig r = run_calls(two_gemms_backwards, "");
    assert_non_null(rig_cpu_row(&r, KS_ROW_WAIT, 0, 0));
    assert_null(rig_cpu_row(&r, KS_ROW_WAIT, 1, 0));
    assert_int_equal(rig_count(&r, KS_ROW_WAIT), 1);
    rig_close(&r);
}

static void after_a_wait_the_next_dispatch_begins_at_once(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm_postnorm M=1 K=1 N=1"); /* the store waits for the composite */
    assert_int_equal(rig_cpu_row(&r, KS_ROW_DISPATCH, 1, 0)->start, rig_end(&r, 0));
    assert_int_equal(rig_cpu_row(&r, KS_ROW_WAIT, 0, 0)->end, rig_end(&r, 0));
    rig_close(&r);
}

static void dispatch_that_costs_nothing_puts_everything_at_one_instant(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm_chain M=1 K=1 N=1 " FREE_DISPATCH);
    /* both DISPATCH rows, then WAIT, then the stages that start there; by cmd, CPU first */
    static const struct {
        ks_row_kind kind;
        uint32_t cmd;
    } table[] = {
        {KS_ROW_DISPATCH, 0}, {KS_ROW_WAIT, 0}, {KS_ROW_DISPATCH, 1}, {KS_ROW_DMA_READ, 0}};
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(r.rows[i].kind, table[i].kind);
        assert_int_equal(r.rows[i].cmd, table[i].cmd);
        assert_int_equal(r.rows[i].start, 0);
    }
    rig_close(&r);
}

static void zero_cost_segments_keep_their_order(void **state) {
    (void)state;
    rig r = rig_run(
        "kernel=decode_opt2 G=1 TILE=1 d=1 S=1 max_composite_logical_bytes=40 " FREE_DISPATCH);
    uint32_t segment = 0;
    for (size_t i = 0; i < r.row_count; i++)
        if (r.rows[i].kind == KS_ROW_DISPATCH && r.rows[i].cmd == 5) {
            assert_int_equal(r.rows[i].segment, segment);
            assert_int_equal(r.rows[i].start, r.rows[i].end);
            segment++;
        }
    assert_int_equal(segment, 10);
    rig_close(&r);
}

/* ---- which ready stage a server takes ---- */

static void two_at_once(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    gemm(tl, 0, NULL);
    gemm(tl, 1, NULL);
}

static void of_stages_ready_at_one_instant_the_smaller_command_and_stage_goes_first(void **state) {
    (void)state;
    rig r = run_calls(two_at_once, FREE_DISPATCH);
    rig_expect_cycles(rig_row(&r, 0, 0)->start, "0");
    rig_expect_cycles(rig_row(&r, 0, 1)->start, "1");
    rig_expect_cycles(rig_row(&r, 1, 0)->start, "2");
    rig_expect_cycles(rig_row(&r, 1, 1)->start, "3");
    rig_close(&r);
}

/* 0: a load that keeps dma_rd for 100 cycles. 1: fills x, 9 cycles. 2: reads x, so its read of b is
 * ready at 9. 3 and 4: nothing in their way, ready at 0. */
static void earlier_before_smaller(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_handle *x = column(tl, 1);
    ks_tl_load(tl, 0x10000000, 3200, 1, KS_F16);
    fill(tl, x);
    gemm(tl, 0, x);
    gemm(tl, 1, NULL);
    gemm(tl, 2, NULL);
}

static void the_stage_that_was_ready_earlier_goes_before_a_smaller_command(void **state) {
    (void)state;
    rig r = run_calls(earlier_before_smaller, "policy=rw_aware " FREE_DISPATCH);
    rig_expect_cycles(rig_row(&r, 0, 0)->occupied_end, "100");
    rig_expect_cycles(rig_row(&r, 3, 0)->start, "100");
    rig_expect_cycles(rig_row(&r, 3, 1)->start, "101");
    rig_expect_cycles(rig_row(&r, 4, 0)->start, "102");
    rig_expect_cycles(rig_row(&r, 4, 1)->start, "103");
    rig_expect_cycles(rig_row(&r, 2, 0)->start, "104"); /* ready at 9 */
    rig_close(&r);
}

static void primitives_of_one_server_run_in_order(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt3 G=8 TILE=64 d=128 S=64 " FREE_DISPATCH);
    for (uint32_t c = 5; c < 12; c++) { /* the eight MATH steps */
        assert_int_equal(r.program->commands[c]->is_composite, false);
        assert_int_equal(rig_start(&r, c + 1), rig_end(&r, c));
    }
    rig_close(&r);
}

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
        cmocka_unit_test(every_stage_of_the_smallest_gemm_is_as_worked_out_by_hand),
        cmocka_unit_test(the_dma_serves_the_next_while_the_last_one_s_latency_runs),
        cmocka_unit_test(a_wait_blocks_until_its_command_is_complete),
        cmocka_unit_test(a_wait_on_a_complete_command_gives_no_row),
        cmocka_unit_test(after_a_wait_the_next_dispatch_begins_at_once),
        cmocka_unit_test(dispatch_that_costs_nothing_puts_everything_at_one_instant),
        cmocka_unit_test(zero_cost_segments_keep_their_order),
        cmocka_unit_test(of_stages_ready_at_one_instant_the_smaller_command_and_stage_goes_first),
        cmocka_unit_test(the_stage_that_was_ready_earlier_goes_before_a_smaller_command),
        cmocka_unit_test(primitives_of_one_server_run_in_order),
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
