/* Where a sweep's golden lies, and that it lies nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "golden/golden_place.h"

static void expect_folder(const char *sweep_file, const char *folder) {
    ks_text out = {0};
    ks_golden_folder_of(&out, sweep_file);
    if (strcmp(ks_text_string(&out), folder) != 0)
        fail_msg("%s: found '%s', expected '%s'", sweep_file, ks_text_string(&out), folder);
    ks_text_free(&out);
}

static void goldens_lie_beside_the_folder_sweeps_or_else_beside_the_file(void **state) {
    static const char *const table[][2] = {
        {"sweeps/x.yaml", "golden"},
        {"./sweeps/x.yaml", "./golden"},
        {"sweeps//x.yaml", "golden"},
        {"a/sweeps/x.yaml", "a/golden"},
        {"/a/sweeps/x.yaml", "/a/golden"},
        {"/sweeps/x.yaml", "/golden"},
        {"../sweeps/x.yaml", "../golden"},
        {"x.yaml", "golden"},
        {"a/x.yaml", "a/golden"},
        {"a/b/x.yaml", "a/b/golden"},
        {"/x.yaml", "/golden"},
        {"/a/x.yaml", "/a/golden"},
        {"./x.yaml", "./golden"},
        {"sweeps/b/x.yaml", "sweeps/b/golden"},
        {"mysweeps/x.yaml", "mysweeps/golden"},
        {"sweeps2/x.yaml", "sweeps2/golden"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        expect_folder(table[i][0], table[i][1]);
}

static void a_folder_that_is_called_sweeps_is_known_from_inside(void **state) {
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_folder_make("box/sweeps/inner", &error), KS_OK);
    assert_int_equal(chdir("box/sweeps"), 0);
    expect_folder("x.yaml", "./../golden");
    expect_folder("./x.yaml", "./../golden");
    expect_folder("inner/../x.yaml", "inner/../../golden");
    assert_int_equal(chdir("inner"), 0);
    expect_folder("x.yaml", "golden");
    expect_folder("../x.yaml", "../../golden");
    assert_int_equal(chdir("../../.."), 0);
}

static int empty_box(void **state) {
    ks_error error;
    (void)state;
    if (ks_path_remove("box", &error)) return -1;
    return mkdir("box", 0777);
}

static void expect_place(const char *folder, const char *sweep, ks_status expected,
                         const char *word) {
    ks_error error = {""};
    assert_int_equal(ks_golden_place_check(folder, sweep, &error), expected);
    if (!strstr(error.text, word)) fail_msg("'%s' does not say '%s'", error.text, word);
}

static void write_file(const char *path) {
    ks_error error = {""};
    assert_int_equal(ks_file_write(path, "x", 1, &error), KS_OK);
}

static void a_place_is_a_plain_file_in_a_plain_folder_or_not_there_yet(void **state) {
    (void)state;
    expect_place("box/golden", "t.ci", KS_OK, "");
    assert_int_equal(mkdir("box/golden", 0777), 0);
    expect_place("box/golden", "t.ci", KS_OK, "");
    write_file("box/golden/t.ci.csv");
    expect_place("box/golden", "t.ci", KS_OK, "");
    assert_int_equal(mkdir("box/golden/u.ci.csv", 0777), 0);
    expect_place("box/golden", "u.ci", KS_INPUT, "expected a file");
    write_file("box/file");
    expect_place("box/file", "t.ci", KS_INPUT, "expected a folder");
}

static void a_link_is_not_followed(void **state) {
    (void)state;
    assert_int_equal(mkdir("box/golden", 0777), 0);
    assert_int_equal(mkdir("box/out", 0777), 0);
    assert_int_equal(symlink("../out/t.csv", "box/golden/t.ci.csv"), 0);
    expect_place("box/golden", "t.ci", KS_INPUT, "'box/golden/t.ci.csv' is a link");
    assert_int_equal(symlink("out", "box/linked"), 0);
    expect_place("box/linked", "t.ci", KS_INPUT, "'box/linked' is a link");
}

static void a_name_with_a_slash_is_refused(void **state) {
    (void)state;
    expect_place("box/golden", "../t.ci", KS_INPUT, "without '/'");
    expect_place("box/golden", "/t.ci", KS_INPUT, "without '/'");
}

static void two_names_that_differ_in_letter_case_alone_do_not_share_a_folder(void **state) {
    (void)state;
    assert_int_equal(mkdir("box/golden", 0777), 0);
    write_file("box/golden/Deep.ci.csv");
    expect_place("box/golden", "Deep.ci", KS_OK, "");
    expect_place("box/golden", "deep.ci", KS_INPUT, "letter case alone");
    expect_place("box/golden", "deeper.ci", KS_OK, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goldens_lie_beside_the_folder_sweeps_or_else_beside_the_file),
        cmocka_unit_test_setup(a_folder_that_is_called_sweeps_is_known_from_inside, empty_box),
        cmocka_unit_test_setup(a_place_is_a_plain_file_in_a_plain_folder_or_not_there_yet,
                               empty_box),
        cmocka_unit_test_setup(a_link_is_not_followed, empty_box),
        cmocka_unit_test_setup(a_name_with_a_slash_is_refused, empty_box),
        cmocka_unit_test_setup(two_names_that_differ_in_letter_case_alone_do_not_share_a_folder,
                               empty_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
