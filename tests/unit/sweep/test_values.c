#include "sweep/values.h"

#include "sweep_bench.h"

/* `{NAME: VALUES}` as values, printed and joined by blanks; a message where they are refused. */
static void expect_values(const char *name, const char *values, const char *expected) {
    ks_text yaml = {0}, got = {0};
    ks_arena *arena = ks_arena_new(4096);
    const ks_tree *root;
    ks_values read = {0};
    ks_error error = {""};
    const ks_name id = ks_name_find(name, strlen(name));
    ks_text_add_format(&yaml, "{%s: %s}", name, values);
    assert_int_equal(ks_tree_parse("v", yaml.data, yaml.length, arena, &root, &error), KS_OK);
    if (ks_values_read(root->first, id, &bench_table, arena, &read, &error))
        fail_msg("%s", error.text);
    for (uint32_t i = 0; i < read.count; i++) {
        if (i) ks_text_add_char(&got, ' ');
        ks_value_print(&got, id, &bench_table, read.items[i]);
    }
    assert_string_equal(ks_text_string(&got), expected);
    ks_text_free(&yaml);
    ks_text_free(&got);
    ks_arena_free(arena);
}

typedef struct value_case {
    const char *name, *values, *expected;
} value_case;

static void expect_all(const value_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        expect_values(cases[i].name, cases[i].values, cases[i].expected);
}

static void scalars_and_lists_are_taken_as_they_stand(void **state) {
    static const value_case cases[] = {
        {"TILE", "16", "16"},
        {"TILE", "[64, 16, 64]", "64 16 64"},
        {"TILE", "[064, 64.0, '64']", "64 64 64"},
        {"TILE", "[1073741824]", "1073741824"},
        {"seed", "[0, 18446744073709551615]", "0 18446744073709551615"},
        {"policy", "[serial, strict_fifo]", "serial strict_fifo"},
        {"gemm_rule", "os", "os"},
        {"clock_ghz", "[0.0001, 1.250]", "0.0001 1.25"},
        {"dma_latency_cycles", "[0, 922337203685477.5807]", "0 922337203685477.5807"},
        {"kernel", "[gemm]", "gemm"},
    };
    (void)state;
    expect_all(cases, COUNT(cases));
}

static void a_range_includes_its_end_only_when_it_is_hit(void **state) {
    static const value_case cases[] = {
        {"TILE", "{range: [10, 80, 10]}", "10 20 30 40 50 60 70 80"},
        {"TILE", "{range: [10, 80, 15]}", "10 25 40 55 70"},
        {"TILE", "{range: [10, 10, 5]}", "10"},
        {"TILE", "{range: [10, 14, 5]}", "10"},
        {"dispatch_cycles_per_byte", "{range: [0.5, 1.5, 0.25]}", "0.5 0.75 1 1.25 1.5"},
        {"dispatch_fixed_cycles", "{range: [0, 0.3, 0.1]}",
         "0 0.1 0.2 0.3"}, /* not hit in doubles */
        {"queue_depth", "{range: [1, 8, 3]}", "1 4 7"},
        {"seed", "{range: [18446744073709551613, 18446744073709551615, 2]}",
         "18446744073709551613 18446744073709551615"},
        {"dma_latency_cycles", "{range: [922337203685477.5806, 922337203685477.5807, 0.0001]}",
         "922337203685477.5806 922337203685477.5807"},
    };
    (void)state;
    expect_all(cases, COUNT(cases));
}

