/* Gates on dispatch costs in closed form: the worked example, and opt3 / opt2 > 2. */
#include <math.h>

#include "study_bench.h"

#include "study/half_plane.h"

static ks_plane_sum sum(int64_t fixed, int64_t byte) {
    const ks_exact zero = {0}, f = ks_exact_of_u64((uint64_t)llabs(fixed)),
                   b = ks_exact_of_u64((uint64_t)llabs(byte));
    return (ks_plane_sum){fixed < 0 ? ks_exact_sub(&zero, &f) : f,
                          byte < 0 ? ks_exact_sub(&zero, &b) : b, zero};
}

static void expect_exact(const ks_exact *value, const char *wanted) {
    ks_text text = {0};
    ks_exact_print(&text, value);
    assert_string_equal(ks_text_string(&text), wanted);
    ks_text_free(&text);
}

static void expect_plane(const ks_half_plane *plane, const char *op, const char *wanted) {
    ks_text text = {0};
    ks_half_plane_print(&text, plane, op);
    assert_string_equal(ks_text_string(&text), wanted);
    ks_text_free(&text);
}

/* n2 = 10, b2 = 8192, n3 = 30, b3 = 10240: 2.0175 at 40 and 0.0625; rho* = 614.4, so FIXED 38.4. */
static const struct { int64_t n2, b2, n3, b3; } worked = {10, 8192, 30, 10240};

static ks_half_plane worked_plane(void) {
    return (ks_half_plane){true, sum(worked.n3 - 2 * worked.n2, worked.b3 - 2 * worked.b2),
                           sum(worked.n2, worked.b2), sum(worked.n3, worked.b3),
                           sum(worked.n2, worked.b2)};
}

static void the_worked_example_flips_at_614_4(void **state) {
    (void)state;
    const ks_half_plane plane = worked_plane();
    ks_exact low, high, of_fixed, of_byte;
    expect_plane(&plane, ">", "dispatch_fixed_cycles > 3072/5 dispatch_cycles_per_byte");
    expect_plane(&plane, "<=", "dispatch_fixed_cycles <= 3072/5 dispatch_cycles_per_byte");
    assert_true(ks_half_plane_range(&plane, &low, &high));
    expect_exact(&low, "5/4");
    expect_exact(&high, "3");
    assert_true(ks_half_plane_elasticity(&plane, 400000, 625, &of_fixed, &of_byte));
    const ks_exact both = ks_exact_add(&of_fixed, &of_byte);
    assert_int_equal(ks_exact_sign(&both), 0); /* Euler */
    assert_true(fabs(ks_exact_double(&of_fixed) - 0.2136) < 5e-5);
    assert_true(fabs(ks_exact_double(&of_byte) + 0.2136) < 5e-5);
}

static int worked_is_fixed; /* which constant moves; the other one at 40 or 0.0625 */
static ks_status worked_at(void *self, uint64_t value, bool is_upward, ks_piece *piece,
                           ks_error *error) {
    const ks_line *line = *(const ks_line *const *)self;
    const ks_half_plane plane = worked_plane();
    const ks_exact x = ks_exact_of_ticks(value), unit = ks_exact_of_ticks(1);
    const ks_exact other = ks_exact_of_ticks(worked_is_fixed ? 625 : 400000);
    const ks_exact *slope = worked_is_fixed ? &plane.num.fixed : &plane.num.byte;
    const ks_exact *weight = worked_is_fixed ? &plane.num.byte : &plane.num.fixed;
    const ks_exact a = ks_exact_mul(slope, &x), b = ks_exact_mul(weight, &other);
    (void)error;
    *piece = (ks_piece){.last = is_upward ? line->high : line->low,
                        .is_linear = true,
                        .num = ks_exact_add(&a, &b),
                        .den = ks_exact_of_u64(1),
                        .num_slope = ks_exact_mul(slope, &unit)};
    return KS_OK;
}

