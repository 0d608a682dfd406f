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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
