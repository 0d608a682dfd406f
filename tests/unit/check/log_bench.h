/* op_logs for the checker: the real simulator's, kept as an array that can be spoilt. */
#ifndef KS_TEST_CHECK_LOG_BENCH_H
#define KS_TEST_CHECK_LOG_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "check/check.h"
#include "device/dispatch.h"
#include "device/timeline.h"
#include "kernels/kernels.h"
#include "op_log/resolve.h"

#define UNUSED __attribute__((unused))
#define COUNT(table) (sizeof(table) / sizeof *(table))
#define BIT(name) (UINT32_C(1) << KS_INVARIANT_##name)

enum { CYCLE = 10000, MAX_NAMED = 4 };

typedef struct bench {
    ks_arena *arena;
    ks_point point;
    ks_machine machine;
    ks_lowering lowering;
    ks_program program; /* its commands may be replaced */
    ks_timeline timeline;
    ks_op_row *rows;
    size_t count, room;
    uint64_t named[MAX_NAMED]; /* rows (seq) that a violation's text has to name */
    size_t named_count;
} bench;

/* ---- points, as `kernel name=value name=value` ---- */

UNUSED static uint64_t value_of(ks_param_class class, const char *text) {
    if (class == KS_PARAM_DTYPE || class == KS_PARAM_WIDE_DTYPE)
        for (ks_dtype i = 0; i < KS_DTYPE_COUNT; i++)
            if (strcmp(text, ks_dtype_name(i)) == 0) return i;
    if (class == KS_PARAM_POLICY)
        for (ks_policy i = 0; i < KS_POLICY_COUNT; i++)
            if (strcmp(text, ks_policy_name(i)) == 0) return i;
    uint64_t value;
    assert_true(ks_u64_parse(text, strlen(text), &value));
    return value;
}

UNUSED static uint64_t ticks_of(ks_constant id, const char *text) {
    if (id == KS_C_gemm_rule)
        for (ks_gemm_rule i = 0; i < KS_RULE_COUNT; i++)
            if (strcmp(text, ks_gemm_rule_name(i)) == 0) return i;
    uint64_t ticks;
    assert_int_equal(ks_decimal_parse(text, strlen(text), &ticks), KS_DECIMAL_OK);
    return ticks;
}

UNUSED static void set(ks_point *point, const char *name, const char *value) {
    for (ks_param i = 0; i < KS_PARAM_COUNT; i++)
        if (strcmp(name, ks_param_describe(i)->name) == 0) {
            point->params[i] = value_of(ks_param_describe(i)->value_class, value);
            return;
        }
    for (ks_constant i = 0; i < KS_CONSTANT_COUNT; i++)
        if (strcmp(name, ks_constant_describe(i)->name) == 0) {
            point->calibration.values[i] = ticks_of(i, value);
            return;
        }
    fail_msg("no parameter or constant is called %s", name);
}

UNUSED static ks_point point_of(const char *text) {
    ks_point point = ks_point_default();
    char words[1024], *state = NULL;
    snprintf(words, sizeof words, "%s", text);
    const int kernel = ks_kernel_find(&ks_kernels, strtok_r(words, " ", &state));
    assert_true(kernel >= 0);
    point.params[KS_P_kernel] = (uint64_t)kernel;
    for (char *word; (word = strtok_r(NULL, " ", &state));) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value = 0;
        set(&point, word, value + 1);
    }
    return point;
}

/* ---- its op_log ---- */

UNUSED static void insert(bench *b, size_t at, const ks_op_row *row) {
    const ks_op_row copy = *row;
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 256;
        b->rows = realloc(b->rows, b->room * sizeof *b->rows);
        assert_non_null(b->rows);
    }
    memmove(b->rows + at + 1, b->rows + at, (b->count - at) * sizeof *b->rows);
    b->rows[at] = copy;
    b->count++;
}

static ks_status keep(void *self, const ks_op_row *row) {
    bench *b = self;
    insert(b, b->count, row);
    return KS_OK;
}

UNUSED static bench bench_open(const char *text) {
    bench b = {.arena = ks_arena_new(1 << 16), .point = point_of(text)};
    const ks_kernel *kernel = &ks_kernels.kernels[b.point.params[KS_P_kernel]];
    b.machine = ks_machine_of(&b.point);
    ks_lower(kernel, &b.point, b.arena, &b.lowering);
    assert_int_equal(b.lowering.verdict, KS_LOWERED);
    b.program = b.lowering.program;
    ks_op_log_feed feed = {.sink = {&b, keep}};
    const ks_event_sink sink = {&feed, ks_op_log_take};
    assert_int_equal(ks_timeline_run(&b.program, &b.machine, b.arena, &sink, &b.timeline), KS_OK);
    return b;
}

UNUSED static void bench_close(bench *b) {
    free(b->rows);
    ks_arena_free(b->arena);
}

/* ---- finding and spoiling ---- */

enum { ANY = -1 };

