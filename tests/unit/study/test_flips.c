/* Flips of the product's gates, against simulating value after value. */
#include <stdio.h>

#include "study_bench.h"

#include "study/gate_line.h"

#define HEAD(kernels)                                                                \
    "study: t\nabout: a test\nbase: \"G=8 TILE=64 d=128 S=1024\"\nkernels: " kernels \
    "\nconstants:\n"

enum { EVERY = 11 };

typedef struct dense_case {
    const char *yaml;
    uint64_t low, high; /* ticks: every 11th value in between is simulated */
    ks_effect effect;
} dense_case;

#define FIXED "  - {name: dispatch_fixed_cycles, low: 0, high: 400}\n"
#define END "methods: [flips: {}]\n"

/* The first two hold the known cases in which total_cycles is not convex. */
static const dense_case cases[] = {
    {HEAD("[decode_opt3]") FIXED
     "figures: [{name: t, expr: decode_opt3.total_cycles, gate: \"> 15170\"}]\n" END,
     310000, 330000, KS_EFFECT_ORDER},
    {HEAD("[decode_a1]") "  - {name: math_startup_cycles, low: 2, high: 32}\n"
                         "figures: [{name: t, expr: \"decode_a1{policy=rw_aware}.total_cycles\", "
                         "gate: \"> 16500\"}]\n" END,
     210000, 230000, KS_EFFECT_SERVICES},
    {HEAD("[decode_opt2, decode_opt3]") FIXED
     "figures: [{name: t, expr: \"decode_opt3.total_cycles / decode_opt2.total_cycles\", gate: "
     "\"> 1\"}]\n" END,
     370000, 385000, KS_EFFECT_ORDER},
    {HEAD("[decode_opt2, decode_opt3]") "  - {name: dma_bytes_per_cycle, low: 32, high: 128}\n"
                                        "figures: [{name: t, expr: \"decode_opt3.total_cycles / "
                                        "decode_opt2.total_cycles\", gate: \"> 1\"}]\n" END,
     600000, 615000, KS_EFFECT_SERVICES},
    {HEAD("[decode_opt2]") "  - {name: dispatch_cycles_per_byte, low: 0, high: 1}\n"
                           "figures: [{name: t, expr: decode_opt2.total_cycles, gate: \"<= "
                           "15800\"}]\n" END,
     0, 10000, KS_EFFECT_ORDER},
};

static ks_gate_state predicted(const ks_flips *flips, uint64_t value, ks_gate_state first) {
    ks_gate_state state = first;
    for (size_t i = 0; i < flips->count && flips->items[i].above <= value; i++)
        state = flips->items[i].state_above;
    return state;
}

static void values_answer_as_the_flips_say(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const dense_case *c = &cases[i];
        const size_t count = (c->high - c->low) / EVERY + 1;
        ks_study *study = study_bench(c->yaml);
        const ks_subject_options options = {2, NULL};
        ks_subject *subject = ks_subject_new(study, &options);
        ks_gate_line *gate = ks_gate_line_new(subject, 0, 0, &study->constants[0].base);
        const ks_line line = ks_gate_line_over(gate, c->low, c->high);
        ks_flips flips;
        ks_error error = {""};
        assert_int_equal(ks_gate_line_effect(gate), c->effect);
        if (ks_line_walk(&line, c->low + count, c->high - c->low, &flips, &error))
            fail_msg("%s", error.text);
        assert_true(flips.from == c->low && flips.to == c->high);
        assert_true(flips.count >= 1);
        assert_true(flips.pieces < (c->high - c->low) / 20); /* the point of it */
        const size_t all = count + 2 * flips.count;          /* both sides of every flip, too */
        uint64_t *values = malloc(all * sizeof *values);
        ks_answer *answers = malloc(all * sizeof *answers);
        for (size_t k = 0; k < count; k++) values[k] = c->low + EVERY * k;
        for (size_t k = 0; k < flips.count; k++) {
            values[count + 2 * k] = flips.items[k].below;
            values[count + 2 * k + 1] = flips.items[k].above;
        }
        assert_int_equal(ks_subject_ask(subject, values, all, answers, &error), KS_OK);
        for (size_t k = 0; k < all; k++)
            if (answers[k].gate != predicted(&flips, values[k], answers[0].gate))
                fail_msg("case %zu at %llu", i, (unsigned long long)values[k]);
        ks_answers_free(answers, all);
        free(values);
        free(answers);
        ks_flips_free(&flips);
        ks_gate_line_free(gate);
        ks_subject_free(subject);
        ks_study_free(study);
    }
}

