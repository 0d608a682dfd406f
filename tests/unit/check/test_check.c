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

/* ---- what is asked ---- */

#define OPT2 "decode_opt2 G=4 TILE=16 d=128 S=32"

static ks_check *check_of(const bench *b) {
    ks_check *check = ks_check_new(&b->program, &b->point, b->arena);
    assert_non_null(check);
    return check;
}

static void commands_alone_ask_what_is_static(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    const ks_check_result *result = ks_check_finish(check_of(&b));
    assert_int_equal(result->asked, BIT(gemm_count) | BIT(tcm_only));
    assert_int_equal(result->failed, 0);
    bench_close(&b);
}

static void segments_ask_what_is_due_in_mode_dispatch(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    const ks_check_result *result = judge_program(&b);
    assert_int_equal(result->asked, BIT(gemm_count) | BIT(tcm_only) | BIT(size_cap));
    assert_int_equal(result->asked, ks_check_due(&b.point, KS_CHECK_DISPATCH));
    assert_int_equal(ks_check_due(&b.point, KS_CHECK_TIMELINE), result->asked | BIT(bound));
    bench_close(&b);
}

static void an_op_log_asks_all_but_numeric(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    const uint32_t all = (UINT32_C(1) << KS_INVARIANT_COUNT) - 1;
    assert_int_equal(judge(&b)->asked, all & ~BIT(numeric));
    assert_int_equal(ks_check_due(&b.point, KS_CHECK_DATA), all);
    bench_close(&b);
}

static void streaming_in_the_prologue_is_not_asked_where_it_is_allowed(void **state) {
    (void)state;
    bench b = bench_open(OPT2 " stream_in_prologue=1");
    assert_int_equal(judge(&b)->asked & BIT(no_stream_in_prologue), 0);
    assert_int_equal(ks_check_due(&b.point, KS_CHECK_OP_LOG) & BIT(no_stream_in_prologue), 0);
    bench_close(&b);
}

/* ---- numeric ---- */

static void numeric_is_what_it_is_told(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    for (int has_passed = 0; has_passed < 2; has_passed++) {
        ks_check *check = check_of(&b);
        ks_check_numeric(check, has_passed, "tolerance err=0.5 limit=0.25");
        const ks_check_result *result = ks_check_finish(check);
        assert_true(result->asked & BIT(numeric));
        assert_int_equal(result->failed, has_passed ? 0 : BIT(numeric));
        if (!has_passed)
            assert_string_equal(result->texts[KS_INVARIANT_numeric],
                                "numeric: tolerance err=0.5 limit=0.25");
    }
    bench_close(&b);
}

/* ---- results ---- */

static void ids_print_in_the_order_of_the_model(void **state) {
    (void)state;
    ks_text text = {0};
    ks_invariants_print(&text, BIT(numeric) | BIT(fifo) | BIT(gemm_count));
    assert_string_equal(ks_text_string(&text), "gemm_count|fifo|numeric");
    ks_text_clear(&text);
    ks_invariants_print(&text, 0);
    assert_string_equal(ks_text_string(&text), "");
    ks_text_free(&text);
}

static void the_first_violation_keeps_its_text_and_all_are_counted(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    b.rows[find_stage(&b, 4, 2)].elements--;
    b.rows[find_stage(&b, 4, 5)].elements--;
    const ks_check_result *result = judge(&b);
    assert_int_equal(result->violation_count, 2);
    assert_int_equal(result->counts[KS_INVARIANT_conservation], 2);
    assert_string_equal(
        result->texts[KS_INVARIANT_conservation],
        "conservation: row 17 (cmd 4 stage 2 GEMM) has elements 4095, expected 4096");
    bench_close(&b);
}

/* ---- any row ---- */

static const char *const small[] = {
    OPT2,
    "decode_a1 G=4 TILE=16 d=128 S=32 max_composite_logical_bytes=100",
    "decode_opt3 G=4 TILE=16 d=32 S=48 policy=rw_aware",
    "decode_opt1 G=4 TILE=16 d=32 S=32",
    "gemm_bias_relu M=20 K=100 N=100",
    "gemm_ktile_scale M=20 K=130 N=70 policy=serial",
    "gemm_chain M=16 K=64 N=64 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
    "gemm_postnorm M=16 K=64 N=128",
    "math_chain M=8 N=8",
    "rmsnorm_linear M=8 K=70 N=70",
};

static bool is_wait(const ks_op_row *row) {
    return row->kind == KS_ROW_WAIT || row->kind == KS_ROW_STALL;
}

