/* ci/bench numerics: how fast data mode's loops and a whole point of data mode are, each beside
 * the best that the same core does in the same run (peak.h). Rates are medians of rounds in which
 * loop and peak take turns, by the thread's own clock. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/peak.h"
#include "data/inputs.h"
#include "data/isa.h"
#include "kernels/kernels.h"
#include "run/point_run.h"
#include "sweep/key.h"

enum { ROUNDS = 15, SLICE_NS = 1500000, MOST = 1 << 20 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

static void *need(void *memory) {
    if (memory) return memory;
    fprintf(stderr, "bench_numerics: out of memory\n");
    exit(3);
}

/* ---- loops ---- */

typedef void sgemm_fn(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb, float beta, float *c,
                      int ldc);

/* Operands of every loop, filled with numbers near 1, aligned as the replay aligns. */
typedef struct bench {
    const ks_isa *isa;
    const peak_loop *peak;
    sgemm_fn *sgemm;
    float *a, *b, *c;
    double *a64, *b64, *c64;
    uint16_t *raw;
    volatile double sink;
} bench;

typedef struct loop {
    const char *name, *unit;
    void (*run)(bench *w, const struct loop *l);
    uint64_t m, n, k;
    double work; /* of one run, in billions of `unit` x seconds: flops, elements, bytes */
    int is_float64;
    ks_dtype dtype;
} loop;

static void gemm(bench *w, const loop *l) {
    w->isa->gemm->accumulate(w->c, w->a, w->b, l->m, l->n, l->k);
}

static void blas(bench *w, const loop *l) {
    const int m = (int)l->m, n = (int)l->n, k = (int)l->k;
    enum { ROW_MAJOR = 101, NO_TRANS = 111 };
    w->sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, m, n, k, 1, w->a, k, w->b, n, 1, w->c, n);
}

static void multiply64(bench *w, const loop *l) {
    w->isa->solve64->multiply(w->c64, l->n, w->a64, l->k, w->b64, l->n, l->m, l->n, l->k);
}

static void exp_diff(bench *w, const loop *l) {
    const float *const in[] = {w->a, w->b};
    w->isa->math->row_ops[KS_OP_exp_diff](w->c, in, l->n, 0);
}

static void from_floats(bench *w, const loop *l) {
    w->isa->convert->from_floats[l->dtype](w->raw, w->a, l->n);
}

static void to_floats(bench *w, const loop *l) {
    w->isa->convert->to_floats[l->dtype](w->c, w->raw, l->n);
}

static void generate(bench *w, const loop *l) {
    const ks_draws draws = {1, 2, 3, 1.0f};
    w->isa->input->generators[l->m](&draws, 0, l->n, w->c);
}

static void read_b(bench *w, const loop *l) { w->sink = w->peak->read(w->b, l->n * l->k); }

