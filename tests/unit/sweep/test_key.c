#include "sweep_bench.h"

static void a_key_holds_what_differs_from_the_defaults_in_its_order(void **state) {
    static const struct {
        const char *any_order, *key;
    } cases[] = {
        {"kernel=decode_opt2 G=8 TILE=256 d=128 S=4096",
         "kernel=decode_opt2 G=8 TILE=256 d=128 S=4096"},
        {"S=4096 d=128 TILE=256 G=8 kernel=decode_opt2",
         "kernel=decode_opt2 G=8 TILE=256 d=128 S=4096"},
        {"  N=3   K=2 M=1 kernel=gemm  ", "kernel=gemm M=1 K=2 N=3"},
        {"kernel=gemm M=064 K=64.0 N=64.0000", "kernel=gemm M=64 K=64 N=64"},
        {"kernel=gemm M=1 K=1 N=1 clock_ghz=2.50 gemm_rule=ws gemm_rows=16 dispatch_fixed_cycles=40.5",
         "kernel=gemm M=1 K=1 N=1 clock_ghz=2.5 dispatch_fixed_cycles=40.5 gemm_rule=ws"},
        {"kernel=gemm M=1 K=1 N=1 dtype=f16 score=f16 acc=f32 p_dtype=f16 policy=strict_fifo s_buffers=2 "
         "stream_in_prologue=0 dist=normal seed=1",
         "kernel=gemm M=1 K=1 N=1"},
        {"kernel=gemm M=1 K=1 N=1 dtype=bf16", "kernel=gemm M=1 K=1 N=1 dtype=bf16"},
        {"kernel=gemm M=1 K=1 N=1 dtype=bf16 score=bf16", "kernel=gemm M=1 K=1 N=1 dtype=bf16"},
        {"kernel=gemm M=1 K=1 N=1 score=f32", "kernel=gemm M=1 K=1 N=1 score=f32"},
        {"kernel=gemm M=1 K=1 N=1 score=f32 p_dtype=f32", "kernel=gemm M=1 K=1 N=1 score=f32"},
        {"kernel=gemm M=1 K=1 N=1 score=f32 p_dtype=f16",
         "kernel=gemm M=1 K=1 N=1 score=f32 p_dtype=f16"},
        {"kernel=gemm M=1 K=1 N=1 dtype=f32 score=f16",
         "kernel=gemm M=1 K=1 N=1 dtype=f32 score=f16"},
        {"kernel=gemm M=1 K=1 N=1 seed=18446744073709551615",
         "kernel=gemm M=1 K=1 N=1 seed=18446744073709551615"},
        {"kernel=gemm M=1073741824 K=1 N=1 seed=0", "kernel=gemm M=1073741824 K=1 N=1 seed=0"},
        {"kernel=math_chain M=1 N=2 dispatch_cycles_per_byte=0 policy=rw_aware dist=large",
         "kernel=math_chain M=1 N=2 policy=rw_aware dist=large dispatch_cycles_per_byte=0"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const ks_point point = bench_point(cases[i].any_order);
        bench_expect_key(&point, cases[i].key);
        const ks_point again = bench_point(cases[i].key);
        assert_memory_equal(&point, &again, sizeof point);
    }
}

static void a_bad_key_is_refused_with_the_column_and_what_was_expected(void **state) {
    static const struct {
        const char *key, *message;
    } cases[] = {
        {"", "KEY:1:1: found no kernel, expected kernel=NAME"},
        {"kernel=gemm M=1 K=1", "KEY:1:20: found no N, expected the shapes of gemm: M, K, N"},
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=5 M=1",
         "KEY:1:42: found M, expected the shapes of decode_opt2: G, TILE, d, S"},
        {"kernel=gemm M=1 K=1 N=1 TIEL=5",
         "KEY:1:25: found 'TIEL', expected a parameter or a constant (did you mean TILE?)"},
        {"kernel=gemm M=1 K=1 N=1 gemm_rouws=5",
         "KEY:1:25: found 'gemm_rouws', expected a parameter or a constant (did you mean gemm_rows?)"},
        {"kernel=gemm M=1 M=1 K=1 N=1",
         "KEY:1:17: found M a second time, expected each name once (first at KEY:1:13)"},
        {"kernel=gemn M=1 K=1 N=1",
         "KEY:1:8: found 'gemn' for kernel, expected decode_opt2, decode_opt3, gemm or math_chain (did you mean gemm?)"},
        {"kernel=gemm M=0 K=1 N=1",
         "KEY:1:15: found '0' for M, expected an integer from 1 to 1073741824"},
        {"kernel=gemm M=1073741825 K=1 N=1",
         "KEY:1:15: found '1073741825' for M, expected an integer from 1 to 1073741824"},
        {"kernel=gemm M K=1 N=1", "KEY:1:13: found 'M', expected NAME=VALUE"},
        {"kernel=gemm M= K=1 N=1",
         "KEY:1:15: found nothing for M, expected an integer from 1 to 1073741824"},
        {"kernel=gemm M=1 K=1 N=1 model=llama3-8b",
         "KEY:1:25: found model, expected G and d: a model is not part of a KEY"},
        {"kernel=gemm M=1 K=1 N=1 policy=strict_fifoo",
         "KEY:1:32: found 'strict_fifoo' for policy, expected strict_fifo, rw_aware or serial (did you mean "
         "strict_fifo?)"},
        {"kernel=gemm M=1 K=1 N=1 seed=18446744073709551616",
         "KEY:1:30: found '18446744073709551616' for seed, expected an integer from 0 to 18446744073709551615"},
        {"kernel=gemm M=1 K=1 N=1 seed=-1",
         "KEY:1:30: found '-1' for seed, expected an integer from 0 to 18446744073709551615"},
        {"kernel=gemm M=1 K=1 N=1 s_buffers=3",
         "KEY:1:35: found '3' for s_buffers, expected 1 or 2"},
        {"kernel=gemm M=1 K=1 N=1 gemm_rows=1.5",
         "KEY:1:35: found '1.5' for gemm_rows, expected a whole number from 1"},
        {"kernel=gemm M=1 K=1 N=1 clock_ghz=0",
         "KEY:1:35: found '0' for clock_ghz, expected a decimal above 0"},
        {"kernel=gemm M=1 K=1 N=1 clock_ghz=0.00001",
         "KEY:1:35: found '0.00001' for clock_ghz, expected a decimal above 0; it has more than four fractional "
         "digits"},
        {"kernel=gemm\tM=1 K=1 N=1",
         "KEY:1:8: found 'gemm?M=1' for kernel, expected decode_opt2, decode_opt3, gemm or math_chain"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_point point;
        ks_error error = {""};
        assert_int_equal(ks_key_parse(cases[i].key, &bench_table, &point, &error), KS_INPUT);
        assert_string_equal(error.text, cases[i].message);
    }
}

static void numbers_are_taken_by_the_documented_rule_and_no_prefix_of_them(void **state) {
    static const char *const bad[] = {"12abc",
                                      "0x10",
                                      "1e3",
                                      "+5",
                                      "5.",
                                      ".5",
                                      "1_000",
                                      "",
                                      "99999999999999999999",
                                      "-1",
                                      "NaN",
                                      "inf",
                                      "1e999",
                                      "\xef\xbc\x95",
                                      "5.5",
                                      "5.00000",
                                      "1,5"};
    static const char *const names[] = {
        "M=", "seed=", "gemm_rows=", "dma_latency_cycles=", "s_buffers="};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        for (size_t k = 0; k < COUNT(names); k++) {
            ks_point point;
            ks_text key = {0};
            if (k == 3 && strcmp(bad[i], "5.5") == 0) continue; /* a decimal may be one */
            ks_text_add_format(&key, "kernel=gemm K=1 N=1 %s%s%s", k ? "M=1 " : "", names[k],
                               bad[i]);
            if (ks_key_parse(ks_text_string(&key), &bench_table, &point, NULL) != KS_INPUT)
                fail_msg("'%s' was taken", ks_text_string(&key));
            ks_text_free(&key);
        }
}

static void a_part_of_a_key_tells_which_names_it_holds(void **state) {
    ks_calibration base = ks_calibration_default();
    ks_point point;
    ks_names names;
    ks_error error;
    (void)state;
    base.values[KS_C_queue_depth] = 3 * KS_TICKS_PER_UNIT;
    assert_int_equal(
        ks_key_parse_part("G=8 TILE=64", "s.yaml", &bench_table, &base, &point, &names, &error),
        KS_OK);
    assert_int_equal(names, KS_NAME_BIT(KS_P_G) | KS_NAME_BIT(KS_P_TILE));
    assert_int_equal(ks_param_of(&point, KS_P_TILE), 64);
    assert_int_equal(ks_whole_of(&point.calibration, KS_C_queue_depth), 3);
    assert_int_equal(
        ks_key_parse_part("G=0", "s.yaml", &bench_table, &base, &point, &names, &error), KS_INPUT);
    assert_string_equal(error.text,
                        "s.yaml:1:3: found '0' for G, expected an integer from 1 to 1073741824");
}

static void the_id_is_the_front_of_the_digest(void **state) {
    char id[KS_KEY_ID];
    (void)state;
    ks_key_id(id, "abc");
    assert_string_equal(id, "06b05ab6733a6185");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_holds_what_differs_from_the_defaults_in_its_order),
        cmocka_unit_test(a_bad_key_is_refused_with_the_column_and_what_was_expected),
        cmocka_unit_test(numbers_are_taken_by_the_documented_rule_and_no_prefix_of_them),
        cmocka_unit_test(a_part_of_a_key_tells_which_names_it_holds),
        cmocka_unit_test(the_id_is_the_front_of_the_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
