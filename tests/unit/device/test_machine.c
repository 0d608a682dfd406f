/* Services of the engines, worked out by hand from MODEL.md section 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/machine.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TOO_LARGE UINT64_MAX

static ks_machine machine_of(const char *constants) {
    const ks_point point = rig_point(constants);
    return ks_machine_of(&point);
}

/* Cycles of a service; TOO_LARGE stays. */
static uint64_t cycles(uint64_t ticks) {
    if (ticks == UINT64_MAX) return TOO_LARGE;
    assert_int_equal(ticks % 10000, 0); /* whole cycles */
    return ticks / 10000;
}

static void a_transfer_occupies_its_wire_bytes_by_the_rate(void **state) {
    (void)state;
    static const struct {
        const char *constants; /* defaults: rate 64, burst 64 */
        uint64_t rows, row_bytes, cycles;
    } table[] = {
        {"", 1, 1, 1},
        {"", 1, 64, 1},
        {"", 1, 65, 2}, /* one byte above a burst */
        {"", 1, 128, 2},
        {"", 2, 1, 2}, /* a burst for each row */
        {"", 16, 63, 16},
        {"", 16, 64, 16},
        {"", 16, 65, 32},
        {"dma_burst_bytes=1", 1, 63, 1},
        {"dma_burst_bytes=1", 1, 64, 1},
        {"dma_burst_bytes=1", 1, 65, 2},
        {"dma_burst_bytes=1", 3, 65, 4}, /* 195 bytes: rounded up once, not row by row */
        {"dma_burst_bytes=256", 2, 10, 8},
        {"dma_bytes_per_cycle=128", 1, 64, 1}, /* half a cycle */
        {"dma_bytes_per_cycle=128", 3, 64, 2},
        {"dma_bytes_per_cycle=48", 1, 64, 2},
        {"dma_bytes_per_cycle=63.9999", 1, 64, 2},
        {"dma_bytes_per_cycle=64.0001", 1, 64, 1},
        {"dma_bytes_per_cycle=0.0001", 1, 1, 640000},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_machine m = machine_of(table[i].constants);
        assert_int_equal(cycles(ks_dma_occupancy_ticks(&m, table[i].rows, table[i].row_bytes)),
                         table[i].cycles);
    }
}

static void a_move_takes_its_bytes_by_the_rate_and_at_least_a_cycle(void **state) {
    (void)state;
    static const struct {
        const char *fetch, *store;
        uint64_t bytes, cycles;
    } table[] = {
        {"", "", 0, 1},
        {"", "", 1, 1},
        {"", "", 255, 1},
        {"", "", 256, 1},
        {"", "", 257, 2},
        {"fetch_bytes_per_cycle=0.5", "store_bytes_per_cycle=0.5", 3, 6},
        {"fetch_bytes_per_cycle=3", "store_bytes_per_cycle=3", 9, 3},
        {"fetch_bytes_per_cycle=3", "store_bytes_per_cycle=3", 10, 4},
        {"fetch_bytes_per_cycle=2.9999", "store_bytes_per_cycle=2.9999", 9, 4},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_machine f = machine_of(table[i].fetch), s = machine_of(table[i].store);
        assert_int_equal(cycles(ks_fetch_ticks(&f, table[i].bytes)), table[i].cycles);
        assert_int_equal(cycles(ks_store_ticks(&s, table[i].bytes)), table[i].cycles);
    }
}

static void fetch_and_store_have_rates_of_their_own(void **state) {
    (void)state;
    const ks_machine m = machine_of("fetch_bytes_per_cycle=2 store_bytes_per_cycle=5");
    assert_int_equal(cycles(ks_fetch_ticks(&m, 20)), 10);
    assert_int_equal(cycles(ks_store_ticks(&m, 20)), 4);
}

