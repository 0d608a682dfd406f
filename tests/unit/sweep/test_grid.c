#include "sweep_bench.h"

static void the_last_axis_varies_fastest_and_zips_come_last(void **state) {
    static const char *const keys[] = {
        "kernel=decode_opt2 G=1 TILE=16 d=8 S=5", "kernel=decode_opt2 G=1 TILE=16 d=8 S=6 seed=2",
        "kernel=decode_opt2 G=1 TILE=32 d=8 S=5", "kernel=decode_opt2 G=1 TILE=32 d=8 S=6 seed=2",
        "kernel=decode_opt3 G=1 TILE=16 d=8 S=5", "kernel=decode_opt3 G=1 TILE=16 d=8 S=6 seed=2",
        "kernel=decode_opt3 G=1 TILE=32 d=8 S=5", "kernel=decode_opt3 G=1 TILE=32 d=8 S=6 seed=2",
    };
    ks_sweep *s = bench_sweep("sweep: t.ci\nzip: [{S: [5, 6], seed: [1, 2]}]\nset: {G: 1, d: 8}\n"
                              "axes: {kernel: [decode_opt2, decode_opt3], TILE: [16, 32]}\n");
    ks_grid *grid = bench_grid(s);
    (void)state;
    assert_int_equal(ks_grid_size(grid), COUNT(keys));
    for (uint64_t i = 0; i < COUNT(keys); i++) {
        ks_cell cell;
        assert_int_equal(ks_grid_at(grid, i, &cell, NULL), KS_OK);
        assert_int_equal(cell.status, KS_CELL_RUN);
        bench_expect_key(&cell.point, keys[i]);
    }
    ks_grid_free(grid);
    ks_sweep_free(s);
}

/* One letter a cell: Run, Where, Option, Excluded, Not applicable, Duplicate; labels of those that run. */
static void expect_cells(const char *yaml, const char *cells, const char *labels) {
    ks_sweep *s = bench_sweep(yaml);
    ks_grid *grid = bench_grid(s);
    ks_text got = {0}, names = {0};
    for (uint64_t i = 0; i < ks_grid_size(grid); i++) {
        ks_cell cell;
        assert_int_equal(ks_grid_at(grid, i, &cell, NULL), KS_OK);
        ks_text_add_char(&got, "RWOEND"[cell.status]);
        if (cell.status != KS_CELL_RUN) continue;
        if (names.length) ks_text_add_char(&names, ' ');
        ks_grid_labels(grid, i, &names);
    }
    assert_string_equal(ks_text_string(&got), cells);
    if (labels) assert_string_equal(ks_text_string(&names), labels);
    ks_text_free(&got);
    ks_text_free(&names);
    ks_grid_free(grid);
    ks_sweep_free(s);
}

#define DECODE "sweep: t.ci\nset: {kernel: decode_opt2, TILE: 16, S: 9}\n"

static void equal_points_run_once_with_their_labels_joined(void **state) {
    (void)state;
    /* llama3-8b and mistral-7b have the same heads */
    expect_cells(DECODE "axes: {model: [llama3-8b, gemma2-9b, mistral-7b]}\n", "RRD",
                 "llama3-8b|mistral-7b gemma2-9b");
    expect_cells(DECODE "axes: {model: [llama3-8b, mistral-7b], seed: [1, 2]}\n", "RRDD",
                 "llama3-8b|mistral-7b llama3-8b|mistral-7b");
    expect_cells(DECODE "axes: {model: [llama3-8b, llama3-8b]}\n", "RD", "llama3-8b");
    expect_cells("sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1}\naxes: {M: [4, 5, 4, 4.0]}\n",
                 "RRDD", NULL);
    expect_cells(
        "sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1}\nzip: [{M: [4, 5, 4], seed: [1, 1, 1]}]\n",
        "RRD", NULL);
}

static void the_first_that_survives_its_rules_runs_for_its_equals(void **state) {
    (void)state;
    expect_cells(
        DECODE
        "axes: {model: [llama3-8b, mistral-7b, phi3-medium]}\nwhere: \"model != 'llama3-8b'\"\n",
        "WRD", "mistral-7b|phi3-medium");
    expect_cells(DECODE "axes: {model: [llama3-8b, mistral-7b, phi3-medium]}\n"
                        "exclude: [{when: \"model == 'mistral-7b'\"}]\n",
                 "RED", "llama3-8b|phi3-medium");
}

