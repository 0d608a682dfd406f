#include "contract/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ks_point attention_of(uint64_t g, uint64_t d, uint64_t s) {
    ks_point point = ks_point_default();
    point.params[KS_P_G] = g;
    point.params[KS_P_d] = d;
    point.params[KS_P_S] = s;
    point.params[KS_P_TILE] = 1;
    return point;
}

static ks_point bench_of(uint64_t m, uint64_t k, uint64_t n) {
    ks_point point = ks_point_default();
    point.params[KS_P_M] = m;
    point.params[KS_P_K] = k;
    point.params[KS_P_N] = n;
    return point;
}

/* M = 3, K = 5, N = 7: no two tensors have one shape but where they are one. */
static void tensors_lie_in_hbm_order_with_their_shapes(void **state) {
    (void)state;
    static const struct {
        ks_task task;
        struct {
            const char *name;
            uint64_t rows, cols;
            bool is_output;
        } tensors[4];
    } table[] = {
        {KS_TASK_GEMM, {{"A", 3, 5, false}, {"B", 5, 7, false}, {"OUT", 3, 7, true}}},
        {KS_TASK_GEMM_BIAS_RELU,
         {{"A", 3, 5, false}, {"B", 5, 7, false}, {"OUT", 3, 7, true}, {"BIAS", 1, 7, false}}},
        {KS_TASK_GEMM_KTILE_SCALE, {{"A", 3, 5, false}, {"B", 5, 7, false}, {"OUT", 3, 7, true}}},
        {KS_TASK_GEMM_CHAIN,
         {{"A", 3, 5, false}, {"B", 5, 7, false}, {"OUT", 3, 7, true}, {"B2", 7, 7, false}}},
        {KS_TASK_GEMM_POSTNORM, {{"A", 3, 5, false}, {"B", 5, 7, false}, {"OUT", 3, 7, true}}},
        {KS_TASK_MATH_CHAIN, {{"X", 3, 7, false}, {"OUT", 3, 7, true}}},
        {KS_TASK_RMSNORM_LINEAR,
         {{"X", 3, 5, false}, {"B", 5, 7, false}, {"OUT", 3, 7, true}, {"w", 1, 5, false}}},
    };
    const ks_point point = bench_of(3, 5, 7);
    for (size_t t = 0; t < COUNT(table); t++) {
        const ks_layout layout = ks_task_layout(table[t].task, &point);
        uint32_t i = 0;
        for (; i < 4 && table[t].tensors[i].name; i++) {
            assert_string_equal(layout.tensors[i].name, table[t].tensors[i].name);
            assert_int_equal(layout.tensors[i].rows, table[t].tensors[i].rows);
            assert_int_equal(layout.tensors[i].cols, table[t].tensors[i].cols);
            assert_int_equal(layout.tensors[i].is_output, table[t].tensors[i].is_output);
            assert_int_equal(layout.tensors[i].addr, 0x10000000 + 4096 * i);
            assert_int_equal(layout.tensors[i].dtype, KS_F16);
        }
        assert_int_equal(layout.count, i);
    }
}

static void a_decode_has_q_k_v_out(void **state) {
    (void)state;
    const ks_point point = attention_of(8, 128, 4096); /* Q 2048 bytes, K and V 2^20 each */
    const ks_layout layout = ks_task_layout(KS_TASK_ATTENTION, &point);
    static const struct {
        const char *name;
        uint64_t addr, rows;
    } table[] = {{"Q", 0x10000000, 8},
                 {"K", 0x10001000, 4096},
                 {"V", 0x10101000, 4096},
                 {"OUT", 0x10201000, 8}};
    assert_int_equal(layout.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(layout.tensors[i].name, table[i].name);
        assert_int_equal(layout.tensors[i].addr, table[i].addr);
        assert_int_equal(layout.tensors[i].rows, table[i].rows);
        assert_int_equal(layout.tensors[i].cols, 128);
    }
    assert_int_equal(layout.end, 0x10201000 + 2048);
    assert_false(layout.is_too_far);
}

