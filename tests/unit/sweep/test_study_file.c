/* Study files: what they mean, and what is refused at which place. */
#include "sweep_bench.h"

#include "sweep/study_file.h"

static const bool is_studied[COUNT(bench_columns)] = {true, true, false, false};
static const ks_study_options options = {bench_columns, is_studied, COUNT(bench_columns)};

#define TOP                                \
    "study: t\n"                           \
    "about: a test\n"                      \
    "base: \"G=8 TILE=64 d=128 S=4096\"\n" \
    "kernels: [decode_opt2, decode_opt3]\n"
#define CONSTANTS "constants: [{name: dma_latency_cycles, low: 100, high: 400}]\n"
#define FIGURES "figures: [{name: r, expr: decode_opt2.total_cycles, gate: \"> 2\"}]\n"
#define METHODS "methods: [oat: {}]\n"

static ks_study *study_of(const char *yaml) {
    ks_study *study;
    ks_error error = {""};
    if (ks_study_parse(FILE_NAME, yaml, strlen(yaml), &bench_table, &options, &study, &error))
        fail_msg("%s", error.text);
    return study;
}

static void a_range_stands_beside_the_name_or_in_the_calibration_file(void **state) {
    (void)state;
    ks_study *study = study_of(
        TOP "constants:\n"
            "  - {name: dma_latency_cycles, low: 100, high: 400.5, unit: cycle, source: board 3}\n"
            "  - {name: dma_bytes_per_cycle, low: 32, high: 128}\n"
            "  - {name: gemm_fill_cycles, low: 0, high: 16, scale: rate}\n" FIGURES METHODS);
    assert_int_equal(study->constant_count, 3);
    const ks_study_constant *c = study->constants;
    assert_int_equal(c[0].constant, KS_C_dma_latency_cycles);
    assert_int_equal(c[0].low, 1000000);
    assert_int_equal(c[0].base, 2500000);
    assert_int_equal(c[0].high, 4005000);
    assert_string_equal(c[0].source, "board 3");
    assert_false(c[0].is_rate);
    assert_true(c[1].is_rate && c[2].is_rate);
    assert_int_equal(c[2].base, c[2].high); /* a base may lie at an end */
    ks_study_free(study);
}

static void a_figure_of_a_column_alone_is_there_once_a_kernel(void **state) {
    (void)state;
    ks_study *study =
        study_of(TOP CONSTANTS "figures:\n"
                               "  - {name: t, expr: total_cycles / S, gate: '<= 20'}\n"
                               "  - {name: r, expr: decode_opt3.total_cycles}\n" METHODS);
    assert_int_equal(study->figure_count, 3);
    assert_string_equal(study->figures[0].name, "t.decode_opt2");
    assert_string_equal(study->figures[1].name, "t.decode_opt3");
    assert_string_equal(study->figures[0].op, "<=");
    assert_int_equal(study->figures[1].kernel, OPT3);
    assert_string_equal(study->figures[2].name, "r");
    assert_null(study->figures[2].op);
    ks_study_free(study);
}

static void methods_have_defaults_and_take_their_own_options(void **state) {
    (void)state;
    ks_study *study = study_of(TOP CONSTANTS FIGURES
                               "methods:\n"
                               "  - oat\n"
                               "  - morris: {r: all, p: 4}\n"
                               "  - sobol: {N: 1000, sequence: random, second_order: true, "
                               "confidence: 0.99}\n"
                               "  - certificate: {box: 20}\n"
                               "  - certificate: {box: {dma_latency_cycles: {low: 200, high: "
                               "300}}}\n"
                               "  - whatif: {rules: [D6.3, dispatch]}\n");
    const ks_study_method *m = study->methods;
    assert_int_equal(study->method_count, 6);
    assert_int_equal(m[0].kind, KS_METHOD_OAT);
    assert_true(m[1].n == 0 && m[1].p == 4 && m[1].seed == 1);
    assert_true(m[2].n == 1000 && m[2].is_random && m[2].has_second_order);
    assert_int_equal(m[2].confidence_ticks, 9900);
    assert_int_equal(m[2].resamples, 100);
    assert_true(m[3].box == KS_BOX_PERCENT && m[3].box_ticks == 200000);
    assert_true(m[4].box == KS_BOX_BOUNDS && m[4].lows[0] == 2000000 && m[4].highs[0] == 3000000);
    assert_int_equal(m[5].rule_count, 2);
    assert_int_equal(m[5].rules[0], KS_WHATIF_D6_3);
    ks_study_free(study);
}

