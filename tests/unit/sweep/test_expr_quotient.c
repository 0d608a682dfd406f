/* Which expressions are quotients of sums over their sides, and with which weights. */
#include "sweep_bench.h"

#include "sweep/expr_quotient.h"

static ks_expr_value resolve(void *context, ks_name name, const ks_expr_side *side) {
    ks_expr_value value = {.kind = KS_EXPR_NOTHING};
    (void)context;
    assert_null(side);
    if (name != KS_P_S) return value; /* all else moves */
    value.kind = KS_EXPR_NUMBER;
    value.number = ks_exact_of_u64(4);
    return value;
}

static ks_expr *expr_of(const char *text) {
    const ks_expr_scope scope = {
        .kernels = &bench_table, .columns = bench_columns, .column_count = COUNT(bench_columns)};
    ks_expr *expr;
    size_t column;
    ks_error error = {""};
    if (ks_expr_parse(text, strlen(text), KS_EXPR_FIGURE, &scope, &expr, &column, &error))
        fail_msg("%s: %s", text, error.text);
    return expr;
}

static void print_sum(ks_text *out, const ks_exact *sum, size_t sides) {
    for (size_t i = 0; i <= sides; i++) {
        if (i) ks_text_add_char(out, ' ');
        ks_exact_print(out, &sum[i]);
    }
}

#define A "decode_opt2.total_cycles"
#define B "decode_opt3.total_cycles"

static const struct {
    const char *text, *weights; /* of each side, then the constant: num, then den; NULL: none */
} cases[] = {
    {A, "1 0 | 0 1"},
    {A " / " B, "1 0 0 | 0 1 0"},
    {"(" A " + 3 * " B ") / 2", "1/2 3/2 0 | 0 0 1"},
    {"2 * " A " / " B " - 1", "2 -1 0 | 0 1 0"},
    {"1 - " A " / " B, "-1 1 0 | 0 1 0"},
    {"3 - " A, "-1 3 | 0 1"},
    {"-" A " / S", "-1/4 0 | 0 1"},
    {"S / " A, "0 4 | 1 0"},
    {"2 / (" A " / " B ")", "0 2 0 | 1 0 0"},
    {A " / " B " / 3", "1 0 0 | 0 3 0"},
    {A " / (" B " + 1)", "1 0 0 | 0 1 1"},
    {A " / (S % 3)", "1 0 | 0 1"},
    {A " * " B, NULL},
    {A " / " B " + " B " / " A, NULL},
    {A " / " B " / " A, NULL},
    {A " % 7", NULL},
    {A " / (2 - 2)", NULL},
    {A " * TILE", NULL},
};

static void weights_are_those_of_the_sides(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_expr *expr = expr_of(cases[i].text);
        const size_t sides = ks_expr_side_count(expr);
        ks_quotient quotient;
        const bool is_one = ks_expr_quotient(expr, resolve, NULL, 0, sides, &quotient);
        if (is_one != (cases[i].weights != NULL)) fail_msg("%s", cases[i].text);
        if (is_one) {
            ks_text text = {0};
            print_sum(&text, quotient.num, sides);
            ks_text_add_string(&text, " | ");
            print_sum(&text, quotient.den, sides);
            assert_string_equal(ks_text_string(&text), cases[i].weights);
            ks_text_free(&text);
            ks_quotient_free(&quotient);
        }
        ks_expr_free(expr);
    }
}

static void a_limit_has_its_sides_behind_those_of_the_figure(void **state) {
    (void)state;
    ks_expr *figure = expr_of(A " / " B), *limit = expr_of("2");
    ks_expr *other = expr_of("3 * " A);
    ks_quotient a, b, difference;
    assert_true(ks_expr_quotient(figure, resolve, NULL, 0, 2, &a));
    assert_true(ks_expr_quotient(limit, resolve, NULL, 2, 2, &b));
    assert_true(ks_quotient_subtract(&a, &b, &difference));
    ks_text text = {0};
    print_sum(&text, difference.num, 2);
    assert_string_equal(ks_text_string(&text), "1 -2 0");
    ks_quotient_free(&a);
    ks_quotient_free(&b);
    ks_quotient_free(&difference);
    assert_true(ks_expr_quotient(other, resolve, NULL, 2, 3, &b));
    ks_text_clear(&text);
    print_sum(&text, b.num, 3);
    assert_string_equal(ks_text_string(&text), "0 0 3 0");
    ks_quotient_free(&b);
    ks_text_free(&text);
    ks_expr_free(figure);
    ks_expr_free(limit);
    ks_expr_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_the_sides),
        cmocka_unit_test(a_limit_has_its_sides_behind_those_of_the_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
