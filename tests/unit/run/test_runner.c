/* All points of a grid in threads: what comes out, in which order, and what ends it early. */
#include "run_bench.h"

#define SMALL "mode: dispatch\naxes:\n  kernel: [decode_opt2]\n"
#define SHAPE "set: {G: 8, d: 128, S: 64}\n"
/* More points than all windows under way hold; TILE 65536 is infeasible. */
#define LONG                          \
    SMALL "  TILE: [16, 64, 65536]\n" \
          "  seed: {range: [1, 800, 1]}\n" SHAPE

static void expect_rows(const char *yaml, const char *rows) {
    bench_run *b = bench_run_all(yaml, 2);
    assert_string_equal(ks_text_string(&b->rows), rows);
    assert_true(ks_account_adds_up(&b->account));
    bench_run_free(b);
}

/* ---- order ---- */

static void rows_leave_in_grid_order_through_the_window_with_any_threads(void **state) {
    static const int threads[] = {1, 2, 3, 8};
    ks_text first = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(threads); i++) {
        bench_run *b = bench_run_all(LONG, threads[i]);
        assert_int_equal(b->row_count, 2400);
        assert_true(b->is_in_order);
        assert_int_equal(b->account.verdicts[KS_VERDICT_pass], 1600);
        assert_int_equal(b->account.verdicts[KS_VERDICT_infeasible], 800);
        assert_int_equal(b->account.verdicts[KS_VERDICT_not_run], 0);
        assert_true(ks_account_adds_up(&b->account));
        if (i == 0) ks_text_add_string(&first, ks_text_string(&b->rows));
        assert_string_equal(ks_text_string(&b->rows), ks_text_string(&first));
        bench_run_free(b);
    }
    ks_text_free(&first);
}

static void a_grid_ends_at_and_around_the_edge_of_the_window(void **state) {
    static const unsigned sizes[] = {1, 127, 128, 129, 256, 1023, 1024, 1025};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml, SMALL "  TILE: [64]\n  seed: {range: [1, %u, 1]}\n" SHAPE,
                           sizes[i]);
        bench_run *b = bench_run_all(yaml.data, 2);
        assert_int_equal(b->row_count, sizes[i]);
        assert_int_equal(b->account.verdicts[KS_VERDICT_pass], sizes[i]);
        assert_int_equal(b->last_progress.ran, sizes[i]);
        assert_int_equal(b->last_progress.planned, sizes[i]);
        bench_run_free(b);
        ks_text_free(&yaml);
    }
}

/* ---- which points ---- */

static void models_with_the_same_heads_run_once_with_joined_labels(void **state) {
    (void)state;
    expect_rows(SMALL "  model: [llama3-8b, llama3-70b, mistral-7b, qwen2.5-72b]\n"
                      "set: {S: 64, TILE: 16}\n",
                "0 pass [llama3-8b|mistral-7b] kernel=decode_opt2 G=4 TILE=16 d=128 S=64\n"
                "1 pass [llama3-70b|qwen2.5-72b] kernel=decode_opt2 G=8 TILE=16 d=128 S=64\n");
}

static void a_value_named_twice_runs_once(void **state) {
    (void)state;
    expect_rows(SMALL "  TILE: [16, 64, 16.0, 016]\n" SHAPE,
                "0 pass [] kernel=decode_opt2 G=8 TILE=16 d=128 S=64\n"
                "1 pass [] kernel=decode_opt2 G=8 TILE=64 d=128 S=64\n");
}

static void shapes_that_a_kernel_does_not_take_collapse(void **state) {
    (void)state;
    expect_rows("mode: dispatch\n"
                "axes:\n"
                "  kernel: [gemm, decode_opt2]\n"
                "  S: [64, 128]\n"
                "  M: [1, 2]\n"
                "set: {G: 8, d: 128, TILE: 64, K: 3, N: 4}\n",
                "0 pass [] kernel=gemm M=1 K=3 N=4\n"
                "1 pass [] kernel=gemm M=2 K=3 N=4\n"
                "4 pass [] kernel=decode_opt2 G=8 TILE=64 d=128 S=64\n"
                "6 pass [] kernel=decode_opt2 G=8 TILE=64 d=128 S=128\n");
}

