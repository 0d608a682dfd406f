#include <stdio.h>

#include "sweep/expr.h"
#include "sweep_bench.h"

static const char *const models[] = {"llama3-8b", "qwen2.5-7b"};

static const ks_expr_scope points_only = {
    .kernels = &bench_table, .models = models, .model_count = 2};
static ks_expr *parsed(const char *text, ks_expr_form form, const ks_expr_scope *scope) {
    ks_expr *expr;
    ks_error error = {""};
    size_t column;
    if (ks_expr_parse(text, strlen(text), form, scope, &expr, &column, &error))
        fail_msg("%s: column %zu: %s", text, column, error.text);
    return expr;
}

static ks_expr_answer asked(const char *text, const ks_point *point, const char *label) {
    ks_expr *expr = parsed(text, KS_EXPR_CONDITION, &points_only);
    const ks_expr_answer answer = ks_expr_holds(expr, &bench_table, point, label);
    ks_expr_free(expr);
    return answer;
}

static void conditions_hold_as_read(void **state) {
    static const struct {
        const char *text;
        ks_expr_answer answer;
    } cases[] = {
        {"TILE == 64", KS_EXPR_YES},
        {"TILE == 64.0", KS_EXPR_YES},
        {"TILE == 064", KS_EXPR_YES},
        {"TILE != 64", KS_EXPR_NO},
        {"TILE < 64", KS_EXPR_NO},
        {"TILE <= 64", KS_EXPR_YES},
        {"TILE > 63.9999", KS_EXPR_YES},
        {"TILE >= 65", KS_EXPR_NO},
        {"TILE in (16, 64)", KS_EXPR_YES},
        {"TILE in (16)", KS_EXPR_NO},
        {"TILE in (G * G, 1)", KS_EXPR_YES},
        {"not TILE in (16, 256)", KS_EXPR_YES},
        {"TILE == 16 or TILE == 64 and G == 7", KS_EXPR_NO}, /* and binds tighter */
        {"TILE == 64 or TILE == 64 and G == 7", KS_EXPR_YES},
        {"(TILE == 64 or TILE == 16) and G == 7", KS_EXPR_NO},
        {"not TILE == 64 or G == 8", KS_EXPR_YES}, /* not binds tighter than or */
        {"not (TILE == 64 or G == 8)", KS_EXPR_NO},
        {"not not TILE == 64", KS_EXPR_YES},
        {"1 + 2 * 3 == 7", KS_EXPR_YES},
        {"(1 + 2) * 3 == 9", KS_EXPR_YES},
        {"10 - 3 - 2 == 5", KS_EXPR_YES}, /* from the left */
        {"100 / 10 / 5 == 2", KS_EXPR_YES},
        {"7 % 4 * 2 == 6", KS_EXPR_YES},
        {"-3 + 5 == 2", KS_EXPR_YES},
        {"2 - -3 == 5", KS_EXPR_YES},
        {"-G * -G == TILE", KS_EXPR_YES},
        {"-7 % 4 == 1", KS_EXPR_YES},
        {"0.1 + 0.2 == 0.3", KS_EXPR_YES}, /* not so in doubles */
        {"1 / 3 * 3 == 1", KS_EXPR_YES},
        {"dispatch_cycles_per_byte == 0.0625", KS_EXPR_YES},
        {"dispatch_fixed_cycles / dispatch_cycles_per_byte == 640", KS_EXPR_YES},
        {"18446744073709551615 * 18446744073709551615 > 340282366920938463426481119284349108224",
         KS_EXPR_YES},
        {"policy == strict_fifo", KS_EXPR_YES},
        {"strict_fifo == policy", KS_EXPR_YES},
        {"policy == 'strict_fifo'", KS_EXPR_YES},
        {"policy in (rw_aware, serial)", KS_EXPR_NO},
        {"policy != serial", KS_EXPR_YES},
        {"dtype == score", KS_EXPR_YES},
        {"acc == dtype", KS_EXPR_NO},
        {"gemm_rule == mac and dist == normal", KS_EXPR_YES},
        {"kernel == decode_opt2", KS_EXPR_YES},
        {"kernel in (gemm, decode_opt3)", KS_EXPR_NO},
        {"model == 'llama3-8b'", KS_EXPR_YES},
        {"model in ('qwen2.5-7b')", KS_EXPR_NO},
        {"TILE\n==\n64", KS_EXPR_YES},
        {"TILE==64 and(G==8)", KS_EXPR_YES},
    };
    const ks_point point = bench_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (asked(cases[i].text, &point, "llama3-8b") != cases[i].answer)
            fail_msg("%s", cases[i].text);
}

