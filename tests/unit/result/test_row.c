/* The row: its list of columns, its cells, the one quotient that is rounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <string.h>
#include <cmocka.h>

#include "base/decimal.h"
#include "base/exact.h"
#include "result/row.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* INTERFACE.md, word for word. */
static const char columns_of_interface[] =
    "tiles,commands,composites,logical_bytes,dispatch_cycles,dispatch_cycles_per_tile,"
    "total_cycles,total_ns,cpu_stall_cycles,cpu_wait_cycles,busy_dma_rd,busy_dma_wr,busy_fetch,"
    "busy_store,busy_gemm,busy_math,crit_cpu,crit_dma_rd,crit_dma_wr,crit_dma_lat,crit_fetch,"
    "crit_store,crit_gemm,crit_math,bound_by,dma_bytes,macs,tcm_peak_bytes,roofline_cycles,"
    "max_abs_err,max_rel_err,rmse,max_ulp_err,max_abs_err_full,rmse_full,nonfinite,out_xxh128,"
    "oplog_records,oplog_xxh128";

static void columns_stand_in_the_order_of_the_interface(void **state) {
    (void)state;
    ks_text names = {0};
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        if (c) ks_text_add_char(&names, ',');
        ks_text_add_string(&names, ks_column_describe((ks_column)c)->name);
    }
    assert_string_equal(ks_text_string(&names), columns_of_interface);
    ks_text_free(&names);
}

static void a_column_of_cycles_has_the_unit_cycle_and_no_other_has(void **state) {
    (void)state;
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_column_info *info = ks_column_describe((ks_column)c);
        assert_int_equal(info->kind == KS_CYCLES, strcmp(info->unit, "cycle") == 0);
        assert_true(info->about[0] != '\0');
    }
}

static void verdicts_and_golden_states_have_their_names(void **state) {
    static const char *const verdicts[] = {"pass",  "fail",  "xfail",   "xpass", "infeasible",
                                           "error", "doubt", "timeout", "crash", "not_run"};
    static const char *const goldens[] = {"none", "new", "match", "mismatch"};
    (void)state;
    assert_int_equal(COUNT(verdicts), KS_VERDICT_COUNT);
    for (int i = 0; i < KS_VERDICT_COUNT; i++)
        assert_string_equal(ks_verdict_name((ks_verdict)i), verdicts[i]);
    for (int i = 0; i < 4; i++)
        assert_string_equal(ks_golden_state_name((ks_golden_state)i), goldens[i]);
}

static void expect_cell(const ks_row *row, ks_column column, const char *expected) {
    ks_text cell = {0};
    ks_row_print_cell(&cell, row, column);
    assert_string_equal(ks_text_string(&cell), expected);
    ks_text_free(&cell);
}

static void counts_print_every_digit(void **state) {
    static const struct {
        uint64_t count;
        const char *cell;
    } table[] = {{0, "0"},
                 {1, "1"},
                 {(UINT64_C(1) << 53) + 1, "9007199254740993"},
                 {UINT64_MAX, "18446744073709551615"}};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_row row = {0};
        ks_row_set_count(&row, KS_COL_macs, table[i].count);
        expect_cell(&row, KS_COL_macs, table[i].cell);
    }
}

static void cycles_print_as_exact_decimals(void **state) {
    static const struct {
        uint64_t ticks;
        const char *cell;
    } table[] = {{0, "0"},
                 {1, "0.0001"},
                 {9999, "0.9999"},
                 {10000, "1"},
                 {435000, "43.5"},
                 {4236250, "423.625"},
                 {1000000, "100"},
                 {(UINT64_C(1) << 53) + 1, "900719925474.0993"},
                 {KS_TICKS_LIMIT - 1, "922337203685477.5807"}};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_row row = {0};
        ks_row_set_count(&row, KS_COL_total_cycles, table[i].ticks);
        expect_cell(&row, KS_COL_total_cycles, table[i].cell);
    }
}