static void gates_see_every_index_but_copies(void **state) {
    (void)state;
    bench_run *b = bench_run_all("mode: dispatch\n"
                                 "axes:\n"
                                 "  kernel: [decode_opt2, gemm]\n"
                                 "  TILE: [16, 64, 128, 65536]\n"
                                 "set: {G: 8, d: 128, S: 64, M: 1, K: 3, N: 4}\n"
                                 "where: \"TILE != 16 or kernel == gemm\"\n"
                                 "exclude:\n"
                                 "  - {when: \"TILE == 64 and kernel == decode_opt2\", why: a}\n"
                                 "expect:\n"
                                 "  - {when: \"TILE == 65536\", verdict: infeasible, why: a}\n",
                                 1);
    assert_string_equal(ks_text_string(&b->indices), "decode_opt2 [] ruled out\n"
                                                     "decode_opt2 [] ruled out\n"
                                                     "decode_opt2 [] row\n"
                                                     "decode_opt2 [] row ruled out\n"
                                                     "gemm [] row\n");
    bench_run_free(b);
}

static void gates_see_the_models_of_what_a_rule_takes_out(void **state) {
    (void)state;
    bench_run *b = bench_run_all(SMALL "  model: [llama3-8b, llama3-70b]\n"
                                       "set: {S: 64, TILE: 16}\n"
                                       "exclude:\n"
                                       "  - {when: \"model == 'llama3-70b'\", why: a}\n",
                                 1);
    assert_string_equal(ks_text_string(&b->indices), "decode_opt2 [llama3-8b] row\n"
                                                     "decode_opt2 [llama3-70b] ruled out\n");
    bench_run_free(b);
}

/* ---- expect ---- */

static void expect_rules_judge_points_and_say_why(void **state) {
    (void)state;
    bench_run *b =
        bench_run_all(SMALL "  TILE: [16, 64, 65536, 131072]\n" SHAPE "expect:\n"
                            "  - {when: \"TILE == 16\", why: hopeless}\n"
                            "  - {when: \"TILE == 65536\", verdict: infeasible, why: large}\n"
                            "  - {when: \"TILE >= 16\", verdict: infeasible, why: later}\n",
                      2);
    assert_string_equal(
        ks_text_string(&b->rows),
        "0 xpass! [] kernel=decode_opt2 G=8 TILE=16 d=128 S=64 why hopeless\n"
        "1 xpass! [] kernel=decode_opt2 G=8 TILE=64 d=128 S=64 why later\n"
        "2 infeasible [] kernel=decode_opt2 G=8 TILE=65536 d=128 S=64 why large\n"
        "3 infeasible [] kernel=decode_opt2 G=8 TILE=131072 d=128 S=64 why later\n");
    assert_int_equal(b->account.red, 2);
    assert_int_equal(b->last_progress.red, 2);
    assert_int_equal(ks_account_exit_code(&b->account), 1);
    bench_run_free(b);
}

static void a_point_that_fails_as_expected_is_xfail(void **state) {
    (void)state; /* scores beyond the range of f16 */
    bench_run *b = bench_run_all("mode: data\n"
                                 "axes:\n"
                                 "  kernel: [decode_opt2]\n"
                                 "  dist: [normal, large]\n"
                                 "set: {G: 2, d: 16, TILE: 16, S: 32}\n"
                                 "expect:\n"
                                 "  - {when: \"dist == large\", why: beyond f16}\n",
                                 1);
    assert_string_equal(
        ks_text_string(&b->rows),
        "0 pass [] kernel=decode_opt2 G=2 TILE=16 d=16 S=32\n"
        "1 xfail [] kernel=decode_opt2 G=2 TILE=16 d=16 S=32 dist=large why beyond f16\n");
    assert_int_equal(b->account.red, 0);
    assert_int_equal(ks_account_exit_code(&b->account), 0);
    bench_run_free(b);
}

