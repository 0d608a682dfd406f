#include "base/exact_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* "-7/3", "0.25", "12" */
static ks_exact exact(const char *text) {
    const char *digits = text[0] == '-' ? text + 1 : text, *slash = strchr(text, '/');
    ks_exact num, den = ks_exact_of_u64(1);
    assert_true(ks_exact_parse(digits, slash ? (size_t)(slash - digits) : strlen(digits), &num));
    if (slash) assert_true(ks_exact_parse(slash + 1, strlen(slash + 1), &den));
    ks_exact value = ks_exact_div(&num, &den);
    ks_exact_free(&num);
    ks_exact_free(&den);
    if (digits == text) return value;
    const ks_exact zero = {0};
    const ks_exact negated = ks_exact_sub(&zero, &value);
    ks_exact_free(&value);
    return negated;
}

static void decimals_are_rounded_once_with_halves_away_from_zero(void **state) {
    static const struct {
        const char *value;
        unsigned decimals;
        const char *text;
    } cases[] = {
        {"0", 0, "0"},
        {"0", 2, "0.00"},
        {"0.125", 2, "0.13"},
        {"0.1249999999", 2, "0.12"},
        {"-0.125", 2, "-0.13"},
        {"-0.004", 2, "0.00"},
        {"0.5", 0, "1"},
        {"2/3", 4, "0.6667"},
        {"99.995", 2, "100.00"},
        {"340282366920938463426481119284349108225", 1, "340282366920938463426481119284349108225.0"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text text = {0};
        ks_exact value = exact(cases[i].value);
        ks_exact_add_decimals(&text, &value, cases[i].decimals);
        assert_string_equal(ks_text_string(&text), cases[i].text);
        ks_exact_free(&value);
        ks_text_free(&text);
    }
}

static void significant_digits_are_counted_from_the_first_that_is_not_zero(void **state) {
    static const struct {
        const char *value;
        unsigned digits;
        const char *text;
    } cases[] = {
        {"0", 4, "0"},
        {"3389/829", 4, "4.088"},
        {"9.9994", 4, "9.999"},
        {"9.9995", 4, "10.00"},
        {"0.99995", 4, "1.000"},
        {"1", 4, "1.000"},
        {"-1234.5", 4, "-1235"},
        {"12345", 4, "12350"},
        {"99995", 4, "100000"},
        {"0.0025", 4, "0.002500"},
        {"0.0001", 2, "0.00010"},
        {"0.0000999", 2, "0.00010"},
        {"0.000012345", 4, "1.235e-05"},
        {"999999999999999", 3, "1.00e+15"},
        {"999999999999999", 15, "999999999999999"},
        {"7", 1, "7"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text text = {0};
        ks_exact value = exact(cases[i].value);
        ks_exact_add_digits(&text, &value, cases[i].digits);
        assert_string_equal(ks_text_string(&text), cases[i].text);
        ks_exact_free(&value);
        ks_text_free(&text);
    }
}

static void a_value_prints_whole_only_where_it_ends_in_time(void **state) {
    static const struct {
        const char *value;
        unsigned most;
        const char *text; /* NULL: it does not */
    } cases[] = {
        {"59078.125", 4, "59078.125"},
        {"0.0625", 4, "0.0625"},
        {"0.0625", 3, NULL},
        {"1/3", 17, NULL},
        {"-40", 0, "-40"},
        {"0", 0, "0"},
        {"1.50", 4, "1.5"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text text = {0};
        ks_exact value = exact(cases[i].value);
        assert_int_equal(ks_exact_add_shortest(&text, &value, cases[i].most),
                         cases[i].text != NULL);
        assert_string_equal(ks_text_string(&text), cases[i].text ? cases[i].text : "");
        ks_exact_free(&value);
        ks_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_rounded_once_with_halves_away_from_zero),
        cmocka_unit_test(significant_digits_are_counted_from_the_first_that_is_not_zero),
        cmocka_unit_test(a_value_prints_whole_only_where_it_ends_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
