#include "host_bench.h"

/* The tensors that the cases below name. */
typedef enum name {
    NONE,
    X,
    ROW,
    COLUMN,
    ONE,
    OTHER,
    HBM,
    OUT,
    OUT_COLUMN,
    OUT_HBM,
    NAME_COUNT
} name;

static void make_tensors(host_bench *b, const ks_handle *t[NAME_COUNT]) {
    t[NONE] = NULL;
    t[X] = tcm(b, 4, 8);
    t[ROW] = tcm(b, 1, 8);
    t[COLUMN] = tcm(b, 4, 1);
    t[ONE] = tcm(b, 1, 1);
    t[OTHER] = tcm(b, 3, 8);
    t[HBM] = hbm(b, 4, 8);
    t[OUT] = tcm(b, 4, 8);
    t[OUT_COLUMN] = tcm(b, 4, 1);
    t[OUT_HBM] = hbm(b, 4, 8);
}

static void math_ops_that_fit_are_issued(void **state) {
    (void)state;
    static const struct {
        ks_op_kind kind;
        name out, operands[3];
    } table[] = {
        {KS_OP_fill, OUT, {NONE}},
        {KS_OP_fill, OUT_COLUMN, {NONE}},
        {KS_OP_scale, OUT, {X}},
        {KS_OP_relu, OUT, {X}},
        {KS_OP_cast, OUT, {X}},
        {KS_OP_copy, OUT, {X}},
        {KS_OP_add, OUT, {X, X}},
        {KS_OP_add, OUT, {X, ROW}},
        {KS_OP_add, OUT, {X, COLUMN}},
        {KS_OP_add, OUT, {X, ONE}},
        {KS_OP_add, X, {X, X}}, /* in place */
        {KS_OP_rmax, OUT_COLUMN, {X}},
        {KS_OP_rsum, OUT_COLUMN, {X}},
        {KS_OP_rsumsq, OUT_COLUMN, {X}},
        {KS_OP_rmax, OUT_COLUMN, {COLUMN}}, /* of one column: itself */
        {KS_OP_max_elem, OUT, {X, X}},
        {KS_OP_exp_diff, OUT, {X, COLUMN}},
        {KS_OP_fma, OUT, {X, COLUMN, ROW}},
        {KS_OP_mul_bcast, OUT, {X, COLUMN}},
        {KS_OP_mul_elem, OUT, {X, ROW}},
        {KS_OP_div_bcast, OUT, {X, COLUMN}},
        {KS_OP_rsqrt_mean, OUT_COLUMN, {COLUMN}},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        ks_math math = {.kind = table[i].kind, .out = t[table[i].out], .immediate = 2.5f};
        uint32_t count = 0;
        for (; count < 3 && table[i].operands[count]; count++)
            math.operands[count] = t[table[i].operands[count]];
        ks_tl_math(b.tl, &math);
        const ks_program *program = bench_finish(&b);
        assert_int_equal(program->command_count, 1);
        const ks_command *command = program->commands[0];
        assert_false(command->is_composite);
        assert_true(command->is_data_op);
        assert_int_equal(command->op_count, 1);
        assert_int_equal(command->ops[0].kind, table[i].kind);
        assert_int_equal(command->ops[0].scope, KS_SCOPE_KERNEL);
        assert_int_equal(command->ops[0].operand_count, count);
        for (uint32_t k = 0; k < count; k++)
            assert_ptr_equal(command->ops[0].operands[k].handle, t[table[i].operands[k]]);
        assert_ptr_equal(command->ops[0].out, t[table[i].out]);
        assert_true(command->ops[0].immediate == 2.5f);
        assert_int_equal(t[table[i].out]->pending, 0);
        bench_close(&b);
    }
}

