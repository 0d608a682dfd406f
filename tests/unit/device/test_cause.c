/* The critical path: by hand, against figures of an independent implementation of MODEL.md, and
 * against a walk back over the rows' causes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    const char *key;
    const char *path[KS_RESOURCE_COUNT]; /* cpu dma_rd dma_wr dma_lat fetch store gemm math */
    const char *total;
} points[] = {
    {"kernel=gemm M=1 K=1 N=1", {"42.125", "2", "1", "500", "1", "1", "17", "0"}, "564.125"},
    {"kernel=gemm M=33 K=130 N=65",
     {"42.125", "872", "1", "1250", "114", "1", "98", "0"},
     "2378.125"},
    {"kernel=gemm_bias_relu M=17 K=65 N=65 policy=rw_aware",
     {"87", "293", "1", "1000", "73", "1", "194", "18"},
     "1667"},
    {"kernel=gemm_chain M=17 K=65 N=65 queue_depth=1",
     {"42.125", "546", "1", "1250", "146", "2", "388", "0"},
     "2375.125"},
    {"kernel=gemm_postnorm M=17 K=65 N=65 math_lanes=1",
     {"85.25", "290", "35", "750", "73", "1", "194", "4428"},
     "5856.25"},
    {"kernel=math_chain M=17 N=65 dma_latency_cycles=0",
     {"131.25", "35", "35", "0", "0", "0", "0", "212"},
     "413.25"},
    {"kernel=rmsnorm_linear M=17 K=65 N=65 stream_in_prologue=1",
     {"133.375", "259", "1", "1000", "73", "1", "194", "0"},
     "1661.375"},
    {"kernel=decode_opt1 G=8 TILE=64 d=128 S=256",
     {"1986", "2080", "32", "2500", "288", "48", "640", "806"},
     "8380"},
    {"kernel=decode_opt2 G=8 TILE=64 d=128 S=1000",
     {"169.125", "8032", "32", "4750", "599", "132", "1336", "485"},
     "15535.125"},
    {"kernel=decode_opt2 G=8 TILE=64 d=128 S=1000 policy=rw_aware stream_in_prologue=1",
     {"169.125", "6080", "32", "4750", "599", "128", "1336", "368"},
     "13462.125"},
    {"kernel=decode_opt2 G=8 TILE=16 d=64 S=300 policy=serial queue_depth=1",
     {"210.875", "1216", "16", "10000", "395", "171", "2124", "2239"},
     "16371.875"},
    {"kernel=decode_opt3 G=8 TILE=64 d=128 S=1000",
     {"4361.125", "4288", "32", "4750", "599", "132", "1336", "368"},
     "15866.125"},
    {"kernel=decode_opt3 G=33 TILE=70 d=72 S=333 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
     {"0", "3729", "75", "3000", "367", "6", "1786", "1561"},
     "10524"},
    {"kernel=decode_a1 G=8 TILE=64 d=128 S=1000 policy=rw_aware queue_depth=3",
     {"169.125", "8032", "32", "4750", "599", "132", "1336", "485"},
     "15535.125"},
    {"kernel=decode_a1 G=3 TILE=7 d=5 S=50 max_composite_logical_bytes=40 dma_bytes_per_cycle=0.5",
     {"250.875", "3968", "128", "2750", "9", "9", "185", "714"},
     "8013.875"},
};

static void the_path_splits_into_the_resources_that_it_went_through(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        rig r = rig_run(points[i].key);
        rig_expect_cycles(r.timeline.total_ticks, points[i].total);
        for (int k = 0; k < KS_RESOURCE_COUNT; k++)
            rig_expect_cycles(r.timeline.path_ticks[k], points[i].path[k]);
        rig_close(&r);
    }
}

static void the_path_sums_to_the_total(void **state) {
    (void)state;
    static const char *const kernels[] = {"decode_opt1 G=9 TILE=33 d=65 S=150",
                                          "decode_opt2 G=9 TILE=33 d=65 S=150",
                                          "decode_opt3 G=9 TILE=33 d=65 S=150",
                                          "decode_a1 G=9 TILE=33 d=65 S=150",
                                          "gemm M=40 K=70 N=130",
                                          "gemm_bias_relu M=40 K=70 N=130",
                                          "gemm_ktile_scale M=40 K=70 N=130",
                                          "gemm_chain M=40 K=70 N=130",
                                          "gemm_postnorm M=40 K=70 N=130",
                                          "math_chain M=40 N=130",
                                          "rmsnorm_linear M=40 K=70 N=130"};
    static const char *const machines[] = {
        "",
        "policy=rw_aware",
        "policy=serial",
        "queue_depth=1",
        "stream_in_prologue=1",
        "dma_latency_cycles=0",
        "dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
        "dispatch_fixed_cycles=0.0001 dispatch_cycles_per_byte=0.0003 dma_latency_cycles=0.5 policy=rw_aware",
        "stream_buffers=1 operand_buffers=1 acc_buffers=1",
        "dma_bytes_per_cycle=0.75 math_lanes=1",
        "max_composite_logical_bytes=40 policy=rw_aware stream_in_prologue=1 queue_depth=2"};
    for (size_t k = 0; k < COUNT(kernels); k++)
        for (size_t m = 0; m < COUNT(machines); m++) {
            ks_text key = {0};
            ks_text_add_format(&key, "kernel=%s %s", kernels[k], machines[m]);
            rig r = rig_run(key.data);
            uint64_t sum = 0;
            for (int i = 0; i < KS_RESOURCE_COUNT; i++) sum += r.timeline.path_ticks[i];
            if (sum != r.timeline.total_ticks) fail_msg("%s", key.data);
            rig_close(&r);
            ks_text_free(&key);
        }
}

