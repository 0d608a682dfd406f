#include "base/decimal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void decimals_are_read_as_ten_thousandths(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t ticks;
    } table[] = {
        {"0", 0},
        {"0.0", 0},
        {"00", 0},
        {"0.0000", 0},
        {"1", 10000},
        {"007", 70000},
        {"064", 640000},
        {"64.0", 640000},
        {"1.5", 15000},
        {"1.50", 15000},
        {"1.2345", 12345},
        {"0.0001", 1},
        {"0.0625", 625},
        {"922337203685477.5807", INT64_MAX},
        {"000000000000000000000000000922337203685477.5807", INT64_MAX},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        uint64_t ticks = UINT64_MAX;
        assert_int_equal(ks_decimal_parse(table[i].text, strlen(table[i].text), &ticks),
                         KS_DECIMAL_OK);
        assert_int_equal(ticks, table[i].ticks);
    }
}

static void what_is_no_decimal_is_refused_with_the_right_fault(void **state) {
    (void)state;
    static const struct {
        const char *text;
        ks_decimal_fault fault;
    } table[] = {
        {"", KS_DECIMAL_SYNTAX},
        {".", KS_DECIMAL_SYNTAX},
        {".5", KS_DECIMAL_SYNTAX},
        {"1.", KS_DECIMAL_SYNTAX},
        {"-1", KS_DECIMAL_SYNTAX},
        {"+1", KS_DECIMAL_SYNTAX},
        {" 1", KS_DECIMAL_SYNTAX},
        {"1 ", KS_DECIMAL_SYNTAX},
        {"1e3", KS_DECIMAL_SYNTAX},
        {"0x10", KS_DECIMAL_SYNTAX},
        {"1,5", KS_DECIMAL_SYNTAX},
        {"1.2.3", KS_DECIMAL_SYNTAX},
        {"1.5x", KS_DECIMAL_SYNTAX},
        {"1.00000x", KS_DECIMAL_SYNTAX},
        {"nan", KS_DECIMAL_SYNTAX},
        {"inf", KS_DECIMAL_SYNTAX},
        {"1_000", KS_DECIMAL_SYNTAX},
        {"\xd9\xa1", KS_DECIMAL_SYNTAX},
        {"1.23456", KS_DECIMAL_TOO_PRECISE},
        {"0.06250", KS_DECIMAL_TOO_PRECISE},
        {"0.00000", KS_DECIMAL_TOO_PRECISE},
        {"922337203685477.5808", KS_DECIMAL_TOO_LARGE},
        {"922337203685478", KS_DECIMAL_TOO_LARGE},
        {"18446744073709551616", KS_DECIMAL_TOO_LARGE},
        {"340282366920938463463374607431768211456",
         KS_DECIMAL_TOO_LARGE}, /* 2^128: 0 if it wraps */
        {"3402823669209384634633746074317682114560000.0001", KS_DECIMAL_TOO_LARGE},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        uint64_t ticks = 42;
        const ks_decimal_fault fault =
            ks_decimal_parse(table[i].text, strlen(table[i].text), &ticks);
        if (fault != table[i].fault) print_error("'%s': fault %d\n", table[i].text, (int)fault);
        assert_int_equal(fault, table[i].fault);
        assert_int_equal(ticks, 42); /* untouched */
    }
}

static void only_the_given_length_is_read(void **state) {
    (void)state;
    uint64_t ticks = 0;
    assert_int_equal(ks_decimal_parse("12.5 rest", 4, &ticks), KS_DECIMAL_OK);
    assert_int_equal(ticks, 125000);
    assert_int_equal(ks_decimal_parse("12\0", 3, &ticks),
                     KS_DECIMAL_SYNTAX); /* a NUL is no digit */
    uint64_t value = 0;
    assert_true(ks_u64_parse("123456", 3, &value));
    assert_int_equal(value, 123);
}

static void every_fault_has_its_words(void **state) {
    (void)state;
    assert_non_null(strstr(ks_decimal_fault_text(KS_DECIMAL_SYNTAX), "not a decimal"));
    assert_string_equal(ks_decimal_fault_text(KS_DECIMAL_TOO_PRECISE),
                        "has more than four fractional digits");
    assert_non_null(strstr(ks_decimal_fault_text(KS_DECIMAL_TOO_LARGE), "2^63"));
}

static void integers_are_digits_below_2_to_the_64(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_fine;
        uint64_t value;
    } table[] = {
        {"0", true, 0},
        {"00", true, 0},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 7},
        {"18446744073709551620", false, 7},
        {"99999999999999999999", false, 7},
        {"000018446744073709551615", true, UINT64_MAX},
        {"", false, 7},
        {"-1", false, 7},
        {"1.0", false, 7},
        {" 1", false, 7},
        {"1 ", false, 7},
        {"0x1", false, 7},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        uint64_t value = 7;
        assert_int_equal(ks_u64_parse(table[i].text, strlen(table[i].text), &value),
                         table[i].is_fine);
        assert_int_equal(value, table[i].value);
    }
}

static void decimals_print_at_their_shortest(void **state) {
    (void)state;
    static const struct {
        uint64_t ticks;
        const char *text;
    } table[] = {
        {0, "0"},
        {1, "0.0001"},
        {10, "0.001"},
        {100, "0.01"},
        {1000, "0.1"},
        {625, "0.0625"},
        {9999, "0.9999"},
        {10000, "1"},
        {10001, "1.0001"},
        {435000, "43.5"},
        {1000000, "100"},
        {1036250, "103.625"},
        {INT64_MAX, "922337203685477.5807"},
        {UINT64_MAX, "1844674407370955.1615"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char text[KS_DECIMAL_TEXT_MAX];
        assert_int_equal(ks_decimal_print(text, table[i].ticks), strlen(table[i].text));
        assert_string_equal(text, table[i].text);
    }
}

static void integers_print_in_decimal(void **state) {
    (void)state;
    char text[KS_DECIMAL_TEXT_MAX];
    assert_int_equal(ks_u64_print(text, 0), 1);
    assert_string_equal(text, "0");
    assert_int_equal(ks_u64_print(text, 10), 2);
    assert_string_equal(text, "10");
    assert_int_equal(ks_u64_print(text, UINT64_MAX), 20);
    assert_string_equal(text, "18446744073709551615");
}

static void what_is_printed_reads_back(void **state) {
    (void)state;
    uint64_t ticks = 1;
    for (int i = 0; i < 2000; i++) {
        ticks = (ticks * UINT64_C(6364136223846793005) + 1442695040888963407) & INT64_MAX;
        const uint64_t expected = ticks >> (i % 63);
        char text[KS_DECIMAL_TEXT_MAX];
        uint64_t found = UINT64_MAX;
        assert_int_equal(ks_decimal_parse(text, ks_decimal_print(text, expected), &found),
                         KS_DECIMAL_OK);
        assert_int_equal(found, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_read_as_ten_thousandths),
        cmocka_unit_test(what_is_no_decimal_is_refused_with_the_right_fault),
        cmocka_unit_test(only_the_given_length_is_read),
        cmocka_unit_test(every_fault_has_its_words),
        cmocka_unit_test(integers_are_digits_below_2_to_the_64),
        cmocka_unit_test(decimals_print_at_their_shortest),
        cmocka_unit_test(integers_print_in_decimal),
        cmocka_unit_test(what_is_printed_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
