#include "host_bench.h"

#include "host/recipe.h"

/* ---- what is refused ---- */

typedef enum name {
    S,
    M,
    L,
    O,
    M_HBM,
    M_LONG,
    M_WIDE,
    L_SHORT,
    O_SHORT,
    S_HBM,
    O_HBM,
    NAME_COUNT
} name;

/* G = 4, w = 8, d = 16. */
static void make_tensors(host_bench *b, const ks_handle *t[NAME_COUNT]) {
    t[S] = tcm(b, 4, 8);
    t[M] = tcm(b, 4, 1);
    t[L] = tcm(b, 4, 1);
    t[O] = tcm(b, 4, 16);
    t[M_HBM] = hbm(b, 4, 1);
    t[M_LONG] = tcm(b, 5, 1);
    t[M_WIDE] = tcm(b, 4, 2);
    t[L_SHORT] = tcm(b, 3, 1);
    t[O_SHORT] = tcm(b, 3, 16);
    t[S_HBM] = hbm(b, 4, 8);
    t[O_HBM] = hbm(b, 4, 16);
}

typedef struct given {
    const char *name;
    name tensor;
} given;

static void recipe_operands_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        given operands[4];
        const char *message;
    } table[] = {
        {{{"m", M}, {"l", L}, {"O", O}}, "softmax_merge: operand 's' is missing"},
        {{{"s", S}, {"l", L}, {"O", O}}, "softmax_merge: operand 'm' is missing"},
        {{{"s", S}, {"m", M}, {"O", O}}, "softmax_merge: operand 'l' is missing"},
        {{{"s", S}, {"m", M}, {"l", L}}, "softmax_merge: operand 'O' is missing"},
        {{{"s", S}, {"s", S}, {"m", M}, {"l", L}}, "softmax_merge: operand 's' is given twice"},
        {{{"s", S}, {"l", L}, {"m", M}, {"l", L}}, "softmax_merge: operand 'l' is given twice"},
        {{{"s", S}, {"m", M}, {"l", L}, {"o", O}},
         "softmax_merge: no operand is named 'o' (did you mean 'O'?)"},
        {{{"s", S}, {"m", M}, {"l", L}, {"values", O}},
         "softmax_merge: no operand is named 'values'"},
        {{{"s", S_HBM}, {"m", M}, {"l", L}, {"O", O}},
         "softmax_merge: operand 's' is in hbm; a recipe operand must be in tcm (D6.7)"},
        {{{"s", S}, {"m", M_HBM}, {"l", L}, {"O", O}},
         "softmax_merge: operand 'm' is in hbm; a recipe operand must be in tcm (D6.7)"},
        {{{"s", S}, {"m", M}, {"l", M_HBM}, {"O", O}},
         "softmax_merge: operand 'l' is in hbm; a recipe operand must be in tcm (D6.7)"},
        {{{"s", S}, {"m", M}, {"l", L}, {"O", O_HBM}},
         "softmax_merge: operand 'O' is in hbm; a recipe operand must be in tcm (D6.7)"},
        {{{"s", S}, {"m", M_LONG}, {"l", L}, {"O", O}},
         "softmax_merge: operand 'm' has length 5 where 4 is expected"},
        {{{"s", S}, {"m", M_WIDE}, {"l", L}, {"O", O}},
         "softmax_merge: operand 'm' has length 2 where 1 is expected"},
        {{{"s", S}, {"m", M}, {"l", L_SHORT}, {"O", O}},
         "softmax_merge: operand 'l' has length 3 where 4 is expected"},
        {{{"s", S}, {"m", M}, {"l", L}, {"O", O_SHORT}},
         "softmax_merge: operand 'O' has length 3 where 4 is expected"},
        {{{"s", S}, {"m", M}, {"l", M}, {"O", O}},
         "softmax_merge: RW operand 'm' overlaps operand 'l'"},
        {{{"s", O}, {"m", M}, {"l", L}, {"O", O}},
         "softmax_merge: RW operand 'O' overlaps operand 's'"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *t[NAME_COUNT];
        make_tensors(&b, t);
        ks_call call = {.op = "softmax_merge"};
        for (; call.operand_count < 4 && table[i].operands[call.operand_count].name;
             call.operand_count++) {
            const given *g = &table[i].operands[call.operand_count];
            call.operands[call.operand_count] = (ks_operand){g->name, t[g->tensor]};
        }
        ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
        expect_refusal(&b, table[i].message);
        assert_int_equal(b.lowering->program.command_count, 0);
        bench_close(&b);
    }
}

