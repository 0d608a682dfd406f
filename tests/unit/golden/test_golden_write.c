/* How goldens get to their place: one writer at a time, all of the bytes or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "golden/golden_write.h"

static int no_box(void **state) {
    ks_error error;
    (void)state;
    return ks_path_remove("write_box", &error) ? -1 : 0;
}

static void the_second_of_two_locks_is_refused_until_the_first_is_given_back(void **state) {
    int first, second;
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_golden_lock("write_box/golden", &first, &error), KS_OK);
    assert_true(ks_path_is_folder("write_box/golden"));
    assert_int_equal(ks_golden_lock("write_box/golden", &second, &error), KS_IO);
    assert_non_null(strstr(error.text, "another bless is at work"));
    assert_int_equal(second, -1);
    ks_golden_unlock(second);
    ks_golden_unlock(first);
    assert_int_equal(ks_golden_lock("write_box/golden", &second, &error), KS_OK);
    ks_golden_unlock(second);
}

static void expect_text(const char *path, const char *text) {
    ks_text found = {0};
    ks_error error = {""};
    assert_int_equal(ks_file_read(path, 1 << 20, &found, &error), KS_OK);
    assert_string_equal(ks_text_string(&found), text);
    ks_text_free(&found);
}

static ks_status replace(const char *folder, const char *name, const char *text) {
    ks_text bytes = {0};
    ks_error error = {""};
    ks_text_add_string(&bytes, text);
    const ks_status status = ks_golden_replace(folder, name, &bytes, &error);
    ks_text_free(&bytes);
    return status;
}

static void a_file_is_replaced_as_a_whole_and_nothing_else_is_left(void **state) {
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_folder_make("write_box/golden", &error), KS_OK);
    assert_int_equal(replace("write_box/golden", "a.csv", "one"), KS_OK);
    expect_text("write_box/golden/a.csv", "one");
    assert_int_equal(replace("write_box/golden", "a.csv", "another"), KS_OK);
    expect_text("write_box/golden/a.csv", "another");
    assert_false(ks_path_exists("write_box/golden/.a.csv.new"));
}

static void a_link_in_the_way_is_replaced_and_not_followed(void **state) {
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_folder_make("write_box/golden", &error), KS_OK);
    assert_int_equal(ks_file_write("write_box/outside", "kept", 4, &error), KS_OK);
    assert_int_equal(symlink("../outside", "write_box/golden/a.csv"), 0);
    assert_int_equal(symlink("../outside", "write_box/golden/.a.csv.new"), 0);
    assert_int_equal(replace("write_box/golden", "a.csv", "one"), KS_OK);
    expect_text("write_box/outside", "kept");
    expect_text("write_box/golden/a.csv", "one");
}

static void what_cannot_be_renamed_leaves_nothing_behind(void **state) {
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_folder_make("write_box/golden/a.csv", &error), KS_OK);
    assert_int_equal(replace("write_box/golden", "a.csv", "one"), KS_IO);
    assert_false(ks_path_exists("write_box/golden/.a.csv.new"));
    assert_int_equal(replace("write_box/missing", "a.csv", "one"), KS_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_second_of_two_locks_is_refused_until_the_first_is_given_back,
                               no_box),
        cmocka_unit_test_setup(a_file_is_replaced_as_a_whole_and_nothing_else_is_left, no_box),
        cmocka_unit_test_setup(a_link_in_the_way_is_replaced_and_not_followed, no_box),
        cmocka_unit_test_setup(what_cannot_be_renamed_leaves_nothing_behind, no_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