static void an_expected_infeasible_point_that_another_reason_stops_is_red(void **state) {
    (void)state;
    bench_run *b =
        bench_run_all(SMALL "  TILE: [16, 64]\n"
                            "set: {G: 8, d: 128, S: 64, max_composite_logical_bytes: 20}\n"
                            "expect:\n"
                            "  - {when: \"TILE == 16\", verdict: infeasible, why: a}\n"
                            "  - {when: \"TILE == 64\", verdict: error, why: b}\n",
                      1);
    assert_string_equal(
        ks_text_string(&b->rows),
        "0 error! [] kernel=decode_opt2 G=8 TILE=16 d=128 S=64 max_composite_logical_bytes=20 why a\n"
        "1 error [] kernel=decode_opt2 G=8 TILE=64 d=128 S=64 max_composite_logical_bytes=20 why b\n");
    bench_run_free(b);
}

/* ---- goldens, invariants ---- */

/* A golden that has TILE 16 as it is, the KEYs with `moved` otherwise, and nothing else. */
static ks_golden_state compare(const void *self, const ks_record *record,
                               const ks_log_blocks *blocks, ks_text *cells, ks_change *change) {
    (void)self, (void)blocks;
    ks_text_add_format(cells, "%s %s", ks_verdict_name(record->row->verdict),
                       record->is_red_alone ? "red" : "fine");
    if (strstr(record->key, "TILE=16 ")) return KS_GOLDEN_match;
    if (!strstr(record->key, "TILE=64 ") && !strstr(record->key, "TILE=65536 "))
        return KS_GOLDEN_new;
    *change = (ks_change){.is_reason = true, .columns = 6};
    return KS_GOLDEN_mismatch;
}

static bench_run *run_compared(const char *yaml) {
    bench_run *b = bench_run_new(yaml, 1);
    b->options.compare = compare;
    bench_run_go(b);
    assert_int_equal(b->status, KS_OK);
    return b;
}

static void points_that_the_golden_does_not_have_are_new(void **state) {
    (void)state;
    bench_run *b = run_compared(SMALL "  TILE: [16, 128, 256]\n" SHAPE);
    assert_int_equal(b->account.goldens[KS_GOLDEN_new], 2);
    assert_int_equal(b->account.goldens[KS_GOLDEN_match], 1);
    assert_int_equal(b->account.red, 0);
    assert_int_equal(ks_account_exit_code(&b->account), 4);
    bench_run_free(b);
}

static void a_point_that_moved_fails_and_an_infeasible_one_stays_so_and_is_red(void **state) {
    (void)state;
    bench_run *b = run_compared(SMALL "  TILE: [16, 64, 65536]\n" SHAPE);
    assert_string_equal(ks_text_string(&b->rows),
                        "0 pass [] kernel=decode_opt2 G=8 TILE=16 d=128 S=64\n"
                        "1 fail! [] kernel=decode_opt2 G=8 TILE=64 d=128 S=64\n"
                        "2 infeasible! [] kernel=decode_opt2 G=8 TILE=65536 d=128 S=64\n");
    assert_int_equal(b->account.goldens[KS_GOLDEN_mismatch], 2);
    assert_int_equal(b->account.red, 2);
    assert_int_equal(ks_account_exit_code(&b->account), 1);
    bench_run_free(b);
}

static void no_rule_excuses_what_moved(void **state) {
    (void)state;
    bench_run *b = run_compared(SMALL "  TILE: [64, 65536]\n" SHAPE "expect:\n"
                                      "  - {when: \"TILE == 65536\", verdict: infeasible}\n"
                                      "  - {when: \"TILE == 64\"}\n");
    assert_string_equal(ks_text_string(&b->rows),
                        "0 xpass! [] kernel=decode_opt2 G=8 TILE=64 d=128 S=64\n"
                        "1 infeasible! [] kernel=decode_opt2 G=8 TILE=65536 d=128 S=64\n");
    assert_int_equal(b->account.red, 2);
    bench_run_free(b);
}

static void an_infeasible_point_that_the_golden_has_as_such_is_ruled_out_for_gates(void **state) {
    (void)state;
    bench_run *b = run_compared(SMALL "  TILE: [16]\n"
                                      "  d: [128, 33554432]\n"
                                      "set: {G: 8, S: 64}\n");
    assert_string_equal(ks_text_string(&b->indices), "decode_opt2 [] row\n"
                                                     "decode_opt2 [] row ruled out\n");
    bench_run_free(b);
}

