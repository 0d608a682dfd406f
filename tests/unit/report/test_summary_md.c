#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/cause_text.h"
#include "report/point_diff_text.h"
#include "report/summary_md.h"

static void text_of_others_is_no_markup(void **state) {
    (void)state;
    ks_text out = {0};
    ks_text_add_md(&out, "# a_b *c* `d` <e> [f](g)\n- h\x1b");
    assert_string_equal(ks_text_string(&out), "\\# a\\_b \\*c\\* \\`d\\` \\<e\\> \\[f\\](g) - h ");
    ks_text_free(&out);
}

static ks_failure_cause cause_of(uint64_t points, uint64_t inside, const char *where) {
    static const ks_row row = {.verdict = KS_VERDICT_fail, .reason = "nonfinite count=3"};
    return (ks_failure_cause){.what = "what",
                              .why = "",
                              .points = points,
                              .where = where,
                              .inside = inside,
                              .key = "kernel=k S=1",
                              .detail = "",
                              .row = &row,
                              .show = "kernsweep show",
                              .reproducer = ""};
}

static void expect_where(ks_failure_cause cause, uint64_t ran, const char *text) {
    ks_text out = {0};
    ks_cause_where_print(&out, &cause, ran);
    assert_string_equal(ks_text_string(&out), text);
    ks_text_free(&out);
}

static void a_region_is_exact_or_says_how_much_it_bounds(void **state) {
    (void)state;
    expect_where(cause_of(412, 412, "TILE >= 64"), 600, "412 points with TILE >= 64");
    expect_where(cause_of(412, 500, "TILE >= 64"), 600, "412 of the 500 points with TILE >= 64");
    expect_where(cause_of(600, 600, ""), 600, "all 600 points");
    expect_where(cause_of(412, 600, ""), 600, "412 of the 600 points");
    expect_where(cause_of(1, 1, ""), 1, "1 point");
}

static void a_cause_says_how_far_cycles_moved(void **state) {
    ks_failure_cause cause = cause_of(2, 2, "");
    ks_text out = {0};
    (void)state;
    cause.total = (ks_cause_move){2, -5000, 120000};
    cause.dispatch = (ks_cause_move){2, 0, 0};
    cause.columns = UINT64_C(1) << KS_COL_total_cycles | UINT64_C(1) << KS_COL_busy_math;
    ks_cause_print(&out, &cause, 3, 9);
    assert_string_equal(ks_text_string(&out),
                        "3. what\n   all 2 points\n   total_cycles -0.5 to +12\n"
                        "   moved: total_cycles busy_math\n"
                        "   smallest: kernel=k S=1: fail, nonfinite count=3\n"
                        "   kernsweep show\n");
    ks_text_free(&out);
}

static void a_rule_says_how_many_points_and_why(void **state) {
    ks_text out = {0};
    (void)state;
    ks_summary_rule_print(&out, 1, "excluded", "a, \"b\"\n=c <d>");
    ks_summary_rule_print(&out, 4, "infeasible", "");
    assert_string_equal(ks_text_string(&out), "- 1 point excluded: a, \"b\" =c \\<d\\>\n"
                                              "- 4 points infeasible: no reason given\n");
    ks_text_free(&out);
}

static void the_first_row_that_moved_stands_under_its_cause(void **state) {
    ks_failure_cause cause = cause_of(1, 1, "");
    ks_text out = {0};
    (void)state;
    cause.first = "anchor: kernel=k\nfirst divergence, its start moved: row 3\n";
    ks_cause_print(&out, &cause, 1, 9);
    assert_non_null(strstr(ks_text_string(&out),
                           "\n   anchor: kernel=k\n   first divergence, its start moved: row 3\n   "
                           "kernsweep show\n"));
    ks_text_free(&out);
}

/* A fence is longer than any in what it holds. */
static void a_fence_cannot_be_broken(void **state) {
    const ks_failure_cause cause = cause_of(1, 1, "");
    const ks_cause_list list = {&cause, 1, 2};
    const ks_account account = {.planned = 1, .verdicts = {0, 1}};
    const ks_summary summary = {.sweep = "t.ci",
                                .about = "a *b*",
                                .mode = "data",
                                .exit_code = 1,
                                .verdict = "a check failed",
                                .account = &account,
                                .causes = &list,
                                .ran = 3,
                                .rules = "",
                                .gates = "```\n# gate\n````\n",
                                .notes = "a\033[1m\rb\177\n",
                                .failures = ""};
    ks_text out = {0};
    (void)state;
    ks_summary_md_print(&out, &summary);
    const char *text = ks_text_string(&out);
    assert_int_equal(strncmp(text, "# t.ci: exit 1, a check failed\n\na \\*b\\*\n", 40), 0);
    assert_non_null(strstr(text, "## Red points: 3 points, 1 cause and more\n\n### 1. what\n"));
    assert_non_null(strstr(text, "And 2 points of other causes.\n"));
    assert_non_null(strstr(text, "\n```\na [1m b \n```\n"));
    assert_non_null(strstr(text, "\n`````\n```\n# gate\n````\n`````\n"));
    ks_text_free(&out);
}

static void a_point_that_moved_is_told_cell_by_cell(void **state) {
    ks_row row = {.verdict = KS_VERDICT_fail, .reason = "golden columns=2", .invariants = "ok"};
    ks_change change = {.columns = UINT64_C(1) << KS_COL_total_cycles | UINT64_C(1) << KS_COL_macs,
                        .has_block = true,
                        .block = 2,
                        .block_row = 128,
                        .block_row_count = 64};
    const ks_record record = {
        .row = &row, .key = "kernel=k S=1", .detail = "", .why = "", .change = &change};
    ks_text out = {0};
    (void)state;
    ks_row_set_count(&row, KS_COL_total_cycles, 435000);
    ks_row_set_count(&change.was, KS_COL_total_cycles, 430000);
    ks_row_set_count(&change.was, KS_COL_macs, 7);
    ks_point_diff_print(&out, &record);
    assert_string_equal(ks_text_string(&out),
                        "point: kernel=k S=1\nverdict: fail, golden columns=2\ninvariants: ok\n"
                        "  total_cycles             expected 43, got 43.5, +0.5\n"
                        "  macs                     expected 7, got nothing\n"
                        "op_log: equal up to row 127; the first row that differs is one of 128 to "
                        "191 (block 2)\n");
    ks_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_others_is_no_markup),
        cmocka_unit_test(a_region_is_exact_or_says_how_much_it_bounds),
        cmocka_unit_test(a_cause_says_how_far_cycles_moved),
        cmocka_unit_test(a_rule_says_how_many_points_and_why),
        cmocka_unit_test(the_first_row_that_moved_stands_under_its_cause),
        cmocka_unit_test(a_fence_cannot_be_broken),
        cmocka_unit_test(a_point_that_moved_is_told_cell_by_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
