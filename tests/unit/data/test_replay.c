/* Order in time, and what lies outside memory. */
#include "row_bench.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* A few f32 vectors of four in TCM. */
typedef struct vectors {
    bench b;
    ks_handle *x, *y, *z;
} vectors;

static void vectors_open(vectors *v) {
    ks_point point = point_of(1, 4, 4);
    set_dtypes(&point, KS_F32, KS_F32, KS_F32);
    v->b = bench_open(KS_TASK_ATTENTION, point, 192);
    v->x = tcm(&v->b, 1, 4, KS_F32);
    v->y = tcm(&v->b, 1, 4, KS_F32);
    v->z = tcm(&v->b, 1, 4, KS_F32);
    v->b.is_dry = true;
}

/* Runs the collected rows, with times as the test has set them. */
static void run_collected(bench *b) {
    b->is_dry = false;
    bench_start(b);
    for (size_t i = 0; i < b->row_count && !b->status; i++)
        b->status = ks_replay_row(b->replay, &b->rows[i]);
}

/* The first element of OUT after storing `h` there. */
static float stored(bench *b, const ks_handle *h) {
    b->is_dry = false;
    b->now += 1000 * CYCLE;
    primitive(b, KS_OP_store, hbm(b, "OUT"), 0, READS(h));
    return bench_finish(b)[0];
}

static void set_times(bench *b, size_t row, uint64_t start, uint64_t end) {
    b->rows[row].start = start * CYCLE;
    b->rows[row].end = end * CYCLE;
}

/* x = 1 at 0..1; y = x at y_start..; x = 2 at 2..4; y is stored. */
static float copied(uint64_t y_start, uint64_t y_end) {
    vectors v;
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, v.x, 1, NO_READS);
    const bool is_late = y_start > 2;
    if (!is_late) primitive(&v.b, KS_OP_copy, v.y, 0, READS(v.x));
    primitive(&v.b, KS_OP_fill, v.x, 2, NO_READS);
    if (is_late) primitive(&v.b, KS_OP_copy, v.y, 0, READS(v.x));
    set_times(&v.b, 0, 0, 1);
    set_times(&v.b, is_late ? 2 : 1, y_start, y_end);
    set_times(&v.b, is_late ? 1 : 2, 2, 4);
    run_collected(&v.b);
    const float value = stored(&v.b, v.y);
    bench_close(&v.b);
    return value;
}

static void a_stage_reads_at_its_start(void **state) {
    (void)state;
    assert_true(copied(1, 9) == 1); /* x changes while the copy is under way */
    assert_true(copied(3, 9) == 1); /* the fill is under way: not written yet */
    assert_true(copied(5, 9) == 2);
}

static void ends_come_before_starts_at_one_instant(void **state) {
    (void)state;
    assert_true(copied(4, 5) == 2);
    const float early = copied(0, 1); /* starts as the first fill does */
    assert_true(early != early);
}

