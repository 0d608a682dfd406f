/* The critical path as `show` walks it, against what the simulator adds up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/path.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const keys[] = {
    "kernel=decode_opt1 G=8 TILE=16 d=32 S=33",
    "kernel=decode_opt2 G=1 TILE=16 d=16 S=16",
    "kernel=decode_opt2 G=8 TILE=64 d=128 S=500",
    "kernel=decode_opt2 G=8 TILE=64 d=128 S=500 policy=rw_aware",
    "kernel=decode_opt2 G=17 TILE=65 d=65 S=131 policy=serial",
    "kernel=decode_opt3 G=8 TILE=16 d=128 S=100",
    "kernel=decode_opt3 G=8 TILE=64 d=128 S=500 queue_depth=1",
    "kernel=decode_opt3 G=8 TILE=64 d=128 S=500 policy=rw_aware stream_in_prologue=1",
    "kernel=decode_a1 G=4 TILE=16 d=64 S=100 policy=rw_aware",
    "kernel=decode_a1 G=4 TILE=16 d=64 S=100 dma_latency_cycles=0",
    "kernel=decode_opt2 G=4 TILE=16 d=64 S=64 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
    "kernel=decode_opt2 G=4 TILE=16 d=64 S=64 dispatch_fixed_cycles=3.9375 dma_latency_cycles=0.5",
    "kernel=gemm M=1 K=1 N=1",
    "kernel=gemm M=33 K=130 N=129 stream_buffers=1 operand_buffers=1 acc_buffers=1",
    "kernel=gemm_ktile_scale M=17 K=129 N=65 gemm_rule=ws",
    "kernel=gemm_chain M=17 K=65 N=65 gemm_rule=os",
    "kernel=gemm_postnorm M=17 K=65 N=129",
    "kernel=math_chain M=4 N=100",
    "kernel=rmsnorm_linear M=17 K=65 N=65",
};

static ks_path_log *log_of(const rig *r) {
    ks_path_log *log = ks_path_log_new();
    assert_non_null(log);
    for (size_t i = 0; i < r->row_count; i++)
        assert_int_equal(ks_path_log_row(log, &r->rows[i]), KS_OK);
    return log;
}

static void steps_follow_each_other_from_the_start_to_the_total(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_run(keys[i]);
        ks_path_log *log = log_of(&r);
        const ks_path_step *steps;
        const size_t count = ks_path_walk(log, &steps);
        uint64_t now = 0;
        assert_true(count > 0);
        for (size_t s = 0; s < count; s++) {
            if (steps[s].start != now) fail_msg("%s: step %zu of %zu", keys[i], s, count);
            now += steps[s].occupied_ticks + steps[s].latency_ticks;
        }
        assert_int_equal(now, r.timeline.total_ticks);
        assert_int_equal(steps[count - 1].end, r.timeline.total_ticks);
        ks_path_log_free(log);
        rig_close(&r);
    }
}

static ks_resource resource_of(ks_server server) {
    switch (server) {
    case KS_SERVER_DMA_RD: return KS_RESOURCE_dma_rd;
    case KS_SERVER_DMA_WR: return KS_RESOURCE_dma_wr;
    case KS_SERVER_FETCH: return KS_RESOURCE_fetch;
    case KS_SERVER_STORE: return KS_RESOURCE_store;
    case KS_SERVER_GEMM: return KS_RESOURCE_gemm;
    case KS_SERVER_MATH: return KS_RESOURCE_math;
    default: return KS_RESOURCE_cpu;
    }
}

static void shares_of_resources_are_those_of_the_timeline(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_run(keys[i]);
        ks_path_log *log = log_of(&r);
        const ks_path_step *steps;
        const size_t count = ks_path_walk(log, &steps);
        uint64_t shares[KS_RESOURCE_COUNT] = {0};
        for (size_t s = 0; s < count; s++) {
            shares[resource_of(steps[s].server)] += steps[s].occupied_ticks;
            shares[KS_RESOURCE_dma_lat] += steps[s].latency_ticks;
        }
        for (int s = 0; s < KS_RESOURCE_COUNT; s++)
            if (shares[s] != r.timeline.path_ticks[s])
                fail_msg("%s: %s", keys[i], ks_resource_name((ks_resource)s));
        ks_path_log_free(log);
        rig_close(&r);
    }
}

static void no_step_is_a_wait_or_a_stall(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_run(keys[i]);
        ks_path_log *log = log_of(&r);
        const ks_path_step *steps;
        const size_t count = ks_path_walk(log, &steps);
        for (size_t s = 0; s < count; s++) {
            assert_true(steps[s].kind != KS_ROW_WAIT && steps[s].kind != KS_ROW_STALL);
            if (s) assert_true(steps[s].start >= steps[s - 1].start);
        }
        ks_path_log_free(log);
        rig_close(&r);
    }
}

static void a_second_walk_gives_the_same_steps(void **state) {
    (void)state;
    rig r = rig_run(keys[2]);
    ks_path_log *log = log_of(&r);
    const ks_path_step *steps;
    const size_t count = ks_path_walk(log, &steps);
    const ks_path_step first = steps[0], last = steps[count - 1];
    assert_int_equal(ks_path_walk(log, &steps), count);
    assert_int_equal(steps[0].seq, first.seq);
    assert_int_equal(steps[count - 1].seq, last.seq);
    ks_path_log_free(log);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_follow_each_other_from_the_start_to_the_total),
        cmocka_unit_test(shares_of_resources_are_those_of_the_timeline),
        cmocka_unit_test(no_step_is_a_wait_or_a_stall),
        cmocka_unit_test(a_second_walk_gives_the_same_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
