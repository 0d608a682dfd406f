/* exclusive and bound: what each server does, at a time and in total. */
#include "log_bench.h"

/* cmd 4, 6: #1 of tiles 0, 1; cmd 5: #2 of tile 0. */
#define OPT2 "decode_opt2 G=4 TILE=16 d=128 S=32"

/* ---- exclusive ---- */

static void dma_before_the_occupancy_ends(bench *b) { hurry(b, 4, 3, 4, 0); }
static void gemm_of_another_command_too_early(bench *b) { hurry(b, 5, 10, 6, 5); }

static void dispatch_before_the_one_before_it_ends(bench *b) {
    const size_t second = find(b, 2, KS_ROW_DISPATCH, 0);
    name(b, b->rows[second].seq);
    name(b, b->rows[find(b, 1, KS_ROW_DISPATCH, 0)].seq);
    move_to(&b->rows[second], b->rows[second].start - 1);
}

static void math_served_by_store(bench *b) {
    name(b, row_of(b, 4, 6)->seq);
    row_of(b, 4, 6)->server = KS_SERVER_STORE;
}

static void math_served_by_nobody(bench *b) {
    name(b, row_of(b, 4, 6)->seq);
    row_of(b, 4, 6)->server = (ks_server)99;
}

static void dispatch_served_by_gemm(bench *b) {
    b->rows[find(b, 0, KS_ROW_DISPATCH, 0)].server = KS_SERVER_GEMM;
}

static void wait_row(bench *b, uint64_t start, uint64_t end) {
    const size_t wait = find(b, 0, KS_ROW_WAIT, 0);
    ks_op_row row = b->rows[wait];
    row.start = start;
    row.end = row.occupied_end = end;
    insert(b, wait + 1, &row);
    sort(b);
}

static void empty_wait_within_another(bench *b) {
    const ks_op_row *wait = &b->rows[find(b, 0, KS_ROW_WAIT, 0)];
    wait_row(b, wait->start + 1, wait->start + 1);
}

static void wait_of_a_tick_within_another(bench *b) {
    const ks_op_row *wait = &b->rows[find(b, 0, KS_ROW_WAIT, 0)];
    wait_row(b, wait->start + 1, wait->start + 2);
}

static const spoilt table[] = {
    {"a DMA starts a tick before the occupancy ends",
     OPT2,
     dma_before_the_occupancy_ends,
     BIT(exclusive),
     0,
     {"cmd 4 stage 3 DMA_READ", "383.2499", "dma_rd", "383.25"}},
    {"a GEMM starts a tick before another's ends",
     OPT2,
     gemm_of_another_command_too_early,
     BIT(exclusive),
     0,
     {"cmd 5 stage 10 GEMM", "1265.2499", "gemm", "1265.25"}},
    {"a DISPATCH starts a tick before the one before ends",
     OPT2,
     dispatch_before_the_one_before_it_ends,
     BIT(exclusive),
     0,
     {"cmd 2 DISPATCH", "83.1249", "83.125"}},
    {"MATH on another server",
     OPT2,
     math_served_by_store,
     BIT(exclusive),
     0,
     {"served by store, expected math"}},
    {"MATH on no server", OPT2, math_served_by_nobody, BIT(exclusive), 0, {"expected math"}},
    {"a DISPATCH on a server",
     OPT2,
     dispatch_served_by_gemm,
     BIT(exclusive),
     0,
     {"row 0 (cmd 0 DISPATCH)", "served by gemm, expected cpu"}},
    {"an empty interval overlaps nothing", OPT2, empty_wait_within_another, 0, 0, {0}},
    {"an interval of a tick does",
     OPT2,
     wait_of_a_tick_within_another,
     BIT(exclusive),
     0,
     {"WAIT", "holds cpu until 307.75"}},
};

/* ---- bound ---- */

/* Figures without rows: `busy` of the gemm, in ticks. */
static uint32_t failed_by(uint64_t total, uint64_t busy, uint64_t dispatch) {
    bench b = bench_open(OPT2);
    ks_check *check = ks_check_new(&b.program, &b.point, b.arena);
    assert_non_null(check);
    uint64_t busy_ticks[KS_SERVER_COUNT] = {0};
    busy_ticks[KS_SERVER_GEMM] = busy;
    ks_check_figures(check, total, busy_ticks, dispatch);
    const ks_check_result *result = ks_check_finish(check);
    const uint32_t failed = result->failed;
    if (failed) {
        assert_non_null(strstr(result->texts[KS_INVARIANT_bound], "bound: total_cycles 0.01"));
        assert_non_null(strstr(result->texts[KS_INVARIANT_bound], "0.0101"));
    }
    bench_close(&b);
    return failed;
}

static void total_cycles_are_at_least_every_busy_and_dispatch(void **state) {
    (void)state;
    assert_int_equal(failed_by(100, 100, 100), 0);
    assert_int_equal(failed_by(100, 101, 100), BIT(bound));
    assert_int_equal(failed_by(100, 100, 101), BIT(bound));
}

static void figures_agree_with_the_rows(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    const figures good = figures_of(&b);
    for (int i = -2; i < KS_SERVER_COUNT; i++)
        for (int step = -1; step <= 1; step++) {
            figures f = good;
            *(i == -2   ? &f.total_ticks
              : i == -1 ? &f.dispatch_ticks
                        : &f.busy_ticks[i]) += (uint64_t)step;
            assert_int_equal(judge_with(&b, &f)->failed, step ? BIT(bound) : 0);
        }
    bench_close(&b);
}

static void a_bound_that_fails_says_both_figures(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    figures f = figures_of(&b);
    f.busy_ticks[KS_SERVER_STORE] += 5000;
    const char *text = judge_with(&b, &f)->texts[KS_INVARIANT_bound];
    assert_string_equal(text, "bound: busy store cycles are 18.5; the rows say 18");
    bench_close(&b);
}

int main(void) {
    static const struct CMUnitTest more[] = {
        cmocka_unit_test(total_cycles_are_at_least_every_busy_and_dispatch),
        cmocka_unit_test(figures_agree_with_the_rows),
        cmocka_unit_test(a_bound_that_fails_says_both_figures),
    };
    return run_table(run_spoilt, table, COUNT(table), more, COUNT(more));
}
