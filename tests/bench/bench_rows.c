/* Part `rows`: from a row to its line of points.csv. */
#include <string.h>

#include "bench/bench.h"
#include "kernels/kernels.h"
#include "report/csv.h"
#include "run/point_run.h"
#include "support/sample_row.h"
#include "sweep/key.h"

enum { ROWS = 512 };

typedef struct rows {
    ks_row rows[ROWS];
    ks_text text;
} rows;

static void print(void *self) {
    rows *r = self;
    ks_text_clear(&r->text);
    for (int i = 0; i < ROWS; i++) {
        const ks_record record = sample_record(&r->rows[i]);
        ks_points_csv_line(&r->text, &record);
    }
}

static void print_plainly(void *self) {
    rows *r = self;
    ks_text_clear(&r->text);
    for (int i = 0; i < ROWS; i++) {
        const ks_record record = sample_record(&r->rows[i]);
        plain_points_line(&r->text, &record);
    }
}

/* As mode timing leaves them: no numbers. With `oplog: none` no digest either. */
static void keep_timing(rows *r, bool has_log) {
    uint64_t drop = 0;
    for (int c = KS_COL_max_abs_err; c < KS_COLUMN_COUNT; c++)
        if (!has_log || c < KS_COL_oplog_records) drop |= UINT64_C(1) << c;
    for (int i = 0; i < ROWS; i++) r->rows[i].has &= ~drop;
}

static rows all;

/* Rows of a sweep of three constants, with numbers made up. */
static void run_points(rows *r) {
    random_source source = {1};
    const ks_job job = {.kernels = &ks_kernels, .mode = KS_MODE_TIMING, .oplog = KS_OPLOG_HASH};
    ks_worker *worker = ks_worker_new();
    bench_check(worker != NULL, "out of memory");
    for (int i = 0; i < ROWS; i++) {
        ks_point point;
        ks_error detail;
        char key[512];
        const char *base = i % 2 ? "kernel=decode_opt3 G=8 TILE=64 d=128 S=4096"
                                 : "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096";
        bench_check(!ks_key_parse(base, &ks_kernels, &point, &detail), detail.text);
        ks_constant moved[] = {KS_C_dispatch_fixed_cycles, KS_C_dma_latency_cycles,
                               KS_C_dma_bytes_per_cycle};
        for (int c = 0; c < 3; c++)
            point.calibration.values[moved[c]] = random_between(&source, 10, 400) * 2500;
        random_point_key(&point, key, sizeof key);
        bench_check(!ks_point_run(worker, &job, &point, key, &r->rows[i], &detail), detail.text);
        const ks_row sample = sample_row(&source);
        for (int c = KS_COL_max_abs_err; c <= KS_COL_out_xxh128; c++)
            r->rows[i].figures[c] = sample.figures[c];
        r->rows[i].has = (UINT64_C(1) << KS_COLUMN_COUNT) - 1;
    }
    ks_worker_free(worker);
}

int main(int argc, char **argv) {
    bench *b = bench_begin("rows", argc, argv);
    run_points(&all);
    bench_task task = {.item = "row",
                       .items = ROWS,
                       .run = print,
                       .reference = print_plainly,
                       .floor = 3e6,
                       .goal = 10e6,
                       .self = &all};
    task.figure = "row of mode data (all columns)";
    bench_time(b, &task);
    keep_timing(&all, true);
    task.figure = "row of mode timing";
    bench_time(b, &task);
    keep_timing(&all, false);
    task.figure = "row of mode timing without op_log";
    bench_time(b, &task);
    bench_check(!all.text.has_failed, "out of memory");
    ks_text_free(&all.text);
    return bench_end(b);
}
