#include <math.h>
#include <stdio.h>

#include "study_bench.h"

#include "study/subject.h"

static const char HEAD[] = "study: t\nabout: a test\nbase: \"G=8 TILE=64 d=128 S=1024\"\n"
                           "kernels: [decode_opt2, decode_opt3, decode_a1]\n";

/* A subject of one constant over a range, with `figures`. */
typedef struct one {
    ks_study *study;
    ks_subject *subject;
} one;

static one one_of(const char *constants, const char *figures) {
    char yaml[4096];
    const ks_subject_options options = {1, NULL};
    snprintf(yaml, sizeof yaml, "%sconstants: [%s]\nfigures:\n%smethods: [oat: {}]\n", HEAD,
             constants, figures);
    one o = {.study = study_bench(yaml)};
    o.subject = ks_subject_new(o.study, &options);
    assert_non_null(o.subject);
    return o;
}

static void one_free(one *o) {
    ks_subject_free(o->subject);
    ks_study_free(o->study);
}

static ks_exact cycles(uint64_t ticks) { return ks_exact_of_ticks(ticks); }

static void expect_cycles(const one *o, uint64_t constant_ticks, uint64_t ticks) {
    ks_answer answer;
    ks_error error = {""};
    assert_int_equal(ks_subject_ask(o->subject, &constant_ticks, 1, &answer, &error), KS_OK);
    const ks_exact wanted = cycles(ticks);
    assert_true(answer.has_value && ks_exact_compare(&answer.value, &wanted) == 0);
    ks_answers_free(&answer, 1);
}

static void total_cycles_is_not_convex_in_the_two_known_cases(void **state) {
    (void)state;
    one opt3 = one_of("{name: dispatch_fixed_cycles, low: 0, high: 100}",
                      "  - {name: t, expr: decode_opt3.total_cycles}\n");
    expect_cycles(&opt3, 310000, 150721250);
    expect_cycles(&opt3, 320000, 151788750);
    expect_cycles(&opt3, 330000, 152781250);
    one_free(&opt3);
    one a1 = one_of("{name: math_startup_cycles, low: 1, high: 40}",
                    "  - {name: t, expr: \"decode_a1{policy=rw_aware}.total_cycles\"}\n");
    expect_cycles(&a1, 210000, 158781250);
    expect_cycles(&a1, 220000, 164751250);
    expect_cycles(&a1, 230000, 166371250);
    one_free(&a1);
}

static void gates_are_asked_exactly_on_both_sides_of_their_edge(void **state) {
    (void)state;
    /* opt3 / opt2 dispatch is 2 at FIXED 3.9375 exactly. */
    static const struct {
        const char *op;
        ks_gate_state below, at, above;
    } cases[] = {
        {">", KS_GATE_FAILS, KS_GATE_FAILS, KS_GATE_HOLDS},
        {">=", KS_GATE_FAILS, KS_GATE_HOLDS, KS_GATE_HOLDS},
        {"<", KS_GATE_HOLDS, KS_GATE_FAILS, KS_GATE_FAILS},
        {"<=", KS_GATE_HOLDS, KS_GATE_HOLDS, KS_GATE_FAILS},
        {"==", KS_GATE_FAILS, KS_GATE_HOLDS, KS_GATE_FAILS},
        {"!=", KS_GATE_HOLDS, KS_GATE_FAILS, KS_GATE_HOLDS},
    };
    static const uint64_t asked[] = {39374, 39375, 39376};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char figure[256];
        snprintf(figure, sizeof figure,
                 "  - {name: r, expr: \"decode_opt3.dispatch_cycles_per_tile / "
                 "decode_opt2.dispatch_cycles_per_tile\", gate: \"%s 2\"}\n",
                 cases[i].op);
        one o = one_of("{name: dispatch_fixed_cycles, low: 0, high: 100}", figure);
        ks_answer answers[3];
        ks_error error = {""};
        assert_true(ks_subject_is_dispatch_only(o.subject));
        assert_int_equal(ks_subject_ask(o.subject, asked, 3, answers, &error), KS_OK);
        assert_int_equal(answers[0].gate, cases[i].below);
        assert_int_equal(answers[1].gate, cases[i].at);
        assert_int_equal(answers[2].gate, cases[i].above);
        ks_answers_free(answers, 3);
        one_free(&o);
    }
}

static void a_side_keeps_the_constant_that_it_fixes(void **state) {
    (void)state;
    one o = one_of("{name: dispatch_fixed_cycles, low: 0, high: 100}",
                   "  - {name: r, expr: \"decode_opt2.dispatch_cycles_per_tile - "
                   "decode_opt2{dispatch_fixed_cycles=40, S=64}.dispatch_cycles_per_tile\"}\n");
    assert_int_equal(ks_subject_point_count(o.subject), 2);
    expect_cycles(&o, 400000, 0);
    expect_cycles(&o, 500000, 200000); /* two commands a tile */
    one_free(&o);
}

static void a_point_without_figures_leaves_figure_and_gate_without_answer(void **state) {
    (void)state;
    one o = one_of("{name: tcm_bytes, low: 1000, high: 1048576}",
                   "  - {name: t, expr: decode_opt2.total_cycles, gate: \"> 1\"}\n");
    const uint64_t small = 10000000;
    ks_answer answer;
    ks_error error = {""};
    assert_int_equal(ks_subject_ask(o.subject, &small, 1, &answer, &error), KS_OK);
    assert_true(!answer.has_value && answer.gate == KS_GATE_UNKNOWN);
    assert_true(strstr(ks_subject_trouble(o.subject), "tcm_overflow") != NULL);
    const ks_response response = ks_subject_response(o.subject);
    const double u = 0;
    double y[2];
    assert_int_equal(response.outputs, 2);
    assert_int_equal(response.evaluate(response.self, &u, 1, y, &error), KS_OK);
    assert_true(isnan(y[0]) && isnan(y[1]));
    one_free(&o);
}

static void what_was_asked_before_is_not_simulated_again(void **state) {
    (void)state;
    one o = one_of("{name: dispatch_fixed_cycles, low: 0, high: 100}",
                   "  - {name: t, expr: decode_opt2.total_cycles}\n");
    expect_cycles(&o, 400000, 157821250);
    expect_cycles(&o, 400000, 157821250);
    assert_int_equal(ks_subject_asked(o.subject), 2);
    assert_int_equal(ks_subject_simulated(o.subject), 1);
    one_free(&o);
}

static void a_figure_of_a_column_alone_is_there_once_a_kernel(void **state) {
    (void)state;
    one o = one_of("{name: dispatch_fixed_cycles, low: 0, high: 100}",
                   "  - {name: t, expr: \"total_cycles / S\", gate: \"> 15\"}\n");
    static const char *const names[] = {"t.decode_opt2",      "t.decode_opt3",
                                        "t.decode_a1",        "t.decode_opt2 > 15",
                                        "t.decode_opt3 > 15", "t.decode_a1 > 15"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        size_t figure;
        assert_string_equal(ks_subject_output_name(o.subject, i, &figure), names[i]);
        assert_int_equal(figure, i % 3);
    }
    one_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(total_cycles_is_not_convex_in_the_two_known_cases),
        cmocka_unit_test(gates_are_asked_exactly_on_both_sides_of_their_edge),
        cmocka_unit_test(a_side_keeps_the_constant_that_it_fixes),
        cmocka_unit_test(a_point_without_figures_leaves_figure_and_gate_without_answer),
        cmocka_unit_test(what_was_asked_before_is_not_simulated_again),
        cmocka_unit_test(a_figure_of_a_column_alone_is_there_once_a_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
