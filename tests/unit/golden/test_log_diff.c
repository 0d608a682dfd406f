/* What two op_logs have to tell: one claim for each way in which they can part. The log is that of
 * two tiles of opt2, row by row in src/MODEL.md section 13. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/golden/log_bench.h"

#define POINT "kernel=decode_opt2 G=2 TILE=4 d=8 S=8"

typedef struct pair {
    log_bench bench[2]; /* expected, got */
    ks_log logs[2];
    ks_arena *arena;
    ks_log_diff diff;
} pair;

static void pair_open(pair *p, const char *expected, const char *got) {
    *p = (pair){.arena = ks_arena_new(1 << 12)};
    p->bench[0] = bench_open(expected);
    p->bench[1] = bench_open(got);
}

static const ks_log_diff *pair_compare(pair *p) {
    for (int i = 0; i < 2; i++) p->logs[i] = bench_log(&p->bench[i]);
    assert_int_equal(ks_log_compare(&p->logs[0], &p->logs[1], p->arena, &p->diff), KS_OK);
    return &p->diff;
}

static void pair_close(pair *p) {
    for (int i = 0; i < 2; i++) {
        ks_log_free(&p->logs[i]);
        bench_close(&p->bench[i]);
    }
    ks_arena_free(p->arena);
}

static const char *got_field(const ks_log_diff *diff, const char *name) {
    for (size_t i = 0; i < diff->field_count; i++)
        if (!strcmp(diff->fields[i].name, name)) return diff->fields[i].got;
    fail_msg("%s does not differ", name);
    return NULL;
}

static void equal_logs_have_nothing_to_tell(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_SAME);
    assert_int_equal(d->changed + d->missing + d->extra, 0);
    assert_int_equal(d->row_counts[0], 59);
    assert_int_equal(d->total_ticks[1], 17278750);
    pair_close(&p);
}

static void a_longer_service_is_told_with_its_server(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT " math_startup_cycles=9");
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_SERVICE);
    assert_int_equal(d->expected.seq, 4);
    assert_string_equal(d->expected.op, "fill");
    assert_string_equal(got_field(d, "end"), "93.125");
    assert_int_equal(d->field_count, 1);
    assert_int_equal(d->service_ticks[1] - d->service_ticks[0], RIG_CYCLE);
    assert_int_equal(d->server_rows, 25);
    assert_int_equal(d->server_rows_changed, 25);
    assert_int_equal(d->server_least_ticks, RIG_CYCLE);
    assert_int_equal(d->server_most_ticks, RIG_CYCLE);
    assert_int_equal(d->total_ticks[1] - d->total_ticks[0], 20 * RIG_CYCLE);
    pair_close(&p);
}

/* One row alone: the drift stays as it is, since nothing after it moves. */
static void one_longer_row_is_told_from_its_server_as_a_whole(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    bench_set(&p.bench[1], 19, 11, "632.25");
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_SERVICE);
    assert_int_equal(d->expected.seq, 19);
    assert_int_equal(d->changed, 1);
    assert_int_equal(d->server_rows_changed, 1);
    assert_int_equal(d->marks[0].late_ticks, RIG_CYCLE);
    assert_int_equal(d->marks[d->mark_count - 1].late_ticks, 0);
    assert_true(d->is_drift_shrinking);
    assert_true(d->starters[0].is_there);
    assert_int_equal(d->starters[0].row.seq, 18);
    pair_close(&p);
}

/* rw_aware lets command 6 begin when it is dispatched, not when command 4 ends. */
static void an_earlier_start_is_told_with_what_let_it_start(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT " policy=rw_aware");
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_START);
    assert_int_equal(d->expected.cmd, 6);
    assert_string_equal(d->expected.kind, "DMA_READ");
    assert_string_equal(got_field(d, "start"), "439.875");
    assert_string_equal(d->starters[0].relation, "another command ended with");
    assert_int_equal(d->starters[0].row.cmd, 4);
    assert_string_equal(d->starters[1].relation, "its command was dispatched by");
    assert_int_equal(d->starters[1].row.cmd, 6);
    assert_false(d->has_blocker);
    assert_int_equal(d->total_ticks[0], d->total_ticks[1]);
    pair_close(&p);
}

