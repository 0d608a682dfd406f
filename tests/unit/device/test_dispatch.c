#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/dispatch.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ks_machine machine_of(const char *constants) {
    const ks_point point = rig_point(constants);
    return ks_machine_of(&point);
}

/* With a header of 0 and 1 byte a handle an op has as many bytes as handles: 1, 3, 2, 4, 1. */
static const ks_handle any = {.rows = 1, .cols = 1};
static const ks_op ops[] = {
    {.out = &any},        {.operand_count = 2, .out = &any},
    {.operand_count = 2}, {.operand_count = 3, .out = &any},
    {.operand_count = 1},
};
static const ks_command command = {
    .is_composite = true, .op_count = 5, .ops = ops, .tile = KS_NO_TILE};

static void ops_are_packed_greedily_up_to_the_cap(void **state) {
    (void)state;
    static const struct {
        const char *cap;
        struct {
            uint32_t ops;
            uint64_t bytes;
        } segments[6];
    } table[] = {
        {"4", {{2, 4}, {1, 2}, {1, 4}, {1, 1}}}, /* 4 + 2 is over, 2 + 4 too, 4 fills it */
        {"5", {{2, 4}, {1, 2}, {2, 5}}},
        {"6", {{3, 6}, {2, 5}}},
        {"7", {{3, 6}, {2, 5}}},
        {"9", {{3, 6}, {2, 5}}}, /* 6 + 4 is one over */
        {"10", {{4, 10}, {1, 1}}},
        {"11", {{5, 11}}},
        {"1000", {{5, 11}}},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text text = {0};
        ks_text_add_format(&text,
                           "op_header_bytes=0 operand_bytes=1 max_composite_logical_bytes=%s",
                           table[i].cap);
        const ks_machine m = machine_of(text.data);
        uint32_t op = 0;
        for (size_t s = 0; table[i].segments[s].ops; s++) {
            const ks_segment segment = ks_segment_at(&command, op, &m);
            assert_int_equal(segment.first_op, op);
            assert_int_equal(segment.op_count, table[i].segments[s].ops);
            assert_int_equal(segment.bytes, table[i].segments[s].bytes);
            assert_int_equal(segment.ticks, 400000 + 625 * segment.bytes);
            op += segment.op_count;
        }
        assert_int_equal(op, 5);
        ks_text_free(&text);
    }
}

static void every_segment_costs_its_fixed_part_and_its_bytes(void **state) {
    (void)state;
    static const struct {
        const char *constants;
        uint64_t ticks; /* of the 322 bytes of composite #2, in one segment where they fit */
    } table[] = {
        {"", 601250}, /* 40 + 322 / 16 = 60.125 */
        {"dispatch_fixed_cycles=0", 201250},
        {"dispatch_cycles_per_byte=0", 400000},
        {"dispatch_fixed_cycles=0.0001 dispatch_cycles_per_byte=0.0001", 323},
        {"max_composite_logical_bytes=100", 1801250}, /* four segments: 160 + 20.125 */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text key = {0};
        ks_text_add_format(&key, "kernel=decode_opt2 G=8 TILE=16 d=16 S=16 %s", table[i].constants);
        rig r = rig_run(key.data);
        uint64_t ticks = 0;
        for (uint32_t n = 0; n < 4; n++) {
            const ks_op_row *row = rig_cpu_row(&r, KS_ROW_DISPATCH, 5, n);
            if (row) ticks += row->end - row->start;
        }
        assert_int_equal(ticks, table[i].ticks);
        rig_close(&r);
        ks_text_free(&key);
    }
}

static void segments_of_a_command_follow_each_other_without_a_gap(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=8 TILE=16 d=16 S=16 max_composite_logical_bytes=100");
    for (uint32_t n = 1; n < 4; n++)
        assert_int_equal(rig_cpu_row(&r, KS_ROW_DISPATCH, 5, n)->start,
                         rig_cpu_row(&r, KS_ROW_DISPATCH, 5, n - 1)->end);
    static const ks_op_kind first_ops[] = {KS_OP_rmax, KS_OP_exp_diff, KS_OP_fma, KS_OP_copy};
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(rig_cpu_row(&r, KS_ROW_DISPATCH, 5, n)->op->kind, first_ops[n]);
    rig_close(&r);
}

