#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "kernels/kernels.h"
#include "run/plan_cache.h"
#include "support/rig.h"

static const ks_kernel *kernel_of(const ks_point *point) {
    return &ks_kernels.kernels[ks_param_of(point, KS_P_kernel)];
}

static const ks_lowering *lower(ks_plan_cache *cache, const ks_point *point) {
    const ks_lowering *lowering = ks_plan_cache_lower(cache, kernel_of(point), point, true);
    assert_non_null(lowering);
    return lowering;
}

/* Another value that the constant may have. */
static uint64_t other_value(int constant, uint64_t value) {
    if (constant == KS_C_gemm_rule) return (value + 1) % KS_RULE_COUNT;
    return value + KS_TICKS_PER_UNIT;
}

/* The same commands, plans and loop, whatever services and segments take. */
static bool is_same_script(const ks_script *a, const ks_script *b) {
    bool is_same = a->command_count == b->command_count &&
                   a->instruction_count == b->instruction_count &&
                   a->template_count == b->template_count && a->work_count == b->work_count &&
                   a->hazard_count == b->hazard_count && a->loop.left_out == b->loop.left_out;
    is_same = is_same &&
              memcmp(a->instructions, b->instructions,
                     a->instruction_count * sizeof *a->instructions) == 0 &&
              memcmp(a->works, b->works, a->work_count * sizeof *a->works) == 0;
    for (uint32_t c = 0; is_same && c < a->command_count; c++)
        is_same = a->orders[c].template->index == b->orders[c].template->index &&
                  a->orders[c].hazard == b->orders[c].hazard;
    for (uint32_t i = 0; is_same && i < a->template_count; i++) {
        const ks_template *x = a->templates[i], *y = b->templates[i];
        is_same = x->step_count == y->step_count && x->use_count == y->use_count &&
                  memcmp(x->missing, y->missing, x->step_count) == 0;
    }
    return is_same;
}

static void build(ks_arena *arena, const ks_point *point, ks_lowering *lowering,
                  ks_script *script) {
    const ks_machine machine = ks_machine_of(point);
    ks_lower_short(kernel_of(point), point, arena, lowering);
    assert_int_equal(lowering->verdict, KS_LOWERED);
    assert_int_equal(ks_script_build(&lowering->program, &machine, arena, script), KS_OK);
}

/* Each constant in turn: either the cache tells the points apart, or they have one script. */
static void a_constant_that_is_not_looked_at_changes_no_command_and_no_plan(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000", "kernel=decode_opt3 G=3 TILE=20 d=70 S=4096",
        "kernel=gemm_bias_relu M=33 K=200 N=130", "kernel=rmsnorm_linear M=33 K=200 N=130"};
    int shared = 0, apart = 0;
    ks_arena *arena = ks_arena_new(1 << 20);
    ks_plan_cache *cache = ks_plan_cache_new();
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const ks_point point = rig_point(keys[k]);
        for (int c = 0; c < KS_CONSTANT_COUNT; c++) {
            ks_lowering lowerings[2];
            ks_script scripts[2];
            ks_point other = point;
            other.calibration.values[c] = other_value(c, point.calibration.values[c]);
            lower(cache, &point);
            const uint64_t lowered = ks_plan_cache_lowered(cache);
            lower(cache, &other);
            const bool is_shared = ks_plan_cache_lowered(cache) == lowered;
            shared += is_shared;
            apart += !is_shared;
            ks_arena_reset(arena);
            build(arena, &point, &lowerings[0], &scripts[0]);
            build(arena, &other, &lowerings[1], &scripts[1]);
            if (is_shared && !is_same_script(&scripts[0], &scripts[1]))
                fail_msg("%s: %s changes the script", keys[k],
                         ks_constant_describe((ks_constant)c)->name);
        }
    }
    assert_true(shared > 0 && apart > 0);
    ks_plan_cache_free(cache);
    ks_arena_free(arena);
}

