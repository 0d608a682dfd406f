#include "contract/calibration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* MODEL.md section 1, all constants in KEY order. */
static const struct {
    const char *name;
    uint64_t ticks;
    ks_constant_class value_class;
    bool is_from_adr;
} constants[] = {
    {"clock_ghz", 12500, KS_DECIMAL_ABOVE_0, true},
    {"dispatch_fixed_cycles", 400000, KS_DECIMAL_FROM_0, true},
    {"dispatch_cycles_per_byte", 625, KS_DECIMAL_FROM_0, true},
    {"max_composite_logical_bytes", 10240000, KS_WHOLE_FROM_1, true},
    {"op_header_bytes", 160000, KS_WHOLE_FROM_0, false},
    {"operand_bytes", 60000, KS_WHOLE_FROM_0, false},
    {"queue_depth", 80000, KS_WHOLE_FROM_1, false},
    {"tcm_bytes", 10485760000, KS_WHOLE_FROM_1, false},
    {"stream_buffers", 40000, KS_WHOLE_FROM_1, false},
    {"operand_buffers", 20000, KS_WHOLE_FROM_1, false},
    {"acc_buffers", 20000, KS_WHOLE_FROM_1, false},
    {"dma_bytes_per_cycle", 640000, KS_DECIMAL_ABOVE_0, false},
    {"dma_latency_cycles", 2500000, KS_DECIMAL_FROM_0, false},
    {"dma_burst_bytes", 640000, KS_WHOLE_FROM_1, false},
    {"fetch_bytes_per_cycle", 2560000, KS_DECIMAL_ABOVE_0, false},
    {"store_bytes_per_cycle", 2560000, KS_DECIMAL_ABOVE_0, false},
    {"gemm_rule", KS_RULE_MAC, KS_GEMM_RULE_NAME, false},
    {"gemm_rows", 160000, KS_WHOLE_FROM_1, false},
    {"gemm_cols", 640000, KS_WHOLE_FROM_1, false},
    {"gemm_fill_cycles", 160000, KS_DECIMAL_FROM_0, false},
    {"gemm_tile_m", 160000, KS_WHOLE_FROM_1, false},
    {"gemm_tile_n", 640000, KS_WHOLE_FROM_1, false},
    {"gemm_tile_k", 640000, KS_WHOLE_FROM_1, false},
    {"math_lanes", 640000, KS_WHOLE_FROM_1, false},
    {"math_startup_cycles", 80000, KS_DECIMAL_FROM_0, false},
    {"math_exp_weight", 40000, KS_DECIMAL_ABOVE_0, false},
    {"math_div_weight", 40000, KS_DECIMAL_ABOVE_0, false},
};

static void constants_stand_in_key_order_with_the_defaults_of_the_model(void **state) {
    (void)state;
    const ks_calibration calibration = ks_calibration_default();
    assert_int_equal(KS_CONSTANT_COUNT, COUNT(constants));
    for (int i = 0; i < KS_CONSTANT_COUNT; i++) {
        const ks_constant_info *info = ks_constant_describe((ks_constant)i);
        assert_string_equal(info->name, constants[i].name);
        assert_int_equal(ks_ticks_of(&calibration, (ks_constant)i), constants[i].ticks);
        assert_int_equal(info->value_class, constants[i].value_class);
        assert_int_equal(info->is_from_adr, constants[i].is_from_adr);
    }
}

static void a_default_is_a_value_of_its_constant(void **state) {
    (void)state;
    const ks_calibration calibration = ks_calibration_default();
    for (int i = 0; i < KS_CONSTANT_COUNT; i++)
        assert_null(ks_constant_refusal((ks_constant)i, calibration.values[i]));
}

static void values_out_of_range_are_refused_and_their_neighbours_are_not(void **state) {
    (void)state;
    static const struct {
        ks_constant constant;
        uint64_t ticks;
        const char *expected; /* NULL: fine */
    } table[] = {
        {KS_C_queue_depth, 0, "a whole number from 1"},
        {KS_C_queue_depth, 1, "a whole number from 1"},
        {KS_C_queue_depth, 9999, "a whole number from 1"},
        {KS_C_queue_depth, 10000, NULL},
        {KS_C_queue_depth, 10001, "a whole number from 1"},
        {KS_C_queue_depth, 15000, "a whole number from 1"},
        {KS_C_queue_depth, 20000, NULL},
        {KS_C_operand_bytes, 0, NULL},
        {KS_C_operand_bytes, 1, "a whole number from 0"},
        {KS_C_operand_bytes, 10000, NULL},
        {KS_C_dma_latency_cycles, 0, NULL},
        {KS_C_dma_latency_cycles, 1, NULL},
        {KS_C_clock_ghz, 0, "a decimal above 0"},
        {KS_C_clock_ghz, 1, NULL},
        {KS_C_math_exp_weight, 0, "a decimal above 0"},
        {KS_C_math_exp_weight, 1, NULL},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const char *refusal = ks_constant_refusal(table[i].constant, table[i].ticks);
        if (table[i].expected)
            assert_string_equal(refusal, table[i].expected);
        else
            assert_null(refusal);
    }
}

static void rules_have_their_names(void **state) {
    (void)state;
    assert_string_equal(ks_gemm_rule_name(KS_RULE_MAC), "mac");
    assert_string_equal(ks_gemm_rule_name(KS_RULE_WS), "ws");
    assert_string_equal(ks_gemm_rule_name(KS_RULE_OS), "os");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_stand_in_key_order_with_the_defaults_of_the_model),
        cmocka_unit_test(a_default_is_a_value_of_its_constant),
        cmocka_unit_test(values_out_of_range_are_refused_and_their_neighbours_are_not),
        cmocka_unit_test(rules_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
