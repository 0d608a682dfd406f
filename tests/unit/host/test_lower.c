#include "host_bench.h"

static void load_one(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    ks_tl_load_tensor(tl, ks_layout_find(layout, "A"));
}

static void load_wrongly(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    load_one(tl, point, layout);
    ks_tl_store(tl, ks_tl_ref(tl, 0, 1, 1, KS_F16), 0);
}

static const ks_kernel kernels[] = {{"load_one", KS_TASK_GEMM, load_one, 0},
                                    {"load_wrongly", KS_TASK_GEMM, load_wrongly, 0}};
static const ks_kernel_table table = {kernels, COUNT(kernels)};

/* A is 3 x 5 of f16: 30 bytes. */
static ks_point point_of(uint64_t tcm_bytes) {
    ks_point point = ks_point_default();
    point.params[KS_P_M] = 3;
    point.params[KS_P_K] = 5;
    point.params[KS_P_N] = 1;
    point.calibration.values[KS_C_tcm_bytes] = tcm_bytes * KS_TICKS_PER_UNIT;
    return point;
}

static void kernels_are_found_by_their_whole_name(void **state) {
    (void)state;
    assert_int_equal(ks_kernel_find(&table, "load_one"), 0);
    assert_int_equal(ks_kernel_find(&table, "load_wrongly"), 1);
    assert_int_equal(ks_kernel_find(&table, "load_on"), -1);
    assert_int_equal(ks_kernel_find(&table, "load_one "), -1);
    assert_int_equal(ks_kernel_find(&table, ""), -1);
}

static void a_kernel_gets_its_task_s_layout(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(4096);
    const ks_point point = point_of(1024);
    ks_lowering lowering;
    ks_lower(&kernels[0], &point, arena, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERED);
    assert_int_equal(lowering.program.command_count, 1);
    const ks_handle *a = lowering.program.commands[0]->ops[0].operands[0].handle;
    assert_true(a->addr == 0x10000000 && a->rows == 3 && a->cols == 5);
    ks_arena_free(arena);
}

static void the_point_s_tcm_is_the_limit(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(4096);
    ks_point point = point_of(30);
    ks_lowering lowering;
    ks_lower(&kernels[0], &point, arena, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERED);
    assert_int_equal(lowering.program.tcm_peak_bytes, 30);
    point = point_of(29);
    ks_lower(&kernels[0], &point, arena, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERING_TCM_OVERFLOW);
    assert_int_equal(lowering.end, 30);
    assert_int_equal(lowering.tcm_bytes, 29);
    ks_arena_free(arena);
}

/* What comes first is told: the overflow of the load, not the wrong store behind it. */
static void the_first_failure_of_a_kernel_is_its_verdict(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(4096);
    ks_point point = point_of(29);
    ks_lowering lowering;
    ks_lower(&kernels[1], &point, arena, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERING_TCM_OVERFLOW);
    point = point_of(30);
    ks_lower(&kernels[1], &point, arena, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERING_REFUSED);
    assert_string_equal(lowering.error.text, "store: operand 'x' is in hbm; it stores from tcm");
    ks_arena_free(arena);
}

static void lowering_twice_gives_the_same_program(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(4096);
    const ks_point point = point_of(1024);
    ks_lowering lowering[2];
    for (int i = 0; i < 2; i++) ks_lower(&kernels[0], &point, arena, &lowering[i]);
    assert_int_equal(lowering[0].program.commands[0]->ops[0].out->addr,
                     lowering[1].program.commands[0]->ops[0].out->addr);
    assert_int_equal(lowering[0].program.instruction_count, lowering[1].program.instruction_count);
    ks_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_found_by_their_whole_name),
        cmocka_unit_test(a_kernel_gets_its_task_s_layout),
        cmocka_unit_test(the_point_s_tcm_is_the_limit),
        cmocka_unit_test(the_first_failure_of_a_kernel_is_its_verdict),
        cmocka_unit_test(lowering_twice_gives_the_same_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
