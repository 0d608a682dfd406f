/* A point against its golden: every cell counts, and no damaged golden lets a point pass. */
#include "golden_bench.h"

static ks_golden_state compare_row(const ks_golden *golden, unsigned i, const ks_row *row,
                                   ks_golden_parts made, ks_change *change) {
    char key[64];
    ks_text cells = {0};
    bench_key(key, i);
    bench_cells_of(&cells, ks_golden_head_of(golden)->parts, i, row);
    const ks_golden_state state =
        ks_golden_compare(golden, key, cells.data, cells.length, made, change);
    ks_text_free(&cells);
    return state;
}

static void a_point_as_the_golden_has_it_matches(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 10);
    for (unsigned i = 0; i < 10; i++) {
        const ks_row row = bench_row(i);
        ks_change change;
        assert_int_equal(compare_row(golden, i, &row, bench_data, &change), KS_GOLDEN_match);
    }
    ks_golden_free(golden);
}

static void a_point_that_the_golden_does_not_have_is_new(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 10);
    const ks_row row = bench_row(10);
    ks_change change;
    assert_int_equal(compare_row(golden, 10, &row, bench_data, &change), KS_GOLDEN_new);
    ks_golden_free(golden);
}

static void change_cell(ks_row *row, ks_column column) {
    ks_figure *figure = &row->figures[column];
    switch (ks_column_describe(column)->kind) {
    case KS_COUNT:
    case KS_CYCLES: figure->count++; break;
    case KS_REAL: figure->real *= 1.0 + 0x1p-52; break;
    case KS_WORD: figure->word[0]++; break;
    case KS_DIGEST: figure->digest.bytes[15] ^= 1; break;
    }
}

/* By the least that it can move. */
static void every_pinned_figure_that_moves_is_a_mismatch_and_named(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 3);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_column column = (ks_column)c;
        ks_row row = bench_row(1);
        ks_change change;
        change_cell(&row, column);
        if (column == KS_COL_total_ns) {
            assert_int_equal(compare_row(golden, 1, &row, bench_data, &change), KS_GOLDEN_match);
            continue;
        }
        assert_int_equal(compare_row(golden, 1, &row, bench_data, &change), KS_GOLDEN_mismatch);
        assert_true(ks_change_has(&change, column));
        assert_false(change.is_verdict || change.is_reason);
        assert_true(change.was.figures[column].count == bench_row(1).figures[column].count);
    }
    ks_golden_free(golden);
}

static void a_figure_that_comes_or_goes_is_a_mismatch(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 3);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        ks_row row = bench_row(1);
        ks_change change;
        if (c == KS_COL_total_ns) continue;
        row.has &= ~(UINT64_C(1) << c);
        assert_int_equal(compare_row(golden, 1, &row, bench_data, &change), KS_GOLDEN_mismatch);
        assert_true(ks_change_has(&change, (ks_column)c));
    }
    ks_golden_free(golden);
}

static void verdict_and_reason_count_as_cells(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_dispatch, 5);
    ks_change change;
    ks_row row = bench_row(1);
    row.verdict = KS_VERDICT_fail;
    assert_int_equal(compare_row(golden, 1, &row, bench_dispatch, &change), KS_GOLDEN_mismatch);
    assert_true(change.is_verdict && !change.is_reason);
    assert_int_equal(ks_change_count(&change), 1);
    assert_int_equal(change.was.verdict, KS_VERDICT_pass);

    row = bench_row(4);
    row.reason[sizeof "tcm_overflow end="] ^= 1;
    assert_int_equal(compare_row(golden, 4, &row, bench_dispatch, &change), KS_GOLDEN_mismatch);
    assert_true(change.is_reason && !change.is_verdict);
    assert_int_equal(ks_change_count(&change), 1);
    assert_string_equal(change.was.reason, bench_row(4).reason);

    row = bench_row(1); /* infeasible in the golden, but runs */
    assert_int_equal(compare_row(golden, 4, &row, bench_dispatch, &change), KS_GOLDEN_mismatch);
    assert_true(change.is_reason && change.is_verdict);
    assert_int_equal(ks_change_count(&change), 2 + 7);

    row = bench_row(4); /* the other way round */
    assert_int_equal(compare_row(golden, 1, &row, bench_dispatch, &change), KS_GOLDEN_mismatch);
    assert_int_equal(ks_change_count(&change), 2 + 7);
    ks_golden_free(golden);
}

