#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "study/filter.h"

static void normal_quantiles_are_those_of_the_tables(void **state) {
    (void)state;
    assert_true(fabs(ks_normal_z(0.5) - 0.674489750196) < 1e-9);
    assert_true(fabs(ks_normal_z(0.6826894921) - 1) < 1e-8);
    assert_true(fabs(ks_normal_z(0.95) - 1.959963984540) < 1e-9);
    assert_true(fabs(ks_normal_z(0.99) - 2.575829303549) < 1e-9);
    assert_true(fabs(ks_normal_z(0.999) - 3.290526731492) < 1e-8);
}

static void moments_survive_a_large_offset(void **state) {
    (void)state;
    ks_moments moments = {0};
    for (int i = 0; i < 1000; i++) ks_moments_add(&moments, 1e12 + i % 2);
    assert_true(fabs(moments.mean - (1e12 + 0.5)) < 1e-3);
    assert_true(fabs(ks_moments_variance(&moments, 1000) - 0.25) < 1e-6);
}

static void a_resample_draws_as_many_rows_as_there_are(void **state) {
    (void)state;
    const ks_bootstrap bootstrap = {100, 0.95, 3};
    uint32_t weights[50];
    uint64_t of_first = 0;
    for (uint32_t k = 0; k < 100; k++) {
        uint64_t sum = 0;
        ks_bootstrap_weights(&bootstrap, k, weights, 50);
        for (size_t i = 0; i < 50; i++) sum += weights[i];
        assert_int_equal(sum, 50);
        of_first += weights[0];
    }
    assert_in_range(of_first, 60, 140);
}

static void distance_of_two_samples_is_that_of_their_distribution_functions(void **state) {
    (void)state;
    ks_filter_result result;
    const double apart[] = {1, 2, 3, 4, 5, 6};
    const bool low[] = {true, true, true, false, false, false};
    assert_int_equal(ks_filter(apart, low, 6, &result), KS_OK);
    assert_true(result.distance == 1 && result.passed == 3 && result.failed == 3);
    const bool mixed[] = {true, false, true, false, true, false};
    assert_int_equal(ks_filter(apart, mixed, 6, &result), KS_OK);
    assert_true(fabs(result.distance - 1.0 / 3) < 1e-15);
    const double equal[] = {2, 2, 2, 2, 2, 2};
    assert_int_equal(ks_filter(equal, mixed, 6, &result), KS_OK);
    assert_true(result.distance == 0);
    const bool all[] = {true, true, true, true, true, true};
    assert_int_equal(ks_filter(apart, all, 6, &result), KS_OK);
    assert_true(result.distance == 0 && result.failed == 0 && result.critical == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_quantiles_are_those_of_the_tables),
        cmocka_unit_test(moments_survive_a_large_offset),
        cmocka_unit_test(a_resample_draws_as_many_rows_as_there_are),
        cmocka_unit_test(distance_of_two_samples_is_that_of_their_distribution_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