static void reals_print_the_shortest_digits_that_read_back(void **state) {
    static const struct {
        double real;
        const char *cell;
    } table[] = {{0, "0"},
                 {0.1, "0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {5024, "5024"},
                 {0.0001, "0.0001"},
                 {0.00001, "1e-05"},
                 {1e16, "10000000000000000"},
                 {1e17, "1e+17"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {5e-324, "5e-324"}};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_row row = {0};
        ks_row_set_real(&row, KS_COL_rmse, table[i].real);
        expect_cell(&row, KS_COL_rmse, table[i].cell);
    }
}

static void words_and_digests_print_as_they_are(void **state) {
    (void)state;
    ks_row row = {0};
    const ks_digest digest = ks_digest_of("", 0);
    ks_row_set_word(&row, KS_COL_bound_by, "dma_lat");
    ks_row_set_digest(&row, KS_COL_out_xxh128, &digest);
    expect_cell(&row, KS_COL_bound_by, "dma_lat");
    expect_cell(&row, KS_COL_out_xxh128, "99aa06d3014798d86001c324468d497f");
}

static void a_cell_without_a_value_is_empty_and_no_other_is(void **state) {
    (void)state;
    for (int set = 0; set < KS_COLUMN_COUNT; set++) {
        ks_row row = {0};
        ks_row_set_count(&row, (ks_column)set, 0);
        for (int c = 0; c < KS_COLUMN_COUNT; c++) {
            assert_int_equal(ks_row_has(&row, (ks_column)c), c == set);
            if (c != set) expect_cell(&row, (ks_column)c, "");
        }
    }
}

static void a_row_without_figures_has_as_many_cells_as_any(void **state) {
    (void)state;
    ks_row row = {.golden = KS_GOLDEN_new};
    strcpy(row.invariants, "skipped");
    ks_text line = {0}, expected = {0};
    ks_row_print_figures(&line, &row);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) ks_text_add_char(&expected, ',');
    ks_text_add_string(&expected, ",new,skipped");
    assert_string_equal(ks_text_string(&line), ks_text_string(&expected));
    ks_text_free(&line);
    ks_text_free(&expected);
}

static void figures_print_in_column_order_with_golden_and_invariants_last(void **state) {
    (void)state;
    ks_row row = {.golden = KS_GOLDEN_mismatch};
    ks_row_set_count(&row, KS_COL_oplog_records, 38);
    ks_row_set_count(&row, KS_COL_tiles, 2);
    ks_row_set_count(&row, KS_COL_dispatch_cycles, 1036250);
    strcpy(row.invariants, "causal|bound");
    ks_text line = {0};
    ks_row_print_figures(&line, &row);
    assert_string_equal(ks_text_string(&line),
                        ",2,,,,103.625,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,38,,mismatch,causal|bound");
    ks_text_free(&line);
}

static void quotients_are_the_nearest_double_ties_to_even(void **state) {
    const uint64_t two53 = UINT64_C(1) << 53, two54 = UINT64_C(1) << 54;
    const struct {
        uint64_t a, b;
        double nearest;
    } table[] = {
        {0, 1, 0},
        {0, UINT64_MAX, 0},
        {1, 1, 1},
        {62800000, 12500, 5024},
        {14058750, 12500, 1124.7},
        {1, 3, 1.0 / 3},
        {2, 3, 2.0 / 3},
        {two53 - 1, 1, 9007199254740991.0},
        {two53 + 1, 1, 9007199254740992.0},                 /* a tie: down to even */
        {two53 + 3, 1, 9007199254740996.0},                 /* a tie: up to even */
        {3 * (two54 + 2), 3, 18014398509481984.0},          /* a tie after dividing */
        {3 * (two54 + 2) - 1, 3, 18014398509481984.0},      /* a third below it */
        {3 * (two54 + 2) + 1, 3, 18014398509481988.0},      /* a third above it */
        {2047 * (two53 + 1) + 1, 2047, 9007199254740994.0}, /* above a tie by less than 2^-10 */
        {2047 * (two53 + 1), 2047, 9007199254740992.0},
        {UINT64_MAX, 1, 18446744073709551616.0},
        {1, UINT64_MAX, 0x1p-64},
        {UINT64_MAX, UINT64_MAX, 1},
        {UINT64_C(1) << 63, 1, 0x1p63},
        {1, UINT64_C(1) << 63, 0x1p-63},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        if (ks_nearest_quotient(table[i].a, table[i].b) != table[i].nearest)
            fail_msg("%llu / %llu is %.17g, expected %.17g", (unsigned long long)table[i].a,
                     (unsigned long long)table[i].b, ks_nearest_quotient(table[i].a, table[i].b),
                     table[i].nearest);
}

/* A number with few or many bits, so that all sizes of quotients come up. */
static uint64_t next_number(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed ^ *seed >> 29) >> (*seed >> 58);
}

static void quotients_equal_those_of_exact_arithmetic(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        const uint64_t a = next_number(&seed), b = next_number(&seed) | 1;
        ks_exact quotient = ks_exact_of_ratio(a, b);
        if (ks_nearest_quotient(a, b) != ks_exact_double(&quotient))
            fail_msg("%llu / %llu", (unsigned long long)a, (unsigned long long)b);
        ks_exact_free(&quotient);
    }
}

