/* winners.csv: the best point of each group. */
#include "run_bench.h"

typedef void fill(const ks_point *point, ks_row *row);

/* GROUP: KERNEL TILE POLICY CYCLES, a line each. */
static void expect_winners(const char *yaml, fill *fill_row, const char *expected) {
    bench_run *b = bench_run_new(yaml, 1);
    ks_text lines = {0};
    for (uint64_t i = 0; i < ks_grid_size(b->grid); i++) {
        ks_cell cell;
        ks_error error = {""};
        ks_row row = {0};
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        if (cell.status != KS_CELL_RUN) continue;
        fill_row(&cell.point, &row);
        assert_int_equal(ks_winners_take(b->winners, &cell.point, &row), KS_OK);
    }
    for (size_t i = 0; i < ks_winners_count(b->winners); i++) {
        const ks_winner_line line = ks_winners_at(b->winners, i);
        ks_text_add_format(&lines, "[%s] %s ", line.group, line.kernel);
        if (line.has_tile) ks_text_add_u64(&lines, line.tile);
        ks_text_add_format(&lines, " %s ", line.policy);
        ks_text_add_decimal(&lines, line.total_ticks);
        ks_text_add_char(&lines, '\n');
    }
    assert_string_equal(ks_text_string(&lines), expected);
    ks_text_free(&lines);
    bench_run_free(b);
}

#define GRID                                 \
    "axes:\n"                                \
    "  kernel: [decode_opt2, decode_opt3]\n" \
    "  S: [64, 128]\n"                       \
    "  TILE: [16, 64]\n"                     \
    "  policy: [strict_fifo, serial]\n"      \
    "set: {G: 8, d: 128}\n"

static void set_ticks(ks_row *row, uint64_t ticks) {
    ks_row_set_count(row, KS_COL_total_cycles, ticks);
}

/* opt3 with TILE 64 under serial is the fastest by a tick. */
static void by_point(const ks_point *point, ks_row *row) {
    const bool is_best =
        ks_param_of(point, KS_P_TILE) == 64 &&
        ks_param_of(point, KS_P_policy) == KS_POLICY_serial &&
        strcmp(ks_kernels.kernels[ks_param_of(point, KS_P_kernel)].name, "decode_opt3") == 0;
    set_ticks(row, 1000000 * ks_param_of(point, KS_P_S) - (is_best ? 1 : 0));
}

static void the_best_of_each_group_of_the_other_axes_wins(void **state) {
    (void)state;
    expect_winners(GRID, by_point,
                   "[S=64] decode_opt3 64 serial 6399.9999\n"
                   "[S=128] decode_opt3 64 serial 12799.9999\n");
}

static void all_equal(const ks_point *point, ks_row *row) {
    (void)point;
    set_ticks(row, 10000);
}

static void ties_go_to_the_first_in_grid_order(void **state) {
    (void)state;
    expect_winners(GRID, all_equal,
                   "[S=64] decode_opt2 16 strict_fifo 1\n"
                   "[S=128] decode_opt2 16 strict_fifo 1\n");
}

static void only_with_64(const ks_point *point, ks_row *row) {
    if (ks_param_of(point, KS_P_TILE) == 64 && ks_param_of(point, KS_P_S) == 128)
        set_ticks(row, 0);
    else
        ks_row_set_count(row, KS_COL_tiles, 1);
}

static void points_without_total_cycles_are_left_out_with_their_groups(void **state) {
    (void)state;
    expect_winners(GRID, only_with_64, "[S=128] decode_opt2 64 strict_fifo 0\n");
}

static void groups_are_of_axes_zips_and_models_in_key_order(void **state) {
    (void)state;
    expect_winners("axes:\n"
                   "  dtype: [f32, f16]\n"
                   "  kernel: [decode_opt2]\n"
                   "  model: [llama3-8b]\n"
                   "zip:\n"
                   "  - {clock_ghz: [1.25, 2], S: [64, 128]}\n"
                   "set: {TILE: 16, acc: f32}\n",
                   all_equal,
                   "[G=4 d=128 S=64 dtype=f32 clock_ghz=1.25] decode_opt2 16 strict_fifo 1\n"
                   "[G=4 d=128 S=128 dtype=f32 clock_ghz=2] decode_opt2 16 strict_fifo 1\n"
                   "[G=4 d=128 S=64 dtype=f16 clock_ghz=1.25] decode_opt2 16 strict_fifo 1\n"
                   "[G=4 d=128 S=128 dtype=f16 clock_ghz=2] decode_opt2 16 strict_fifo 1\n");
}

static void a_bench_has_no_tile(void **state) {
    (void)state;
    expect_winners("axes:\n"
                   "  kernel: [gemm, gemm_chain]\n"
                   "set: {M: 1, K: 1, N: 1}\n",
                   all_equal, "[] gemm  strict_fifo 1\n");
}

static void many_groups_keep_their_own_best(void **state) {
    (void)state;
    bench_run *b = bench_run_new("axes:\n"
                                 "  kernel: [decode_opt2]\n"
                                 "  S: {range: [1, 500, 1]}\n"
                                 "set: {G: 8, d: 128, TILE: 16}\n",
                                 1);
    for (uint64_t i = 0; i < 500; i++) {
        ks_cell cell;
        ks_error error = {""};
        ks_row row = {0};
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        set_ticks(&row, 7 * i);
        assert_int_equal(ks_winners_take(b->winners, &cell.point, &row), KS_OK);
    }
    assert_int_equal(ks_winners_count(b->winners), 500);
    for (size_t i = 0; i < 500; i++) {
        const ks_winner_line line = ks_winners_at(b->winners, i);
        char group[16];
        snprintf(group, sizeof group, "S=%zu", i + 1);
        assert_string_equal(line.group, group);
        assert_int_equal(line.total_ticks, 7 * i);
    }
    bench_run_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_each_group_of_the_other_axes_wins),
        cmocka_unit_test(ties_go_to_the_first_in_grid_order),
        cmocka_unit_test(points_without_total_cycles_are_left_out_with_their_groups),
        cmocka_unit_test(groups_are_of_axes_zips_and_models_in_key_order),
        cmocka_unit_test(a_bench_has_no_tile),
        cmocka_unit_test(many_groups_keep_their_own_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
