/* The legacy benches of MODEL.md section 5 from hand-made rows. */
#include "row_bench.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { M = 19, K = 70, N = 67, TCM_BYTES = 1 << 20 };

static void run_gemm(bench *b) {
    composite(b, hbm(b, "A"), hbm(b, "B"), false, hbm(b, "OUT"), NULL, 0);
}

static void run_bias_relu(bench *b) {
    ks_handle *bias = tcm(b, 1, N, (ks_dtype)b->point.params[KS_P_dtype]);
    const ks_op epilogue[] = {epilogue_op(KS_OP_add, KS_SCOPE_OUTPUT_TILE, 0, bias),
                              epilogue_op(KS_OP_relu, KS_SCOPE_OUTPUT_TILE, 0, NULL)};
    primitive(b, KS_OP_load, bias, 0, READS(hbm(b, "BIAS")));
    composite(b, hbm(b, "A"), hbm(b, "B"), false, hbm(b, "OUT"), epilogue, 2);
}

static void run_ktile_scale(bench *b) {
    const ks_op epilogue[] = {epilogue_op(KS_OP_scale, KS_SCOPE_K_TILE, 0.5f, NULL)};
    composite(b, hbm(b, "A"), hbm(b, "B"), false, hbm(b, "OUT"), epilogue, 1);
}

static void run_chain(bench *b) {
    ks_handle *t = tcm(b, M, N, (ks_dtype)b->point.params[KS_P_dtype]);
    composite(b, hbm(b, "A"), hbm(b, "B"), false, t, NULL, 0);
    composite(b, t, hbm(b, "B2"), false, hbm(b, "OUT"), NULL, 0);
}

static void run_postnorm(bench *b) {
    ks_handle *t = tcm(b, M, N, (ks_dtype)b->point.params[KS_P_dtype]);
    const ks_op epilogue[] = {epilogue_op(KS_OP_rmsnorm, KS_SCOPE_KERNEL, N, NULL)};
    composite(b, hbm(b, "A"), hbm(b, "B"), false, t, epilogue, 1);
    primitive(b, KS_OP_store, hbm(b, "OUT"), 0, READS(t));
}

/* Not a bench of the model: the output is staged whole for the post-loop op. */
static void run_staged_postnorm(bench *b) {
    const ks_op epilogue[] = {epilogue_op(KS_OP_rmsnorm, KS_SCOPE_KERNEL, N, NULL)};
    composite(b, hbm(b, "A"), hbm(b, "B"), false, hbm(b, "OUT"), epilogue, 1);
}

static void run_math_chain(bench *b) {
    const ks_dtype dtype = (ks_dtype)b->point.params[KS_P_dtype];
    ks_handle *x = tcm(b, M, N, dtype), *t0 = tcm(b, M, 1, KS_F32), *e = tcm(b, M, N, dtype);
    ks_handle *t1 = tcm(b, M, 1, KS_F32), *y = tcm(b, M, N, dtype);
    primitive(b, KS_OP_load, x, 0, READS(hbm(b, "X")));
    primitive(b, KS_OP_rmax, t0, 0, READS(x));
    primitive(b, KS_OP_exp_diff, e, 0, READS(x, t0));
    primitive(b, KS_OP_rsum, t1, 0, READS(e));
    primitive(b, KS_OP_div_bcast, y, 1, READS(e, t1));
    primitive(b, KS_OP_store, hbm(b, "OUT"), 0, READS(y));
}

static void run_rmsnorm_linear(bench *b) {
    const ks_dtype dtype = (ks_dtype)b->point.params[KS_P_dtype];
    ks_handle *x = tcm(b, M, K, dtype), *w = tcm(b, 1, K, dtype), *ss = tcm(b, M, 1, KS_F32);
    ks_handle *r = tcm(b, M, 1, KS_F32), *y = tcm(b, M, K, dtype);
    primitive(b, KS_OP_load, x, 0, READS(hbm(b, "X")));
    primitive(b, KS_OP_load, w, 0, READS(hbm(b, "w")));
    primitive(b, KS_OP_rsumsq, ss, 0, READS(x));
    primitive(b, KS_OP_rsqrt_mean, r, K, READS(ss));
    primitive(b, KS_OP_mul_bcast, y, 0, READS(x, r));
    primitive(b, KS_OP_mul_elem, y, 0, READS(y, w));
    composite(b, y, hbm(b, "B"), false, hbm(b, "OUT"), NULL, 0);
}

/* tl.dot: whole handles in TCM. */
static void run_dot(bench *b) {
    const ks_dtype dtype = (ks_dtype)b->point.params[KS_P_dtype];
    ks_handle *a = tcm(b, M, K, dtype), *bb = tcm(b, K, N, dtype), *c = tcm(b, M, N, dtype);
    primitive(b, KS_OP_load, a, 0, READS(hbm(b, "A")));
    primitive(b, KS_OP_load, bb, 0, READS(hbm(b, "B")));
    primitive(b, KS_OP_gemm, c, 0, READS(a, bb));
    primitive(b, KS_OP_store, hbm(b, "OUT"), 0, READS(c));
}

