/* What rules cost: the model's figures at TILE 256. */
#include <math.h>

#include "study_bench.h"

static ks_study_outcome run(const char *constants, const char *rules) {
    char yaml[2048];
    snprintf(yaml, sizeof yaml,
             "study: t\nabout: a test\nbase: \"G=8 TILE=256 d=128 S=4096\"\n"
             "kernels: [decode_opt2, decode_opt3]\nconstants: [%s]\nfigures:\n"
             "  - {name: r, expr: \"decode_opt3.total_cycles / decode_opt2.total_cycles\", gate: "
             "\"> 1\"}\n"
             "  - {name: kept, expr: \"decode_opt2{policy=strict_fifo}.total_cycles\"}\n"
             "methods: [whatif: {rules: [%s]}]\n",
             constants, rules);
    return study_bench_run(yaml, 1);
}

#define LATENCY "{name: dma_latency_cycles, low: 100, high: 400}"

static void expect_gain(const ks_table *t, const char *row, const char *total, double percent) {
    const size_t at = study_bench_row(t, row);
    assert_string_equal(study_bench_cell(t, at, "total_cycles"), total);
    const double gain = atof(study_bench_cell(t, at, "gain_percent"));
    if (fabs(gain - percent) > 0.05) fail_msg("%s: %g", row, gain);
}

static void giving_up_d6_2_and_d6_3_gains_little_alone_and_8_4_percent_together(void **state) {
    (void)state;
    ks_study_outcome outcome = run(LATENCY, "D6.2, D6.3");
    const ks_table *t = study_bench_table(&outcome, "whatif");
    assert_int_equal(ks_table_row_count(t), 8);
    expect_gain(t, "kernel=decode_opt2 given_up=none", "40502.125", 0);
    expect_gain(t, "kernel=decode_opt2 given_up=D6.2", "40163.125", 0.8);
    expect_gain(t, "kernel=decode_opt2 given_up=D6.3", "40285.125", 0.5);
    assert_string_equal(study_bench_cell(t, 3, "given_up"), "D6.2 + D6.3");
    assert_string_equal(study_bench_cell(t, 3, "total_cycles"), "37107.125");
    assert_true(fabs(atof(study_bench_cell(t, 3, "gain_percent")) - 8.4) < 0.05);
    ks_study_outcome_free(&outcome);
}

/* Every resource's share sums to total_cycles, with its largest named. */
static void the_critical_path_stands_beside_it(void **state) {
    (void)state;
    static const char *const resources[] = {"cpu",   "dma_rd", "dma_wr", "dma_lat",
                                            "fetch", "store",  "gemm",   "math"};
    ks_study_outcome outcome = run(LATENCY, "D6.2, D6.3, dispatch, dma_latency");
    const ks_table *t = study_bench_table(&outcome, "whatif");
    assert_int_equal(ks_table_row_count(t), 32);
    for (size_t row = 0; row < 32; row++) {
        double sum = 0, most = 0;
        const char *bound = "";
        for (size_t i = 0; i < COUNT_OF(resources); i++) {
            const double share = atof(study_bench_cell(t, row, resources[i]));
            if (share > most) bound = resources[i];
            if (share > most) most = share;
            sum += share;
        }
        assert_true(sum == atof(study_bench_cell(t, row, "total_cycles")));
        assert_string_equal(study_bench_cell(t, row, "bound_by"), bound);
    }
    const size_t free_dispatch = study_bench_row(t, "kernel=decode_opt3 given_up=dispatch");
    assert_string_equal(study_bench_cell(t, free_dispatch, "cpu"), "0");
    const size_t no_latency = study_bench_row(t, "kernel=decode_opt2 given_up=dma_latency");
    assert_string_equal(study_bench_cell(t, no_latency, "dma_lat"), "0");
    ks_study_outcome_free(&outcome);
}

/* 37405.125 / 40502.125 at first; rw_aware helps opt2 alone. */
static void figures_follow_but_a_side_that_fixes_a_rule_keeps_it(void **state) {
    (void)state;
    ks_study_outcome outcome = run(LATENCY, "D6.3, dma_latency");
    const ks_table *t = study_bench_table(&outcome, "whatif-figures");
    assert_true(atof(study_bench_cell(t, 0, "value")) == 37405.125 / 40502.125);
    assert_string_equal(study_bench_cell(t, 0, "answer"), "fail");
    const size_t kept = study_bench_row(t, "figure=kept given_up=D6.3");
    assert_string_equal(study_bench_cell(t, kept, "value"), "40502.125");
    const size_t moved = study_bench_row(t, "figure=kept given_up=dma_latency");
    assert_true(atof(study_bench_cell(t, moved, "value")) < 40502.125);
    ks_study_outcome_free(&outcome);
}

/* A rule's constant need not be one of those that the study moves. */
static void constants_that_are_not_studied_change_too(void **state) {
    (void)state;
    ks_study_outcome with = run(LATENCY, "dma_latency");
    ks_study_outcome without = run("{name: queue_depth, low: 1, high: 8}", "dma_latency");
    for (size_t row = 0; row < 4; row++)
        assert_string_equal(
            study_bench_cell(study_bench_table(&with, "whatif-figures"), row, "value"),
            study_bench_cell(study_bench_table(&without, "whatif-figures"), row, "value"));
    ks_study_outcome_free(&with);
    ks_study_outcome_free(&without);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(giving_up_d6_2_and_d6_3_gains_little_alone_and_8_4_percent_together),
        cmocka_unit_test(the_critical_path_stands_beside_it),
        cmocka_unit_test(figures_follow_but_a_side_that_fixes_a_rule_keeps_it),
        cmocka_unit_test(constants_that_are_not_studied_change_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
