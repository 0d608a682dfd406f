/* A sweep from a text, run or asked without a report folder; what came out as text. */
#ifndef KS_TEST_RUN_BENCH_H
#define KS_TEST_RUN_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernels.h"
#include "run/gates.h"
#include "run/runner.h"
#include "run/winners.h"
#include "sweep/key.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FILE_NAME KS_SOURCE_DIR "/sweeps/t.yaml" /* models and calibration lie beside it */

/* `yaml` follows these lines. */
#define HEAD "sweep: t.ci\nabout: a test\ngolden: none\n"

static inline ks_sweep *bench_sweep(const char *yaml) {
    ks_sweep *sweep;
    ks_error error = {""};
    ks_text text = {0};
    ks_sweep_options options = {0};
    options.column_count = ks_gate_columns(&options.columns);
    ks_text_add_string(&text, HEAD);
    ks_text_add_string(&text, yaml);
    const ks_status status =
        ks_sweep_parse(FILE_NAME, text.data, text.length, &ks_kernels, &options, &sweep, &error);
    if (status) fail_msg("%s", error.text);
    ks_text_free(&text);
    return sweep;
}

static inline ks_grid *bench_grid(const ks_sweep *sweep) {
    ks_grid *grid;
    ks_error error = {""};
    if (ks_grid_new(sweep, KS_GRID_MAX_POINTS, &grid, &error)) fail_msg("%s", error.text);
    return grid;
}

static inline ks_point bench_point(const char *key) {
    ks_point point;
    ks_error error = {""};
    if (ks_key_parse(key, &ks_kernels, &point, &error)) fail_msg("%s", error.text);
    return point;
}

/* A run in memory: what its callbacks were given, a line each. */
typedef struct bench_run {
    ks_sweep *sweep;
    ks_grid *grid;
    ks_job job;
    ks_run_options options;
    ks_status status;
    ks_error error;
    ks_account account;
    ks_text rows;    /* INDEX VERDICT[!] LABEL KEY: `!` where red */
    ks_text indices; /* every index that take_index saw: KERNEL LABEL ROW? RULED-OUT? */
    ks_text gates;   /* lines of gates */
    ks_text best;    /* [GROUP] KERNEL TILE POLICY CYCLES */
    ks_gates *asked;
    ks_winners *winners;
    bool is_in_order;
    uint64_t next_index;
    uint64_t row_count;

    atomic_int is_stopped;
    uint64_t stop_after; /* points; 0: never */
    ks_progress last_progress;
} bench_run;

static inline void bench_format(const void *self, const ks_record *record, ks_text *line) {
    (void)self;
    ks_text_add_format(line, "%llu %s%s [%s] %s%s%s", (unsigned long long)record->index,
                       ks_verdict_name(record->row->verdict), record->is_red ? "!" : "",
                       record->label, record->key, record->why[0] ? " why " : "", record->why);
}

static inline ks_status bench_take(void *self, const ks_record *record, const ks_text *line) {
    bench_run *b = self;
    b->is_in_order &= record->index >= b->next_index;
    b->next_index = record->index + 1;
    b->row_count++;
    ks_text_add_format(&b->rows, "%s\n", ks_text_string(line));
    return b->rows.has_failed ? KS_NO_MEMORY : KS_OK;
}

static inline ks_status bench_take_index(void *self, uint64_t index, const ks_point *point,
                                         const char *label, const ks_row *row, bool does_not_run) {
    bench_run *b = self;
    ks_text_add_format(&b->indices, "%s [%s]%s%s\n",
                       ks_kernels.kernels[ks_param_of(point, KS_P_kernel)].name, label,
                       row ? " row" : "", does_not_run ? " ruled out" : "");
    const ks_status status = ks_gates_take(b->asked, index, point, label, row, does_not_run);
    return status || !row ? status : ks_winners_take(b->winners, index, point, row);
}

static inline void bench_progress(void *self, const ks_progress *progress) {
    bench_run *b = self;
    b->last_progress = *progress;
    if (b->stop_after && progress->ran >= b->stop_after) atomic_store(&b->is_stopped, 1);
}

