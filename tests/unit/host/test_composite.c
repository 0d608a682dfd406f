#include "host_bench.h"

#include <string.h>

typedef enum name {
    NONE,
    A,
    A_HBM,
    B,
    B_TURNED,
    B_LONG,
    B_HBM,
    OUT,
    OUT_HBM,
    OUT_TALL,
    OUT_WIDE,
    ROW,
    COLUMN,
    WHOLE,
    ROW_HBM,
    MISFIT,
    S,
    M,
    L,
    NAME_COUNT
} name;

/* A 4 x 6, B 6 x 8, OUT 4 x 8. S 4 x 6 (P is then 4 x 6), M and L 4 x 1; O is OUT. */
static void make_tensors(host_bench *b, const ks_handle *t[NAME_COUNT]) {
    t[NONE] = NULL;
    t[A] = ks_tl_alloc(b->tl, 4, 6, KS_BF16);
    t[A_HBM] = hbm(b, 4, 6);
    t[B] = tcm(b, 6, 8);
    t[B_TURNED] = tcm(b, 8, 6);
    t[B_LONG] = tcm(b, 7, 8);
    t[B_HBM] = hbm(b, 6, 8);
    t[OUT] = tcm(b, 4, 8);
    t[OUT_HBM] = hbm(b, 4, 8);
    t[OUT_TALL] = tcm(b, 5, 8);
    t[OUT_WIDE] = tcm(b, 4, 9);
    t[ROW] = tcm(b, 1, 8);
    t[COLUMN] = tcm(b, 4, 1);
    t[WHOLE] = tcm(b, 4, 8);
    t[ROW_HBM] = hbm(b, 1, 8);
    t[MISFIT] = tcm(b, 1, 4);
    t[S] = tcm(b, 4, 6);
    t[M] = tcm(b, 4, 1);
    t[L] = tcm(b, 4, 1);
}

static ks_call merge_of(const ks_handle *const t[NAME_COUNT]) {
    return (ks_call){.op = "softmax_merge",
                     .operand_count = 4,
                     .operands = {{"s", t[S]}, {"m", t[M]}, {"l", t[L]}, {"O", t[OUT]}}};
}

/* ---- the GEMM head ---- */

static void a_gemm_head_that_does_not_fit_is_refused(void **state) {
    (void)state;
    static const struct {
        name a, b, out;
        bool is_b_transposed, has_out_addr;
        const char *message;
    } table[] = {
        {NONE, B, OUT, false, false, "gemm: operand 'a' is missing"},
        {A, NONE, OUT, false, false, "gemm: operand 'b' is missing"},
        {NONE, NONE, OUT, false, false, "gemm: operand 'a' is missing"},
        {A, B_LONG, OUT, false, false, "gemm: operand 'b' has 7 rows, expected 6"},
        {A, B, OUT, true, false, "gemm: operand 'b' has 8 columns, expected 6"},
        {A, B_TURNED, OUT, false, false, "gemm: operand 'b' has 8 rows, expected 6"},
        {A, B, OUT_TALL, false, false, "gemm: operand 'out' has 5 rows, expected 4"},
        {A, B, OUT_WIDE, false, false, "gemm: operand 'out' has 9 columns, expected 8"},
        {A, B, OUT, false, true, "gemm: both out and out_ptr are given"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        const uint64_t addr = 0x10000;
        ks_tl_composite(b.tl, &(ks_composite){.op = "gemm",
                                              .a = t[table[i].a],
                                              .b = t[table[i].b],
                                              .out = t[table[i].out],
                                              .is_b_transposed = table[i].is_b_transposed,
                                              .out_addr = table[i].has_out_addr ? &addr : NULL});
        expect_refusal(&b, table[i].message);
        assert_int_equal(b.lowering->program.command_count, 0);
        bench_close(&b);
    }
}

static void a_gemm_head_may_stream_and_may_turn_b(void **state) {
    (void)state;
    static const struct {
        name a, b, out;
        bool is_b_transposed;
    } table[] = {{A, B, OUT, false},
                 {A_HBM, B, OUT, false},
                 {A, B_HBM, OUT, false},
                 {A_HBM, B_HBM, OUT_HBM, false},
                 {A, B_TURNED, OUT, true}};
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        const ks_handle *out =
            ks_tl_composite(b.tl, &(ks_composite){.op = "gemm",
                                                  .a = t[table[i].a],
                                                  .b = t[table[i].b],
                                                  .out = t[table[i].out],
                                                  .is_b_transposed = table[i].is_b_transposed});
        const ks_command *command = bench_finish(&b)->commands[0];
        const ks_op *op = &command->ops[0];
        assert_ptr_equal(out, t[table[i].out]);
        assert_int_equal(out->pending, 0); /* D8 */
        assert_true(command->is_composite);
        assert_int_equal(command->op_count, 1);
        assert_true(op->kind == KS_OP_gemm && op->scope == KS_SCOPE_KERNEL);
        assert_true(op->m == 4 && op->k == 6 && op->n == 8);
        assert_int_equal(op->is_b_transposed, table[i].is_b_transposed);
        assert_string_equal(op->operands[0].name, "a");
        assert_string_equal(op->operands[1].name, "b");
        assert_ptr_equal(op->out, out);
        assert_int_equal(command->rw_count, 0); /* none without a recipe */
        bench_close(&b);
    }
}

