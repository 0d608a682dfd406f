/* What moved from a golden, in words. */
#include "report/change_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void expect_text(const ks_change *change, const ks_row *row, const char *expected) {
    ks_text out = {0};
    ks_change_print(&out, change, row);
    assert_string_equal(ks_text_string(&out), expected);
    ks_text_free(&out);
}

static void moved_cells_are_named_with_both_values(void **state) {
    ks_change change = {.columns = UINT64_C(1) << KS_COL_total_cycles | UINT64_C(1) << KS_COL_macs};
    ks_row row = {.verdict = KS_VERDICT_fail};
    (void)state;
    change.was.verdict = KS_VERDICT_pass;
    ks_row_set_count(&change.was, KS_COL_total_cycles, 435000);
    ks_row_set_count(&row, KS_COL_total_cycles, 430625);
    ks_row_set_count(&row, KS_COL_macs, 7);
    expect_text(&change, &row, "golden: pass; total_cycles 43.5 -> 43.0625; macs nothing -> 7");
}

static void only_the_first_four_are_named_and_the_rest_is_counted(void **state) {
    ks_change change = {.columns = 63};
    ks_row row = {.has = 0};
    (void)state;
    for (int c = 0; c < 6; c++) {
        ks_row_set_count(&change.was, (ks_column)c, 0);
        ks_row_set_count(&row, (ks_column)c, 10000);
    }
    change.was.verdict = KS_VERDICT_pass;
    expect_text(&change, &row,
                "golden: pass; tiles 0 -> 10000; commands 0 -> 10000; composites 0 -> 10000; "
                "logical_bytes 0 -> 10000; and 2 more");
}

static void verdict_reason_and_place_in_the_op_log_are_told(void **state) {
    ks_change change = {.is_verdict = true,
                        .has_block = true,
                        .block = 2,
                        .block_row = 256,
                        .block_row_count = 128};
    const ks_row row = {.verdict = KS_VERDICT_pass};
    (void)state;
    change.was.verdict = KS_VERDICT_infeasible;
    snprintf(change.was.reason, sizeof change.was.reason, "tcm_overflow end=9 tcm_bytes=8");
    expect_text(
        &change, &row,
        "golden: infeasible tcm_overflow end=9 tcm_bytes=8; op_log first in rows 256 to 383");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moved_cells_are_named_with_both_values),
        cmocka_unit_test(only_the_first_four_are_named_and_the_rest_is_counted),
        cmocka_unit_test(verdict_reason_and_place_in_the_op_log_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
