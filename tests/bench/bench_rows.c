/* Part `rows`: from a row to its line of points.csv. */
#include <string.h>

#include "bench/bench.h"
#include "report/csv.h"
#include "support/sample_row.h"

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

int main(int argc, char **argv) {
    bench *b = bench_begin("rows", argc, argv);
    random_source source = {1};
    for (int i = 0; i < ROWS; i++) all.rows[i] = sample_row(&source);
    bench_task task = {
        .item = "row", .items = ROWS, .run = print, .reference = print_plainly, .self = &all};
    task.figure = "row of mode data";
    bench_time(b, &task);
    task.floor = 3e6;
    task.goal = 10e6;
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
