#include "composite_tensors.h"

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