static void a_linspace_is_rounded_half_up_and_equal_neighbours_collapse(void **state) {
    static const value_case cases[] = {
        {"dma_latency_cycles", "{linspace: [100, 400, 4]}", "100 200 300 400"},
        {"dma_latency_cycles", "{linspace: [0, 1, 4]}", "0 0.3333 0.6667 1"},
        {"dma_latency_cycles", "{linspace: [0, 0.0001, 3]}", "0 0.0001"}, /* 0.00005 rounds up */
        {"dma_latency_cycles", "{linspace: [80, 10, 3]}", "80 45 10"},
        {"dma_latency_cycles", "{linspace: [5, 5, 9]}", "5"},
        {"queue_depth", "{linspace: [1, 4, 3]}", "1 3 4"}, /* 2.5 rounds up */
        {"queue_depth", "{linspace: [1, 3, 9]}", "1 2 3"},
        {"TILE", "{linspace: [1, 1073741824, 2]}", "1 1073741824"},
        {"seed", "{linspace: [0, 18446744073709551615, 3]}",
         "0 9223372036854775808 18446744073709551615"},
    };
    (void)state;
    expect_all(cases, COUNT(cases));
}

static void a_logspace_is_exact_to_the_last_digit(void **state) {
    static const value_case cases[] = {
        {"dma_bytes_per_cycle", "{logspace: [1, 100, 3]}", "1 10 100"},
        {"dma_bytes_per_cycle", "{logspace: [1, 2, 3]}", "1 1.4142 2"},
        {"dma_bytes_per_cycle", "{logspace: [0.0001, 0.0004, 3]}", "0.0001 0.0002 0.0004"},
        {"dma_bytes_per_cycle", "{logspace: [0.0001, 0.0002, 9]}", "0.0001 0.0002"},
        {"dma_bytes_per_cycle", "{logspace: [100, 1, 3]}", "100 10 1"},
        {"dma_bytes_per_cycle", "{logspace: [16, 256, 5]}", "16 32 64 128 256"},
        {"math_lanes", "{logspace: [1, 10, 5]}", "1 2 3 6 10"}, /* 1.778 3.162 5.623 */
        {"TILE", "{logspace: [16, 64, 5]}", "16 23 32 45 64"},
        {"seed", "{logspace: [1, 18446744073709551615, 3]}", "1 4294967296 18446744073709551615"},
    };
    (void)state;
    expect_all(cases, COUNT(cases));
}

static void powers_of_two_go_up_to_the_end(void **state) {
    static const value_case cases[] = {
        {"TILE", "{pow2: [16, 256]}", "16 32 64 128 256"},
        {"TILE", "{pow2: [16, 300]}", "16 32 64 128 256"},
        {"TILE", "{pow2: [16, 31]}", "16"},
        {"dispatch_cycles_per_byte", "{pow2: [0.0625, 1]}", "0.0625 0.125 0.25 0.5 1"},
        {"seed", "{pow2: [4611686018427387904, 18446744073709551615]}",
         "4611686018427387904 9223372036854775808"},
        {"tcm_bytes", "{pow2: [1048576, 4194304]}", "1048576 2097152 4194304"},
    };
    (void)state;
    expect_all(cases, COUNT(cases));
}

static void a_long_logspace_rises_and_keeps_its_ends(void **state) {
    static const char yaml[] = "{d: {logspace: [1, 922337203685477, 1000]}}";
    ks_arena *arena = ks_arena_new(4096);
    const ks_tree *root;
    ks_values values = {0};
    (void)state;
    assert_int_equal(ks_tree_parse("v", yaml, strlen(yaml), arena, &root, NULL), KS_OK);
    assert_int_equal(ks_values_read(root->first, KS_NAME_CONSTANTS + KS_C_dma_latency_cycles,
                                    &bench_table, arena, &values, NULL),
                     KS_OK);
    assert_int_equal(values.count, 1000);
    assert_int_equal(values.items[0], 10000);
    assert_int_equal(values.items[999], UINT64_C(9223372036854770000));
    for (uint32_t i = 1; i < values.count; i++) assert_true(values.items[i] > values.items[i - 1]);
    ks_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_and_lists_are_taken_as_they_stand),
        cmocka_unit_test(a_range_includes_its_end_only_when_it_is_hit),
        cmocka_unit_test(a_linspace_is_rounded_half_up_and_equal_neighbours_collapse),
        cmocka_unit_test(a_logspace_is_exact_to_the_last_digit),
        cmocka_unit_test(powers_of_two_go_up_to_the_end),
        cmocka_unit_test(a_long_logspace_rises_and_keeps_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
