#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/sequence.h"

static ks_sequence sequence;

static void sobol_numbers_are_those_of_joe_and_kuo(void **state) {
    (void)state;
    /* By hand from the table: dimension 2 has m = 1, 3, 5, 15, ...; dimension 3 m = 1, 3, 1, ... */
    static const double expected[8][3] = {{0, 0, 0},
                                          {0.5, 0.5, 0.5},
                                          {0.25, 0.75, 0.75},
                                          {0.75, 0.25, 0.25},
                                          {0.125, 0.625, 0.375},
                                          {0.625, 0.125, 0.875},
                                          {0.375, 0.375, 0.625},
                                          {0.875, 0.875, 0.125}};
    ks_sequence_begin(&sequence, KS_SEQUENCE_SOBOL, 1);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t d = 0; d < 3; d++)
            assert_true(ks_sobol_at(&sequence, i, d) * 0x1p-32 == expected[i][d]);
}

/* Each of 2^m cells of width 2^-m gets one of each aligned block of 2^m points. */
static void every_dimension_is_stratified_scrambled_or_not(void **state) {
    (void)state;
    enum { CELLS = 1024 };
    bool scrambled[CELLS], plain[CELLS];
    ks_sequence_begin(&sequence, KS_SEQUENCE_SOBOL, 99);
    for (uint32_t d = 0; d < KS_SEQUENCE_DIMS; d++)
        for (uint32_t block = 0; block < 2; block++) {
            memset(scrambled, 0, sizeof scrambled);
            memset(plain, 0, sizeof plain);
            for (uint32_t i = 0; i < CELLS; i++) {
                const uint32_t index = block * CELLS + i;
                scrambled[(size_t)(ks_sequence_at(&sequence, index, d) * CELLS)] = true;
                plain[ks_sobol_at(&sequence, index, d) / (UINT32_C(1) << 22)] = true;
            }
            for (size_t c = 0; c < CELLS; c++) assert_true(scrambled[c] && plain[c]);
        }
}

/* Sobol's property A: the first 2^d points have one in each of the 2^d orthants, which for these
 * numbers holds for many dimensions; a wrong row of the table breaks it for its dimension. */
static void eight_dimensions_have_a_point_in_every_orthant(void **state) {
    (void)state;
    bool seen[256] = {false};
    ks_sequence_begin(&sequence, KS_SEQUENCE_SOBOL, 5);
    for (uint32_t i = 0; i < 256; i++) {
        size_t orthant = 0;
        for (uint32_t d = 0; d < 8; d++)
            orthant = 2 * orthant + (ks_sequence_at(&sequence, i, d) >= 0.5);
        seen[orthant] = true;
    }
    for (size_t i = 0; i < 256; i++) assert_true(seen[i]);
}

/* Two dimensions of 2^12 points: no empty cell of 8 x 8, whichever the pair. */
static void every_pair_of_dimensions_fills_the_square(void **state) {
    (void)state;
    ks_sequence_begin(&sequence, KS_SEQUENCE_SOBOL, 5);
    static uint8_t cells[4096][KS_SEQUENCE_DIMS];
    for (uint32_t i = 0; i < 4096; i++)
        for (uint32_t d = 0; d < KS_SEQUENCE_DIMS; d++)
            cells[i][d] = (uint8_t)(ks_sobol_at(&sequence, i, d) >> 29);
    for (uint32_t a = 0; a < KS_SEQUENCE_DIMS; a++)
        for (uint32_t b = 0; b < a; b++) {
            unsigned counts[64] = {0};
            for (uint32_t i = 0; i < 4096; i++) counts[8 * cells[i][a] + cells[i][b]]++;
            for (size_t c = 0; c < 64; c++) assert_int_equal(counts[c], 64);
        }
}

static void numbers_depend_on_seed_index_and_dimension_alone(void **state) {
    (void)state;
    static ks_sequence other;
    for (int kind = KS_SEQUENCE_SOBOL; kind <= KS_SEQUENCE_RANDOM; kind++) {
        ks_sequence_begin(&sequence, (ks_sequence_kind)kind, 1);
        ks_sequence_begin(&other, (ks_sequence_kind)kind, 2);
        const double first = ks_sequence_at(&sequence, 17, 3);
        ks_sequence_at(&sequence, 18, 3);
        assert_true(ks_sequence_at(&sequence, 17, 3) == first);
        assert_true(ks_sequence_at(&other, 17, 3) != first);
        assert_true(ks_sequence_at(&sequence, 17, 4) != first);
        for (uint64_t i = 0; i < 10000; i++) {
            const double u = ks_sequence_at(&sequence, i, 0);
            assert_true(u > 0 && u < 1);
        }
    }
}

static void draws_below_a_count_reach_every_number_alike(void **state) {
    (void)state;
    unsigned counts[7] = {0};
    for (uint64_t i = 0; i < 70000; i++) counts[ks_draw_below(3, i, 0, 7)]++;
    for (size_t i = 0; i < 7; i++) assert_in_range(counts[i], 9600, 10400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sobol_numbers_are_those_of_joe_and_kuo),
        cmocka_unit_test(every_dimension_is_stratified_scrambled_or_not),
        cmocka_unit_test(eight_dimensions_have_a_point_in_every_orthant),
        cmocka_unit_test(every_pair_of_dimensions_fills_the_square),
        cmocka_unit_test(numbers_depend_on_seed_index_and_dimension_alone),
        cmocka_unit_test(draws_below_a_count_reach_every_number_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
