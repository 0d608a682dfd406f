#include "row_bench.h"

#include "data/replay_math.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define INF __builtin_inff()
#define NOT_A_NUMBER __builtin_nanf("")

static bool same(float a, float b) { return a != a ? b != b : ks_bits32(a) == ks_bits32(b); }

/* The op on one element of each operand. */
static float on_scalars(ks_op_kind kind, const float *values, uint32_t count, float immediate) {
    const ks_op op = {.kind = kind, .immediate = immediate};
    float x[3] = {0}, result = 0, spare[3];
    ks_tile reads[3], out = {&result, 1, 1};
    for (uint32_t i = 0; i < count; i++) {
        x[i] = values[i];
        reads[i] = (ks_tile){&x[i], 1, 1};
    }
    assert_int_equal(ks_math_run(best_isa(), &op, reads, count, &out, spare, NULL), KS_OK);
    return result;
}

static void ops_give_what_the_model_says(void **state) {
    static const struct {
        ks_op_kind kind;
        uint32_t count;
        float x[3], immediate, result;
    } cases[] = {
        {KS_OP_fill, 0, {0}, -INF, -INF},
        {KS_OP_scale, 1, {3}, 0.5f, 1.5f},
        {KS_OP_relu, 1, {-1}, 0, 0},
        {KS_OP_relu, 1, {-0.0f}, 0, 0},
        {KS_OP_relu, 1, {2}, 0, 2},
        {KS_OP_relu, 1, {NOT_A_NUMBER}, 0, 0}, /* x > 0 ? x : 0 */
        {KS_OP_add, 2, {1, 0x1p-24f}, 0, 1},
        {KS_OP_cast, 1, {0.1f}, 0, 0.1f},
        {KS_OP_copy, 1, {-INF}, 0, -INF},
        {KS_OP_max_elem, 2, {-0.0f, 0.0f}, 0, -0.0f}, /* the first of equals */
        {KS_OP_max_elem, 2, {1, 2}, 0, 2},
        {KS_OP_max_elem, 2, {NOT_A_NUMBER, 2}, 0, NOT_A_NUMBER},
        {KS_OP_max_elem, 2, {2, NOT_A_NUMBER}, 0, NOT_A_NUMBER},
        {KS_OP_max_elem, 2, {-INF, -INF}, 0, -INF},
        {KS_OP_exp_diff, 2, {-INF, -INF}, 0, 0},
        {KS_OP_exp_diff, 2, {-INF, 3}, 0, 0},
        {KS_OP_exp_diff, 2, {3, 3}, 0, 1},
        {KS_OP_exp_diff, 2, {1, 2}, 0, 0x1.78b564p-2f},
        {KS_OP_exp_diff, 2, {INF, INF}, 0, NOT_A_NUMBER},
        {KS_OP_exp_diff, 2, {NOT_A_NUMBER, 0}, 0, NOT_A_NUMBER},
        {KS_OP_fma, 3, {1 + 0x1p-12f, 1 - 0x1p-12f, -1}, 0, -0x1p-24f},
        {KS_OP_mul_bcast, 2, {3, 4}, 0, 12},
        {KS_OP_mul_elem, 2, {3, -4}, 0, -12},
        {KS_OP_div_bcast, 2, {1, 3}, 1, 1.0f / 3},
        {KS_OP_div_bcast, 2, {1, 3}, 0.25f, 0.25f / 3},
        {KS_OP_div_bcast, 2, {5, 0}, 1, 0},
        {KS_OP_div_bcast, 2, {5, -0.0f}, 1, 0},
        {KS_OP_rsqrt_mean, 1, {16}, 4, 0x1.fffffcp-2f}, /* 1/sqrt(4 + 1e-6) in f32 */
        {KS_OP_rsqrt_mean, 1, {0}, 4, 0x1.f3fffep+9f},  /* not 1000: 1e-6f, then its root */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const float got = on_scalars(cases[i].kind, cases[i].x, cases[i].count, cases[i].immediate);
        if (!same(got, cases[i].result))
            fail_msg("case %zu %s: %a, not %a", i, ks_op_name(cases[i].kind), (double)got,
                     (double)cases[i].result);
    }
}

static float reduced(ks_op_kind kind, float *values, uint64_t count) {
    const ks_op op = {.kind = kind};
    float result = 0, spare[1];
    const ks_tile read = {values, 1, count};
    ks_tile out = {&result, 1, 1};
    assert_int_equal(ks_math_run(best_isa(), &op, &read, 1, &out, spare, NULL), KS_OK);
    return result;
}