/* ---- the walk back ---- */

static const ks_resource resource_of[KS_SERVER_COUNT] = {
    [KS_SERVER_CPU] = KS_RESOURCE_cpu,       [KS_SERVER_DMA_RD] = KS_RESOURCE_dma_rd,
    [KS_SERVER_DMA_WR] = KS_RESOURCE_dma_wr, [KS_SERVER_FETCH] = KS_RESOURCE_fetch,
    [KS_SERVER_STORE] = KS_RESOURCE_store,   [KS_SERVER_GEMM] = KS_RESOURCE_gemm,
    [KS_SERVER_MATH] = KS_RESOURCE_math,
};

static const ks_op_row *row_of(const rig *r, uint32_t cmd, int64_t stage, uint32_t segment) {
    const ks_op_row *row = stage == KS_CPU_STAGE ? rig_cpu_row(r, KS_ROW_DISPATCH, cmd, segment)
                                                 : rig_row(r, cmd, stage);
    assert_non_null(row);
    return row;
}

static void walk_back(const rig *r, uint64_t path[KS_RESOURCE_COUNT]) {
    const ks_cause *last = &r->timeline.last;
    const ks_op_row *row = row_of(r, last->cmd, last->stage, last->segment);
    uint64_t until = r->timeline.total_ticks;
    assert_int_equal(row->end, until);
    for (;;) {
        const uint64_t occupied = until < row->occupied_end ? until : row->occupied_end;
        path[resource_of[row->server]] += occupied - row->start;
        path[KS_RESOURCE_dma_lat] += until - occupied;
        until = row->start;
        if (!row->has_cause) break;
        const ks_op_row *cause = row_of(r, row->cause_cmd, row->cause_stage, row->cause_segment);
        assert_int_equal(row->is_cause_occupancy ? cause->occupied_end : cause->end, until);
        row = cause;
    }
    assert_int_equal(until, 0);
}

static void walking_back_over_the_causes_gives_the_path(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        rig r = rig_run(points[i].key);
        uint64_t path[KS_RESOURCE_COUNT] = {0};
        walk_back(&r, path);
        assert_memory_equal(path, r.timeline.path_ticks, sizeof path);
        rig_close(&r);
    }
}

/* Dependencies and the server's previous stage: of all that ended when a stage started, the cause
 * is none with a larger (cmd, stage). */
static void a_cause_is_never_larger_than_a_dependency_that_ended_at_that_instant(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        rig r = rig_run(points[i].key);
        for (size_t k = 0; k < r.row_count; k++) {
            const ks_op_row *row = &r.rows[k];
            for (uint32_t d = 0; d < row->dep_count; d++) {
                if (rig_row(&r, row->cmd, row->deps[d])->end != row->start) continue;
                assert_true(row->has_cause);
                assert_true(
                    row->cause_cmd < row->cmd ||
                    (row->cause_cmd == row->cmd && row->cause_stage <= (int64_t)row->deps[d]));
            }
        }
        rig_close(&r);
    }
}

/* ---- single steps ---- */

static void expect_cause(const ks_op_row *row, uint32_t cmd, int64_t stage, bool is_occupancy) {
    assert_true(row->has_cause);
    assert_int_equal(row->cause_cmd, cmd);
    assert_int_equal(row->cause_stage, stage);
    assert_int_equal(row->is_cause_occupancy, is_occupancy);
}

static void each_stage_of_the_smallest_gemm_has_the_cause_worked_out_by_hand(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm M=1 K=1 N=1");
    assert_false(rig_cpu_row(&r, KS_ROW_DISPATCH, 0, 0)->has_cause);
    expect_cause(rig_row(&r, 0, 0), 0, KS_CPU_STAGE, false); /* its dispatch */
    expect_cause(rig_row(&r, 0, 1), 0, 0, true);             /* dma_rd is free again */
    expect_cause(rig_row(&r, 0, 2), 0, 1, false);            /* b arrived last */
    expect_cause(rig_row(&r, 0, 3), 0, 2, false);
    expect_cause(rig_row(&r, 0, 4), 0, 3, false);
    expect_cause(rig_row(&r, 0, 5), 0, 4, false);
    assert_int_equal(r.timeline.last.cmd, 0);
    assert_int_equal(r.timeline.last.stage, 5);
    rig_close(&r);
}