/* The `nth` (from 0) row of a kind, of any command or one. */
UNUSED static size_t find(const bench *b, int64_t cmd, ks_row_kind kind, size_t nth) {
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].kind == kind && (cmd == ANY || b->rows[i].cmd == cmd) && nth-- == 0)
            return i;
    fail_msg("no such row");
    return 0;
}

UNUSED static size_t find_stage(const bench *b, uint32_t cmd, int64_t stage) {
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].cmd == cmd && b->rows[i].stage == stage) return i;
    fail_msg("no such stage");
    return 0;
}

UNUSED static void name(bench *b, uint64_t seq) {
    assert_true(b->named_count < MAX_NAMED);
    b->named[b->named_count++] = seq;
}

UNUSED static void drop(bench *b, size_t at) {
    memmove(b->rows + at, b->rows + at + 1, (b->count - at - 1) * sizeof *b->rows);
    b->count--;
}

static int compare_rows(const void *left, const void *right) {
    const ks_op_row *a = left, *b = right;
    const bool is_a = a->stage != KS_CPU_STAGE, is_b = b->stage != KS_CPU_STAGE;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (is_a != is_b) return is_a - is_b;
    if (a->cmd != b->cmd) return a->cmd < b->cmd ? -1 : 1;
    if (is_a && a->stage != b->stage) return a->stage < b->stage ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->segment != b->segment) return a->segment < b->segment ? -1 : 1;
    return a->seq < b->seq ? -1 : 1;
}

/* Back into the op_log's order, so that no row is wrong by its place alone. */
UNUSED static void sort(bench *b) { qsort(b->rows, b->count, sizeof *b->rows, compare_rows); }

UNUSED static void move_to(ks_op_row *row, uint64_t start) {
    row->occupied_end += start - row->start;
    row->end += start - row->start;
    row->start = start;
}

UNUSED static ks_op_row *row_of(bench *b, uint32_t cmd, int64_t stage) {
    return &b->rows[find_stage(b, cmd, stage)];
}

UNUSED static ks_op_row *named(bench *b, uint32_t cmd, int64_t stage) {
    name(b, row_of(b, cmd, stage)->seq);
    return row_of(b, cmd, stage);
}

/* One tick earlier, in its place in the order; `holder` is the stage that then is too late. */
UNUSED static void hurry(bench *b, uint32_t cmd, int64_t stage, uint32_t of, int64_t holder) {
    name(b, row_of(b, cmd, stage)->seq);
    name(b, row_of(b, of, holder)->seq);
    assert_true(row_of(b, cmd, stage)->start == row_of(b, of, holder)->occupied_end ||
                row_of(b, cmd, stage)->start == row_of(b, of, holder)->end);
    move_to(row_of(b, cmd, stage), row_of(b, cmd, stage)->start - 1);
    sort(b);
}

UNUSED static void drop_stage(bench *b, uint32_t cmd, int64_t stage) {
    drop(b, find_stage(b, cmd, stage));
}

/* A copy of a row, as another stage and at another time. */
UNUSED static ks_op_row *add_copy(bench *b, uint32_t cmd, int64_t stage, int64_t as,
                                  uint64_t cycle) {
    ks_op_row row = *row_of(b, cmd, stage);
    row.stage = as;
    row.seq = 1000;
    row.dep_count = 0;
    move_to(&row, cycle * CYCLE);
    insert(b, b->count, &row);
    sort(b);
    name(b, 1000);
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].seq == 1000) return &b->rows[i];
    return NULL;
}

/* A command of which ops and their handles may be changed; rows follow to the new ops. */
UNUSED static ks_command *own_command(bench *b, uint32_t cmd) {
    const ks_command *old = b->program.commands[cmd];
    const ks_command **commands =
        ks_arena_take(b->arena, b->program.command_count, sizeof *commands);
    memcpy(commands, b->program.commands, b->program.command_count * sizeof *commands);
    ks_command *own = ks_arena_take(b->arena, 1, sizeof *own);
    ks_op *ops = ks_arena_take(b->arena, old->op_count + 1, sizeof *ops);
    memcpy(ops, old->ops, old->op_count * sizeof *ops);
    *own = *old;
    own->ops = ops;
    commands[cmd] = own;
    b->program.commands = commands;
    for (size_t i = 0; i < b->count; i++) {
        if (b->rows[i].cmd != cmd) continue;
        b->rows[i].command = own;
        if (b->rows[i].op) b->rows[i].op = ops + (b->rows[i].op - old->ops);
    }
    return own;
}

UNUSED static ks_op *own_op(ks_command *command, uint32_t op) {
    return (ks_op *)(uintptr_t)&command->ops[op];
}

UNUSED static ks_handle *own_handle(bench *b, const ks_handle **handle) {
    ks_handle *own = ks_arena_take(b->arena, 1, sizeof *own);
    *own = **handle;
    *handle = own;
    return own;
}

/* ---- judging ---- */

typedef struct figures {
    uint64_t total_ticks, dispatch_ticks;
    uint64_t busy_ticks[KS_SERVER_COUNT];
} figures;

