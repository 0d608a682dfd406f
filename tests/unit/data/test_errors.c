#include "row_bench.h"

#include "data/numbers.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define INF __builtin_inff()
#define NOT_A_NUMBER __builtin_nanf("")

enum { MOST = 8 };

/* A solved problem with made-up solutions. */
typedef struct solved {
    ks_numbers numbers;
    double reference[MOST], full[MOST], magnitude[MOST];
} solved;

static void solved_make(solved *s, ks_task task, ks_dtype dtype, const double *reference,
                        uint64_t count) {
    *s = (solved){.numbers = {.key = {.task = task}, .out = 0, .out_count = count}};
    s->numbers.layout.tensors[0].dtype = dtype;
    for (uint64_t i = 0; i < count; i++)
        s->reference[i] = s->full[i] = s->magnitude[i] = reference[i];
    s->numbers.reference = s->reference;
    s->numbers.reference_full = s->full;
    s->numbers.magnitude = s->magnitude;
}

static ks_judgement judge_absolute(const solved *s, const float *out, double limit) {
    return ks_judge(&s->numbers, out, (ks_tolerance){KS_TOLERANCE_ABSOLUTE, limit, 0});
}

static void errors_are_those_worked_out_by_hand(void **state) {
    static const double reference[] = {1, -2, 4, 0};
    static const float out[] = {1.5f, -2, 4.25f, 0x1p-20f};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F16, reference, COUNT(reference));
    s.full[1] = -3;
    const ks_errors e = ks_errors_of(&s.numbers, out);
    assert_true(e.max_abs_err == 0.5 && e.max_rel_err == 0.5);
    assert_true(e.rmse == __builtin_sqrt((0.25 + 0.0625 + 0x1p-40) / 4));
    assert_int_equal(e.max_ulp_err, 512); /* 1 to 1.5, units of 2^-10 */
    assert_true(e.max_abs_err_full == 1);
    assert_true(e.rmse_full == __builtin_sqrt((0.25 + 1 + 0.0625 + 0x1p-40) / 4));
    assert_int_equal(e.nonfinite, 0);
    assert_int_equal(e.compared, 4);
}

static void the_relative_error_of_a_tiny_value_is_taken_from_the_smallest_normal(void **state) {
    static const double reference[] = {0};
    static const struct {
        ks_dtype dtype;
        double least;
    } cases[] = {{KS_F16, 0x1p-14}, {KS_BF16, 0x1p-126}, {KS_F32, 0x1p-126}};
    const float out[] = {0x1p-24f};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        solved s;
        solved_make(&s, KS_TASK_ATTENTION, cases[i].dtype, reference, 1);
        assert_true(ks_errors_of(&s.numbers, out).max_rel_err == 0x1p-24 / cases[i].least);
    }
}

static void ulps_are_places_of_the_dtype(void **state) {
    static const struct {
        ks_dtype dtype;
        float out;
        double reference;
        uint64_t ulps;
    } cases[] = {{KS_F16, 1.0f, 1 - 0x1p-11, 1},
                 {KS_F16, 0x1p-24f, -0x1p-24, 2}, /* through both zeros, which are one */
                 {KS_F16, -0.0f, 0.0, 0},
                 {KS_F16, 1.0f, 1 + 0x1p-11, 0},           /* the reference rounds to even */
                 {KS_F16, 1.0f, 1 + 0x1p-11 + 0x1p-40, 1}, /* once, not by way of float */
                 {KS_F16, 65504.0f, 65520, 1},             /* to infinity */
                 {KS_BF16, 1.0f, 1 + 0x1p-6, 2},
                 {KS_F32, 1.0f, 1 + 0x1p-20, 8},
                 {KS_F32, -1.0f, 1, 2 * UINT64_C(0x3f800000)}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        solved s;
        solved_make(&s, KS_TASK_ATTENTION, cases[i].dtype, &cases[i].reference, 1);
        assert_int_equal(ks_errors_of(&s.numbers, &cases[i].out).max_ulp_err, cases[i].ulps);
    }
}

