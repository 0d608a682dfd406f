/* Boundaries of gates in a plane: how flips are joined, and against simulating along the lines. */
#include <math.h>

#include "study_bench.h"

#include "study/boundary.h"
#include "study/line.h"
#include "study/subject.h"

/* ---- joining ---- */

enum { SIDE = 3, FLIPS_MOST = 4 };

/* A grid of 3 x 3 values 0, 10, 20 whose flips a test puts in. */
typedef struct plane {
    ks_flip items[2][SIDE][FLIPS_MOST];
    ks_flips flips[2][SIDE];
    const ks_flips *lines[2][SIDE];
} plane;

static const uint64_t values[SIDE] = {0, 10, 20};

/* Behind the line's flips so far, between `below` and the next value. */
static void flip(plane *p, size_t held, size_t line, uint64_t below, ks_gate_state before,
                 ks_gate_state after) {
    ks_flips *flips = &p->flips[held][line];
    p->items[held][line][flips->count++] =
        (ks_flip){.below = below, .above = below + 1, .state_below = before, .state_above = after};
}

static size_t join(plane *p, ks_vertex **out) {
    for (size_t held = 0; held < 2; held++)
        for (size_t i = 0; i < SIDE; i++) {
            p->flips[held][i].items = p->items[held][i];
            p->lines[held][i] = &p->flips[held][i];
        }
    const ks_boundary_grid grid = {{values, values}, {SIDE, SIDE}, {p->lines[0], p->lines[1]}};
    size_t count;
    assert_int_equal(ks_boundary_join(&grid, out, &count), KS_OK);
    return count;
}

static void no_flips_make_no_polyline(void **state) {
    (void)state;
    plane p = {0};
    ks_vertex *out;
    assert_int_equal(join(&p, &out), 0);
    free(out);
}

static void a_boundary_across_the_plane_is_one_open_polyline_in_order(void **state) {
    (void)state;
    plane p = {0};
    ks_vertex *out;
    /* It rises: y below 10 at x = 0 and 10, so that y = 10 is met on the way to x = 20. */
    flip(&p, 0, 0, 4, KS_GATE_FAILS, KS_GATE_HOLDS);
    flip(&p, 0, 1, 8, KS_GATE_FAILS, KS_GATE_HOLDS);
    flip(&p, 1, 1, 14, KS_GATE_HOLDS, KS_GATE_FAILS);
    flip(&p, 0, 2, 13, KS_GATE_FAILS, KS_GATE_HOLDS);
    static const size_t held[] = {0, 0, 1, 0}, line[] = {0, 1, 1, 2};
    assert_int_equal(join(&p, &out), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(out[i].held, held[i]);
        assert_int_equal(out[i].line, line[i]);
        assert_int_equal(out[i].polyline, 0);
        assert_false(out[i].is_closed);
    }
    free(out);
}

static void a_boundary_around_a_value_is_closed(void **state) {
    (void)state;
    plane p = {0};
    ks_vertex *out;
    for (size_t held = 0; held < 2; held++) {
        flip(&p, held, 1, 5, KS_GATE_FAILS, KS_GATE_HOLDS);
        flip(&p, held, 1, 15, KS_GATE_HOLDS, KS_GATE_FAILS);
    }
    assert_int_equal(join(&p, &out), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(out[i].polyline, 0);
        assert_true(out[i].is_closed);
        assert_int_not_equal(out[i].held, out[(i + 1) % 4].held); /* round, not across */
    }
    free(out);
}

static void two_flips_between_two_values_are_joined_with_each_other(void **state) {
    (void)state;
    plane p = {0};
    ks_vertex *out;
    flip(&p, 0, 1, 2, KS_GATE_FAILS, KS_GATE_HOLDS);
    flip(&p, 0, 1, 6, KS_GATE_HOLDS, KS_GATE_FAILS);
    assert_int_equal(join(&p, &out), 2);
    assert_int_equal(out[0].polyline, out[1].polyline);
    assert_int_equal(out[0].flip, 0);
    assert_int_equal(out[1].flip, 1);
    free(out);
}

