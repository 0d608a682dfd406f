/* Skipped tiles and shared plans against full simulation of every program by itself: the same cells,
 * over random points and random calibrations, and across the dispatch costs around which PE_CPU's lead
 * drifts. Says how many points took which path.
 * usage: test_paths [POINTS CALIBRATIONS DRIFT_STEPS_A_CYCLE DRIFT_S] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device/script.h"
#include "kernels/kernels.h"
#include "run/point_run.h"
#include "support/random_point.h"
#include "support/rig.h"

static uint64_t point_count = 1000, calibration_count = 10000, steps_a_cycle = 2, drift_s = 65536;

typedef struct both {
    ks_worker *fast, *full;
    uint64_t paths[KS_PATH_COUNT], verdicts[KS_VERDICT_COUNT], shared;
} both;

static const ks_job fast_job = {.kernels = &ks_kernels, .mode = KS_MODE_TIMING};
static const ks_job full_job = {
    .kernels = &ks_kernels, .mode = KS_MODE_TIMING, .is_exact_full = true};

static bool is_same_cell(const ks_row *a, const ks_row *b, int column) {
    ks_text x = {0}, y = {0};
    ks_row_print_cell(&x, a, (ks_column)column);
    ks_row_print_cell(&y, b, (ks_column)column);
    const bool is_same = strcmp(ks_text_string(&x), ks_text_string(&y)) == 0;
    ks_text_free(&x);
    ks_text_free(&y);
    return is_same;
}

/* Cells of COUNT and CYCLES are compared as numbers first: millions of them are equal. */
static void expect_same_row(const ks_row *a, const ks_row *b, const ks_point *point) {
    char key[2048];
    if (a->verdict != b->verdict || strcmp(a->reason, b->reason) != 0 ||
        strcmp(a->invariants, b->invariants) != 0 || a->has != b->has)
        fail_msg("%s: %s %s %s, in full: %s %s %s", random_point_key(point, key, sizeof key),
                 ks_verdict_name(a->verdict), a->reason, a->invariants, ks_verdict_name(b->verdict),
                 b->reason, b->invariants);
    if (memcmp(a->figures, b->figures, sizeof a->figures) == 0) return;
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (ks_row_has(a, (ks_column)c) && !is_same_cell(a, b, c))
            fail_msg("%s: another %s", random_point_key(point, key, sizeof key),
                     ks_column_describe((ks_column)c)->name);
}

static both both_new(void) {
    const both b = {.fast = ks_worker_new(), .full = ks_worker_new()};
    assert_true(b.fast && b.full);
    return b;
}

static void compare(both *b, const ks_point *point) {
    ks_row fast, full;
    ks_error detail;
    assert_int_equal(ks_point_run(b->fast, &fast_job, point, "", &fast, &detail), KS_OK);
    assert_int_equal(ks_point_run(b->full, &full_job, point, "", &full, &detail), KS_OK);
    expect_same_row(&fast, &full, point);
    if (full.verdict == KS_VERDICT_pass) assert_int_equal(full.path, KS_PATH_full);
    b->paths[fast.path]++;
    b->verdicts[fast.verdict]++;
}

static void both_end(both *b, const char *what, uint64_t count) {
    printf("%" PRIu64 " %s:", count, what);
    for (int i = 0; i < KS_PATH_COUNT; i++)
        printf(" %s %.2f %%,", ks_row_path_name((ks_row_path)i),
               100 * (double)b->paths[i] / (double)count);
    printf(" passed %" PRIu64 "\n", b->verdicts[KS_VERDICT_pass]);
    assert_true(b->verdicts[KS_VERDICT_pass] > count / 2);
    assert_true(b->paths[KS_PATH_forward] > count / 10);
    ks_worker_free(b->fast);
    ks_worker_free(b->full);
}

static void random_points_have_the_cells_of_full_simulation(void **state) {
    (void)state;
    both b = both_new();
    random_source source = {11};
    for (uint64_t i = 0; i < point_count; i++) {
        const ks_point point = random_point(&source, i % ks_kernels.count);
        compare(&b, &point);
    }
    both_end(&b, "points", point_count);
}

