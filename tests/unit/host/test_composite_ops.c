/* What goes into a composite beside its GEMM: the epilogue, MATH-only op lists, hazard ranges. */
#include <string.h>

#include "composite_tensors.h"

/* ---- the epilogue ---- */

static void epilogue_calls_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *op;
        ks_scope scope;
        const char *names[2];
        name operands[2];
        const char *message;
    } table[] = {
        {"softmax_merge",
         KS_SCOPE_OUTPUT_TILE,
         {NULL},
         {NONE},
         "softmax_merge: a recipe in the epilogue: its output would feed the gemm that it runs after, "
         "a cycle through the tile loop (alternative A5)"},
        {"softmax_merge",
         KS_SCOPE_KERNEL,
         {NULL},
         {NONE},
         "softmax_merge: a recipe in the epilogue: its output would feed the gemm that it runs after, "
         "a cycle through the tile loop (alternative A5)"},
        {"gelu", KS_SCOPE_OUTPUT_TILE, {NULL}, {NONE}, "gelu: is not an epilogue op"},
        {"rmax", KS_SCOPE_OUTPUT_TILE, {NULL}, {NONE}, "rmax: is not an epilogue op"},
        {"add", KS_SCOPE_OUTPUT_TILE, {NULL}, {NONE}, "add: operand 'other' is missing"},
        {"add",
         KS_SCOPE_OUTPUT_TILE,
         {"bias"},
         {ROW},
         "add: no operand is named 'bias', expected 'other'"},
        {"relu", KS_SCOPE_OUTPUT_TILE, {"other"}, {ROW}, "relu: no operand is named 'other'"},
        {"scale", KS_SCOPE_K_TILE, {"x"}, {ROW}, "scale: no operand is named 'x'"},
        {"add",
         KS_SCOPE_OUTPUT_TILE,
         {"other"},
         {ROW_HBM},
         "add: operand 'other' is in hbm; a MATH operand must be in tcm (D6.7)"},
        {"add",
         KS_SCOPE_OUTPUT_TILE,
         {"other"},
         {MISFIT},
         "add: operand 'other' is 1 x 4, which does not fit out, 4 x 8"},
        {"add",
         KS_SCOPE_OUTPUT_TILE,
         {"other"},
         {OUT_TALL},
         "add: operand 'other' is 5 x 8, which does not fit out, 4 x 8"},
        {"rmsnorm", KS_SCOPE_OUTPUT_TILE, {NULL}, {NONE}, "rmsnorm: cannot run in this scope"},
        {"rmsnorm", KS_SCOPE_K_TILE, {NULL}, {NONE}, "rmsnorm: cannot run in this scope"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        ks_call call = {.op = table[i].op, .scope = table[i].scope};
        for (; call.operand_count < 2 && table[i].names[call.operand_count]; call.operand_count++)
            call.operands[call.operand_count] = (ks_operand){
                table[i].names[call.operand_count], t[table[i].operands[call.operand_count]]};
        ks_tl_composite_legacy(b.tl, t[A], t[B], t[OUT], &call, 1);
        expect_refusal(&b, table[i].message);
        bench_close(&b);
    }
}

static void an_other_given_twice_is_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_call add = {.op = "add",
                         .scope = KS_SCOPE_OUTPUT_TILE,
                         .operand_count = 2,
                         .operands = {{"other", t[ROW]}, {"other", t[ROW]}}};
    ks_tl_composite_legacy(b.tl, t[A], t[B], t[OUT], &add, 1);
    ks_tl_finish(b.tl, b.lowering);
    assert_int_equal(b.lowering->verdict, KS_LOWERING_REFUSED);
    assert_string_equal(b.lowering->error.text, "add: operand 'other' is given twice");
    bench_close(&b);
}

static void an_other_broadcasts_along_rows_and_columns(void **state) {
    (void)state;
    static const name others[] = {ROW, COLUMN, WHOLE, OUT};
    for (size_t i = 0; i < COUNT(others); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        const ks_call add = {.op = "add",
                             .scope = KS_SCOPE_OUTPUT_TILE,
                             .operand_count = 1,
                             .operands = {{"other", t[others[i]]}}};
        ks_tl_composite_legacy(b.tl, t[A], t[B], t[OUT], &add, 1);
        const ks_op *op = &bench_finish(&b)->commands[0]->ops[1];
        assert_ptr_equal(op->operands[0].handle, t[others[i]]);
        bench_close(&b);
    }
}

static void epilogue_ops_keep_their_order_scope_and_the_composite_s_output(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_call epilogue[] = {
        {.op = "relu", .scope = KS_SCOPE_OUTPUT_TILE},
        {.op = "scale", .scope = KS_SCOPE_K_TILE, .immediate = 0.5f},
        {.op = "add",
         .scope = KS_SCOPE_OUTPUT_TILE,
         .operand_count = 1,
         .operands = {{"other", t[ROW]}}},
        {.op = "rmsnorm", .scope = KS_SCOPE_KERNEL},
    };
    const ks_handle *out =
        ks_tl_composite_legacy(b.tl, t[A], t[B], t[OUT], epilogue, COUNT(epilogue));
    const ks_command *command = bench_finish(&b)->commands[0];
    static const ks_op_kind kinds[] = {KS_OP_gemm, KS_OP_relu, KS_OP_scale, KS_OP_add,
                                       KS_OP_rmsnorm};
    assert_int_equal(command->op_count, COUNT(kinds));
    for (uint32_t i = 0; i < COUNT(kinds); i++) {
        assert_int_equal(command->ops[i].kind, kinds[i]);
        assert_ptr_equal(command->ops[i].out, out);
        if (i) assert_int_equal(command->ops[i].scope, epilogue[i - 1].scope);
    }
    assert_true(command->ops[2].immediate == 0.5f);
    assert_int_equal(command->ops[2].operand_count, 0); /* the accumulator is implicit */
    assert_int_equal(command->ops[4].operand_count, 0); /* and so is the output */
    assert_true(command->ops[4].immediate == 8.0f);     /* N */
    bench_close(&b);
}