/* What the rows say, so that `bound` has nothing to say about a spoilt one. */
UNUSED static figures figures_of(const bench *b) {
    figures f = {0};
    for (size_t i = 0; i < b->count; i++) {
        const ks_op_row *row = &b->rows[i];
        const bool is_dma = row->server == KS_SERVER_DMA_RD || row->server == KS_SERVER_DMA_WR;
        const uint64_t end = is_dma ? row->occupied_end : row->end;
        if (row->kind == KS_ROW_STALL || row->kind == KS_ROW_WAIT || end < row->start) continue;
        if ((unsigned)row->server >= KS_SERVER_COUNT) continue;
        if (row->kind == KS_ROW_DISPATCH) f.dispatch_ticks += end - row->start;
        f.busy_ticks[row->server] += end - row->start;
        if (row->stage != KS_CPU_STAGE && row->end > f.total_ticks) f.total_ticks = row->end;
    }
    return f;
}

UNUSED static const ks_check_result *judge_with(const bench *b, const figures *f) {
    ks_check *check = ks_check_new(&b->program, &b->point, b->arena);
    assert_non_null(check);
    for (size_t i = 0; i < b->count; i++) assert_int_equal(ks_check_row(check, &b->rows[i]), KS_OK);
    ks_check_figures(check, f->total_ticks, f->busy_ticks, f->dispatch_ticks);
    return ks_check_finish(check);
}

UNUSED static const ks_check_result *judge(const bench *b) {
    const figures f = figures_of(b);
    return judge_with(b, &f);
}

/* Without rows: commands and their segments only. */
UNUSED static const ks_check_result *judge_program(const bench *b) {
    ks_check *check = ks_check_new(&b->program, &b->point, b->arena);
    assert_non_null(check);
    for (uint32_t c = 0; c < b->program.command_count; c++) {
        const ks_command *command = b->program.commands[c];
        for (uint32_t op = 0; op < command->op_count;) {
            const ks_segment segment = ks_segment_at(command, op, &b->machine);
            ks_check_segment(check, c, op, segment.bytes);
            op += segment.op_count;
        }
    }
    return ks_check_finish(check);
}

UNUSED static void print_texts(const ks_check_result *result) {
    for (ks_invariant id = 0; id < KS_INVARIANT_COUNT; id++)
        if (result->texts[id])
            print_message("    [%" PRIu64 "] %s\n", result->counts[id], result->texts[id]);
}

/* ---- spoilt op_logs as tables: one cmocka test a line ---- */

typedef struct spoilt {
    const char *claim;
    const char *point;
    void (*spoil)(bench *b);
    uint32_t fires;       /* the invariant that is meant, as a bit; 0: all is still well */
    uint32_t also;        /* those that cannot but fire too */
    const char *words[4]; /* in its text */
} spoilt;

static void expect_words(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count && words[i]; i++)
        if (!strstr(text, words[i])) fail_msg("'%s' does not say '%s'", text, words[i]);
}

/* `row 12` and not `row 123`. */
static void expect_rows(const bench *b, const char *text) {
    for (size_t i = 0; i < b->named_count; i++) {
        char row[40];
        const int length = snprintf(row, sizeof row, "row %" PRIu64, b->named[i]);
        const char *at = text;
        while ((at = strstr(at, row)) && at[length] >= '0' && at[length] <= '9') at += length;
        if (!at) fail_msg("'%s' does not name %s", text, row);
    }
}

static void run(const spoilt *s, const ks_check_result *(*judge_it)(const bench *)) {
    bench b = bench_open(s->point);
    assert_int_equal(judge_it(&b)->failed, 0);
    s->spoil(&b);
    const ks_check_result *result = judge_it(&b);
    if (result->failed != (s->fires | s->also)) print_texts(result);
    assert_int_equal(result->failed, s->fires | s->also);
    for (ks_invariant id = 0; id < KS_INVARIANT_COUNT; id++) {
        assert_int_equal(!!(result->failed & ks_invariant_bit(id)), result->counts[id] > 0);
        if (!(s->fires & ks_invariant_bit(id))) continue;
        const char *text = result->texts[id], *own = ks_invariant_name(id);
        assert_non_null(text);
        assert_memory_equal(text, own, strlen(own));
        expect_words(text, s->words, COUNT(s->words));
        expect_rows(&b, text);
    }
    bench_close(&b);
}

UNUSED static void run_spoilt(void **state) { run(*state, judge); }
UNUSED static void run_spoilt_program(void **state) { run(*state, judge_program); }

UNUSED static int run_table(CMUnitTestFunction test, const spoilt *table, size_t count,
                            const struct CMUnitTest *more, size_t more_count) {
    struct CMUnitTest tests[128] = {{0}};
    assert(count + more_count <= COUNT(tests));
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){.name = table[i].claim,
                                       .test_func = test,
                                       .initial_state = (void *)(uintptr_t)&table[i]};
    for (size_t i = 0; i < more_count; i++) tests[count + i] = more[i];
    return _cmocka_run_group_tests("spoilt", tests, count + more_count, NULL, NULL);
}

#endif