static void non_finite_elements_are_counted_and_left_out(void **state) {
    static const double reference[] = {1, 1, 1, 1};
    static const float out[] = {NOT_A_NUMBER, INF, -INF, 1.25f};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, COUNT(reference));
    const ks_errors e = ks_errors_of(&s.numbers, out);
    assert_int_equal(e.nonfinite, 3);
    assert_int_equal(e.compared, 1);
    assert_true(e.max_abs_err == 0.25 && e.rmse == 0.25 && e.max_abs_err_full == 0.25);
}

static void with_nothing_finite_all_errors_are_zero(void **state) {
    static const double reference[] = {1, 2};
    static const float out[] = {NOT_A_NUMBER, NOT_A_NUMBER};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, 2);
    const ks_errors e = ks_errors_of(&s.numbers, out);
    assert_int_equal(e.nonfinite, 2);
    assert_true(e.compared == 0 && e.max_abs_err == 0 && e.rmse == 0 && e.max_rel_err == 0);
}

static void one_nan_fails_however_wide_the_tolerance(void **state) {
    static const double reference[] = {1, 1, 1};
    static const float out[] = {1, NOT_A_NUMBER, 1};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, 3);
    const ks_judgement j = judge_absolute(&s, out, 1e30);
    assert_int_equal(j.kind, KS_JUDGED_NONFINITE);
    assert_int_equal(j.nonfinite, 1);
}

static void an_error_at_the_limit_passes_and_one_beyond_fails(void **state) {
    static const double reference[] = {8, -1};
    static const float at[] = {8, -1.5f}, beyond[] = {8, -1.5f - 0x1p-23f};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, 2);
    assert_int_equal(judge_absolute(&s, at, 0.25).kind, KS_JUDGED_PASS); /* 0.25 + 0.25 x 1 */
    const ks_judgement j = judge_absolute(&s, beyond, 0.25);
    assert_int_equal(j.kind, KS_JUDGED_TOLERANCE);
    assert_true(j.err == 0.5 + 0x1p-23 && j.limit == 0.5 && j.element == 1);
}

static void the_worst_element_is_the_one_farthest_over_its_own_limit(void **state) {
    static const double reference[] = {100, 0, 1};
    static const float out[] = {103, 0.5f, 1.25f}; /* 3 of 10.1, 0.5 of 0.1, 0.25 of 0.2 */
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, 3);
    const ks_judgement j = judge_absolute(&s, out, 0.1);
    assert_int_equal(j.element, 1);
    assert_true(j.err == 0.5 && j.limit == 0.1);
}

static void an_exact_result_passes_a_tolerance_of_zero(void **state) {
    static const double reference[] = {1, 0};
    static const float out[] = {1, 0}, off[] = {1, 0x1p-149f};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, 2);
    assert_int_equal(judge_absolute(&s, out, 0).kind, KS_JUDGED_PASS);
    assert_int_equal(judge_absolute(&s, off, 0).kind, KS_JUDGED_TOLERANCE);
}

static void a_reference_of_zeros_proves_nothing(void **state) {
    static const double reference[] = {0, -0.0};
    static const float out[] = {0, 0}, wrong[] = {0, 1};
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, reference, 2);
    assert_int_equal(judge_absolute(&s, out, 1e-5).kind, KS_JUDGED_NOTHING);
    assert_int_equal(judge_absolute(&s, wrong, 1e-5).kind, KS_JUDGED_TOLERANCE);
}

static void nothing_compared_proves_nothing(void **state) {
    solved s;
    (void)state;
    solved_make(&s, KS_TASK_ATTENTION, KS_F32, NULL, 0);
    assert_int_equal(judge_absolute(&s, NULL, 1).kind, KS_JUDGED_NOTHING);
}

