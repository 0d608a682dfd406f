/* Whole op_logs beside a golden: each is the file that its row pins. */
#include <sys/stat.h>

#include "base/file.h"
#include "golden/golden_logs.h"
#include "golden_bench.h"

#define LOG "seq,cmd\n0,1\n1,2\n"

/* A golden of three points; the third is infeasible, the others have the log LOG. */
static ks_golden *golden_of_logs(void) {
    const ks_golden_head head = bench_head(bench_timing);
    ks_text out = {0}, cells = {0};
    ks_golden *golden;
    ks_error error = {""};
    const ks_digest digest = ks_digest_of(LOG, strlen(LOG));
    ks_golden_writer writer = ks_golden_begin(&out, &head);
    for (unsigned i = 0; i < 3; i++) {
        ks_row row = bench_row(i == 2 ? 4 : i);
        if (i < 2) ks_row_set_digest(&row, KS_COL_oplog_xxh128, &digest);
        ks_text_clear(&cells);
        bench_cells_of(&cells, head.parts, i, &row);
        ks_golden_line_print(&out, &writer, cells.data, cells.length, false);
    }
    ks_golden_end(&out, &writer);
    ks_text_free(&cells);
    assert_int_equal(ks_golden_parse("g.csv", out, KS_GOLDEN_BLESSED, &golden, &error), KS_OK);
    return golden;
}

static void write_log(const ks_golden *golden, size_t index, const char *text) {
    char id[KS_GOLDEN_ID], path[64];
    ks_error error = {""};
    ks_golden_id_of(id, ks_golden_at(golden, index).key);
    snprintf(path, sizeof path, "logs/oplog/%s.csv", id);
    assert_int_equal(ks_file_write(path, text, strlen(text), &error), KS_OK);
}

static int empty_logs(void **state) {
    ks_error error;
    (void)state;
    if (ks_path_remove("logs", &error)) return -1;
    return mkdir("logs", 0777) || mkdir("logs/oplog", 0777);
}

static void expect_logs(ks_status expected, const char *word) {
    ks_golden *golden = golden_of_logs();
    ks_error error = {""};
    assert_int_equal(ks_golden_logs_check("logs", golden, &error), expected);
    if (!strstr(error.text, word)) fail_msg("'%s' does not say '%s'", error.text, word);
    ks_golden_free(golden);
}

static void files_to_the_byte_are_fine_and_rows_without_a_log_need_none(void **state) {
    (void)state;
    ks_golden *golden = golden_of_logs();
    write_log(golden, 0, LOG);
    write_log(golden, 1, LOG);
    expect_logs(KS_OK, "");
    ks_golden_free(golden);
}

static void a_file_that_is_missing_or_other_is_refused(void **state) {
    static const char *const others[][2] = {{"seq,cmd\n0,1\n1,3\n", "found other bytes"},
                                            {"seq,cmd\n0,1\n", "found other bytes"},
                                            {"", "found other bytes"},
                                            {"seq,cmd\r\n0,1\r\n1,2\r\n", "found CR in the line "
                                                                          "ends"}};
    (void)state;
    ks_golden *golden = golden_of_logs();
    write_log(golden, 0, LOG);
    expect_logs(KS_INPUT, "found no such file");
    for (size_t i = 0; i < COUNT(others); i++) {
        write_log(golden, 1, others[i][0]);
        expect_logs(KS_INPUT, others[i][1]);
    }
    ks_golden_free(golden);
}

static void count_one(void *self, const char *name) {
    assert_string_equal(name, "0123456789abcdef.csv");
    ++*(int *)self;
}

static void logs_that_no_row_pins_are_orphans_and_other_files_are_not(void **state) {
    static const char *const names[] = {"0123456789abcdef.csv", "README.md", "0123456789abcde.csv",
                                        "0123456789abcdeF.csv", "0123456789abcdef.csv.new"};
    int count = 0;
    ks_error error = {""};
    (void)state;
    ks_golden *golden = golden_of_logs();
    write_log(golden, 0, LOG);
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[64];
        snprintf(path, sizeof path, "logs/oplog/%s", names[i]);
        assert_int_equal(ks_file_write(path, "x", 1, &error), KS_OK);
    }
    assert_int_equal(ks_golden_logs_orphans("logs", golden, &count, count_one, &error), KS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(ks_golden_logs_orphans("nowhere", golden, &count, count_one, &error), KS_OK);
    assert_int_equal(count, 1);
    ks_golden_free(golden);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(files_to_the_byte_are_fine_and_rows_without_a_log_need_none,
                               empty_logs),
        cmocka_unit_test_setup(a_file_that_is_missing_or_other_is_refused, empty_logs),
        cmocka_unit_test_setup(logs_that_no_row_pins_are_orphans_and_other_files_are_not,
                               empty_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