static void an_unknown_recipe_is_refused_with_a_near_match(void **state) {
    (void)state;
    static const struct {
        const char *name, *message;
    } table[] = {
        {"softmax_merg", "softmax_merg: unknown recipe (did you mean 'softmax_merge'?)"},
        {"rmsnrom", "rmsnrom: unknown recipe (did you mean 'rmsnorm'?)"},
        {"flash_pv_merge", "flash_pv_merge: unknown recipe"},
        {"add", "add: unknown recipe"}, /* an op, but no recipe */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_call call = {.op = table[i].name};
        ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
        expect_refusal(&b, table[i].message);
        bench_close(&b);
    }
}

/* ---- recipes that are not built ---- */

#define COPY_STEP                     \
    {                                 \
        { KS_OP_copy, {"x"}, "y", 0 } \
    }

static const ks_recipe test_recipes[] = {
    {.name = "tiled",
     .primary = "y",
     .transform = "identity",
     .alignment = "tile_aligned",
     .operands = {{"x", KS_RECIPE_R, "mn"}},
     .scratch = {{"y", "mn", "x"}},
     .steps = COPY_STEP},
    {.name = "turned",
     .primary = "y",
     .transform = "transpose",
     .alignment = "single_shot",
     .operands = {{"x", KS_RECIPE_R, "mn"}},
     .scratch = {{"y", "mn", "x"}},
     .steps = COPY_STEP},
    {.name = "plain",
     .primary = "y",
     .transform = "identity",
     .alignment = "single_shot",
     .operands = {{"x", KS_RECIPE_R, "mn"}},
     .scratch = {{"y", "mn", "x"}},
     .steps = COPY_STEP},
    {.name = "touch",
     .primary = NULL,
     .transform = "identity",
     .alignment = "single_shot",
     .operands = {{"x", KS_RECIPE_RW, "mn"}},
     .steps = {{KS_OP_relu, {"x"}, "x", 0}}},
};

static void recipes_that_are_not_single_shot_and_identity_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *name, *message;
    } table[] = {
        {"tiled", "tiled: tile alignment 'tile_aligned' is not built, only single_shot"},
        {"turned", "turned: primary output transform 'transpose' is not built, only identity"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        ks_tl_use_recipes(b.tl, test_recipes, COUNT(test_recipes));
        const ks_call call = {
            .op = table[i].name, .operand_count = 1, .operands = {{"x", tcm(&b, 2, 3)}}};
        ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
        expect_refusal(&b, table[i].message);
        bench_close(&b);
    }
}

static void a_recipe_of_a_test_s_own_table_is_expanded(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_use_recipes(b.tl, test_recipes, COUNT(test_recipes));
    const ks_handle *x = tcm(&b, 2, 3);
    const ks_call call = {.op = "plain", .operand_count = 1, .operands = {{"x", x}}};
    const ks_handle *y =
        ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
    const ks_command *command = bench_finish(&b)->commands[0];
    assert_int_equal(command->op_count, 1);
    assert_ptr_equal(command->ops[0].operands[0].handle, x);
    assert_ptr_equal(command->ops[0].out, y);
    assert_int_equal(command->rw_count, 0);
    bench_close(&b);
}

static void a_recipe_without_primary_output_leaves_a_to_the_kernel(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_use_recipes(b.tl, test_recipes, COUNT(test_recipes));
    const ks_handle *x = tcm(&b, 2, 3), *right = tcm(&b, 3, 4);
    const ks_call call = {.op = "touch", .operand_count = 1, .operands = {{"x", x}}};
    ks_tl_composite(
        b.tl,
        &(ks_composite){.prologue = &call, .prologue_count = 1, .op = "gemm", .a = x, .b = right});
    const ks_command *command = bench_finish(&b)->commands[0];
    assert_int_equal(command->op_count, 2);
    assert_ptr_equal(command->ops[1].operands[0].handle, x);
    assert_int_equal(command->rw_count, 1);
    assert_ptr_equal(command->rw_handles[0], x);
    bench_close(&b);
}