static void a_dispatch_behind_a_wait_is_caused_by_what_it_waited_for(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm_postnorm M=1 K=1 N=1");
    const ks_op_row *dispatch = rig_cpu_row(&r, KS_ROW_DISPATCH, 1, 0);
    expect_cause(dispatch, 0, 5, false); /* rmsnorm, the last stage of command 0 */
    expect_cause(rig_row(&r, 1, 0), 1, KS_CPU_STAGE, false);
    rig_close(&r);
}

static void a_stage_behind_a_stall_is_caused_by_the_completion_that_freed_the_place(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm_chain M=1 K=1 N=1 queue_depth=1");
    assert_non_null(rig_cpu_row(&r, KS_ROW_STALL, 1, 0));
    expect_cause(rig_row(&r, 1, 0), 0, 4, false); /* STORE, the last stage of command 0 */
    rig_close(&r);
}

static void a_stage_held_by_a_hazard_is_caused_by_the_completion_that_ended_it(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm_chain M=1 K=1 N=1");
    assert_null(rig_cpu_row(&r, KS_ROW_STALL, 1, 0));
    expect_cause(rig_row(&r, 1, 0), 0, 4, false);
    rig_close(&r);
}

/* 0 ends at 80, when the dispatch of 1 does: they share neither bytes nor a server. */
static void fill_then_gemm(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_math fill = {.kind = KS_OP_fill, .out = ks_tl_alloc(tl, 32 * 64, 1, KS_F16)};
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &fill, .math_count = 1});
    ks_tl_composite_legacy(tl, ks_tl_ref_tensor(tl, ks_layout_find(layout, "A")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "B")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT")), NULL, 0);
}

static void an_earlier_composite_without_hazard_is_no_cause_under_rw_aware(void **state) {
    (void)state;
    static const ks_kernel kernel = {"fill_then_gemm", KS_TASK_GEMM, fill_then_gemm, 0};
    static const struct {
        const char *policy;
        uint32_t cause_cmd;
        int64_t cause_stage;
        const char *cpu, *math; /* of the path */
    } table[] = {{"strict_fifo", 0, 0, "40", "40"}, {"rw_aware", 1, KS_CPU_STAGE, "80", "0"}};
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text key = {0};
        ks_text_add_format(&key, "M=1 K=1 N=1 dispatch_cycles_per_byte=0 policy=%s",
                           table[i].policy);
        rig r = rig_run_kernel(&kernel, key.data);
        rig_expect_cycles(rig_end(&r, 0), "80");
        rig_expect_cycles(rig_start(&r, 1), "80");
        expect_cause(rig_row(&r, 1, 0), table[i].cause_cmd, table[i].cause_stage, false);
        rig_expect_cycles(r.timeline.path_ticks[KS_RESOURCE_cpu], table[i].cpu);
        rig_expect_cycles(r.timeline.path_ticks[KS_RESOURCE_math], table[i].math);
        rig_close(&r);
        ks_text_free(&key);
    }
}

/* Both end at 120: 0 on the math engine from 40 for 80, 1 on dma_rd from 80 for 40. */
static void fill_and_load(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_math fill = {.kind = KS_OP_fill, .out = ks_tl_alloc(tl, 72 * 64, 1, KS_F16)};
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &fill, .math_count = 1});
    ks_tl_load(tl, 0x20000000, 40 * 32, 1, KS_F16);
}

static void of_commands_that_complete_last_together_the_walk_begins_at_the_smallest(void **state) {
    (void)state;
    static const ks_kernel kernel = {"fill_and_load", KS_TASK_GEMM, fill_and_load, 0};
    rig r = rig_run_kernel(&kernel, "M=1 K=1 N=1 dispatch_cycles_per_byte=0 dma_latency_cycles=0");
    rig_expect_cycles(rig_end(&r, 0), "120");
    rig_expect_cycles(rig_end(&r, 1), "120");
    assert_int_equal(r.timeline.last.cmd, 0);
    rig_expect_cycles(r.timeline.path_ticks[KS_RESOURCE_cpu], "40");
    rig_expect_cycles(r.timeline.path_ticks[KS_RESOURCE_math], "80");
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_splits_into_the_resources_that_it_went_through),
        cmocka_unit_test(the_path_sums_to_the_total),
        cmocka_unit_test(walking_back_over_the_causes_gives_the_path),
        cmocka_unit_test(a_cause_is_never_larger_than_a_dependency_that_ended_at_that_instant),
        cmocka_unit_test(each_stage_of_the_smallest_gemm_has_the_cause_worked_out_by_hand),
        cmocka_unit_test(a_dispatch_behind_a_wait_is_caused_by_what_it_waited_for),
        cmocka_unit_test(a_stage_behind_a_stall_is_caused_by_the_completion_that_freed_the_place),
        cmocka_unit_test(a_stage_held_by_a_hazard_is_caused_by_the_completion_that_ended_it),
        cmocka_unit_test(an_earlier_composite_without_hazard_is_no_cause_under_rw_aware),
        cmocka_unit_test(of_commands_that_complete_last_together_the_walk_begins_at_the_smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