static const struct {
    const char *yaml, *message;
} refusals[] = {
    {TOP CONSTANTS FIGURES "methods: [sobol: {N: 1000}]\n", ":7:22: found '1000' for N, expected a "
                                                            "power of two"},
    {TOP CONSTANTS FIGURES "methods: [sobol: {N: 1}]\n", "found '1' for N, expected a whole number "
                                                         "from 2 to 1048576"},
    {TOP CONSTANTS FIGURES "methods: [morris: {p: 5}]\n", "expected an even number of levels"},
    {TOP CONSTANTS FIGURES "methods: [morris: {levels: 4}]\n", "levels"},
    {TOP CONSTANTS FIGURES "methods: [morriss: {}]\n", "did you mean"},
    {TOP CONSTANTS FIGURES "methods: [oat: {figures: 1}]\n",
     "unknown key 'figures' in oat, expected none"},
    {TOP CONSTANTS FIGURES
     "methods: [certificate: {box: {dma_latency_cycle: {low: 1, high: 2}}}]\n",
     "found 'dma_latency_cycle', expected one of the study's constants (did you mean "
     "dma_latency_cycles?)"},
    {TOP CONSTANTS FIGURES "methods: [list]\n", "calibrations"},
    {TOP CONSTANTS FIGURES "methods: [list: {calibrations: [{queue_depth: 1}]}]\n",
     "found 'queue_depth', expected one of the study's constants"},
    {TOP CONSTANTS FIGURES "methods: [whatif: {rules: [D6.2, D6.2]}]\n", "a second time"},
    {TOP "constants: [dma_latency_cycles]\n" FIGURES METHODS, "dma_latency_cycles"},
    {TOP "constants: [{name: dma_latency_cycles, low: 251, high: 400}]\n" FIGURES METHODS,
     "does not hold its base 250"},
    {TOP "constants: [{name: dma_latency_cycles, low: 100}]\n" FIGURES METHODS,
     "found low without high"},
    {TOP "constants: [{name: dma_latency_cycles, low: 100, high: 400, unit: ns}]\n" FIGURES METHODS,
     "expected cycle"},
    {TOP "constants: [{name: gemm_rule, low: 1, high: 2}]\n" FIGURES METHODS,
     "found gemm_rule, expected a constant whose values are numbers"},
    {TOP "constants: [{name: S, low: 1, high: 2}]\n" FIGURES METHODS,
     "expected the name of a constant"},
    {TOP CONSTANTS "figures: [{name: r, expr: gemm.total_cycles}]\n" METHODS,
     "found gemm in a figure, expected one of the study's kernels"},
    {TOP CONSTANTS "figures: [{name: r, expr: rmse}]\n" METHODS,
     "found rmse, expected a figure that mode timing gives without an op_log"},
    {TOP CONSTANTS "figures: [{name: r, expr: \"2 + 2\"}]\n" METHODS,
     "expected an expression that names a result column"},
    {TOP CONSTANTS "figures: [{name: r, expr: total_cycles, gate: 2}]\n" METHODS,
     "expected ==, !=, <, <=, > or >= and a figure"},
    {"study: t\nabout: a\nbase: \"G=8 TILE=64 d=128\"\nkernels: [decode_opt2]\n" CONSTANTS FIGURES
         METHODS,
     "found no S in base"},
    {"study: t\nabout: a\nbase: \"kernel=decode_opt2 G=8 TILE=64 d=128 S=64\"\nkernels: "
     "[decode_opt2]\n" CONSTANTS FIGURES METHODS,
     "found a kernel in base"},
    {"study: ../t\nabout: a\nbase: \"G=8 TILE=64 d=128 S=64\"\nkernels: [decode_opt2]\n" CONSTANTS
         FIGURES METHODS,
     "expected its name"},
    {TOP CONSTANTS
     "figures: [{name: r, expr: \"decode_opt2{model=llama3-8b}.total_cycles\"}]\n" METHODS,
     "found 'llama3-8b' for model"},
    {TOP CONSTANTS FIGURES METHODS "more: 1\n", "more"},
};

static void what_is_wrong_is_refused_with_what_was_expected(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        ks_study *study;
        ks_error error = {""};
        const char *yaml = refusals[i].yaml;
        const ks_status status =
            ks_study_parse(FILE_NAME, yaml, strlen(yaml), &bench_table, &options, &study, &error);
        if (status != KS_INPUT) fail_msg("status %d: %s", (int)status, yaml);
        if (!strstr(error.text, refusals[i].message))
            fail_msg("'%s' for '%s'", error.text, refusals[i].message);
        assert_true(strncmp(error.text, FILE_NAME ":", sizeof FILE_NAME) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_stands_beside_the_name_or_in_the_calibration_file),
        cmocka_unit_test(a_figure_of_a_column_alone_is_there_once_a_kernel),
        cmocka_unit_test(methods_have_defaults_and_take_their_own_options),
        cmocka_unit_test(what_is_wrong_is_refused_with_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