/* A composite starts when its last segment has been dispatched. */
static void nothing_of_a_command_runs_before_its_last_segment(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=8 TILE=16 d=16 S=16 max_composite_logical_bytes=40");
    for (uint32_t c = 0; c < r.program->command_count; c++)
        assert_true(rig_start(&r, c) >= rig_dispatch_end(&r, c));
    rig_close(&r);
}

static void the_first_op_over_the_cap_is_told(void **state) {
    (void)state;
    static const struct {
        const char *key;
        ks_dispatch_verdict verdict;
        uint64_t bytes;
    } table[] = {
        {"kernel=gemm M=1 K=1 N=1 max_composite_logical_bytes=34", KS_DISPATCHABLE, 0},
        {"kernel=gemm M=1 K=1 N=1 max_composite_logical_bytes=33", KS_DISPATCH_OP_OVER_CAP, 34},
        {"kernel=gemm_bias_relu M=1 K=1 N=1 max_composite_logical_bytes=27",
         KS_DISPATCH_OP_OVER_CAP, 28},
        {"kernel=decode_opt2 G=1 TILE=1 d=1 S=1 max_composite_logical_bytes=33",
         KS_DISPATCH_OP_OVER_CAP, 34},
        {"kernel=decode_opt2 G=1 TILE=1 d=1 S=1 max_composite_logical_bytes=40", KS_DISPATCHABLE,
         0},
        {"kernel=decode_opt2 G=1 TILE=1 d=1 S=1 max_composite_logical_bytes=1",
         KS_DISPATCH_OP_OVER_CAP, 28},
        {"kernel=gemm M=1 K=1 N=1 op_header_bytes=922337203685477 operand_bytes=922337203685477",
         KS_DISPATCH_OP_OVER_CAP, UINT64_C(922337203685477) * 4},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = rig_lower(table[i].key);
        assert_int_equal(r.dispatch_verdict, table[i].verdict);
        if (table[i].verdict == KS_DISPATCH_OP_OVER_CAP)
            assert_int_equal(r.over_cap_bytes, table[i].bytes);
        rig_close(&r);
    }
}

static void totals_are_sums_over_the_commands(void **state) {
    (void)state;
    rig r = rig_lower("kernel=decode_opt2 G=8 TILE=16 d=16 S=32");
    /* load 28, fills 3 x 22; two tiles of 56 + 322; div_bcast 34, cast 28, store 28 */
    assert_int_equal(r.dispatch.logical_bytes, 28 + 66 + 2 * 378 + 34 + 28 + 28);
    assert_int_equal(r.dispatch.composite_count, 4);
    rig_expect_cycles(r.dispatch.tile_ticks, "207.25");
    rig_expect_cycles(r.dispatch.ticks, "498.75"); /* 11 x 40 + 940 / 16 */
    rig_close(&r);
}

static void dispatch_that_is_not_below_2_to_the_63_ticks_is_an_overflow(void **state) {
    (void)state;
    static const struct {
        const char *key;
        ks_dispatch_verdict verdict;
    } table[] = {
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203685477.5807",
         KS_DISPATCHABLE}, /* 2^63 - 1 */
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0.0001 dispatch_fixed_cycles=922337203685477.5774",
         KS_DISPATCH_OVERFLOW}, /* + 34 ticks: 2^63 */
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0.0001 dispatch_fixed_cycles=922337203685477.5773",
         KS_DISPATCHABLE},
        {"kernel=gemm_chain M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=461168601842738.7904",
         KS_DISPATCH_OVERFLOW}, /* twice 2^62 */
        {"kernel=gemm_chain M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=461168601842738.7903",
         KS_DISPATCHABLE},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = rig_lower(table[i].key);
        assert_int_equal(r.dispatch_verdict, table[i].verdict);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_are_packed_greedily_up_to_the_cap),
        cmocka_unit_test(every_segment_costs_its_fixed_part_and_its_bytes),
        cmocka_unit_test(segments_of_a_command_follow_each_other_without_a_gap),
        cmocka_unit_test(nothing_of_a_command_runs_before_its_last_segment),
        cmocka_unit_test(the_first_op_over_the_cap_is_told),
        cmocka_unit_test(totals_are_sums_over_the_commands),
        cmocka_unit_test(dispatch_that_is_not_below_2_to_the_63_ticks_is_an_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
