/* MATH ops of the replay, row by row (MODEL.md section 9). */
#include <float.h>

#include "data/isa_loops.h"
#include "data/numeric.h"

#define NEG_INF (-__builtin_inff())

/* An elementwise op: x, y, z are the operands' elements, c the immediate. */
#define ELEMENTWISE(name, operands, value)                                               \
    static void name(float *restrict out, const float *const *in, uint64_t n, float c) { \
        const float *const in0 = in[0], *const in1 = in[(operands) > 1 ? 1 : 0];         \
        const float *const in2 = in[(operands) > 2 ? 2 : 0];                             \
        _Pragma("omp simd") for (uint64_t i = 0; i < n; i++) {                           \
            const float x = in0[i], y = in1[i], z = in2[i];                              \
            (void)x, (void)y, (void)z, (void)c;                                          \
            out[i] = (value);                                                            \
        }                                                                                \
    }

ELEMENTWISE(scale, 1, (x * c))
ELEMENTWISE(relu, 1, x > 0 ? x : 0)
ELEMENTWISE(copy, 1, x)
ELEMENTWISE(add, 2, x + y)
ELEMENTWISE(multiply, 2, (x * y))
ELEMENTWISE(divide, 2, y == 0 ? 0 : (x / y) * c)
ELEMENTWISE(larger, 2, x != x ? x : y > x || y != y ? y : x)
ELEMENTWISE(exp_diff, 2, x == NEG_INF ? 0 : ks_exp(x - y))
ELEMENTWISE(fused_multiply_add, 3, ks_fma(x, y, z))
/* Each operation rounds to f32. */
ELEMENTWISE(rsqrt_mean, 1, 1.0f / __builtin_sqrtf(x / c + 1e-6f))

static void fill(float *restrict out, const float *const *in, uint64_t n, float c) {
    (void)in;
    for (uint64_t i = 0; i < n; i++) out[i] = c;
}

/* The first of equals, and a NaN stays. */
static float row_max_in_order(const float *row, uint64_t n) {
    float most = row[0];
    for (uint64_t i = 1; i < n && most == most; i++)
        most = row[i] > most || row[i] != row[i] ? row[i] : most;
    return most;
}

/* In any order, unless that could show: in a NaN, in the sign of a 0, or in what a compiler starts
 * a reduction with, which may be the lowest finite value (clang) in place of -inf. */
static float row_max(const float *row, uint64_t n) {
    float most = row[0];
    uint32_t nan_count = 0;
#pragma omp simd reduction(max : most) reduction(+ : nan_count)
    for (uint64_t i = 0; i < n; i++) {
        most = row[i] > most ? row[i] : most;
        nan_count += row[i] != row[i];
    }
    return nan_count || most == 0 || most <= -FLT_MAX ? row_max_in_order(row, n) : most;
}

static void rmax(float *restrict out, const float *in, uint64_t rows, uint64_t n) {
    for (uint64_t i = 0; i < rows; i++) out[i] = row_max(&in[i * n], n);
}

enum { SIDE_BY_SIDE = 8 }; /* rows summed at once: their additions do not wait for each other */

/* `squares`: a constant at every call. */
KS_INLINE void sum_rows(const int count, bool squares, float *restrict out, const float *in,
                        uint64_t n) {
    float sums[SIDE_BY_SIDE] = {0};
    for (uint64_t j = 0; j < n; j++)
#pragma GCC unroll 8
        for (int i = 0; i < count; i++) {
            const float x = in[(uint64_t)i * n + j];
            sums[i] += squares ? x * x : x;
        }
    for (int i = 0; i < count; i++) out[i] = sums[i];
}

static void rsum(float *restrict out, const float *in, uint64_t rows, uint64_t n) {
    uint64_t i = 0;
    for (; i + SIDE_BY_SIDE <= rows; i += SIDE_BY_SIDE)
        sum_rows(SIDE_BY_SIDE, false, &out[i], &in[i * n], n);
    for (; i < rows; i++) sum_rows(1, false, &out[i], &in[i * n], n);
}

static void rsumsq(float *restrict out, const float *in, uint64_t rows, uint64_t n) {
    uint64_t i = 0;
    for (; i + SIDE_BY_SIDE <= rows; i += SIDE_BY_SIDE)
        sum_rows(SIDE_BY_SIDE, true, &out[i], &in[i * n], n);
    for (; i < rows; i++) sum_rows(1, true, &out[i], &in[i * n], n);
}

static void rmsnorm(float *restrict out, const float *const *in, uint64_t n, float c) {
    float sum, factor;
    sum_rows(1, true, &sum, in[0], n);
    const float *const sums[] = {&sum};
    rsqrt_mean(&factor, sums, 1, c);
    for (uint64_t i = 0; i < n; i++) out[i] = in[0][i] * factor;
}

const ks_math_loops KS_OF_ISA(ks_math_loops) = {
    .row_ops = {[KS_OP_fill] = fill,
                [KS_OP_scale] = scale,
                [KS_OP_relu] = relu,
                [KS_OP_add] = add,
                [KS_OP_cast] = copy,
                [KS_OP_copy] = copy,
                [KS_OP_max_elem] = larger,
                [KS_OP_exp_diff] = exp_diff,
                [KS_OP_fma] = fused_multiply_add,
                [KS_OP_mul_bcast] = multiply,
                [KS_OP_mul_elem] = multiply,
                [KS_OP_div_bcast] = divide,
                [KS_OP_rsqrt_mean] = rsqrt_mean,
                [KS_OP_rmsnorm] = rmsnorm},
    .reductions = {[KS_OP_rmax] = rmax, [KS_OP_rsum] = rsum, [KS_OP_rsumsq] = rsumsq},
};
