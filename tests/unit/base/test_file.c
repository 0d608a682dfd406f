#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every test works in a folder of its own below the working folder. */
static int make_folder(void **state) {
    char *folder = strdup("ks_file_XXXXXX");
    if (!folder || !mkdtemp(folder)) return -1;
    *state = folder;
    return 0;
}

static int remove_folder(void **state) {
    ks_error error;
    const ks_status status = ks_path_remove(*state, &error);
    free(*state);
    return status ? -1 : 0;
}

static const char *path_of(void **state, const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", (const char *)*state, name);
    return path;
}

static void what_is_written_reads_back(void **state) {
    const char *path = path_of(state, "file");
    ks_text text = {0};
    ks_error error = {{0}};
    static const char bytes[] = "a\0b\n\xff";
    assert_int_equal(ks_file_write(path, bytes, sizeof bytes, &error), KS_OK);
    ks_text_add_string(&text, "before ");
    assert_int_equal(ks_file_read(path, 1000, &text, &error), KS_OK); /* appends */
    assert_int_equal(text.length, 7 + sizeof bytes);
    assert_memory_equal(text.data + 7, bytes, sizeof bytes);
    assert_int_equal(ks_file_write(path, "", 0, &error), KS_OK); /* emptied */
    ks_text_clear(&text);
    assert_int_equal(ks_file_read(path, 0, &text, &error), KS_OK);
    assert_int_equal(text.length, 0);
    ks_text_free(&text);
}

static void a_file_over_the_limit_is_refused(void **state) {
    const char *path = path_of(state, "file");
    static const size_t sizes[] = {100, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ks_text text = {0};
        ks_error error = {{0}};
        char *bytes = calloc(sizes[i], 1);
        assert_int_equal(ks_file_write(path, bytes, sizes[i], &error), KS_OK);
        free(bytes);
        assert_int_equal(ks_file_read(path, sizes[i] - 1, &text, &error), KS_INPUT);
        assert_non_null(strstr(error.text, "larger than"));
        ks_text_clear(&text);
        assert_int_equal(ks_file_read(path, sizes[i], &text, &error), KS_OK);
        assert_int_equal(text.length, sizes[i]);
        ks_text_free(&text);
    }
}

static void what_cannot_be_read_is_an_io_error_with_the_reason(void **state) {
    ks_text text = {0};
    ks_error error = {{0}};
    assert_int_equal(ks_file_read(path_of(state, "missing"), 100, &text, &error), KS_IO);
    assert_non_null(strstr(error.text, "missing': No such file or directory"));
    ks_text_free(&text);
}

static void a_folder_is_no_file(void **state) {
    ks_text text = {0};
    ks_error error = {{0}};
    assert_int_equal(ks_file_read(*state, 100, &text, &error), KS_INPUT);
    assert_non_null(strstr(error.text, "found a folder"));
    ks_text_free(&text);
}

