#include "row_bench.h"

#include <stdlib.h>

enum { MANY = 1 << 20 };

static float *values_of(ks_dist dist, uint64_t seed, ks_task task, uint32_t tensor) {
    ks_numbers_key key = {.task = task};
    key.params[KS_P_seed] = seed;
    key.params[KS_P_dist] = dist;
    float *values = malloc(MANY * sizeof *values);
    assert_non_null(values);
    ks_input_generate(&key, best_isa(), tensor, 0, MANY, values);
    return values;
}

static float *queries(ks_dist dist) { return values_of(dist, 1, KS_TASK_ATTENTION, 0); }

static double moment(const float *values, int power) {
    double sum = 0;
    for (int i = 0; i < MANY; i++) {
        double product = 1;
        for (int p = 0; p < power; p++) product *= (double)values[i];
        sum += product;
    }
    return sum / MANY;
}

static bool is_near(double x, double expected, double limit) {
    return x - expected <= limit && expected - x <= limit;
}

/* Limits: five standard errors, sqrt(var of the power / MANY). */
static void normal_has_the_moments_of_a_normal(void **state) {
    static const struct {
        double expected, limit;
    } moments[] = {{1, 0}, {0, 0.0049}, {1, 0.0070}, {0, 0.019}, {3, 0.048}, {0, 0.16}, {15, 0.50}};
    float *values = queries(KS_DIST_normal);
    (void)state;
    for (int p = 1; p <= 6; p++)
        assert_true(is_near(moment(values, p), moments[p].expected, moments[p].limit));
    free(values);
}

static uint32_t count_beyond(const float *values, float limit) {
    uint32_t count = 0;
    for (int i = 0; i < MANY; i++) count += values[i] > limit || values[i] < -limit;
    return count;
}

/* P(|x| > limit) of N(0,1); each count within five standard errors. */
static void normal_has_the_tails_of_a_normal(void **state) {
    static const struct {
        float limit;
        double share;
    } tails[] = {{0.6744898f, 0.5},     {1.0f, 0.317310508},   {2.0f, 0.0455002639},
                 {3.0f, 0.00269979606}, {4.0f, 6.33424837e-5}, {4.5f, 6.79534626e-6}};
    float *values = queries(KS_DIST_normal);
    (void)state;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const double expected = tails[i].share * MANY;
        assert_true(
            is_near(count_beyond(values, tails[i].limit), expected, 5 * __builtin_sqrt(expected)));
    }
    assert_int_equal(count_beyond(values, 6.68f), 0);
    free(values);
}

static double correlation(const float *a, const float *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)a[i] * (double)b[i];
    return sum / count;
}

enum { LIMIT_PER_MILLE = 5 }; /* five standard errors of 2^20 pairs: 0.0049 */

static bool is_independent(double correlated) {
    return is_near(correlated, 0, LIMIT_PER_MILLE / 1000.0);
}

static void neighbours_do_not_correlate(void **state) {
    static const int lags[] = {1, 2, 3, 64, 128, 4096};
    float *values = queries(KS_DIST_normal);
    (void)state;
    for (size_t i = 0; i < sizeof lags / sizeof *lags; i++)
        assert_true(is_independent(correlation(values, values + lags[i], MANY - lags[i])));
    free(values);
}

static void tensors_do_not_correlate(void **state) {
    float *tensors[3];
    (void)state;
    for (uint32_t t = 0; t < 3; t++)
        tensors[t] = values_of(KS_DIST_normal, 1, KS_TASK_ATTENTION, t);
    for (int t = 0; t < 3; t++)
        assert_true(is_independent(correlation(tensors[t], tensors[(t + 1) % 3], MANY)));
    for (int t = 0; t < 3; t++) free(tensors[t]);
}

static void seeds_do_not_correlate(void **state) {
    static const uint64_t seeds[] = {0, 2, UINT64_MAX};
    float *values = queries(KS_DIST_normal);
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        float *others = values_of(KS_DIST_normal, seeds[i], KS_TASK_ATTENTION, 0);
        assert_true(is_independent(correlation(values, others, MANY)));
        free(others);
    }
    free(values);
}

static void uniform_fills_minus_one_to_one(void **state) {
    float *values = queries(KS_DIST_uniform);
    uint32_t eighths[8] = {0};
    (void)state;
    for (int i = 0; i < MANY; i++) {
        assert_true(values[i] >= -1 && values[i] < 1);
        eighths[(int)((values[i] + 1) * 4)]++;
    }
    for (int i = 0; i < 8; i++) assert_true(is_near(eighths[i], MANY / 8.0, 5 * 338.7));
    free(values);
}