static void skipped_invariants_are_counted_of_points_that_ran(void **state) {
    (void)state; /* two without an op_log; the infeasible one does not count */
    bench_run *b = bench_run_all("mode: timing\n"
                                 "oplog: none\n"
                                 "axes:\n"
                                 "  kernel: [decode_opt2]\n"
                                 "  TILE: [16, 64, 65536]\n" SHAPE,
                                 2);
    assert_int_equal(b->account.skipped_invariants, 2);
    assert_int_equal(b->account.bare_points, 2);
    bench_run_free(b);
}

/* ---- ends early ---- */

static void fail_fast_stops_soon_after_the_first_red_point(void **state) {
    (void)state;
    bench_run *b = bench_run_new(SMALL "  seed: {range: [1, 3000, 1]}\n"
                                       "set: {G: 8, d: 128, S: 64, TILE: 64}\n"
                                       "expect:\n"
                                       "  - {when: \"seed == 100\", why: a}\n",
                                 2);
    b->options.is_fail_fast = true;
    bench_run_go(b);
    assert_int_equal(b->status, KS_FAILED);
    assert_true(b->account.red == 1);
    assert_true(b->row_count >= 100 && b->row_count < 200);
    assert_true(ks_account_adds_up(&b->account));
    assert_int_equal(b->account.verdicts[KS_VERDICT_not_run], 3000 - b->row_count);
    assert_int_equal(ks_account_exit_code(&b->account), 1);
    bench_run_free(b);
}

static void fail_fast_without_a_red_point_runs_everything(void **state) {
    (void)state;
    bench_run *b = bench_run_new(LONG, 2);
    b->options.is_fail_fast = true;
    bench_run_go(b);
    assert_int_equal(b->status, KS_OK);
    assert_int_equal(b->row_count, 2400);
    bench_run_free(b);
}

static void fail_fast_at_the_last_point_is_a_whole_run(void **state) {
    (void)state;
    bench_run *b = bench_run_new(SMALL "  seed: {range: [1, 40, 1]}\n"
                                       "set: {G: 8, d: 128, S: 64, TILE: 64}\n"
                                       "expect:\n"
                                       "  - {when: \"seed == 40\", why: a}\n",
                                 1);
    b->options.is_fail_fast = true;
    bench_run_go(b);
    assert_int_equal(b->status, KS_OK);
    assert_int_equal(b->row_count, 40);
    assert_int_equal(ks_account_exit_code(&b->account), 1);
    bench_run_free(b);
}

static void a_stop_ends_the_run_without_a_gap_in_its_rows(void **state) {
    static const uint64_t moments[] = {1, 500, 1023, 1024, 1500};
    (void)state;
    for (size_t i = 0; i < COUNT(moments); i++) {
        bench_run *b = bench_run_new(LONG, 2);
        b->stop_after = moments[i];
        bench_run_go(b);
        assert_int_equal(b->status, KS_IO);
        assert_string_equal(b->error.text, "interrupted");
        assert_true(b->last_progress.ran <= moments[i] + 2); /* those that were running */
        assert_true(b->row_count <= b->last_progress.ran);
        assert_int_equal(b->row_count, b->next_index); /* 0, 1, 2, ... without a gap */
        assert_true(ks_account_adds_up(&b->account));
        assert_int_equal(b->account.verdicts[KS_VERDICT_not_run], 2400 - b->row_count);
        assert_int_not_equal(ks_account_exit_code(&b->account), 0);
        bench_run_free(b);
    }
}

static void a_stop_before_the_first_point_runs_nothing(void **state) {
    (void)state;
    bench_run *b = bench_run_new(LONG, 2);
    atomic_store(&b->is_stopped, 1);
    bench_run_go(b);
    assert_int_equal(b->status, KS_IO);
    assert_int_equal(b->row_count, 0);
    assert_int_equal(b->account.verdicts[KS_VERDICT_not_run], 2400);
    bench_run_free(b);
}

static ks_status take_three(void *self, const ks_record *record, const ks_text *line) {
    bench_run *b = self;
    return b->row_count == 3 ? KS_IO : bench_take(self, record, line);
}