static void without_primary_output_and_without_a_the_head_is_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_use_recipes(b.tl, test_recipes, COUNT(test_recipes));
    const ks_call call = {.op = "touch", .operand_count = 1, .operands = {{"x", tcm(&b, 2, 3)}}};
    ks_tl_composite(
        b.tl,
        &(ks_composite){.prologue = &call, .prologue_count = 1, .op = "gemm", .b = tcm(&b, 3, 4)});
    expect_refusal(&b, "gemm: operand 'a' is missing");
    bench_close(&b);
}

static void two_primary_outputs_in_one_prologue_are_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_use_recipes(b.tl, test_recipes, COUNT(test_recipes));
    const ks_handle *x = tcm(&b, 2, 3);
    const ks_call calls[] = {{.op = "plain", .operand_count = 1, .operands = {{"x", x}}},
                             {.op = "plain", .operand_count = 1, .operands = {{"x", x}}}};
    ks_tl_composite(b.tl, &(ks_composite){.prologue = calls, .prologue_count = 2});
    expect_refusal(&b, "plain: a second primary output in one prologue");
    bench_close(&b);
}

/* ---- what softmax_merge becomes ---- */

typedef struct merged {
    host_bench b;
    const ks_handle *s, *m, *l, *o, *p;
    const ks_command *command;
} merged;

