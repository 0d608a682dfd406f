#include <math.h>
#include <stdio.h>

#include "study_bench.h"

#include "report/table_print.h"

static const char STUDY[] =
    "study: t\nabout: a test\nbase: \"G=8 TILE=64 d=128 S=1024\"\n"
    "kernels: [decode_opt2, decode_opt3]\n"
    "constants:\n"
    "  - {name: dispatch_fixed_cycles, low: 0, high: 80}\n"
    "  - {name: dispatch_cycles_per_byte, low: 0, high: 1}\n"
    "  - {name: queue_depth, low: 1, high: 8}\n"
    "figures:\n"
    "  - {name: ratio, expr: \"decode_opt3.dispatch_cycles_per_tile / "
    "decode_opt2.dispatch_cycles_per_tile\", gate: \"> 2\"}\n"
    "  - {name: faster, expr: \"decode_opt3.total_cycles / decode_opt2.total_cycles\", gate: \"> 1\"}\n"
    "  - {name: tiles, expr: decode_opt2.tiles}\n"
    "methods:\n";

static ks_study_outcome run(const char *methods, int threads) {
    char yaml[4096];
    snprintf(yaml, sizeof yaml, "%s%s", STUDY, methods);
    return study_bench_run(yaml, threads);
}

static void oat_has_the_ends_of_every_range_with_the_largest_swing_first(void **state) {
    (void)state;
    ks_study_outcome outcome = run("  - oat: {}\n", 1);
    const ks_table *oat = study_bench_table(&outcome, "oat");
    assert_int_equal(ks_table_row_count(oat), 9);
    /* FIXED 0: 1; 80: (800 + 23.625) / (160 + 23.625). R 0: 5; 1: 778 / 458. */
    assert_string_equal(study_bench_cell(oat, 0, "constant"), "dispatch_fixed_cycles");
    assert_string_equal(study_bench_cell(oat, 0, "y_low"), "1");
    assert_string_equal(study_bench_cell(oat, 0, "gate_low"), "fail");
    assert_string_equal(study_bench_cell(oat, 0, "gate_high"), "pass");
    assert_true(atof(study_bench_cell(oat, 0, "y_high")) == 823.625 / 183.625);
    assert_string_equal(study_bench_cell(oat, 1, "y_low"), "5");
    assert_true(atof(study_bench_cell(oat, 1, "y_high")) == 778. / 458);
    assert_string_equal(study_bench_cell(oat, 2, "constant"), "queue_depth");
    assert_string_equal(study_bench_cell(oat, 2, "swing"), "0");
    assert_string_equal(study_bench_cell(oat, 0, "bar"), "####################");
    /* Swings 640 / 183.625 and 4 - 320 / 458. */
    assert_string_equal(study_bench_cell(oat, 1, "bar"), "###################");
    assert_string_equal(study_bench_cell(oat, 2, "bar"), "");
    assert_string_equal(study_bench_cell(oat, 8, "gate_base"), "");
    ks_study_outcome_free(&outcome);
}

static void elasticities_of_a_ratio_of_dispatch_costs_sum_to_0(void **state) {
    (void)state;
    ks_study_outcome outcome = run("  - elasticity: {step: 1}\n", 1);
    const ks_table *t = study_bench_table(&outcome, "elasticity");
    const double fixed = atof(study_bench_cell(t, 0, "elasticity"));
    const double rate = atof(study_bench_cell(t, 1, "elasticity"));
    /* F (n3 / y3 - n2 / y2) = 400 / 423.625 - 80 / 103.625 */
    assert_true(fabs(fixed - (400 / 423.625 - 80 / 103.625)) < 1e-4);
    assert_true(fabs(fixed + rate) < 1e-4);
    assert_string_equal(study_bench_cell(t, 2, "elasticity"), "0");
    ks_study_outcome_free(&outcome);
}

static void centered_steps_reach_both_ends_and_name_the_critical_path(void **state) {
    (void)state;
    ks_study_outcome outcome = run("  - centered: {steps: 2}\n", 1);
    const ks_table *t = study_bench_table(&outcome, "centered");
    assert_int_equal(ks_table_row_count(t), 3 * 3 * 5);
    static const char *const values[] = {"0", "20", "40", "60", "80"};
    for (size_t i = 0; i < 5; i++) assert_string_equal(study_bench_cell(t, i, "value"), values[i]);
    assert_string_equal(study_bench_cell(t, 10, "value"), "1");
    assert_string_equal(study_bench_cell(t, 11, "value"), "5"); /* 4.5 levels: ties up */
    assert_string_equal(study_bench_cell(t, study_bench_row(t, "figure=faster step=0"), "path"),
                        "dma_lat/dma_rd");
    ks_study_outcome_free(&outcome);
}

static void a_constant_output_has_indices_of_0_and_a_warning(void **state) {
    (void)state;
    ks_study_outcome outcome = run("  - sobol: {N: 16}\n  - morris: {r: 4}\n", 1);
    const ks_table *sobol = study_bench_table(&outcome, "sobol");
    const ks_table *morris = study_bench_table(&outcome, "morris");
    const size_t row = study_bench_row(sobol, "output=tiles");
    assert_string_equal(study_bench_cell(sobol, row, "S1"), "0");
    assert_string_equal(study_bench_cell(sobol, row, "ST_hi"), "0");
    assert_true(strstr(ks_text_string(&sobol->notes), "**Warning:** tiles is the same") != NULL);
    assert_true(strstr(ks_text_string(&morris->notes), "**Warning:** tiles is the same") != NULL);
    assert_null(strstr(ks_text_string(&sobol->notes), "faster is the same"));
    ks_study_outcome_free(&outcome);
}