/* The other way round the server was free: what held the row up is its command. */
static void a_later_start_is_told_the_other_way_round(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT " policy=rw_aware", POINT);
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_START);
    assert_string_equal(got_field(d, "start"), "622.25");
    assert_string_equal(d->starters[1].relation, "another command ended with");
    pair_close(&p);
}

/* Two fills that could run in either order: the later one finds its server taken. */
static void a_start_that_waits_for_its_server_names_the_row_that_holds_it(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    bench_set(&p.bench[1], 6, 11, "300"); /* fill m takes 175.5 cycles more... */
    bench_set(&p.bench[1], 8, 10, "300"); /* ...and the next fill waits for it */
    bench_set(&p.bench[1], 8, 11, "309");
    bench_set(&p.bench[0], 6, 11, "300"); /* as expected: the server may run both at once */
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_START);
    assert_int_equal(d->expected.seq, 8);
    assert_true(d->has_blocker);
    assert_int_equal(d->blocker.seq, 6);
    assert_string_equal(d->starters[1].relation, "its server was freed by");
    pair_close(&p);
}

static void a_missing_row_is_told_not_what_moved_up(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    assert_non_null(strstr(*bench_line(&p.bench[1], 28), "DMA_READ"));
    bench_drop(&p.bench[1], 28);
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_MISSING);
    assert_int_equal(d->missing, 1);
    assert_int_equal(d->changed + d->extra, 0);
    assert_true(d->has_expected);
    assert_false(d->has_got);
    assert_int_equal(d->expected.seq, 28);
    assert_int_equal(d->before_count, 4);
    assert_int_equal(d->after_count, 4);
    assert_int_equal(d->after[0].seq, 29);
    assert_true(d->is_drift_constant);
    pair_close(&p);
}

static void an_extra_row_is_told(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    bench_double(&p.bench[1], 28);
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_EXTRA);
    assert_int_equal(d->extra, 1);
    assert_int_equal(d->changed + d->missing, 0);
    assert_false(d->has_expected);
    assert_int_equal(d->got.seq, 29);
    assert_int_equal(d->before[3].seq, 28);
    pair_close(&p);
}

static void the_last_row_missing_has_no_rows_after_it(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    bench_drop(&p.bench[1], 58);
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_MISSING);
    assert_int_equal(d->after_count, 0);
    assert_int_equal(d->mark_count, 0);
    assert_int_equal(d->total_ticks[0], 17278750);
    assert_true(d->total_ticks[1] < d->total_ticks[0]);
    pair_close(&p);
}

static void other_operands_are_told_from_other_work(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    bench_set(&p.bench[1], 28, 14, "hbm:0x10002040+64");
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_OPERANDS);
    assert_string_equal(got_field(d, "reads"), "hbm:0x10002040+64");
    assert_int_equal(d->field_count, 1);
    pair_close(&p);

    pair_open(&p, POINT, POINT);
    bench_set(&p.bench[1], 19, 5, "rsum");
    d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_WORK);
    assert_string_equal(got_field(d, "op"), "rsum");
    pair_close(&p);
}

static void every_column_that_differs_is_a_field(void **state) {
    (void)state;
    static const char *const values[] = {NULL,   NULL, NULL,        "gemm",     "GEMM", "relu",
                                         "post", "7",  "8",         "9",        "1.5",  "2.5",
                                         "11",   "12", "acc:0x0+1", "acc:0x1+1"};
    static const char *const names[] = {NULL,    NULL,       NULL,    "server", "kind",  "op",
                                        "phase", "m",        "n",     "k",      "start", "end",
                                        "bytes", "elements", "reads", "writes"};
    for (int field = 3; field < 16; field++) {
        pair p;
        pair_open(&p, POINT, POINT);
        bench_set(&p.bench[1], 28, field, values[field]);
        const ks_log_diff *d = pair_compare(&p);
        assert_int_equal(d->field_count, 1);
        assert_string_equal(got_field(d, names[field]), values[field]);
        assert_true(d->change != KS_LOG_SAME);
        pair_close(&p);
    }
}

