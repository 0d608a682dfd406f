/* Numbers written in place: the same text as printf's, and the shortest that reads back. */
#include "base/digits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <gmp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/sample_row.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *ended(char *text, char *end) {
    assert_true(end - text < KS_DIGITS_ROOM);
    *end = '\0';
    return text;
}

/* ---- integers, decimals, hex ---- */

static void expect_integer(uint64_t value) {
    char found[KS_DIGITS_ROOM], expected[32];
    snprintf(expected, sizeof expected, "%" PRIu64, value);
    assert_string_equal(ended(found, ks_put_u64(found, value)), expected);
}

static void integers_print_as_printf_does_at_each_length_and_its_edges(void **state) {
    (void)state;
    expect_integer(0);
    expect_integer(UINT64_MAX);
    for (uint64_t ten = 1, i = 0; i < 20; i++, ten *= 10) {
        expect_integer(ten - 1);
        expect_integer(ten);
        expect_integer(ten + 1);
    }
}

static void every_integer_of_up_to_six_digits_and_many_more_print_right(void **state) {
    random_source source = {7};
    (void)state;
    for (uint64_t value = 0; value < 1000000; value += 1 + value / 5000) expect_integer(value);
    for (int i = 0; i < 100000; i++)
        expect_integer(random_below(&source, UINT64_MAX) >> random_below(&source, 64));
}

static void every_fraction_of_a_cycle_prints_without_zeros_at_its_end(void **state) {
    char found[KS_DIGITS_ROOM], expected[40];
    (void)state;
    for (uint64_t ticks = 0; ticks < 10000; ticks++) {
        int length = snprintf(expected, sizeof expected, "12.%04" PRIu64, ticks);
        while (expected[length - 1] == '0') expected[--length] = '\0';
        if (expected[length - 1] == '.') expected[--length] = '\0';
        assert_string_equal(ended(found, ks_put_ticks(found, 120000 + ticks)), expected);
    }
    assert_string_equal(ended(found, ks_put_ticks(found, UINT64_MAX)), "1844674407370955.1615");
    assert_string_equal(ended(found, ks_put_ticks(found, 1)), "0.0001");
    assert_string_equal(ended(found, ks_put_ticks(found, 0)), "0");
}

static void every_byte_has_its_two_hex_digits_in_every_place(void **state) {
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        unsigned char bytes[19] = {0};
        char found[2 * sizeof bytes + 2], expected[2 * sizeof bytes + 1];
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (unsigned char)(byte + 17 * (int)i);
            snprintf(expected + 2 * i, 3, "%02x", bytes[i]);
        }
        found[2 * sizeof bytes] = '#'; /* no byte more is written */
        assert_ptr_equal(ks_put_hex(found, bytes, sizeof bytes), found + 2 * sizeof bytes);
        assert_int_equal(found[2 * sizeof bytes], '#');
        assert_memory_equal(found, expected, 2 * sizeof bytes);
    }
}

/* ---- doubles ---- */

/* The shortest that trying finds; a power of two may have a shorter one on the side where its
 * neighbour is farther. */
static void expect_double(double value) {
    char found[KS_DIGITS_ROOM];
    ks_text expected = {0};
    plain_double(&expected, value);
    ended(found, ks_put_double(found, value));
    int exponent;
    if (fabs(frexp(value, &exponent)) == 0.5 && strlen(found) < expected.length)
        assert_true(strtod(found, NULL) == value);
    else
        assert_string_equal(found, ks_text_string(&expected));
    ks_text_free(&expected);
}

static void doubles_of_all_sizes_print_as_trying_finds(void **state) {
    random_source source = {11};
    (void)state;
    for (int i = 0; i < 30000; i++) {
        const uint64_t bits = random_below(&source, UINT64_MAX);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) expect_double(value);
    }
}

static void doubles_of_reports_print_as_trying_finds(void **state) {
    random_source source = {13};
    (void)state;
    for (int i = 0; i < 10000; i++) {
        const uint64_t ticks = random_below(&source, UINT64_C(1) << random_between(&source, 1, 60));
        expect_double(ks_nearest_quotient(ticks, 12500));
        expect_double(ks_nearest_quotient(ticks, 1 + random_below(&source, 40000)));
        expect_double((double)ticks / 1e4);
        expect_double(nextafter((double)ticks / 1e4, 0));
        expect_double((double)random_below(&source, 1000) * 0x1p-24);
    }
}

