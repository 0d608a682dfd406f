#include "contract/point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_point_starts_with_the_defaults_of_the_model(void **state) {
    (void)state;
    const ks_point point = ks_point_default();
    static const struct {
        ks_param param;
        uint64_t value;
    } table[] = {
        {KS_P_kernel, 0},
        {KS_P_G, 0},
        {KS_P_TILE, 0},
        {KS_P_d, 0},
        {KS_P_S, 0},
        {KS_P_M, 0},
        {KS_P_K, 0},
        {KS_P_N, 0},
        {KS_P_dtype, KS_F16},
        {KS_P_score, KS_F16},
        {KS_P_acc, KS_F32},
        {KS_P_p_dtype, KS_F16},
        {KS_P_policy, KS_POLICY_strict_fifo},
        {KS_P_s_buffers, 2},
        {KS_P_stream_in_prologue, 0},
        {KS_P_dist, KS_DIST_normal},
        {KS_P_seed, 1},
    };
    assert_int_equal(sizeof table / sizeof table[0], KS_PARAM_COUNT);
    for (int i = 0; i < KS_PARAM_COUNT; i++) {
        assert_int_equal(table[i].param, i); /* KEY order */
        assert_int_equal(ks_param_of(&point, table[i].param), table[i].value);
    }
}

static void values_have_the_names_of_the_model(void **state) {
    (void)state;
    static const char *const policies[] = {"strict_fifo", "rw_aware", "serial"};
    static const char *const dists[] = {"normal", "outlier", "uniform", "large"};
    static const char *const dtypes[] = {"f32", "f16", "bf16", "e4m3fn", "e5m2"};
    assert_int_equal(KS_POLICY_COUNT, 3);
    assert_int_equal(KS_DIST_COUNT, 4);
    assert_int_equal(KS_DTYPE_COUNT, 5);
    for (int i = 0; i < 3; i++) assert_string_equal(ks_policy_name((ks_policy)i), policies[i]);
    for (int i = 0; i < 4; i++) assert_string_equal(ks_dist_name((ks_dist)i), dists[i]);
    for (int i = 0; i < 5; i++) assert_string_equal(ks_dtype_name((ks_dtype)i), dtypes[i]);
}

static void formats_have_their_sizes_and_exponents(void **state) {
    (void)state;
    static const struct {
        ks_dtype dtype;
        uint32_t bytes;
        int unit, normal;
        ks_dtype wide;
    } table[] = {{KS_F32, 4, -24, -126, KS_F32},
                 {KS_F16, 2, -11, -14, KS_F16},
                 {KS_BF16, 2, -8, -126, KS_BF16},
                 {KS_E4M3FN, 1, -4, -6, KS_F16},
                 {KS_E5M2, 1, -3, -14, KS_F16}};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ks_dtype_wide(table[i].dtype), table[i].wide);
        assert_int_equal(ks_dtype_bytes(table[i].dtype), table[i].bytes);
        assert_int_equal(ks_dtype_unit_exponent(table[i].dtype), table[i].unit);
        assert_int_equal(ks_dtype_normal_exponent(table[i].dtype), table[i].normal);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_starts_with_the_defaults_of_the_model),
        cmocka_unit_test(values_have_the_names_of_the_model),
        cmocka_unit_test(formats_have_their_sizes_and_exponents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
