#include "sweep/calibration_file.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "sweep_bench.h"

/* A file of its own for each test program. */
static const char *with_file(const char *yaml) {
    static char path[64];
    snprintf(path, sizeof path, "test_calibration_file.%ld.yaml", (long)getpid());
    assert_int_equal(ks_file_write(path, yaml, strlen(yaml), NULL), KS_OK);
    return path;
}

static void constants_are_read_with_what_is_known_of_them(void **state) {
    ks_arena *arena = ks_arena_new(4096);
    ks_calibration_file file;
    ks_error error = {""};
    const char *path = with_file(
        "constants:\n"
        "  dispatch_fixed_cycles: 30.5\n"
        "  dma_latency_cycles: {value: 250, low: 150, high: 400, unit: cycle, source: 'board 3, x'}\n"
        "  gemm_rule: {value: ws, source: s}\n");
    (void)state;
    if (ks_calibration_file_read(path, arena, &file, NULL, &error)) fail_msg("%s", error.text);
    const ks_calibration_entry *latency = &file.entries[KS_C_dma_latency_cycles];
    assert_int_equal(ks_ticks_of(&file.values, KS_C_dispatch_fixed_cycles), 305000);
    assert_int_equal(ks_ticks_of(&file.values, KS_C_gemm_rule), KS_RULE_WS);
    assert_int_equal(ks_whole_of(&file.values, KS_C_gemm_rows), 16); /* the default */
    assert_true(latency->is_given && latency->has_bounds);
    assert_int_equal(latency->low, 1500000);
    assert_int_equal(latency->high, 4000000);
    assert_string_equal(latency->source, "board 3, x");
    assert_int_equal(latency->place.line, 3);
    assert_false(file.entries[KS_C_dispatch_fixed_cycles].has_bounds);
    assert_false(file.entries[KS_C_gemm_rows].is_given);
    ks_arena_free(arena);
    remove(path);
}

static void a_bad_calibration_is_refused_at_its_place(void **state) {
    static const struct {
        const char *yaml, *message;
    } cases[] = {
        {"", ":1:1: found nothing, expected a map"},
        {"constant: {}\n",
         ":1:1: found the unknown key 'constant' in the file, expected one of constants (did you mean constants?)"},
        {"constants: [1]\n", ":1:12: found a list, expected constants: a map"},
        {"constants: {queue_depth: 0}\n",
         ":1:26: found '0' for queue_depth, expected a whole number from 1"},
        {"constants: {queue_depth: [1]}\n",
         ":1:26: found a list for queue_depth, expected a value"},
        {"constants: {queue_depth: {low: 1, high: 2}}\n",
         ":1:26: found no value of queue_depth, expected one"},
        {"constants: {queue_depth: {value: 1, low: 1}}\n",
         ":1:26: found low without high, expected both"},
        {"constants: {queue_depth: {value: 1, low: 2, high: 3}}\n",
         ":1:42: found low above value, expected low <= value"},
        {"constants: {queue_depth: {value: 4, low: 2, high: 3}}\n",
         ":1:51: found high below value, expected value <= high"},
        {"constants: {queue_depth: {value: 4, low: 2, high: 4.5}}\n",
         ":1:51: found '4.5' for queue_depth, expected a whole number from 1"},
        {"constants: {queue_depth: {value: 4, unit: cycle}}\n",
         ":1:43: found unit 'cycle' of queue_depth, expected command"},
        {"constants: {queue_depth: {value: 4, sorce: x}}\n",
         ":1:37: found the unknown key 'sorce' in a constant, expected one of value, low, high, unit, source (did you mean source?)"},
        {"constants: {gemm_rule: {value: ws, low: mac, high: os}}\n",
         ":1:41: found low of gemm_rule, expected a value alone"},
        {"constants: {queue_depth: 1, queue_depth: 2}\n", NULL},
        {"constants: {TILE: 1}\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_arena *arena = ks_arena_new(4096);
        ks_calibration_file file;
        ks_error error = {""};
        const char *path = with_file(cases[i].yaml);
        assert_int_equal(ks_calibration_file_read(path, arena, &file, NULL, &error), KS_INPUT);
        if (cases[i].message) assert_string_equal(error.text + strlen(path), cases[i].message);
        ks_arena_free(arena);
        remove(path);
    }
}

static void a_bad_model_file_is_refused_at_its_place(void **state) {
    static const struct {
        const char *yaml, *message;
    } cases[] = {
        {"models: {}\n", ":1:9: found a map, expected a map of models"},
        {"models: {a: {G: 4}}\n", ":1:13: found no d of a, expected G and d"},
        {"models: {a: {d: 4}}\n", ":1:13: found no G of a, expected G and d"},
        {"models: {a: {G: 0, d: 1}}\n",
         ":1:17: found '0' for G, expected an integer from 1 to 1073741824"},
        {"models: {a: {G: 1, d: 1, TILE: 1}}\n",
         ":1:26: found the unknown key 'TILE' in a model, expected one of G, d"},
        {"models: {'a|b': {G: 1, d: 1}}\n",
         ":1:10: found the model 'a|b', expected letters, digits, _ . -"},
        {"models: {'=a': {G: 1, d: 1}}\n",
         ":1:10: found the model '=a', expected letters, digits, _ . -"},
        {"models: {a: {G: 1, d: 1}, a: {G: 2, d: 1}}\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_arena *arena = ks_arena_new(4096);
        ks_model_file file = {0};
        ks_error error = {""};
        const char *path = with_file(cases[i].yaml);
        assert_int_equal(ks_model_file_read(path, arena, &file, NULL, &error), KS_INPUT);
        if (cases[i].message) assert_string_equal(error.text + strlen(path), cases[i].message);
        ks_arena_free(arena);
        remove(path);
    }
}

static void the_shipped_default_says_what_the_model_says(void **state) {
    ks_arena *arena = ks_arena_new(4096);
    ks_calibration_file file;
    ks_error error = {""};
    const ks_calibration defaults = ks_calibration_default();
    (void)state;
    if (ks_calibration_file_read(KS_SOURCE_DIR "/sweeps/calibration/default.yaml", arena, &file,
                                 NULL, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(&file.values, &defaults, sizeof defaults);
    for (int i = 0; i < KS_CONSTANT_COUNT; i++) {
        const ks_constant_info *info = ks_constant_describe((ks_constant)i);
        assert_true(file.entries[i].is_given);
        assert_string_equal(file.entries[i].source, info->is_from_adr ? "ADR-0065" : "assumption");
        if (info->unit[0]) assert_string_equal(file.entries[i].unit, info->unit);
    }
    ks_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_read_with_what_is_known_of_them),
        cmocka_unit_test(a_bad_calibration_is_refused_at_its_place),
        cmocka_unit_test(a_bad_model_file_is_refused_at_its_place),
        cmocka_unit_test(the_shipped_default_says_what_the_model_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