static const struct {
    const char *name;
    ks_task task;
    void (*run)(bench *b);
} benches[] = {{"gemm", KS_TASK_GEMM, run_gemm},
               {"gemm_bias_relu", KS_TASK_GEMM_BIAS_RELU, run_bias_relu},
               {"gemm_ktile_scale", KS_TASK_GEMM_KTILE_SCALE, run_ktile_scale},
               {"gemm_chain", KS_TASK_GEMM_CHAIN, run_chain},
               {"gemm_postnorm", KS_TASK_GEMM_POSTNORM, run_postnorm},
               {"staged postnorm", KS_TASK_GEMM_POSTNORM, run_staged_postnorm},
               {"math_chain", KS_TASK_MATH_CHAIN, run_math_chain},
               {"rmsnorm_linear", KS_TASK_RMSNORM_LINEAR, run_rmsnorm_linear},
               {"dot", KS_TASK_GEMM, run_dot}};

static ks_judgement judge(size_t which, const ks_point *point, ks_digest *digest) {
    bench b = bench_open(benches[which].task, *point, TCM_BYTES);
    benches[which].run(&b);
    const ks_judgement j = ks_judge(b.numbers, bench_finish(&b), (ks_tolerance){0});
    if (digest) *digest = b.digest;
    bench_close(&b);
    return j;
}

static void every_bench_gives_right_numbers_in_every_dtype(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(benches); i++)
        for (int dtype = 0; dtype < KS_WIDE_DTYPE_COUNT; dtype++) {
            ks_point point = point_of_bench(M, K, N);
            point.params[KS_P_dtype] = (uint64_t)dtype;
            const ks_judgement j = judge(i, &point, NULL);
            if (j.kind != KS_JUDGED_PASS)
                fail_msg("%s %s: err %g limit %g", benches[i].name, ks_dtype_name((ks_dtype)dtype),
                         j.err, j.limit);
        }
}

static void every_dist_is_within_the_limit_of_the_magnitudes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(benches); i++)
        for (int dist = 0; dist < KS_DIST_COUNT; dist++) {
            ks_point point = point_of_bench(M, K, N);
            point.params[KS_P_dist] = (uint64_t)dist;
            const ks_judgement j = judge(i, &point, NULL);
            /* gemm_chain of `large` passes 65504. */
            if (dist == KS_DIST_large && j.kind == KS_JUDGED_NONFINITE) continue;
            if (j.kind != KS_JUDGED_PASS)
                fail_msg("%s %s: err %g limit %g", benches[i].name, ks_dist_name((ks_dist)dist),
                         j.err, j.limit);
        }
}

static void a_wrong_epilogue_is_caught(void **state) {
    const ks_point point = point_of_bench(M, K, N);
    (void)state;
    bench b = bench_open(KS_TASK_GEMM_KTILE_SCALE, point, TCM_BYTES);
    run_gemm(&b); /* forgets the scale */
    const ks_judgement j = ks_judge(b.numbers, bench_finish(&b), (ks_tolerance){0});
    assert_int_equal(j.kind, KS_JUDGED_TOLERANCE);
    bench_close(&b);
}

static void other_k_tiles_are_another_result(void **state) {
    ks_point point = point_of_bench(M, K, N);
    bench b = bench_open(KS_TASK_GEMM_KTILE_SCALE, point, TCM_BYTES);
    (void)state;
    b.point.calibration.values[KS_C_gemm_tile_k] = 32 * KS_TICKS_PER_UNIT;
    run_ktile_scale(&b);
    const ks_judgement j = ks_judge(b.numbers, bench_finish(&b), (ks_tolerance){0});
    assert_int_equal(j.kind, KS_JUDGED_TOLERANCE);
    bench_close(&b);
    point.calibration.values[KS_C_gemm_tile_k] = 32 * KS_TICKS_PER_UNIT;
    assert_int_equal(judge(2, &point, NULL).kind, KS_JUDGED_PASS);
}

static void staged_and_resident_outputs_have_the_same_bits(void **state) {
    const ks_point point = point_of_bench(M, K, N);
    ks_digest resident, staged;
    (void)state;
    judge(4, &point, &resident);
    judge(5, &point, &staged);
    assert_memory_equal(&resident, &staged, sizeof staged);
}

static void a_dot_has_the_bits_of_the_tile_loop(void **state) {
    const ks_point point = point_of_bench(M, K, N);
    ks_digest loop_digest, dot_digest;
    (void)state;
    judge(0, &point, &loop_digest);
    judge(COUNT(benches) - 1, &point, &dot_digest);
    assert_memory_equal(&loop_digest, &dot_digest, sizeof dot_digest);
}

static void shapes_of_one_give_right_numbers(void **state) {
    static const uint64_t shapes[][3] = {{1, 1, 1}, {1, 70, 1}, {3, 1, 2}, {1, 2, 65}};
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const ks_point point = point_of_bench(shapes[i][0], shapes[i][1], shapes[i][2]);
        assert_int_equal(judge(0, &point, NULL).kind, KS_JUDGED_PASS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bench_gives_right_numbers_in_every_dtype),
        cmocka_unit_test(every_dist_is_within_the_limit_of_the_magnitudes),
        cmocka_unit_test(a_wrong_epilogue_is_caught),
        cmocka_unit_test(other_k_tiles_are_another_result),
        cmocka_unit_test(staged_and_resident_outputs_have_the_same_bits),
        cmocka_unit_test(a_dot_has_the_bits_of_the_tile_loop),
        cmocka_unit_test(shapes_of_one_give_right_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
