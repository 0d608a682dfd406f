#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden/signature.h"

/* A failing point; total_cycles as they are and as they were. */
typedef struct sample {
    ks_row row;
    ks_change change;
    ks_record record;
} sample;

static sample *failing(sample *s, ks_verdict verdict, const char *reason) {
    memset(s, 0, sizeof *s);
    s->row.verdict = verdict;
    snprintf(s->row.reason, sizeof s->row.reason, "%s", reason);
    s->record = (ks_record){.row = &s->row,
                            .key = "k",
                            .kernel = "decode_opt2",
                            .detail = "",
                            .why = "",
                            .is_red = true};
    return s;
}

static sample *moved(sample *s, uint64_t was, uint64_t is) {
    failing(s, KS_VERDICT_fail, "golden columns=2");
    ks_row_set_count(&s->row, KS_COL_total_cycles, is);
    ks_row_set_count(&s->change.was, KS_COL_total_cycles, was);
    s->change.columns = UINT64_C(1) << KS_COL_total_cycles | UINT64_C(1) << KS_COL_oplog_xxh128;
    s->record.change = &s->change;
    return s;
}

static void expect_same(const sample *a, const sample *b, bool is_same) {
    ks_text texts[2] = {{0}, {0}};
    ks_signature_print(&texts[0], &a->record);
    ks_signature_print(&texts[1], &b->record);
    if (is_same)
        assert_string_equal(ks_text_string(&texts[0]), ks_text_string(&texts[1]));
    else
        assert_string_not_equal(ks_text_string(&texts[0]), ks_text_string(&texts[1]));
    ks_text_free(&texts[0]);
    ks_text_free(&texts[1]);
}

static void expect_said(const sample *s, const char *text) {
    ks_text out = {0};
    ks_signature_say(&out, &s->record);
    assert_string_equal(ks_text_string(&out), text);
    ks_text_free(&out);
}

static void numbers_of_a_reason_do_not_part_points(void **state) {
    sample a, b;
    (void)state;
    failing(&a, KS_VERDICT_fail, "nonfinite count=7");
    expect_same(&a, failing(&b, KS_VERDICT_fail, "nonfinite count=8"), true);
    expect_same(&a, failing(&b, KS_VERDICT_fail, "tolerance err=7 limit=8"), false);
    expect_same(&a, failing(&b, KS_VERDICT_doubt, "nonfinite count=7"), false);
    expect_said(&a, "elements of OUT are not finite");
    expect_said(failing(&b, KS_VERDICT_fail, "tolerance err=7 limit=8"),
                "errors of OUT are beyond the tolerance");
    expect_said(failing(&b, KS_VERDICT_error, "op_over_cap bytes=2 cap=1"), "error op_over_cap");
    expect_said(failing(&b, KS_VERDICT_timeout, ""), "timeout");
}

static void invariants_part_points_by_their_ids(void **state) {
    sample a, b;
    (void)state;
    failing(&a, KS_VERDICT_fail, "invariant count=1");
    failing(&b, KS_VERDICT_fail, "invariant count=1");
    strcpy(a.row.invariants, "dma_bytes");
    strcpy(b.row.invariants, "dma_bytes");
    expect_same(&a, &b, true);
    strcpy(b.row.invariants, "dma_bytes|order");
    expect_same(&a, &b, false);
    expect_said(&a, "invariant dma_bytes broken");
    expect_said(&b, "invariants dma_bytes|order broken");
    b.record.change = moved(&a, 10, 20)->record.change; /* that its golden differs too is no news */
    expect_said(&b, "invariants dma_bytes|order broken");
}

static void put(sample *s, ks_column column, uint64_t was, uint64_t is) {
    ks_row_set_count(&s->row, column, is);
    ks_row_set_count(&s->change.was, column, was);
    s->change.columns |= UINT64_C(1) << column;
}

