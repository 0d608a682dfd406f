/* What a CSV file may be, and what each fault is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "base/csv_read.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Rows as `LINE:[field][field]`. */
static ks_status take(void *self, const ks_csv_row *row, ks_error *error) {
    ks_text *out = self;
    (void)error;
    ks_text_add_format(out, "%zu:", row->line);
    for (size_t i = 0; i < row->count; i++) {
        assert_int_equal(row->fields[i].text[row->fields[i].length], 0);
        ks_text_add_format(out, "[%s]", row->fields[i].text);
    }
    return KS_OK;
}

static void fields_arrive_as_they_stand_with_their_lines(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *rows;
    } table[] = {
        {"a\n", "1:[a]"},
        {"a,b\n1,2\n", "1:[a][b]2:[1][2]"},
        {"a,b\n,\n", "1:[a][b]2:[][]"},
        {" a , b\n\"\",x\n", "1:[ a ][ b]2:[][x]"},
        {"a,b\n\"1\n2\",\"x\"\"y\"\n3,4\n", "1:[a][b]2:[1\n2][x\"y]4:[3][4]"},
        {"a,b\n\"1,2\",'3'\n", "1:[a][b]2:[1,2]['3']"},
        {"a\xC3\xA9,b\n1,2\n", "1:[a\xC3\xA9][b]2:[1][2]"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text out = {0};
        ks_error error;
        assert_int_equal(
            ks_csv_parse("x.csv", table[i].bytes, strlen(table[i].bytes), take, &out, &error),
            KS_OK);
        assert_string_equal(ks_text_string(&out), table[i].rows);
        ks_text_free(&out);
    }
}

static void what_is_no_such_file_is_refused_with_its_line(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length; /* 0: to the NUL */
        const char *message;
    } table[] = {
        {"", 0, "x.csv: found an empty file"},
        {"a,b", 0, "x.csv:1: found no line feed at the end"},
        {"a,b\n1,2", 0, "x.csv:2: found no line feed at the end"},
        {"a,b\r\n1,2\r\n", 0, "x.csv:1: found CR in the line ends, expected LF"},
        {"a,b\n1,2\r\n", 0, "x.csv:2: found CR in the line ends"},
        {"\xEF\xBB\xBF"
         "a\n",
         0, "x.csv:1: found a byte order mark"},
        {"a\n1\0\n", 5, "x.csv:2: found a NUL"},
        {"a,b\n\n1,2\n", 0, "x.csv:2: found an empty line, expected 2 fields"},
        {"a,b\n1,2\n\n", 0, "x.csv:3: found an empty line"},
        {"a,b\n1\n", 0, "x.csv:2: found 1 fields, expected 2"},
        {"a,b\n1,2,3\n", 0, "x.csv:2: found 3 fields, expected 2"},
        {"a,b\n\"1\n2\",3\n4\n", 0, "x.csv:4: found 1 fields, expected 2"},
        {"a,b\n1,\"2\n", 0, "x.csv:2: found the end of the file in a quoted field"},
        {"a,b\n\"1,2\n3,4\n", 0, "x.csv:2: found the end of the file in a quoted field"},
        {"a,b\n1\"1,2\n", 0, "x.csv:2: found a quote inside of a field"},
        {"a,b\n\"1\"1,2\n", 0, "x.csv:2: found a quote inside of a field"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text out = {0};
        ks_error error = {{0}};
        const size_t length = table[i].length ? table[i].length : strlen(table[i].bytes);
        assert_int_equal(ks_csv_parse("x.csv", table[i].bytes, length, take, &out, &error),
                         KS_INPUT);
        if (!strstr(error.text, table[i].message)) fail_msg("%zu: %s", i, error.text);
        ks_text_free(&out);
    }
}

static ks_status refuse_second(void *self, const ks_csv_row *row, ks_error *error) {
    ++*(int *)self;
    return row->line == 2 ? ks_csv_fail(error, row, 1, "found '%s'", row->fields[1].text) : KS_OK;
}

static void a_taker_ends_the_reading_with_its_own_place(void **state) {
    (void)state;
    static const char bytes[] = "a,b\n1,2\n3,4\n";
    int calls = 0;
    ks_error error;
    assert_int_equal(ks_csv_parse("x.csv", bytes, sizeof bytes - 1, refuse_second, &calls, &error),
                     KS_INPUT);
    assert_int_equal(calls, 2);
    assert_string_equal(error.text, "x.csv:2: field 2: found '2'");
}

static void a_file_that_is_not_there_is_said_so(void **state) {
    (void)state;
    ks_text out = {0};
    ks_error error = {{0}};
    assert_int_not_equal(ks_csv_read("no/such.csv", 100, take, &out, &error), KS_OK);
    assert_non_null(strstr(error.text, "no/such.csv"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_arrive_as_they_stand_with_their_lines),
        cmocka_unit_test(what_is_no_such_file_is_refused_with_its_line),
        cmocka_unit_test(a_taker_ends_the_reading_with_its_own_place),
        cmocka_unit_test(a_file_that_is_not_there_is_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