static void
shapes_that_a_kernel_does_not_take_are_left_out_and_their_copies_collapse(void **state) {
    (void)state;
    expect_cells(
        "sweep: t.ci\naxes: {kernel: [gemm, math_chain], K: [1, 2, 3]}\nset: {M: 1, N: 1}\n",
        "RRRRNN", NULL);
    expect_cells(
        "sweep: t.ci\naxes: {kernel: [decode_opt2, gemm], model: [llama3-8b, gemma2-9b], M: [1, 2]}\n"
        "set: {TILE: 16, S: 9, K: 1, N: 1}\n",
        "RNRNRRNN", "llama3-8b gemma2-9b  ");
    /* 4/128 twice: a duplicate where S is taken, not applicable where only M differs */
    expect_cells("sweep: t.ci\naxes: {model: [llama3-8b, mistral-7b], M: [1, 2]}\n"
                 "set: {kernel: decode_opt2, TILE: 16, S: 9}\n",
                 "RNDN", "llama3-8b|mistral-7b");
    expect_cells(
        "sweep: t.ci\nzip: [{kernel: [gemm, math_chain, math_chain], K: [1, 2, 3]}]\nset: {M: 1, N: 1}\n",
        "RRN", NULL);
}

static void rules_look_at_names_from_axes_zips_sets_models_and_words(void **state) {
    (void)state;
    expect_cells(
        "sweep: t.ci\nzip: [{M: [16, 32], seed: [1, 2]}]\nset: {kernel: gemm, K: 1, N: 1}\n"
        "exclude: [{when: M == 16}]\n",
        "ER", NULL);
    expect_cells(DECODE "axes: {model: [llama3-8b, gemma2-9b]}\nexclude: [{when: G == 2}]\n", "RE",
                 "llama3-8b");
    expect_cells(
        DECODE
        "axes: {policy: [serial, rw_aware], model: [gemma2-9b]}\nexclude: [{when: policy == serial}]\n",
        "ER", NULL);
    expect_cells("sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1, gemm_rule: ws}\naxes: {M: [1, 2]}\n"
                 "exclude: [{when: gemm_rule == ws and M == 2}]\n",
                 "RE", NULL);
    /* a shape that gemm does not take: the condition does not hold */
    expect_cells(
        "sweep: t.ci\naxes: {kernel: [gemm, decode_opt2]}\nset: {G: 1, TILE: 16, d: 1, S: 1, M: 1, K: 1, N: 1}\n"
        "exclude: [{when: TILE == 16}]\n",
        "RE", NULL);
}

static void score_follows_dtype_unless_it_is_set(void **state) {
    static const struct {
        const char *set;
        ks_dtype score, p_dtype;
    } cases[] = {
        {"dtype: bf16", KS_BF16, KS_BF16},
        {"dtype: bf16, score: f32", KS_F32, KS_F32},
        {"dtype: bf16, p_dtype: f16", KS_BF16, KS_F16},
        {"score: f32, p_dtype: f16", KS_F32, KS_F16},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_cell cell;
        ks_text_add_format(&yaml, "sweep: t.ci\nset: {kernel: gemm, M: 1, K: 1, N: 1, %s}\n",
                           cases[i].set);
        ks_sweep *s = bench_sweep(yaml.data);
        ks_grid *grid = bench_grid(s);
        assert_int_equal(ks_grid_at(grid, 0, &cell, NULL), KS_OK);
        assert_int_equal(ks_param_of(&cell.point, KS_P_score), cases[i].score);
        assert_int_equal(ks_param_of(&cell.point, KS_P_p_dtype), cases[i].p_dtype);
        ks_grid_free(grid);
        ks_sweep_free(s);
        ks_text_free(&yaml);
    }
}

static void a_shape_that_is_needed_and_not_set_is_refused(void **state) {
    ks_sweep *s = bench_sweep(
        "sweep: t.ci\naxes: {kernel: [gemm, decode_opt2]}\nset: {M: 1, K: 1, N: 1, G: 1}\n");
    ks_grid *grid;
    ks_error error;
    (void)state;
    assert_int_equal(ks_grid_new(s, 100, &grid, &error), KS_INPUT);
    assert_string_equal(
        error.text,
        FILE_NAME ":2:8: found no TILE, expected it in axes, zip or set: decode_opt2 needs it");
    assert_null(grid);
    ks_sweep_free(s);
}

