/* When two commands share a plan: exactly when ks_plan_build would give the same one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/plan.h"

typedef struct pair {
    ks_handle a, b, other, out;
    ks_op ops[2];
    ks_command command;
} pair;

/* gemm 4 x 6 x 8 from hbm to tcm with an add on each output tile. */
static void make(pair *p) {
    *p = (pair){
        .a = {.addr = 4096, .rows = 4, .cols = 6, .dtype = KS_F16},
        .b = {.addr = 8192, .rows = 6, .cols = 8, .dtype = KS_F16},
        .other = {.rows = 1, .cols = 8, .space = KS_TCM, .dtype = KS_F32, .pinned = true},
        .out = {
            .addr = 64, .rows = 4, .cols = 8, .space = KS_TCM, .dtype = KS_F32, .pinned = true}};
    p->ops[0] = (ks_op){.kind = KS_OP_gemm,
                        .operand_count = 2,
                        .operands = {{"a", &p->a}, {"b", &p->b}},
                        .out = &p->out,
                        .m = 4,
                        .k = 6,
                        .n = 8};
    p->ops[1] = (ks_op){.kind = KS_OP_add,
                        .scope = KS_SCOPE_OUTPUT_TILE,
                        .operand_count = 1,
                        .operands = {{"other", &p->other}},
                        .out = &p->out};
    p->command = (ks_command){.is_composite = true, .op_count = 2, .ops = p->ops};
}

static void addresses_numbers_and_immediates_do_not_matter(void **state) {
    (void)state;
    pair x, y;
    make(&x);
    make(&y);
    y.command.index = 7;
    y.command.tile = 3;
    y.a.addr += 4096;
    y.a.id = 9;
    y.out.pending = 5;
    y.ops[1].immediate = 2;
    assert_true(ks_plan_is_shared(&x.command, &y.command));
}

/* A field of the second command changed, each alone. */
static void everything_that_shapes_a_plan_matters(void **state) {
    (void)state;
    pair x, y;
    make(&x);
#define EXPECT_OTHER_PLAN(change)                                               \
    do {                                                                        \
        make(&y);                                                               \
        y.change;                                                               \
        if (ks_plan_is_shared(&x.command, &y.command)) fail_msg("%s", #change); \
        assert_false(ks_plan_is_shared(&y.command, &x.command));                \
    } while (0)
    EXPECT_OTHER_PLAN(command.is_composite = false);
    EXPECT_OTHER_PLAN(command.op_count = 1);
    EXPECT_OTHER_PLAN(ops[1].kind = KS_OP_relu);
    EXPECT_OTHER_PLAN(ops[1].scope = KS_SCOPE_K_TILE);
    EXPECT_OTHER_PLAN(ops[1].operand_count = 0);
    EXPECT_OTHER_PLAN(ops[1].out = NULL);
    EXPECT_OTHER_PLAN(ops[0].m = 3);
    EXPECT_OTHER_PLAN(ops[0].k = 5);
    EXPECT_OTHER_PLAN(ops[0].n = 7);
    EXPECT_OTHER_PLAN(ops[0].is_b_transposed = true);
    EXPECT_OTHER_PLAN(a.rows = 3);
    EXPECT_OTHER_PLAN(b.cols = 9); /* wire bytes: no longer as wide as its handle */
    EXPECT_OTHER_PLAN(a.dtype = KS_F32);
    EXPECT_OTHER_PLAN(a.pinned = true);
    EXPECT_OTHER_PLAN(a.space = KS_TCM);
    EXPECT_OTHER_PLAN(out.space = KS_HBM);
    EXPECT_OTHER_PLAN(out.dtype = KS_F16);
    EXPECT_OTHER_PLAN(other.rows = 4);
#undef EXPECT_OTHER_PLAN
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_numbers_and_immediates_do_not_matter),
        cmocka_unit_test(everything_that_shapes_a_plan_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
