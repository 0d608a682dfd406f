#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void doubles_print_at_their_shortest(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } table[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {100.0, "100"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3.0, "0.3333333333333333"},
        {1e-4, "0.0001"}, /* %.17g's exponent form begins below -4... */
        {9.999e-5, "9.999e-05"},
        {1e-5, "1e-05"},
        {1e15, "1000000000000000"},
        {1e16, "10000000000000000"}, /* ...and at 17 */
        {12345678901234568.0, "12345678901234568"},
        {99999999999999984.0, "99999999999999984"},
        {1e17, "1e+17"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {9007199254740992.0, "9007199254740992"},
        {5e-324, "5e-324"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text text = {0};
        ks_text_add_double(&text, table[i].value);
        assert_string_equal(ks_text_string(&text), table[i].text);
        ks_text_free(&text);
    }
}

static void doubles_read_back_to_the_same_bits(void **state) {
    (void)state;
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407;
        double value, found;
        memcpy(&value, &bits, sizeof value);
        if (!(value - value == 0)) continue; /* infinity or NaN */
        ks_text text = {0};
        ks_text_add_double(&text, value);
        found = strtod(ks_text_string(&text), NULL);
        assert_memory_equal(&found, &value, sizeof value);
        assert_true(text.length <= 24);
        ks_text_free(&text);
    }
}

static void json_strings_are_escaped(void **state) {
    (void)state;
    static const struct {
        const char *string, *json;
    } table[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"a\"b\\c/d", "\"a\\\"b\\\\c/d\""},
        {"\b\t\n\f\r", "\"\\u0008\\t\\n\\u000c\\u000d\""},
        {"\x01\x1f \x7f", "\"\\u0001\\u001f \\u007f\""},
        {"\xea\xb0\x80", "\"\xea\xb0\x80\""},         /* Hangul stays */
        {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""}, /* beyond the BMP stays */
        {"\xff", "\"\xef\xbf\xbd\""},                 /* never a first byte */
        {"a\x80z", "\"a\xef\xbf\xbdz\""},             /* a continuation alone */
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""}, /* overlong */
        {"\xe0\x80\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* surrogate */
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* > 10FFFF */
        {"\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""},                                 /* 10FFFF */
        {"\xed\x9f\xbf", "\"\xed\x9f\xbf\""},               /* last before the surrogates */
        {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\""},       /* cut short */
        {"\xe2\x82\"", "\"\xef\xbf\xbd\xef\xbf\xbd\\\"\""}, /* and the quote is still escaped */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text text = {0};
        ks_text_add_json(&text, table[i].string);
        assert_string_equal(ks_text_string(&text), table[i].json);
        ks_text_free(&text);
    }
}

