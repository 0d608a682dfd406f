#include "data/numeric.h"
#include "data/reference.h"

/* A bench with its inputs in float64. `more` is BIAS, B2 or w. */
typedef struct bench {
    uint64_t m, k, n;
    uint64_t tile_k;      /* gemm_ktile_scale */
    double *a, *b, *more; /* a: A or X */
    ks_arena *scratch;
    const ks_isa *isa;
} bench;

static double *take(ks_arena *scratch, uint64_t count) {
    return ks_arena_take(scratch, count, sizeof(double));
}

/* out (m x n) += a (m x k of rows `stride` apart) b (k x n), k ascending. */
static void multiply_add(const bench *of, double *out, const double *a, uint64_t stride,
                         const double *b, uint64_t k) {
    of->isa->solve64->multiply(out, of->n, a, stride, 1, b, of->n, of->m, of->n, k);
}

static void multiply(const bench *of, double *out, const double *a, const double *b, uint64_t k) {
    for (uint64_t i = 0; i < of->m * of->n; i++) out[i] = 0;
    multiply_add(of, out, a, k, b, k);
}

/* 1 / sqrt(mean of squares + 1e-6) */
static double inverse_rms(const double *row, uint64_t count) {
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) sum += row[i] * row[i];
    return 1.0 / __builtin_sqrt(sum / (double)count + 1e-6);
}

static bool solve_gemm(const bench *b, double *out) {
    multiply(b, out, b->a, b->b, b->k);
    return true;
}

static bool solve_bias_relu(const bench *b, double *out) {
    multiply(b, out, b->a, b->b, b->k);
    for (uint64_t i = 0; i < b->m * b->n; i++) {
        out[i] += b->more[i % b->n];
        out[i] = out[i] > 0 ? out[i] : 0;
    }
    return true;
}

static bool solve_ktile_scale(const bench *b, double *out) {
    for (uint64_t i = 0; i < b->m * b->n; i++) out[i] = 0;
    for (uint64_t first = 0; first < b->k; first += b->tile_k) {
        const uint64_t left = b->k - first, kt = left < b->tile_k ? left : b->tile_k;
        multiply_add(b, out, &b->a[first], b->k, &b->b[first * b->n], kt);
        for (uint64_t i = 0; i < b->m * b->n; i++) out[i] *= 0.5;
    }
    return true;
}

static bool solve_chain(const bench *b, double *out) {
    double *t = take(b->scratch, b->m * b->n);
    if (!t) return false;
    multiply(b, t, b->a, b->b, b->k);
    multiply(b, out, t, b->more, b->n);
    return true;
}

static bool solve_postnorm(const bench *b, double *out) {
    multiply(b, out, b->a, b->b, b->k);
    for (uint64_t i = 0; i < b->m; i++) {
        const double factor = inverse_rms(&out[i * b->n], b->n);
        for (uint64_t j = 0; j < b->n; j++) out[i * b->n + j] *= factor;
    }
    return true;
}

static bool solve_math_chain(const bench *b, double *out) {
    for (uint64_t i = 0; i < b->m; i++) {
        const double *x = &b->a[i * b->n];
        double *y = &out[i * b->n], most = x[0], sum = 0;
        for (uint64_t j = 1; j < b->n; j++) most = x[j] > most ? x[j] : most;
        for (uint64_t j = 0; j < b->n; j++) {
            y[j] = ks_exp64(x[j] - most);
            sum += y[j];
        }
        for (uint64_t j = 0; j < b->n; j++) y[j] /= sum;
    }
    return true;
}

/* y (m x k) = x / rms(x) x w */
static double *normed(const bench *b) {
    double *y = take(b->scratch, b->m * b->k);
    if (!y) return NULL;
    for (uint64_t i = 0; i < b->m; i++) {
        const double factor = inverse_rms(&b->a[i * b->k], b->k);
        for (uint64_t l = 0; l < b->k; l++)
            y[i * b->k + l] = b->a[i * b->k + l] * factor * b->more[l];
    }
    return y;
}