static void tensors_begin_at_the_next_4_kib(void **state) {
    (void)state;
    static const struct {
        uint64_t k; /* A is 1 x k of f16 */
        uint64_t b_addr;
    } table[] = {{2047, 0x10001000}, {2048, 0x10001000}, {2049, 0x10002000}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_point point = bench_of(1, table[i].k, 1);
        const ks_layout layout = ks_task_layout(KS_TASK_GEMM, &point);
        assert_int_equal(layout.tensors[1].addr, table[i].b_addr);
    }
}

/* One K of 2^30 x 2^17 f16 elements is 2^48 bytes; the base lies before it. */
static void the_first_tensor_past_2_to_the_48_is_told(void **state) {
    (void)state;
    const uint64_t one = UINT64_C(1);
    ks_point point = attention_of(1, 1 << 16, one << 30); /* K ends at 2^47 + a bit, V past 2^48 */
    const ks_layout v_is_too_far = ks_task_layout(KS_TASK_ATTENTION, &point);
    assert_true(v_is_too_far.is_too_far);
    assert_int_equal(v_is_too_far.end, 0x10000000 + (one << 17) + (one << 48));
    point = attention_of(1, 1 << 17, one << 30);
    const ks_layout k_is_too_far = ks_task_layout(KS_TASK_ATTENTION, &point);
    assert_true(k_is_too_far.is_too_far);
    assert_int_equal(k_is_too_far.end, 0x10000000 + (one << 18) + (one << 48));
    point = attention_of(1, 1 << 15, one << 30);
    assert_false(ks_task_layout(KS_TASK_ATTENTION, &point).is_too_far);
}

/* X and OUT are one size, so that OUT ends at 2^48 exactly, or one row of each behind it. */
static void an_end_at_2_to_the_48_fits(void **state) {
    (void)state;
    const uint64_t limit = UINT64_C(1) << 48;
    const uint64_t row = 1 << 15, fits = (limit - 0x10000000) / 2 / row;
    ks_point point = bench_of(fits, 1, 1 << 14);
    const ks_layout last = ks_task_layout(KS_TASK_MATH_CHAIN, &point);
    assert_false(last.is_too_far);
    assert_int_equal(last.end, limit);
    assert_int_equal(ks_layout_find(&last, "OUT")->addr, 0x10000000 + fits * row);
    point.params[KS_P_M] = fits + 1;
    const ks_layout beyond = ks_task_layout(KS_TASK_MATH_CHAIN, &point);
    assert_true(beyond.is_too_far);
    assert_int_equal(beyond.end, limit + 2 * row);
}

static void the_largest_shapes_do_not_wrap(void **state) {
    (void)state;
    ks_point point = attention_of(KS_SHAPE_MAX, KS_SHAPE_MAX, KS_SHAPE_MAX);
    point.params[KS_P_dtype] = KS_F32;
    const ks_layout layout = ks_task_layout(KS_TASK_ATTENTION, &point);
    assert_true(layout.is_too_far);
    assert_int_equal(layout.end, 0x10000000 + (UINT64_C(1) << 62)); /* Q, the first */
}

static void tensors_are_in_the_dtype_of_the_point(void **state) {
    (void)state;
    ks_point point = bench_of(1, 1024, 1);
    point.params[KS_P_dtype] = KS_F32; /* A: 4096 bytes */
    assert_int_equal(ks_task_layout(KS_TASK_GEMM, &point).tensors[1].addr, 0x10001000);
    point.params[KS_P_K] = 1025;
    assert_int_equal(ks_task_layout(KS_TASK_GEMM, &point).tensors[1].addr, 0x10002000);
    assert_int_equal(ks_task_layout(KS_TASK_GEMM, &point).tensors[1].dtype, KS_F32);
}

static void tensors_are_found_by_name(void **state) {
    (void)state;
    const ks_point point = bench_of(1, 1, 1);
    const ks_layout layout = ks_task_layout(KS_TASK_GEMM_CHAIN, &point);
    assert_ptr_equal(ks_layout_find(&layout, "B2"), &layout.tensors[3]);
    assert_ptr_equal(ks_layout_find(&layout, "B"), &layout.tensors[1]);
    assert_null(ks_layout_find(&layout, "b2"));
    assert_null(ks_layout_find(&layout, ""));
}

