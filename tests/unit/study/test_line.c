/* The walk along a line, on models whose flips are known: longest paths with integer counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "study/line.h"
#include "study/sequence.h"

enum { PATHS = 10, MODELS = 2000, SWEEP = 400, LOW = 0, HIGH = 400000 };

/* A latency: the longest of ten paths, each a fixed part and a count of the constant. */
typedef struct max_plus {
    int64_t fixed[PATHS], count[PATHS]; /* ticks; per tick */
} max_plus;

/* The gate: a > factor / 100 b. */
typedef struct model {
    max_plus a, b;
    int64_t factor;
} model;

static int64_t value_of(const max_plus *m, int64_t x, size_t *path) {
    size_t best = 0;
    for (size_t p = 1; p < PATHS; p++)
        if (m->fixed[p] + m->count[p] * x > m->fixed[best] + m->count[best] * x) best = p;
    if (path) *path = best;
    return m->fixed[best] + m->count[best] * x;
}

static bool holds_at(const model *m, int64_t x) {
    return 100 * value_of(&m->a, x, NULL) > m->factor * value_of(&m->b, x, NULL);
}

/* The last value in the direction at which path `path` is still the longest. */
static int64_t last_of(const max_plus *m, int64_t x, bool is_upward, size_t path) {
    int64_t last = is_upward ? HIGH : LOW;
    for (size_t p = 0; p < PATHS; p++) {
        const int64_t gap = m->fixed[path] + m->count[path] * x - m->fixed[p] - m->count[p] * x;
        const int64_t gain = (m->count[p] - m->count[path]) * (is_upward ? 1 : -1);
        if (gain <= 0) continue;
        const int64_t steps = gap / gain, end = is_upward ? x + steps : x - steps;
        if (is_upward ? end < last : end > last) last = end;
    }
    return last;
}

static ks_exact signed_exact(int64_t value) {
    const ks_exact zero = {0}, size = ks_exact_of_u64((uint64_t)(value < 0 ? -value : value));
    return value < 0 ? ks_exact_sub(&zero, &size) : size;
}

static ks_status piece_at(void *self, uint64_t value, bool is_upward, ks_piece *piece,
                          ks_error *error) {
    const model *m = self;
    const int64_t x = (int64_t)value;
    size_t a, b;
    (void)error;
    const int64_t va = value_of(&m->a, x, &a), vb = value_of(&m->b, x, &b);
    const int64_t la = last_of(&m->a, x, is_upward, a), lb = last_of(&m->b, x, is_upward, b);
    const bool takes_a = is_upward ? la < lb : la > lb;
    *piece = (ks_piece){
        .last = (uint64_t)(takes_a ? la : lb),
        .is_linear = true,
        .num = signed_exact(100 * va - m->factor * vb),
        .den = ks_exact_of_u64(1),
        .num_slope = signed_exact(100 * m->a.count[a] - m->factor * m->b.count[b]),
    };
    return KS_OK;
}

static void draw(max_plus *m, uint64_t seed, uint64_t which) {
    for (uint64_t p = 0; p < PATHS; p++) {
        m->count[p] = (int64_t)ks_draw_below(seed, which, 2 * p, 30);
        m->fixed[p] = (int64_t)ks_draw_below(seed, which, 2 * p + 1, 3000000);
    }
}

static void every_flip_of_a_sweep_is_found_on_2000_random_models(void **state) {
    (void)state;
    size_t with_flips = 0, with_several = 0;
    uint64_t pieces = 0;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        model m = {.factor = 60 + (int64_t)ks_draw_below(seed, 9, 0, 80)};
        draw(&m.a, seed, 0);
        draw(&m.b, seed, 1);
        const ks_line line = {&m, ">", LOW, HIGH, 1, piece_at};
        ks_flips flips;
        ks_error error = {""};
        const uint64_t base = ks_draw_below(seed, 9, 1, HIGH + 1);
        assert_int_equal(ks_line_walk(&line, base, 1000, &flips, &error), KS_OK);
        assert_true(flips.from == LOW && flips.to == HIGH);
        /* In every gap of a 401-point sweep an odd number where its ends differ, else an even one:
         * and the answer on both sides of each is what the model says. */
        size_t next = 0, swept = 0;
        for (int64_t i = 0; i < SWEEP; i++) {
            const int64_t from = i * (HIGH / SWEEP), to = from + HIGH / SWEEP;
            size_t inside = 0;
            while (next < flips.count && (int64_t)flips.items[next].above <= to) {
                const ks_flip *flip = &flips.items[next++];
                assert_int_equal(flip->above - flip->below, 1);
                assert_int_equal(holds_at(&m, (int64_t)flip->below),
                                 flip->state_below == KS_GATE_HOLDS);
                assert_int_equal(holds_at(&m, (int64_t)flip->above),
                                 flip->state_above == KS_GATE_HOLDS);
                assert_true(flip->state_below != flip->state_above);
                inside++;
            }
            const bool differ = holds_at(&m, from) != holds_at(&m, to);
            assert_int_equal(inside % 2, differ);
            swept += differ;
        }
        assert_int_equal(next, flips.count);
        assert_true(flips.count >= swept);
        with_flips += flips.count > 0;
        with_several += flips.count > 1;
        pieces += flips.pieces;
        ks_flips_free(&flips);
    }
    assert_true(with_flips > 500 && with_several > 50); /* the models are no easy ones */
    assert_true(pieces < MODELS * 12);
}

