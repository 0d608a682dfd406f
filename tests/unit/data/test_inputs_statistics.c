/* The generator's values as a sample: tests with fixed seeds. Each threshold is one that a perfect
 * generator misses once in 10^5 times or less, so that a failure is a finding. */
#include "row_bench.h"

#include <math.h>
#include <stdlib.h>

enum { MANY = 1 << 20, SEEDS = 8, BINS = 64, SIDE = 16 };

static float *sample(ks_dist dist, uint64_t seed, uint32_t tensor, uint64_t first) {
    ks_numbers_key key = {.task = KS_TASK_ATTENTION};
    float *values = malloc(MANY * sizeof *values);
    assert_non_null(values);
    key.params[KS_P_seed] = seed;
    key.params[KS_P_dist] = dist;
    ks_input_generate(&key, best_isa(), tensor, first, MANY, values);
    return values;
}

/* P(N < x) */
static double share_below(float x) { return 0.5 * erfc(-(double)x * 0.70710678118654752440); }

static int bin_of(double share, int bins) {
    const int bin = (int)(share * bins);
    return bin < bins ? bin : bins - 1;
}

/* Against equal counts. With n degrees of freedom (n large) it lies above n + 5 sqrt(2 n) once in
 * 10^5 times. */
static double chi_square(const uint32_t *counts, int bins, double total) {
    double sum = 0;
    for (int i = 0; i < bins; i++) {
        const double expected = total / bins, off = counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

static double most_of_chi_square(int degrees) { return degrees + 5 * sqrt(2.0 * degrees); }

static void normal_fills_equal_bins_equally(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint32_t counts[BINS] = {0};
        float *values = sample(KS_DIST_normal, seed, 0, 0);
        for (int i = 0; i < MANY; i++) counts[bin_of(share_below(values[i]), BINS)]++;
        assert_true(chi_square(counts, BINS, MANY) < most_of_chi_square(BINS - 1));
        assert_true(chi_square(counts, BINS, MANY) > 63 - 5 * sqrt(126)); /* nor too equal */
        free(values);
    }
}

static int compare(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov: above 2.5 / sqrt(n) once in 10^5 times. */
static void normal_has_the_distribution_of_a_normal(void **state) {
    float *values = sample(KS_DIST_normal, 3, 1, 0);
    double most = 0;
    (void)state;
    qsort(values, MANY, sizeof *values, compare);
    for (int i = 0; i < MANY; i++) {
        const double below = share_below(values[i]);
        most = fmax(most, fmax(below - i / (double)MANY, (i + 1) / (double)MANY - below));
    }
    assert_true(most < 2.5 / sqrt(MANY));
    free(values);
}

/* Far out, pooled over seeds: counts within five standard errors. */
static void the_far_tails_are_those_of_a_normal(void **state) {
    static const double limits[] = {3.5, 4.0, 4.5, 4.8};
    double above[4] = {0}, below[4] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        float *values = sample(KS_DIST_normal, seed, 2, 0);
        for (int i = 0; i < MANY; i++)
            for (int l = 0; l < 4; l++) {
                above[l] += (double)values[i] > limits[l];
                below[l] += (double)values[i] < -limits[l];
            }
        free(values);
    }
    for (int l = 0; l < 4; l++) {
        const double expected = (double)SEEDS * MANY * share_below((float)-limits[l]);
        assert_true(fabs(above[l] - expected) < 5 * sqrt(expected));
        assert_true(fabs(below[l] - expected) < 5 * sqrt(expected));
    }
}

/* x and y of a plane of SIDE x SIDE equal cells. */
static double chi_square_of_pairs(const float *x, const float *y, int count) {
    uint32_t counts[SIDE * SIDE] = {0};
    for (int i = 0; i < count; i++)
        counts[bin_of(share_below(x[i]), SIDE) * SIDE + bin_of(share_below(y[i]), SIDE)]++;
    return chi_square(counts, SIDE * SIDE, count);
}

/* Lag 16: the two halves of a Box-Muller pair; 32: the next block; the others: rows of K and V. */
static void neighbours_are_independent(void **state) {
    static const int lags[] = {1, 2, 16, 32, 64, 96, 128, 256, 4096, 1 << 19};
    float *values = sample(KS_DIST_normal, 1, 0, 0);
    (void)state;
    for (size_t i = 0; i < sizeof lags / sizeof *lags; i++)
        assert_true(chi_square_of_pairs(values, values + lags[i], MANY - lags[i]) <
                    most_of_chi_square(SIDE * SIDE - 1));
    free(values);
}

static void seeds_tensors_and_places_are_independent(void **state) {
    static const struct {
        uint64_t seed;
        uint32_t tensor;
        uint64_t first;
    } others[] = {
        {2, 0, 0}, {0, 0, 0},    {UINT64_MAX, 0, 0},        {UINT64_C(1) << 32, 0, 0}, {1, 1, 0},
        {1, 2, 0}, {1, 0, MANY}, {1, 0, UINT64_C(1) << 40}, {1 + (1 << 20), 0, 0}};
    float *values = sample(KS_DIST_normal, 1, 0, 0);
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        float *other = sample(KS_DIST_normal, others[i].seed, others[i].tensor, others[i].first);
        assert_true(chi_square_of_pairs(values, other, MANY) < most_of_chi_square(SIDE * SIDE - 1));
        free(other);
    }
    free(values);
}

