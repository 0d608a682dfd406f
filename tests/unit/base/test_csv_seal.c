#include "base/csv_seal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Its third row holds a line feed, commas and quotes. */
static const char plain[] = "a,b\n1,2.5\n\"x, \"\"y\"\"\nz\",3\n,\n";

static ks_text sealed_plain(void) {
    ks_text sealed = {0};
    ks_csv_seal(&sealed, plain, strlen(plain));
    return sealed;
}

static void what_was_sealed_comes_back_and_nothing_is_said(void **state) {
    ks_text sealed = sealed_plain(), back = {0}, edits = {0};
    (void)state;
    assert_int_equal(strncmp(sealed.data, "a,b,check_", 10), 0);
    ks_csv_unseal(&back, "p.csv", sealed.data, sealed.length, &edits);
    assert_string_equal(back.data, plain);
    assert_int_equal(edits.length, 0);
    ks_text_free(&sealed);
    ks_text_free(&back);
    ks_text_free(&edits);
}

/* Any byte of any row but line feeds, which part rows or belong to a cell. */
static void every_other_byte_is_told_with_the_line_where_its_row_begins(void **state) {
    ks_text sealed = sealed_plain();
    static const size_t first_lines[] = {0, 1, 2, 3, 3, 5};
    size_t line = 1;
    (void)state;
    for (size_t i = 0; i < sealed.length; i++) {
        ks_text back = {0}, edits = {0}, start = {0};
        const char was = sealed.data[i];
        line += was == '\n';
        if (was == '\n' || was == '"') continue;
        sealed.data[i] = was == '7' ? '8' : '7';
        ks_csv_unseal(&back, "p.csv", sealed.data, sealed.length, &edits);
        ks_text_add_format(&start, "p.csv:%zu: edited: ", first_lines[line]);
        if (!edits.length || strncmp(edits.data, start.data, start.length) != 0 ||
            strchr(edits.data, '\n') != edits.data + edits.length - 1)
            fail_msg("byte %zu: '%s', expected '%s'", i, ks_text_string(&edits), start.data);
        sealed.data[i] = was;
        ks_text_free(&back);
        ks_text_free(&edits);
        ks_text_free(&start);
    }
    ks_text_free(&sealed);
}

static void a_row_that_is_gone_is_no_edit_and_one_without_check_is(void **state) {
    ks_text sealed = sealed_plain(), back = {0}, edits = {0};
    (void)state;
    char *second = strchr(sealed.data, '\n') + 1, *third = strchr(second, '\n') + 1;
    memmove(second, third, strlen(third) + 1);
    ks_csv_unseal(&back, "p.csv", sealed.data, strlen(sealed.data), &edits);
    assert_int_equal(edits.length, 0);
    ks_text_clear(&back);
    ks_csv_unseal(&back, "p.csv", plain, strlen(plain), &edits);
    assert_non_null(
        strstr(ks_text_string(&edits), "p.csv:1: edited: found the check b, expected check_"));
    assert_non_null(strstr(ks_text_string(&edits), "p.csv:2: edited: found the check 2.5, "));
    assert_non_null(strstr(ks_text_string(&edits), "p.csv:3: "));
    assert_non_null(strstr(ks_text_string(&edits), "p.csv:5: edited: found the check , "));
    ks_text_free(&sealed);
    ks_text_free(&back);
    ks_text_free(&edits);
}

/* A line feed at the end, or its lack, stays what it was for the reader to judge. */
static void the_end_of_the_file_is_kept(void **state) {
    ks_text sealed = {0};
    (void)state;
    ks_csv_seal(&sealed, "a\n", 2);
    for (size_t cut = 0; cut < 2; cut++) {
        ks_text back = {0}, edits = {0};
        ks_csv_unseal(&back, "p.csv", sealed.data, sealed.length - cut, &edits);
        assert_string_equal(ks_text_string(&back), cut ? "a" : "a\n");
        ks_csv_unseal(&back, "p.csv", "", 0, &edits);
        assert_int_equal(edits.length, 0);
        ks_text_free(&back);
    }
    ks_text_free(&sealed);
}

static void ten_edits_are_told_and_the_rest_counted(void **state) {
    (void)state;
    for (size_t rows = 10; rows <= 12; rows++) {
        ks_text csv = {0}, back = {0}, edits = {0}, more = {0};
        for (size_t i = 0; i < rows; i++) ks_text_add_string(&csv, "1,2\n");
        ks_csv_unseal(&back, "p.csv", csv.data, csv.length, &edits);
        assert_non_null(strstr(edits.data, "p.csv:10: edited: "));
        assert_null(strstr(edits.data, "p.csv:11: "));
        ks_text_add_format(&more, "p.csv: and %zu more edited rows\n", rows - 10);
        assert_int_equal(strstr(edits.data, more.data) != NULL, rows > 10);
        ks_text_free(&csv);
        ks_text_free(&back);
        ks_text_free(&edits);
        ks_text_free(&more);
    }
}

static void line_ends_of_another_system_are_left_to_the_reader(void **state) {
    ks_text back = {0}, edits = {0};
    (void)state;
    ks_csv_unseal(&back, "p.csv", "a,check_6a36ef9e\r\n", 18, &edits);
    assert_string_equal(back.data, "a,check_6a36ef9e\r\n");
    assert_int_equal(edits.length, 0);
    ks_text_free(&back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_sealed_comes_back_and_nothing_is_said),
        cmocka_unit_test(every_other_byte_is_told_with_the_line_where_its_row_begins),
        cmocka_unit_test(a_row_that_is_gone_is_no_edit_and_one_without_check_is),
        cmocka_unit_test(the_end_of_the_file_is_kept),
        cmocka_unit_test(ten_edits_are_told_and_the_rest_counted),
        cmocka_unit_test(line_ends_of_another_system_are_left_to_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
