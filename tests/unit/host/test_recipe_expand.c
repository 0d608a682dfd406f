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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipe_operands_that_do_not_fit_are_refused),
        cmocka_unit_test(an_unknown_recipe_is_refused_with_a_near_match),
        cmocka_unit_test(recipes_that_are_not_single_shot_and_identity_are_refused_by_name),
        cmocka_unit_test(a_recipe_of_a_test_s_own_table_is_expanded),
        cmocka_unit_test(a_recipe_without_primary_output_leaves_a_to_the_kernel),
        cmocka_unit_test(without_primary_output_and_without_a_the_head_is_refused),
        cmocka_unit_test(two_primary_outputs_in_one_prologue_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