static void a_run_without_op_logs_is_compared_in_all_else(void **state) {
    const ks_golden_parts made = {.has_times = true, .has_numbers = true};
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 3);
    ks_change change;
    ks_row row = bench_row(1);
    row.has &= ~(UINT64_C(1) << KS_COL_oplog_records | UINT64_C(1) << KS_COL_oplog_xxh128);
    assert_int_equal(compare_row(golden, 1, &row, made, &change), KS_GOLDEN_match);
    assert_int_equal(compare_row(golden, 1, &row, bench_data, &change), KS_GOLDEN_mismatch);
    row.figures[KS_COL_total_cycles].count++;
    assert_int_equal(compare_row(golden, 1, &row, made, &change), KS_GOLDEN_mismatch);
    assert_int_equal(ks_change_count(&change), 1);
    ks_golden_free(golden);
}

static void a_changed_log_says_in_which_rows(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 3);
    ks_change change;
    char key[64];
    ks_text cells = {0};
    bench_key(key, 1);
    bench_cells(&cells, bench_data, 1);         /* a log of 101 rows */
    char *last = &cells.data[cells.length - 1]; /* of the second block */
    *last = *last == '0' ? '1' : '0';
    assert_int_equal(ks_golden_compare(golden, key, cells.data, cells.length, bench_data, &change),
                     KS_GOLDEN_mismatch);
    assert_true(change.has_block);
    assert_int_equal(change.block, 1);
    assert_int_equal(change.block_row, 64);
    assert_int_equal(change.block_row_count, 64);
    ks_text_free(&cells);
    ks_golden_free(golden);
}

/* ---- stale ---- */

static void what_a_golden_was_made_for_must_be_what_is_asked(void **state) {
    static const struct {
        ks_golden_head now;
        const char *why; /* NULL: not stale */
    } table[] = {
        {{"1",
          "bench.ci",
          "dtype=f16 clock_ghz=1.25 math_startup_cycles=8",
          {true, 0, true, 0},
          NULL},
         NULL},
        {{"2",
          "bench.ci",
          "dtype=f16 clock_ghz=1.25 math_startup_cycles=8",
          {true, 0, true, 0},
          NULL},
         "the model's version changed: it was blessed with '1', now it is '2'"},
        {{"1",
          "bench.ci",
          "dtype=f16 clock_ghz=1.25 math_startup_cycles=9",
          {true, 0, true, 0},
          NULL},
         "the defaults of the model changed: it was blessed with 'math_startup_cycles=8', this "
         "program has 'math_startup_cycles=9'; "},
        {{"1",
          "bench.ci",
          "dtype=bf16 clock_ghz=1.25 math_startup_cycles=9",
          {true, 0, true, 0},
          NULL},
         "'dtype=f16', this program has 'dtype=bf16' and 1 more differ; "},
        {{"1", "bench.ci", "dtype=f16 clock_ghz=1.25", {true, 0, true, 0}, NULL},
         "'math_startup_cycles=8', this program has ''"},
        {{"1",
          "bench.ci",
          "dtype=f16 clock_ghz=1.25 math_startup_cycles=8",
          {true, true, true, 0},
          NULL},
         "its mode changed: it was blessed with 'timing', now it is 'data'"},
        {{"1",
          "bench.ci",
          "dtype=f16 clock_ghz=1.25 math_startup_cycles=8",
          {true, 0, true, true},
          NULL},
         "what it holds of op_logs changed: it was blessed with 'digest', now it is 'blocks'"},
    };
    const ks_golden_head golden = bench_head(bench_timing);
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_error why = {""};
        assert_int_equal(ks_golden_is_stale(&golden, &table[i].now, &why), table[i].why != NULL);
        if (table[i].why && !strstr(why.text, table[i].why)) fail_msg("%s", why.text);
    }
}

/* ---- damage ---- */

