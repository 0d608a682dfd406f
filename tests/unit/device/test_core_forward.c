/* Skipped tiles against simulated ones: the same figures, whatever the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "device/dispatch.h"
#include "device/script.h"
#include "kernels/kernels.h"
#include "support/random_point.h"
#include "support/rig.h"

static void expect_same_figures(const ks_timeline *a, const ks_timeline *b, const ks_point *point) {
    bool is_same = a->total_ticks == b->total_ticks && a->stall_ticks == b->stall_ticks &&
                   a->wait_ticks == b->wait_ticks && a->read_bytes == b->read_bytes &&
                   a->write_bytes == b->write_bytes && a->macs == b->macs &&
                   a->math_elements == b->math_elements && a->last.cmd == b->last.cmd &&
                   a->last.stage == b->last.stage;
    for (int s = 0; s < KS_SERVER_COUNT; s++) is_same &= a->busy_ticks[s] == b->busy_ticks[s];
    for (int r = 0; r < KS_RESOURCE_COUNT; r++) is_same &= a->path_ticks[r] == b->path_ticks[r];
    if (is_same) return;
    char key[2048];
    random_point_key(point, key, sizeof key);
    for (int r = 0; r < KS_RESOURCE_COUNT; r++)
        printf("%s %llu %llu\n", ks_resource_name((ks_resource)r),
               (unsigned long long)a->path_ticks[r], (unsigned long long)b->path_ticks[r]);
    fail_msg("%s: way %d: total %llu, of the whole program %llu; stall %llu, %llu; wait %llu, %llu",
             key, a->way, (unsigned long long)a->total_ticks, (unsigned long long)b->total_ticks,
             (unsigned long long)a->stall_ticks, (unsigned long long)b->stall_ticks,
             (unsigned long long)a->wait_ticks, (unsigned long long)b->wait_ticks);
}

typedef struct bench {
    ks_arena *arena;
    uint64_t ways[KS_WAY_COUNT]; /* of short programs with tiles left out */
    uint64_t whole, lost;        /* no tile left out; PE_CPU ran out of the loop */
    uint64_t refused;            /* both ways */
} bench;

/* Runs the point both ways. */
static void compare(bench *b, const ks_point *point) {
    const ks_kernel *kernel = &ks_kernels.kernels[ks_param_of(point, KS_P_kernel)];
    const ks_machine machine = ks_machine_of(point);
    ks_lowering whole, less;
    ks_script script;
    ks_timeline expected, timeline;
    ks_arena_reset(b->arena);
    ks_lower(kernel, point, b->arena, &whole);
    ks_lower_short(kernel, point, b->arena, &less);
    assert_int_equal(whole.verdict, less.verdict);
    if (whole.verdict != KS_LOWERED) {
        assert_int_equal(whole.end, less.end);
        b->refused++;
        return;
    }
    ks_status status = ks_timeline_run(&whole.program, &machine, b->arena, NULL, &expected);
    ks_status built = ks_script_build(&less.program, &machine, b->arena, &script);
    if (!built) built = ks_script_time(&script, &machine);
    const bool is_left_out = !built && script.loop.left_out > 0;
    if (!built) built = ks_script_run(&script, b->arena, NULL, &timeline);
    if (built == KS_FAILED) {
        b->lost++;
        return;
    }
    assert_int_equal(built, status);
    b->refused += status != KS_OK;
    if (status) return;
    expect_same_figures(&timeline, &expected, point);
    if (is_left_out)
        b->ways[timeline.way]++;
    else
        b->whole++;
}

static void random_points_have_the_figures_of_full_simulation(void **state) {
    (void)state;
    enum { POINTS = 500 };
    bench b = {.arena = ks_arena_new(1 << 20)};
    random_source source = {7};
    for (uint64_t i = 0; i < POINTS; i++) {
        ks_point point = random_point(&source, i % 4); /* the decodes come first */
        point.params[KS_P_S] += random_below(&source, 100) * point.params[KS_P_TILE];
        compare(&b, &point);
    }
    assert_true(b.ways[KS_WAY_FORWARD] > POINTS / 2);
    assert_true(b.ways[KS_WAY_DRIFT] > 0);
    assert_int_equal(b.lost, 0);
    ks_arena_free(b.arena);
}