/* G = 4, w = 8, d = 16. */
static merged merge(ks_dtype acc, ks_dtype score, bool has_p_dtype, ks_dtype p_dtype) {
    merged x = {.b = bench_open_with(1 << 20, acc)};
    x.s = ks_tl_alloc(x.b.tl, 4, 8, score);
    x.m = ks_tl_alloc(x.b.tl, 4, 1, acc);
    x.l = ks_tl_alloc(x.b.tl, 4, 1, acc);
    x.o = ks_tl_alloc(x.b.tl, 4, 16, acc);
    const ks_call call = {
        .op = "softmax_merge",
        .operand_count = 4,
        .operands = {{"O", x.o}, {"s", x.s}, {"l", x.l}, {"m", x.m}}, /* by name */
        .has_primary_dtype = has_p_dtype,
        .primary_dtype = p_dtype};
    x.p = ks_tl_composite(x.b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
    x.command = bench_finish(&x.b)->commands[0];
    return x;
}

static void the_merge_wires_its_eight_steps_as_the_adr_does(void **state) {
    (void)state;
    merged x = merge(KS_F32, KS_F16, false, KS_F16);
    const ks_op *ops = x.command->ops;
    assert_int_equal(x.command->op_count, 8);
    const ks_handle *m_loc = ops[0].out, *m_new = ops[1].out, *corr = ops[2].out,
                    *l_loc = ops[4].out;
    const struct {
        ks_op_kind kind;
        const ks_handle *out, *operands[3];
    } table[] = {
        {KS_OP_rmax, m_loc, {x.s}},           {KS_OP_max_elem, m_new, {x.m, m_loc}},
        {KS_OP_exp_diff, corr, {x.m, m_new}}, {KS_OP_exp_diff, x.p, {x.s, m_new}},
        {KS_OP_rsum, l_loc, {x.p}},           {KS_OP_fma, x.l, {x.l, corr, l_loc}},
        {KS_OP_mul_bcast, x.o, {x.o, corr}},  {KS_OP_copy, x.m, {m_new}},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(ops[i].kind, table[i].kind);
        assert_int_equal(ops[i].scope, KS_SCOPE_KERNEL);
        assert_ptr_equal(ops[i].out, table[i].out);
        for (uint32_t k = 0; k < 3 && table[i].operands[k]; k++) {
            assert_true(k < ops[i].operand_count);
            assert_ptr_equal(ops[i].operands[k].handle, table[i].operands[k]);
        }
    }
    bench_close(&x.b);
}

/* Scratch in the order m_loc, m_new, corr, P, l_loc behind s, m, l, O: 64-byte places. */
static void the_merge_s_scratch_lies_in_order(void **state) {
    (void)state;
    merged x = merge(KS_F32, KS_F16, false, KS_F16);
    const uint64_t base = x.o->addr + 4 * 16 * 4; /* a multiple of 64 */
    const ks_op *ops = x.command->ops;
    assert_int_equal(ops[0].out->addr, base);       /* m_loc */
    assert_int_equal(ops[1].out->addr, base + 64);  /* m_new */
    assert_int_equal(ops[2].out->addr, base + 128); /* corr */
    assert_int_equal(ops[3].out->addr, base + 192); /* P: 4 x 8 f16 = 64 bytes */
    assert_int_equal(ops[4].out->addr, base + 256); /* l_loc */
    assert_int_equal(x.b.lowering->program.tcm_peak_bytes, base + 256 + 16);
    bench_close(&x.b);
}

static void the_merge_s_scratch_has_the_bytes_of_the_model(void **state) {
    (void)state;
    static const struct {
        ks_dtype acc, score;
        bool has_p_dtype;
        ks_dtype p_dtype;
        uint64_t bytes; /* bpe(acc) x 4 G + bpe(P) x G x w */
    } table[] = {
        {KS_F32, KS_F16, false, KS_F16, 4 * 16 + 2 * 32},
        {KS_F32, KS_F32, false, KS_F16, 4 * 16 + 4 * 32}, /* P follows the score */
        {KS_F32, KS_F16, true, KS_F32, 4 * 16 + 4 * 32},  /* p_dtype overrides it */
        {KS_F32, KS_F32, true, KS_BF16, 4 * 16 + 2 * 32},
        {KS_F16, KS_F16, false, KS_F16, 2 * (3 * 4 + 32 + 4)}, /* one bpe: the ADR's formula */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        merged x = merge(table[i].acc, table[i].score, table[i].has_p_dtype, table[i].p_dtype);
        static const uint32_t scratch[] = {0, 1, 2, 3, 4};
        uint64_t bytes = 0;
        for (size_t k = 0; k < COUNT(scratch); k++)
            bytes += ks_handle_bytes(x.command->ops[scratch[k]].out);
        assert_int_equal(bytes, table[i].bytes);
        assert_int_equal(x.p->dtype, table[i].has_p_dtype ? table[i].p_dtype : table[i].score);
        assert_true(x.p->rows == 4 && x.p->cols == 8);
        bench_close(&x.b);
    }
}

static void the_merge_alone_returns_p_pending_and_carries_m_l_o(void **state) {
    (void)state;
    merged x = merge(KS_F32, KS_F16, false, KS_F16);
    assert_int_equal(x.p->pending, 0);
    assert_true(x.p->pinned);
    assert_true(x.command->is_composite);
    assert_int_equal(x.command->rw_count, 3);
    assert_ptr_equal(x.command->rw_handles[0], x.m);
    assert_ptr_equal(x.command->rw_handles[1], x.l);
    assert_ptr_equal(x.command->rw_handles[2], x.o);
    bench_close(&x.b);
}

static void the_merge_s_scratch_is_of_the_open_scope(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *s = tcm(&b, 4, 8), *m = ks_tl_alloc(b.tl, 4, 1, KS_F32);
    const ks_handle *l = ks_tl_alloc(b.tl, 4, 1, KS_F32), *o = ks_tl_alloc(b.tl, 4, 16, KS_F32);
    const ks_call call = {.op = "softmax_merge",
                          .operand_count = 4,
                          .operands = {{"s", s}, {"m", m}, {"l", l}, {"O", o}}};
    uint64_t addr[2];
    for (int i = 0; i < 2; i++) {
        ks_tl_scope_begin(b.tl);
        addr[i] =
            ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1})->addr;
        ks_tl_scope_end(b.tl);
    }
    assert_int_equal(addr[0], addr[1]);
    bench_close(&b);
}