static void the_later_stage_wins_where_two_end_together(void **state) {
    static const struct {
        uint32_t cmds[2];
        int64_t stages[2];
        float expected;
    } cases[] = {
        {{0, 1}, {0, 0}, 2}, {{1, 0}, {0, 0}, 1}, {{0, 0}, {0, 1}, 2}, {{0, 0}, {1, 0}, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        vectors v;
        vectors_open(&v);
        primitive(&v.b, KS_OP_fill, v.x, 1, NO_READS);
        primitive(&v.b, KS_OP_fill, v.x, 2, NO_READS);
        for (size_t r = 0; r < 2; r++) {
            v.b.rows[r].cmd = cases[i].cmds[r];
            v.b.rows[r].stage = cases[i].stages[r];
            set_times(&v.b, r, 0, 7);
        }
        run_collected(&v.b);
        assert_true(stored(&v.b, v.x) == cases[i].expected);
        bench_close(&v.b);
    }
}

static void many_stages_in_flight_end_in_order(void **state) {
    enum { STAGES = 200 };
    vectors v;
    (void)state;
    vectors_open(&v);
    for (int i = 0; i < STAGES; i++) primitive(&v.b, KS_OP_fill, v.x, (float)i, NO_READS);
    for (size_t i = 0; i < STAGES; i++) set_times(&v.b, i, i, 300 + i * 61 % STAGES);
    size_t last = 0;
    for (size_t i = 0; i < STAGES; i++)
        if (v.b.rows[i].end > v.b.rows[last].end) last = i;
    run_collected(&v.b);
    assert_true(stored(&v.b, v.x) == (float)last);
    bench_close(&v.b);
}

static void memory_that_nobody_wrote_is_nan(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    const float unwritten = stored(&v.b, v.x);
    assert_true(unwritten != unwritten);
    assert_int_equal(ks_errors_of(v.b.numbers, ks_replay_out(v.b.replay)).nonfinite, 4);
    bench_close(&v.b);
    vectors_open(&v);
    const float *out = bench_finish(&v.b); /* OUT itself */
    assert_int_equal(ks_bits32(out[3]), KS_NAN32);
    bench_close(&v.b);
}

static void commands_without_data_move_nothing(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, v.x, 1, NO_READS);
    primitive(&v.b, KS_OP_fill, v.x, 2, NO_READS);
    ks_command timed = *v.b.rows[1].command;
    timed.is_data_op = false;
    v.b.rows[1].command = &timed;
    run_collected(&v.b);
    assert_true(stored(&v.b, v.x) == 1);
    bench_close(&v.b);
}

static void rows_of_the_cpu_move_nothing(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, v.x, 1, NO_READS);
    primitive(&v.b, KS_OP_fill, v.x, 2, NO_READS);
    v.b.rows[1].server = KS_SERVER_CPU;
    v.b.rows[1].kind = KS_ROW_DISPATCH;
    run_collected(&v.b);
    assert_true(stored(&v.b, v.x) == 1);
    bench_close(&v.b);
}

static void nan_goes_through_to_the_count(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, v.x, 1, NO_READS);
    primitive(&v.b, KS_OP_fill, tcm_at(&v.b, v.x->addr + 4, 1, 1, KS_F32), __builtin_nanf(""),
              NO_READS);
    run_collected(&v.b);
    stored(&v.b, v.x);
    const ks_judgement j = ks_judge(v.b.numbers, ks_replay_out(v.b.replay),
                                    (ks_tolerance){KS_TOLERANCE_ABSOLUTE, 1e30, 0});
    assert_int_equal(j.kind, KS_JUDGED_NONFINITE);
    assert_int_equal(j.nonfinite, 1);
    bench_close(&v.b);
}

/* The one row of a fill or copy, spoilt; the message names what is wrong. */
static void expect_fault(vectors *v, const char *words) {
    run_collected(&v->b);
    if (!v->b.status) v->b.status = ks_replay_finish(v->b.replay, &v->b.digest);
    assert_int_equal(v->b.status, KS_FAILED);
    if (!strstr(ks_replay_fault(v->b.replay), words))
        fail_msg("'%s' lacks '%s'", ks_replay_fault(v->b.replay), words);
    assert_int_equal(ks_replay_row(v->b.replay, &v->b.rows[0]), KS_FAILED);
    assert_int_equal(ks_replay_finish(v->b.replay, &v->b.digest), KS_FAILED);
    bench_close(&v->b);
}

static void tcm_beyond_the_peak_is_a_fault(void **state) {
    static const uint64_t addrs[] = {192 - 12, 192, UINT64_C(1) << 47, UINT64_MAX - 3};
    (void)state;
    for (size_t i = 0; i < COUNT(addrs); i++) {
        vectors v;
        vectors_open(&v);
        primitive(&v.b, KS_OP_fill, tcm_at(&v.b, addrs[i], 1, 4, KS_F32), 1, NO_READS);
        expect_fault(&v, "outside the allocated TCM");
        vectors_open(&v);
        primitive(&v.b, KS_OP_copy, v.x, 0, READS(tcm_at(&v.b, addrs[i], 1, 4, KS_F32)));
        expect_fault(&v, "outside the allocated TCM");
    }
}

