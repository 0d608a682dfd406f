/* Part `harness`: what a point costs besides its simulation. */
#include <string.h>

#include "bench/bench.h"
#include "kernels/kernels.h"
#include "report/csv.h"
#include "run/runner.h"
#include "sweep/key.h"

enum { POINTS = 1 << 14 };

/* A kernel that loads one element: lowering it is next to nothing. */
static void lower_nearly_nothing(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    ks_tl_wait(tl, ks_tl_load_tensor(tl, &layout->tensors[0]));
}

static const ks_kernel nearly_nothing = {
    .name = "nearly_nothing", .task = KS_TASK_GEMM, .lower = lower_nearly_nothing};
static const ks_kernel_table one_kernel = {&nearly_nothing, 1};

static const char sweep_text[] =
    "sweep: harness.bench\nabout: nearly nothing to run\nmode: dispatch\ngolden: none\n"
    "axes:\n"
    "  kernel: [nearly_nothing]\n"
    "  dispatch_fixed_cycles: {range: [1, 128, 1]}\n"
    "  dma_latency_cycles: {range: [0.5, 64, 0.5]}\n"
    "set: {M: 1, K: 1, N: 1}\n";

typedef struct harness {
    ks_sweep *sweep;
    ks_grid *grid;
    ks_worker *worker;
    ks_job job;
    ks_point points[POINTS];
    ks_text key, line, written;
    ks_row row;
    uint64_t passed;
} harness;

/* ---- the steps, one by one ---- */

static void expand(void *self) {
    harness *h = self;
    for (uint64_t i = 0; i < POINTS; i++) {
        ks_cell cell;
        ks_error error;
        bench_check(!ks_grid_at(h->grid, i, &cell, &error), "a cell of the grid");
        h->points[i] = cell.point;
    }
}

static void print_keys(void *self) {
    harness *h = self;
    for (int i = 0; i < POINTS; i++) {
        ks_text_clear(&h->key);
        ks_key_print(&h->key, &one_kernel, &h->points[i]);
        ks_key_id(h->row.id, ks_text_string(&h->key));
    }
}

static void run_points(void *self) {
    harness *h = self;
    ks_error detail;
    for (int i = 0; i < POINTS; i++)
        bench_check(!ks_point_run(h->worker, &h->job, &h->points[i], "", &h->row, &detail),
                    "a point alone");
}

/* ---- all of them ---- */

static void format(const void *self, const ks_record *record, ks_text *line) {
    (void)self;
    ks_points_csv_line(line, record);
}

static ks_status take(void *self, const ks_record *record, const ks_text *line) {
    harness *h = self;
    h->passed += record->row->verdict == KS_VERDICT_pass;
    ks_text_add(&h->written, line->data, line->length);
    return KS_OK;
}

static void run_all(void *self) {
    harness *h = self;
    const ks_run_options options = {
        .job = &h->job, .threads = 1, .self = h, .format = format, .take = take};
    ks_account account;
    ks_error error;
    ks_text_clear(&h->written);
    h->passed = 0;
    bench_check(!ks_run(h->sweep, h->grid, &options, POINTS, &account, &error), error.text);
    bench_check(h->passed == POINTS, "every point passes");
}

static harness h;

int main(int argc, char **argv) {
    bench *b = bench_begin("harness", argc, argv);
    const ks_sweep_options options = {0};
    ks_error error;
    h.job = (ks_job){.kernels = &one_kernel, .mode = KS_MODE_DISPATCH};
    h.worker = ks_worker_new();
    bench_check(h.worker != NULL, "out of memory");
    bench_check(!ks_sweep_parse("harness.yaml", sweep_text, strlen(sweep_text), &one_kernel,
                                &options, &h.sweep, &error),
                error.text);
    bench_check(!ks_grid_new(h.sweep, POINTS, &h.grid, &error), error.text);
    bench_check(ks_grid_size(h.grid) == POINTS, "the grid's size");
    bench_task task = {.item = "point", .items = POINTS, .self = &h};
    task.figure = "from index to point";
    task.run = expand;
    const double expanding = bench_time(b, &task);
    task.figure = "KEY and id";
    task.run = print_keys;
    const double naming = bench_time(b, &task);
    task.figure = "a point that does nearly nothing; alone";
    task.run = run_points;
    const double alone = bench_time(b, &task);
    task.figure = "the same from sweep to row";
    task.run = run_all;
    const double all = bench_time(b, &task);
    bench_value(b, "harness of a point", "cycle", all - alone, BENCH_HERTZ / 1e6,
                BENCH_HERTZ / 2e6);
    bench_value(b, "of this its rows and windows", "cycle", all - alone - expanding - naming, 0, 0);
    ks_text_free(&h.key), ks_text_free(&h.line), ks_text_free(&h.written);
    ks_grid_free(h.grid);
    ks_sweep_free(h.sweep);
    ks_worker_free(h.worker);
    return bench_end(b);
}