static void its_flips_are_exact_with_both_neighbours(void **state) {
    (void)state;
    static const struct {
        uint64_t high, base, below, above;
        const char *root;
    } cases[] = {{100000, 625, 651, 652, "25/384"}, /* R 0.06510, +4.2 % */
                 {1000000, 400000, 384000, 384001, "192/5"}};
    for (int i = 0; i < 2; i++) {
        ks_line line = {.op = ">", .high = cases[i].high, .step = 1, .at = worked_at};
        const ks_line *self = &line;
        line.self = (void *)&self;
        worked_is_fixed = i;
        ks_flips flips;
        ks_error error = {""};
        assert_int_equal(ks_line_walk(&line, cases[i].base, 9, &flips, &error), KS_OK);
        assert_int_equal(flips.count, 1);
        assert_int_equal(flips.items[0].below, cases[i].below);
        assert_int_equal(flips.items[0].above, cases[i].above);
        expect_exact(&flips.items[0].root, cases[i].root);
        ks_flips_free(&flips);
    }
}

#define STUDY(figures)                                                   \
    "study: t\nabout: a test\nbase: \"G=8 TILE=64 d=128 S=4096\"\n"      \
    "kernels: [decode_opt2, decode_opt3]\n"                              \
    "constants:\n  - {name: dispatch_fixed_cycles, low: 0, high: 400}\n" \
    "  - {name: dispatch_cycles_per_byte, low: 0, high: 1}\n"            \
    "  - {name: queue_depth, low: 1, high: 8}\n"                         \
    "figures:\n" figures "methods: [flips: {}]\n"

#define RATIO                                                    \
    "  - {name: r, expr: \"decode_opt3.dispatch_cycles_per_tile" \
    " / decode_opt2.dispatch_cycles_per_tile\", gate: \"> 2\"}\n"

static void
opt3_over_opt2_is_above_2_where_fixed_is_above_63_rates_as_a_dense_sweep_says(void **state) {
    (void)state;
    ks_study *study = study_bench(STUDY(RATIO));
    const ks_subject_options options = {2, NULL};
    ks_subject *subject = ks_subject_new(study, &options);
    ks_half_plane plane;
    ks_error error = {""};
    ks_exact low, high;
    assert_int_equal(ks_half_plane_of(study, 0, &plane, &error), KS_OK);
    assert_true(plane.is_there);
    expect_plane(&plane, ">", "dispatch_fixed_cycles > 63 dispatch_cycles_per_byte");
    assert_true(ks_half_plane_range(&plane, &low, &high));
    expect_exact(&low, "1");
    expect_exact(&high, "5");
    enum { SIDE = 201 };
    uint64_t *calibrations = malloc(SIDE * SIDE * 3 * sizeof *calibrations);
    ks_answer *answers = malloc(SIDE * SIDE * sizeof *answers);
    for (uint64_t f = 0; f < SIDE; f++)
        for (uint64_t b = 0; b < SIDE; b++) {
            uint64_t *calibration = calibrations + (f * SIDE + b) * 3;
            calibration[0] = f * 20000;
            calibration[1] = b * 50;
            calibration[2] = 80000;
        }
    assert_int_equal(ks_subject_ask(subject, calibrations, SIDE * SIDE, answers, &error), KS_OK);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        const uint64_t *calibration = calibrations + i * 3;
        const ks_gate_state wanted =
            calibration[0] || calibration[1]
                ? calibration[0] > 63 * calibration[1] ? KS_GATE_HOLDS : KS_GATE_FAILS
                : KS_GATE_UNKNOWN; /* 0 / 0 */
        if (answers[i].gate != wanted) fail_msg("calibration %zu", i);
        if (answers[i].has_value)
            assert_true(ks_exact_compare(&answers[i].value, &low) >= 0 &&
                        ks_exact_compare(&answers[i].value, &high) <= 0);
    }
    ks_answers_free(answers, SIDE * SIDE);
    free(calibrations);
    free(answers);
    ks_half_plane_free(&plane);
    ks_subject_free(subject);
    ks_study_free(study);
}

