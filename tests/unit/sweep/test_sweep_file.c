#include "sweep_bench.h"

static const char whole[] =
    "sweep: decode.nightly\n"
    "about: one line for the reports\n"
    "mode: data                # with a comment\n"
    "oplog: full\n"
    "axes:\n"
    "  kernel: [decode_opt2, decode_opt3]\n"
    "  model: [llama3-8b, qwen2.5-7b]\n"
    "  TILE: [16, 64, 256, 65536]\n"
    "  dispatch_fixed_cycles: {range: [10, 80, 10]}\n"
    "zip:\n"
    "  - {S: [1000, 4096], seed: [1, 2]}\n"
    "set: {dtype: f16, policy: strict_fifo}\n"
    "calibration: default\n"
    "where: \"G * TILE <= 2048 or TILE == 65536\"\n"
    "exclude:\n"
    "  - {when: \"TILE == 16 and G == 7\", why: 'a, \"b\"\\n=c'}\n"
    "expect:\n"
    "  - {when: \"TILE == 65536\", verdict: infeasible, why: two S buffers exceed TCM}\n"
    "  - when: TILE == 64\n"
    "gates:\n"
    "  - {name: ratio, expr: \"decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile > 2\"}\n"
    "  - {name: faster, expr: \"decode_opt2{TILE=64}.total_cycles < 5\", when: \"TILE >= 128\", expect: fail, why: w}\n"
    "  - {name: same, twin: [decode_opt3, decode_opt2]}\n"
    "tolerance: {f32: 1e-6, bf16: 0.25}\n"
    "golden: none"; /* no final newline */

static void a_whole_sweep_is_read(void **state) {
    ks_sweep *s = bench_sweep(whole);
    (void)state;
    assert_string_equal(s->name, "decode.nightly");
    assert_string_equal(s->about, "one line for the reports");
    assert_int_equal(s->mode, KS_MODE_DATA);
    assert_int_equal(s->oplog, KS_OPLOG_FULL);
    assert_false(s->wants_golden);
    assert_string_equal(s->calibration_path, KS_SOURCE_DIR "/sweeps/calibration/default.yaml");
    assert_non_null(s->where);
    assert_string_equal(ks_expr_text(s->where), "G * TILE <= 2048 or TILE == 65536");
    assert_int_equal(s->where_place.line, 14);
    ks_sweep_free(s);
}

static void axes_keep_the_order_of_the_file_zips_after_them(void **state) {
    static const struct {
        ks_axis_origin origin;
        uint32_t count;
        size_t columns;
        ks_name first;
    } expected[] = {
        {KS_FROM_AXES, 2, 1, KS_P_kernel},
        {KS_FROM_AXES, 2, 2, KS_P_G},
        {KS_FROM_AXES, 4, 1, KS_P_TILE},
        {KS_FROM_AXES, 8, 1, KS_NAME_CONSTANTS + KS_C_dispatch_fixed_cycles},
        {KS_FROM_ZIP, 2, 2, KS_P_S},
        {KS_FROM_SET, 1, 1, KS_P_dtype},
        {KS_FROM_SET, 1, 1, KS_P_policy},
    };
    ks_sweep *s = bench_sweep(whole);
    (void)state;
    assert_int_equal(s->axis_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(s->axes[i].origin, expected[i].origin);
        assert_int_equal(s->axes[i].count, expected[i].count);
        assert_int_equal(s->axes[i].column_count, expected[i].columns);
        assert_int_equal(s->axes[i].columns[0].name, expected[i].first);
    }
    assert_string_equal(s->axes[1].labels[1], "qwen2.5-7b");
    assert_int_equal(s->axes[1].columns[0].values[1], 7);
    assert_int_equal(s->axes[1].columns[1].values[1], 128);
    ks_sweep_free(s);
}

static void rules_keep_their_words_and_defaults(void **state) {
    ks_sweep *s = bench_sweep(whole);
    (void)state;
    assert_int_equal(s->exclude_count, 1);
    assert_string_equal(s->excludes[0].why, "a, \"b\"\\n=c");
    assert_int_equal(s->excludes[0].place.line, 16);
    assert_null(s->excludes[0].verdict);
    assert_int_equal(s->expect_count, 2);
    assert_string_equal(s->expects[0].verdict, "infeasible");
    assert_string_equal(s->expects[1].verdict, "fail");
    assert_string_equal(s->expects[1].why, "");
    ks_sweep_free(s);
}

static void gates_keep_expression_condition_and_expectation(void **state) {
    ks_sweep *s = bench_sweep(whole);
    (void)state;
    assert_int_equal(s->gate_count, 3);
    assert_string_equal(s->gates[0].name, "ratio");
    assert_null(s->gates[0].when);
    assert_false(s->gates[0].expects_fail);
    assert_true(s->gates[1].expects_fail);
    assert_string_equal(ks_expr_text(s->gates[1].when), "TILE >= 128");
    assert_string_equal(s->gates[1].why, "w");
    assert_null(s->gates[2].expr);
    assert_int_equal(s->gates[2].twin_count, 2);
    assert_int_equal(s->gates[2].twins[0], OPT3);
    ks_sweep_free(s);
}

static void tolerances_left_out_are_the_default(void **state) {
    ks_sweep *s = bench_sweep(whole);
    (void)state;
    assert_true(s->tolerance[KS_F32].limit == 1e-6);
    assert_true(s->tolerance[KS_F16].is_twice_plain);
    assert_false(s->tolerance[KS_BF16].is_twice_plain);
    assert_true(s->tolerance[KS_BF16].limit == 0.25);
    ks_sweep_free(s);
}