/* Without the first question this would wait for ever. */
static void what_is_not_stored_is_not_read_as_such(void **state) {
    ks_text text = {0};
    ks_error error = {{0}};
    const char *fifo = path_of(state, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_string_equal(ks_path_kind(fifo), "a FIFO");
    assert_false(ks_path_is_file(fifo));
    assert_int_equal(ks_file_read_stored(fifo, 100, &text, &error), KS_INPUT);
    assert_non_null(strstr(error.text, "found a FIFO '"));
    assert_int_equal(ks_path_remove(fifo, &error), KS_OK);
    assert_int_equal(ks_file_read_stored("/dev/null", 100, &text, &error), KS_INPUT);
    assert_non_null(strstr(error.text, "found a device '/dev/null', expected a file"));
    assert_int_equal(ks_file_read_stored(fifo, 100, &text, &error), KS_IO);
    assert_int_equal(ks_file_write(fifo, "x", 1, &error), KS_OK);
    assert_int_equal(ks_file_read_stored(fifo, 100, &text, &error), KS_OK);
    assert_string_equal(ks_text_string(&text), "x");
    assert_int_equal(ks_path_remove(fifo, &error), KS_OK);
    ks_text_free(&text);
}

static void closing_a_file_on_a_full_device_fails(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_true(fputs("lost", full) >= 0); /* still in the buffer: only closing tells */
    assert_int_not_equal(ks_file_close(full), 0);
    assert_non_null(full = fopen("/dev/full", "w"));
    assert_int_equal(ks_file_close(full), 0); /* nothing was written, nothing was lost */
}

static void closing_remembers_an_error_that_the_flush_does_not_see(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(fputs("lost", full), EOF);
    assert_int_not_equal(ks_file_close(full), 0);
}

static void closing_a_pipe_is_fine(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    FILE *in = fdopen(ends[1], "w");
    assert_non_null(in);
    fputs("x", in);
    assert_int_equal(ks_file_close(in), 0); /* fsync of a pipe is EINVAL */
    close(ends[0]);
}

static void writing_to_a_full_device_is_an_io_error_with_the_reason(void **state) {
    (void)state;
    ks_error error = {{0}};
    assert_int_equal(ks_file_write("/dev/full", "lost", 4, &error), KS_IO);
    assert_string_equal(error.text, "cannot write '/dev/full': No space left on device");
}

static void writing_where_no_folder_is_fails(void **state) {
    ks_error error = {{0}};
    assert_int_equal(ks_file_write(path_of(state, "none/file"), "x", 1, &error), KS_IO);
    assert_non_null(strstr(error.text, "No such file or directory"));
}

static void a_folder_is_made_with_all_above_it(void **state) {
    ks_error error = {{0}};
    assert_int_equal(ks_folder_make(path_of(state, "a/b/c"), &error), KS_OK);
    assert_true(ks_path_is_folder(path_of(state, "a/b/c")));
    assert_int_equal(ks_folder_make(path_of(state, "a/b/c"), &error), KS_OK); /* is there already */
    assert_int_equal(ks_folder_make(path_of(state, "a/b/d/"), &error), KS_OK);
    assert_true(ks_path_is_folder(path_of(state, "a/b/d")));
}

static void a_file_is_no_folder(void **state) {
    ks_error error = {{0}};
    assert_int_equal(ks_file_write(path_of(state, "file"), "x", 1, &error), KS_OK);
    assert_true(ks_path_exists(path_of(state, "file")));
    assert_false(ks_path_is_folder(path_of(state, "file")));
    assert_int_equal(ks_folder_make(path_of(state, "file"), &error), KS_IO);
    assert_non_null(strstr(error.text, "is not a folder"));
    assert_int_equal(ks_folder_make(path_of(state, "file/below"), &error), KS_IO);
    assert_non_null(strstr(error.text, "Not a directory"));
}

static void removing_takes_all_below_and_follows_no_link(void **state) {
    ks_error error = {{0}};
    assert_int_equal(ks_folder_make(path_of(state, "kept"), &error), KS_OK);
    assert_int_equal(ks_file_write(path_of(state, "kept/file"), "x", 1, &error), KS_OK);
    assert_int_equal(ks_folder_make(path_of(state, "gone/deep"), &error), KS_OK);
    assert_int_equal(ks_file_write(path_of(state, "gone/deep/file"), "x", 1, &error), KS_OK);
    assert_int_equal(symlink("../kept", path_of(state, "gone/link")), 0);
    assert_int_equal(symlink("nowhere", path_of(state, "gone/broken")), 0);
    assert_true(ks_path_exists(path_of(state, "gone/broken")));
    assert_int_equal(ks_path_remove(path_of(state, "gone"), &error), KS_OK);
    assert_false(ks_path_exists(path_of(state, "gone")));
    assert_true(ks_path_exists(path_of(state, "kept/file")));
    assert_int_equal(ks_path_remove(path_of(state, "gone"), &error), KS_OK); /* missing is fine */
}

static void a_rename_replaces_what_is_there(void **state) {
    ks_error error = {{0}};
    char from[256];
    snprintf(from, sizeof from, "%s", path_of(state, "from"));
    assert_int_equal(ks_file_write(from, "new", 3, &error), KS_OK);
    assert_int_equal(ks_file_write(path_of(state, "to"), "old text", 8, &error), KS_OK);
    assert_int_equal(ks_path_rename(from, path_of(state, "to"), &error), KS_OK);
    ks_text text = {0};
    assert_int_equal(ks_file_read(path_of(state, "to"), 100, &text, &error), KS_OK);
    assert_string_equal(ks_text_string(&text), "new");
    ks_text_free(&text);
    assert_false(ks_path_exists(from));
    assert_int_equal(ks_path_rename(from, path_of(state, "to"), &error), KS_IO);
    assert_non_null(strstr(error.text, "No such file or directory"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_reads_back),
        TEST(a_file_over_the_limit_is_refused),
        TEST(what_cannot_be_read_is_an_io_error_with_the_reason),
        TEST(a_folder_is_no_file),
        TEST(what_is_not_stored_is_not_read_as_such),
        TEST(closing_a_file_on_a_full_device_fails),
        TEST(closing_remembers_an_error_that_the_flush_does_not_see),
        TEST(closing_a_pipe_is_fine),
        TEST(writing_to_a_full_device_is_an_io_error_with_the_reason),
        TEST(writing_where_no_folder_is_fails),
        TEST(a_folder_is_made_with_all_above_it),
        TEST(a_file_is_no_folder),
        TEST(removing_takes_all_below_and_follows_no_link),
        TEST(a_rename_replaces_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