static void a_plane_is_told_whatever_its_shape(void **state) {
    (void)state;
    static const struct {
        const char *figures, *where;
    } cases[] = {
        {STUDY("  - {name: r, expr: decode_opt2.dispatch_cycles_per_tile, gate: \"<= 100\"}\n"),
         "dispatch_fixed_cycles <= -189 dispatch_cycles_per_byte + 50"},
        {STUDY("  - {name: r, expr: decode_opt2.dispatch_cycles_per_tile, gate: \"< "
               "decode_opt3.dispatch_cycles_per_tile\"}\n"),
         "dispatch_fixed_cycles > 0"},
        {STUDY("  - {name: r, expr: decode_opt2.tiles, gate: \">= 64\"}\n"), "every calibration"},
        {STUDY("  - {name: r, expr: decode_opt2.tiles, gate: \"> 64\"}\n"), "no calibration"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ks_study_outcome outcome = study_bench_run(cases[i].figures, 1);
        const ks_table *table = study_bench_table(&outcome, "half-planes");
        const char *cell = study_bench_cell(table, 0, "passes_where");
        if (strncmp(cell, cases[i].where, strlen(cases[i].where)) != 0)
            fail_msg("'%s' for '%s'", cell, cases[i].where);
        ks_study_outcome_free(&outcome);
    }
}

static void a_plane_needs_neither_constant_to_be_studied(void **state) {
    (void)state;
    ks_study_outcome outcome =
        study_bench_run("study: t\nabout: a test\nbase: \"G=8 TILE=64 d=128 S=4096\"\n"
                        "kernels: [decode_opt2, decode_opt3]\n"
                        "constants: [{name: queue_depth, low: 1, high: 8}]\nfigures:\n" RATIO
                        "methods: [flips: {}]\n",
                        1);
    const ks_table *table = study_bench_table(&outcome, "half-planes");
    assert_string_equal(study_bench_cell(table, 0, "passes_where"),
                        "dispatch_fixed_cycles > 63 dispatch_cycles_per_byte");
    assert_true(fabs(atof(study_bench_cell(table, 0, "elasticity_fixed")) -
                     (400 / 423.625 - 80 / 103.625)) < 1e-12);
    ks_study_outcome_free(&outcome);
}

static void a_side_that_fixes_a_dispatch_constant_has_no_plane(void **state) {
    (void)state;
    ks_study_outcome outcome =
        study_bench_run(STUDY("  - {name: r, expr: \"decode_opt3{dispatch_fixed_cycles=40}."
                              "dispatch_cycles_per_tile\", gate: \"> 2\"}\n"),
                        1);
    assert_int_equal(ks_table_row_count(study_bench_table(&outcome, "half-planes")), 0);
    ks_study_outcome_free(&outcome);
}

/* Every cost a unit doubled doubles every dispatch cost and leaves their ratio. */
static void doubled_costs_double_dispatch_and_leave_ratios(void **state) {
    (void)state;
    ks_study *study =
        study_bench(STUDY(RATIO "  - {name: t, expr: decode_opt3.dispatch_cycles}\n"));
    const ks_subject_options options = {1, NULL};
    ks_subject *subject = ks_subject_new(study, &options);
    for (uint64_t fixed = 1; fixed < 2000000; fixed = fixed * 7 + 3) {
        const uint64_t asked[] = {fixed, fixed / 50, 80000, 2 * fixed, 2 * (fixed / 50), 80000};
        ks_answer answers[4];
        ks_error error = {""};
        const ks_exact two = ks_exact_of_u64(2);
        assert_int_equal(ks_subject_ask(subject, asked, 2, answers, &error), KS_OK);
        const ks_exact twice = ks_exact_mul(&two, &answers[1].value);
        assert_true(ks_exact_compare(&answers[0].value, &answers[2].value) == 0);
        assert_true(ks_exact_compare(&twice, &answers[3].value) == 0);
        ks_answers_free(answers, 4);
    }
    ks_subject_free(subject);
    ks_study_free(study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_flips_at_614_4),
        cmocka_unit_test(its_flips_are_exact_with_both_neighbours),
        cmocka_unit_test(
            opt3_over_opt2_is_above_2_where_fixed_is_above_63_rates_as_a_dense_sweep_says),
        cmocka_unit_test(a_plane_is_told_whatever_its_shape),
        cmocka_unit_test(doubled_costs_double_dispatch_and_leave_ratios),
        cmocka_unit_test(a_plane_needs_neither_constant_to_be_studied),
        cmocka_unit_test(a_side_that_fixes_a_dispatch_constant_has_no_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
