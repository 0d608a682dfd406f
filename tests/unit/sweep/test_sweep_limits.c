/* Sweep files made to eat memory or time: refused, or read as they stand, soon. */
#include <time.h>

#include "sweep_bench.h"

enum { LONGEST_MS = 1000, SLOWER_BY_SANITIZERS = 5 };

static void add_repeated(ks_text *text, const char *piece, size_t count) {
    for (size_t i = 0; i < count; i++) ks_text_add_string(text, piece);
}

static void expect_refusal(const ks_text *yaml, const char *part) {
    struct timespec begin, end;
    ks_sweep *sweep;
    ks_error error = {""};
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const ks_status status = ks_sweep_parse("t", ks_text_string(yaml), yaml->length, &bench_table,
                                            &bench_options, &sweep, &error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const long ms =
        (long)(end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000;
    assert_int_equal(status, KS_INPUT);
    if (!strstr(error.text, part)) fail_msg("%s", error.text);
    if (ms > LONGEST_MS * SLOWER_BY_SANITIZERS) fail_msg("%ld ms: %s", ms, part);
}

static void files_are_refused_by_size_depth_and_number_of_parts(void **state) {
    static const struct {
        const char *before, *piece;
        size_t count;
        const char *after, *message;
    } cases[] = {
        {"", "#", (1 << 20) + 1, "", "t:1:1: found 1048577 bytes, expected at most 1048576"},
        {"", "#", 1 << 20, "", "t:1:1: found nothing, expected a map"},
        {"a: ", "[", 10000, "", "t:1:19: found more than 16 levels of nesting, expected fewer"},
        {"a: ", "[", 1000000, "", "t:1:19: found more than 16 levels of nesting, expected fewer"},
        {"", "{a: ", 200000, "", "levels of nesting, expected fewer"},
        {"", "- ", 500000, "", "levels of nesting, expected fewer"},
        {"", "? ", 500000, "", "found a list or map as a key, expected a name"},
        {"a: [", "1,", 99990, "1]\n", "t:1:1: found the unknown key 'a'"},
        {"a: [", "1,", 100000, "1]\n", "found more than 100000 values in a file, expected fewer"},
        {"a: &a x\nb: [", "*a,", 1000, "]\n", "t:1:4: found an anchor (&)"},
        {"sweep: t.ci\naxes: {", "TILE: [16], ", 10000, "}\n", "found 'TILE' a second time"},
        {"about: ", "word ", 200000, "\n", "found no sweep"},
        {"about: \"", "\\n", 500000, "\"\n", "found no sweep"},
        {"sweep: t.ci\nset: {kernel: gemm}\nwhere: \"", "(", 10000, "\"\n",
         "found more than 64 levels of nesting"},
        {"sweep: t.ci\nset: {kernel: gemm}\nwhere: \"", "1+", 300000, "1\"\n",
         "expected text of at most 65536"},
        {"sweep: t.ci\nset: {kernel: gemm}\nwhere: \"", "M*", 30000, "1\"\n",
         "found a number, expected a condition"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_text_add_string(&yaml, cases[i].before);
        add_repeated(&yaml, cases[i].piece, cases[i].count);
        ks_text_add_string(&yaml, cases[i].after);
        expect_refusal(&yaml, cases[i].message);
        ks_text_free(&yaml);
    }
}

static void ten_thousand_axes_are_refused(void **state) {
    ks_text yaml = {0};
    (void)state;
    ks_text_add_string(&yaml, "sweep: t.ci\naxes:\n");
    for (int i = 0; i < 10000; i++) ks_text_add_format(&yaml, "  a%d: [1]\n", i);
    expect_refusal(&yaml, "t:1003:3: found more than 1000 keys in a map, expected fewer");
    ks_text_free(&yaml);
}

static void a_file_cut_at_any_byte_is_read_or_refused(void **state) {
    static const char whole[] =
        "sweep: t.ci\naxes: {kernel: [gemm], M: {range: [1, 9, 2]}}\nset: {K: 1, N: 1}\n"
        "where: \"M in (1, 'x')\"\ngates: [{name: g, expr: \"gemm{M=3}.total_cycles > 1\"}]\n";
    (void)state;
    for (size_t length = 0; length < sizeof whole; length++) {
        ks_sweep *sweep;
        ks_error error = {""};
        const ks_status status =
            ks_sweep_parse("t", whole, length, &bench_table, &bench_options, &sweep, &error);
        assert_true(status == KS_OK || (status == KS_INPUT && strncmp(error.text, "t:", 2) == 0));
        ks_sweep_free(sweep);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_refused_by_size_depth_and_number_of_parts),
        cmocka_unit_test(ten_thousand_axes_are_refused),
        cmocka_unit_test(a_file_cut_at_any_byte_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
