#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/lattice.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void a_whole_constant_is_sampled_as_often_at_each_of_its_values(void **state) {
    (void)state;
    /* floor(2 + u (4 - 2 + 1)) */
    static const struct {
        double u;
        uint64_t value;
    } cases[] = {{0, 2}, {0.3333, 2}, {0.3334, 3}, {0.6666, 3}, {0.6667, 4}, {0.9999, 4}, {1, 4}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_lattice_at(KS_C_queue_depth, 20000, 40000, cases[i].u),
                         cases[i].value * KS_TICKS_PER_UNIT);
}

static void a_decimal_is_sampled_at_the_nearest_value(void **state) {
    (void)state;
    /* 0.0001 .. 0.0005: four steps. */
    static const struct {
        double u;
        uint64_t ticks;
    } cases[] = {{0, 1}, {0.1249, 1}, {0.1251, 2}, {0.5, 3}, {0.8749, 4}, {0.8751, 5}, {1, 5}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_lattice_at(KS_C_dispatch_fixed_cycles, 1, 5, cases[i].u),
                         cases[i].ticks);
}

static void levels_are_even_and_end_at_both_ends(void **state) {
    (void)state;
    assert_int_equal(ks_lattice_level(KS_C_dispatch_fixed_cycles, 100, 201, 0, 2), 100);
    assert_int_equal(ks_lattice_level(KS_C_dispatch_fixed_cycles, 100, 201, 1, 2), 151); /* 150.5 */
    assert_int_equal(ks_lattice_level(KS_C_dispatch_fixed_cycles, 100, 201, 2, 2), 201);
    assert_int_equal(ks_lattice_level(KS_C_math_lanes, 10000, 40000, 1, 2), 30000); /* 2.5 lanes */
    assert_int_equal(ks_lattice_count(KS_C_math_lanes, 10000, 40000), 4);
    assert_int_equal(ks_lattice_count(KS_C_dispatch_fixed_cycles, 10000, 40000), 30001);
}

static void a_box_is_rounded_outward_and_stays_among_the_values(void **state) {
    (void)state;
    static const struct {
        ks_constant constant;
        uint64_t value, percent, low, high;
    } cases[] = {
        {KS_C_dispatch_fixed_cycles, 400000, 200000, 320000, 480000},
        {KS_C_dispatch_cycles_per_byte, 625, 10000, 618, 632}, /* 618.75, 631.25 */
        {KS_C_queue_depth, 80000, 200000, 60000, 100000},      /* 6.4, 9.6 */
        {KS_C_queue_depth, 10000, 1000000, 10000, 20000},      /* from 1 */
        {KS_C_dma_bytes_per_cycle, 10000, 1000000, 1, 20000},  /* above 0 */
        {KS_C_dispatch_fixed_cycles, 10000, 1000000, 0, 20000},
        {KS_C_dispatch_fixed_cycles, KS_TICKS_LIMIT - 1, 1000000, 0, KS_TICKS_LIMIT - 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t low, high;
        ks_lattice_around(cases[i].constant, cases[i].value, cases[i].percent, &low, &high);
        assert_int_equal(low, cases[i].low);
        assert_int_equal(high, cases[i].high);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_constant_is_sampled_as_often_at_each_of_its_values),
        cmocka_unit_test(a_decimal_is_sampled_at_the_nearest_value),
        cmocka_unit_test(levels_are_even_and_end_at_both_ends),
        cmocka_unit_test(a_box_is_rounded_outward_and_stays_among_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