static void a_line_that_cannot_be_taken_ends_the_run(void **state) {
    (void)state;
    bench_run *b = bench_run_new(LONG, 2);
    b->options.take = take_three;
    bench_run_go(b);
    assert_int_equal(b->status, KS_IO);
    assert_int_equal(b->row_count, 3);
    assert_true(ks_account_adds_up(&b->account));
    bench_run_free(b);
}

static void a_rule_that_divides_by_zero_is_an_input_error(void **state) {
    (void)state;
    bench_run *b = bench_run_new(SMALL "  TILE: [16, 64]\n" SHAPE "exclude:\n"
                                       "  - {when: \"1 / (TILE - 64) > 0\", why: a}\n",
                                 2);
    b->status = ks_run(b->sweep, b->grid, &b->options, 2, &b->account, &b->error);
    assert_int_equal(b->status, KS_INPUT);
    assert_non_null(strstr(b->error.text, "division by zero"));
    bench_run_free(b);
}

/* ---- memory of slots ---- */

static void texts_of_a_slot_do_not_leak_into_its_next_point(void **state) {
    (void)state; /* long keys, labels and reasons in the first window, short ones after it */
    bench_run *b =
        bench_run_all("mode: dispatch\n"
                      "axes:\n"
                      "  dma_latency_cycles: [250.1234, 250]\n"
                      "  kernel: [decode_opt2, gemm]\n"
                      "  TILE: [65536, 64]\n"
                      "  seed: {range: [18446744073709551104, 18446744073709551615, 1]}\n"
                      "set: {model: llama3-8b, S: 64, M: 1, K: 1, N: 1}\n",
                      2);
    const char *rows = ks_text_string(&b->rows);
    assert_int_equal(b->row_count, 2 * (2 * 512 + 512));
    assert_non_null(strstr(rows, "\n1024 pass [] kernel=gemm M=1 K=1 N=1 seed=18446744073709551104 "
                                 "dma_latency_cycles=250.1234\n"));
    assert_non_null(strstr(rows,
                           "\n2560 pass [llama3-8b] kernel=decode_opt2 G=4 TILE=64 d=128 S=64 "
                           "seed=18446744073709551104\n"));
    assert_non_null(
        strstr(rows, "\n3072 pass [] kernel=gemm M=1 K=1 N=1 seed=18446744073709551104\n"));
    bench_run_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_leave_in_grid_order_through_the_window_with_any_threads),
        cmocka_unit_test(a_grid_ends_at_and_around_the_edge_of_the_window),
        cmocka_unit_test(models_with_the_same_heads_run_once_with_joined_labels),
        cmocka_unit_test(a_value_named_twice_runs_once),
        cmocka_unit_test(shapes_that_a_kernel_does_not_take_collapse),
        cmocka_unit_test(gates_see_every_index_but_copies),
        cmocka_unit_test(gates_see_the_models_of_what_a_rule_takes_out),
        cmocka_unit_test(expect_rules_judge_points_and_say_why),
        cmocka_unit_test(a_point_that_fails_as_expected_is_xfail),
        cmocka_unit_test(an_expected_infeasible_point_that_another_reason_stops_is_red),
        cmocka_unit_test(points_that_the_golden_does_not_have_are_new),
        cmocka_unit_test(a_point_that_moved_fails_and_an_infeasible_one_stays_so_and_is_red),
        cmocka_unit_test(no_rule_excuses_what_moved),
        cmocka_unit_test(an_infeasible_point_that_the_golden_has_as_such_is_ruled_out_for_gates),
        cmocka_unit_test(skipped_invariants_are_counted_of_points_that_ran),
        cmocka_unit_test(fail_fast_stops_soon_after_the_first_red_point),
        cmocka_unit_test(fail_fast_without_a_red_point_runs_everything),
        cmocka_unit_test(fail_fast_at_the_last_point_is_a_whole_run),
        cmocka_unit_test(a_stop_ends_the_run_without_a_gap_in_its_rows),
        cmocka_unit_test(a_stop_before_the_first_point_runs_nothing),
        cmocka_unit_test(a_line_that_cannot_be_taken_ends_the_run),
        cmocka_unit_test(a_rule_that_divides_by_zero_is_an_input_error),
        cmocka_unit_test(texts_of_a_slot_do_not_leak_into_its_next_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
