/* Whole decodes of hand-made rows against the reference. */
#include "decode_rows.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define INF __builtin_inff()

static ks_judgement judge_decode(const ks_point *point) {
    bench b = bench_open(KS_TASK_ATTENTION, *point, 0);
    decode_run(&b);
    const float *out = bench_finish(&b);
    ks_tolerance rule = {.kind = KS_TOLERANCE_TWICE_PLAIN};
    assert_int_equal(ks_numbers_plain_max_abs_err(b.numbers, (ks_dtype)b.point.params[KS_P_score],
                                                  (ks_dtype)b.point.params[KS_P_p_dtype],
                                                  &rule.plain_max_abs_err),
                     KS_OK);
    const ks_judgement j = ks_judge(b.numbers, out, rule);
    bench_close(&b);
    return j;
}

static void every_mix_of_dtypes_gives_right_numbers(void **state) {
    (void)state;
    for (int dtype = 0; dtype < KS_DTYPE_COUNT; dtype++)
        for (int score = 0; score < KS_WIDE_DTYPE_COUNT; score++)
            for (int p = 0; p < KS_WIDE_DTYPE_COUNT; p++) {
                ks_point point = point_of(8, 32, 100);
                point.params[KS_P_TILE] = 48;
                set_dtypes(&point, (ks_dtype)dtype, (ks_dtype)score, (ks_dtype)p);
                assert_int_equal(judge_decode(&point).kind, KS_JUDGED_PASS);
            }
}

static void an_accumulator_of_half_size_gives_nearly_right_numbers(void **state) {
    static const struct {
        ks_dtype acc;
        double limit;
    } cases[] = {{KS_F16, 4e-3}, {KS_BF16, 4e-2}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_point point = point_of(8, 32, 100);
        point.params[KS_P_TILE] = 48;
        point.params[KS_P_acc] = cases[i].acc;
        bench b = bench_open(KS_TASK_ATTENTION, point, 0);
        decode_run(&b);
        const ks_errors e = ks_errors_of(b.numbers, bench_finish(&b));
        assert_true(e.max_abs_err > 1e-5 && e.max_abs_err < cases[i].limit);
        bench_close(&b);
    }
}

/* B66, B69, B75: extents beside the tile sizes (gemm tiles 16 x 64 x 64). */
static void every_edge_of_a_tile_gives_right_numbers(void **state) {
    static const struct {
        uint64_t g, d, s, tile;
    } cases[] = {{8, 64, 65, 64},  {8, 64, 63, 64},  {8, 64, 127, 64}, {17, 64, 64, 64},
                 {8, 65, 64, 64},  {8, 72, 100, 30}, {3, 32, 50, 16},  {7, 32, 50, 16},
                 {33, 32, 50, 16}, {1, 1, 1, 1},     {2, 3, 5, 1},     {4, 16, 65, 200}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_point point = point_of(cases[i].g, cases[i].d, cases[i].s);
        point.params[KS_P_TILE] = cases[i].tile;
        const ks_judgement j = judge_decode(&point);
        if (j.kind != KS_JUDGED_PASS) fail_msg("case %zu: err %g limit %g", i, j.err, j.limit);
    }
}

static void gemm_tiles_that_divide_nothing_give_right_numbers(void **state) {
    static const uint64_t tiles[][3] = {{1, 1, 1}, {3, 5, 7}, {100, 100, 100}, {4, 33, 9}};
    ks_digest digests[COUNT(tiles)];
    (void)state;
    for (size_t i = 0; i < COUNT(tiles); i++) {
        ks_point point = point_of(7, 24, 40);
        point.params[KS_P_TILE] = 17;
        for (int t = 0; t < 3; t++)
            point.calibration.values[KS_C_gemm_tile_m + t] = tiles[i][t] * KS_TICKS_PER_UNIT;
        bench b = bench_open(KS_TASK_ATTENTION, point, 0);
        decode_run(&b);
        bench_finish(&b);
        digests[i] = b.digest;
        bench_close(&b);
    }
    /* k ascends through the tiles: no tile size changes a bit. */
    for (size_t i = 1; i < COUNT(tiles); i++)
        assert_memory_equal(&digests[0], &digests[i], sizeof digests[0]);
}

