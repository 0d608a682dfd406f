#include "run/adr_inputs.h"

#include "run_bench.h"

static ks_adr_inputs inputs_of(const char *const (*items)[3], size_t count) {
    ks_adr_inputs inputs = {0};
    for (size_t i = 0; i < count; i++)
        ks_adr_inputs_add(&inputs, items[i][0], items[i][1], items[i][2]);
    assert_false(inputs.has_failed);
    return inputs;
}

static const char *const base[][3] = {
    {"", "program", "kernsweep 1"},  {"a.yaml", "sweep", "00"},
    {"a.yaml", "points", "4"},       {"a.yaml", "model m", "G=8 d=128"},
    {"a.yaml", "calibration", "22"}, {"a.yaml", "dma_latency_cycles", "250"}};

static void each_change_is_named_for_what_it_is(void **state) {
    static const struct {
        size_t index;
        const char *value, *message;
    } cases[] = {
        {0, "kernsweep 2", "stale: program changed: program is 'kernsweep 2', was 'kernsweep 1'\n"},
        {1, "01", "stale: sweep changed: a.yaml is not the file that the results were made from\n"},
        {3, "G=4 d=128",
         "stale: models changed: model m is 'G=4 d=128', was 'G=8 d=128' (a.yaml)\n"},
        {5, "251", "stale: calibration changed: dma_latency_cycles is '251', was '250' (a.yaml)\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *changed[COUNT(base)][3];
        ks_text out = {0};
        memcpy(changed, base, sizeof changed);
        changed[cases[i].index][2] = cases[i].value;
        ks_adr_inputs stored = inputs_of(base, COUNT(base));
        ks_adr_inputs now = inputs_of((const char *const(*)[3])changed, COUNT(base));
        assert_int_equal(ks_adr_inputs_compare(&out, &stored, &now), 1);
        assert_string_equal(out.data, cases[i].message);
        ks_adr_inputs_free(&stored);
        ks_adr_inputs_free(&now);
        ks_text_free(&out);
    }
}

static void equal_inputs_are_not_stale(void **state) {
    ks_text out = {0};
    ks_adr_inputs stored = inputs_of(base, COUNT(base)), now = inputs_of(base, COUNT(base));
    (void)state;
    assert_int_equal(ks_adr_inputs_compare(&out, &stored, &now), 0);
    assert_int_equal(out.length, 0);
    ks_adr_inputs_free(&stored);
    ks_adr_inputs_free(&now);
}

static void a_source_on_one_side_alone_is_said_once(void **state) {
    static const char *const other[][3] = {
        {"", "program", "kernsweep 1"}, {"b.yaml", "sweep", "00"}, {"b.yaml", "points", "4"}};
    ks_text out = {0};
    ks_adr_inputs stored = inputs_of(base, COUNT(base)), now = inputs_of(other, COUNT(other));
    (void)state;
    assert_int_equal(ks_adr_inputs_compare(&out, &stored, &now), 2);
    assert_string_equal(out.data,
                        "stale: results changed: b.yaml is not among the stored results\n"
                        "stale: results changed: a.yaml is no longer among the results of the "
                        "table\n");
    ks_adr_inputs_free(&stored);
    ks_adr_inputs_free(&now);
    ks_text_free(&out);
}

static void an_input_that_went_away_is_a_change(void **state) {
    ks_text out = {0};
    ks_adr_inputs stored = inputs_of(base, COUNT(base)), now = inputs_of(base, COUNT(base) - 1);
    (void)state;
    assert_int_equal(ks_adr_inputs_compare(&out, &stored, &now), 1);
    assert_string_equal(out.data, "stale: calibration changed: dma_latency_cycles is '', was "
                                  "'250' (a.yaml)\n");
    ks_adr_inputs_free(&stored);
    ks_adr_inputs_free(&now);
    ks_text_free(&out);
}

static void the_file_reads_back(void **state) {
    ks_text first = {0}, second = {0};
    ks_adr_inputs inputs = inputs_of(base, COUNT(base)), again = {0};
    ks_error error = {""};
    (void)state;
    ks_adr_inputs_add(&inputs, "a, b", "where", "x == \"y\"\nz");
    ks_adr_inputs_print(&first, &inputs);
    if (ks_adr_inputs_parse(&again, "i.csv", first.data, first.length, &error))
        fail_msg("%s", error.text);
    ks_adr_inputs_print(&second, &again);
    assert_string_equal(first.data, second.data);
    assert_string_equal(ks_adr_inputs_find(&again, "a, b", "where"), "x == \"y\"\nz");
    ks_adr_inputs_free(&inputs);
    ks_adr_inputs_free(&again);
    ks_text_free(&first);
    ks_text_free(&second);
}

static void a_file_that_is_not_one_is_refused(void **state) {
    static const char *const texts[][2] = {
        {"source,name\n", "i.csv:1: field 1: found 2 fields"},
        {"source,nome,value\n", "field 2: found 'nome', expected name"},
        {"source,name,value\na,b,1\na,b,2\n", "i.csv:3: field 2: found b of 'a' a second time"},
        {"", "found an empty file"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        ks_adr_inputs inputs = {0};
        ks_error error = {""};
        assert_int_equal(
            ks_adr_inputs_parse(&inputs, "i.csv", texts[i][0], strlen(texts[i][0]), &error),
            KS_INPUT);
        if (!strstr(error.text, texts[i][1])) fail_msg("%s", error.text);
        ks_adr_inputs_free(&inputs);
    }
}

static void a_calibration_is_known_by_its_values(void **state) {
    ks_sweep *sweep = bench_sweep("axes: {kernel: [gemm]}\nset: {M: 1, K: 1, N: 1}\n");
    ks_adr_inputs plain = {0}, changed = {0};
    (void)state;
    ks_adr_inputs_add_sweep(&plain, "a", sweep, 1);
    ks_point_set(&sweep->base, KS_NAME_CONSTANTS + KS_C_math_lanes, 63 * KS_TICKS_PER_UNIT);
    ks_adr_inputs_add_sweep(&changed, "a", sweep, 1);
    assert_string_equal(ks_adr_inputs_find(&plain, "a", "math_lanes"), "64");
    assert_string_equal(ks_adr_inputs_find(&changed, "a", "math_lanes"), "63");
    assert_string_not_equal(ks_adr_inputs_find(&plain, "a", "calibration"),
                            ks_adr_inputs_find(&changed, "a", "calibration"));
    assert_string_equal(ks_adr_inputs_find(&plain, "a", "calibration_file"), "");
    assert_string_equal(ks_adr_inputs_find(&plain, "a", "points"), "1");
    ks_adr_inputs_free(&plain);
    ks_adr_inputs_free(&changed);
    ks_sweep_free(sweep);
}

static void models_are_those_that_the_sweep_uses(void **state) {
    ks_sweep *sweep = bench_sweep("axes: {kernel: [decode_opt2], model: [llama3-8b, phi3-mini]}\n"
                                  "set: {S: 64, TILE: 16}\n");
    ks_adr_inputs inputs = {0};
    (void)state;
    ks_adr_inputs_add_sweep(&inputs, "a", sweep, 2);
    assert_string_equal(ks_adr_inputs_find(&inputs, "a", "model llama3-8b"), "G=4 d=128");
    assert_string_equal(ks_adr_inputs_find(&inputs, "a", "model phi3-mini"), "G=1 d=96");
    assert_null(ks_adr_inputs_find(&inputs, "a", "model yi-34b"));
    ks_adr_inputs_free(&inputs);
    ks_sweep_free(sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_is_named_for_what_it_is),
        cmocka_unit_test(equal_inputs_are_not_stale),
        cmocka_unit_test(a_source_on_one_side_alone_is_said_once),
        cmocka_unit_test(an_input_that_went_away_is_a_change),
        cmocka_unit_test(the_file_reads_back),
        cmocka_unit_test(a_file_that_is_not_one_is_refused),
        cmocka_unit_test(a_calibration_is_known_by_its_values),
        cmocka_unit_test(models_are_those_that_the_sweep_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
