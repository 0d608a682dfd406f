#include "run_bench.h"

#include "run/batch.h"

static const ks_column columns[] = {KS_COL_total_cycles, KS_COL_total_ns, KS_COL_commands};
enum { POINTS = 120 };

static ks_batch *batch_of(int threads, size_t memory_bytes, const atomic_int *is_stopped) {
    const ks_batch_options options = {
        .kernels = &ks_kernels,
        .mode = KS_MODE_TIMING,
        .threads = threads,
        .names = KS_NAME_BIT(KS_P_kernel) |
                 KS_NAME_BIT(KS_NAME_CONSTANTS + KS_C_dispatch_fixed_cycles) |
                 KS_NAME_BIT(KS_NAME_CONSTANTS + KS_C_tcm_bytes),
        .columns = columns,
        .column_count = COUNT(columns),
        .memory_bytes = memory_bytes,
        .is_stopped = is_stopped};
    ks_batch *batch = ks_batch_new(&options);
    assert_non_null(batch);
    return batch;
}

/* Every fixed cost twice, kernels in turn. */
static void fill(ks_point *points) {
    for (size_t i = 0; i < POINTS; i++) {
        points[i] = bench_point(i % 2 ? "kernel=decode_opt3 G=4 TILE=16 d=64 S=64"
                                      : "kernel=decode_opt2 G=4 TILE=16 d=64 S=64");
        points[i].calibration.values[KS_C_dispatch_fixed_cycles] = i / 4 * 10000 + 1;
    }
}

static ks_text text_of(ks_batch *batch, const ks_point *points, size_t count) {
    ks_batch_row *rows = malloc(count * sizeof *rows);
    ks_text text = {0};
    ks_error error = {""};
    if (ks_batch_run(batch, points, count, rows, &error)) fail_msg("%s", error.text);
    for (size_t i = 0; i < count; i++) {
        ks_text_add_format(&text, "%s", ks_verdict_name(rows[i].verdict));
        for (size_t c = 0; rows[i].cells && c < COUNT(columns); c++)
            ks_text_add_format(&text, " %llx", (unsigned long long)rows[i].cells[c].count);
        ks_text_add_char(&text, '\n');
    }
    free(rows);
    return text;
}

static void rows_are_those_of_point_runs_in_order_for_any_number_of_threads(void **state) {
    (void)state;
    static ks_point points[POINTS];
    fill(points);
    ks_text expected = {0};
    ks_worker *worker = ks_worker_new();
    const ks_job job = {.kernels = &ks_kernels, .mode = KS_MODE_TIMING, .oplog = KS_OPLOG_NONE};
    for (size_t i = 0; i < POINTS; i++) {
        ks_row row;
        ks_error detail;
        assert_int_equal(ks_point_run(worker, &job, &points[i], "", &row, &detail), KS_OK);
        ks_text_add_format(&expected, "%s", ks_verdict_name(row.verdict));
        for (size_t c = 0; c < COUNT(columns); c++)
            ks_text_add_format(&expected, " %llx",
                               (unsigned long long)row.figures[columns[c]].count);
        ks_text_add_char(&expected, '\n');
    }
    ks_worker_free(worker);
    for (int threads = 1; threads <= 4; threads++) {
        ks_batch *batch = batch_of(threads, 0, NULL);
        ks_text got = text_of(batch, points, POINTS);
        assert_string_equal(ks_text_string(&got), ks_text_string(&expected));
        ks_text_free(&got);
        ks_batch_free(batch);
    }
    ks_text_free(&expected);
}

static void a_point_is_run_once_within_a_batch_and_across_batches(void **state) {
    (void)state;
    static ks_point points[POINTS];
    fill(points);
    ks_batch *batch = batch_of(2, 0, NULL);
    ks_text first = text_of(batch, points, POINTS / 2);
    assert_int_equal(ks_batch_simulated(batch), POINTS / 4);
    ks_text whole = text_of(batch, points, POINTS);
    assert_int_equal(ks_batch_simulated(batch), POINTS / 2);
    assert_int_equal(ks_batch_asked(batch), POINTS + POINTS / 2);
    assert_memory_equal(first.data, whole.data, first.length);
    ks_text_free(&first);
    ks_text_free(&whole);
    ks_batch_free(batch);
}

static void little_memory_costs_time_not_results(void **state) {
    (void)state;
    static ks_point points[POINTS];
    fill(points);
    ks_batch *large = batch_of(1, 0, NULL), *small = batch_of(1, 1024, NULL);
    ks_text expected = text_of(large, points, POINTS);
    ks_text got = {0};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < POINTS; i += 8) {
            ks_text piece = text_of(small, points + i, 8);
            if (round) ks_text_add(&got, piece.data, piece.length);
            ks_text_free(&piece);
        }
    assert_string_equal(ks_text_string(&got), ks_text_string(&expected));
    assert_true(ks_batch_simulated(small) > ks_batch_simulated(large));
    ks_text_free(&expected);
    ks_text_free(&got);
    ks_batch_free(large);
    ks_batch_free(small);
}

static void a_point_that_does_not_run_has_no_cells_and_the_first_says_why(void **state) {
    (void)state;
    ks_point points[2] = {bench_point("kernel=decode_opt2 G=4 TILE=16 d=64 S=64 tcm_bytes=100"),
                          bench_point("kernel=decode_opt2 G=4 TILE=16 d=64 S=64")};
    ks_batch *batch = batch_of(1, 0, NULL);
    ks_text text = text_of(batch, &points[1], 1);
    assert_string_equal(ks_batch_trouble(batch), "");
    ks_text_free(&text);
    text = text_of(batch, points, 2);
    assert_int_equal(strncmp(text.data, "infeasible\npass ", 16), 0);
    assert_non_null(strstr(ks_batch_trouble(batch),
                           "kernel=decode_opt2 G=4 TILE=16 d=64 S=64 tcm_bytes=100: infeasible "
                           "tcm_overflow"));
    ks_text_free(&text);
    ks_batch_free(batch);
}

static void a_stopped_batch_says_so_and_keeps_nothing_half_done(void **state) {
    (void)state;
    static ks_point points[POINTS];
    ks_batch_row rows[POINTS];
    ks_error error = {""};
    atomic_int is_stopped = 1;
    fill(points);
    ks_batch *batch = batch_of(1, 0, &is_stopped);
    assert_int_equal(ks_batch_run(batch, points, POINTS, rows, &error), KS_IO);
    assert_string_equal(error.text, "interrupted");
    atomic_store(&is_stopped, 0);
    ks_text text = text_of(batch, points, POINTS);
    assert_int_equal(strncmp(text.data, "pass ", 5), 0);
    assert_null(strstr(text.data, "not_run"));
    ks_text_free(&text);
    ks_batch_free(batch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_point_runs_in_order_for_any_number_of_threads),
        cmocka_unit_test(a_point_is_run_once_within_a_batch_and_across_batches),
        cmocka_unit_test(little_memory_costs_time_not_results),
        cmocka_unit_test(a_point_that_does_not_run_has_no_cells_and_the_first_says_why),
        cmocka_unit_test(a_stopped_batch_says_so_and_keeps_nothing_half_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