/* Where the Bernoulli draw says no, an outlier tensor is the normal one. */
static void one_in_a_thousand_is_an_outlier(void **state) {
    float *normal = queries(KS_DIST_normal), *outlier = queries(KS_DIST_outlier);
    double count = 0, squares = 0;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        const double added = (double)outlier[i] - (double)normal[i];
        count += added != 0;
        squares += added * added;
    }
    assert_true(is_near(count, MANY / 1000.0, 5 * 32.4));
    assert_true(is_near(squares / count, 100, 5 * 100 * 0.0437)); /* sqrt(2 / 1049) */
    free(normal);
    free(outlier);
}

static void large_scales_what_scores_are_made_of(void **state) {
    static const struct {
        ks_task task;
        uint32_t tensor;
        float factor;
    } cases[] = {{KS_TASK_ATTENTION, 0, 512},   {KS_TASK_ATTENTION, 1, 512},
                 {KS_TASK_ATTENTION, 2, 1},     {KS_TASK_GEMM, 0, 512},
                 {KS_TASK_GEMM, 1, 1},          {KS_TASK_MATH_CHAIN, 0, 512},
                 {KS_TASK_RMSNORM_LINEAR, 3, 1}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        float *normal = values_of(KS_DIST_normal, 1, cases[c].task, cases[c].tensor);
        float *large = values_of(KS_DIST_large, 1, cases[c].task, cases[c].tensor);
        for (int i = 0; i < 1000; i++) assert_true(large[i] == cases[c].factor * normal[i]);
        free(normal);
        free(large);
    }
}

static void a_piece_is_the_same_as_in_the_whole(void **state) {
    static const ks_dist dists[] = {KS_DIST_normal, KS_DIST_outlier, KS_DIST_uniform};
    ks_numbers_key key = {.task = KS_TASK_ATTENTION};
    float piece[77];
    (void)state;
    for (size_t d = 0; d < sizeof dists / sizeof *dists; d++) {
        float *values = values_of(dists[d], 5, KS_TASK_ATTENTION, 1);
        key.params[KS_P_seed] = 5;
        key.params[KS_P_dist] = dists[d];
        for (uint64_t first = 0; first < 5000; first += 77) {
            ks_input_generate(&key, best_isa(), 1, first, 77, piece);
            assert_memory_equal(piece, values + first, sizeof piece);
        }
        free(values);
    }
}

/* Made with exact rational arithmetic, rounded operation by operation, from MODEL.md alone. */
static void the_first_values_are_those_of_the_documented_method(void **state) {
    static const uint32_t places[] = {0, 1, 2, 3, 16, 17, 31, 32};
    static const struct {
        ks_dist dist;
        uint32_t tensor;
        uint32_t bits[8];
    } cases[] = {
        {KS_DIST_normal,
         0,
         {0xbf62333b, 0xbf8df6bf, 0x3f913e22, 0xbf01fd87, 0x3ed7ba65, 0xbf09bbc1, 0x3fd1355d,
          0x400b8e40}},
        {KS_DIST_normal,
         1,
         {0xbe6e22e0, 0x3eebc0db, 0xbfaf3317, 0xbf2dc555, 0x3f80c149, 0xbf42d3cb, 0x3f9db960,
          0x3f3e6021}},
        {KS_DIST_outlier,
         2,
         {0x3ed3ca46, 0xbe795f94, 0xbf8b4e75, 0x3f04d5fd, 0x3f8ce03a, 0xbf61411c, 0xbc7863d9,
          0xbe003709}},
        {KS_DIST_uniform, 0, {0x3e745d88, 0xbd8402b0, 0xbe47c420, 0xbf2f94b8}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        float *values = values_of(cases[c].dist, 1, KS_TASK_ATTENTION, cases[c].tensor);
        for (int i = 0; i < 8 && cases[c].bits[i]; i++)
            assert_int_equal(ks_bits32(values[places[i]]), cases[c].bits[i]);
        free(values);
    }
}

static void the_first_outliers_are_those_of_the_documented_method(void **state) {
    static const struct {
        uint32_t place, bits;
    } known[] = {{378, 0x4152d6f1},
                 {2115, 0x40075b1c},
                 {2278, 0xc0acee1f},
                 {3045, 0x4179f04c},
                 {3071, 0x418db215}};
    float *values = queries(KS_DIST_outlier);
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(ks_bits32(values[known[i].place]), known[i].bits);
    free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_has_the_moments_of_a_normal),
        cmocka_unit_test(normal_has_the_tails_of_a_normal),
        cmocka_unit_test(neighbours_do_not_correlate),
        cmocka_unit_test(tensors_do_not_correlate),
        cmocka_unit_test(seeds_do_not_correlate),
        cmocka_unit_test(uniform_fills_minus_one_to_one),
        cmocka_unit_test(one_in_a_thousand_is_an_outlier),
        cmocka_unit_test(large_scales_what_scores_are_made_of),
        cmocka_unit_test(a_piece_is_the_same_as_in_the_whole),
        cmocka_unit_test(the_first_outliers_are_those_of_the_documented_method),
        cmocka_unit_test(the_first_values_are_those_of_the_documented_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