/* Row 7, WAIT 0, is longer because the load ends later; the load comes later in the log. */
static void a_wait_is_no_cause(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT " dma_latency_cycles=251");
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_SERVICE);
    assert_string_equal(d->expected.kind, "DMA_READ");
    pair_close(&p);

    pair_open(&p, "kernel=gemm M=1 K=1 N=1", "kernel=gemm M=1 K=1 N=1 gemm_fill_cycles=17");
    d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_SERVICE);
    assert_string_equal(d->expected.kind, "GEMM");
    assert_true(d->is_pause_ahead); /* row 1 waits for the whole composite */
    pair_close(&p);
}

static void waits_are_told_when_nothing_else_differs(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    assert_non_null(strstr(*bench_line(&p.bench[1], 7), "WAIT"));
    bench_set(&p.bench[1], 7, 11, "293.75");
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_PAUSE);
    assert_int_equal(d->expected.seq, 7);
    assert_false(d->is_pause_ahead);
    pair_close(&p);
}

static void equal_rows_in_another_order_are_told(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    bench_swap(&p.bench[1], 10, 11); /* both start at 336.25 */
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_ORDER);
    assert_int_equal(d->changed, 2);
    assert_int_equal(d->expected.seq, 10);
    assert_int_equal(d->got.seq, 11);
    pair_close(&p);
}

/* Everything shifts by the same amount: the drift is constant. */
static void a_shift_of_all_that_follows_is_constant(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    for (size_t seq = 30; seq + 1 < p.bench[1].count; seq++) {
        const ks_op_row *row = &p.bench[1].rig.rows[seq];
        char text[KS_DECIMAL_TEXT_MAX];
        ks_decimal_print(text, row->start + 5000);
        bench_set(&p.bench[1], seq, 10, text);
        ks_decimal_print(text, row->end + 5000);
        bench_set(&p.bench[1], seq, 11, text);
    }
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_START);
    assert_true(d->is_drift_constant);
    assert_int_equal(d->mark_count, KS_LOG_MARKS);
    for (size_t i = 0; i < d->mark_count; i++) assert_int_equal(d->marks[i].late_ticks, 5000);
    assert_true(d->marks[0].seq >= 30 && d->marks[0].seq < 35);
    assert_int_equal(d->marks[KS_LOG_MARKS - 1].seq, 58);
    pair_close(&p);
}

static void a_log_without_rows_lacks_the_first(void **state) {
    (void)state;
    pair p;
    pair_open(&p, POINT, POINT);
    while (p.bench[1].count > 2) bench_drop(&p.bench[1], 0);
    free(p.bench[1].lines[--p.bench[1].count]);
    const ks_log_diff *d = pair_compare(&p);
    assert_int_equal(d->change, KS_LOG_MISSING);
    assert_int_equal(d->missing, 59);
    assert_int_equal(d->expected.seq, 0);
    pair_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_logs_have_nothing_to_tell),
        cmocka_unit_test(a_longer_service_is_told_with_its_server),
        cmocka_unit_test(one_longer_row_is_told_from_its_server_as_a_whole),
        cmocka_unit_test(an_earlier_start_is_told_with_what_let_it_start),
        cmocka_unit_test(a_later_start_is_told_the_other_way_round),
        cmocka_unit_test(a_start_that_waits_for_its_server_names_the_row_that_holds_it),
        cmocka_unit_test(a_missing_row_is_told_not_what_moved_up),
        cmocka_unit_test(an_extra_row_is_told),
        cmocka_unit_test(the_last_row_missing_has_no_rows_after_it),
        cmocka_unit_test(other_operands_are_told_from_other_work),
        cmocka_unit_test(every_column_that_differs_is_a_field),
        cmocka_unit_test(a_wait_is_no_cause),
        cmocka_unit_test(waits_are_told_when_nothing_else_differs),
        cmocka_unit_test(equal_rows_in_another_order_are_told),
        cmocka_unit_test(a_shift_of_all_that_follows_is_constant),
        cmocka_unit_test(a_log_without_rows_lacks_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
