/* The sweeps that come with the program. Kernels and columns are named here again: the language
 * sees neither. */
#include "sweep_bench.h"

static const ks_kernel kernels[] = {
    {.name = "decode_opt1", .task = KS_TASK_ATTENTION},
    {.name = "decode_opt2", .task = KS_TASK_ATTENTION},
    {.name = "decode_opt3", .task = KS_TASK_ATTENTION},
    {.name = "decode_a1", .task = KS_TASK_ATTENTION},
    {.name = "gemm", .task = KS_TASK_GEMM},
    {.name = "gemm_bias_relu", .task = KS_TASK_GEMM_BIAS_RELU},
    {.name = "gemm_ktile_scale", .task = KS_TASK_GEMM_KTILE_SCALE},
    {.name = "gemm_chain", .task = KS_TASK_GEMM_CHAIN},
    {.name = "gemm_postnorm", .task = KS_TASK_GEMM_POSTNORM},
    {.name = "math_chain", .task = KS_TASK_MATH_CHAIN},
    {.name = "rmsnorm_linear", .task = KS_TASK_RMSNORM_LINEAR},
};
static const ks_kernel_table table = {kernels, COUNT(kernels)};

static const struct {
    const char *name;
    ks_mode mode;
    uint64_t total, run;
} sweeps[] = {
    {"anchor.smoke", KS_MODE_DATA, 33, 33},
    {"decode.smoke", KS_MODE_DATA, 144, 112},
    {"decode.ci", KS_MODE_DATA, 600, 400},
    {"decode.nightly", KS_MODE_TIMING, 2700, 1800},
    {"legacy.smoke", KS_MODE_DATA, 28, 28},
    {"legacy.ci", KS_MODE_DATA, 2625, 2310},
    {"outlier.nightly", KS_MODE_DATA, 192, 192},
    {"calibration.nightly", KS_MODE_TIMING, 4320, 4320},
    {"adr-0065.ci", KS_MODE_TIMING, 112, 112},
    {"adr-0065-models.ci", KS_MODE_TIMING, 840, 840},
    {"adr-0065-rules.ci", KS_MODE_TIMING, 168, 168},
    {"adr-0065-dispatch.ci", KS_MODE_DISPATCH, 336, 332},
    {"adr-0065-calibration.ci", KS_MODE_TIMING, 10206, 182},
    {"adr-0065-numbers.ci", KS_MODE_DATA, 144, 80},
};

static void every_shipped_sweep_is_read_and_has_the_points_that_it_should(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sweeps); i++) {
        ks_text path = {0};
        ks_sweep *sweep;
        ks_grid *grid;
        ks_grid_count *count;
        ks_error error = {""};
        ks_text_add_format(&path, KS_SOURCE_DIR "/sweeps/%s.yaml", sweeps[i].name);
        if (ks_sweep_read(path.data, &table, &bench_options, &sweep, &error))
            fail_msg("%s", error.text);
        if (ks_grid_new(sweep, KS_GRID_MAX_POINTS, &grid, &error)) fail_msg("%s", error.text);
        if (ks_grid_count_new(grid, &count, &error)) fail_msg("%s", error.text);
        assert_string_equal(sweep->name, sweeps[i].name);
        assert_int_equal(sweep->mode, sweeps[i].mode);
        assert_int_equal(count->total, sweeps[i].total);
        assert_int_equal(count->cells[KS_CELL_RUN], sweeps[i].run);
        for (size_t k = 0; k < sweep->exclude_count; k++)
            assert_true(count->excludes[k].removed > 0);
        for (size_t k = 0; k < sweep->expect_count; k++) assert_true(count->expects[k].matched > 0);
        ks_grid_count_free(count);
        ks_grid_free(grid);
        ks_sweep_free(sweep);
        ks_text_free(&path);
    }
}

static void the_models_have_the_heads_that_were_published(void **state) {
    static const ks_model expected[] = {
        {"llama2-7b", 1, 128},    {"llama3-8b", 4, 128},   {"llama3-70b", 8, 128},
        {"llama3-405b", 16, 128}, {"mistral-7b", 4, 128},  {"qwen2.5-7b", 7, 128},
        {"qwen2.5-72b", 8, 128},  {"qwen3-235b", 16, 128}, {"gemma2-9b", 2, 256},
        {"gemma2-27b", 2, 128},   {"phi3-mini", 1, 96},    {"phi3-medium", 4, 128},
        {"gpt-oss-20b", 8, 64},   {"yi-34b", 7, 128},      {"command-r-plus", 12, 128},
    };
    ks_arena *arena = ks_arena_new(4096);
    ks_model_file file;
    ks_error error;
    (void)state;
    if (ks_model_file_read(KS_SOURCE_DIR "/sweeps/models.yaml", arena, &file, NULL, &error))
        fail_msg("%s", error.text);
    assert_int_equal(file.count, COUNT(expected));
    for (size_t i = 0; i < file.count; i++) {
        assert_string_equal(file.models[i].label, expected[i].label);
        assert_int_equal(file.models[i].G, expected[i].G);
        assert_int_equal(file.models[i].d, expected[i].d);
    }
    ks_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_sweep_is_read_and_has_the_points_that_it_should),
        cmocka_unit_test(the_models_have_the_heads_that_were_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