static void no_row_can_be_dropped_unnoticed(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(small); p++) {
        bench b = bench_open(small[p]);
        for (size_t i = 0; i < b.count; i++) {
            const ks_op_row row = b.rows[i];
            if (is_wait(&row)) continue;
            drop(&b, i);
            assert_true(judge(&b)->failed);
            insert(&b, i, &row);
        }
        assert_int_equal(judge(&b)->failed, 0);
        bench_close(&b);
    }
}

static void no_row_can_come_twice_unnoticed(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(small); p++) {
        bench b = bench_open(small[p]);
        for (size_t i = 0; i < b.count; i++) {
            if (is_wait(&b.rows[i])) continue;
            insert(&b, i, &b.rows[i]);
            assert_true(judge(&b)->failed);
            drop(&b, i);
        }
        bench_close(&b);
    }
}

static uint64_t next(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Any figure of the row becomes some other: near, small or huge. */
static void disturb(ks_op_row *row, uint64_t *random) {
    static const size_t words[] = {
        offsetof(ks_op_row, stage),
        offsetof(ks_op_row, start),
        offsetof(ks_op_row, end),
        offsetof(ks_op_row, occupied_end),
        offsetof(ks_op_row, bytes),
        offsetof(ks_op_row, elements),
        offsetof(ks_op_row, m),
        offsetof(ks_op_row, n),
        offsetof(ks_op_row, k),
        offsetof(ks_op_row, reads[0].range.addr),
        offsetof(ks_op_row, write.range.addr),
        offsetof(ks_op_row, write.range.bytes),
    };
    static const size_t halves[] = {
        offsetof(ks_op_row, cmd),
        offsetof(ks_op_row, server),
        offsetof(ks_op_row, kind),
        offsetof(ks_op_row, phase),
        offsetof(ks_op_row, read_count),
        offsetof(ks_op_row, write_count),
        offsetof(ks_op_row, segment),
        offsetof(ks_op_row, reads[0].range.space),
        offsetof(ks_op_row, write.range.space),
    };
    const uint64_t pick = next(random), value = next(random) >> (next(random) & 63);
    const bool is_near = next(random) & 1;
    if (pick & 1) {
        uint64_t word;
        char *at = (char *)row + words[(pick >> 1) % COUNT(words)];
        memcpy(&word, at, sizeof word);
        word = is_near ? word + (value & 3) - 1 : value;
        memcpy(at, &word, sizeof word);
    } else {
        uint32_t half;
        char *at = (char *)row + halves[(pick >> 1) % COUNT(halves)];
        memcpy(&half, at, sizeof half);
        half = is_near ? half + (uint32_t)(value & 3) - 1 : (uint32_t)value;
        memcpy(at, &half, sizeof half);
    }
}

static void no_disturbance_is_a_crash(void **state) {
    uint64_t random = 1;
    (void)state;
    for (size_t p = 0; p < COUNT(small); p++) {
        bench b = bench_open(small[p]);
        ks_op_row *clean = malloc(b.count * sizeof *clean);
        assert_non_null(clean);
        memcpy(clean, b.rows, b.count * sizeof *clean);
        for (int round = 0; round < 300; round++) {
            const uint64_t count = 1 + next(&random) % 8;
            for (uint64_t i = 0; i < count; i++) disturb(&b.rows[next(&random) % b.count], &random);
            const figures f = {0};
            const ks_check_result *result = judge_with(&b, &f);
            for (ks_invariant id = 0; id < KS_INVARIANT_COUNT; id++)
                assert_int_equal(!!result->texts[id], result->counts[id] > 0);
            memcpy(b.rows, clean, b.count * sizeof *clean);
        }
        free(clean);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_op_log_keeps_every_invariant),
        cmocka_unit_test(commands_alone_ask_what_is_static),
        cmocka_unit_test(segments_ask_what_is_due_in_mode_dispatch),
        cmocka_unit_test(an_op_log_asks_all_but_numeric),
        cmocka_unit_test(streaming_in_the_prologue_is_not_asked_where_it_is_allowed),
        cmocka_unit_test(numeric_is_what_it_is_told),
        cmocka_unit_test(ids_print_in_the_order_of_the_model),
        cmocka_unit_test(the_first_violation_keeps_its_text_and_all_are_counted),
        cmocka_unit_test(no_row_can_be_dropped_unnoticed),
        cmocka_unit_test(no_row_can_come_twice_unnoticed),
        cmocka_unit_test(no_disturbance_is_a_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
