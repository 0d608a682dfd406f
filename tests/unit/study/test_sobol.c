#include "response_bench.h"
#include "study/sobol.h"

static ks_sobol_plan plan_of(size_t dims, size_t n, ks_sequence_kind kind, uint64_t seed) {
    return (ks_sobol_plan){
        .dims = dims, .n = n, .kind = kind, .seed = seed, .bootstrap = {2, 0.95, seed}};
}

static ks_sobol_indices indices_of(const bench_case *c, const ks_sobol_plan *plan) {
    bench_response response;
    ks_sobol_indices indices;
    ks_error error = {""};
    double *y = malloc(ks_sobol_points(plan) * sizeof *y);
    bench_respond(&response, c->function, c->dims);
    assert_null(ks_sobol_refusal(plan));
    assert_int_equal(ks_sobol_ask(plan, &response.response, y, &error), KS_OK);
    assert_int_equal(ks_sobol_estimate(plan, y, 1, 0, &indices, &error), KS_OK);
    free(y);
    return indices;
}

static double worst_error(const bench_case *c, const ks_sobol_plan *plan) {
    ks_sobol_indices found = indices_of(c, plan);
    double worst = 0;
    for (size_t i = 0; i < c->dims; i++) {
        worst = fmax(worst, fabs(found.s1[i].value - c->s1[i]));
        worst = fmax(worst, fabs(found.st[i].value - c->st[i]));
    }
    if (plan->n >= 16384) assert_true(fabs(found.variance - c->variance) < 0.03 * c->variance);
    ks_sobol_indices_free(&found);
    return worst;
}

static void expect_within(size_t n, double tolerance) {
    for (size_t k = 0; k < COUNT(bench_cases); k++)
        for (int kind = KS_SEQUENCE_SOBOL; kind <= KS_SEQUENCE_RANDOM; kind++) {
            const ks_sobol_plan plan =
                plan_of(bench_cases[k].dims, n, (ks_sequence_kind)kind, 20261130);
            const double worst = worst_error(&bench_cases[k], &plan);
            if (worst > tolerance)
                fail_msg("%s, %s: off by %g", bench_cases[k].name,
                         ks_sequence_name((ks_sequence_kind)kind), worst);
        }
}

static void every_exact_row_is_met_within_003_at_16384(void **state) {
    (void)state;
    expect_within(16384, 0.03);
}

static void every_exact_row_is_met_within_0015_at_65536(void **state) {
    (void)state;
    expect_within(65536, 0.015);
}

static void errors_of_the_scrambled_sequence_are_smaller_than_those_of_random_points(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(bench_cases); k++) {
        double errors[2] = {0, 0};
        for (int kind = KS_SEQUENCE_SOBOL; kind <= KS_SEQUENCE_RANDOM; kind++)
            for (uint64_t seed = 0; seed < 8; seed++) {
                const ks_sobol_plan plan =
                    plan_of(bench_cases[k].dims, 1024, (ks_sequence_kind)kind, seed);
                errors[kind] += worst_error(&bench_cases[k], &plan);
            }
        if (errors[KS_SEQUENCE_SOBOL] > 0.6 * errors[KS_SEQUENCE_RANDOM])
            fail_msg("%s: %g and %g", bench_cases[k].name, errors[0], errors[1]);
    }
}

static void second_order_finds_the_one_pair_of_ishigami(void **state) {
    (void)state;
    ks_sobol_plan plan = plan_of(3, 16384, KS_SEQUENCE_SOBOL, 7);
    plan.has_second_order = true;
    ks_sobol_indices found = indices_of(&bench_cases[0], &plan);
    assert_true(fabs(found.s2[0 * 3 + 1].value) < 0.02);
    assert_true(fabs(found.s2[0 * 3 + 2].value - 0.2436836641) < 0.02);
    assert_true(fabs(found.s2[1 * 3 + 2].value) < 0.02);
    assert_true(fabs(found.s1[0].value - 0.3139051911) < 0.01);
    ks_sobol_indices_free(&found);
}

typedef struct coverage {
    unsigned covered, asked;
} coverage;

static coverage coverage_of(const bench_case *c, ks_sequence_kind kind) {
    coverage sum = {0, 0};
    for (uint64_t seed = 1000; seed < 1200; seed++) {
        ks_sobol_plan plan = plan_of(c->dims, 256, kind, seed);
        plan.bootstrap.resamples = KS_DEFAULT_RESAMPLES;
        ks_sobol_indices found = indices_of(c, &plan);
        for (size_t i = 0; i < c->dims; i++) {
            sum.covered += found.s1[i].lo <= c->s1[i] && c->s1[i] <= found.s1[i].hi;
            sum.covered += found.st[i].lo <= c->st[i] && c->st[i] <= found.st[i].hi;
            sum.asked += 2;
        }
        ks_sobol_indices_free(&found);
    }
    return sum;
}