/* (3 x - 1) / (x - 2) in units, by a line of one piece. */
static ks_status hyperbola_at(void *self, uint64_t value, bool is_upward, ks_piece *piece,
                              ks_error *error) {
    const ks_line *line = *(const ks_line *const *)self;
    const ks_exact three = ks_exact_of_u64(3), unit = ks_exact_of_ticks(1);
    const ks_exact x = ks_exact_of_ticks(value), one = ks_exact_of_u64(1), two = ks_exact_of_u64(2);
    const ks_exact three_x = ks_exact_mul(&three, &x);
    (void)error;
    *piece = (ks_piece){.last = is_upward ? line->high : line->low,
                        .is_linear = true,
                        .num = ks_exact_sub(&three_x, &one),
                        .den = ks_exact_sub(&x, &two),
                        .num_slope = ks_exact_mul(&three, &unit),
                        .den_slope = unit};
    return KS_OK;
}

static void roots_and_poles_are_flips_with_their_neighbours(void **state) {
    (void)state;
    ks_line line = {.op = ">", .low = 0, .high = 50000, .step = 1, .at = hyperbola_at};
    const ks_line *self = &line;
    line.self = (void *)&self;
    for (uint64_t base = 0; base <= 50000; base += 12500) {
        ks_flips flips;
        ks_error error = {""};
        assert_int_equal(ks_line_walk(&line, base, 10, &flips, &error), KS_OK);
        /* Passes below 1/3, fails up to 2, is not there at 2, passes above. */
        assert_int_equal(flips.count, 3);
        const ks_exact third = ks_exact_of_ratio(1, 3), two = ks_exact_of_u64(2);
        assert_int_equal(flips.items[0].below, 3333);
        assert_int_equal(flips.items[0].above, 3334);
        assert_true(ks_exact_compare(&flips.items[0].root, &third) == 0);
        assert_int_equal(flips.items[0].state_below, KS_GATE_HOLDS);
        assert_int_equal(flips.items[1].below, 19999);
        assert_int_equal(flips.items[1].state_above, KS_GATE_UNKNOWN);
        assert_true(ks_exact_compare(&flips.items[1].root, &two) == 0);
        assert_int_equal(flips.items[2].below, 20000);
        assert_int_equal(flips.items[2].state_above, KS_GATE_HOLDS);
        ks_flips_free(&flips);
    }
}

/* Fails on [0, 5) and from 90 on; every value a piece. */
static ks_status alone_at(void *self, uint64_t value, bool is_upward, ks_piece *piece,
                          ks_error *error) {
    (void)self, (void)is_upward, (void)error;
    *piece = (ks_piece){.last = value,
                        .state = value >= 5 && value < 90 ? KS_GATE_HOLDS : KS_GATE_FAILS};
    return KS_OK;
}

static void a_walk_without_budget_says_how_far_it_looked_and_a_sample_adds_to_it(void **state) {
    (void)state;
    const ks_line line = {.op = ">", .low = 0, .high = 100, .step = 1, .at = alone_at};
    ks_flips flips;
    ks_error error = {""};
    assert_int_equal(ks_line_walk(&line, 50, 102, &flips, &error), KS_OK);
    assert_int_equal(flips.count, 2);
    assert_true(flips.from == 0 && flips.to == 100);
    assert_true(!flips.items[0].has_root && flips.items[0].below == 4 && flips.items[0].above == 5);
    ks_flips_free(&flips);
    assert_int_equal(ks_line_walk(&line, 50, 20, &flips, &error), KS_OK);
    assert_int_equal(flips.count, 0);
    assert_int_equal(flips.from, 41);
    assert_int_equal(flips.to, 59);
    assert_int_equal(ks_line_sample(&line, 20, &flips, &error), KS_OK);
    assert_int_equal(flips.count, 2);
    assert_int_equal(flips.items[1].below, 89);
    assert_int_equal(flips.items[1].above, 90);
    ks_flips_free(&flips);
}

static void what_one_way_leaves_of_the_budget_the_other_has(void **state) {
    (void)state;
    const ks_line line = {.op = ">", .low = 0, .high = 100, .step = 1, .at = alone_at};
    static const struct {
        uint64_t base, budget, from, to;
    } cases[] = {{2, 60, 0, 58}, {98, 60, 42, 100}, {50, 102, 0, 100}, {50, 1, 50, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ks_flips flips;
        ks_error error = {""};
        assert_int_equal(ks_line_walk(&line, cases[i].base, cases[i].budget, &flips, &error),
                         KS_OK);
        assert_int_equal(flips.from, cases[i].from);
        assert_int_equal(flips.to, cases[i].to);
        assert_true(flips.pieces <= cases[i].budget);
        ks_flips_free(&flips);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flip_of_a_sweep_is_found_on_2000_random_models),
        cmocka_unit_test(roots_and_poles_are_flips_with_their_neighbours),
        cmocka_unit_test(what_one_way_leaves_of_the_budget_the_other_has),
        cmocka_unit_test(a_walk_without_budget_says_how_far_it_looked_and_a_sample_adds_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