/* Shapes stay for a while, so that plans are shared; every kernel has its turn. */
static void random_calibrations_have_the_cells_of_full_simulation(void **state) {
    (void)state;
    enum { SHAPES = 88 };
    both b = both_new();
    random_source source = {12};
    ks_point point = {0};
    for (uint64_t i = 0; i < calibration_count; i++) {
        const uint64_t shape = i * SHAPES / calibration_count;
        if (i == 0 || shape != (i - 1) * SHAPES / calibration_count)
            point = random_point(&source, shape % ks_kernels.count);
        random_machine(&source, &point);
        compare(&b, &point);
    }
    both_end(&b, "calibrations", calibration_count);
}

static bool is_same_timeline(const ks_timeline *a, const ks_timeline *b) {
    return a->total_ticks == b->total_ticks && a->stall_ticks == b->stall_ticks &&
           a->wait_ticks == b->wait_ticks &&
           memcmp(a->busy_ticks, b->busy_ticks, sizeof a->busy_ticks) == 0 &&
           memcmp(a->path_ticks, b->path_ticks, sizeof a->path_ticks) == 0;
}

/* The whole program is lowered once. */
static void a_drifting_lead_has_the_figures_of_full_simulation(void **state) {
    (void)state;
    ks_point point = rig_point("kernel=decode_opt2 G=8 TILE=64 d=128 S=64");
    point.params[KS_P_S] = drift_s;
    ks_arena *arena = ks_arena_new(1 << 20), *scratch = ks_arena_new(1 << 20);
    const ks_kernel *kernel = &ks_kernels.kernels[ks_param_of(&point, KS_P_kernel)];
    ks_machine machine = ks_machine_of(&point);
    ks_lowering lowerings[2];
    ks_script scripts[2];
    uint64_t ways[KS_WAY_COUNT] = {0};
    ks_lower(kernel, &point, arena, &lowerings[0]);
    ks_lower_short(kernel, &point, arena, &lowerings[1]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ks_script_build(&lowerings[i].program, &machine, arena, &scripts[i]),
                         KS_OK);
    for (uint64_t step = 0; step <= 50 * steps_a_cycle; step++) {
        ks_timeline t[2];
        machine.dispatch_fixed_ticks =
            400 * KS_TICKS_PER_UNIT + step * KS_TICKS_PER_UNIT / steps_a_cycle;
        for (int i = 0; i < 2; i++) {
            ks_arena_reset(scratch);
            assert_int_equal(ks_script_time(&scripts[i], &machine), KS_OK);
            assert_int_equal(ks_script_run(&scripts[i], scratch, NULL, &t[i]), KS_OK);
        }
        if (!is_same_timeline(&t[0], &t[1]))
            fail_msg("dispatch of %" PRIu64 " ticks: other figures", machine.dispatch_fixed_ticks);
        ways[t[1].way]++;
    }
    printf("dispatch costs from 400 to 450: full %" PRIu64 ", forward %" PRIu64 ", drift %" PRIu64
           "\n",
           ways[KS_WAY_FULL], ways[KS_WAY_FORWARD], ways[KS_WAY_DRIFT]);
    assert_int_equal(ways[KS_WAY_FULL], 0);
    assert_true(ways[KS_WAY_DRIFT] > 0);
    ks_arena_free(scratch);
    ks_arena_free(arena);
}

int main(int argc, char **argv) {
    uint64_t *const counts[] = {&point_count, &calibration_count, &steps_a_cycle, &drift_s};
    for (int i = 1; i < argc && i <= 4; i++) *counts[i - 1] = strtoull(argv[i], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_have_the_cells_of_full_simulation),
        cmocka_unit_test(random_calibrations_have_the_cells_of_full_simulation),
        cmocka_unit_test(a_drifting_lead_has_the_figures_of_full_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
