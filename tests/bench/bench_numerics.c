/* Part `numerics`: how fast data mode's loops and a whole point of data mode are, each beside the
 * best that the same core does in the same run (peak.h). Figures are medians of rounds in which
 * loop and peak take turns, by the thread's own clock. The rates are printed, the shares kept. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/peak.h"
#include "data/inputs.h"
#include "data/isa.h"
#include "data/reference.h"
#include "kernels/kernels.h"
#include "run/point_run.h"
#include "sweep/key.h"

enum { ROUNDS = 21, SLICE_NS = 1500000, MOST = 1 << 20, NAME = 64, NAMES = 64 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *need(void *memory) {
    bench_check(memory != NULL, "out of memory");
    return memory;
}

/* A figure's name, which the frame keeps. */
static const char *name_of(const char *set, const char *what) {
    static char names[NAMES][NAME];
    static int count;
    bench_check(count < NAMES, "too many names");
    snprintf(names[count], NAME, "%s%s%s", set, *set ? " " : "", what);
    return names[count++];
}

/* ---- loops ---- */

typedef void sgemm_fn(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb, float beta, float *c,
                      int ldc);

/* Operands of every loop, filled with numbers near 1, aligned as the replay aligns. */
typedef struct room {
    bench *b;
    const ks_isa *isa;
    const peak_loop *peak;
    sgemm_fn *sgemm;
    float *a, *b32, *c;
    double *a64, *b64, *c64;
    uint16_t *raw;
    volatile double sink;
} room;

typedef struct loop {
    const char *name, *unit;
    void (*run)(room *w, const struct loop *l);
    uint64_t m, n, k;
    double work; /* of one run, in billions of `unit` x seconds: flops, elements, bytes */
    int is_float64;
    ks_dtype dtype;
    double floor_v4, floor_v3; /* least share of the peak that is asked for; 0: none */
} loop;

static void gemm(room *w, const loop *l) {
    w->isa->gemm->accumulate(w->c, w->a, w->b32, l->m, l->n, l->k);
}

static void blas(room *w, const loop *l) {
    const int m = (int)l->m, n = (int)l->n, k = (int)l->k;
    enum { ROW_MAJOR = 101, NO_TRANS = 111 };
    w->sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, m, n, k, 1, w->a, k, w->b32, n, 1, w->c, n);
}

static void multiply64(room *w, const loop *l) {
    w->isa->solve64->multiply(w->c64, l->n, w->a64, l->k, 1, w->b64, l->n, l->m, l->n, l->k);
}

static void exp_diff(room *w, const loop *l) {
    const float *const in[] = {w->a, w->b32};
    w->isa->math->row_ops[KS_OP_exp_diff](w->c, in, l->n, 0);
}

static void from_floats(room *w, const loop *l) {
    w->isa->convert->from_floats[l->dtype](w->raw, w->a, l->n);
}

static void to_floats(room *w, const loop *l) {
    w->isa->convert->to_floats[l->dtype](w->c, w->raw, l->n);
}

static void generate(room *w, const loop *l) {
    const ks_draws draws = {1, 2, 3, 1.0f};
    w->isa->input->generators[l->m](&draws, 0, l->n, w->c);
}

static void read_b(room *w, const loop *l) { w->sink = w->peak->read(w->b32, l->n * l->k); }