/* ---- reading back ---- */

static void cells_read_back_from_their_text_and_from_no_other(void **state) {
    static const struct {
        ks_column column;
        const char *text;
        bool is_one;
    } table[] = {
        {KS_COL_tiles, "0", true},
        {KS_COL_tiles, "18446744073709551615", true},
        {KS_COL_tiles, "18446744073709551616", false},
        {KS_COL_tiles, "01", false},
        {KS_COL_tiles, "+1", false},
        {KS_COL_tiles, "1 ", false},
        {KS_COL_tiles, "1.0", false},
        {KS_COL_total_cycles, "43.5", true},
        {KS_COL_total_cycles, "43.50", false},
        {KS_COL_total_cycles, "43.", false},
        {KS_COL_total_cycles, "0.0001", true},
        {KS_COL_total_cycles, "0.00001", false},
        {KS_COL_total_cycles, "-1", false},
        {KS_COL_rmse, "0.1", true},
        {KS_COL_rmse, "0.10", false},
        {KS_COL_rmse, "1e-05", true},
        {KS_COL_rmse, "1e-5", false},
        {KS_COL_rmse, "0.30000000000000004", true},
        {KS_COL_rmse, "0.3000000000000000444", false},
        {KS_COL_rmse, "nan", false},
        {KS_COL_rmse, "inf", false},
        {KS_COL_rmse, "1e999", false},
        {KS_COL_rmse, "0x1p3", false},
        {KS_COL_rmse, " 1", false},
        {KS_COL_bound_by, "dma_lat", true},
        {KS_COL_bound_by, "fifteen_letters", true},
        {KS_COL_bound_by, "sixteen__letters", false},
        {KS_COL_out_xxh128, "00112233445566778899aabbccddeeff", true},
        {KS_COL_out_xxh128, "00112233445566778899aabbccddeefF", false},
        {KS_COL_out_xxh128, "00112233445566778899aabbccddeef", false},
        {KS_COL_out_xxh128, "00112233445566778899aabbccddeeff0", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_row row = {.has = 0};
        const bool is_one =
            ks_row_read_cell(&row, table[i].column, table[i].text, strlen(table[i].text));
        if (is_one != table[i].is_one) fail_msg("'%s'", table[i].text);
        assert_int_equal(ks_row_has(&row, table[i].column), is_one);
        if (!is_one) continue;
        ks_text text = {0};
        ks_row_print_cell(&text, &row, table[i].column);
        assert_string_equal(ks_text_string(&text), table[i].text);
        ks_text_free(&text);
    }
}

static void an_empty_cell_takes_the_value_away(void **state) {
    ks_row row = {.has = 0};
    (void)state;
    assert_true(ks_row_read_cell(&row, KS_COL_tiles, "12,", 2));
    assert_true(ks_row_has(&row, KS_COL_tiles));
    assert_int_equal(row.figures[KS_COL_tiles].count, 12);
    assert_true(ks_row_read_cell(&row, KS_COL_tiles, "12", 0));
    assert_false(ks_row_has(&row, KS_COL_tiles));
}

static void verdicts_are_found_by_their_whole_name(void **state) {
    (void)state;
    for (int v = 0; v < KS_VERDICT_COUNT; v++) {
        ks_verdict found;
        const char *name = ks_verdict_name((ks_verdict)v);
        assert_true(ks_verdict_find(name, strlen(name), &found));
        assert_int_equal(found, v);
        assert_false(ks_verdict_find(name, strlen(name) - 1, &found));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand_in_the_order_of_the_interface),
        cmocka_unit_test(a_column_of_cycles_has_the_unit_cycle_and_no_other_has),
        cmocka_unit_test(verdicts_and_golden_states_have_their_names),
        cmocka_unit_test(counts_print_every_digit),
        cmocka_unit_test(cycles_print_as_exact_decimals),
        cmocka_unit_test(reals_print_the_shortest_digits_that_read_back),
        cmocka_unit_test(words_and_digests_print_as_they_are),
        cmocka_unit_test(a_cell_without_a_value_is_empty_and_no_other_is),
        cmocka_unit_test(a_row_without_figures_has_as_many_cells_as_any),
        cmocka_unit_test(figures_print_in_column_order_with_golden_and_invariants_last),
        cmocka_unit_test(quotients_are_the_nearest_double_ties_to_even),
        cmocka_unit_test(quotients_equal_those_of_exact_arithmetic),
        cmocka_unit_test(cells_read_back_from_their_text_and_from_no_other),
        cmocka_unit_test(an_empty_cell_takes_the_value_away),
        cmocka_unit_test(verdicts_are_found_by_their_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