/* ---- MATH-only ---- */

static void a_math_only_composite_that_does_not_fit_is_refused(void **state) {
    (void)state;
    static const struct {
        name a, b, out;
        bool has_epilogue;
        const char *message;
    } table[] = {
        {A_HBM, NONE, NONE, false,
         "math: operand 'a' is in hbm; a MATH operand must be in tcm (D6.7)"},
        {NONE, B_HBM, NONE, false,
         "math: operand 'b' is in hbm; a MATH operand must be in tcm (D6.7)"},
        {A, NONE, NONE, false, "math: takes its operands in its op list, not as 'a'"},
        {NONE, B, NONE, false, "math: takes its operands in its op list, not as 'b'"},
        {NONE, NONE, OUT, false, "math: a composite without a gemm has no out and no epilogue"},
        {NONE, NONE, NONE, true, "math: a composite without a gemm has no out and no epilogue"},
        {NONE, NONE, NONE, false, "math: a composite without ops"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        const ks_call relu = {.op = "relu", .scope = KS_SCOPE_OUTPUT_TILE};
        ks_tl_composite(b.tl, &(ks_composite){.op = "math",
                                              .a = t[table[i].a],
                                              .b = t[table[i].b],
                                              .out = t[table[i].out],
                                              .epilogue = &relu,
                                              .epilogue_count = table[i].has_epilogue});
        expect_refusal(&b, table[i].message);
        bench_close(&b);
    }
}

static void an_op_of_a_math_only_composite_is_checked_like_a_primitive(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_math ops[] = {{.kind = KS_OP_copy, .out = t[OUT], .operands = {t[WHOLE]}},
                           {.kind = KS_OP_copy, .out = t[OUT], .operands = {t[OUT_HBM]}}};
    ks_tl_composite(b.tl, &(ks_composite){.op = "math", .math = ops, .math_count = 2});
    expect_refusal(&b, "copy: operand 'x' is in hbm; a MATH operand must be in tcm (D6.7)");
    assert_int_equal(b.lowering->program.command_count, 0); /* none of it was issued */
    bench_close(&b);
}

static void a_math_only_composite_returns_its_last_op_s_output_pending(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_math ops[] = {
        {.kind = KS_OP_rmax, .out = t[COLUMN], .operands = {t[WHOLE]}},
        {.kind = KS_OP_exp_diff, .out = t[OUT], .operands = {t[WHOLE], t[COLUMN]}}};
    const ks_handle *out =
        ks_tl_composite(b.tl, &(ks_composite){.op = "math", .math = ops, .math_count = 2});
    const ks_command *command = bench_finish(&b)->commands[0];
    assert_ptr_equal(out, t[OUT]);
    assert_int_equal(out->pending, 0);
    assert_true(command->is_composite);
    assert_int_equal(command->op_count, 2);
    assert_int_equal(ks_command_gemm_index(command), -1);
    bench_close(&b);
}

/* ---- hazard ranges ---- */

static void reads_are_operands_and_writes_are_outs_and_rw_handles(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_call merge = merge_of(t);
    ks_tl_composite(
        b.tl,
        &(ks_composite){
            .prologue = &merge, .prologue_count = 1, .op = "gemm", .b = t[B_HBM], .out = t[OUT]});
    const ks_command *command = bench_finish(&b)->commands[0];
    /* s m m_loc m_new P l corr l_loc O, then V; m_loc m_new corr P l_loc l O m */
    assert_int_equal(command->read_count, 10);
    assert_int_equal(command->write_count, 8);
    bool reads_b = false, writes_m = false;
    for (uint32_t i = 0; i < command->read_count; i++)
        reads_b |= command->reads[i].space == KS_HBM && command->reads[i].addr == t[B_HBM]->addr &&
                   command->reads[i].bytes == 96;
    for (uint32_t i = 0; i < command->write_count; i++)
        writes_m |= command->writes[i].space == KS_TCM && command->writes[i].addr == t[M]->addr;
    assert_true(reads_b);
    assert_true(writes_m);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epilogue_calls_that_do_not_fit_are_refused),
        cmocka_unit_test(an_other_given_twice_is_refused),
        cmocka_unit_test(an_other_broadcasts_along_rows_and_columns),
        cmocka_unit_test(epilogue_ops_keep_their_order_scope_and_the_composite_s_output),
        cmocka_unit_test(a_math_only_composite_that_does_not_fit_is_refused),
        cmocka_unit_test(an_op_of_a_math_only_composite_is_checked_like_a_primitive),
        cmocka_unit_test(a_math_only_composite_returns_its_last_op_s_output_pending),
        cmocka_unit_test(reads_are_operands_and_writes_are_outs_and_rw_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