static void what_has_no_value_leaves_the_answer_open_unless_the_rest_decides(void **state) {
    static const struct {
        const char *text;
        ks_expr_answer answer;
    } cases[] = {
        {"M == 1", KS_EXPR_MISSING}, /* decode takes no M */
        {"not M == 1", KS_EXPR_MISSING},
        {"M == 1 or TILE == 64", KS_EXPR_YES},
        {"M == 1 or TILE == 65", KS_EXPR_MISSING},
        {"M == 1 and TILE == 65", KS_EXPR_NO},
        {"M == 1 and TILE == 64", KS_EXPR_MISSING},
        {"TILE in (M, 64)", KS_EXPR_YES},
        {"TILE in (M, 65)", KS_EXPR_MISSING},
        {"model == 'llama3-8b'", KS_EXPR_MISSING},
        {"1 / (TILE - 64) == 1", KS_EXPR_UNDEFINED},
        {"1 % (TILE - 64) == 1", KS_EXPR_UNDEFINED},
        {"0 / 0 > 2", KS_EXPR_UNDEFINED},
        {"TILE == 64 or 1 / 0 == 1", KS_EXPR_YES},
        {"TILE == 65 and 1 / 0 == 1", KS_EXPR_NO},
        {"1 / 0 == 1 or M == 1", KS_EXPR_UNDEFINED},
        {"M + 1 / 0 == 1", KS_EXPR_MISSING}, /* the left is looked at first */
    };
    const ks_point point = bench_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (asked(cases[i].text, &point, NULL) != cases[i].answer) fail_msg("%s", cases[i].text);
}

static void a_model_equals_any_of_the_labels_that_were_joined(void **state) {
    const ks_point point = bench_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    (void)state;
    assert_int_equal(asked("model == 'llama3-8b'", &point, "x|llama3-8b"), KS_EXPR_YES);
    assert_int_equal(asked("model == 'llama3-8b'", &point, "llama3-8b|x"), KS_EXPR_YES);
    assert_int_equal(asked("model == 'llama3-8b'", &point, "xllama3-8b|y"), KS_EXPR_NO);
    assert_int_equal(asked("model != 'llama3-8b'", &point, "llama3-8b|x"), KS_EXPR_NO);
}