static void the_last_bytes_of_tcm_are_inside(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, tcm_at(&v.b, 192 - 16, 1, 4, KS_F32), 1, NO_READS);
    run_collected(&v.b);
    assert_true(stored(&v.b, tcm_at(&v.b, 192 - 16, 1, 4, KS_F32)) == 1);
    bench_close(&v.b);
}

static void hbm_beyond_the_layout_is_a_fault(void **state) {
    static const uint64_t addrs[] = {0, KS_HBM_BASE - 4, KS_HBM_BASE + 4, KS_HBM_BASE + 0x800,
                                     KS_HBM_BASE + 0x4000};
    (void)state;
    for (size_t i = 0; i < COUNT(addrs); i++) {
        vectors v;
        vectors_open(&v);
        ks_handle *outside = hbm(&v.b, "Q");
        outside->addr = addrs[i];
        primitive(&v.b, KS_OP_load, v.x, 0, READS(outside));
        expect_fault(&v, "outside the tensors of the layout");
    }
}

static void writing_an_input_is_a_fault(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, v.x, 1, NO_READS);
    primitive(&v.b, KS_OP_store, hbm(&v.b, "Q"), 0, READS(v.x));
    expect_fault(&v, "the input Q is written");
}

static void shapes_that_do_not_fit_are_faults(void **state) {
    vectors v;
    (void)state;
    vectors_open(&v);
    primitive(&v.b, KS_OP_add, v.z, 0, READS(v.x, tcm_at(&v.b, 64, 1, 3, KS_F32)));
    expect_fault(&v, "shape of add");
    vectors_open(&v);
    primitive(&v.b, KS_OP_load, tcm_at(&v.b, 0, 1, 3, KS_F32), 0, READS(hbm(&v.b, "Q")));
    expect_fault(&v, "does not fit");
    vectors_open(&v);
    primitive(&v.b, KS_OP_add, v.z, 0, READS(v.x));
    expect_fault(&v, "add reads 2 operands");
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, tcm_at(&v.b, 2, 1, 4, KS_F32), 0, NO_READS);
    expect_fault(&v, "is not a rectangle");
    vectors_open(&v);
    primitive(&v.b, KS_OP_fill, v.x, 0, NO_READS);
    v.b.rows[0].write.range.bytes--;
    expect_fault(&v, "is not a rectangle");
}

/* A gemm composite as rows, to be spoilt. */
static bench gemm_collected(void) {
    bench b = bench_open(KS_TASK_GEMM, point_of_bench(20, 130, 70), 64);
    b.is_dry = true;
    composite(&b, hbm(&b, "A"), hbm(&b, "B"), false, hbm(&b, "OUT"), NULL, 0);
    return b;
}

static ks_judgement judge_collected(bench *b) {
    run_collected(b);
    assert_int_equal(b->status, KS_OK);
    const ks_judgement j = ks_judge(b->numbers, bench_finish(b), (ks_tolerance){0});
    bench_close(b);
    return j;
}

static size_t find_row(const bench *b, ks_row_kind kind, size_t nth) {
    for (size_t i = 0; i < b->row_count; i++)
        if (b->rows[i].kind == kind && nth-- == 0) return i;
    fail_msg("no such row");
    return 0;
}

static void unspoilt_rows_are_right(void **state) {
    (void)state;
    bench b = gemm_collected();
    assert_int_equal(judge_collected(&b).kind, KS_JUDGED_PASS);
}

/* Row `at` and the one before it change places and times. */
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

static void any_two_dependent_stages_in_the_wrong_order_are_seen(void **state) {
    static const ks_row_kind kinds[] = {KS_ROW_FETCH, KS_ROW_GEMM, KS_ROW_STORE, KS_ROW_DMA_WRITE};
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t nth = 0; nth < 3; nth++) { /* the stage before is one it depends on */
            bench b = gemm_collected();
            swap_with_previous(&b, find_row(&b, kinds[i], nth));
            const ks_judgement j = judge_collected(&b);
            assert_true(j.kind == KS_JUDGED_NONFINITE || j.kind == KS_JUDGED_TOLERANCE);
        }
}

