/* Expressions with result columns: gates and figures. */
#include "sweep/expr.h"
#include "sweep_bench.h"

static const char *const models[] = {"llama3-8b", "qwen2.5-7b"};

static const ks_expr_scope with_columns = {.kernels = &bench_table,
                                           .columns = bench_columns,
                                           .column_count = COUNT(bench_columns),
                                           .models = models,
                                           .model_count = 2};

static ks_expr *parsed(const char *text, ks_expr_form form, const ks_expr_scope *scope) {
    ks_expr *expr;
    ks_error error = {""};
    size_t column;
    if (ks_expr_parse(text, strlen(text), form, scope, &expr, &column, &error))
        fail_msg("%s: column %zu: %s", text, column, error.text);
    return expr;
}

static void a_bad_side_of_a_gate_is_refused_at_its_column(void **state) {
    static const struct {
        const char *text;
        size_t column;
        const char *message;
    } cases[] = {
        {"decode_opt4.total_cycles > 1", 1,
         "found 'decode_opt4', expected a kernel (did you mean decode_opt2?)"},
        {"decode_opt2.total_cycle > 1", 13,
         "found 'total_cycle', expected a result column (did you mean total_cycles?)"},
        {"decode_opt2 > 1", 1, "found the word 'decode_opt2', expected a number"},
        {"decode_opt2{TILE=64} > 1", 22, "found no '.', expected .COLUMN after the kernel"},
        {"decode_opt2{}.total_cycles > 1", 13, "found nothing, expected AXIS=VALUE"},
        {"decode_opt2{TILES=64}.total_cycles > 1", 13,
         "found 'TILES', expected AXIS=VALUE (did you mean TILE?)"},
        {"decode_opt2{TILE=64, TILE=16}.total_cycles > 1", 22,
         "found TILE a second time, expected each name once"},
        {"decode_opt2{kernel=gemm}.total_cycles > 1", 13,
         "found kernel a second time, expected each name once"},
        {"decode_opt2{M=64}.total_cycles > 1", 13,
         "found M, expected a name that decode_opt2 takes"},
        {"decode_opt2{TILE=0}.total_cycles > 1", 18,
         "found '0' for TILE, expected an integer from 1 to 1073741824"},
        {"decode_opt2{TILE}.total_cycles > 1", 17, "found no '=', expected TILE=VALUE"},
        {"decode_opt2{TILE=64.total_cycles > 1", 18,
         "found '64.total_cycles' for TILE, expected an integer from 1 to 1073741824"},
        {"decode_opt2{policy=serail}.total_cycles > 1", 20,
         "found 'serail' for policy, expected strict_fifo, rw_aware or serial (did you mean serial?)"},
        {"decode_opt2.bound_by == 1", 1, "found bound_by, expected a number"},
        {"decode_opt2.bound_by == gemm", 1,
         "found a condition, expected one comparison of two figures"},
        {"total_cycles > 1 and rmse < 1", 1,
         "found a condition, expected one comparison of two figures"},
        {"not total_cycles > 1", 1, "found a condition, expected one comparison of two figures"},
        {"total_cycles + 1", 1, "found a number, expected a condition"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_expr *expr;
        ks_error error = {""};
        size_t column = 0;
        assert_int_equal(ks_expr_parse(cases[i].text, strlen(cases[i].text), KS_EXPR_COMPARISON,
                                       &with_columns, &expr, &column, &error),
                         KS_INPUT);
        assert_string_equal(error.text, cases[i].message);
        if (column != cases[i].column) fail_msg("%s: column %zu", cases[i].text, column);
    }
}

static void a_side_keeps_its_kernel_its_column_and_what_it_fixes(void **state) {
    ks_expr *expr =
        parsed("decode_opt2{TILE=64.0, policy = serial ,model=qwen2.5-7b}.total_cycles / 2 < "
               "decode_opt3.dispatch_cycles_per_tile + total_cycles",
               KS_EXPR_COMPARISON, &with_columns);
    (void)state;
    assert_int_equal(ks_expr_side_count(expr), 3);
    const ks_expr_side *first = ks_expr_side_at(expr, 0), *last = ks_expr_side_at(expr, 2);
    assert_int_equal(first->kernel, OPT2);
    assert_int_equal(first->column, 0);
    assert_int_equal(first->fixed_count, 3);
    assert_int_equal(first->fixed[0].name, KS_P_TILE);
    assert_int_equal(first->fixed[0].value, 64);
    assert_int_equal(first->fixed[1].value, KS_POLICY_serial);
    assert_string_equal(first->fixed[2].label, "qwen2.5-7b");
    assert_int_equal(first->fixed_names, KS_NAME_BIT(KS_P_kernel) | KS_NAME_BIT(KS_P_TILE) |
                                             KS_NAME_BIT(KS_P_policy) | KS_NAME_BIT(KS_NAME_MODEL));
    assert_int_equal(ks_expr_side_at(expr, 1)->kernel, OPT3);
    assert_int_equal(last->kernel, -1);
    assert_int_equal(last->fixed_names, 0);
    assert_int_equal(last->index, 2);
    assert_string_equal(ks_expr_operator(expr), "<");
    ks_expr_free(expr);
}

/* Sides have the values of a table; -1 stands for none. */
static ks_expr_value from_table(void *context, ks_name name, const ks_expr_side *side) {
    const int64_t *table = context;
    (void)name;
    if (!side || table[side->index] < 0) return (ks_expr_value){.kind = KS_EXPR_NOTHING};
    return (ks_expr_value){.kind = KS_EXPR_NUMBER,
                           .number = ks_exact_of_ticks((uint64_t)table[side->index])};
}

static void a_gate_gives_its_two_sides_exactly(void **state) {
    int64_t table[] = {4236250, 1036250};
    ks_exact left, right;
    ks_expr *expr =
        parsed("decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile > 2",
               KS_EXPR_COMPARISON, &with_columns);
    (void)state;
    assert_int_equal(ks_expr_compare(expr, from_table, table, &left, &right), KS_EXPR_YES);
    assert_true(ks_exact_double(&left) == 4236250.0 / 1036250);
    assert_true(ks_exact_double(&right) == 2);
    table[0] = 2 * table[1];
    assert_int_equal(ks_expr_compare(expr, from_table, table, &left, &right), KS_EXPR_NO);
    table[0]++;
    assert_int_equal(ks_expr_compare(expr, from_table, table, &left, &right), KS_EXPR_YES);
    table[0] = table[1] = 0;
    assert_int_equal(ks_expr_compare(expr, from_table, table, &left, &right), KS_EXPR_UNDEFINED);
    assert_int_equal(ks_exact_sign(&left), 0);
    table[1] = -1;
    assert_int_equal(ks_expr_compare(expr, from_table, table, &left, &right), KS_EXPR_MISSING);
    ks_expr_free(expr);
}

static void a_figure_is_a_number_or_says_why_not(void **state) {
    int64_t table[] = {30000};
    ks_exact figure;
    ks_expr *expr = parsed("total_cycles / 2 - 1", KS_EXPR_FIGURE, &with_columns);
    (void)state;
    assert_int_equal(ks_expr_figure(expr, from_table, table, &figure), KS_EXPR_YES);
    assert_true(ks_exact_double(&figure) == 0.5);
    table[0] = -1;
    assert_int_equal(ks_expr_figure(expr, from_table, table, &figure), KS_EXPR_MISSING);
    ks_expr_free(expr);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_side_of_a_gate_is_refused_at_its_column),
        cmocka_unit_test(a_side_keeps_its_kernel_its_column_and_what_it_fixes),
        cmocka_unit_test(a_gate_gives_its_two_sides_exactly),
        cmocka_unit_test(a_figure_is_a_number_or_says_why_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