static void a_task_takes_its_shapes_and_no_others(void **state) {
    (void)state;
#define BIT(name) (UINT32_C(1) << KS_P_##name)
    const uint32_t mkn = BIT(M) | BIT(K) | BIT(N);
    static const ks_task benches[] = {
        KS_TASK_GEMM,       KS_TASK_GEMM_BIAS_RELU, KS_TASK_GEMM_KTILE_SCALE,
        KS_TASK_GEMM_CHAIN, KS_TASK_GEMM_POSTNORM,  KS_TASK_RMSNORM_LINEAR};
    assert_int_equal(ks_task_shapes(KS_TASK_ATTENTION), BIT(G) | BIT(TILE) | BIT(d) | BIT(S));
    assert_int_equal(ks_task_shapes(KS_TASK_MATH_CHAIN), BIT(M) | BIT(N));
    for (size_t i = 0; i < COUNT(benches); i++) assert_int_equal(ks_task_shapes(benches[i]), mkn);
#undef BIT
}

/* Largest magnitudes of the generator: 6.67, 11 times that, 1, 512 times 6.67. */
static void inputs_of_8_bits_have_scales_that_keep_them_finite(void **state) {
    (void)state;
    static const struct {
        ks_dtype dtype;
        ks_dist dist;
        float q, k, v;
    } cases[] = {{KS_E4M3FN, KS_DIST_normal, 0x1p-6f, 0x1p-6f, 0x1p-6f},
                 {KS_E4M3FN, KS_DIST_outlier, 0x1p-2f, 0x1p-2f, 0x1p-2f},
                 {KS_E4M3FN, KS_DIST_uniform, 0x1p-8f, 0x1p-8f, 0x1p-8f},
                 {KS_E4M3FN, KS_DIST_large, 8, 8, 0x1p-6f},
                 {KS_E5M2, KS_DIST_normal, 0x1p-13f, 0x1p-13f, 0x1p-13f},
                 {KS_E5M2, KS_DIST_large, 0x1p-4f, 0x1p-4f, 0x1p-13f},
                 {KS_F16, KS_DIST_large, 1, 1, 1},
                 {KS_F32, KS_DIST_normal, 1, 1, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_point point = attention_of(4, 8, 16);
        point.params[KS_P_dtype] = cases[i].dtype;
        point.params[KS_P_dist] = cases[i].dist;
        const ks_layout layout = ks_task_layout(KS_TASK_ATTENTION, &point);
        assert_true(layout.tensors[0].scale == cases[i].q);
        assert_true(layout.tensors[1].scale == cases[i].k);
        assert_true(layout.tensors[2].scale == cases[i].v);
        assert_true(layout.tensors[3].scale == 1);
        assert_int_equal(layout.tensors[2].dtype, cases[i].dtype);
        assert_int_equal(layout.tensors[3].dtype, ks_dtype_wide(cases[i].dtype));
    }
}

/* 8192 + 8192 bytes of K and V of f16; half of that, and OUT of f16, where they have 8 bits. */
static void tensors_of_8_bits_are_half_as_long(void **state) {
    (void)state;
    ks_point point = attention_of(4, 64, 128);
    const ks_layout f16 = ks_task_layout(KS_TASK_ATTENTION, &point);
    point.params[KS_P_dtype] = KS_E4M3FN;
    const ks_layout small = ks_task_layout(KS_TASK_ATTENTION, &point);
    assert_int_equal(f16.tensors[2].addr - f16.tensors[1].addr, 16384);
    assert_int_equal(small.tensors[2].addr - small.tensors[1].addr, 8192);
    assert_int_equal(f16.end - f16.tensors[3].addr, 512);
    assert_int_equal(small.end - small.tensors[3].addr, 512);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_lie_in_hbm_order_with_their_shapes),
        cmocka_unit_test(a_decode_has_q_k_v_out),
        cmocka_unit_test(tensors_begin_at_the_next_4_kib),
        cmocka_unit_test(the_first_tensor_past_2_to_the_48_is_told),
        cmocka_unit_test(an_end_at_2_to_the_48_fits),
        cmocka_unit_test(the_largest_shapes_do_not_wrap),
        cmocka_unit_test(tensors_are_in_the_dtype_of_the_point),
        cmocka_unit_test(tensors_are_found_by_name),
        cmocka_unit_test(a_task_takes_its_shapes_and_no_others),
        cmocka_unit_test(inputs_of_8_bits_have_scales_that_keep_them_finite),
        cmocka_unit_test(tensors_of_8_bits_are_half_as_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
