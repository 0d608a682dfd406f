#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "result/table.h"

static const ks_table_column columns[] = {{"name", "", false, 0}, {"value", "", true, 4}};

static void tables_of_one_name_are_numbered(void **state) {
    (void)state;
    ks_tables tables = {0};
    assert_string_equal(ks_tables_add(&tables, "sobol", "", columns, 2)->name, "sobol");
    assert_string_equal(ks_tables_add(&tables, "sobol-pairs", "", columns, 2)->name, "sobol-pairs");
    assert_string_equal(ks_tables_add(&tables, "sobol", "", columns, 2)->name, "sobol-2");
    assert_string_equal(ks_tables_add(&tables, "sobol", "", columns, 2)->name, "sobol-3");
    assert_string_equal(ks_tables_add(&tables, "sobol-pairs", "", columns, 2)->name,
                        "sobol-pairs-2");
    assert_int_equal(tables.count, 5);
    ks_tables_free(&tables);
}

static void cells_are_texts_in_order_and_what_is_not_finite_is_empty(void **state) {
    (void)state;
    ks_tables tables = {0};
    ks_table *table = ks_tables_add(&tables, "t", "", columns, 2);
    const ks_exact third = ks_exact_of_ratio(2, 6);
    ks_table_text(table, "a,b");
    ks_table_u64(table, 7);
    ks_table_decimal(table, 435000);
    ks_table_double(table, 0.1);
    ks_table_double(table, NAN);
    ks_table_exact(table, &third);
    ks_table_none(table);
    ks_table_format(table, "%d-%s", 3, "x");
    static const char wanted[] = "a,b\0007\00043.5\0000.1\000\0001/3\000\0003-x";
    assert_int_equal(table->cells.length, sizeof wanted);
    assert_memory_equal(table->cells.data, wanted, sizeof wanted);
    assert_int_equal(ks_table_row_count(table), 4);
    assert_false(ks_tables_have_failed(&tables));
    table->notes.has_failed = true;
    assert_true(ks_tables_have_failed(&tables));
    ks_tables_free(&tables);
}

static void the_last_table_moves_to_its_place(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"}, *const moved[] = {"a", "d", "b", "c"};
    ks_tables tables = {0};
    for (size_t i = 0; i < 4; i++) ks_tables_add(&tables, names[i], "", columns, 2);
    ks_tables_move_last(&tables, 1);
    for (size_t i = 0; i < 4; i++) assert_string_equal(tables.items[i]->name, moved[i]);
    ks_tables_move_last(&tables, 3);
    assert_string_equal(tables.items[3]->name, "c");
    ks_tables_free(&tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_one_name_are_numbered),
        cmocka_unit_test(the_last_table_moves_to_its_place),
        cmocka_unit_test(cells_are_texts_in_order_and_what_is_not_finite_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
