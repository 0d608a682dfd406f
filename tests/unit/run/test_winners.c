/* winners.csv: the best point of each group. */
#include "run_bench.h"

typedef void fill(const ks_point *point, ks_row *row);

static void give_points(bench_run *b, fill *fill_row) {
    for (uint64_t i = 0; i < ks_grid_size(b->grid); i++) {
        ks_cell cell;
        ks_error error = {""};
        ks_row row = {0};
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        if (cell.status != KS_CELL_RUN) continue;
        fill_row(&cell.point, &row);
        assert_int_equal(ks_winners_take(b->winners, i, &cell.point, &row), KS_OK);
    }
    assert_int_equal(ks_winners_end(b->winners), KS_OK);
}

/* [GROUP] KERNEL TILE POLICY CYCLES, a line each. */
static void expect_winners(const char *yaml, fill *fill_row, const char *expected) {
    bench_run *b = bench_run_new(yaml, 1);
    give_points(b, fill_row);
    assert_string_equal(ks_text_string(&b->best), expected);
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

static void by_context(const ks_point *point, ks_row *row) {
    set_ticks(row, 10000 * ks_param_of(point, KS_P_S));
}

static void many_groups_keep_their_own_best_whatever_axis_is_the_slowest(void **state) {
    static const char *const axes[] = {
        "axes:\n  kernel: [decode_opt2, decode_opt3]\n  S: {range: [1, 500, 1]}\n",
        "axes:\n  S: {range: [1, 500, 1]}\n  kernel: [decode_opt2, decode_opt3]\n"};
    (void)state;
    for (size_t i = 0; i < COUNT(axes); i++) {
        ks_text yaml = {0}, expected = {0};
        ks_text_add_format(&yaml, "%sset: {G: 8, d: 128, TILE: 16}\n", axes[i]);
        for (int s = 1; s <= 500; s++)
            ks_text_add_format(&expected, "[S=%d] decode_opt2 16 strict_fifo %d\n", s, s);
        expect_winners(yaml.data, by_context, ks_text_string(&expected));
        ks_text_free(&yaml);
        ks_text_free(&expected);
    }
}

static void a_group_is_handed_over_when_no_point_of_it_can_follow(void **state) {
    (void)state;
    bench_run *b = bench_run_new("axes:\n  S: [64, 128]\n  kernel: [decode_opt2, decode_opt3]\n"
                                 "set: {G: 8, d: 128, TILE: 16}\n",
                                 1);
    for (uint64_t i = 0; i < 3; i++) {
        ks_cell cell;
        ks_error error = {""};
        ks_row row = {0};
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        by_context(&cell.point, &row);
        assert_int_equal(ks_winners_take(b->winners, i, &cell.point, &row), KS_OK);
        assert_string_equal(ks_text_string(&b->best),
                            i < 2 ? "" : "[S=64] decode_opt2 16 strict_fifo 64\n");
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
        cmocka_unit_test(many_groups_keep_their_own_best_whatever_axis_is_the_slowest),
        cmocka_unit_test(a_group_is_handed_over_when_no_point_of_it_can_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
