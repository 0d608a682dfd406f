#include <stdio.h>

#include "sweep_bench.h"

/* Keys that ran already, by the plainest means. */
typedef struct seen {
    char **keys;
    uint64_t *indices;
    size_t count;
} seen;

static const size_t not_seen = SIZE_MAX;

static size_t look_up(const seen *s, const char *key) {
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->keys[i], key) == 0) return i;
    return not_seen;
}

/* Walks the grid with a table of KEYs and asks of every cell whether the grid agrees. */
static void expect_agreement_with_a_table_of_keys(const char *yaml) {
    ks_sweep *s = bench_sweep(yaml);
    ks_grid *grid = bench_grid(s);
    const size_t size = ks_grid_size(grid);
    seen ran = {calloc(size, sizeof(char *)), calloc(size, sizeof(uint64_t)), 0};
    for (uint64_t i = 0; i < size; i++) {
        ks_cell cell;
        ks_text key = {0};
        uint64_t found;
        assert_int_equal(ks_grid_at(grid, i, &cell, NULL), KS_OK);
        ks_key_print(&key, &bench_table, &cell.point);
        const size_t at = look_up(&ran, key.data);
        const bool is_filtered =
            cell.status == KS_CELL_NOT_WHERE || cell.status == KS_CELL_EXCLUDED;
        if (!is_filtered) {
            if ((cell.status == KS_CELL_RUN) != (at == not_seen)) fail_msg("%s", key.data);
            assert_true(ks_grid_find(grid, &cell.point, &found));
            assert_int_equal(found, at == not_seen ? i : ran.indices[at]);
        }
        if (cell.status == KS_CELL_RUN) {
            ran.keys[ran.count] = strdup(key.data);
            ran.indices[ran.count++] = i;
        }
        ks_text_free(&key);
    }
    for (size_t i = 0; i < ran.count; i++) free(ran.keys[i]);
    free(ran.keys);
    free(ran.indices);
    ks_grid_free(grid);
    ks_sweep_free(s);
}

static void equality_by_axes_agrees_with_a_table_of_keys(void **state) {
    static const char *const sweeps[] = {
        "sweep: t.ci\naxes: {kernel: [gemm, decode_opt2, math_chain, gemm], M: [1, 2, 1], K: [3, 4], TILE: [16, 32]}\n"
        "zip: [{S: [1, 2, 1], N: [5, 5, 5]}]\nset: {model: llama3-8b}\n",
        "sweep: t.ci\naxes: {model: [llama3-8b, gemma2-9b, mistral-7b, phi3-medium], TILE: [16, 16], kernel: [decode_opt2, gemm]}\n"
        "zip: [{S: [1, 2], M: [1, 1]}]\nset: {K: 1, N: 2}\nwhere: \"model != 'llama3-8b' or kernel == gemm\"\n"
        "exclude: [{when: \"model == 'phi3-medium' and S == 2\"}]\n",
        "sweep: t.ci\nzip: [{kernel: [decode_opt2, gemm, decode_opt2, math_chain], model: [llama3-8b, llama3-8b, mistral-7b, "
        "gemma2-9b], M: [1, 2, 3, 4]}]\naxes: {K: [1, 2], TILE: [1, 2], N: [1]}\nset: {S: 3}\n",
        "sweep: t.ci\naxes: {kernel: [gemm], dtype: [f16, f32], score: [f16, f32], clock_ghz: [1.25, 1, 1.250]}\n"
        "set: {M: 1, K: 1, N: 1}\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(sweeps); i++) expect_agreement_with_a_table_of_keys(sweeps[i]);
}

static void points_outside_the_grid_are_not_found(void **state) {
    static const char *const keys[] = {
        "kernel=gemm M=3 K=1 N=1",
        "kernel=gemm M=1 K=1 N=1 seed=2",
        "kernel=gemm M=1 K=1 N=1 clock_ghz=1",
        "kernel=math_chain M=1 N=1",
        "kernel=gemm M=2 K=1 N=1",
    };
    ks_sweep *s = bench_sweep(
        "sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1}\naxes: {M: [1, 2]}\nwhere: M != 2\n");
    ks_grid *grid = bench_grid(s);
    uint64_t index;
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const ks_point point = bench_point(keys[i]);
        if (ks_grid_find(grid, &point, &index)) fail_msg("%s", keys[i]);
    }
    ks_grid_free(grid);
    ks_sweep_free(s);
}

/* Values that rise are searched, others walked: with the same answers, between them too. */
static void every_value_of_a_long_axis_is_found_and_no_other(void **state) {
    static const char *const axes[] = {"{range: [10, 1000, 5]}", "[1000, 500, 20, 10]",
                                       "[10, 995, 15, 1000]"};
    (void)state;
    for (size_t a = 0; a < COUNT(axes); a++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml, "sweep: t.ci\nset: {kernel: gemm, K: 1, N: 1}\naxes: {M: %s}\n",
                           axes[a]);
        ks_sweep *s = bench_sweep(yaml.data);
        ks_grid *grid = bench_grid(s);
        uint64_t hits = 0;
        for (uint64_t m = 1; m <= 1010; m++) {
            char key[64];
            uint64_t index;
            ks_cell cell;
            snprintf(key, sizeof key, "kernel=gemm M=%llu K=1 N=1", (unsigned long long)m);
            const ks_point point = bench_point(key);
            if (!ks_grid_find(grid, &point, &index)) continue;
            hits++;
            assert_int_equal(ks_grid_at(grid, index, &cell, NULL), KS_OK);
            assert_int_equal(ks_param_of(&cell.point, KS_P_M), m);
        }
        assert_int_equal(hits, ks_grid_size(grid));
        ks_grid_free(grid);
        ks_sweep_free(s);
        ks_text_free(&yaml);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equality_by_axes_agrees_with_a_table_of_keys),
        cmocka_unit_test(points_outside_the_grid_are_not_found),
        cmocka_unit_test(every_value_of_a_long_axis_is_found_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
