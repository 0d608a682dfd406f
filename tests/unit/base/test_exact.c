#include "base/exact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ks_exact exact(const char *text) {
    ks_exact value;
    const char *digits = text[0] == '-' ? text + 1 : text;
    assert_true(ks_exact_parse(digits, strlen(digits), &value));
    if (digits == text) return value;
    const ks_exact zero = {0};
    ks_exact negated = ks_exact_sub(&zero, &value);
    ks_exact_free(&value);
    return negated;
}

static void operators_agree_with_sums_done_by_hand_small_and_large(void **state) {
    static const struct {
        const char *a;
        char op;
        const char *b, *result;
    } cases[] = {
        {"1", '+', "2", "3"},
        {"0.1", '+', "0.2", "0.3"},
        {"0.0625", '-', "40", "-39.9375"},
        {"3", '*', "0.5", "1.5"},
        {"1", '/', "0.0625", "16"},
        {"7", '%', "3", "1"},
        {"-7", '%', "3", "2"},
        {"7", '%', "-3", "-2"},
        {"7.5", '%', "2", "1.5"},
        {"6", '%', "-3", "0"},
        {"9223372036854775807", '+', "1", "9223372036854775808"},
        {"9223372036854775808", '-', "1", "9223372036854775807"},
        {"18446744073709551615", '*', "18446744073709551615",
         "340282366920938463426481119284349108225"},
        {"340282366920938463426481119284349108225", '/', "18446744073709551615",
         "18446744073709551615"},
        {"340282366920938463426481119284349108226", '%', "18446744073709551615", "1"},
        {"0.00000000000000000000000000000001", '*', "100000000000000000000000000000000", "1"},
        {"-9223372036854775807", '-', "1", "-9223372036854775808"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_exact a = exact(cases[i].a), b = exact(cases[i].b), wanted = exact(cases[i].result);
        ks_exact got = cases[i].op == '+'   ? ks_exact_add(&a, &b)
                       : cases[i].op == '-' ? ks_exact_sub(&a, &b)
                       : cases[i].op == '*' ? ks_exact_mul(&a, &b)
                       : cases[i].op == '/' ? ks_exact_div(&a, &b)
                                            : ks_exact_mod(&a, &b);
        if (ks_exact_compare(&got, &wanted) != 0)
            fail_msg("%s %c %s", cases[i].a, cases[i].op, cases[i].b);
        ks_exact_free(&a);
        ks_exact_free(&b);
        ks_exact_free(&got);
        ks_exact_free(&wanted);
    }
}

static void numbers_are_told_apart_by_their_last_digit(void **state) {
    static const char *const rising[] = {"-9223372036854775809",
                                         "-9223372036854775808",
                                         "-1",
                                         "0",
                                         "0.33333333333333333333",
                                         "0.33333333333333333334",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "9223372036854775808.0001"};
    (void)state;
    for (size_t i = 0; i < COUNT(rising); i++)
        for (size_t k = 0; k < COUNT(rising); k++) {
            ks_exact a = exact(rising[i]), b = exact(rising[k]);
            assert_int_equal(ks_exact_compare(&a, &b), (i > k) - (i < k));
            ks_exact_free(&a);
            ks_exact_free(&b);
        }
}

static void a_double_is_taken_with_every_bit_and_given_back(void **state) {
    static const double values[] = {0,
                                    1,
                                    -1,
                                    0.1,
                                    1.0 / 3,
                                    0x1p53,
                                    0x1p53 - 1,
                                    0x1p63,
                                    1e300,
                                    -1e300,
                                    0x1p-1074,
                                    0x1.8p-1073,
                                    0x1.fffffffffffffp1023,
                                    0x1p-1022,
                                    0x1.fffffffffffffp-1023,
                                    5e-324 * 3};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        ks_exact value = ks_exact_of_double(values[i]);
        const double back = ks_exact_double(&value);
        if (back != values[i]) fail_msg("%a became %a", values[i], back);
        ks_exact_free(&value);
    }
}

static void a_tenth_is_not_the_double_nearest_to_it(void **state) {
    ks_exact tenth = exact("0.1"), near = ks_exact_of_double(0.1);
    (void)state;
    assert_int_equal(ks_exact_compare(&tenth, &near), -1);
    assert_true(ks_exact_double(&tenth) == 0.1);
    ks_exact_free(&near);
}

static void the_nearest_double_is_found_and_ties_go_to_even(void **state) {
    static const struct {
        const char *text;
        double nearest;
    } cases[] = {
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1: a tie, down to even */
        {"9007199254740995", 9007199254740996.0}, /* a tie, up to even */
        {"9007199254740993.00000000000000000001", 9007199254740994.0},
        {"9007199254740992.99999999999999999999", 9007199254740992.0},
        {"0.3333333333333333333333333333", 1.0 / 3},
        {"18446744073709551615", 0x1p64},
        {"0.00001", 1e-5},
        {"-0.1", -0.1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_exact value = exact(cases[i].text);
        if (ks_exact_double(&value) != cases[i].nearest) fail_msg("%s", cases[i].text);
        ks_exact_free(&value);
    }
}

static void random_quotients_round_like_the_machine(void **state) {
    uint64_t x = 88172645463325252;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t part[2];
        for (int k = 0; k < 2; k++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            part[k] = (x >> 11 >> (x % 40)) + 1;
        }
        ks_exact value = ks_exact_of_ratio(part[0], part[1]);
        assert_true(ks_exact_double(&value) == (double)part[0] / (double)part[1]);
        ks_exact_free(&value);
    }
}