static void math_ops_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        ks_op_kind kind;
        name out, operands[3];
        const char *message;
    } table[] = {
        {KS_OP_copy, OUT, {NONE}, "copy: operand 'x' is missing"},
        {KS_OP_add, OUT, {X}, "add: operand 'y' is missing"},
        {KS_OP_fma, OUT, {X, X}, "fma: operand 'z' is missing"},
        {KS_OP_add, OUT, {NONE, X}, "add: operand 'x' is missing"},
        {KS_OP_copy, OUT, {X, X}, "copy: takes 1 operands, 'y' is one more"},
        {KS_OP_fill, OUT, {X}, "fill: takes 0 operands, 'x' is one more"},
        {KS_OP_copy,
         OUT,
         {HBM},
         "copy: operand 'x' is in hbm; a MATH operand must be in tcm (D6.7)"},
        {KS_OP_add,
         OUT,
         {X, HBM},
         "add: operand 'y' is in hbm; a MATH operand must be in tcm (D6.7)"},
        {KS_OP_copy, OUT_HBM, {X}, "copy: out is in hbm; a MATH operand must be in tcm (D6.7)"},
        {KS_OP_copy, NONE, {X}, "copy: out is missing"},
        {KS_OP_copy, OUT, {OTHER}, "copy: operand 'x' is 3 x 8, which does not fit out, 4 x 8"},
        {KS_OP_copy, OUT, {ROW}, "copy: operand 'x' is 1 x 8, which does not fit out, 4 x 8"},
        {KS_OP_add, OUT, {X, OTHER}, "add: operand 'y' is 3 x 8, which does not fit out, 4 x 8"},
        {KS_OP_add,
         OUT_COLUMN,
         {COLUMN, X},
         "add: operand 'y' is 4 x 8, which does not fit out, 4 x 1"},
        {KS_OP_rmax, OUT, {X}, "rmax: operand 'x' is 4 x 8, which does not fit out, 4 x 8"},
        {KS_OP_rsum,
         OUT_COLUMN,
         {OTHER},
         "rsum: operand 'x' is 3 x 8, which does not fit out, 4 x 1"},
        {KS_OP_gemm, OUT, {X, X}, "gemm: a second GEMM op; a composite has at most one (D6.1)"},
        {KS_OP_load, OUT, {X}, "load: is not a MATH op on whole tensors"},
        {KS_OP_store, OUT, {X}, "store: is not a MATH op on whole tensors"},
        {KS_OP_rmsnorm, OUT, {X}, "rmsnorm: is not a MATH op on whole tensors"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        ks_tl_math(b.tl, &(ks_math){.kind = table[i].kind,
                                    .out = t[table[i].out],
                                    .operands = {t[table[i].operands[0]], t[table[i].operands[1]],
                                                 t[table[i].operands[2]]}});
        expect_refusal(&b, table[i].message);
        assert_int_equal(b.lowering->program.command_count, 0);
        bench_close(&b);
    }
}

static void the_first_refusal_sticks_and_nothing_is_issued_after_it(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t[NAME_COUNT];
    make_tensors(&b, t);
    ks_tl_fill(b.tl, t[X], 0);
    ks_tl_math(b.tl, &(ks_math){.kind = KS_OP_copy, .out = t[OUT], .operands = {t[HBM]}});
    ks_tl_fill(b.tl, t[X], 0);
    ks_tl_store(b.tl, t[X], 0x1000);
    ks_tl_dot(b.tl, t[X], t[X]);
    ks_tl_wait(b.tl, t[X]);
    ks_tl_composite(b.tl, &(ks_composite){.op = "nonsense"});
    assert_true(ks_tl_has_failed(b.tl));
    expect_refusal(&b, "copy: operand 'x' is in hbm; a MATH operand must be in tcm (D6.7)");
    assert_int_equal(b.lowering->program.command_count, 1);
    bench_close(&b);
}

static void a_load_reads_hbm_into_new_scratch(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x12345000, 3, 5, KS_BF16);
    const ks_program *program = bench_finish(&b);
    const ks_command *command = program->commands[0];
    assert_int_equal(command->ops[0].kind, KS_OP_load);
    assert_int_equal(command->ops[0].operand_count, 1);
    const ks_handle *from = command->ops[0].operands[0].handle;
    assert_true(from->space == KS_HBM && from->addr == 0x12345000 && from->rows == 3 &&
                from->cols == 5);
    assert_int_equal(from->dtype, KS_BF16);
    assert_ptr_equal(command->ops[0].out, x);
    assert_int_equal(x->pending, 0);
    assert_int_equal(x->dtype, KS_BF16);
    bench_close(&b);
}