static void limits_take_the_nearest_double(void **state) {
    static const struct {
        const char *text;
        double limit;
    } cases[] = {{"1e-5", 1e-5},     {"1e+2", 1e2},      {"1e05", 1e5},    {"0", 0},
                 {"0.1", 0.1},       {"123e-9", 123e-9}, {"1e-99", 1e-99}, {"9e99", 9e99},
                 {"1.5e-3", 1.5e-3}, {"0.00001", 1e-5}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml, "sweep: t.ci\nset: {kernel: gemm}\ntolerance: {f16: %s}\n",
                           cases[i].text);
        ks_sweep *s = bench_sweep(yaml.data);
        if (s->tolerance[KS_F16].limit != cases[i].limit) fail_msg("%s", cases[i].text);
        ks_sweep_free(s);
        ks_text_free(&yaml);
    }
}

static void what_is_left_out_is_the_default(void **state) {
    ks_sweep *s = bench_sweep("sweep: t.ci\nset: {kernel: gemm}\n");
    const ks_calibration defaults = ks_calibration_default();
    (void)state;
    assert_int_equal(s->mode, KS_MODE_TIMING);
    assert_int_equal(s->oplog, KS_OPLOG_HASH);
    assert_true(s->wants_golden);
    assert_string_equal(s->about, "");
    assert_null(s->calibration_path);
    assert_null(s->where);
    assert_memory_equal(&s->base.calibration, &defaults, sizeof defaults);
    assert_true(s->tolerance[KS_F32].limit == 1e-5);
    assert_true(s->tolerance[KS_BF16].is_twice_plain);
    ks_sweep_free(s);
}

static void mode_dispatch_has_no_op_log(void **state) {
    ks_sweep *s = bench_sweep("sweep: t.ci\nmode: dispatch\noplog: full\nset: {kernel: gemm}\n");
    (void)state;
    assert_int_equal(s->oplog, KS_OPLOG_NONE);
    ks_sweep_free(s);
}

static void twice_plain_is_refused_only_where_it_would_judge_another_acc(void **state) {
    static const struct {
        const char *rest;
        bool is_refused;
    } cases[] = {
        {"mode: data\nset: {kernel: decode_opt2, acc: f16}\n", true},
        {"mode: data\nset: {kernel: decode_opt2, acc: f32}\n", false},
        {"mode: timing\nset: {kernel: decode_opt2, acc: f16}\n", false},
        {"mode: data\nset: {kernel: gemm, acc: f16}\n", false}, /* judged by its own rule */
        {"mode: data\nset: {kernel: decode_opt2, acc: f16}\ntolerance: {f16: 1e-2}\n", false},
        {"mode: data\nset: {kernel: decode_opt2, acc: f16, dtype: f32}\n", false},
        {"mode: data\nset: {kernel: decode_opt2, acc: f16, dtype: bf16}\ntolerance: {f16: 1e-2}\n",
         true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_sweep *s;
        ks_text_add_format(&yaml, "sweep: t.ci\n%s", cases[i].rest);
        const ks_status status =
            ks_sweep_parse("t.yaml", yaml.data, yaml.length, &bench_table, NULL, &s, NULL);
        if ((status == KS_INPUT) != cases[i].is_refused) fail_msg("%s", cases[i].rest);
        ks_sweep_free(s);
        ks_text_free(&yaml);
    }
}

static void flow_and_block_styles_mean_the_same(void **state) {
    ks_sweep *a =
        bench_sweep("sweep: t.ci\naxes: {kernel: [gemm], M: [1, 2]}\nset: {K: 1, N: 1}\n");
    ks_sweep *b =
        bench_sweep("---\n\"sweep\": 't.ci'\naxes:\n  kernel:\n  - gemm\n  M:\n  - '1'\n  - \"2\"\n"
                    "set:\n  K: 1\n  N: 1\n...\n");
    (void)state;
    assert_int_equal(a->axis_count, b->axis_count);
    for (size_t i = 0; i < a->axis_count; i++)
        assert_int_equal(a->axes[i].columns[0].values[a->axes[i].count - 1],
                         b->axes[i].columns[0].values[b->axes[i].count - 1]);
    ks_sweep_free(a);
    ks_sweep_free(b);
}

static void a_missing_file_is_refused_as_input(void **state) {
    ks_sweep *s;
    ks_error error;
    (void)state;
    assert_int_equal(ks_sweep_read("no/such.yaml", &bench_table, NULL, &s, &error), KS_INPUT);
    assert_string_equal(error.text, "no/such.yaml: found no such file, expected a YAML file");
}

static void the_digest_is_that_of_the_bytes(void **state) {
    static const char yaml[] = "sweep: t.ci\nset: {kernel: gemm}\n";
    ks_sweep *s = bench_sweep(yaml);
    const ks_digest digest = ks_digest_of(yaml, strlen(yaml)), none = {{0}};
    (void)state;
    assert_memory_equal(&s->digest, &digest, sizeof digest);
    assert_memory_equal(&s->calibration_digest, &none, sizeof none);
    ks_sweep_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_sweep_is_read),
        cmocka_unit_test(axes_keep_the_order_of_the_file_zips_after_them),
        cmocka_unit_test(rules_keep_their_words_and_defaults),
        cmocka_unit_test(gates_keep_expression_condition_and_expectation),
        cmocka_unit_test(tolerances_left_out_are_the_default),
        cmocka_unit_test(limits_take_the_nearest_double),
        cmocka_unit_test(what_is_left_out_is_the_default),
        cmocka_unit_test(mode_dispatch_has_no_op_log),
        cmocka_unit_test(twice_plain_is_refused_only_where_it_would_judge_another_acc),
        cmocka_unit_test(flow_and_block_styles_mean_the_same),
        cmocka_unit_test(a_missing_file_is_refused_as_input),
        cmocka_unit_test(the_digest_is_that_of_the_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