static void where_no_state_repeats_the_loop_is_simulated(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=decode_a1 G=2 TILE=19 d=1 S=1727 policy=rw_aware stream_in_prologue=1 "
        "dispatch_cycles_per_byte=1.6744 max_composite_logical_bytes=399 op_header_bytes=0 "
        "dma_bytes_per_cycle=4.7129 dma_latency_cycles=4 dma_burst_bytes=3 "
        "store_bytes_per_cycle=0.5326 gemm_cols=30 gemm_tile_m=3 gemm_tile_n=70 gemm_tile_k=102 "
        "math_lanes=2 math_startup_cycles=1.351 math_exp_weight=11.4125",
        "kernel=decode_opt2 G=8 TILE=30 d=1 S=4080 dtype=bf16 score=f32 p_dtype=f16 "
        "policy=rw_aware dispatch_fixed_cycles=23.605 dispatch_cycles_per_byte=2 "
        "max_composite_logical_bytes=666 op_header_bytes=3 stream_buffers=1 acc_buffers=3 "
        "dma_bytes_per_cycle=1 dma_latency_cycles=1 dma_burst_bytes=1 store_bytes_per_cycle=3 "
        "gemm_rule=os gemm_tile_m=9 gemm_tile_n=85 gemm_tile_k=112 math_exp_weight=15.761 "
        "math_div_weight=6"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        bench b = {.arena = ks_arena_new(1 << 20)};
        const ks_point point = rig_point(keys[i]);
        compare(&b, &point);
        assert_int_equal(b.ways[KS_WAY_FULL], 1);
        ks_arena_free(b.arena);
    }
}

/* PE_CPU gains on the engines below 439.2. */
static void a_lead_that_grows_is_skipped_exactly(void **state) {
    (void)state;
    bench b = {.arena = ks_arena_new(1 << 20)};
    for (uint64_t cost = 4000; cost <= 4500; cost += 5) {
        ks_point point = rig_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=30000");
        point.calibration.values[KS_C_dispatch_fixed_cycles] = cost * (KS_TICKS_PER_UNIT / 10);
        compare(&b, &point);
    }
    for (uint64_t cost = 43900; cost <= 43940; cost++) {
        ks_point point = rig_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=60000");
        point.calibration.values[KS_C_dispatch_fixed_cycles] = cost * (KS_TICKS_PER_UNIT / 100);
        compare(&b, &point);
    }
    assert_true(b.ways[KS_WAY_DRIFT] > 20);
    assert_int_equal(b.ways[KS_WAY_FULL], 0);
    ks_arena_free(b.arena);
}

static uint64_t total_ticks(bench *b, ks_point point, uint64_t tiles) {
    const ks_machine machine = ks_machine_of(&point);
    ks_lowering whole;
    ks_timeline timeline;
    point.params[KS_P_S] = tiles * point.params[KS_P_TILE];
    ks_arena_reset(b->arena);
    ks_lower(&ks_kernels.kernels[ks_param_of(&point, KS_P_kernel)], &point, b->arena, &whole);
    if (whole.verdict != KS_LOWERED) return 0;
    assert_int_equal(ks_timeline_run(&whole.program, &machine, b->arena, NULL, &timeline), KS_OK);
    return timeline.total_ticks;
}

/* Segments that PE_CPU dispatches for a tile. */
static uint64_t count_segments(bench *b, const ks_point *point) {
    const ks_machine machine = ks_machine_of(point);
    ks_lowering less;
    uint64_t count = 0;
    ks_arena_reset(b->arena);
    ks_lower_short(&ks_kernels.kernels[ks_param_of(point, KS_P_kernel)], point, b->arena, &less);
    const ks_repeat *repeat = &less.program.repeat;
    for (uint32_t c = 0; c < repeat->command_count; c++) {
        const ks_command *command = less.program.commands[repeat->first_command + c];
        for (uint32_t op = 0; op < command->op_count; count++)
            op += ks_segment_at(command, op, &machine).op_count;
    }
    return count;
}

/* What the engines need for a tile, found with free dispatches, is what PE_CPU is given, but for a
 * few ticks: its lead grows or shrinks slowly, past everything that it can cross. */
static void pe_cpu_about_as_fast_as_the_engines_drifts_exactly(void **state) {
    (void)state;
    enum { POINTS = 400, NEAR = 100, FAR = 200, TILES = 300 };
    bench b = {.arena = ks_arena_new(1 << 20)};
    random_source source = {21};
    for (uint64_t i = 0; i < POINTS; i++) {
        ks_point point = random_point(&source, i % 2 ? 1 : 3); /* opt2, a1: composites only */
        ks_calibration *c = &point.calibration;
        c->values[KS_C_queue_depth] = random_between(&source, 1, 9) * KS_TICKS_PER_UNIT;
        c->values[KS_C_dispatch_cycles_per_byte] = c->values[KS_C_dispatch_fixed_cycles] = 0;
        point.params[KS_P_S] = FAR * point.params[KS_P_TILE];
        const uint64_t near = total_ticks(&b, point, NEAR), far = total_ticks(&b, point, FAR);
        if (!far) continue;
        const uint64_t tile = (far - near) / (FAR - NEAR), segments = count_segments(&b, &point);
        const uint64_t most = tile / segments / (i % 3 ? 50 : 5000) + 2;
        c->values[KS_C_dispatch_fixed_cycles] =
            tile / segments + random_below(&source, 2 * most) - most;
        point.params[KS_P_S] = TILES * point.params[KS_P_TILE];
        compare(&b, &point);
    }
    print_message(
        "forward %llu, drift %llu, full %llu\n", (unsigned long long)b.ways[KS_WAY_FORWARD],
        (unsigned long long)b.ways[KS_WAY_DRIFT], (unsigned long long)b.ways[KS_WAY_FULL]);
    assert_true(b.ways[KS_WAY_DRIFT] > POINTS / 4);
    ks_arena_free(b.arena);
}

