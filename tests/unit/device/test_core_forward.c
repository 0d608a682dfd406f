/* Skipped tiles against simulated ones: the same figures, whatever the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
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
    uint64_t whole, lost, refused;
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
    if (status) return;
    expect_same_figures(&timeline, &expected, point);
    if (is_left_out)
        b->ways[timeline.way]++;
    else
        b->whole++;
}

static void say(const bench *b) {
    printf("forward %llu, drift %llu, full %llu, no tile left out %llu, lost %llu, refused %llu\n",
           (unsigned long long)b->ways[KS_WAY_FORWARD], (unsigned long long)b->ways[KS_WAY_DRIFT],
           (unsigned long long)b->ways[KS_WAY_FULL], (unsigned long long)b->whole,
           (unsigned long long)b->lost, (unsigned long long)b->refused);
}

static void random_points_have_the_figures_of_full_simulation(void **state) {
    (void)state;
    const char *wanted = getenv("KS_POINTS"), *seed = getenv("KS_SEED");
    const uint64_t points = wanted ? strtoull(wanted, NULL, 10) : 600;
    bench b = {.arena = ks_arena_new(1 << 20)};
    random_source source = {seed ? strtoull(seed, NULL, 10) : 7};
    for (uint64_t i = 0; i < points; i++) {
        ks_point point = random_point(&source, i % 4);
        point.params[KS_P_S] += random_below(&source, 100) * point.params[KS_P_TILE];
        compare(&b, &point);
    }
    say(&b);
    ks_arena_free(b.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_have_the_figures_of_full_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
