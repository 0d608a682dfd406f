#include "base/line_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "one 1\n\nthree 3\nlast";

static size_t find(const char *other) {
    ks_text checks = {0};
    ks_line_checks_add(&checks, text, strlen(text));
    const size_t line = ks_line_checks_find(checks.data, other, strlen(other));
    ks_text_free(&checks);
    return line;
}

static void the_text_itself_is_as_it_was(void **state) {
    (void)state;
    assert_int_equal(find(text), 0);
}

static void the_first_line_that_changed_is_found(void **state) {
    static const struct {
        const char *text;
        size_t line;
    } cases[] = {
        {"one 2\n\nthree 3\nlast", 1},
        {"one 1\n \nthree 3\nlast", 2},
        {"one 1\n\nthree 4\nlost", 3},
        {"one 1\n\nthree 3\nlas", 4},
        {"one 1\n\nthree 3\nlast\n", 4},
        {"one 1\n\nthree 3\n", 4},
        {"one 1\nthree 3\nlast", 2},
        {"one 1\n\nthree 3\nlast\nmore", 4},
        {"", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(find(cases[i].text), cases[i].line);
}

static void a_text_longer_than_its_checks_is_told(void **state) {
    ks_text checks = {0};
    (void)state;
    ks_line_checks_add(&checks, "a\n", 2);
    assert_int_equal(checks.length, 16);
    assert_int_equal(ks_line_checks_find(checks.data, "a\nb\n", 4), 2);
    ks_text_clear(&checks);
    ks_line_checks_add(&checks, "", 0);
    assert_int_equal(checks.length, 8);
    assert_int_equal(ks_line_checks_find(checks.data, "", 0), 0);
    assert_int_equal(ks_line_checks_find(checks.data, "a\n", 2), 1);
    ks_text_free(&checks);
}

static void checks_that_were_edited_are_the_line_behind_the_last(void **state) {
    ks_text checks = {0};
    (void)state;
    ks_line_checks_add(&checks, text, strlen(text));
    for (size_t i = 0; i < checks.length; i++) {
        const char was = checks.data[i];
        checks.data[i] = was == '7' ? '8' : '7';
        assert_int_equal(ks_line_checks_find(checks.data, text, strlen(text)), 5);
        checks.data[i] = was;
    }
    assert_int_equal(ks_line_checks_find("", text, strlen(text)), 5);
    ks_text_free(&checks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_itself_is_as_it_was),
        cmocka_unit_test(the_first_line_that_changed_is_found),
        cmocka_unit_test(a_text_longer_than_its_checks_is_told),
        cmocka_unit_test(checks_that_were_edited_are_the_line_behind_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