static void a_grid_above_the_limit_is_refused_before_anything_is_made(void **state) {
    static const struct {
        const char *range;
        uint64_t limit;
        const char *message; /* NULL: fine */
    } cases[] = {
        {"[1, 10, 1]", 1000, NULL},
        {"[1, 10, 1]", 999,
         "t:1:1: found a grid of 1000 points, expected at most 999 (--max-points)"},
        {"[1, 10000, 1]", KS_GRID_MAX_POINTS,
         "t:1:1: found a grid of 1000000000000 points, expected at most 10000000 (--max-points)"},
        {"[1, 1000000, 1]", 1,
         "t:1:1: found a grid of 1000000000000000000 points, expected at most 1 (--max-points)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *range = cases[i].range;
        ks_text yaml = {0};
        ks_sweep *s;
        ks_grid *grid;
        ks_error error = {""};
        ks_text_add_format(&yaml,
                           "sweep: t.ci\nset: {kernel: gemm}\n"
                           "axes: {M: {range: %s}, K: {range: %s}, N: {range: %s}}\n",
                           range, range, range);
        assert_int_equal(
            ks_sweep_parse("t", yaml.data, yaml.length, &bench_table, NULL, &s, &error), KS_OK);
        const ks_status status = ks_grid_new(s, cases[i].limit, &grid, &error);
        assert_int_equal(status, cases[i].message ? KS_INPUT : KS_OK);
        assert_string_equal(error.text, cases[i].message ? cases[i].message : "");
        ks_grid_free(grid);
        ks_sweep_free(s);
        ks_text_free(&yaml);
    }
}

static void a_grid_that_does_not_fit_64_bits_is_refused(void **state) {
    ks_text yaml = {0};
    ks_grid *grid;
    ks_error error;
    (void)state;
    ks_text_add_string(
        &yaml,
        "sweep: t.ci\nset: {kernel: gemm}\naxes: {M: {range: [1, 1000000, 1]}, K: {range: [1, 1000000, 1]}, "
        "N: {range: [1, 1000000, 1]}, seed: {range: [1, 1000000, 1]}}\n");
    ks_sweep *s = bench_sweep(yaml.data);
    assert_int_equal(ks_grid_new(s, UINT64_MAX, &grid, &error), KS_INPUT);
    assert_non_null(strstr(
        error.text, "found a grid of 2^64 points or more, expected at most 18446744073709551615"));
    ks_sweep_free(s);
    ks_text_free(&yaml);
}

static void every_rule_is_counted(void **state) {
    ks_sweep *s =
        bench_sweep("sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1}\naxes: {M: {range: [1, 10, 1]}}\n"
                    "where: M != 10\n"
                    "exclude: [{when: M < 4}, {when: M < 6}, {when: M == 10}, {when: M == 99}]\n"
                    "expect: [{when: M > 7}, {when: M == 1}]\n");
    ks_grid *grid = bench_grid(s);
    ks_grid_count *count;
    (void)state;
    assert_int_equal(ks_grid_count_new(grid, &count, NULL), KS_OK);
    assert_int_equal(count->total, 10);
    assert_int_equal(count->cells[KS_CELL_NOT_WHERE], 1);
    assert_int_equal(count->cells[KS_CELL_EXCLUDED], 5);
    assert_int_equal(count->cells[KS_CELL_RUN], 4);
    assert_int_equal(count->excludes[0].matched, 3);
    assert_int_equal(count->excludes[0].removed, 3);
    assert_int_equal(count->excludes[1].matched, 5);
    assert_int_equal(count->excludes[1].removed, 2);
    assert_int_equal(count->excludes[2].matched, 0); /* where was before it */
    assert_int_equal(count->excludes[3].matched, 0);
    assert_int_equal(count->expects[0].matched, 2);
    assert_int_equal(count->expects[1].matched, 0);
    ks_grid_count_free(count);
    ks_grid_free(grid);
    ks_sweep_free(s);
}

static void what_leaves_nothing_or_divides_by_zero_is_refused_at_its_place(void **state) {
    static const struct {
        const char *rules, *where_option, *message;
    } cases[] = {
        {"where: M == 99\n", NULL,
         ":4:8: found a where that leaves nothing of 2 points, expected some to be left"},
        {"", "M == 99",
         "--where:1:1: found a --where that leaves nothing of 2 points, expected some to be left"},
        {"where: TILE == 64\n", NULL,
         ":4:8: found a where that leaves nothing of 2 points, expected some to be left; none of them has TILE"},
        {"", "M == 1 and G != 8",
         "--where:1:1: found a --where that leaves nothing of 2 points, expected some to be left; none of them has G"},
        {"exclude: [{when: M > 0}]\n", NULL,
         ":4:18: found a rule that leaves nothing of 2 points, expected some to be left"},
        {"where: M == 2\nexclude: [{when: M == 3}, {when: M == 2}]\n", NULL,
         ":5:34: found a rule that leaves nothing of 1 points, expected some to be left"},
        {"exclude: [{when: M == 1}, {when: M == 2}]\n", NULL,
         ":1:1: found a set of rules that leaves nothing of 2 points, expected some to be left"},
        {"where: 1 / (M - 2) < 5\n", NULL,
         ":4:8: found a division by zero at the point 'kernel=gemm M=2 K=1 N=1', expected a divisor other than 0"},
        {"expect: [{when: 1 % (M - 2) < 5}]\n", NULL,
         ":4:17: found a division by zero, expected a divisor other than 0"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_grid_count *count;
        ks_error error = {""};
        const ks_sweep_options options = {.where = cases[i].where_option};
        ks_text_add_format(&yaml,
                           "sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1}\naxes: {M: [1, 2]}\n%s",
                           cases[i].rules);
        ks_sweep *s = bench_sweep_with(yaml.data, &options);
        ks_grid *grid = bench_grid(s);
        assert_int_equal(ks_grid_count_new(grid, &count, &error), KS_INPUT);
        assert_null(count);
        assert_string_equal(error.text + (cases[i].message[0] == ':' ? strlen(FILE_NAME) : 0),
                            cases[i].message);
        ks_grid_free(grid);
        ks_sweep_free(s);
        ks_text_free(&yaml);
    }
}

static void the_first_expect_rule_that_matches_is_taken(void **state) {
    ks_sweep *s = bench_sweep(
        DECODE "axes: {model: [llama3-8b, mistral-7b, gemma2-9b]}\n"
               "expect: [{when: \"model == 'mistral-7b'\", verdict: error}, {when: G > 2}]\n");
    ks_grid *grid = bench_grid(s);
    ks_cell cell;
    (void)state;
    assert_int_equal(ks_grid_at(grid, 0, &cell, NULL), KS_OK);
    assert_int_equal(ks_grid_expect(grid, &cell.point, "llama3-8b|mistral-7b"), 0);
    assert_int_equal(ks_grid_expect(grid, &cell.point, "llama3-8b"), 1);
    assert_int_equal(ks_grid_at(grid, 2, &cell, NULL), KS_OK);
    assert_int_equal(ks_grid_expect(grid, &cell.point, "gemma2-9b"), -1);
    ks_grid_free(grid);
    ks_sweep_free(s);
}

static void columns_are_shown_for_what_is_swept_set_or_calibrated(void **state) {
    ks_sweep *s = bench_sweep(DECODE "axes: {model: [llama3-8b], clock_ghz: [1.25]}\n");
    (void)state;
    s->base.calibration.values[KS_C_queue_depth]++; /* as a calibration file would */
    ks_grid *grid = bench_grid(s);
    static const ks_name shown[] = {KS_P_kernel,
                                    KS_P_G,
                                    KS_P_TILE,
                                    KS_P_d,
                                    KS_P_S,
                                    KS_NAME_CONSTANTS + KS_C_clock_ghz,
                                    KS_NAME_CONSTANTS + KS_C_queue_depth};
    size_t count = 0;
    for (ks_name name = 0; name < KS_NAME_COUNT; name++) count += ks_grid_shows(grid, name);
    for (size_t i = 0; i < COUNT(shown); i++) assert_true(ks_grid_shows(grid, shown[i]));
    assert_int_equal(count, COUNT(shown));
    assert_true(ks_grid_shows(grid, KS_NAME_MODEL));
    ks_grid_free(grid);
    ks_sweep_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_axis_varies_fastest_and_zips_come_last),
        cmocka_unit_test(equal_points_run_once_with_their_labels_joined),
        cmocka_unit_test(the_first_that_survives_its_rules_runs_for_its_equals),
        cmocka_unit_test(shapes_that_a_kernel_does_not_take_are_left_out_and_their_copies_collapse),
        cmocka_unit_test(rules_look_at_names_from_axes_zips_sets_models_and_words),
        cmocka_unit_test(score_follows_dtype_unless_it_is_set),
        cmocka_unit_test(a_shape_that_is_needed_and_not_set_is_refused),
        cmocka_unit_test(a_grid_above_the_limit_is_refused_before_anything_is_made),
        cmocka_unit_test(a_grid_that_does_not_fit_64_bits_is_refused),
        cmocka_unit_test(every_rule_is_counted),
        cmocka_unit_test(what_leaves_nothing_or_divides_by_zero_is_refused_at_its_place),
        cmocka_unit_test(the_first_expect_rule_that_matches_is_taken),
        cmocka_unit_test(columns_are_shown_for_what_is_swept_set_or_calibrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
