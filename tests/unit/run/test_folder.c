/* Report folders: DIR.part, then DIR, and the one before as DIR.prev. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "run/folder.h"

/* Each test has the folder `box` to itself. */
static int empty_box(void **state) {
    ks_error error;
    (void)state;
    if (ks_path_remove("box", &error)) return -1;
    return mkdir("box", 0777);
}

static void write_text(const char *path, const char *text) {
    ks_error error = {""};
    if (ks_file_write(path, text, strlen(text), &error)) fail_msg("%s", error.text);
}

static void expect_text(const char *path, const char *text) {
    ks_text found = {0};
    ks_error error = {""};
    if (ks_file_read(path, 1 << 20, &found, &error)) fail_msg("%s", error.text);
    assert_string_equal(ks_text_string(&found), text);
    ks_text_free(&found);
}

/* A whole run into PATH that leaves one file. */
static void finish(const char *path, const char *text) {
    ks_folder folder;
    ks_error error = {""};
    if (ks_folder_begin(&folder, path, &error)) fail_msg("%s", error.text);
    FILE *file = ks_folder_create(&folder, "points.csv", &error);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(ks_file_close(file), 0);
    file = ks_folder_create(&folder, "run.json", &error);
    assert_non_null(file);
    assert_int_equal(ks_file_close(file), 0);
    if (ks_folder_end(&folder, &error)) fail_msg("%s", error.text);
    ks_folder_free(&folder);
}

static void expect_begin(const char *path, ks_status expected, const char *word) {
    ks_folder folder;
    ks_error error = {""};
    const ks_status status = ks_folder_begin(&folder, path, &error);
    ks_folder_free(&folder);
    assert_int_equal(status, expected);
    if (!strstr(error.text, word)) fail_msg("'%s' does not say '%s'", error.text, word);
}

static void a_run_is_written_beside_and_renamed_at_its_end(void **state) {
    ks_folder folder;
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_folder_begin(&folder, "box/r", &error), KS_OK);
    assert_true(ks_path_is_folder("box/r.part"));
    assert_false(ks_path_exists("box/r"));
    assert_int_equal(ks_folder_end(&folder, &error), KS_OK);
    assert_true(ks_path_is_folder("box/r"));
    assert_false(ks_path_exists("box/r.part"));
    assert_false(ks_path_exists("box/r.prev"));
    ks_folder_free(&folder);
}

static void one_earlier_run_is_kept(void **state) {
    (void)state;
    finish("box/r", "one");
    finish("box/r", "two");
    expect_text("box/r.prev/points.csv", "one");
    finish("box/r", "three");
    expect_text("box/r/points.csv", "three");
    expect_text("box/r.prev/points.csv", "two");
    assert_false(ks_path_exists("box/r.part"));
}

static void the_finished_run_stays_in_place_until_the_next_one_ends(void **state) {
    ks_folder folder;
    ks_error error = {""};
    (void)state;
    finish("box/r", "one");
    assert_int_equal(ks_folder_begin(&folder, "box/r", &error), KS_OK);
    ks_folder_free(&folder); /* given up: the names are forgotten, the folders stay */
    expect_text("box/r/points.csv", "one");
    assert_true(ks_path_is_folder("box/r.part"));
    assert_false(ks_path_exists("box/r.prev"));
}

static void an_unfinished_run_is_refused_and_not_touched(void **state) {
    (void)state;
    finish("box/r", "one");
    assert_int_equal(mkdir("box/r.part", 0777), 0);
    write_text("box/r.part/points.csv", "half");
    expect_begin("box/r", KS_INPUT, "box/r.part");
    expect_begin("box/r", KS_INPUT, "--resume");
    expect_begin("box/r", KS_INPUT, "remove");
    expect_text("box/r.part/points.csv", "half");
    expect_text("box/r/points.csv", "one");
    assert_false(ks_path_exists("box/r.prev"));
}

