/* JSON: brackets, commas, indentation, and what values look like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <cmocka.h>

#include "report/json.h"

static void expect_text(ks_text *text, const char *expected) {
    assert_string_equal(ks_text_string(text), expected);
    ks_text_free(text);
}

static void an_object_keeps_keys_and_values_in_order(void **state) {
    (void)state;
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '{');
    ks_json_put_string(&json, "b", "x");
    ks_json_put_u64(&json, "a", 1);
    ks_json_end(&json, '}');
    expect_text(&out, "{\n  \"b\": \"x\",\n  \"a\": 1\n}\n");
}

static void empty_brackets_stay_on_their_line(void **state) {
    (void)state;
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '{');
    ks_json_key(&json, "list");
    ks_json_begin(&json, '[');
    ks_json_end(&json, ']');
    ks_json_key(&json, "map");
    ks_json_begin(&json, '{');
    ks_json_end(&json, '}');
    ks_json_end(&json, '}');
    expect_text(&out, "{\n  \"list\": [],\n  \"map\": {}\n}\n");
}

static void nested_lists_put_commas_between_items_only(void **state) {
    (void)state;
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '[');
    for (uint64_t i = 0; i < 2; i++) {
        ks_json_begin(&json, '[');
        ks_json_u64(&json, i);
        ks_json_u64(&json, i + 10);
        ks_json_end(&json, ']');
    }
    ks_json_null(&json);
    ks_json_end(&json, ']');
    expect_text(&out, "[\n  [\n    0,\n    10\n  ],\n  [\n    1,\n    11\n  ],\n  null\n]\n");
}

static void values_are_written_in_full(void **state) {
    (void)state;
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '[');
    ks_json_u64(&json, UINT64_MAX);
    ks_json_decimal(&json, 0);
    ks_json_decimal(&json, 435000);
    ks_json_decimal(&json, (UINT64_C(1) << 63) - 1);
    ks_json_double(&json, 0.1);
    ks_json_double(&json, -DBL_MAX);
    ks_json_bool(&json, true);
    ks_json_bool(&json, false);
    ks_json_null(&json);
    ks_json_end(&json, ']');
    expect_text(&out, "[\n  18446744073709551615,\n  0,\n  43.5,\n  922337203685477.5807,\n  0.1,\n"
                      "  -1.7976931348623157e+308,\n  true,\n  false,\n  null\n]\n");
}

static void strings_and_keys_are_escaped(void **state) {
    (void)state;
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '{');
    ks_json_put_string(&json, "a\"b", "c\\d\x01\x1b[31m");
    ks_json_put_string(&json, "caf\xc3\xa9", "\xff");
    ks_json_end(&json, '}');
    expect_text(&out, "{\n  \"a\\\"b\": \"c\\\\d\\u0001\\u001b[31m\",\n"
                      "  \"caf\xc3\xa9\": \"\xef\xbf\xbd\"\n}\n");
}

static void as_deep_as_the_levels_say(void **state) {
    (void)state;
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    for (int i = 0; i < KS_JSON_LEVELS; i++) ks_json_begin(&json, '[');
    ks_json_u64(&json, 7);
    for (int i = 0; i < KS_JSON_LEVELS; i++) ks_json_end(&json, ']');
    assert_int_equal(json.level, 0);
    assert_int_equal(out.data[out.length - 1], '\n');
    ks_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_keeps_keys_and_values_in_order),
        cmocka_unit_test(empty_brackets_stay_on_their_line),
        cmocka_unit_test(nested_lists_put_commas_between_items_only),
        cmocka_unit_test(values_are_written_in_full),
        cmocka_unit_test(strings_and_keys_are_escaped),
        cmocka_unit_test(as_deep_as_the_levels_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