static void out_ptr_is_short_for_a_reference_on_the_output_s_shape(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const uint64_t addr = 0x123000;
    const ks_handle *out = ks_tl_composite(
        b.tl, &(ks_composite){.op = "gemm", .a = t[A], .b = t[B], .out_addr = &addr});
    bench_finish(&b);
    assert_true(out->space == KS_HBM && out->addr == addr && !out->pinned);
    assert_true(out->rows == 4 && out->cols == 8 && out->dtype == KS_BF16);
    assert_int_equal(out->pending, 0);
    bench_close(&b);
}

static void without_out_the_output_is_tcm_scratch_in_a_s_format(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const uint64_t last_end = t[L]->addr + 64;
    const ks_handle *out =
        ks_tl_composite(b.tl, &(ks_composite){.op = "gemm", .a = t[A], .b = t[B]});
    bench_finish(&b);
    assert_true(out->space == KS_TCM && out->addr == last_end && out->pinned);
    assert_true(out->rows == 4 && out->cols == 8 && out->dtype == KS_BF16);
    assert_int_equal(out->pending, 0);
    bench_close(&b);
}

static void a_head_without_a_binds_the_primary_output(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_call merge = merge_of(t);
    ks_tl_composite(
        b.tl, &(ks_composite){
                  .prologue = &merge, .prologue_count = 1, .op = "gemm", .b = t[B], .out = t[OUT]});
    const ks_command *command = bench_finish(&b)->commands[0];
    assert_int_equal(command->op_count, 9);
    assert_ptr_equal(command->ops[8].operands[0].handle, command->ops[3].out); /* P */
    bench_close(&b);
}

static void a_given_a_and_a_primary_output_are_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    const ks_call merge = merge_of(t);
    ks_tl_composite(b.tl, &(ks_composite){.prologue = &merge,
                                          .prologue_count = 1,
                                          .op = "gemm",
                                          .a = t[A],
                                          .b = t[B],
                                          .out = t[OUT]});
    expect_refusal(&b,
                   "gemm: operand 'a' is given, and the prologue has a primary output that would "
                   "be bound to it (D6.6)");
    bench_close(&b);
}

static void a_head_that_is_neither_gemm_nor_math_is_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_composite(b.tl, &(ks_composite){.op = "conv"});
    expect_refusal(&b, "conv: is not a composite's op, expected gemm or math");
    bench_close(&b);
}

/* ---- D6.1 ---- */

static void a_second_gemm_is_refused_wherever_it_stands(void **state) {
    (void)state;
    typedef enum place { PROLOGUE, EPILOGUE, EPILOGUE_AFTER_ADD, MATH_LIST } place;
    static const struct {
        place place;
        const char *message;
    } table[] = {
        {PROLOGUE, "gemm: a GEMM in the prologue; a composite has at most one, as its head (D6.1)"},
        {EPILOGUE, "gemm: a second GEMM op in the epilogue; a composite has at most one (D6.1)"},
        {EPILOGUE_AFTER_ADD,
         "gemm: a second GEMM op in the epilogue; a composite has at most one (D6.1)"},
        {MATH_LIST, "gemm: a MATH op list belongs to a composite without a gemm"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        const ks_call gemm = {
            .op = "gemm", .operand_count = 2, .operands = {{"a", t[A]}, {"b", t[B]}}};
        const ks_call epilogue[] = {{.op = "add",
                                     .scope = KS_SCOPE_OUTPUT_TILE,
                                     .operand_count = 1,
                                     .operands = {{"other", t[ROW]}}},
                                    gemm};
        const ks_math math = {.kind = KS_OP_gemm, .out = t[OUT], .operands = {t[A], t[B]}};
        ks_composite c = {.op = "gemm", .a = t[A], .b = t[B], .out = t[OUT]};
        if (table[i].place == PROLOGUE) c.prologue = &gemm, c.prologue_count = 1;
        if (table[i].place == EPILOGUE) c.epilogue = epilogue + 1, c.epilogue_count = 1;
        if (table[i].place == EPILOGUE_AFTER_ADD) c.epilogue = epilogue, c.epilogue_count = 2;
        if (table[i].place == MATH_LIST) c.math = &math, c.math_count = 1;
        ks_tl_composite(b.tl, &c);
        expect_refusal(&b, table[i].message);
        bench_close(&b);
    }
}

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
    assert_non_null(strstr(b.lowering->error.text, "add: "));
    assert_non_null(strstr(b.lowering->error.text, "'other'"));
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
        cmocka_unit_test(a_gemm_head_that_does_not_fit_is_refused),
        cmocka_unit_test(a_gemm_head_may_stream_and_may_turn_b),
        cmocka_unit_test(out_ptr_is_short_for_a_reference_on_the_output_s_shape),
        cmocka_unit_test(without_out_the_output_is_tcm_scratch_in_a_s_format),
        cmocka_unit_test(a_head_without_a_binds_the_primary_output),
        cmocka_unit_test(a_given_a_and_a_primary_output_are_refused),
        cmocka_unit_test(a_head_that_is_neither_gemm_nor_math_is_refused),
        cmocka_unit_test(a_second_gemm_is_refused_wherever_it_stands),
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