static void the_same_rows_give_the_same_digest(void **state) {
    ks_digest digests[4];
    ks_point point = point_of(8, 72, 100);
    (void)state;
    point.params[KS_P_TILE] = 30;
    for (int i = 0; i < 4; i++) {
        bench b = bench_open(KS_TASK_ATTENTION, point, 0);
        decode_run(&b);
        bench_finish(&b);
        digests[i] = b.digest;
        bench_close(&b);
    }
    for (int i = 1; i < 4; i++) assert_memory_equal(&digests[0], &digests[i], sizeof digests[0]);
}

/* Pinned: any compiler, architecture and optimisation level must give these bytes. */
static void the_bytes_are_the_same_on_every_machine(void **state) {
    static const char *const digests[KS_DTYPE_COUNT] = {
        [KS_F32] = "b3f7e1dea804f323d1714098ea625457",
        [KS_F16] = "92f9d0ad1b5a178a4f35a66b6346fe98",
        [KS_E4M3FN] = "fda33d4aca011be7d46cb92c9366b4b0",
        [KS_E5M2] = "0e2cd76e9b76745d69cd239f3105cec7",
        [KS_BF16] = "9a6b5fb599d56dfca6c80f13b108d5e6"};
    (void)state;
    for (int dtype = 0; dtype < KS_DTYPE_COUNT; dtype++) {
        char hex[KS_DIGEST_HEX];
        ks_point point = point_of(7, 72, 100);
        point.params[KS_P_TILE] = 33;
        const ks_dtype wide = ks_dtype_wide((ks_dtype)dtype);
        set_dtypes(&point, (ks_dtype)dtype, wide, wide);
        bench b = bench_open(KS_TASK_ATTENTION, point, 0);
        decode_run(&b);
        bench_finish(&b);
        ks_digest_print(hex, &b.digest);
        assert_string_equal(hex, digests[dtype]);
        bench_close(&b);
    }
}

/* B70: a tile whose scores are all -inf takes no part. */
static void a_tile_of_minus_infinity_gives_no_nan(void **state) {
    ks_point point = point_of(2, 4, 8);
    (void)state;
    point.params[KS_P_TILE] = 4;
    bench b = bench_open(KS_TASK_ATTENTION, point, 0);
    decode x = decode_begin(&b);
    ks_handle *low = tcm_at(&b, x.s->addr, 2, 4, x.s->dtype);
    primitive(&b, KS_OP_fill, low, -INF, NO_READS);
    primitive(&b, KS_OP_rmax, x.m_loc, 0, READS(low));
    primitive(&b, KS_OP_max_elem, x.m_new, 0, READS(x.m, x.m_loc));
    primitive(&b, KS_OP_exp_diff, x.corr, 0, READS(x.m, x.m_new));
    primitive(&b, KS_OP_exp_diff, x.p, 0, READS(low, x.m_new));
    primitive(&b, KS_OP_rsum, x.l_loc, 0, READS(x.p));
    primitive(&b, KS_OP_fma, x.l, 0, READS(x.l, x.corr, x.l_loc));
    primitive(&b, KS_OP_mul_bcast, x.o, 0, READS(x.o, x.corr));
    primitive(&b, KS_OP_div_bcast, x.o, 1, READS(x.o, x.l)); /* the whole row was -inf: l = 0 */
    primitive(&b, KS_OP_cast, x.out, 0, READS(x.o));
    primitive(&b, KS_OP_store, hbm(&b, "OUT"), 0, READS(x.out));
    const float *out = bench_finish(&b);
    for (int i = 0; i < 8; i++) assert_true(out[i] == 0);
    bench_close(&b);
}