static void a_stage_that_starts_before_its_input_is_written_is_seen(void **state) {
    (void)state;
    bench b = gemm_collected();
    const size_t at = find_row(&b, KS_ROW_GEMM, 1);
    b.rows[at - 1].end += 1; /* the fetch ends a tick after the product started */
    const ks_judgement j = judge_collected(&b);
    assert_true(j.kind == KS_JUDGED_NONFINITE || j.kind == KS_JUDGED_TOLERANCE);
}

static void a_missing_stage_is_seen(void **state) {
    static const ks_row_kind kinds[] = {KS_ROW_DMA_READ, KS_ROW_FETCH, KS_ROW_GEMM, KS_ROW_STORE,
                                        KS_ROW_DMA_WRITE};
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        bench b = gemm_collected();
        b.rows[find_row(&b, kinds[i], 2)].server = KS_SERVER_CPU;
        const ks_judgement j = judge_collected(&b);
        assert_true(j.kind == KS_JUDGED_NONFINITE || j.kind == KS_JUDGED_TOLERANCE);
    }
}

static void a_buffer_number_beyond_all_reason_is_a_fault(void **state) {
    (void)state;
    bench b = gemm_collected();
    b.rows[find_row(&b, KS_ROW_DMA_READ, 0)].write.range.addr = UINT64_C(1) << 40;
    run_collected(&b);
    if (!b.status) b.status = ks_replay_finish(b.replay, &b.digest);
    assert_int_equal(b.status, KS_FAILED);
    bench_close(&b);
}

/* The same buffers' numbers in two composites are different buffers. */
static void composites_in_flight_do_not_share_buffers(void **state) {
    (void)state;
    bench b = gemm_collected();
    const size_t half = b.row_count;
    composite(&b, hbm(&b, "A"), hbm(&b, "B"), false, hbm(&b, "OUT"), NULL, 0);
    /* Interleave: row i of both, one after the other. */
    ks_op_row *mixed = ks_arena_take(b.arena, 2 * half, sizeof *mixed);
    for (size_t i = 0; i < 2 * half; i++) {
        mixed[i] = b.rows[i / 2 + (i % 2) * half];
        mixed[i].start = i * CYCLE;
        mixed[i].end = (i + 1) * CYCLE;
    }
    b.rows = mixed;
    assert_int_equal(judge_collected(&b).kind, KS_JUDGED_PASS);
}

static void buffers_are_gone_when_their_command_has_ended(void **state) {
    (void)state;
    bench b = gemm_collected();
    const ks_op_row write = b.rows[b.row_count - 1];
    assert_true(write.is_last_of_command);
    keep(&b, &write); /* once more, from staging that is no more */
    b.rows[b.row_count - 1].start += CYCLE;
    b.rows[b.row_count - 1].end += CYCLE;
    assert_int_equal(judge_collected(&b).kind, KS_JUDGED_NONFINITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_reads_at_its_start),
        cmocka_unit_test(ends_come_before_starts_at_one_instant),
        cmocka_unit_test(the_later_stage_wins_where_two_end_together),
        cmocka_unit_test(many_stages_in_flight_end_in_order),
        cmocka_unit_test(memory_that_nobody_wrote_is_nan),
        cmocka_unit_test(commands_without_data_move_nothing),
        cmocka_unit_test(rows_of_the_cpu_move_nothing),
        cmocka_unit_test(nan_goes_through_to_the_count),
        cmocka_unit_test(tcm_beyond_the_peak_is_a_fault),
        cmocka_unit_test(the_last_bytes_of_tcm_are_inside),
        cmocka_unit_test(hbm_beyond_the_layout_is_a_fault),
        cmocka_unit_test(writing_an_input_is_a_fault),
        cmocka_unit_test(shapes_that_do_not_fit_are_faults),
        cmocka_unit_test(unspoilt_rows_are_right),
        cmocka_unit_test(any_two_dependent_stages_in_the_wrong_order_are_seen),
        cmocka_unit_test(a_stage_that_starts_before_its_input_is_written_is_seen),
        cmocka_unit_test(a_missing_stage_is_seen),
        cmocka_unit_test(a_buffer_number_beyond_all_reason_is_a_fault),
        cmocka_unit_test(composites_in_flight_do_not_share_buffers),
        cmocka_unit_test(buffers_are_gone_when_their_command_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
