#include "contract/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ks_handle handle_of(uint64_t rows, uint64_t cols) {
    return (ks_handle){
        .rows = rows, .cols = cols, .space = KS_TCM, .dtype = KS_F16, .pinned = true};
}

static void every_op_has_its_name_engine_and_weight(void **state) {
    (void)state;
    static const struct {
        ks_op_kind kind;
        const char *name;
        ks_server engine;
        ks_weight weight;
    } table[] = {
        {KS_OP_gemm, "gemm", KS_SERVER_GEMM, KS_WEIGHT_ONE},
        {KS_OP_load, "load", KS_SERVER_DMA_RD, KS_WEIGHT_ONE},
        {KS_OP_store, "store", KS_SERVER_DMA_WR, KS_WEIGHT_ONE},
        {KS_OP_fill, "fill", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_scale, "scale", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_relu, "relu", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_add, "add", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_cast, "cast", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_copy, "copy", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_rmax, "rmax", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_max_elem, "max_elem", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_exp_diff, "exp_diff", KS_SERVER_MATH, KS_WEIGHT_EXP},
        {KS_OP_rsum, "rsum", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_fma, "fma", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_mul_bcast, "mul_bcast", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_mul_elem, "mul_elem", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_div_bcast, "div_bcast", KS_SERVER_MATH, KS_WEIGHT_DIV},
        {KS_OP_rsumsq, "rsumsq", KS_SERVER_MATH, KS_WEIGHT_ONE},
        {KS_OP_rsqrt_mean, "rsqrt_mean", KS_SERVER_MATH, KS_WEIGHT_DIV},
        {KS_OP_rmsnorm, "rmsnorm", KS_SERVER_MATH, KS_WEIGHT_DIV},
    };
    assert_int_equal(COUNT(table), KS_OP_COUNT);
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_string_equal(ks_op_name(table[i].kind), table[i].name);
        assert_int_equal(ks_op_engine(table[i].kind), table[i].engine);
        assert_int_equal(ks_op_weight(table[i].kind), table[i].weight);
    }
}

/* MODEL.md section 3: 16 + 6 x (named operands + 1 if out is set). */
static void an_op_costs_its_header_and_its_handles(void **state) {
    (void)state;
    const ks_handle h = handle_of(1, 1);
    static const struct {
        uint32_t operands;
        bool has_out;
        uint64_t bytes, bytes_of_3_and_1;
    } table[] = {{0, false, 16, 3}, {0, true, 22, 4}, {1, true, 28, 5}, {2, true, 34, 6},
                 {3, true, 40, 7},  {4, true, 46, 8}, {2, false, 28, 5}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_op op = {.operand_count = table[i].operands, .out = table[i].has_out ? &h : NULL};
        assert_int_equal(ks_op_logical_bytes(&op, 16, 6), table[i].bytes);
        assert_int_equal(ks_op_logical_bytes(&op, 3, 1), table[i].bytes_of_3_and_1);
        assert_int_equal(ks_op_logical_bytes(&op, 0, 0), 0);
    }
}

static void elements_are_those_of_the_largest_handle(void **state) {
    (void)state;
    const ks_handle small = handle_of(3, 1), large = handle_of(3, 100), middle = handle_of(2, 7);
    const ks_op reduction = {.operand_count = 1, .operands = {{"x", &large}}, .out = &small};
    const ks_op widening = {
        .operand_count = 2, .operands = {{"x", &small}, {"y", &middle}}, .out = &large};
    const ks_op fill = {.out = &middle};
    const ks_op nothing = {0};
    assert_int_equal(ks_op_elements(&reduction), 300);
    assert_int_equal(ks_op_elements(&widening), 300);
    assert_int_equal(ks_op_elements(&fill), 14);
    assert_int_equal(ks_op_elements(&nothing), 0);
}

static void spaces_and_servers_have_the_names_of_the_op_log(void **state) {
    (void)state;
    static const char *const spaces[] = {"hbm", "tcm", "stg", "opb", "acc", "wst"};
    static const char *const servers[] = {"cpu",   "dma_rd", "dma_wr", "fetch",
                                          "store", "gemm",   "math"};
    assert_int_equal(COUNT(spaces), KS_SPACE_COUNT);
    assert_int_equal(COUNT(servers), KS_SERVER_COUNT);
    for (int i = 0; i < KS_SPACE_COUNT; i++)
        assert_string_equal(ks_space_name((ks_space)i), spaces[i]);
    for (int i = 0; i < KS_SERVER_COUNT; i++)
        assert_string_equal(ks_server_name((ks_server)i), servers[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_has_its_name_engine_and_weight),
        cmocka_unit_test(an_op_costs_its_header_and_its_handles),
        cmocka_unit_test(elements_are_those_of_the_largest_handle),
        cmocka_unit_test(spaces_and_servers_have_the_names_of_the_op_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