/* B70, whole points: +inf scores are NaN and counted; a row of -inf is 0 and fails. */
static void large_scores_in_f16_are_a_verdict_and_in_f32_are_right(void **state) {
    ks_point point = point_of(8, 64, 96);
    (void)state;
    point.params[KS_P_TILE] = 32;
    point.params[KS_P_dist] = KS_DIST_large;
    const ks_judgement half = judge_decode(&point);
    assert_int_equal(half.kind, KS_JUDGED_NONFINITE);
    assert_true(half.nonfinite > 0);
    set_dtypes(&point, KS_F16, KS_F32, KS_F32);
    const ks_judgement full = judge_decode(&point);
    assert_int_equal(full.kind, KS_JUDGED_PASS);
    assert_int_equal(full.nonfinite, 0);
}

static void a_whole_row_of_minus_infinity_is_zero_and_red(void **state) {
    ks_point point = point_of(1, 64, 1);
    (void)state;
    point.params[KS_P_dist] = KS_DIST_large;
    for (uint64_t seed = 1; seed < 200; seed++) { /* until the only score is below -65520 */
        point.params[KS_P_seed] = seed;
        const ks_judgement j = judge_decode(&point);
        if (j.kind == KS_JUDGED_NONFINITE || j.kind == KS_JUDGED_PASS) continue;
        assert_int_equal(j.kind, KS_JUDGED_TOLERANCE);
        assert_int_equal(j.nonfinite, 0);
        return;
    }
    fail_msg("no seed gives a row of -inf");
}

/* m, l, O in acc, then OUT. */
static void the_digest_is_that_of_the_results_in_order(void **state) {
    struct {
        float m[2], l[2], o[6];
        uint16_t out[6];
    } expected;
    ks_point point = point_of(2, 3, 4);
    (void)state;
    bench b = bench_open(KS_TASK_ATTENTION, point, 0);
    decode x = decode_begin(&b);
    primitive(&b, KS_OP_fill, x.m, 2, NO_READS);
    primitive(&b, KS_OP_fill, x.l, __builtin_nanf("1"), NO_READS);
    primitive(&b, KS_OP_fill, x.o, -0.5f, NO_READS);
    primitive(&b, KS_OP_cast, x.out, 0, READS(x.o));
    primitive(&b, KS_OP_store, hbm(&b, "OUT"), 0, READS(x.out));
    const float *out = bench_finish(&b);
    for (int i = 0; i < 2; i++) expected.m[i] = 2;
    for (int i = 0; i < 2; i++) expected.l[i] = ks_float_of_bits(KS_NAN32);
    for (int i = 0; i < 6; i++) expected.o[i] = -0.5f;
    for (int i = 0; i < 6; i++) expected.out[i] = 0xb800;
    for (int i = 0; i < 6; i++) assert_true(out[i] == -0.5f);
    const ks_digest digest = ks_digest_of(&expected, 10 * sizeof(float) + sizeof expected.out);
    assert_memory_equal(&digest, &b.digest, sizeof digest);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mix_of_dtypes_gives_right_numbers),
        cmocka_unit_test(an_accumulator_of_half_size_gives_nearly_right_numbers),
        cmocka_unit_test(every_edge_of_a_tile_gives_right_numbers),
        cmocka_unit_test(gemm_tiles_that_divide_nothing_give_right_numbers),
        cmocka_unit_test(the_same_rows_give_the_same_digest),
        cmocka_unit_test(the_bytes_are_the_same_on_every_machine),
        cmocka_unit_test(a_tile_of_minus_infinity_gives_no_nan),
        cmocka_unit_test(large_scores_in_f16_are_a_verdict_and_in_f32_are_right),
        cmocka_unit_test(a_whole_row_of_minus_infinity_is_zero_and_red),
        cmocka_unit_test(the_digest_is_that_of_the_results_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