static void a_store_writes_tcm_to_hbm(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 3, 5);
    ks_tl_store(b.tl, x, 0x12345000);
    const ks_command *command = bench_finish(&b)->commands[0];
    assert_int_equal(command->ops[0].kind, KS_OP_store);
    assert_ptr_equal(command->ops[0].operands[0].handle, x);
    const ks_handle *to = command->ops[0].out;
    assert_true(to->space == KS_HBM && to->addr == 0x12345000 && to->rows == 3 && to->cols == 5);
    assert_int_equal(to->dtype, KS_F16);
    bench_close(&b);
}

static void a_store_from_hbm_is_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_store(b.tl, hbm(&b, 3, 5), 0x12345000);
    expect_refusal(&b, "store: operand 'x' is in hbm; it stores from tcm");
    bench_close(&b);
}

static void a_load_that_does_not_fit_is_an_overflow_and_emits_nothing(void **state) {
    (void)state;
    host_bench b = bench_open_with(29, KS_F32);
    ks_tl_load(b.tl, 0x12345000, 3, 5, KS_F16); /* 30 bytes */
    ks_tl_finish(b.tl, b.lowering);
    assert_int_equal(b.lowering->verdict, KS_LOWERING_TCM_OVERFLOW);
    assert_int_equal(b.lowering->end, 30);
    assert_int_equal(b.lowering->program.command_count, 0);
    bench_close(&b);
}

static void a_dot_is_one_gemm_op_into_scratch_of_a_s_format(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *a = ks_tl_alloc(b.tl, 2, 3, KS_BF16), *right = tcm(&b, 3, 4);
    const ks_handle *out = ks_tl_dot(b.tl, a, right);
    const ks_command *command = bench_finish(&b)->commands[0];
    const ks_op *op = &command->ops[0];
    assert_false(command->is_composite);
    assert_int_equal(op->kind, KS_OP_gemm);
    assert_int_equal(op->operand_count, 2);
    assert_string_equal(op->operands[0].name, "a");
    assert_string_equal(op->operands[1].name, "b");
    assert_true(op->m == 2 && op->k == 3 && op->n == 4 && !op->is_b_transposed);
    assert_ptr_equal(op->out, out);
    assert_true(out->space == KS_TCM && out->rows == 2 && out->cols == 4 && out->dtype == KS_BF16);
    assert_int_equal(out->pending, 0);
    bench_close(&b);
}

static void a_dot_of_wrong_operands_is_refused(void **state) {
    (void)state;
    static const struct {
        bool is_a_in_hbm, is_b_in_hbm;
        uint64_t b_rows;
        const char *message;
    } table[] = {
        {true, false, 3, "gemm: operand 'a' of a dot is in hbm; it reads tcm"},
        {false, true, 3, "gemm: operand 'b' of a dot is in hbm; it reads tcm"},
        {false, false, 4, "gemm: operand 'b' has 4 rows, expected 3, the columns of 'a'"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *left = table[i].is_a_in_hbm ? hbm(&b, 2, 3) : tcm(&b, 2, 3);
        const ks_handle *right =
            table[i].is_b_in_hbm ? hbm(&b, table[i].b_rows, 4) : tcm(&b, table[i].b_rows, 4);
        ks_tl_dot(b.tl, left, right);
        expect_refusal(&b, table[i].message);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(math_ops_that_fit_are_issued),
        cmocka_unit_test(math_ops_that_do_not_fit_are_refused),
        cmocka_unit_test(the_first_refusal_sticks_and_nothing_is_issued_after_it),
        cmocka_unit_test(a_load_reads_hbm_into_new_scratch),
        cmocka_unit_test(a_store_writes_tcm_to_hbm),
        cmocka_unit_test(a_store_from_hbm_is_refused),
        cmocka_unit_test(a_load_that_does_not_fit_is_an_overflow_and_emits_nothing),
        cmocka_unit_test(a_dot_is_one_gemm_op_into_scratch_of_a_s_format),
        cmocka_unit_test(a_dot_of_wrong_operands_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
