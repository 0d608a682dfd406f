#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "golden/geometric_mean.h"
#include "golden/points_diff.h"

/* ---- files ---- */

static void add_header(ks_text *out) {
    ks_text_add_string(out, "id,verdict,reason,model,kernel,G,policy");
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        ks_text_add_format(out, ",%s", ks_column_describe((ks_column)c)->name);
    ks_text_add_string(out, ",golden,invariants\n");
}

typedef struct sample {
    const char *id, *verdict, *reason, *kernel;
    uint64_t total_ticks, math_ticks, rows; /* 0: no such cell */
    double rmse;                            /* 0: likewise */
} sample;

static void add_line(ks_text *out, const sample *s) {
    ks_row row = {.golden = KS_GOLDEN_none, .invariants = "ok"};
    if (s->total_ticks) ks_row_set_count(&row, KS_COL_total_cycles, s->total_ticks);
    if (s->math_ticks) ks_row_set_count(&row, KS_COL_busy_math, s->math_ticks);
    if (s->rows) ks_row_set_count(&row, KS_COL_oplog_records, s->rows);
    if (s->rmse != 0) ks_row_set_real(&row, KS_COL_rmse, s->rmse);
    ks_text_add_format(out, "%s,%s,%s,m,%s,8,rw_aware", s->id, s->verdict, s->reason, s->kernel);
    ks_row_print_figures(out, &row);
    ks_text_add_char(out, '\n');
}

static ks_points *points_of(const sample *samples, size_t count) {
    char path[] = "/tmp/ks_points_XXXXXX";
    ks_text text = {0};
    ks_error error = {{0}};
    ks_points *points;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    add_header(&text);
    for (size_t i = 0; i < count; i++) add_line(&text, &samples[i]);
    assert_int_equal(ks_file_write(path, text.data, text.length, &error), KS_OK);
    assert_int_equal(ks_points_read(path, &points, &error), KS_OK);
    unlink(path);
    ks_text_free(&text);
    return points;
}

static const sample left[] = {
    {"0000000000000001", "pass", "", "a", 1000000, 100000, 50, 0.5},
    {"0000000000000002", "pass", "", "a", 1000000, 100000, 40, 0.5},
    {"0000000000000003", "pass", "", "b", 1000000, 100000, 60, 0.5},
    {"0000000000000004", "infeasible", "tcm_overflow end=2 tcm_bytes=1", "b", 0, 0, 0, 0},
    {"0000000000000005", "pass", "", "b", 1000000, 100000, 60, 0.5},
};

static void points_are_read_back(void **state) {
    (void)state;
    ks_points *points = points_of(left, 5);
    ks_row row;
    size_t index;
    assert_int_equal(ks_points_count(points), 5);
    assert_string_equal(ks_points_at(points, 1).key, "kernel=a G=8 policy=rw_aware");
    assert_string_equal(ks_points_at(points, 2).kernel, "b");
    assert_true(ks_points_find(points, "0000000000000004", &index));
    assert_int_equal(index, 3);
    assert_false(ks_points_find(points, "0000000000000009", &index));
    ks_points_row(points, 0, &row);
    assert_int_equal(row.figures[KS_COL_total_cycles].count, 1000000);
    assert_true(row.figures[KS_COL_rmse].real == 0.5);
    assert_string_equal(row.invariants, "ok");
    assert_string_equal(row.id, "0000000000000001");
    ks_points_row(points, 3, &row);
    assert_int_equal(row.verdict, KS_VERDICT_infeasible);
    assert_false(ks_row_has(&row, KS_COL_total_cycles));
    assert_true(ks_points_columns(points) >> KS_COL_rmse & 1);
    assert_false(ks_points_columns(points) >> KS_COL_macs & 1);
    ks_points_free(points);
}