static void what_is_too_large_for_a_double_is_infinite(void **state) {
    ks_exact value = ks_exact_of_double(0x1.fffffffffffffp1023), two = ks_exact_of_u64(2);
    ks_exact twice = ks_exact_mul(&value, &two);
    (void)state;
    assert_true(ks_exact_double(&twice) == HUGE_VAL);
    ks_exact_free(&value);
    ks_exact_free(&twice);
}

static void only_plain_decimals_parse(void **state) {
    static const char *const bad[] = {
        "",      ".",    "5.",
        ".5",    "1e3",  "+5",
        "-5",    " 5",   "5 ",
        "1_000", "0x10", "1.2.3",
        "nan",   "inf",  "12345678901234567890123456789012345678901234567890123456789012345"};
    ks_exact value;
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        if (ks_exact_parse(bad[i], strlen(bad[i]), &value)) fail_msg("'%s' was taken", bad[i]);
}

static void a_geometric_scale_is_rounded_half_up_from_its_exact_value(void **state) {
    static const struct {
        uint64_t from, to;
        unsigned i, steps;
        uint64_t value;
    } cases[] = {
        {10, 1000, 1, 2, 100},
        {1, 2, 1, 2, 1}, /* 1.414 */
        {1, 3, 1, 2, 2}, /* 1.732 */
        {10000, 20000, 1, 2, 14142},
        {1, 9, 1, 4, 2}, /* the root of 3 */
        {4, 9, 1, 2, 6},
        {1000, 10, 1, 2, 100}, /* downwards */
        {7, 7, 3, 9, 7},
        {1, UINT64_MAX, 1, 2, UINT64_C(4294967296)},
        {UINT64_MAX, UINT64_MAX, 1, 999, UINT64_MAX},
        {3, 5, 0, 3, 3},
        {3, 5, 3, 3, 5},
        {4, 25, 1, 1000, 4},
        {1, UINT64_C(1) << 40, 20, 40, 1 << 20},
        {25, 36, 1, 2, 30},
        {49, 225, 1, 2, 105},
        {2, 8, 3, 4, 6}, /* 5.657 */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_exact_geometric(cases[i].from, cases[i].to, cases[i].i, cases[i].steps),
                         cases[i].value);
}

static void the_floor_is_given_where_it_is_a_count(void **state) {
    (void)state;
    ks_exact value = ks_exact_of_ratio(70, 20);
    uint64_t whole = 0;
    assert_true(ks_exact_floor(&value, &whole) && whole == 3);
    value = ks_exact_of_u64(UINT64_MAX);
    assert_true(ks_exact_floor(&value, &whole) && whole == UINT64_MAX);
    const ks_exact one = ks_exact_of_u64(1), zero = {0};
    ks_exact larger = ks_exact_add(&value, &one);
    assert_false(ks_exact_floor(&larger, &whole));
    const ks_exact negative = ks_exact_sub(&zero, &one);
    assert_false(ks_exact_floor(&negative, &whole));
    ks_exact_free(&value);
    ks_exact_free(&larger);
}

static void a_value_prints_as_a_fraction_in_lowest_terms(void **state) {
    (void)state;
    const ks_exact seven = ks_exact_of_ratio(14, 4), two = ks_exact_of_ratio(4, 2), zero = {0};
    const ks_exact negative = ks_exact_sub(&zero, &seven);
    ks_text text = {0};
    ks_exact_print(&text, &negative);
    ks_text_add_char(&text, ' ');
    ks_exact_print(&text, &two);
    ks_text_add_char(&text, ' ');
    ks_exact_print(&text, &zero);
    assert_string_equal(ks_text_string(&text), "-7/2 2 0");
    ks_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_agree_with_sums_done_by_hand_small_and_large),
        cmocka_unit_test(numbers_are_told_apart_by_their_last_digit),
        cmocka_unit_test(a_double_is_taken_with_every_bit_and_given_back),
        cmocka_unit_test(a_tenth_is_not_the_double_nearest_to_it),
        cmocka_unit_test(the_nearest_double_is_found_and_ties_go_to_even),
        cmocka_unit_test(random_quotients_round_like_the_machine),
        cmocka_unit_test(what_is_too_large_for_a_double_is_infinite),
        cmocka_unit_test(only_plain_decimals_parse),
        cmocka_unit_test(a_geometric_scale_is_rounded_half_up_from_its_exact_value),
        cmocka_unit_test(the_floor_is_given_where_it_is_a_count),
        cmocka_unit_test(a_value_prints_as_a_fraction_in_lowest_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