static bool solve_rmsnorm_linear(const bench *b, double *out) {
    const double *y = normed(b);
    if (y) multiply(b, out, y, b->b, b->k);
    return y != NULL;
}

static void make_absolute(double *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) values[i] = values[i] < 0 ? -values[i] : values[i];
}

static bool magnitude_postnorm(const bench *b, double *out) {
    double *t = take(b->scratch, b->m * b->n);
    if (!t) return false;
    multiply(b, t, b->a, b->b, b->k);
    make_absolute(b->a, b->m * b->k);
    make_absolute(b->b, b->k * b->n);
    multiply(b, out, b->a, b->b, b->k);
    for (uint64_t i = 0; i < b->m; i++) {
        const double factor = inverse_rms(&t[i * b->n], b->n);
        for (uint64_t j = 0; j < b->n; j++) out[i * b->n + j] *= factor;
    }
    return true;
}

static bool magnitude_rmsnorm_linear(const bench *b, double *out) {
    double *y = normed(b);
    if (!y) return false;
    make_absolute(y, b->m * b->k);
    make_absolute(b->b, b->k * b->n);
    multiply(b, out, y, b->b, b->k);
    return true;
}

/* magnitude NULL: solve on the absolute inputs. */
static const struct {
    bool (*solve)(const bench *b, double *out);
    bool (*magnitude)(const bench *b, double *out);
} benches[KS_TASK_COUNT] = {
    [KS_TASK_GEMM] = {solve_gemm, NULL},
    [KS_TASK_GEMM_BIAS_RELU] = {solve_bias_relu, NULL},
    [KS_TASK_GEMM_KTILE_SCALE] = {solve_ktile_scale, NULL},
    [KS_TASK_GEMM_CHAIN] = {solve_chain, NULL},
    [KS_TASK_GEMM_POSTNORM] = {solve_postnorm, magnitude_postnorm},
    [KS_TASK_MATH_CHAIN] = {solve_math_chain, solve_math_chain},
    [KS_TASK_RMSNORM_LINEAR] = {solve_rmsnorm_linear, magnitude_rmsnorm_linear},
};

static uint64_t elements(const ks_tensor *tensor) { return tensor->rows * tensor->cols; }

/* Inputs in float64, by their order among the inputs: a, b, more (math_chain has a only). */
static bool take_inputs(const ks_problem *problem, bench *b) {
    double **const places[] = {&b->a, &b->b, &b->more};
    uint32_t place = 0;
    for (uint32_t t = 0; t < problem->layout->count; t++) {
        const ks_tensor *tensor = &problem->layout->tensors[t];
        if (tensor->is_output) continue;
        double *values = take(problem->scratch, elements(tensor));
        if (!values) return false;
        b->isa->solve64->widen(values, tensor->cols, problem->inputs[t], tensor->cols, tensor->rows,
                               tensor->cols);
        *places[place++] = values;
    }
    return true;
}

static bool bench_make(const ks_problem *problem, bench *b) {
    const uint64_t *params = problem->key->params;
    *b = (bench){.m = params[KS_P_M], .k = params[KS_P_K], .n = params[KS_P_N]};
    b->tile_k = problem->key->gemm_tile_k;
    b->scratch = problem->scratch;
    b->isa = problem->isa;
    return take_inputs(problem, b);
}

bool ks_reference_bench(const ks_problem *problem, double *out) {
    bench b;
    return bench_make(problem, &b) && benches[problem->key->task].solve(&b, out);
}

bool ks_reference_bench_magnitude(const ks_problem *problem, double *magnitude) {
    const ks_task task = problem->key->task;
    bench b;
    if (!bench_make(problem, &b)) return false;
    if (benches[task].magnitude) return benches[task].magnitude(&b, magnitude);
    make_absolute(b.a, b.m * b.k);
    make_absolute(b.b, b.k * b.n);
    const ks_tensor *more = &problem->layout->tensors[KS_MAX_TENSORS - 1];
    if (b.more) make_absolute(b.more, elements(more));
    return benches[task].solve(&b, magnitude);
}