static void a_gemm_step_takes_what_its_rule_says(void **state) {
    (void)state;
    static const struct {
        const char *constants; /* defaults: mac, 16 x 64, fill 16 */
        uint64_t mt, nt, kt, cycles;
    } table[] = {
        {"", 1, 1, 1, 17},
        {"", 16, 64, 64, 80},
        {"", 17, 64, 64, 144}, /* one row above the array */
        {"", 16, 65, 64, 144}, /* one column */
        {"", 17, 65, 3, 28},
        {"", 15, 63, 64, 80},
        {"gemm_fill_cycles=0", 1, 1, 1, 1},
        {"gemm_fill_cycles=0.5", 1, 1, 1, 2},
        {"gemm_fill_cycles=0.0001", 1, 1, 2, 3},
        {"gemm_fill_cycles=15.9999", 1, 1, 1, 17},
        {"gemm_fill_cycles=16.0001", 1, 1, 1, 18},
        {"gemm_rule=ws", 16, 64, 64, 440}, /* 4 x 1 x (32 + 64 + 16 - 2) */
        {"gemm_rule=ws", 1, 1, 1, 95},
        {"gemm_rule=ws", 1, 1, 16, 95},
        {"gemm_rule=ws", 1, 1, 17, 190},
        {"gemm_rule=ws", 1, 65, 17, 380},
        {"gemm_rule=ws gemm_rows=1 gemm_cols=1", 1, 1, 1, 2},
        {"gemm_rule=ws gemm_fill_cycles=1000", 1, 1, 1, 95}, /* fill is of mac alone */
        {"gemm_rule=os", 16, 64, 64, 142},                   /* 64 + 16 + 64 - 2 */
        {"gemm_rule=os", 1, 1, 1, 79},
        {"gemm_rule=os", 17, 65, 1, 316},
        {"gemm_rule=os gemm_rows=1 gemm_cols=1", 1, 1, 1, 1},
        {"gemm_rule=os gemm_rows=1 gemm_cols=1", 2, 3, 5, 30},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_machine m = machine_of(table[i].constants);
        const uint64_t found = cycles(ks_gemm_ticks(&m, table[i].mt, table[i].nt, table[i].kt));
        if (found != table[i].cycles) print_error("row %zu\n", i);
        assert_int_equal(found, table[i].cycles);
    }
}

static void a_math_stage_takes_its_startup_and_weighted_steps(void **state) {
    (void)state;
    static const struct {
        const char *constants; /* defaults: startup 8, 64 lanes, exp 4, div 4 */
        ks_op_kind kind;
        uint64_t elements, cycles;
    } table[] = {
        {"", KS_OP_add, 1, 9},
        {"", KS_OP_add, 64, 9},
        {"", KS_OP_add, 65, 10},
        {"", KS_OP_exp_diff, 64, 12},
        {"", KS_OP_exp_diff, 65, 16},
        {"", KS_OP_div_bcast, 65, 16},
        {"math_startup_cycles=0", KS_OP_add, 1, 1},
        {"math_startup_cycles=0", KS_OP_add, 0, 1}, /* at least one */
        {"math_startup_cycles=0 math_lanes=1", KS_OP_add, 7, 7},
        {"math_startup_cycles=0.5 math_exp_weight=0.5", KS_OP_exp_diff, 192, 2}, /* rounded once */
        {"math_startup_cycles=0.5 math_exp_weight=0.5", KS_OP_exp_diff, 193, 3},
        {"math_startup_cycles=0 math_exp_weight=0.0001", KS_OP_exp_diff, 64, 1},
        {"math_startup_cycles=0 math_exp_weight=0.25", KS_OP_exp_diff, 256, 1},
        {"math_startup_cycles=0 math_exp_weight=0.25", KS_OP_exp_diff, 257, 2},
        {"math_startup_cycles=0.0001", KS_OP_add, 64, 2},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_machine m = machine_of(table[i].constants);
        const uint64_t found = cycles(ks_math_ticks(&m, table[i].kind, table[i].elements));
        if (found != table[i].cycles) print_error("row %zu\n", i);
        assert_int_equal(found, table[i].cycles);
    }
}

static void exp_diff_and_the_three_divisions_have_weights(void **state) {
    (void)state;
    const ks_machine m = machine_of("math_startup_cycles=0 math_exp_weight=3 math_div_weight=5");
    for (int kind = KS_OP_fill; kind < KS_OP_COUNT; kind++) {
        uint64_t expected = 1;
        if (kind == KS_OP_exp_diff) expected = 3;
        if (kind == KS_OP_div_bcast || kind == KS_OP_rsqrt_mean || kind == KS_OP_rmsnorm)
            expected = 5;
        assert_int_equal(cycles(ks_math_ticks(&m, (ks_op_kind)kind, 64)), expected);
    }
}

static void the_dma_latency_is_rounded_up_by_itself_and_may_be_0(void **state) {
    (void)state;
    static const struct {
        const char *constants;
        uint64_t cycles;
    } table[] = {{"", 250},
                 {"dma_latency_cycles=0", 0},
                 {"dma_latency_cycles=0.0001", 1},
                 {"dma_latency_cycles=249.9999", 250},
                 {"dma_latency_cycles=250.0001", 251}};
    for (size_t i = 0; i < COUNT(table); i++)
        assert_int_equal(cycles(machine_of(table[i].constants).dma_latency_ticks), table[i].cycles);
}