static void powers_of_two_and_their_neighbours_print_as_trying_finds_or_shorter(void **state) {
    (void)state;
    for (int e = -1074; e <= 1023; e++) {
        const double value = ldexp(1, e);
        expect_double(value);
        expect_double(-value);
        expect_double(nextafter(value, 0));
        expect_double(nextafter(value, 2 * value));
    }
}

static void powers_of_ten_and_their_neighbours_print_as_trying_finds(void **state) {
    (void)state;
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double value = strtod(text, NULL);
        expect_double(value);
        expect_double(nextafter(value, 0));
        expect_double(nextafter(value, DBL_MAX));
    }
}

static void doubles_at_the_edges_of_a_form(void **state) {
    static const struct {
        double value;
        const char *text;
    } table[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1e-4, "0.0001"},
        {0.00012345678901234567, "0.00012345678901234567"},
        {9.9999999999999991e-05, "9.999999999999999e-05"},
        {123456789.12345678, "123456789.12345678"},
        {99999999999.9999, "99999999999.9999"}, /* the last with four places and fifteen digits */
        {100000000000.0001, "100000000000.0001"},
        {9007199254740993.0, "9007199254740992"},
        {72057594037927936.0, "72057594037927936"}, /* an integer has all its digits */
        {99999999999999984.0, "99999999999999984"},
        {1e17, "1e+17"},
        {5e-324, "5e-324"},
        {2.2250738585072009e-308, "2.225073858507201e-308"}, /* the largest subnormal */
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {0x1p-44, "5.684341886080802e-14"}, /* sixteen digits; the nearest of them reads as less */
        {0x1p89, "6.189700196426902e+26"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        char found[KS_DIGITS_ROOM];
        assert_string_equal(ended(found, ks_put_double(found, table[i].value)), table[i].text);
        assert_true(strtod(found, NULL) == table[i].value);
    }
}

/* ---- the table of powers ---- */

static const uint64_t powers[][2] = {
#include "base/shortest_powers.inc"
};

static void every_power_of_ten_has_its_leading_128_bits_and_one(void **state) {
    mpz_t entry, above, below, ten;
    (void)state;
    assert_int_equal(COUNT(powers), 292 + 1 + 324);
    mpz_inits(entry, above, below, ten, NULL);
    for (int i = 0; i < (int)COUNT(powers); i++) {
        const int e = i - 292;
        assert_true(powers[i][0] >> 63); /* all of them lead with a one */
        mpz_import(entry, 2, 1, sizeof powers[i][0], 0, 0, powers[i]);
        /* entry - 1 <= 10^e / 2^(log2 - 127) < entry; for e < 0 both sides times 10^-e. */
        mpz_ui_pow_ui(ten, 10, (unsigned long)abs(e));
        mpz_sub_ui(below, entry, 1);
        mpz_set(above, entry);
        if (e < 0) {
            mpz_mul(below, below, ten);
            mpz_mul(above, above, ten);
            mpz_set_ui(ten, 1);
        }
        const int log2 = (e * 1741647) >> 19, shift = log2 - 127;
        if (shift < 0) {
            mpz_mul_2exp(ten, ten, (mp_bitcnt_t)-shift);
        } else {
            mpz_mul_2exp(below, below, (mp_bitcnt_t)shift);
            mpz_mul_2exp(above, above, (mp_bitcnt_t)shift);
        }
        assert_true(mpz_cmp(below, ten) <= 0);
        assert_true(mpz_cmp(ten, above) < 0);
    }
    mpz_clears(entry, above, below, ten, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_print_as_printf_does_at_each_length_and_its_edges),
        cmocka_unit_test(every_integer_of_up_to_six_digits_and_many_more_print_right),
        cmocka_unit_test(every_fraction_of_a_cycle_prints_without_zeros_at_its_end),
        cmocka_unit_test(every_byte_has_its_two_hex_digits_in_every_place),
        cmocka_unit_test(doubles_of_all_sizes_print_as_trying_finds),
        cmocka_unit_test(doubles_of_reports_print_as_trying_finds),
        cmocka_unit_test(powers_of_two_and_their_neighbours_print_as_trying_finds_or_shorter),
        cmocka_unit_test(powers_of_ten_and_their_neighbours_print_as_trying_finds),
        cmocka_unit_test(doubles_at_the_edges_of_a_form),
        cmocka_unit_test(every_power_of_ten_has_its_leading_128_bits_and_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