static void a_file_in_the_way_is_refused_and_not_touched(void **state) {
    (void)state;
    write_text("box/r", "mine");
    expect_begin("box/r", KS_IO, "box/r");
    expect_text("box/r", "mine");
    assert_false(ks_path_exists("box/r.part"));
}

static void a_folder_that_is_no_report_is_refused_and_not_touched(void **state) {
    (void)state;
    assert_int_equal(mkdir("box/r", 0777), 0);
    write_text("box/r/mine", "mine");
    expect_begin("box/r", KS_INPUT, "run.json");
    expect_text("box/r/mine", "mine");
    assert_false(ks_path_exists("box/r.part"));
}

static void what_stands_in_the_place_of_the_one_before_is_not_lost(void **state) {
    (void)state;
    finish("box/r", "one");
    assert_int_equal(mkdir("box/r.prev", 0777), 0);
    write_text("box/r.prev/mine", "mine");
    expect_begin("box/r", KS_INPUT, "box/r.prev");
    expect_text("box/r.prev/mine", "mine");
    finish("box/s", "one");
    write_text("box/s.prev", "mine");
    expect_begin("box/s", KS_IO, "box/s.prev");
    expect_text("box/s.prev", "mine");
}

static void an_empty_folder_is_as_good_as_none(void **state) {
    (void)state;
    assert_int_equal(mkdir("box/r", 0777), 0);
    finish("box/r", "one");
    expect_text("box/r/points.csv", "one");
}

static void a_file_above_is_refused_and_not_touched(void **state) {
    (void)state;
    write_text("box/r", "mine");
    expect_begin("box/r/below", KS_IO, "box/r");
    expect_text("box/r", "mine");
}

static void a_file_in_the_place_of_the_unfinished_folder_is_refused(void **state) {
    (void)state;
    write_text("box/r.part", "mine");
    ks_folder folder;
    ks_error error = {""};
    assert_int_not_equal(ks_folder_begin(&folder, "box/r", &error), KS_OK);
    ks_folder_free(&folder);
    expect_text("box/r.part", "mine");
}

static void a_folder_that_cannot_be_made_is_refused(void **state) {
    (void)state;
    expect_begin("/proc/r", KS_IO, "/proc/r");
}

static void folders_above_are_made(void **state) {
    (void)state;
    finish("box/a/b/r", "one");
    expect_text("box/a/b/r/points.csv", "one");
}

static void slashes_at_the_end_change_nothing(void **state) {
    (void)state;
    finish("box/r//", "one");
    finish("box/r", "two");
    expect_text("box/r.prev/points.csv", "one");
    assert_false(ks_path_exists("box/r/.part"));
}

static void a_file_that_cannot_be_made_is_said(void **state) {
    ks_folder folder;
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_folder_begin(&folder, "box/r", &error), KS_OK);
    assert_null(ks_folder_create(&folder, "missing/points.csv", &error));
    assert_non_null(strstr(error.text, "box/r.part/missing/points.csv"));
    ks_folder_free(&folder);
}

#define in_a_box(test) cmocka_unit_test_setup(test, empty_box)

int main(void) {
    const struct CMUnitTest tests[] = {
        in_a_box(a_run_is_written_beside_and_renamed_at_its_end),
        in_a_box(one_earlier_run_is_kept),
        in_a_box(the_finished_run_stays_in_place_until_the_next_one_ends),
        in_a_box(an_unfinished_run_is_refused_and_not_touched),
        in_a_box(a_file_in_the_way_is_refused_and_not_touched),
        in_a_box(a_folder_that_is_no_report_is_refused_and_not_touched),
        in_a_box(what_stands_in_the_place_of_the_one_before_is_not_lost),
        in_a_box(an_empty_folder_is_as_good_as_none),
        in_a_box(a_file_above_is_refused_and_not_touched),
        in_a_box(a_file_in_the_place_of_the_unfinished_folder_is_refused),
        in_a_box(a_folder_that_cannot_be_made_is_refused),
        in_a_box(folders_above_are_made),
        in_a_box(slashes_at_the_end_change_nothing),
        in_a_box(a_file_that_cannot_be_made_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