/* 2 x plain + u x max |ref| with plain = 1/4: 0.5 + u x 4. */
static void twice_plain_adds_a_unit_of_the_largest_reference(void **state) {
    static const double reference[] = {0, -4};
    static const struct {
        ks_dtype dtype;
        double limit;
    } cases[] = {{KS_F16, 0.5 + 0x1p-9}, {KS_BF16, 0.5 + 0x1p-6}, {KS_F32, 0.5 + 0x1p-22}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        solved s;
        solved_make(&s, KS_TASK_ATTENTION, cases[i].dtype, reference, 2);
        const ks_tolerance rule = {.kind = KS_TOLERANCE_TWICE_PLAIN, .plain_max_abs_err = 0.25};
        const float at[] = {(float)cases[i].limit, -4};
        const float beyond[] = {(float)cases[i].limit + 0x1p-20f, -4};
        assert_int_equal(ks_judge(&s.numbers, at, rule).kind, KS_JUDGED_PASS);
        const ks_judgement j = ks_judge(&s.numbers, beyond, rule);
        assert_int_equal(j.kind, KS_JUDGED_TOLERANCE);
        assert_true(j.limit == cases[i].limit && j.element == 0);
    }
}

/* (4 u + (K + N) x 2^-24) x mag, + 2^-24 for f16; whatever the tolerance says. */
static void a_bench_is_judged_by_its_magnitudes(void **state) {
    static const double reference[] = {1};
    static const struct {
        ks_dtype dtype;
        double limit;
    } cases[] = {{KS_F16, (0x1p-9 + 96 * 0x1p-24) * 3 + 0x1p-24},
                 {KS_BF16, (0x1p-6 + 96 * 0x1p-24) * 3},
                 {KS_F32, (0x1p-22 + 96 * 0x1p-24) * 3}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        solved s;
        const float out[] = {2};
        solved_make(&s, KS_TASK_GEMM, cases[i].dtype, reference, 1);
        s.magnitude[0] = 3;
        s.numbers.key.params[KS_P_K] = 64;
        s.numbers.key.params[KS_P_N] = 32;
        const ks_judgement j = judge_absolute(&s, out, 1e9);
        assert_int_equal(j.kind, KS_JUDGED_TOLERANCE);
        assert_true(j.err == 1 && j.limit == cases[i].limit);
    }
}

/* A value below half the smallest subnormal of the dtype is 0 there, and right. */
static void an_underflow_of_a_bench_passes(void **state) {
    static const double reference[] = {0x1p-200, 1};
    static const ks_dtype dtypes[] = {KS_F32, KS_F16, KS_BF16};
    const float out[] = {0, 1};
    (void)state;
    for (size_t i = 0; i < COUNT(dtypes); i++) {
        solved s;
        solved_make(&s, KS_TASK_MATH_CHAIN, dtypes[i], reference, 2);
        assert_int_equal(judge_absolute(&s, out, 0).kind, KS_JUDGED_PASS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_worked_out_by_hand),
        cmocka_unit_test(the_relative_error_of_a_tiny_value_is_taken_from_the_smallest_normal),
        cmocka_unit_test(ulps_are_places_of_the_dtype),
        cmocka_unit_test(non_finite_elements_are_counted_and_left_out),
        cmocka_unit_test(with_nothing_finite_all_errors_are_zero),
        cmocka_unit_test(one_nan_fails_however_wide_the_tolerance),
        cmocka_unit_test(an_error_at_the_limit_passes_and_one_beyond_fails),
        cmocka_unit_test(the_worst_element_is_the_one_farthest_over_its_own_limit),
        cmocka_unit_test(an_exact_result_passes_a_tolerance_of_zero),
        cmocka_unit_test(a_reference_of_zeros_proves_nothing),
        cmocka_unit_test(nothing_compared_proves_nothing),
        cmocka_unit_test(twice_plain_adds_a_unit_of_the_largest_reference),
        cmocka_unit_test(a_bench_is_judged_by_its_magnitudes),
        cmocka_unit_test(an_underflow_of_a_bench_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