#define FLOPS(m, n, k) (2e-9 * (m) * (n) * (k))
#define GEMM(m, n, k, v4, v3) \
    { "GEMM " #m "x" #n "x" #k, "GFLOP/s", gemm, m, n, k, FLOPS(m, n, k), 0, 0, v4, v3 }
#define BLAS(m, n, k) \
    { "OpenBLAS " #m "x" #n "x" #k, "GFLOP/s", blas, m, n, k, FLOPS(m, n, k), 0, 0, 0, 0 }
#define WIDE(m, n, k) \
    { "float64 " #m "x" #n "x" #k, "GFLOP/s", multiply64, m, n, k, FLOPS(m, n, k), 1, 0, 0, 0 }
#define EACH(name, run, m, n, dtype, v4) \
    { name, "element/ns", run, m, n, 1, 1e-9 * (n), 0, dtype, v4, 0 }

static const loop loops[] = {
    GEMM(8, 256, 128, 0.8, 0.75),
    GEMM(8, 128, 256, 0.8, 0.75),
    GEMM(16, 256, 256, 0, 0),
    GEMM(1, 128, 128, 0.2, 0),
    {"reading that B once", "GFLOP/s", read_b, 1, 128, 128, FLOPS(1, 128, 128), 0, 0, 0, 0},
    WIDE(32, 8, 128),
    WIDE(8, 32, 128),
    EACH("exp", exp_diff, 0, 4096, 0, 1.0 / 200),
    EACH("round to f16", from_floats, 0, 4096, KS_F16, 0),
    EACH("round to bf16", from_floats, 0, 4096, KS_BF16, 0),
    EACH("widen f16", to_floats, 0, 4096, KS_F16, 0),
    EACH("generator normal", generate, KS_DIST_normal, 4096, 0, 0),
    EACH("generator outlier", generate, KS_DIST_outlier, 4096, 0, 0),
    EACH("generator uniform", generate, KS_DIST_uniform, 4096, 0, 0),
    BLAS(8, 256, 128),
    BLAS(8, 128, 256),
    BLAS(1, 128, 128),
};

/* Nanoseconds of one run. */
static double time_loop(room *w, const loop *l, uint64_t runs) {
    const double start = now_ns();
    for (uint64_t i = 0; i < runs; i++) l->run(w, l);
    return (now_ns() - start) / (double)runs;
}

/* GFLOP/s. */
static double time_peak(room *w, int is_float64, uint64_t steps) {
    const double start = now_ns();
    w->sink = is_float64 ? w->peak->run64(steps) : (double)w->peak->run32(steps);
    const uint64_t flops = is_float64 ? w->peak->flops64 : w->peak->flops32;
    return (double)(steps * flops) / (now_ns() - start);
}

static double floor_of(const room *w, const loop *l) {
    if (strcmp(ks_isa_name(w->isa), "x86-64-v4") == 0) return l->floor_v4;
    return strcmp(ks_isa_name(w->isa), "x86-64-v3") == 0 ? l->floor_v3 : 0;
}

static void print_rate(const room *w, const char *name, double rate, const char *unit) {
    printf("%-10s %-32s %9.3g %s\n", ks_isa_name(w->isa), name, rate, unit);
}

static void measure(room *w, const loop *l) {
    double rates[ROUNDS], shares[ROUNDS];
    const int rounds = bench_repetitions(w->b);
    if (l->run == blas && !w->sgemm) return;
    const double once = time_loop(w, l, 4), slice = bench_is_once(w->b) ? 0 : SLICE_NS;
    const uint64_t runs = 1 + (uint64_t)(slice / (once + 1));
    const uint64_t flops = l->is_float64 ? w->peak->flops64 : w->peak->flops32;
    const uint64_t steps = 1 + (uint64_t)(slice * 100.0 / (double)flops);
    for (int i = 0; i < rounds; i++) {
        const double before = time_peak(w, l->is_float64, steps);
        rates[i] = l->work * 1e9 / time_loop(w, l, runs);
        shares[i] = 2 * rates[i] / (before + time_peak(w, l->is_float64, steps));
    }
    const double least = floor_of(w, l);
    print_rate(w, l->name, bench_median(rates, rounds), l->unit);
    bench_value(w->b, name_of(ks_isa_name(w->isa), l->name),
                l->work == 1e-9 * (double)l->n ? "element/FLOP" : "of peak",
                bench_median(shares, rounds), least, 1.1 * least);
}

static void fill(room *w) {
    for (uint64_t i = 0; i < MOST; i++) {
        w->a[i] = 0.5f + (float)(i % 251) * 0x1p-9f;
        w->b32[i] = 1.0f + (float)(i % 241) * 0x1p-9f;
        w->c[i] = 0;
        w->a64[i] = (double)w->a[i], w->b64[i] = (double)w->b32[i], w->c64[i] = 0;
        w->raw[i] = 0x3c00;
    }
}

static void measure_isa(room *w, const ks_isa *isa) {
    w->isa = isa;
    w->peak = peak_loop_of(ks_isa_name(isa));
    if (!w->peak) return;
    for (int is_float64 = 0; is_float64 < 2; is_float64++) {
        double rates[ROUNDS];
        const int rounds = bench_repetitions(w->b);
        for (int r = 0; r < rounds; r++) rates[r] = time_peak(w, is_float64, 1 << 16);
        print_rate(w,
                   is_float64          ? "peak loop, float64"
                   : w->peak->is_fused ? "peak loop, float32, FMA"
                                       : "peak loop, float32, no FMA",
                   bench_median(rates, rounds), "GFLOP/s");
    }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        fill(w);
        measure(w, &loops[i]);
    }
}

/* ---- a whole point ---- */

#define POINT "kernel=decode_opt2 G=8 TILE=256 d=128 S=32768"
#define POINT_FLOPS (4.0 * 8 * 32768 * 128)

enum { WHOLE, SHARED, KNOWN, TIMING, NUMBERS, PLAIN, INPUTS, REFERENCE, PARTS };

static double time_point(ks_worker *worker, ks_mode mode, bool shares_results,
                         const ks_point *point) {
    ks_job job = {.kernels = &ks_kernels,
                  .mode = mode,
                  .oplog = KS_OPLOG_HASH,
                  .shares_results = shares_results};
    ks_row row;
    ks_error detail;
    for (int i = 0; i < KS_DTYPE_COUNT; i++) job.tolerance[i].kind = KS_TOLERANCE_TWICE_PLAIN;
    const double start = now_ns();
    const ks_status status = ks_point_run(worker, &job, point, POINT, &row, &detail);
    const double spent = now_ns() - start;
    bench_check(!status && row.verdict == KS_VERDICT_pass, "the point does not pass");
    return spent;
}

/* Q, K, V generated and rounded, once. */
static double time_inputs(const ks_numbers_key *key, const ks_layout *layout, room *w) {
    enum { PIECE = 8192 };
    const double start = now_ns();
    for (uint32_t t = 0; t < layout->count; t++) {
        const uint64_t count = layout->tensors[t].rows * layout->tensors[t].cols;
        for (uint64_t i = 0; !layout->tensors[t].is_output && i < count; i += PIECE) {
            const uint64_t length = count - i < PIECE ? count - i : PIECE;
            ks_input_generate(key, w->isa, t, i, length, w->c);
            w->isa->convert->round_floats[KS_F16](w->raw, w->c, length);
        }
    }
    return now_ns() - start;
}

/* One reference; its pieces of K and V are near, as they are when they have just been made. */
static double time_reference(const ks_point *point, room *w, ks_arena *scratch) {
    const uint64_t d = ks_param_of(point, KS_P_d);
    ks_attention a = {.isa = w->isa,
                      .rows = ks_param_of(point, KS_P_G),
                      .length = ks_param_of(point, KS_P_S),
                      .d = d};
    ks_arena_reset(scratch);
    const double start = now_ns();
    bench_check(ks_attention_begin(&a, w->a, w->c64, scratch), "out of memory");
    for (uint64_t j = 0; j + KS_PIECE_ROWS <= a.length; j += KS_PIECE_ROWS)
        ks_attention_keys(&a, &w->a[j % 256 * d], j, KS_PIECE_ROWS);
    ks_attention_weigh(&a);
    for (uint64_t j = 0; j + KS_PIECE_ROWS <= a.length; j += KS_PIECE_ROWS)
        ks_attention_values(&a, &w->a[j % 256 * d], j, KS_PIECE_ROWS);
    ks_attention_end(&a);
    return now_ns() - start;
}

/* What the point costs, and its parts by themselves, in nanoseconds. */
static void time_parts(const ks_point *point, room *w, ks_arena *scratch, double *parts) {
    const ks_numbers_key key = ks_numbers_key_of(KS_TASK_ATTENTION, point);
    ks_numbers *numbers;
    double plain;
    ks_worker *worker = need(ks_worker_new());
    parts[WHOLE] = time_point(worker, KS_MODE_DATA, false, point);
    for (int i = 0; i < 3; i++) { /* the last: memory is as it is in the midst of a sweep */
        parts[SHARED] = time_point(worker, KS_MODE_DATA, false, point);
        parts[KNOWN] = time_point(worker, KS_MODE_DATA, true, point);
    }
    parts[TIMING] = time_point(worker, KS_MODE_TIMING, false, point);
    double start = now_ns();
    bench_check(ks_numbers_new(&key, NULL, &numbers) == KS_OK, "out of memory");
    parts[NUMBERS] = now_ns() - start;
    start = now_ns();
    bench_check(!ks_numbers_plain_max_abs_err(numbers, KS_F16, KS_F16, &plain), "out of memory");
    parts[PLAIN] = now_ns() - start;
    parts[INPUTS] = time_inputs(&key, ks_numbers_layout(numbers), w);
    parts[REFERENCE] = time_reference(point, w, scratch);
    ks_numbers_free(numbers);
    ks_worker_free(worker);
}

static void print_parts(room *w, const double *parts, double unit_ns, double peak64) {
    static const struct {
        const char *name;
        double most, aim;
    } figures[PARTS] = {
        [WHOLE] = {"data point", 50, 25},
        [SHARED] = {"data point with shared numbers", 10, 8},
        [KNOWN] = {"data point with a known result", 0, 0},
        [TIMING] = {"  its timing and op_log alone", 0, 0},
        [NUMBERS] = {"  its inputs and both references", 0, 0},
        [PLAIN] = {"  its plain attention", 0, 0},
        [INPUTS] = {"  its inputs made and rounded", 0, 0},
        [REFERENCE] = {"  one reference", 0, 0},
    };
    printf(POINT ": 4 G S d flops at the GEMM's rate: %.3g us\n", unit_ns * 1e-3);
    for (int i = 0; i < PARTS; i++)
        bench_value(w->b, figures[i].name, "x 4GSd flops", parts[i] / unit_ns, figures[i].most,
                    figures[i].aim);
    bench_value(w->b, "inputs over both references", "1", parts[INPUTS] / (2 * parts[REFERENCE]), 1,
                0.9);
    bench_value(w->b, "reference over a float64 peak loop", "1",
                parts[REFERENCE] / (POINT_FLOPS / peak64), 2, 1.8);
}

static void measure_point(room *w) {
    ks_point point;
    ks_error error;
    double figures[PARTS][ROUNDS], rates[ROUNDS], peaks[ROUNDS], parts[PARTS];
    const loop shape = GEMM(8, 256, 128, 0, 0);
    const int rounds = bench_repetitions(w->b);
    ks_arena *scratch = need(ks_arena_new(1 << 16));
    bench_check(!ks_key_parse(POINT, &ks_kernels, &point, &error), error.text);
    w->isa = ks_isa_best();
    w->peak = peak_loop_of(ks_isa_name(w->isa));
    fill(w);
    for (int i = 0; i < rounds; i++) {
        time_parts(&point, w, scratch, parts);
        for (int j = 0; j < PARTS; j++) figures[j][i] = parts[j];
        fill(w);
        rates[i] = shape.work * 1e9 / time_loop(w, &shape, 2000);
        peaks[i] = time_peak(w, 1, 100000);
    }
    ks_arena_free(scratch);
    for (int j = 0; j < PARTS; j++) parts[j] = bench_median(figures[j], rounds);
    print_parts(w, parts, POINT_FLOPS / bench_median(rates, rounds), bench_median(peaks, rounds));
}

int main(int argc, char **argv) {
    room w = {.b = bench_begin("numerics", argc, argv),
              .a = need(aligned_alloc(64, MOST * sizeof(float))),
              .b32 = need(aligned_alloc(64, MOST * sizeof(float))),
              .c = need(aligned_alloc(64, MOST * sizeof(float))),
              .a64 = need(aligned_alloc(64, MOST * sizeof(double))),
              .b64 = need(aligned_alloc(64, MOST * sizeof(double))),
              .c64 = need(aligned_alloc(64, MOST * sizeof(double))),
              .raw = need(aligned_alloc(64, MOST * sizeof(uint16_t)))};
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    void *symbol = library ? dlsym(library, "cblas_sgemm") : NULL;
    memcpy(&w.sgemm, &symbol, sizeof symbol); /* ISO C has no cast between the two */
    for (uint32_t i = 0; ks_isa_at(i); i++)
        if (ks_isa_runs_here(ks_isa_at(i))) measure_isa(&w, ks_isa_at(i));
    if (!w.sgemm) printf("OpenBLAS is not installed: not measured\n");
    measure_point(&w);
    if (library) dlclose(library);
    free(w.a), free(w.b32), free(w.c), free(w.a64), free(w.b64), free(w.c64), free(w.raw);
    return bench_end(w.b);
}