static void points_share_a_lowering_and_its_script(void **state) {
    (void)state;
    ks_plan_cache *cache = ks_plan_cache_new();
    const ks_script *scripts[2];
    ks_point point = rig_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    const ks_lowering *first = lower(cache, &point);
    ks_machine machine = ks_machine_of(&point);
    assert_int_equal(ks_plan_cache_script(cache, &machine, &scripts[0]), KS_OK);
    const uint64_t latency = scripts[0]->latency_ticks;

    point.params[KS_P_policy] = KS_POLICY_serial;
    point.params[KS_P_seed] = 7;
    point.calibration.values[KS_C_dma_latency_cycles] += KS_TICKS_PER_UNIT;
    machine = ks_machine_of(&point);
    assert_ptr_equal(lower(cache, &point), first);
    assert_int_equal(ks_plan_cache_lowered(cache), 1);
    assert_int_equal(ks_plan_cache_script(cache, &machine, &scripts[1]), KS_OK);
    assert_ptr_equal(scripts[0], scripts[1]);
    assert_int_equal(scripts[1]->latency_ticks, latency + KS_TICKS_PER_UNIT); /* timed anew */
    ks_plan_cache_free(cache);
}

static void a_parameter_or_kernel_of_a_command_tells_points_apart(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=decode_opt2 G=9 TILE=64 d=128 S=4096",
        "kernel=decode_opt2 G=8 TILE=65 d=128 S=4096",
        "kernel=decode_opt2 G=8 TILE=64 d=127 S=4096",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4097",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 dtype=f32",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 score=f32",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 acc=f16",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 p_dtype=f32",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 s_buffers=1",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 stream_in_prologue=1",
        "kernel=decode_a1 G=8 TILE=64 d=128 S=4096",
    };
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        ks_plan_cache *cache = ks_plan_cache_new();
        const ks_point point = rig_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
        const ks_point other = rig_point(keys[k]);
        const ks_machine machine = ks_machine_of(&point);
        const ks_script *script;
        lower(cache, &point);
        lower(cache, &other);
        assert_int_equal(ks_plan_cache_lowered(cache), 2);
        const ks_program *program = &lower(cache, &point)->program; /* its own again */
        assert_int_equal(ks_plan_cache_script(cache, &machine, &script), KS_OK);
        assert_ptr_equal(script->program, program);
        assert_int_equal(program->tile_count, 64);
        const ks_handle *q = program->commands[0]->ops[0].out;
        assert_int_equal(q->rows * q->cols, 8 * 128);
        assert_int_equal(q->dtype, KS_F16);
        ks_plan_cache_free(cache);
    }
}

static void whole_and_short_are_two(void **state) {
    (void)state;
    ks_plan_cache *cache = ks_plan_cache_new();
    const ks_point point = rig_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    const uint32_t less = lower(cache, &point)->program.command_count;
    const ks_lowering *whole = ks_plan_cache_lower(cache, kernel_of(&point), &point, false);
    assert_int_equal(whole->program.repeat.count, 0);
    assert_true(whole->program.command_count > less);
    assert_int_equal(lower(cache, &point)->program.command_count, less);
    ks_plan_cache_free(cache);
}

/* A thread takes such points together; if they did not share, it would only cost time. */
static void points_are_served_by_one_plan_exactly_if_the_cache_does_not_lower_twice(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000 policy=serial",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000 seed=7 dist=outlier",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000 math_startup_cycles=20",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000 queue_depth=3",
        "kernel=decode_opt2 G=8 TILE=32 d=128 S=4000",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=4000 stream_in_prologue=0"};
    int served = 0, apart = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        ks_plan_cache *cache = ks_plan_cache_new();
        const ks_point point = rig_point(keys[0]), other = rig_point(keys[k]);
        lower(cache, &point);
        lower(cache, &other);
        const bool is_served = ks_plan_serves(kernel_of(&point), &point, &other);
        assert_int_equal(is_served, ks_plan_cache_lowered(cache) == 1);
        served += is_served;
        apart += !is_served;
        ks_plan_cache_free(cache);
    }
    assert_true(served >= 4 && apart >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_served_by_one_plan_exactly_if_the_cache_does_not_lower_twice),
        cmocka_unit_test(a_constant_that_is_not_looked_at_changes_no_command_and_no_plan),
        cmocka_unit_test(points_share_a_lowering_and_its_script),
        cmocka_unit_test(a_parameter_or_kernel_of_a_command_tells_points_apart),
        cmocka_unit_test(whole_and_short_are_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
