/* Clean op_logs of the real simulator keep every invariant; what is asked follows from the feed. */
#include "log_bench.h"

/* Shapes with edges: tiles that are not full, one row, one column, more tiles than buffers. */
static const char *const shapes[] = {
    "decode_opt1 G=8 TILE=16 d=128 S=64",
    "decode_opt1 G=3 TILE=20 d=40 S=50",
    "decode_opt2 G=8 TILE=64 d=128 S=256",
    "decode_opt2 G=1 TILE=1 d=1 S=3",
    "decode_opt2 G=20 TILE=100 d=70 S=450 dtype=bf16",
    "decode_opt2 G=17 TILE=65 d=65 S=129 acc=f16",
    "decode_opt3 G=8 TILE=32 d=64 S=128",
    "decode_opt3 G=33 TILE=70 d=66 S=141 score=f32",
    "decode_a1 G=8 TILE=64 d=128 S=256",
    "decode_a1 G=5 TILE=130 d=100 S=300 p_dtype=f32",
    "gemm M=16 K=64 N=64",
    "gemm M=50 K=200 N=150 dtype=f32",
    "gemm_bias_relu M=33 K=70 N=130",
    "gemm_bias_relu M=1 K=1 N=1",
    "gemm_ktile_scale M=20 K=300 N=70",
    "gemm_chain M=40 K=100 N=90",
    "gemm_postnorm M=40 K=100 N=200",
    "math_chain M=30 N=70",
    "rmsnorm_linear M=20 K=130 N=140",
};

static const char *const machines[] = {
    "",
    "dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
    "max_composite_logical_bytes=100",
    "max_composite_logical_bytes=40 queue_depth=1",
    "stream_in_prologue=1",
    "stream_in_prologue=1 stream_buffers=1 operand_buffers=1 acc_buffers=1",
    "stream_buffers=1 operand_buffers=1 acc_buffers=1 queue_depth=2",
    "stream_buffers=3 operand_buffers=5 acc_buffers=7",
    "gemm_tile_m=7 gemm_tile_n=13 gemm_tile_k=11",
    "gemm_tile_m=1000000 gemm_tile_n=1000000 gemm_tile_k=1000000",
    "dma_latency_cycles=0 gemm_rule=os",
    "dma_latency_cycles=3000 gemm_rule=ws dma_burst_bytes=1",
    "op_header_bytes=0 operand_bytes=0",
    "dispatch_fixed_cycles=0.0001 dispatch_cycles_per_byte=0 math_exp_weight=0.5",
    "dma_bytes_per_cycle=1 fetch_bytes_per_cycle=0.25",
    "s_buffers=1 queue_depth=1",
};

static bool needs_two_buffers(const char *shape, const char *machine) {
    return strstr(shape, "opt3") && strstr(machine, "s_buffers=1");
}

static void expect_clean(const char *text) {
    bench b = bench_open(text);
    const ks_timeline *t = &b.timeline;
    const figures f = {
        .total_ticks = t->total_ticks,
        .dispatch_ticks = t->busy_ticks[KS_SERVER_CPU],
    };
    figures all = f;
    memcpy(all.busy_ticks, t->busy_ticks, sizeof all.busy_ticks);
    const ks_check_result *result = judge_with(&b, &all);
    if (result->failed) print_message("%s\n", text);
    print_texts(result);
    assert_int_equal(result->failed, 0);
    assert_int_equal(result->violation_count, 0);
    assert_int_equal(result->asked, ks_check_due(&b.point, KS_CHECK_OP_LOG));
    bench_close(&b);
}

static void a_clean_op_log_keeps_every_invariant(void **state) {
    (void)state;
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t m = 0; m < COUNT(machines); m++)
            for (ks_policy p = 0; p < KS_POLICY_COUNT; p++) {
                char text[512];
                if (needs_two_buffers(shapes[s], machines[m])) continue;
                snprintf(text, sizeof text, "%s %s policy=%s", shapes[s], machines[m],
                         ks_policy_name(p));
                expect_clean(text);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_op_log_keeps_every_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