/* 922337203685477 cycles are the last whole number of them below 2^63 ticks. */
static void a_service_that_is_not_below_2_to_the_63_is_told(void **state) {
    (void)state;
    const uint64_t last = UINT64_C(922337203685477);
    ks_machine m = machine_of("fetch_bytes_per_cycle=1 store_bytes_per_cycle=1 math_lanes=1 "
                              "math_startup_cycles=0 gemm_fill_cycles=0 gemm_rows=1 gemm_cols=1 "
                              "dma_bytes_per_cycle=1 dma_burst_bytes=1");
    assert_int_equal(cycles(ks_fetch_ticks(&m, last)), last);
    assert_int_equal(cycles(ks_fetch_ticks(&m, last + 1)), TOO_LARGE);
    assert_int_equal(cycles(ks_store_ticks(&m, last)), last);
    assert_int_equal(cycles(ks_store_ticks(&m, last + 1)), TOO_LARGE);
    assert_int_equal(cycles(ks_math_ticks(&m, KS_OP_add, last)), last);
    assert_int_equal(cycles(ks_math_ticks(&m, KS_OP_add, last + 1)), TOO_LARGE);
    assert_int_equal(cycles(ks_dma_occupancy_ticks(&m, 1, last)), last);
    assert_int_equal(cycles(ks_dma_occupancy_ticks(&m, 1, last + 1)), TOO_LARGE);
    m = machine_of("gemm_fill_cycles=922337203685476 gemm_rows=1 gemm_cols=1");
    assert_int_equal(cycles(ks_gemm_ticks(&m, 1, 1, 1)), last);
    assert_int_equal(cycles(ks_gemm_ticks(&m, 1, 1, 2)), TOO_LARGE);
}

static void the_largest_extents_do_not_wrap(void **state) {
    (void)state;
    const uint64_t most = UINT64_C(1) << 30;
    static const char *const rules[] = {"mac", "ws", "os"};
    for (size_t i = 0; i < COUNT(rules); i++) {
        ks_text text = {0};
        ks_text_add_format(&text, "gemm_rule=%s gemm_rows=1 gemm_cols=1", rules[i]);
        const ks_machine m = machine_of(text.data);
        assert_int_equal(cycles(ks_gemm_ticks(&m, most, most, most)), TOO_LARGE);
        ks_text_free(&text);
    }
    const ks_machine slow = machine_of("dma_bytes_per_cycle=0.0001 dma_burst_bytes=922337203685477 "
                                       "math_exp_weight=922337203685477 math_lanes=1");
    assert_int_equal(cycles(ks_dma_occupancy_ticks(&slow, most, most * 4)), TOO_LARGE);
    assert_int_equal(cycles(ks_math_ticks(&slow, KS_OP_exp_diff, most * most)), TOO_LARGE);
    const ks_machine wide =
        machine_of("dma_bytes_per_cycle=922337203685477 dma_burst_bytes=922337203685477 "
                   "gemm_rows=922337203685477 gemm_cols=922337203685477 gemm_rule=os");
    assert_int_equal(cycles(ks_dma_occupancy_ticks(&wide, most, 1)), most);
    assert_int_equal(cycles(ks_gemm_ticks(&wide, most, most, most)), TOO_LARGE);
}

static void a_machine_takes_policy_and_what_if_from_the_point(void **state) {
    (void)state;
    const ks_machine m = machine_of("policy=rw_aware stream_in_prologue=1 queue_depth=3");
    assert_int_equal(m.policy, KS_POLICY_rw_aware);
    assert_true(m.is_streaming_in_prologue);
    assert_int_equal(m.queue_depth, 3);
    assert_false(machine_of("").is_streaming_in_prologue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transfer_occupies_its_wire_bytes_by_the_rate),
        cmocka_unit_test(a_move_takes_its_bytes_by_the_rate_and_at_least_a_cycle),
        cmocka_unit_test(fetch_and_store_have_rates_of_their_own),
        cmocka_unit_test(a_gemm_step_takes_what_its_rule_says),
        cmocka_unit_test(a_math_stage_takes_its_startup_and_weighted_steps),
        cmocka_unit_test(exp_diff_and_the_three_divisions_have_weights),
        cmocka_unit_test(the_dma_latency_is_rounded_up_by_itself_and_may_be_0),
        cmocka_unit_test(a_service_that_is_not_below_2_to_the_63_is_told),
        cmocka_unit_test(the_largest_extents_do_not_wrap),
        cmocka_unit_test(a_machine_takes_policy_and_what_if_from_the_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
