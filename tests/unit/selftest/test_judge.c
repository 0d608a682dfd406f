/* When does a mutation count as caught? A clean report of three points, and what a trial left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "selftest/judge.h"
#include "sweep/key.h"

enum { ID, VERDICT, FIGURE, STATE, INVARIANTS, COLUMNS };
enum { GEMM, CHAIN, LARGE, POINTS };

typedef struct bench {
    char ids[POINTS][17];
    char *points[POINTS][COLUMNS], **point_rows[POINTS];
    char *gates[2][3], **gate_rows[2];
    ks_report report;
} bench;

static char *text(const char *constant) { return (char *)(uintptr_t)constant; }

static void begin(bench *b) {
    static char *header[COLUMNS], *gate_header[3];
    const char *const keys[POINTS] = {KS_POINT_GEMM, KS_POINT_CHAIN, KS_POINT_LARGE2};
    const char *const names[COLUMNS] = {"id", "verdict", "total_cycles", "golden", "invariants"};
    const char *const gate_names[3] = {"gate", "group", "passed"};
    for (int i = 0; i < COLUMNS; i++) header[i] = text(names[i]);
    for (int i = 0; i < 3; i++) gate_header[i] = text(gate_names[i]);
    for (int i = 0; i < POINTS; i++) {
        ks_key_id(b->ids[i], keys[i]);
        char *const cells[COLUMNS] = {b->ids[i], text(i == LARGE ? "infeasible" : "pass"),
                                      text("100"), text("match"),
                                      text(i == LARGE ? "skipped" : "ok")};
        memcpy(b->points[i], cells, sizeof cells);
        b->point_rows[i] = b->points[i];
    }
    for (int i = 0; i < 2; i++) {
        char *const cells[3] = {text(i ? "ratio" : "twins"), text("S=1"), text("yes")};
        memcpy(b->gates[i], cells, sizeof cells);
        b->gate_rows[i] = b->gates[i];
    }
    b->report =
        (ks_report){{COLUMNS, POINTS, header, b->point_rows}, {3, 2, gate_header, b->gate_rows}};
}

/* GEMM is broken as the trial expects. */
static void begin_spoilt(bench *b) {
    begin(b);
    b->points[GEMM][VERDICT] = text("fail");
    b->points[GEMM][STATE] = text("mismatch");
    b->points[GEMM][INVARIANTS] = text("causal|numeric");
}

static const ks_trial trial = {.name = "a test",
                               .code = 1,
                               .keys = {KS_POINT_GEMM},
                               .invariant = "causal",
                               .also = "bound numeric",
                               .says = "red"};

static bool judge_as(const ks_trial *t, const bench *found, int code, const char *said,
                     const char *words) {
    bench clean;
    begin(&clean);
    ks_text out = {0};
    const ks_outcome outcome = {code, said, found ? &found->report : NULL, false};
    const bool is_caught = ks_trial_judge(t, &clean.report, &outcome, &out);
    if (!strstr(ks_text_string(&out), words))
        fail_msg("'%s' does not say '%s'", ks_text_string(&out), words);
    ks_text_free(&out);
    return is_caught;
}

static void expect_missed(const bench *found, const char *words) {
    assert_false(judge_as(&trial, found, 1, "all is red", words));
}

static void what_is_as_expected_is_caught(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    assert_true(judge_as(&trial, &b, 1, "all is red", KS_POINT_GEMM ", causal, exit 1"));
}

static void another_exit_code_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    assert_false(judge_as(&trial, &b, 0, "all is red", "exit 0, expected 1"));
    assert_false(judge_as(&trial, &b, 139, "all is red", "exit 139, expected 1"));
}

static void silence_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    assert_false(judge_as(&trial, &b, 1, "all is green", "does not say 'red'"));
}

static void a_lost_report_is_not(void **state) {
    (void)state;
    expect_missed(NULL, "it leaves no report");
}

static void a_point_that_stays_green_is_not(void **state) {
    bench b;
    (void)state;
    begin(&b);
    expect_missed(&b, KS_POINT_GEMM ": its row is as ever");
}

static void a_change_of_another_point_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    b.points[CHAIN][FIGURE] = text("101");
    expect_missed(&b, "has changed, which was not expected");
}