static void sums_run_in_ascending_index(void **state) {
    float up[] = {0x1p24f, 1, 1, 1}, down[] = {1, 1, 1, 0x1p24f};
    float squares[] = {0x1p12f, 1, 1}, squares_last[] = {1, 1, 0x1p12f};
    (void)state;
    assert_true(reduced(KS_OP_rsum, up, 4) == 0x1p24f);
    assert_true(reduced(KS_OP_rsum, down, 4) == 0x1p24f + 4); /* 2^24 + 3 is a tie */
    assert_true(reduced(KS_OP_rsumsq, squares, 3) == 0x1p24f);
    assert_true(reduced(KS_OP_rsumsq, squares_last, 3) == 0x1p24f + 2);
}

static void the_largest_of_a_row_is_nan_if_any_is(void **state) {
    float plain[] = {-3, 7, 2}, first[] = {NOT_A_NUMBER, 1, 2}, last[] = {1, 2, NOT_A_NUMBER};
    float zeros[] = {-0.0f, 0.0f}, lowest[] = {-INF, -INF};
    (void)state;
    assert_true(reduced(KS_OP_rmax, plain, 3) == 7);
    assert_true(same(reduced(KS_OP_rmax, first, 3), NOT_A_NUMBER));
    assert_true(same(reduced(KS_OP_rmax, last, 3), NOT_A_NUMBER));
    assert_true(same(reduced(KS_OP_rmax, zeros, 2), -0.0f));
    assert_true(same(reduced(KS_OP_rmax, lowest, 2), -INF));
}

static void rmsnorm_rounds_every_operation(void **state) {
    const ks_op op = {.kind = KS_OP_rmsnorm, .immediate = 3};
    float x[] = {0.1f, 0.2f, 0.7f}, y[3], spare[3];
    const ks_tile read = {x, 1, 3};
    ks_tile out = {y, 1, 3};
    (void)state;
    assert_int_equal(ks_math_run(best_isa(), &op, &read, 1, &out, spare, NULL), KS_OK);
    float ss = x[0] * x[0];
    ss = ss + x[1] * x[1];
    ss = ss + x[2] * x[2];
    float mean = ss / 3.0f;
    mean = mean + 1e-6f;
    const float r = 1.0f / __builtin_sqrtf(mean);
    for (int i = 0; i < 3; i++) assert_true(y[i] == x[i] * r);
}

static void rows_and_columns_of_one_repeat(void **state) {
    const ks_op op = {.kind = KS_OP_mul_bcast};
    float x[] = {1, 2, 3, 4, 5, 6}, column[] = {10, 100}, row[] = {1, 2, 3}, one[] = {7};
    const struct {
        ks_tile y;
        float expected[6];
    } cases[] = {{{column, 2, 1}, {10, 20, 30, 400, 500, 600}},
                 {{row, 1, 3}, {1, 4, 9, 4, 10, 18}},
                 {{one, 1, 1}, {7, 14, 21, 28, 35, 42}}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        float result[6], spare[6];
        const ks_tile reads[] = {{x, 2, 3}, cases[i].y};
        ks_tile out = {result, 2, 3};
        assert_int_equal(ks_math_run(best_isa(), &op, reads, 2, &out, spare, NULL), KS_OK);
        assert_memory_equal(result, cases[i].expected, sizeof result);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    static const struct {
        ks_op_kind kind;
        uint32_t count;
        uint64_t rows, cols;
    } cases[] = {{KS_OP_add, 1, 2, 3},  {KS_OP_add, 2, 3, 3},  {KS_OP_add, 2, 2, 2},
                 {KS_OP_load, 1, 2, 3}, {KS_OP_gemm, 2, 2, 3}, {KS_OP_rmax, 1, 2, 3}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        float x[9] = {0}, result[6], spare[12];
        const ks_op op = {.kind = cases[i].kind};
        const ks_tile reads[] = {{x, cases[i].rows, cases[i].cols},
                                 {x, cases[i].rows, cases[i].cols}};
        ks_tile out = {result, 2, 3};
        ks_error error = {""};
        assert_int_equal(ks_math_run(best_isa(), &op, reads, cases[i].count, &out, spare, &error),
                         KS_FAILED);
        assert_true(error.text[0] != '\0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_give_what_the_model_says),
        cmocka_unit_test(sums_run_in_ascending_index),
        cmocka_unit_test(the_largest_of_a_row_is_nan_if_any_is),
        cmocka_unit_test(rmsnorm_rounds_every_operation),
        cmocka_unit_test(rows_and_columns_of_one_repeat),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