/* The sizes of the two halves: squares that are correlated would pass a test of correlation. */
static void squares_of_neighbours_do_not_correlate(void **state) {
    static const int lags[] = {1, 16, 32, 128};
    float *values = sample(KS_DIST_normal, 4, 0, 0);
    (void)state;
    for (size_t l = 0; l < sizeof lags / sizeof *lags; l++) {
        double sum = 0;
        for (int i = 0; i + lags[l] < MANY; i++) {
            const double x = (double)values[i], y = (double)values[i + lags[l]];
            sum += (x * x - 1) * (y * y - 1);
        }
        assert_true(fabs(sum / (MANY - lags[l])) < 5 * 2 / sqrt(MANY)); /* var of x^2 - 1 is 2 */
    }
    free(values);
}

/* Sums of d products, as scores are: mean 0, variance d, fourth moment 3 d^2 + 6 d. */
static void dot_products_have_the_moments_of_sums(void **state) {
    enum { D = 128, ROWS = MANY / D };
    float *q = sample(KS_DIST_normal, 1, 0, 0), *k = sample(KS_DIST_normal, 1, 1, 0);
    double second = 0, first = 0;
    (void)state;
    for (int row = 0; row < ROWS; row++) {
        double dot = 0;
        for (int i = 0; i < D; i++) dot += (double)q[row * D + i] * (double)k[row * D + i];
        first += dot / ROWS;
        second += dot * dot / ROWS;
    }
    assert_true(fabs(first) < 5 * sqrt((double)D / ROWS));
    assert_true(fabs(second / D - 1) < 5 * sqrt((2.0 + 6.0 / D) / ROWS));
    free(q);
    free(k);
}

/* Gaps between outliers are geometric with p = 0.001: mean 1000, deviation 999.5; a gap below
 * 693 is as likely as not (0.50007). */
static void outliers_come_at_random_places(void **state) {
    double gaps = 0, sum = 0, short_gaps = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        float *normal = sample(KS_DIST_normal, seed, 0, 0);
        float *outlier = sample(KS_DIST_outlier, seed, 0, 0);
        for (int i = 0, last = -1; i < MANY; i++) {
            if (outlier[i] == normal[i]) continue;
            if (last >= 0) {
                gaps++;
                sum += i - last;
                short_gaps += i - last <= 693;
            }
            last = i;
        }
        free(normal);
        free(outlier);
    }
    assert_true(fabs(sum / gaps - 1000) < 5 * 999.5 / sqrt(gaps));
    assert_true(fabs(short_gaps / gaps - 0.50007) < 5 * 0.5 / sqrt(gaps));
}

static void uniform_fills_pairs_of_bins_equally(void **state) {
    static const int lags[] = {1, 2, 128};
    float *values = sample(KS_DIST_uniform, 1, 0, 0);
    (void)state;
    for (size_t l = 0; l < sizeof lags / sizeof *lags; l++) {
        uint32_t counts[SIDE * SIDE] = {0};
        for (int i = 0; i + lags[l] < MANY; i++) {
            const int x = (int)((values[i] + 1) * (SIDE / 2));
            counts[x * SIDE + (int)((values[i + lags[l]] + 1) * (SIDE / 2))]++;
        }
        assert_true(chi_square(counts, SIDE * SIDE, MANY - lags[l]) <
                    most_of_chi_square(SIDE * SIDE - 1));
    }
    free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_fills_equal_bins_equally),
        cmocka_unit_test(normal_has_the_distribution_of_a_normal),
        cmocka_unit_test(the_far_tails_are_those_of_a_normal),
        cmocka_unit_test(neighbours_are_independent),
        cmocka_unit_test(seeds_tensors_and_places_are_independent),
        cmocka_unit_test(squares_of_neighbours_do_not_correlate),
        cmocka_unit_test(dot_products_have_the_moments_of_sums),
        cmocka_unit_test(outliers_come_at_random_places),
        cmocka_unit_test(uniform_fills_pairs_of_bins_equally),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
