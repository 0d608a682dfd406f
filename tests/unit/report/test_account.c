/* What a run says about itself in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "report/account.h"

static void expect_text(ks_text *text, const char *expected) {
    assert_string_equal(ks_text_string(text), expected);
    ks_text_free(text);
}

static void the_account_names_every_verdict_and_adds_up(void **state) {
    (void)state;
    ks_account account = {.planned = 55};
    for (uint64_t v = 0; v < KS_VERDICT_COUNT; v++) account.verdicts[v] = v + 1;
    account.goldens[KS_GOLDEN_match] = 50;
    account.goldens[KS_GOLDEN_new] = 5;
    account.skipped_invariants = 3;
    account.gate_groups[KS_GATE_yes] = 7;
    account.gate_groups[KS_GATE_no] = 2;
    account.gates_not_asked = 4;
    account.gates_red = 1;
    ks_text out = {0};
    ks_account_print(&out, &account);
    expect_text(
        &out, "points: planned 55 = 1 pass + 2 fail + 3 xfail + 4 xpass + 5 infeasible + 6 error + "
              "7 doubt + 8 timeout + 9 crash + 10 not_run\n"
              "golden: 5 new + 50 match\n"
              "invariants: not all asked on 3 points\n"
              "gates: 13 groups = 7 yes + 2 no + 0 doubt + 4 not asked; 1 red\n");
}

static void a_sweep_without_gates_does_not_speak_of_them(void **state) {
    (void)state;
    const ks_account account = {.planned = 1, .verdicts = {1}, .goldens = {1}};
    ks_text out = {0};
    ks_account_print(&out, &account);
    expect_text(&out, "points: planned 1 = 1 pass + 0 fail + 0 xfail + 0 xpass + 0 infeasible + "
                      "0 error + 0 doubt + 0 timeout + 0 crash + 0 not_run\n"
                      "golden: 1 none\n");
}

static void a_red_gate_says_group_sides_and_why(void **state) {
    static const struct {
        ks_gate_line line;
        const char *text;
    } cases[] = {
        {{.gate = "g",
          .group = "TILE=16",
          .op = ">",
          .has_sides = true,
          .value = 1.5,
          .limit = 2,
          .answer = KS_GATE_no,
          .is_red = true,
          .why = "one drain"},
         "  gate g at TILE=16: 1.5 > 2 is no (one drain)\n    again\n"},
        {{.gate = "g",
          .group = "",
          .op = ">",
          .answer = KS_GATE_doubt,
          .is_red = true,
          .why = "a division by zero"},
         "  gate g: doubt (a division by zero)\n    again\n"},
        {{.gate = "g",
          .group = "",
          .op = ">",
          .has_sides = true,
          .value = 3,
          .limit = 2,
          .answer = KS_GATE_yes,
          .is_red = true,
          .why = ""},
         "  gate g: 3 > 2 is yes, where the sweep expects no\n    again\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ks_text out = {0};
        ks_red_gate_print(&out, &cases[i].line, "again");
        expect_text(&out, cases[i].text);
    }
}

static void a_line_of_a_point_has_its_cycles_or_its_reason(void **state) {
    (void)state;
    ks_row row = {.verdict = KS_VERDICT_pass};
    ks_record record = {.row = &row, .key = "kernel=gemm M=1 K=2 N=3", .detail = "", .why = ""};
    ks_text out = {0};
    ks_row_set_count(&row, KS_COL_total_cycles, 435000);
    ks_row_set_word(&row, KS_COL_bound_by, "cpu");
    ks_point_line_print(&out, &record);
    row = (ks_row){.verdict = KS_VERDICT_infeasible, .reason = "tcm_overflow end=2 tcm_bytes=1"};
    ks_point_line_print(&out, &record);
    row = (ks_row){.verdict = KS_VERDICT_xpass};
    record.is_red = true;
    ks_point_line_print(&out, &record);
    expect_text(&out, "pass       kernel=gemm M=1 K=2 N=3: 43.5 cycles, bound by cpu\n"
                      "infeasible kernel=gemm M=1 K=2 N=3: tcm_overflow end=2 tcm_bytes=1\n"
                      "xpass      kernel=gemm M=1 K=2 N=3 (red)\n");
}

static void a_line_of_a_gate_that_holds_says_yes(void **state) {
    const ks_gate_line line = {.gate = "g",
                               .group = "TILE=16",
                               .op = ">",
                               .has_sides = true,
                               .value = 3,
                               .limit = 2,
                               .answer = KS_GATE_yes,
                               .why = ""};
    (void)state;
    ks_text out = {0};
    ks_gate_line_print(&out, &line);
    expect_text(&out, "gate g at TILE=16: 3 > 2 is yes\n");
}

static void one_is_not_several(void **state) {
    const ks_account account = {
        .planned = 1, .verdicts = {1}, .skipped_invariants = 1, .gate_groups = {1}};
    (void)state;
    ks_text out = {0};
    ks_account_print(&out, &account);
    assert_non_null(strstr(ks_text_string(&out), "not all asked on 1 point\n"));
    assert_non_null(strstr(ks_text_string(&out), "gates: 1 group = 1 yes"));
    ks_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_account_names_every_verdict_and_adds_up),
        cmocka_unit_test(a_sweep_without_gates_does_not_speak_of_them),
        cmocka_unit_test(a_red_gate_says_group_sides_and_why),
        cmocka_unit_test(a_line_of_a_point_has_its_cycles_or_its_reason),
        cmocka_unit_test(a_line_of_a_gate_that_holds_says_yes),
        cmocka_unit_test(one_is_not_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