static void intervals_cover_the_exact_indices_as_often_as_they_say(void **state) {
    (void)state;
    static const size_t cases[] = {0, 5}; /* Ishigami, threshold */
    for (size_t k = 0; k < COUNT(cases); k++) {
        const bench_case *c = &bench_cases[cases[k]];
        const coverage random = coverage_of(c, KS_SEQUENCE_RANDOM);
        const coverage sobol = coverage_of(c, KS_SEQUENCE_SOBOL);
        const double share = (double)random.covered / random.asked;
        if (share < 0.90 || share > 0.99) fail_msg("%s, random: %g", c->name, share);
        if (sobol.covered < 0.90 * sobol.asked)
            fail_msg("%s, sobol: %u of %u", c->name, sobol.covered, sobol.asked);
    }
}

static void more_confidence_makes_wider_intervals(void **state) {
    (void)state;
    ks_sobol_plan plan = plan_of(3, 1024, KS_SEQUENCE_SOBOL, 3);
    plan.bootstrap.resamples = KS_DEFAULT_RESAMPLES;
    ks_sobol_indices narrow = indices_of(&bench_cases[0], &plan);
    plan.bootstrap.confidence = 0.99;
    ks_sobol_indices wide = indices_of(&bench_cases[0], &plan);
    for (size_t i = 0; i < 3; i++) {
        assert_true(wide.s1[i].lo < narrow.s1[i].lo && narrow.s1[i].hi < wide.s1[i].hi);
        assert_true(wide.st[i].lo < narrow.st[i].lo && narrow.st[i].hi < wide.st[i].hi);
        assert_true(wide.s1[i].value == narrow.s1[i].value);
    }
    ks_sobol_indices_free(&narrow);
    ks_sobol_indices_free(&wide);
}

static double always_seven(const double *u) {
    (void)u;
    return 7;
}
static double nothing_above_a_half(const double *u) { return u[0] > 0.5 ? NAN : u[0]; }

static void a_constant_output_has_indices_of_0(void **state) {
    (void)state;
    const bench_case constant = {"constant", always_seven, 2, 0, {0}, {0}};
    ks_sobol_plan plan = plan_of(2, 64, KS_SEQUENCE_SOBOL, 1);
    plan.has_second_order = true;
    ks_sobol_indices found = indices_of(&constant, &plan);
    assert_true(found.is_constant && found.mean == 7 && found.variance == 0);
    for (size_t i = 0; i < 2; i++) {
        assert_true(found.s1[i].value == 0 && found.s1[i].lo == 0 && found.s1[i].hi == 0);
        assert_true(found.st[i].value == 0 && found.st[i].lo == 0 && found.st[i].hi == 0);
    }
    assert_true(found.s2[1].value == 0);
    ks_sobol_indices_free(&found);
}

static void points_without_a_value_are_counted_and_leave_no_indices(void **state) {
    (void)state;
    const bench_case holes = {"holes", nothing_above_a_half, 1, 0, {0}, {0}};
    const ks_sobol_plan plan = plan_of(1, 64, KS_SEQUENCE_SOBOL, 1);
    ks_sobol_indices found = indices_of(&holes, &plan);
    /* Half of A and half of B; AB_1 is B. */
    assert_int_equal(found.missing, 96);
    assert_true(!found.is_constant && found.s1[0].value == 0);
    ks_sobol_indices_free(&found);
}

static void n_of_the_sequence_is_a_power_of_two(void **state) {
    (void)state;
    static const size_t refused[] = {0, 1, 3, 1000, 4095, 4097, (1 << 20) + 1, 1 << 21};
    ks_sobol_plan plan = plan_of(2, 2, KS_SEQUENCE_SOBOL, 1);
    for (size_t i = 0; i < COUNT(refused); i++) {
        plan.n = refused[i];
        assert_non_null(ks_sobol_refusal(&plan));
    }
    for (plan.n = 2; plan.n <= KS_SOBOL_MAX_N; plan.n *= 2) assert_null(ks_sobol_refusal(&plan));
    plan.n = 1000;
    plan.kind = KS_SEQUENCE_RANDOM;
    assert_null(ks_sobol_refusal(&plan));
}

static void the_design_has_d_plus_2_points_a_sample_or_2d_plus_2(void **state) {
    (void)state;
    ks_sobol_plan plan = plan_of(6, 4096, KS_SEQUENCE_SOBOL, 1);
    assert_int_equal(ks_sobol_points(&plan), 32768);
    plan.has_second_order = true;
    plan.n = 1024;
    assert_int_equal(ks_sobol_points(&plan), 14336);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exact_row_is_met_within_003_at_16384),
        cmocka_unit_test(every_exact_row_is_met_within_0015_at_65536),
        cmocka_unit_test(errors_of_the_scrambled_sequence_are_smaller_than_those_of_random_points),
        cmocka_unit_test(second_order_finds_the_one_pair_of_ishigami),
        cmocka_unit_test(intervals_cover_the_exact_indices_as_often_as_they_say),
        cmocka_unit_test(more_confidence_makes_wider_intervals),
        cmocka_unit_test(a_constant_output_has_indices_of_0),
        cmocka_unit_test(points_without_a_value_are_counted_and_leave_no_indices),
        cmocka_unit_test(n_of_the_sequence_is_a_power_of_two),
        cmocka_unit_test(the_design_has_d_plus_2_points_a_sample_or_2d_plus_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