static void csv_cells_are_quoted_only_where_they_must_be(void **state) {
    (void)state;
    static const struct {
        const char *string, *csv;
    } table[] = {
        {"", ""},
        {"plain text", "plain text"},
        {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"\"", "\"\"\"\""},
        {"line\nbreak", "\"line\nbreak\""},
        {"carriage\rreturn", "\"carriage\rreturn\""},
        {" leading blank", "\" leading blank\""},
        {"trailing blank ", "\"trailing blank \""},
        {"\ttab", "\"\ttab\""},
        {" ", "\" \""},
        {"tab\tinside", "tab\tinside"},
        {"key=value|other", "key=value|other"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text text = {0};
        ks_text_add_csv(&text, table[i].string);
        assert_string_equal(ks_text_string(&text), table[i].csv);
        ks_text_free(&text);
    }
}

static void hex_has_no_prefix_and_no_leading_zeros(void **state) {
    (void)state;
    ks_text text = {0};
    ks_text_add_hex(&text, 0);
    ks_text_add_char(&text, ' ');
    ks_text_add_hex(&text, 0x10000000);
    ks_text_add_char(&text, ' ');
    ks_text_add_hex(&text, UINT64_MAX);
    assert_string_equal(ks_text_string(&text), "0 10000000 ffffffffffffffff");
    ks_text_free(&text);
}

static void numbers_and_formats_append(void **state) {
    (void)state;
    ks_text text = {0};
    ks_text_add_u64(&text, UINT64_MAX);
    ks_text_add_string(&text, " ");
    ks_text_add_decimal(&text, 435000);
    ks_text_add_format(&text, " %s=%d", "x", -3);
    assert_string_equal(ks_text_string(&text), "18446744073709551615 43.5 x=-3");
    assert_int_equal(text.length, strlen(text.data));
    ks_text_free(&text);
}

/* 64 bytes is the first capacity: one less, equal and one more than what fits beside the NUL. */
static void appending_crosses_every_capacity(void **state) {
    (void)state;
    for (size_t length = 62; length <= 130; length++) {
        ks_text whole = {0}, formatted = {0};
        char expected[160];
        memset(expected, 'x', length);
        expected[length] = '\0';
        ks_text_add(&whole, expected, length);
        assert_string_equal(whole.data, expected);
        ks_text_add_format(&formatted, "%s", expected);
        assert_string_equal(formatted.data, expected);
        assert_int_equal(formatted.length, length);
        ks_text_free(&whole);
        ks_text_free(&formatted);
    }
}

static void an_untouched_text_is_an_empty_string(void **state) {
    (void)state;
    ks_text text = {0};
    assert_string_equal(ks_text_string(&text), "");
    ks_text_add(&text, NULL, 0);
    assert_string_equal(ks_text_string(&text), "");
    ks_text_free(&text);
    assert_null(text.data);
}

static void clearing_keeps_the_memory(void **state) {
    (void)state;
    ks_text text = {0};
    ks_text_add_string(&text, "something");
    const char *data = text.data;
    ks_text_clear(&text);
    assert_string_equal(ks_text_string(&text), "");
    ks_text_add_string(&text, "other");
    assert_ptr_equal(text.data, data);
    assert_string_equal(text.data, "other");
    ks_text_free(&text);
}

static void a_failed_text_stays_as_it_was(void **state) {
    (void)state;
    ks_text text = {0};
    ks_text_add_string(&text, "before");
    ks_text_add(&text, "x", SIZE_MAX / 2); /* cannot be had */
    assert_true(text.has_failed);
    ks_text_add_string(&text, "after");
    ks_text_add_format(&text, "%d", 1);
    assert_string_equal(text.data, "before");
    assert_int_equal(text.length, 6);
    ks_text_free(&text);
    assert_false(text.has_failed);
}

static void what_is_written_into_reserved_room_is_part_of_the_text(void **state) {
    (void)state;
    ks_text text = {0};
    ks_text_add_string(&text, "a");
    for (size_t i = 0; i < 200; i++) {
        char *at = ks_text_reserve(&text, 100);
        assert_non_null(at);
        memset(at, 'b', 100); /* all of it may be written to */
        ks_text_end_at(&text, at + 1);
        assert_int_equal(text.length, i + 2);
        assert_int_equal(strlen(text.data), text.length);
    }
    assert_null(ks_text_reserve(&text, SIZE_MAX / 2)); /* cannot be had */
    assert_null(ks_text_reserve(&text, 1));
    assert_int_equal(text.length, 201);
    ks_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_print_at_their_shortest),
        cmocka_unit_test(doubles_read_back_to_the_same_bits),
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(csv_cells_are_quoted_only_where_they_must_be),
        cmocka_unit_test(hex_has_no_prefix_and_no_leading_zeros),
        cmocka_unit_test(numbers_and_formats_append),
        cmocka_unit_test(appending_crosses_every_capacity),
        cmocka_unit_test(what_is_written_into_reserved_room_is_part_of_the_text),
        cmocka_unit_test(an_untouched_text_is_an_empty_string),
        cmocka_unit_test(clearing_keeps_the_memory),
        cmocka_unit_test(a_failed_text_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