static void two_boundaries_through_one_cell_go_round_what_holds(void **state) {
    (void)state;
    plane p = {0};
    ks_vertex *out;
    /* The gate holds in two opposite corners of the first cell only. */
    flip(&p, 1, 0, 3, KS_GATE_HOLDS, KS_GATE_FAILS);
    flip(&p, 0, 0, 3, KS_GATE_HOLDS, KS_GATE_FAILS);
    flip(&p, 0, 1, 6, KS_GATE_FAILS, KS_GATE_HOLDS);
    flip(&p, 0, 1, 12, KS_GATE_HOLDS, KS_GATE_FAILS);
    flip(&p, 1, 1, 6, KS_GATE_FAILS, KS_GATE_HOLDS);
    flip(&p, 1, 1, 12, KS_GATE_HOLDS, KS_GATE_FAILS);
    assert_int_equal(join(&p, &out), 6);
    for (size_t i = 0; i < 6; i++) {
        const bool is_of_first_corner = out[i].line == 0;
        assert_int_equal(out[i].polyline, is_of_first_corner ? 0 : 1);
        assert_int_equal(out[i].is_closed, !is_of_first_corner);
    }
    free(out);
}

static void a_flip_between_fail_and_unknown_is_an_end_by_itself(void **state) {
    (void)state;
    plane p = {0};
    ks_vertex *out;
    for (size_t i = 0; i < SIDE; i++) flip(&p, 0, i, 4, KS_GATE_FAILS, KS_GATE_UNKNOWN);
    assert_int_equal(join(&p, &out), 3);
    for (size_t i = 0; i < 3; i++) assert_int_equal(out[i].polyline, i);
    free(out);
}

/* ---- the method ---- */

#define HEAD                                                       \
    "study: t\nabout: a test\nbase: \"G=8 TILE=64 d=128 S=256\"\n" \
    "kernels: [decode_opt2, decode_opt3]\nconstants:\n"            \
    "  - {name: dispatch_fixed_cycles, low: 0, high: 80}\n"
#define RATIO(column) "expr: \"decode_opt3." column " / decode_opt2." column "\""

static double number(const ks_table *t, size_t row, const char *column) {
    return strtod(study_bench_cell(t, row, column), NULL);
}

static void a_gate_on_dispatch_flips_at_63_r_on_every_line(void **state) {
    (void)state;
    ks_study_outcome outcome =
        study_bench_run(HEAD "  - {name: dispatch_cycles_per_byte, low: 0.04, high: 1}\n"
                             "figures: [{name: r, " RATIO(
                                 "dispatch_cycles_per_tile") ", gate: \"> 2\"}]\n"
                                                             "methods: [boundary: {levels: 9}]\n",
                        2);
    const ks_table *planes = study_bench_table(&outcome, "boundaries");
    const ks_table *t = study_bench_table(&outcome, "boundary-vertices");
    assert_int_equal(ks_table_row_count(planes), 1);
    assert_string_equal(study_bench_cell(planes, 0, "boundary"), "all flips");
    assert_string_equal(study_bench_cell(planes, 0, "polylines"), "1");
    assert_string_equal(study_bench_cell(planes, 0, "whole_lines"), "18");
    size_t by_fixed = 0;
    for (size_t i = 0; i < ks_table_row_count(t); i++) {
        const double fixed = number(t, i, "x"), r = number(t, i, "y");
        assert_true(fabs(fixed - 63 * r) <= 1e-9);
        assert_string_equal(study_bench_cell(t, i, "method"), "closed form");
        by_fixed += strcmp(study_bench_cell(t, i, "moves"), "dispatch_fixed_cycles") == 0;
        if (i) assert_true(number(t, i - 1, "x") <= fixed); /* one after another */
    }
    /* FIXED 10 to 60 in steps of 10, and 70 needs R > 1; R at all nine values. */
    assert_int_equal(by_fixed, 9);
    assert_int_equal(ks_table_row_count(t) - by_fixed, 6);
    assert_string_equal(study_bench_cell(t, 0, "exact"), "63/25");
    ks_study_outcome_free(&outcome);
}

