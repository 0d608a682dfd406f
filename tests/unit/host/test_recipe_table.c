/* What the recipes of the table become. */
#include "host_bench.h"

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