static void what_is_wrong_is_refused_at_its_column(void **state) {
    static const struct {
        const char *text;
        size_t column;
        const char *message;
    } cases[] = {
        {"", 1, "found the end, expected a number, a name or a word"},
        {"TILE ==", 8, "found the end, expected a number, a name or a word"},
        {"TILE = 64", 6, "found '=', expected == (one = compares nothing)"},
        {"TILE 64", 6, "found '64', expected the end, or an operator"},
        {"TILE", 1, "found TILE, expected a condition"},
        {"TILE == 64 and G", 16, "found G, expected a condition"},
        {"G and TILE == 64", 1, "found G, expected a condition"},
        {"not TILE", 5, "found TILE, expected a condition"},
        {"true", 1, "found the word 'true', expected a condition"},
        {"TILE == 64 == 1", 12, "found a second comparison, expected `and` between the two"},
        {"1 < TILE < 64", 10, "found a second comparison, expected `and` between the two"},
        {"(TILE == 64", 12, "found the end, expected ')'"},
        {"TILE == 64)", 11, "found ')', expected the end, or an operator"},
        {"TILE in 64", 9, "found '64', expected '(' and a list"},
        {"TILE in (64 16)", 13, "found '16', expected ',' or ')'"},
        {"TILE in ()", 10, "found ')', expected a number, a name or a word"},
        {"TILES == 64", 1, "found the word 'TILES', expected a number (did you mean TILE?)"},
        {"64 == TILES", 7, "found the word 'TILES', expected a number (did you mean TILE?)"},
        {"G * gemm_row == 64", 5,
         "found the word 'gemm_row', expected a number (did you mean gemm_rows?)"},
        {"polcy == strict_fifo", 1,
         "found the word 'polcy', expected a name on one side (did you mean policy?)"},
        {"policy == 1", 1, "found policy, expected a number"},
        {"1 == policy", 6, "found policy, expected a number"},
        {"policy + 1 == 2", 1, "found policy, expected a number"},
        {"policy == TILE", 1, "found policy, expected a number"},
        {"policy < serial", 8, "found an order of words, expected == or !="},
        {"policy == strict_fifoo", 11,
         "found 'strict_fifoo' for policy, expected strict_fifo, rw_aware or serial (did you mean strict_fifo?)"},
        {"policy in (serial, rw_awre)", 20,
         "found 'rw_awre' for policy, expected strict_fifo, rw_aware or serial (did you mean rw_aware?)"},
        {"policy == dtype", 11, "found dtype, expected something that policy can equal"},
        {"kernel == decode_opt4", 11,
         "found 'decode_opt4' for kernel, expected decode_opt2, decode_opt3, gemm or math_chain (did you mean "
         "decode_opt2?)"},
        {"model == 'llama3-8c'", 10,
         "found 'llama3-8c' for model, expected a label of the model file (did you mean llama3-8b?)"},
        {"dtype == f17", 10,
         "found 'f17' for dtype, expected f32, f16, bf16, e4m3fn or e5m2 (did you mean f16?)"},
        {"'a' == 'b'", 1, "found 'a', expected a name on one side"},
        {"(TILE == 1) + 1 == 2", 2, "found a condition, expected a number"},
        {"(TILE == 1) == (G == 1)", 2, "found a condition, expected a number or a word"},
        {"TILE == 1e3", 9,
         "found '1e3', expected a number (digits, or digits.digits; text that is no word in single quotes)"},
        {"TILE == 12abc", 9,
         "found '12abc', expected a number (digits, or digits.digits; text that is no word in single quotes)"},
        {"TILE == 5.", 9,
         "found '5.', expected a number (digits, or digits.digits; text that is no word in single quotes)"},
        {"TILE == .5", 9, "found '.', expected a number, a name or a word"},
        {"TILE == +5", 9, "found '+', expected a number, a name or a word"},
        {"TILE == 64 && G == 8", 12, "found '&', expected the end, or an operator"},
        {"TILE == \"64\"", 9, "found '\"', expected a number, a name or a word"},
        {"model == 'llama3", 10, "found a quote that is not closed, expected 'text'"},
        {"TILE == \xc3\xa9", 9, "found '\xc3\xa9', expected a number, a name or a word"},
        {"model == '\xc3\xa9' and TILES == 1", 10,
         "found '\xc3\xa9' for model, expected a label of the model file"},
        {"TILE == and", 9, "found 'and', expected a number, a name or a word"},
        {"decode_opt2.total_cycles > 5", 1,
         "found a result column, expected parameters and constants: columns are allowed in gates only"},
        {"total_cycles > 5", 1, "found the word 'total_cycles', expected a number"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_expr *expr;
        ks_error error = {""};
        size_t column = 0;
        assert_int_equal(ks_expr_parse(cases[i].text, strlen(cases[i].text), KS_EXPR_CONDITION,
                                       &points_only, &expr, &column, &error),
                         KS_INPUT);
        assert_null(expr);
        assert_string_equal(error.text, cases[i].message);
        if (column != cases[i].column) fail_msg("%s: column %zu", cases[i].text, column);
    }
}

static void names_that_it_asks_for_are_told(void **state) {
    ks_expr *expr = parsed("G * TILE <= 2048 or model == 'llama3-8b' and gemm_rule == mac",
                           KS_EXPR_CONDITION, &points_only);
    (void)state;
    assert_int_equal(ks_expr_names(expr), KS_NAME_BIT(KS_P_G) | KS_NAME_BIT(KS_P_TILE) |
                                              KS_NAME_BIT(KS_NAME_MODEL) |
                                              KS_NAME_BIT(KS_NAME_CONSTANTS + KS_C_gemm_rule));
    assert_string_equal(ks_expr_text(expr),
                        "G * TILE <= 2048 or model == 'llama3-8b' and gemm_rule == mac");
    ks_expr_free(expr);
}

static ks_status parse_status(const ks_text *text, size_t *column, ks_error *error) {
    ks_expr *expr;
    const ks_status status = ks_expr_parse(ks_text_string(text), text->length, KS_EXPR_CONDITION,
                                           &points_only, &expr, column, error);
    ks_expr_free(expr);
    return status;
}

static void nesting_has_a_limit_and_a_place_beyond_it(void **state) {
    static const struct {
        const char *opening, *closing;
        size_t most, column;
    } cases[] = {{"(", ")", 64, 65}, {"not ", "", 64, 257}};
    static const size_t more[] = {0, 1, 9936};
    ks_error error;
    size_t column;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < COUNT(more); k++) {
            const size_t levels = cases[i].most + more[k];
            ks_text text = {0};
            for (size_t n = 0; n < levels; n++) ks_text_add_string(&text, cases[i].opening);
            ks_text_add_string(&text, "TILE == 1");
            for (size_t n = 0; n < levels; n++) ks_text_add_string(&text, cases[i].closing);
            const ks_status status = parse_status(&text, &column, &error);
            assert_int_equal(status, levels > cases[i].most ? KS_INPUT : KS_OK);
            if (status) {
                assert_string_equal(error.text,
                                    "found more than 64 levels of nesting, expected fewer");
                assert_int_equal(column, cases[i].column);
            }
            ks_text_free(&text);
        }
}

static void long_chains_are_not_deep(void **state) {
    static const char *const links[] = {" or TILE == 2", " and TILE == 1", " + 1"};
    (void)state;
    for (size_t i = 0; i < COUNT(links); i++) {
        ks_text text = {0};
        size_t column;
        ks_text_add_string(&text, i == 2 ? "1 == TILE" : "TILE == 1");
        while (text.length < 60000) ks_text_add_string(&text, links[i]);
        assert_int_equal(parse_status(&text, &column, NULL), KS_OK);
        while (text.length <= 65536) ks_text_add_string(&text, links[i]);
        assert_int_equal(parse_status(&text, &column, NULL), KS_INPUT);
        ks_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_hold_as_read),
        cmocka_unit_test(what_has_no_value_leaves_the_answer_open_unless_the_rest_decides),
        cmocka_unit_test(a_model_equals_any_of_the_labels_that_were_joined),
        cmocka_unit_test(what_is_wrong_is_refused_at_its_column),
        cmocka_unit_test(names_that_it_asks_for_are_told),
        cmocka_unit_test(nesting_has_a_limit_and_a_place_beyond_it),
        cmocka_unit_test(long_chains_are_not_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