/* The answer on a line before the first of its flips that lies at or above the value. */
static const char *predicted(const ks_table *t, const char *moves, const char *held, double held_at,
                             double value) {
    const char *answer = NULL;
    double last = -1, next = HUGE_VAL;
    for (size_t i = 0; i < ks_table_row_count(t); i++) {
        if (strcmp(study_bench_cell(t, i, "moves"), moves) != 0) continue;
        if (fabs(number(t, i, held) - held_at) > 1e-9) continue;
        const double below = number(t, i, "below"), above = number(t, i, "above");
        if (above <= value && above > last) {
            last = above;
            answer = study_bench_cell(t, i, "gate_above");
        }
        if (last < 0 && below >= value && below < next) {
            next = below;
            answer = study_bench_cell(t, i, "gate_below");
        }
    }
    return answer;
}

#define TOTAL                                                               \
    HEAD "  - {name: dma_latency_cycles, low: 100, high: 400}\n"            \
         "figures: [{name: r, " RATIO("total_cycles") ", gate: \"> 1\"}]\n" \
                                                      "methods: [boundary: {levels: 5}]\n"

static void a_gate_on_total_cycles_answers_on_every_line_as_the_flips_say(void **state) {
    (void)state;
    enum { STEPS = 400 };
    static const uint64_t low[] = {0, 1000000}, high[] = {800000, 4000000};
    static const char *const names[] = {"dispatch_fixed_cycles", "dma_latency_cycles"};
    ks_study_outcome outcome = study_bench_run(TOTAL, 2);
    const ks_table *t = study_bench_table(&outcome, "boundary-vertices");
    ks_study *study = study_bench(TOTAL);
    const ks_subject_options options = {2, NULL};
    ks_subject *subject = ks_subject_new(study, &options);
    ks_error error = {""};
    size_t flips = 0, met = 0;
    assert_string_equal(study_bench_cell(study_bench_table(&outcome, "boundaries"), 0, "boundary"),
                        "all flips");
    for (size_t moving = 0; moving < 2; moving++)
        for (uint64_t line = 0; line < 5; line++) {
            const size_t held = 1 - moving;
            const uint64_t at = low[held] + (high[held] - low[held]) / 4 * line;
            uint64_t asked[2 * (STEPS + 1)];
            ks_answer answers[STEPS + 1];
            for (uint64_t k = 0; k <= STEPS; k++) {
                asked[2 * k + held] = at;
                asked[2 * k + moving] = low[moving] + (high[moving] - low[moving]) / STEPS * k;
            }
            assert_int_equal(ks_subject_ask(subject, asked, STEPS + 1, answers, &error), KS_OK);
            for (uint64_t k = 0; k <= STEPS; k++) {
                const char *answer = predicted(t, names[moving], held ? "y" : "x", (double)at / 1e4,
                                               (double)asked[2 * k + moving] / 1e4);
                if (answer) assert_string_equal(ks_gate_state_name(answers[k].gate), answer);
                if (!answer)
                    assert_int_equal(answers[k].gate, answers[0].gate); /* no flip at all */
                met += answer != NULL;
                flips += k && answers[k].gate != answers[k - 1].gate;
            }
            ks_answers_free(answers, STEPS + 1);
        }
    assert_true(flips >= 5 && met > STEPS);
    ks_subject_free(subject);
    ks_study_free(study);
    ks_study_outcome_free(&outcome);
}