/* Whatever is no points.csv is refused with its line. */
static void a_broken_file_is_refused(void **state) {
    static const struct {
        const char *find, *put, *says;
    } cases[] = {
        {"id,verdict", "it,verdict", ":1: field 1: found column 'it', expected 'id'"},
        {"total_ns", "total", "expected 'total_ns'"},
        {"0000000000000002", "000000000000000g", ":3: field 1: found '000000000000000g'"},
        {"0000000000000002", "0000000000000001", "a second time"},
        {",pass,", ",past,", ":2: field 2: found 'past', expected a verdict"},
        {",100,", ",1e2,", "expected a value of total_cycles"},
        {",ok\n", "\n", "found"},
        {",0.5,", ",0.50,", "expected a value of rmse"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[] = "/tmp/ks_points_XXXXXX";
        ks_text whole = {0}, text = {0};
        ks_error error = {{0}};
        ks_points *points = NULL;
        const int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        add_header(&whole);
        for (size_t k = 0; k < 5; k++) add_line(&whole, &left[k]);
        const char *at = strstr(whole.data, cases[i].find);
        assert_non_null(at);
        ks_text_add(&text, whole.data, (size_t)(at - whole.data));
        ks_text_add_string(&text, cases[i].put);
        ks_text_add_string(&text, at + strlen(cases[i].find));
        assert_int_equal(ks_file_write(path, text.data, text.length, &error), KS_OK);
        assert_int_equal(ks_points_read(path, &points, &error), KS_INPUT);
        if (!strstr(error.text, cases[i].says)) fail_msg("%s: %s", cases[i].says, error.text);
        ks_points_free(points);
        unlink(path);
        ks_text_free(&whole);
        ks_text_free(&text);
    }
}

/* ---- differences ---- */

static void equal_points_are_the_same(void **state) {
    (void)state;
    ks_points *a = points_of(left, 5), *b = points_of(left, 5);
    ks_points_comparison *c;
    assert_int_equal(ks_points_compare(a, b, &c), KS_OK);
    const ks_points_diff *d = ks_points_diff_of(c);
    assert_int_equal(d->same, 5);
    assert_int_equal(d->changed + d->only[0] + d->only[1], 0);
    assert_false(d->has_first);
    ks_points_comparison_free(c);
    ks_points_free(a);
    ks_points_free(b);
}

static void what_moved_is_counted_column_by_column(void **state) {
    static const sample right[] = {
        {"0000000000000003", "pass", "", "b", 1000000, 100000, 60, 0.5},
        {"0000000000000002", "pass", "", "a", 1210000, 120000, 40, 0.5},
        {"0000000000000001", "pass", "", "a", 1000000, 110000, 50, 1},
        {"0000000000000004", "pass", "", "b", 1000000, 100000, 7, 0.5},
        {"0000000000000006", "pass", "", "b", 1000000, 100000, 60, 0.5},
    };
    (void)state;
    ks_points *a = points_of(left, 5), *b = points_of(right, 5);
    ks_points_comparison *c;
    assert_int_equal(ks_points_compare(a, b, &c), KS_OK);
    const ks_points_diff *d = ks_points_diff_of(c);
    assert_int_equal(d->same, 1);
    assert_int_equal(d->changed, 3);
    assert_int_equal(d->only[0], 1);
    assert_int_equal(d->only[1], 1);
    assert_int_equal(d->verdicts, 1);
    assert_int_equal(d->columns[KS_COL_busy_math].points, 3);
    assert_int_equal(d->columns[KS_COL_busy_math].least, 10000);
    assert_int_equal(d->columns[KS_COL_busy_math].most, 20000);
    assert_int_equal(d->columns[KS_COL_busy_math].came, 1);
    assert_true(d->columns[KS_COL_rmse].most_ratio == 2);
    assert_int_equal(d->kernel_count, 2);
    assert_string_equal(d->kernels[0].kernel, "a");
    assert_int_equal(d->kernels[0].points, 2);
    assert_int_equal(d->kernels[0].changed, 1);
    assert_true(fabs(d->kernels[0].mean - 1.1) < 1e-12); /* the root of 1 times 1.21 */
    assert_true(fabs(d->kernels[1].mean - 1) < 1e-12);
    assert_int_equal(d->group_count, 2);
    assert_int_equal(d->groups[0].points, 2);
    assert_string_equal(d->groups[0].what, "the same work takes more busy_math");
    assert_string_equal(d->groups[1].what, "infeasible, and now pass");
    /* the fewest rows of its op_log */
    assert_true(d->has_first);
    assert_int_equal(d->first[0], 3);
    assert_int_equal(d->first[1], 3);
    ks_points_comparison_free(c);
    ks_points_free(a);
    ks_points_free(b);
}

static void what_one_side_never_has_is_not_compared(void **state) {
    static const sample timing[] = {{"0000000000000001", "pass", "", "a", 1000000, 100000, 50, 0}};
    (void)state;
    ks_points *a = points_of(left, 1), *b = points_of(timing, 1);
    ks_points_comparison *c;
    assert_int_equal(ks_points_compare(a, b, &c), KS_OK);
    assert_int_equal(ks_points_diff_of(c)->same, 1);
    assert_int_equal(ks_points_diff_of(c)->not_compared, UINT64_C(1) << KS_COL_rmse);
    ks_points_comparison_free(c);
    ks_points_free(a);
    ks_points_free(b);
}

/* That a point differs from its golden is no difference between two reports of it. */
static void a_verdict_of_a_golden_is_taken_back(void **state) {
    sample failed = left[0];
    (void)state;
    failed.verdict = "fail";
    failed.reason = "golden columns=3";
    ks_points *a = points_of(left, 1), *b = points_of(&failed, 1);
    ks_points_comparison *c;
    assert_int_equal(ks_points_compare(a, b, &c), KS_OK);
    assert_int_equal(ks_points_diff_of(c)->same, 1);
    ks_points_comparison_free(c);
    ks_points_free(a);
    ks_points_free(b);
}

static void means_are_those_of_powers(void **state) {
    ks_geometric_mean mean = {0};
    (void)state;
    assert_true(ks_geometric_mean_of(&mean) == 1);
    for (int i = 0; i < 1000; i++) ks_geometric_mean_add(&mean, 3, 4);
    assert_true(fabs(ks_geometric_mean_of(&mean) - 4.0 / 3) < 1e-12);
    mean = (ks_geometric_mean){0};
    ks_geometric_mean_add(&mean, 1, UINT64_C(1) << 62);
    ks_geometric_mean_add(&mean, UINT64_C(1) << 62, 1);
    assert_true(fabs(ks_geometric_mean_of(&mean) - 1) < 1e-12);
    mean = (ks_geometric_mean){0};
    for (uint64_t i = 1; i <= 50; i++) ks_geometric_mean_add(&mean, 1000, 7 * i);
    double logs = 0;
    for (int i = 1; i <= 50; i++) logs += log(7 * i / 1000.0);
    assert_true(fabs(ks_geometric_mean_of(&mean) / exp(logs / 50) - 1) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_read_back),
        cmocka_unit_test(a_broken_file_is_refused),
        cmocka_unit_test(equal_points_are_the_same),
        cmocka_unit_test(what_moved_is_counted_column_by_column),
        cmocka_unit_test(what_one_side_never_has_is_not_compared),
        cmocka_unit_test(a_verdict_of_a_golden_is_taken_back),
        cmocka_unit_test(means_are_those_of_powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
