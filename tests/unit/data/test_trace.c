/* The trace changes with whatever could change a value, and with nothing else. */
#include "row_bench.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bench gemm_collected(void) {
    bench b = bench_open(KS_TASK_GEMM, point_of_bench(20, 130, 70), 64);
    b.is_dry = true;
    composite(&b, hbm(&b, "A"), hbm(&b, "B"), false, hbm(&b, "OUT"), NULL, 0);
    return b;
}

static size_t find_row(const bench *b, ks_row_kind kind, size_t nth) {
    for (size_t i = 0; i < b->row_count; i++)
        if (b->rows[i].kind == kind && nth-- == 0) return i;
    fail_msg("no such row");
    return 0;
}

static ks_digest flow_of(bench *b, bool *is_whole) {
    ks_digest flow = {{0}};
    ks_trace *trace = ks_trace_new(ks_numbers_layout(b->numbers), &b->program);
    assert_non_null(trace);
    for (size_t i = 0; i < b->row_count; i++)
        assert_int_equal(ks_trace_row(trace, &b->rows[i]), KS_OK);
    assert_int_equal(ks_trace_finish(trace, is_whole, &flow), KS_OK);
    ks_trace_free(trace);
    return flow;
}

static ks_digest unspoilt(void) {
    bench b = gemm_collected();
    bool is_whole = false;
    const ks_digest flow = flow_of(&b, &is_whole);
    assert_true(is_whole);
    bench_close(&b);
    return flow;
}

/* True if the spoilt rows flow as the others do. */
static bool flows_the_same(bench *b) {
    bool is_whole = false;
    const ks_digest right = unspoilt(), flow = flow_of(b, &is_whole);
    bench_close(b);
    return is_whole && memcmp(&right, &flow, sizeof flow) == 0;
}

static void times_alone_change_nothing(void **state) {
    (void)state;
    bench b = gemm_collected();
    for (size_t i = 0; i < b.row_count; i++) {
        b.rows[i].start = 7 + 3 * b.rows[i].start;
        b.rows[i].end = 7 + 3 * b.rows[i].end;
    }
    assert_true(flows_the_same(&b));
}

static void swap_with_previous(bench *b, size_t at) {
    ks_op_row *first = &b->rows[at - 1], *second = &b->rows[at];
    const ks_op_row row = *first;
    const uint64_t start = second->start, end = second->end;
    *first = *second;
    first->start = row.start;
    first->end = row.end;
    *second = row;
    second->start = start;
    second->end = end;
}

static void dependent_stages_in_another_order_change_it(void **state) {
    static const ks_row_kind kinds[] = {KS_ROW_FETCH, KS_ROW_GEMM, KS_ROW_STORE, KS_ROW_DMA_WRITE};
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t nth = 0; nth < 3; nth++) {
            bench b = gemm_collected();
            swap_with_previous(&b, find_row(&b, kinds[i], nth));
            assert_false(flows_the_same(&b));
        }
}

/* The two reads of a step touch nothing of each other. */
static void independent_stages_in_another_order_change_nothing(void **state) {
    (void)state;
    bench b = gemm_collected();
    const size_t at = find_row(&b, KS_ROW_DMA_READ, 1);
    assert_int_equal(b.rows[at - 1].kind, KS_ROW_DMA_READ);
    swap_with_previous(&b, at);
    assert_true(flows_the_same(&b));
}

static void a_stage_that_starts_before_its_input_is_written_changes_it(void **state) {
    (void)state;
    for (uint64_t late = 0; late < 2; late++) { /* both sides of the edge */
        bench b = gemm_collected();
        const size_t at = find_row(&b, KS_ROW_GEMM, 1);
        b.rows[at - 1].end = b.rows[at].start + late;
        assert_int_equal(flows_the_same(&b), !late);
    }
}

static void a_missing_stage_changes_it(void **state) {
    static const ks_row_kind kinds[] = {KS_ROW_DMA_READ, KS_ROW_FETCH, KS_ROW_GEMM, KS_ROW_STORE,
                                        KS_ROW_DMA_WRITE};
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        bench b = gemm_collected();
        b.rows[find_row(&b, kinds[i], 2)].server = KS_SERVER_CPU;
        assert_false(flows_the_same(&b));
    }
}

static void what_is_read_and_where_it_goes_are_part_of_it(void **state) {
    (void)state;
    bench b = gemm_collected();
    b.rows[find_row(&b, KS_ROW_DMA_READ, 1)].reads[0].range.addr += 2;
    assert_false(flows_the_same(&b));
    b = gemm_collected();
    b.rows[find_row(&b, KS_ROW_DMA_WRITE, 0)].write.range.addr += 4096;
    assert_false(flows_the_same(&b));
    b = gemm_collected();
    b.rows[find_row(&b, KS_ROW_GEMM, 0)].kt--;
    assert_false(flows_the_same(&b));
}

/* Outside of memory: the replay refuses it, so the trace says nothing. */
static void rows_that_cannot_be_replayed_have_no_trace(void **state) {
    (void)state;
    bench b = gemm_collected();
    bool is_whole = true;
    b.rows[find_row(&b, KS_ROW_DMA_WRITE, 1)].write.range.addr += UINT64_C(1) << 40;
    flow_of(&b, &is_whole);
    assert_false(is_whole);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_alone_change_nothing),
        cmocka_unit_test(dependent_stages_in_another_order_change_it),
        cmocka_unit_test(independent_stages_in_another_order_change_nothing),
        cmocka_unit_test(a_stage_that_starts_before_its_input_is_written_changes_it),
        cmocka_unit_test(a_missing_stage_changes_it),
        cmocka_unit_test(what_is_read_and_where_it_goes_are_part_of_it),
        cmocka_unit_test(rows_that_cannot_be_replayed_have_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