static inline void bench_add_gate(ks_text *out, const ks_gate_line *line) {
    ks_text_add_format(out, "%s [%s] ", line->gate, line->group);
    if (line->has_sides) ks_text_add_double(out, line->value);
    ks_text_add_format(out, "%s%s%s", line->has_sides ? " " : "", line->op,
                       line->has_sides ? " " : "");
    if (line->has_sides) ks_text_add_double(out, line->limit);
    ks_text_add_format(out, " %s%s\n", ks_gate_answer_name(line->answer),
                       line->is_red ? " red" : "");
}

static inline ks_status bench_take_gate(void *self, const ks_gate_line *line) {
    bench_run *b = self;
    bench_add_gate(&b->gates, line);
    return KS_OK;
}

static inline ks_status bench_take_winner(void *self, const ks_winner_line *line) {
    bench_run *b = self;
    ks_text_add_format(&b->best, "[%s] %s ", line->group, line->kernel);
    if (line->has_tile) ks_text_add_u64(&b->best, line->tile);
    ks_text_add_format(&b->best, " %s ", line->policy);
    ks_text_add_decimal(&b->best, line->total_ticks);
    ks_text_add_char(&b->best, '\n');
    return KS_OK;
}

/* Ready to run with `threads`; the test may still change the options. */
static inline bench_run *bench_run_new(const char *yaml, int threads) {
    bench_run *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->sweep = bench_sweep(yaml);
    b->grid = bench_grid(b->sweep);
    b->asked = ks_gates_of_grid(b->sweep, b->grid);
    b->winners = ks_winners_new(b->sweep, b->grid, b, bench_take_winner);
    assert_true(b->asked && b->winners);
    b->is_in_order = true;
    b->job = (ks_job){.kernels = &ks_kernels, .mode = b->sweep->mode, .oplog = b->sweep->oplog};
    for (int i = 0; i < KS_DTYPE_COUNT; i++)
        b->job.tolerance[i] =
            (ks_tolerance){i == KS_F32 ? KS_TOLERANCE_ABSOLUTE : KS_TOLERANCE_TWICE_PLAIN,
                           i == KS_F32 ? 1e-5 : 0, 0};
    b->options = (ks_run_options){.job = &b->job,
                                  .threads = threads,
                                  .is_stopped = &b->is_stopped,
                                  .self = b,
                                  .format = bench_format,
                                  .take = bench_take,
                                  .take_index = bench_take_index,
                                  .progress = bench_progress};
    return b;
}

static inline uint64_t bench_planned(const bench_run *b) {
    ks_grid_count *count;
    ks_error error = {""};
    if (ks_grid_count_new(b->grid, &count, &error)) fail_msg("%s", error.text);
    const uint64_t planned = count->cells[KS_CELL_RUN];
    ks_grid_count_free(count);
    return planned;
}

static inline void bench_run_go(bench_run *b) {
    b->status = ks_run(b->sweep, b->grid, &b->options, bench_planned(b), &b->account, &b->error);
}

static inline void bench_ask_gates(bench_run *b) {
    assert_int_equal(ks_gates_ask(b->asked, &b->account, b, bench_take_gate), KS_OK);
}

/* The whole of it: KS_OK or the test fails. */
static inline bench_run *bench_run_all(const char *yaml, int threads) {
    bench_run *b = bench_run_new(yaml, threads);
    bench_run_go(b);
    if (b->status) fail_msg("status %d: %s", (int)b->status, b->error.text);
    bench_ask_gates(b);
    return b;
}

static inline void bench_run_free(bench_run *b) {
    ks_winners_free(b->winners);
    ks_gates_free(b->asked);
    ks_grid_free(b->grid);
    ks_sweep_free(b->sweep);
    ks_text_free(&b->rows);
    ks_text_free(&b->indices);
    ks_text_free(&b->gates);
    ks_text_free(&b->best);
    free(b);
}

#endif