static void a_gate_without_a_boundary_has_none_and_a_short_search_does_not_say_so(void **state) {
    (void)state;
    static const struct {
        const char *gate, *budget, *boundary;
    } cases[] = {
        {"> 900", "2000", "none"}, {"> 900", "16", "none found"}, {"> 1", "16", "at least these"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml,
                 HEAD "  - {name: dma_latency_cycles, low: 100, high: 400}\n"
                      "figures: [{name: r, " RATIO(
                          "total_cycles") ", gate: \"%s\"}]\n"
                                          "methods: [boundary: {levels: 3, budget: %s}]\n",
                 cases[i].gate, cases[i].budget);
        ks_study_outcome outcome = study_bench_run(yaml, 1);
        const ks_table *planes = study_bench_table(&outcome, "boundaries");
        assert_string_equal(study_bench_cell(planes, 0, "boundary"), cases[i].boundary);
        ks_study_outcome_free(&outcome);
    }
}

/* With HEAD's one: 36 pairs. */
#define NINE                                                  \
    "  - {name: dispatch_cycles_per_byte, low: 0, high: 1}\n" \
    "  - {name: dma_latency_cycles, low: 100, high: 400}\n"   \
    "  - {name: dma_bytes_per_cycle, low: 32, high: 128}\n"   \
    "  - {name: math_startup_cycles, low: 2, high: 32}\n"     \
    "  - {name: gemm_fill_cycles, low: 4, high: 64}\n"        \
    "  - {name: queue_depth, low: 2, high: 9}\n"              \
    "  - {name: stream_buffers, low: 2, high: 4}\n"           \
    "  - {name: operand_buffers, low: 2, high: 4}\n"

static void a_boundary_needs_a_gate_two_constants_and_a_sane_number_of_lines(void **state) {
    (void)state;
    static const struct {
        const char *constants, *gate, *method, *message;
    } cases[] = {
        {"", ", gate: \"> 2\"", "boundary: {}", "found one constant, expected two at least"},
        {"  - {name: dma_latency_cycles, low: 100, high: 400}\n", "", "boundary: {}", "gate"},
        {NINE, ", gate: \"> 2\"", "boundary: {levels: 911}", "found 65592 lines"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char yaml[1024];
        ks_error error = {""};
        snprintf(yaml, sizeof yaml,
                 HEAD "%sfigures: [{name: r, " RATIO("total_cycles") "%s}]\nmethods: [%s]\n",
                 cases[i].constants, cases[i].gate, cases[i].method);
        ks_study *study = study_bench(yaml);
        assert_int_equal(ks_study_refuse(study, &error), KS_INPUT);
        if (!strstr(error.text, cases[i].message)) fail_msg("%s", error.text);
        ks_study_free(study);
    }
    ks_error error = {""};
    ks_study *most = study_bench(HEAD NINE "figures: [{name: r, " RATIO(
        "total_cycles") ", gate: \"> 2\"}]\nmethods: [boundary: {levels: 910}]\n");
    assert_int_equal(ks_study_refuse(most, &error), KS_OK); /* 65,520 lines */
    ks_study_free(most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_flips_make_no_polyline),
        cmocka_unit_test(a_boundary_across_the_plane_is_one_open_polyline_in_order),
        cmocka_unit_test(a_boundary_around_a_value_is_closed),
        cmocka_unit_test(two_flips_between_two_values_are_joined_with_each_other),
        cmocka_unit_test(two_boundaries_through_one_cell_go_round_what_holds),
        cmocka_unit_test(a_flip_between_fail_and_unknown_is_an_end_by_itself),
        cmocka_unit_test(a_gate_on_dispatch_flips_at_63_r_on_every_line),
        cmocka_unit_test(a_gate_on_total_cycles_answers_on_every_line_as_the_flips_say),
        cmocka_unit_test(a_gate_without_a_boundary_has_none_and_a_short_search_does_not_say_so),
        cmocka_unit_test(a_boundary_needs_a_gate_two_constants_and_a_sane_number_of_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