static void times_part_points_by_kernel_and_direction(void **state) {
    sample a, b;
    (void)state;
    moved(&a, 100000, 110000);
    expect_same(&a, moved(&b, 500000, 900000), true);
    expect_same(&a, moved(&b, 110000, 100000), false);
    put(moved(&b, 100000, 110000), KS_COL_cpu_wait_cycles, 1, 2);
    expect_same(&a, &b, true); /* follows */
    b.record.kernel = "decode_opt3";
    expect_same(&a, &b, false);
    expect_said(&a,
                "differs from its golden: of decode_opt2 the same work takes more total_cycles");
    expect_said(moved(&b, 9, 8),
                "differs from its golden: of decode_opt2 the same work takes fewer "
                "total_cycles");
    moved(&b, 9, 9)->change.columns = UINT64_C(1) << KS_COL_oplog_xxh128;
    expect_said(&b, "differs from its golden: of decode_opt2 the op_log is another, with the same "
                    "times");
    b.change.columns |= UINT64_C(1) << KS_COL_crit_cpu;
    expect_said(&b,
                "differs from its golden: of decode_opt2 rows start at other times, and it ends "
                "as before");
}

/* Whatever follows from it, and in whatever kernel. */
static void what_stands_furthest_up_parts_points(void **state) {
    sample a, b;
    (void)state;
    put(moved(&a, 100000, 110000), KS_COL_busy_math, 10, 20);
    put(moved(&b, 100000, 100000), KS_COL_busy_math, 10, 30);
    b.record.kernel = "gemm_postnorm";
    put(&b, KS_COL_crit_math, 1, 2);
    expect_same(&a, &b, true);
    expect_said(&a, "differs from its golden: the same work takes more busy_math");
    put(moved(&b, 100000, 110000), KS_COL_busy_math, 20, 10);
    expect_same(&a, &b, false);
    put(moved(&b, 100000, 110000), KS_COL_busy_math, 10, 20);
    put(&b, KS_COL_busy_gemm, 20, 10);
    expect_same(&a, &b, false);
    expect_said(&b,
                "differs from its golden: the same work takes fewer busy_gemm and more busy_math");
    put(&b, KS_COL_commands, 2, 1);
    expect_said(&b, "differs from its golden: the work is another (commands)");
    put(&b, KS_COL_macs, 2, 1);
    expect_said(&b, "differs from its golden: the work is another (commands, macs)");
}

static void numbers_are_one_cause_whichever_moved(void **state) {
    sample a, b;
    (void)state;
    moved(&a, 7, 7)->change.columns = UINT64_C(1) << KS_COL_rmse;
    moved(&b, 7, 7)->change.columns = UINT64_C(1) << KS_COL_out_xxh128;
    expect_same(&a, &b, true);
    expect_said(&a, "differs from its golden: the numbers are others");
}

static void a_verdict_that_the_golden_has_not_is_its_own_cause(void **state) {
    sample a, b;
    (void)state;
    failing(&a, KS_VERDICT_infeasible, "tcm_overflow end=2 tcm_bytes=1")->record.change = &a.change;
    a.change.is_verdict = true;
    a.change.was.verdict = KS_VERDICT_pass;
    b = a;
    b.record.row = &b.row;
    b.record.change = &b.change;
    strcpy(b.row.reason, "tcm_overflow end=4 tcm_bytes=1");
    expect_same(&a, &b, true);
    expect_said(&a, "in its golden pass, and now infeasible tcm_overflow");
    b.change.was.verdict = KS_VERDICT_error;
    expect_same(&a, &b, false);
}

static void rules_part_points_by_what_they_say(void **state) {
    sample a, b;
    (void)state;
    failing(&a, KS_VERDICT_xpass, "")->record.why = "one";
    failing(&b, KS_VERDICT_xpass, "")->record.why = "two";
    expect_same(&a, &b, false);
    expect_said(&a, "xpass: passes, where a rule expects that it does not");
    failing(&a, KS_VERDICT_infeasible, "tcm_overflow end=2 tcm_bytes=1")->record.why = "one";
    expect_said(&a, "infeasible tcm_overflow, where a rule expects another verdict");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_reason_do_not_part_points),
        cmocka_unit_test(invariants_part_points_by_their_ids),
        cmocka_unit_test(times_part_points_by_kernel_and_direction),
        cmocka_unit_test(what_stands_furthest_up_parts_points),
        cmocka_unit_test(numbers_are_one_cause_whichever_moved),
        cmocka_unit_test(a_verdict_that_the_golden_has_not_is_its_own_cause),
        cmocka_unit_test(rules_part_points_by_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