static void scratch_that_does_not_fit_is_an_overflow(void **state) {
    (void)state;
    /* s 64, m and l 64 places of 16, O 256: base 448; l_loc ends at 448 + 256 + 16. */
    static const struct {
        uint64_t tcm_bytes;
        ks_lowering_verdict verdict;
    } table[] = {{720, KS_LOWERED}, {719, KS_LOWERING_TCM_OVERFLOW}};
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open_with(table[i].tcm_bytes, KS_F32);
        const ks_handle *s = tcm(&b, 4, 8), *m = ks_tl_alloc(b.tl, 4, 1, KS_F32);
        const ks_handle *l = ks_tl_alloc(b.tl, 4, 1, KS_F32), *o = ks_tl_alloc(b.tl, 4, 16, KS_F32);
        const ks_call call = {.op = "softmax_merge",
                              .operand_count = 4,
                              .operands = {{"s", s}, {"m", m}, {"l", l}, {"O", o}}};
        ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
        ks_tl_finish(b.tl, b.lowering);
        assert_int_equal(b.lowering->verdict, table[i].verdict);
        if (table[i].verdict == KS_LOWERING_TCM_OVERFLOW) assert_int_equal(b.lowering->end, 720);
        bench_close(&b);
    }
}

/* ---- the second recipe ---- */

static void rmsnorm_wires_its_four_steps(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 4, 8), *w = tcm(&b, 1, 8);
    const ks_call call = {.op = "rmsnorm", .operand_count = 2, .operands = {{"x", x}, {"w", w}}};
    const ks_handle *y =
        ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
    const ks_command *command = bench_finish(&b)->commands[0];
    const ks_op *ops = command->ops;
    assert_int_equal(command->op_count, 4);
    assert_int_equal(command->rw_count, 0);
    const ks_handle *ss = ops[0].out, *r = ops[1].out;
    assert_true(ops[0].kind == KS_OP_rsumsq && ops[0].operands[0].handle == x);
    assert_true(ops[1].kind == KS_OP_rsqrt_mean && ops[1].operands[0].handle == ss);
    assert_true(ops[1].immediate == 8.0f);
    assert_true(ops[2].kind == KS_OP_mul_bcast && ops[2].operands[0].handle == x);
    assert_true(ops[2].operands[1].handle == r && ops[2].out == y);
    assert_true(ops[3].kind == KS_OP_mul_elem && ops[3].operands[0].handle == y);
    assert_true(ops[3].operands[1].handle == w && ops[3].out == y);
    assert_true(ss->dtype == KS_F32 && ss->rows == 4 && ss->cols == 1);
    assert_true(r->dtype == KS_F32 && r->rows == 4 && r->cols == 1);
    assert_true(y->dtype == KS_F16 && y->rows == 4 && y->cols == 8);
    assert_true(ss->addr < r->addr && r->addr < y->addr);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipe_operands_that_do_not_fit_are_refused),
        cmocka_unit_test(an_unknown_recipe_is_refused_with_a_near_match),
        cmocka_unit_test(recipes_that_are_not_single_shot_and_identity_are_refused_by_name),
        cmocka_unit_test(a_recipe_of_a_test_s_own_table_is_expanded),
        cmocka_unit_test(a_recipe_without_primary_output_leaves_a_to_the_kernel),
        cmocka_unit_test(without_primary_output_and_without_a_the_head_is_refused),
        cmocka_unit_test(two_primary_outputs_in_one_prologue_are_refused),
        cmocka_unit_test(the_merge_wires_its_eight_steps_as_the_adr_does),
        cmocka_unit_test(the_merge_s_scratch_lies_in_order),
        cmocka_unit_test(the_merge_s_scratch_has_the_bytes_of_the_model),
        cmocka_unit_test(the_merge_alone_returns_p_pending_and_carries_m_l_o),
        cmocka_unit_test(the_merge_s_scratch_is_of_the_open_scope),
        cmocka_unit_test(scratch_that_does_not_fit_is_an_overflow),
        cmocka_unit_test(rmsnorm_wires_its_four_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