static void figures_of_2_to_63_or_more_are_refused_either_way(void **state) {
    (void)state;
    static const char *const keys[] = {
        /* 200 tiles of two commands of 10^12 cycles each: 4 x 10^18 ticks; of 500 tiles: 10^19. */
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=12800 dispatch_fixed_cycles=1000000000000",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=32000 dispatch_fixed_cycles=1000000000000",
    };
    bench b = {.arena = ks_arena_new(1 << 20)};
    for (size_t i = 0; i < 2; i++) {
        const ks_point point = rig_point(keys[i]);
        compare(&b, &point);
        assert_int_equal(b.ways[KS_WAY_FORWARD], 1); /* the second one has no figures */
        assert_int_equal(b.refused, i);
    }
    ks_arena_free(b.arena);
}

/* ---- the script of a program with a repeat count ---- */

/* With places for all of it, no tile is left out. */
static void compare_scripts(ks_arena *arena, const ks_point *point) {
    const ks_kernel *kernel = &ks_kernels.kernels[ks_param_of(point, KS_P_kernel)];
    const ks_machine machine = ks_machine_of(point);
    ks_lowering whole, less;
    ks_script expected, script;
    ks_arena_reset(arena);
    ks_lower(kernel, point, arena, &whole);
    ks_lower_short(kernel, point, arena, &less);
    assert_int_equal(ks_script_build(&whole.program, &machine, arena, &expected), KS_OK);
    assert_int_equal(ks_script_build(&less.program, &machine, arena, &script), KS_OK);
    assert_int_equal(script.loop.left_out, 0);
    assert_int_equal(script.command_count, expected.command_count);
    assert_int_equal(script.instruction_count, expected.instruction_count);
    assert_memory_equal(script.instructions, expected.instructions,
                        script.instruction_count * sizeof *script.instructions);
    for (uint32_t c = 0; c < script.command_count; c++) {
        assert_int_equal(script.orders[c].template->index, expected.orders[c].template->index);
        assert_int_equal(script.orders[c].hazard, expected.orders[c].hazard);
    }
}

static void a_repeat_stands_for_the_tiles_that_are_left_out(void **state) {
    (void)state;
    enum { DECODES = 4, TILES = 25 };
    ks_arena *arena = ks_arena_new(1 << 20);
    for (uint64_t kernel = 0; kernel < DECODES; kernel++)
        for (uint64_t tiles = 1; tiles <= TILES; tiles++)
            for (uint64_t rest = 0; rest < 2; rest++)
                for (uint64_t buffers = 1; buffers <= 2; buffers++) {
                    ks_point point = rig_point("G=8 TILE=64 d=128 queue_depth=1000");
                    point.params[KS_P_kernel] = kernel;
                    point.params[KS_P_S] = 64 * tiles - 17 * rest;
                    point.params[KS_P_s_buffers] = buffers;
                    if (buffers >= ks_kernels.kernels[kernel].least_s_buffers)
                        compare_scripts(arena, &point);
                }
    ks_arena_free(arena);
}

/* Whatever the number of tiles, so many are in the script. */
static void a_script_is_as_long_as_pe_cpu_can_be_ahead(void **state) {
    (void)state;
    static const char *const keys[] = {"kernel=decode_opt2 G=8 TILE=64 d=128 S=8192",
                                       "kernel=decode_opt2 G=8 TILE=64 d=128 S=8388608"};
    uint32_t counts[2];
    ks_arena *arena = ks_arena_new(1 << 20);
    for (int i = 0; i < 2; i++) {
        const ks_point point = rig_point(keys[i]);
        const ks_machine machine = ks_machine_of(&point);
        ks_lowering less;
        ks_script script;
        ks_lower_short(&ks_kernels.kernels[ks_param_of(&point, KS_P_kernel)], &point, arena, &less);
        assert_int_equal(ks_script_build(&less.program, &machine, arena, &script), KS_OK);
        assert_int_equal(2 * script.loop.left_out + script.command_count,
                         2 * (ks_param_of(&point, KS_P_S) / 64) + 7); /* set-up 4, end 3 */
        counts[i] = script.command_count;
    }
    assert_int_equal(counts[0], counts[1]);
    ks_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_have_the_figures_of_full_simulation),
        cmocka_unit_test(where_no_state_repeats_the_loop_is_simulated),
        cmocka_unit_test(a_lead_that_grows_is_skipped_exactly),
        cmocka_unit_test(pe_cpu_about_as_fast_as_the_engines_drifts_exactly),
        cmocka_unit_test(figures_of_2_to_63_or_more_are_refused_either_way),
        cmocka_unit_test(a_repeat_stands_for_the_tiles_that_are_left_out),
        cmocka_unit_test(a_script_is_as_long_as_pe_cpu_can_be_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