static void another_invariant_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    b.points[GEMM][INVARIANTS] = text("causal|fifo|numeric");
    expect_missed(&b, "fifo is broken, which was not expected");
    b.points[GEMM][INVARIANTS] = text("numeric");
    expect_missed(&b, "causal is not broken");
    b.points[GEMM][INVARIANTS] = text("ok");
    expect_missed(&b, "causal is not broken");
    b.points[GEMM][INVARIANTS] = text("caus");
    expect_missed(&b, "caus is broken, which was not expected");
}

static void another_verdict_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    b.points[GEMM][VERDICT] = text("xfail");
    expect_missed(&b, "verdict xfail, expected fail");
}

static void a_lost_row_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    b.report.points.rows--;
    expect_missed(&b, "points.csv has 2 rows");
}

static void a_gate_that_turns_unasked_is_not(void **state) {
    bench b;
    (void)state;
    begin_spoilt(&b);
    b.gates[0][2] = text("no");
    expect_missed(&b, "gate twins answers no");
}

static void a_gate_that_must_turn_does_or_is_missed(void **state) {
    ks_trial t = trial;
    bench b;
    (void)state;
    t.gate = "twins";
    begin_spoilt(&b);
    assert_false(judge_as(&t, &b, 1, "all is red", "gate twins answers as ever"));
    b.gates[0][2] = text("doubt");
    assert_true(judge_as(&t, &b, 1, "all is red", "causal"));
}

static void a_point_that_is_not_in_the_report_is_not(void **state) {
    ks_trial t = trial;
    bench b;
    (void)state;
    t.keys[1] = KS_POINT_OPT2;
    begin_spoilt(&b);
    assert_false(judge_as(&t, &b, 1, "all is red", "1 of 2 points have rows"));
}

static void a_refusal_needs_no_report(void **state) {
    const ks_trial t = {.name = "a test", .code = 2, .says = "line 3"};
    (void)state;
    assert_true(judge_as(&t, NULL, 2, "at line 3", "\"line 3\", exit 2"));
    assert_false(judge_as(&t, NULL, 1, "at line 3", "exit 1, expected 2"));
}

static void another_state_of_the_golden_is_not(void **state) {
    ks_trial t = trial;
    bench b;
    (void)state;
    t.golden_cell = "new";
    begin_spoilt(&b);
    assert_false(judge_as(&t, &b, 1, "all is red", "golden mismatch, expected new"));
    t.golden_cell = "mismatch";
    assert_true(judge_as(&t, &b, 1, "all is red", "causal"));
}

static void a_refusal_that_leaves_a_report_is_not(void **state) {
    const ks_trial t = {.name = "a test", .code = 2, .says = "line 3"};
    bench b;
    (void)state;
    begin(&b);
    assert_false(judge_as(&t, &b, 2, "at line 3", "it is refused, and leaves a report"));
}

static void a_golden_that_was_written_is_not(void **state) {
    const ks_trial t = {.name = "a test", .code = 2, .says = "line 3"};
    const ks_outcome outcome = {2, "at line 3", NULL, true};
    bench clean;
    ks_text out = {0};
    (void)state;
    begin(&clean);
    assert_false(ks_trial_judge(&t, &clean.report, &outcome, &out));
    assert_string_equal(ks_text_string(&out), "the golden was written");
    ks_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_as_expected_is_caught),
        cmocka_unit_test(another_exit_code_is_not),
        cmocka_unit_test(silence_is_not),
        cmocka_unit_test(a_lost_report_is_not),
        cmocka_unit_test(a_point_that_stays_green_is_not),
        cmocka_unit_test(a_change_of_another_point_is_not),
        cmocka_unit_test(another_invariant_is_not),
        cmocka_unit_test(another_verdict_is_not),
        cmocka_unit_test(a_lost_row_is_not),
        cmocka_unit_test(a_gate_that_turns_unasked_is_not),
        cmocka_unit_test(a_gate_that_must_turn_does_or_is_missed),
        cmocka_unit_test(a_point_that_is_not_in_the_report_is_not),
        cmocka_unit_test(a_refusal_needs_no_report),
        cmocka_unit_test(another_state_of_the_golden_is_not),
        cmocka_unit_test(a_refusal_that_leaves_a_report_is_not),
        cmocka_unit_test(a_golden_that_was_written_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