static void the_sample_is_named_beside_what_it_gave(void **state) {
    (void)state;
    ks_study_outcome outcome = run(
        "  - sobol: {N: 17, seed: 5, sequence: random}\n  - morris: {r: 4, p: 6, seed: 9}\n", 1);
    const ks_table *sobol = study_bench_table(&outcome, "sobol");
    const ks_table *morris = study_bench_table(&outcome, "morris");
    assert_string_equal(study_bench_cell(sobol, 0, "N"), "17");
    assert_string_equal(study_bench_cell(sobol, 0, "seed"), "5");
    assert_string_equal(study_bench_cell(sobol, 0, "sequence"), "random");
    assert_true(strstr(study_bench_cell(sobol, 0, "estimator"), "Jansen") != NULL);
    assert_string_equal(study_bench_cell(morris, 0, "r"), "4");
    assert_string_equal(study_bench_cell(morris, 0, "p"), "6");
    assert_string_equal(study_bench_cell(morris, 0, "seed"), "9");
    ks_study_outcome_free(&outcome);
}

static void a_larger_n_takes_over_what_a_smaller_one_paid_for(void **state) {
    (void)state;
    ks_study_outcome both = run("  - sobol: {N: 64}\n  - sobol: {N: 128}\n", 1);
    ks_study_outcome large = run("  - sobol: {N: 128}\n", 1);
    assert_int_equal(both.simulated, large.simulated);
    assert_int_equal(both.asked, large.asked + 64 * 5 * 2);
    ks_study_outcome_free(&both);
    ks_study_outcome_free(&large);
}

static ks_text text_of(const ks_study_outcome *outcome) {
    ks_text text = {0};
    for (size_t i = 0; i < outcome->tables.count; i++) {
        ks_table_print_csv(&text, outcome->tables.items[i]);
        ks_table_print_page(&text, outcome->tables.items[i]);
    }
    return text;
}

static void any_number_of_threads_gives_the_same_tables(void **state) {
    (void)state;
    static const char methods[] =
        "  - oat: {}\n  - elasticity: {}\n  - centered: {steps: 2}\n  - grid: {levels: 3}\n"
        "  - pairs: {levels: 5}\n  - list: {calibrations: [{queue_depth: 2}]}\n"
        "  - morris: {r: 5}\n  - sobol: {N: 32, second_order: true}\n  - filter: {N: 64}\n";
    ks_study_outcome one = run(methods, 1);
    ks_text wanted = text_of(&one);
    ks_study_outcome_free(&one);
    static const int threads[] = {2, 3, 8};
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        ks_study_outcome many = run(methods, threads[i]);
        ks_text text = text_of(&many);
        assert_string_equal(ks_text_string(&text), ks_text_string(&wanted));
        ks_text_free(&text);
        ks_study_outcome_free(&many);
    }
    ks_text_free(&wanted);
}

static void filtering_finds_the_constants_that_part_pass_from_fail(void **state) {
    (void)state;
    ks_study_outcome outcome = run("  - filter: {N: 256}\n", 1);
    const ks_table *t = study_bench_table(&outcome, "filter");
    assert_true(atof(study_bench_cell(t, 0, "distance")) >
                atof(study_bench_cell(t, 0, "critical")));
    assert_true(atof(study_bench_cell(t, 1, "distance")) >
                atof(study_bench_cell(t, 1, "critical")));
    assert_true(atof(study_bench_cell(t, 2, "distance")) <
                atof(study_bench_cell(t, 2, "critical")));
    ks_study_outcome_free(&outcome);
}

static void robustness_has_a_line_a_gate_with_its_margin(void **state) {
    (void)state;
    ks_study_outcome outcome = run("  - oat: {}\n", 1);
    const ks_table *t = study_bench_table(&outcome, "robustness");
    assert_int_equal(ks_table_row_count(t), 2);
    assert_string_equal(study_bench_cell(t, 0, "verdict"), "pass");
    assert_string_equal(study_bench_cell(t, 0, "limit"), "2");
    assert_true(fabs(atof(study_bench_cell(t, 0, "margin")) - 104.402895) < 1e-5);
    ks_study_outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oat_has_the_ends_of_every_range_with_the_largest_swing_first),
        cmocka_unit_test(elasticities_of_a_ratio_of_dispatch_costs_sum_to_0),
        cmocka_unit_test(centered_steps_reach_both_ends_and_name_the_critical_path),
        cmocka_unit_test(a_constant_output_has_indices_of_0_and_a_warning),
        cmocka_unit_test(the_sample_is_named_beside_what_it_gave),
        cmocka_unit_test(a_larger_n_takes_over_what_a_smaller_one_paid_for),
        cmocka_unit_test(any_number_of_threads_gives_the_same_tables),
        cmocka_unit_test(filtering_finds_the_constants_that_part_pass_from_fail),
        cmocka_unit_test(robustness_has_a_line_a_gate_with_its_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