static void what_a_constant_does_to_a_column_is_never_taken_for_less_than_it_is(void **state) {
    (void)state;
    static const struct {
        ks_constant constant;
        ks_column column;
        ks_effect effect;
    } wanted[] = {
        {KS_C_dispatch_fixed_cycles, KS_COL_dispatch_cycles_per_tile, KS_EFFECT_LINEAR},
        {KS_C_dispatch_fixed_cycles, KS_COL_total_cycles, KS_EFFECT_ORDER},
        {KS_C_dispatch_fixed_cycles, KS_COL_total_ns, KS_EFFECT_UNKNOWN},
        {KS_C_dispatch_fixed_cycles, KS_COL_crit_cpu, KS_EFFECT_UNKNOWN},
        {KS_C_dispatch_fixed_cycles, KS_COL_cpu_wait_cycles, KS_EFFECT_UNKNOWN},
        {KS_C_dispatch_fixed_cycles, KS_COL_busy_gemm, KS_EFFECT_NONE},
        {KS_C_dispatch_cycles_per_byte, KS_COL_commands, KS_EFFECT_NONE},
        {KS_C_dma_latency_cycles, KS_COL_dispatch_cycles, KS_EFFECT_NONE},
        {KS_C_dma_latency_cycles, KS_COL_total_cycles, KS_EFFECT_SERVICES},
        {KS_C_dma_latency_cycles, KS_COL_roofline_cycles, KS_EFFECT_NONE},
        {KS_C_dma_bytes_per_cycle, KS_COL_roofline_cycles, KS_EFFECT_UNKNOWN},
        {KS_C_clock_ghz, KS_COL_total_ns, KS_EFFECT_UNKNOWN},
        {KS_C_clock_ghz, KS_COL_total_cycles, KS_EFFECT_NONE},
        {KS_C_op_header_bytes, KS_COL_dispatch_cycles, KS_EFFECT_UNKNOWN},
        {KS_C_queue_depth, KS_COL_total_cycles, KS_EFFECT_UNKNOWN},
        {KS_C_gemm_rows, KS_COL_total_cycles, KS_EFFECT_UNKNOWN},
        {KS_C_dma_burst_bytes, KS_COL_total_cycles, KS_EFFECT_UNKNOWN},
    };
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        assert_int_equal(ks_effect_of(wanted[i].constant, wanted[i].column), wanted[i].effect);
}

static void a_flip_is_told_with_its_method_and_how_far_was_looked(void **state) {
    (void)state;
    ks_study_outcome outcome =
        study_bench_run(HEAD("[decode_opt2, decode_opt3]") FIXED
                        "  - {name: queue_depth, low: 5, high: 9}\n"
                        "figures:\n"
                        "  - {name: r, expr: \"decode_opt3.dispatch_cycles_per_tile / "
                        "decode_opt2.dispatch_cycles_per_tile\", gate: \"> 2\"}\n"
                        "  - {name: q, expr: decode_opt2.total_cycles, gate: \"> 15000\"}\n" END,
                        1);
    const ks_table *t = study_bench_table(&outcome, "flips");
    assert_string_equal(study_bench_cell(t, 0, "exact"), "63/16");
    assert_string_equal(study_bench_cell(t, 0, "below"), "3.9375");
    assert_string_equal(study_bench_cell(t, 0, "above"), "3.9376");
    assert_string_equal(study_bench_cell(t, 0, "gate_below"), "fail");
    assert_string_equal(study_bench_cell(t, 0, "method"), "closed form");
    assert_string_equal(study_bench_cell(t, 1, "exact"), "");
    assert_string_equal(study_bench_cell(t, 1, "method"), "every value");
    assert_string_equal(study_bench_cell(t, 1, "from"), "5");
    assert_string_equal(study_bench_cell(t, 1, "to"), "9");
    const ks_table *robustness = study_bench_table(&outcome, "robustness");
    assert_string_equal(study_bench_cell(robustness, 0, "nearest_flip_value"), "3.9375");
    assert_string_equal(study_bench_cell(robustness, 0, "nearest_flip_percent"), "-90.15625");
    ks_study_outcome_free(&outcome);
}

static void beyond_the_budget_flips_are_at_least_these(void **state) {
    (void)state;
    ks_study_outcome outcome = study_bench_run(
        HEAD("[decode_opt2]") "  - {name: dispatch_fixed_cycles, low: 0, high: 400}\n"
                              "figures: [{name: q, expr: decode_opt2.total_cycles, gate: \"> "
                              "16000\"}]\nmethods: [flips: {budget: 16}]\n",
        1);
    const ks_table *t = study_bench_table(&outcome, "flips");
    assert_string_equal(study_bench_cell(t, 0, "method"), "sample: at least these");
    assert_string_not_equal(study_bench_cell(t, 0, "to"), "400");
    assert_string_equal(study_bench_cell(t, 0, "gate_above"), "pass");
    assert_string_equal(study_bench_cell(t, 0, "exact"), "");
    ks_study_outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_answer_as_the_flips_say),
        cmocka_unit_test(what_a_constant_does_to_a_column_is_never_taken_for_less_than_it_is),
        cmocka_unit_test(a_flip_is_told_with_its_method_and_how_far_was_looked),
        cmocka_unit_test(beyond_the_budget_flips_are_at_least_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
