/* A divergence on one screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden/log_diff.h"
#include "report/log_diff_text.h"
#include "support/rig.h"
#include "unit/golden/log_bench.h"

#define POINT "kernel=decode_opt2 G=2 TILE=4 d=8 S=8"

static ks_text told(log_bench *expected, log_bench *got) {
    ks_log logs[2] = {bench_log(expected), bench_log(got)};
    ks_arena *arena = ks_arena_new(1 << 12);
    ks_log_diff diff;
    ks_text out = {0};
    assert_int_equal(ks_log_compare(&logs[0], &logs[1], arena, &diff), KS_OK);
    ks_log_diff_print(&out, &diff, POINT);
    for (int i = 0; i < 2; i++) ks_log_free(&logs[i]);
    ks_arena_free(arena);
    return out;
}

static size_t count_lines(const ks_text *text) {
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++) count += text->data[i] == '\n';
    return count;
}

static void says(const ks_text *text, const char *what) {
    if (!strstr(ks_text_string(text), what))
        fail_msg("does not say '%s':\n%s", what, ks_text_string(text));
}

static void equal_logs_print_nothing(void **state) {
    (void)state;
    log_bench a = bench_open(POINT), b = bench_open(POINT);
    ks_text out = told(&a, &b);
    assert_int_equal(out.length, 0);
    bench_close(&a);
    bench_close(&b);
}

static void a_longer_stage_reads_as_one_screen(void **state) {
    (void)state;
    log_bench a = bench_open(POINT), b = bench_open(POINT " math_startup_cycles=9");
    ks_text out = told(&a, &b);
    says(&out, "op_logs differ: 59 rows expected, 59 got: 46 changed, 0 missing, 0 extra\n"
               "point: " POINT "\n"
               "first divergence, its service changed: row 4: MATH fill on math, cmd 1 stage 0, "
               "phase prim\n"
               "  end      expected 92.125, got 93.125\n"
               "  it takes 10 cycles instead of 9; of the rows of math 25 in 25 changed, by +1 "
               "cycles\n"
               "  in both it starts at 83.125, when its command was dispatched by row 1: DISPATCH "
               "fill on cpu, cmd 1, phase dispatch\n");
    says(&out, "drift of ends: +1 at row 4, ");
    says(&out, "last end: 1727.875 -> 1747.875 cycles, +20 (+1.157 %)\n");
    ks_text_free(&out);
    bench_close(&a);
    bench_close(&b);
}

/* Whatever one field of one row is spoilt to, and all of a row at once. */
static void every_divergence_fits_in_fewer_than_25_lines(void **state) {
    (void)state;
    static const char *const values[] = {"gemm", "GEMM",      "relu",     "post", "7",
                                         "8",    "9",         "1.5",      "2.5",  "11",
                                         "12",   "acc:0x0+1", "acc:0x1+1"};
    size_t most = 0, told_of = 0;
    for (size_t seq = 0; seq < 59; seq++)
        for (int field = 2; field < 16; field++) {
            log_bench a = bench_open(POINT), b = bench_open(POINT);
            if (field > 2) bench_set(&b, seq, field, values[field - 3]);
            for (int i = 3; i < 16 && field == 2; i++) bench_set(&b, seq, i, values[i - 3]);
            ks_text out = told(&a, &b);
            told_of += out.length > 0; /* some values are those that stood there */
            if (count_lines(&out) > most) most = count_lines(&out);
            ks_text_free(&out);
            bench_close(&a);
            bench_close(&b);
        }
    assert_true(most <= KS_LOG_DIFF_LINES && KS_LOG_DIFF_LINES < 25);
    assert_true(told_of > 700);
    assert_true(most >= 20); /* context of eight rows is among it */
}

static void points_that_differ_in_a_constant_fit_too(void **state) {
    (void)state;
    static const char *const others[] = {
        POINT " policy=rw_aware",
        POINT " policy=serial",
        POINT " queue_depth=1",
        POINT " s_buffers=1",
        POINT " dma_latency_cycles=1",
        "kernel=decode_opt3 G=2 TILE=4 d=8 S=8",
        POINT " score=f32",
        POINT " op_header_bytes=17",
        "kernel=gemm M=1 K=1 N=1",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (int side = 0; side < 2; side++) {
            log_bench a = bench_open(side ? others[i] : POINT);
            log_bench b = bench_open(side ? POINT : others[i]);
            ks_text out = told(&a, &b);
            assert_true(count_lines(&out) <= KS_LOG_DIFF_LINES);
            says(&out, "first divergence, ");
            ks_text_free(&out);
            bench_close(&a);
            bench_close(&b);
        }
}

static void changes_have_a_sign(void **state) {
    (void)state;
    static const struct {
        int64_t ticks;
        const char *text;
    } cases[] = {{0, "0"},
                 {1, "+0.0001"},
                 {-1, "-0.0001"},
                 {-20000, "-2"},
                 {INT64_MIN + 1, "-922337203685477.5807"},
                 {INT64_MAX, "+922337203685477.5807"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ks_text text = {0};
        ks_text_add_change(&text, cases[i].ticks);
        assert_string_equal(text.data, cases[i].text);
        ks_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_logs_print_nothing),
        cmocka_unit_test(a_longer_stage_reads_as_one_screen),
        cmocka_unit_test(every_divergence_fits_in_fewer_than_25_lines),
        cmocka_unit_test(points_that_differ_in_a_constant_fit_too),
        cmocka_unit_test(changes_have_a_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