/* Whether a run over the points of the bench would find nothing to say against the golden. */
static bool is_green(ks_text bytes, const ks_golden_head *head, unsigned count) {
    ks_golden *golden;
    ks_error error = {""};
    if (ks_golden_parse("g.csv", bytes, KS_GOLDEN_BLESSED, &golden, &error)) return false;
    bool is_fine = strcmp(ks_golden_head_of(golden)->sweep, head->sweep) == 0 &&
                   !ks_golden_is_stale(ks_golden_head_of(golden), head, &error) &&
                   ks_golden_count(golden) == count; /* else there are orphans */
    for (unsigned i = 0; i < count && is_fine; i++) {
        const ks_row row = bench_row(i);
        ks_change change;
        is_fine = compare_row(golden, i, &row, head->parts, &change) == KS_GOLDEN_match;
    }
    ks_golden_free(golden);
    return is_fine;
}

static void expect_no_green(const ks_text *file, const ks_golden_head *head, unsigned count,
                            const unsigned char *masks, size_t mask_count) {
    for (size_t at = 0; at < file->length; at++)
        for (size_t m = 0; m < mask_count; m++) {
            ks_text damaged = bench_copy(file);
            damaged.data[at] = (char)(damaged.data[at] ^ masks[m]);
            if (is_green(damaged, head, count))
                fail_msg("byte %zu, '%c', xor %d: green", at, file->data[at], masks[m]);
        }
}

static void no_flipped_bit_of_a_golden_of_20_points_leaves_it_green(void **state) {
    static const unsigned char bits[] = {1, 2, 4, 8, 16, 32, 64, 128}, some[] = {1, 2, 32};
    (void)state;
    ks_golden_head head = bench_head(bench_dispatch);
    ks_text file = bench_file(&head, 20);
    assert_true(is_green(bench_copy(&file), &head, 20));
    expect_no_green(&file, &head, 20, bits, COUNT(bits));
    ks_text_free(&file);

    head.parts = (ks_golden_parts){.has_times = true, .has_log = true, .has_blocks = true};
    file = bench_file(&head, 20);
    assert_true(is_green(bench_copy(&file), &head, 20));
    expect_no_green(&file, &head, 20, some, COUNT(some));
    ks_text_free(&file);
}

static void no_cut_of_a_golden_leaves_it_green(void **state) {
    const ks_golden_head head = bench_head(bench_dispatch);
    (void)state;
    ks_text file = bench_file(&head, 20);
    for (size_t length = 0; length < file.length; length++) {
        ks_text front = {0}, back = {0};
        ks_text_add(&front, file.data, length);
        ks_text_add(&back, file.data + file.length - length, length);
        assert_false(is_green(front, &head, 20));
        assert_false(is_green(back, &head, 20));
    }
    ks_text_free(&file);
}

/* One byte less, one doubled, two neighbours swapped. */
static void no_lost_doubled_or_swapped_byte_leaves_it_green(void **state) {
    const ks_golden_head head = bench_head(bench_dispatch);
    (void)state;
    ks_text file = bench_file(&head, 20);
    for (size_t at = 0; at < file.length; at++) {
        ks_text lost = {0}, doubled = {0};
        ks_text_add(&lost, file.data, at);
        ks_text_add(&lost, file.data + at + 1, file.length - at - 1);
        ks_text_add(&doubled, file.data, at + 1);
        ks_text_add(&doubled, file.data + at, file.length - at);
        assert_false(is_green(lost, &head, 20));
        assert_false(is_green(doubled, &head, 20));
        if (at + 1 == file.length || file.data[at] == file.data[at + 1]) continue;
        ks_text swapped = bench_copy(&file);
        swapped.data[at] = file.data[at + 1];
        swapped.data[at + 1] = file.data[at];
        assert_false(is_green(swapped, &head, 20));
    }
    ks_text_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_as_the_golden_has_it_matches),
        cmocka_unit_test(a_point_that_the_golden_does_not_have_is_new),
        cmocka_unit_test(every_pinned_figure_that_moves_is_a_mismatch_and_named),
        cmocka_unit_test(a_figure_that_comes_or_goes_is_a_mismatch),
        cmocka_unit_test(verdict_and_reason_count_as_cells),
        cmocka_unit_test(a_run_without_op_logs_is_compared_in_all_else),
        cmocka_unit_test(a_changed_log_says_in_which_rows),
        cmocka_unit_test(what_a_golden_was_made_for_must_be_what_is_asked),
        cmocka_unit_test(no_flipped_bit_of_a_golden_of_20_points_leaves_it_green),
        cmocka_unit_test(no_cut_of_a_golden_leaves_it_green),
        cmocka_unit_test(no_lost_doubled_or_swapped_byte_leaves_it_green),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
