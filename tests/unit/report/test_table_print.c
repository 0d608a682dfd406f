#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "report/table_print.h"

static const ks_table_column columns[] = {{"name", "what", false, 0},
                                          {"value", "how much", true, 4}};

static ks_table *table_of(ks_tables *tables, const char *const *cells, size_t count) {
    ks_table *table = ks_tables_add(tables, "t", "Title", columns, 2);
    for (size_t i = 0; i < count; i++) ks_table_text(table, cells[i]);
    return table;
}

static void expect_text(ks_text *text, const char *wanted) {
    assert_string_equal(ks_text_string(text), wanted);
    ks_text_free(text);
}

static void csv_holds_every_row_unrounded_and_quotes_what_must_be(void **state) {
    (void)state;
    static const char *const cells[] = {"a,b", "1.23456789", "x|y", ""};
    ks_tables tables = {0};
    ks_table *table = table_of(&tables, cells, 4);
    table->shown_rows = 0;
    ks_text text = {0};
    ks_table_print_csv(&text, table);
    expect_text(&text, "name,value\n\"a,b\",1.23456789\nx|y,\n");
    ks_tables_free(&tables);
}

static void a_page_rounds_numbers_but_never_ahead_of_the_point(void **state) {
    (void)state;
    static const char *const cells[] = {"a|b",     "1.23456789", "long",         "59078.125",
                                        "nothing", "",           "whole",        "123456",
                                        "minus",   "-0.0123456", "not a number", "1/3"};
    ks_tables tables = {0};
    const ks_table *table = table_of(&tables, cells, 12);
    ks_text text = {0};
    ks_table_print_page(&text, table);
    expect_text(&text,
                "\n## Title\n\n| name | value |\n|---|--:|\n| a\\|b | 1.235 |\n| long | 59078 |\n"
                "| nothing |  |\n| whole | 123456 |\n| minus | -0.01235 |\n| not a number | 1/3 |\n"
                "\nUnrounded: `t.csv`\n");
    ks_tables_free(&tables);
}

static void a_page_says_how_many_rows_it_leaves_to_the_file(void **state) {
    (void)state;
    static const char *const cells[] = {"a", "1", "b", "2", "c", "3"};
    ks_tables tables = {0};
    ks_table *table = table_of(&tables, cells, 6);
    table->shown_rows = 1;
    ks_text_add_string(&table->notes, "Made so.\n");
    ks_text text = {0};
    ks_table_print_page(&text, table);
    expect_text(&text, "\n## Title\n\nMade so.\n\n| name | value |\n|---|--:|\n| a | 1 |\n"
                       "\n3 rows, 1 of them here: `t.csv`\n");
    ks_tables_free(&tables);
}

static void a_column_of_the_file_is_not_on_the_page(void **state) {
    (void)state;
    static const ks_table_column some[] = {{"name", "what", false, 0},
                                           {"long", "a long text", false, KS_TABLE_FILE_ONLY},
                                           {"value", "how much", true, 0}};
    ks_tables tables = {0};
    ks_table *table = ks_tables_add(&tables, "t", "Title", some, 3);
    static const char *const cells[] = {"a", "b", "1", "c", "d", "2"};
    for (size_t i = 0; i < 6; i++) ks_table_text(table, cells[i]);
    ks_text text = {0};
    ks_table_print_page(&text, table);
    expect_text(&text, "\n## Title\n\n| name | value |\n|---|--:|\n| a | 1 |\n| c | 2 |\n"
                       "\nUnrounded: `t.csv`\n");
    ks_table_print_csv(&text, table);
    expect_text(&text, "name,long,value\na,b,1\nc,d,2\n");
    ks_tables_free(&tables);
}

static void every_column_of_every_file_is_told_once(void **state) {
    (void)state;
    ks_tables tables = {0};
    table_of(&tables, NULL, 0);
    table_of(&tables, NULL, 0)->is_file = false;
    ks_text text = {0};
    ks_tables_print_columns(&text, &tables);
    expect_text(&text, "\n## Columns of the files\n\n| file | column | meaning |\n|---|---|---|\n"
                       "| t.csv | name | what |\n|  | value | how much |\n");
    ks_tables_free(&tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_holds_every_row_unrounded_and_quotes_what_must_be),
        cmocka_unit_test(a_page_rounds_numbers_but_never_ahead_of_the_point),
        cmocka_unit_test(a_page_says_how_many_rows_it_leaves_to_the_file),
        cmocka_unit_test(a_column_of_the_file_is_not_on_the_page),
        cmocka_unit_test(every_column_of_every_file_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