#define FLOPS(m, n, k) (2e-9 * (m) * (n) * (k))
#define GEMM(m, n, k) \
    { "GEMM " #m "x" #n "x" #k, "GFLOP/s", gemm, m, n, k, FLOPS(m, n, k), 0, 0 }
#define BLAS(m, n, k) \
    { "OpenBLAS " #m "x" #n "x" #k, "GFLOP/s", blas, m, n, k, FLOPS(m, n, k), 0, 0 }
#define EACH(name, run, m, n, dtype) \
    { name, "element/ns", run, m, n, 1, 1e-9 * (n), 0, dtype }

static const loop loops[] = {
    GEMM(8, 256, 128),
    GEMM(8, 128, 256),
    GEMM(8, 64, 64),
    GEMM(4, 64, 64),
    GEMM(16, 256, 256),
    GEMM(1, 128, 128),
    GEMM(1, 64, 64),
    {"reading that B once (1x128x128)", "GFLOP/s", read_b, 1, 128, 128, FLOPS(1, 128, 128), 0, 0},
    {"float64 8x64x128", "GFLOP/s", multiply64, 8, 64, 128, FLOPS(8, 64, 128), 1, 0},
    {"float64 8x128x64", "GFLOP/s", multiply64, 8, 128, 64, FLOPS(8, 128, 64), 1, 0},
    EACH("exp", exp_diff, 0, 4096, 0),
    EACH("round to f16", from_floats, 0, 4096, KS_F16),
    EACH("round to bf16", from_floats, 0, 4096, KS_BF16),
    EACH("widen f16", to_floats, 0, 4096, KS_F16),
    EACH("generator, normal", generate, KS_DIST_normal, 4096, 0),
    EACH("generator, outlier", generate, KS_DIST_outlier, 4096, 0),
    EACH("generator, uniform", generate, KS_DIST_uniform, 4096, 0),
    BLAS(8, 256, 128),
    BLAS(8, 128, 256),
    BLAS(1, 128, 128),
};

/* Nanoseconds of one run. */
static double time_loop(bench *w, const loop *l, uint64_t runs) {
    const double start = now_ns();
    for (uint64_t i = 0; i < runs; i++) l->run(w, l);
    return (now_ns() - start) / (double)runs;
}

/* GFLOP/s. */
static double time_peak(bench *w, int is_float64, uint64_t steps) {
    const double start = now_ns();
    w->sink = is_float64 ? w->peak->run64(steps) : (double)w->peak->run32(steps);
    const uint64_t flops = is_float64 ? w->peak->flops64 : w->peak->flops32;
    return (double)(steps * flops) / (now_ns() - start);
}

static void measure(bench *w, const loop *l) {
    double rates[ROUNDS], shares[ROUNDS];
    if (l->run == blas && !w->sgemm) return;
    const double once = time_loop(w, l, 4);
    const uint64_t runs = 1 + (uint64_t)(SLICE_NS / (once + 1));
    const uint64_t flops = l->is_float64 ? w->peak->flops64 : w->peak->flops32;
    const uint64_t steps = (uint64_t)(SLICE_NS * 100.0 / (double)flops);
    for (int i = 0; i < ROUNDS; i++) {
        const double before = time_peak(w, l->is_float64, steps);
        rates[i] = l->work * 1e9 / time_loop(w, l, runs);
        shares[i] = 2 * rates[i] / (before + time_peak(w, l->is_float64, steps));
    }
    const double rate = median(rates, ROUNDS), share = median(shares, ROUNDS);
    printf("%-10s %-32s %9.3g %-10s %8.4f\n", ks_isa_name(w->isa), l->name, rate, l->unit, share);
}

static void fill(bench *w) {
    for (uint64_t i = 0; i < MOST; i++) {
        w->a[i] = 0.5f + (float)(i % 251) * 0x1p-9f;
        w->b[i] = 1.0f + (float)(i % 241) * 0x1p-9f;
        w->c[i] = 0;
        w->a64[i] = (double)w->a[i], w->b64[i] = (double)w->b[i], w->c64[i] = 0;
        w->raw[i] = 0x3c00;
    }
}

static void measure_isa(bench *w, const ks_isa *isa) {
    w->isa = isa;
    w->peak = peak_loop_of(ks_isa_name(isa));
    if (!w->peak) return;
    const uint64_t steps = 1 << 20;
    for (int i = 0; i < 2; i++) {
        double rates[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) rates[r] = time_peak(w, i, steps / 16);
        printf("%-10s %-32s %9.3g %-10s %8.4f\n", ks_isa_name(isa),
               i                   ? "peak loop, float64"
               : w->peak->is_fused ? "peak loop, float32, FMA"
                                   : "peak loop, float32, no FMA",
               median(rates, ROUNDS), "GFLOP/s", 1.0);
    }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        fill(w);
        measure(w, &loops[i]);
    }
}

/* ---- a whole point ---- */

#define POINT "kernel=decode_opt2 G=8 TILE=256 d=128 S=32768"

typedef struct parts {
    double inputs, numbers, plain, timing, whole, shared; /* ns */
} parts;

static double time_point(ks_worker *worker, ks_mode mode, const ks_point *point) {
    ks_job job = {.kernels = &ks_kernels, .mode = mode, .oplog = KS_OPLOG_HASH};
    ks_row row;
    ks_error detail;
    for (int i = 0; i < KS_DTYPE_COUNT; i++) job.tolerance[i].kind = KS_TOLERANCE_TWICE_PLAIN;
    const double start = now_ns();
    if (ks_point_run(worker, &job, point, POINT, &row, &detail) || row.verdict != KS_VERDICT_pass) {
        fprintf(stderr, "bench_numerics: %s: %s\n", row.reason, detail.text);
        exit(1);
    }
    return now_ns() - start;
}

/* Q, K, V generated, once. */
static double time_inputs(const ks_numbers_key *key, const ks_layout *layout, float *values) {
    const double start = now_ns();
    for (uint32_t t = 0; t < layout->count; t++) {
        const uint64_t count = layout->tensors[t].rows * layout->tensors[t].cols;
        for (uint64_t i = 0; !layout->tensors[t].is_output && i < count; i += 8192)
            ks_input_generate(key, ks_isa_best(), t, i, count - i < 8192 ? count - i : 8192,
                              values);
    }
    return now_ns() - start;
}

static parts time_parts(const ks_point *point, float *values) {
    parts p;
    const ks_numbers_key key = ks_numbers_key_of(KS_TASK_ATTENTION, point);
    ks_numbers *numbers;
    double plain;
    ks_worker *worker = need(ks_worker_new());
    p.whole = time_point(worker, KS_MODE_DATA, point);
    p.shared = time_point(worker, KS_MODE_DATA, point);
    p.timing = time_point(worker, KS_MODE_TIMING, point);
    const double start = now_ns();
    if (ks_numbers_new(&key, NULL, &numbers)) need(NULL);
    p.numbers = now_ns() - start;
    const double middle = now_ns();
    if (ks_numbers_plain_max_abs_err(numbers, KS_F16, KS_F16, &plain)) need(NULL);
    p.plain = now_ns() - middle;
    p.inputs = time_inputs(&key, ks_numbers_layout(numbers), values);
    ks_numbers_free(numbers);
    ks_worker_free(worker);
    return p;
}

static void measure_point(bench *w) {
    enum { PASSES = 7 };
    ks_point point;
    ks_error error;
    double figures[6][PASSES], rates[PASSES], peaks[PASSES];
    const loop shape = GEMM(8, 256, 128);
    if (ks_key_parse(POINT, &ks_kernels, &point, &error)) exit(2);
    w->isa = ks_isa_best();
    w->peak = peak_loop_of(ks_isa_name(w->isa));
    fill(w);
    for (int i = 0; i < PASSES; i++) {
        const parts p = time_parts(&point, w->c);
        const double f[6] = {p.whole, p.shared, p.timing, p.numbers, p.plain, p.inputs};
        for (int j = 0; j < 6; j++) figures[j][i] = f[j];
        rates[i] = shape.work * 1e9 / time_loop(w, &shape, 2000);
        peaks[i] = w->peak ? time_peak(w, 1, 100000) : 0;
    }
    double f[6];
    for (int j = 0; j < 6; j++) f[j] = median(figures[j], PASSES);
    const double flops = 4.0 * 8 * 32768 * 128, unit = flops / median(rates, PASSES);
    const char *const names[] = {"all of it",       "inputs, reference, plain shared",
                                 "mode timing",     "inputs and both references",
                                 "plain attention", "inputs alone"};
    printf("\n%s, 4 G S d flops at the GEMM's rate = %.3g us\n", POINT, unit * 1e-3);
    for (int j = 0; j < 6; j++)
        printf("  %-34s %9.4g us %8.2f x\n", names[j], f[j] * 1e-3, f[j] / unit);
    const double reference = f[3] - f[5];
    printf("  %-34s %9.3g of the two references\n", "inputs", f[5] / reference);
    printf("  %-34s %9.3g of the float64 peak\n", "references' 8 G S d flops",
           2 * flops / reference / median(peaks, PASSES));
}

int main(void) {
    bench w = {.a = need(aligned_alloc(64, MOST * sizeof(float))),
               .b = need(aligned_alloc(64, MOST * sizeof(float))),
               .c = need(aligned_alloc(64, MOST * sizeof(float))),
               .a64 = need(aligned_alloc(64, MOST * sizeof(double))),
               .b64 = need(aligned_alloc(64, MOST * sizeof(double))),
               .c64 = need(aligned_alloc(64, MOST * sizeof(double))),
               .raw = need(aligned_alloc(64, MOST * sizeof(uint16_t)))};
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    void *symbol = library ? dlsym(library, "cblas_sgemm") : NULL;
    memcpy(&w.sgemm, &symbol, sizeof symbol); /* ISO C has no cast between the two */
    printf("%-10s %-32s %9s %-10s %8s\n", "set", "loop", "rate", "unit", "of peak");
    for (uint32_t i = 0; ks_isa_at(i); i++)
        if (ks_isa_runs_here(ks_isa_at(i))) measure_isa(&w, ks_isa_at(i));
    if (!w.sgemm) printf("OpenBLAS is not installed: not measured\n");
    measure_point(&w);
    if (library) dlclose(library);
    free(w.a), free(w.b), free(w.c), free(w.a64), free(w.b64), free(w.c64), free(w.raw);
    return 0;
}
