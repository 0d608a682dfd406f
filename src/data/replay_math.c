#include "data/replay_math.h"

#include "data/numeric.h"

/* One row: n values of each operand to n values, of a reduction to one. */
typedef void row_op(float *restrict out, const float *const *in, uint64_t n, float immediate);

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
ELEMENTWISE(divide, 2, y == 0 ? 0 : x / y)
ELEMENTWISE(larger, 2, x != x ? x : y > x || y != y ? y : x)
ELEMENTWISE(exp_diff, 2, x == NEG_INF ? 0 : ks_exp(x - y))
ELEMENTWISE(fused_multiply_add, 3, ks_fma(x, y, z))
/* Each operation rounds to f32. */
ELEMENTWISE(rsqrt_mean, 1, 1.0f / __builtin_sqrtf(x / c + 1e-6f))

static void fill(float *restrict out, const float *const *in, uint64_t n, float c) {
    (void)in;
    for (uint64_t i = 0; i < n; i++) out[i] = c;
}

static void row_max(float *restrict out, const float *const *in, uint64_t n, float c) {
    float most = in[0][0];
    (void)c;
    for (uint64_t i = 1; i < n && most == most; i++) {
        const float x = in[0][i];
        most = x > most || x != x ? x : most;
    }
    *out = most;
}

static void row_sum(float *restrict out, const float *const *in, uint64_t n, float c) {
    float sum = 0;
    (void)c;
    for (uint64_t i = 0; i < n; i++) sum += in[0][i];
    *out = sum;
}

static void row_sum_of_squares(float *restrict out, const float *const *in, uint64_t n, float c) {
    float sum = 0;
    (void)c;
    for (uint64_t i = 0; i < n; i++) sum += in[0][i] * in[0][i];
    *out = sum;
}

static void rmsnorm(float *restrict out, const float *const *in, uint64_t n, float c) {
    float sum, factor;
    row_sum_of_squares(&sum, in, n, c);
    const float *const sums[] = {&sum};
    rsqrt_mean(&factor, sums, 1, c);
    for (uint64_t i = 0; i < n; i++) out[i] = in[0][i] * factor;
}

static const struct {
    row_op *run; /* NULL: no MATH op */
    uint32_t operands;
    bool is_reduction;
} ops[KS_OP_COUNT] = {
    [KS_OP_fill] = {fill, 0, false},
    [KS_OP_scale] = {scale, 1, false},
    [KS_OP_relu] = {relu, 1, false},
    [KS_OP_add] = {add, 2, false},
    [KS_OP_cast] = {copy, 1, false},
    [KS_OP_copy] = {copy, 1, false},
    [KS_OP_rmax] = {row_max, 1, true},
    [KS_OP_max_elem] = {larger, 2, false},
    [KS_OP_exp_diff] = {exp_diff, 2, false},
    [KS_OP_rsum] = {row_sum, 1, true},
    [KS_OP_fma] = {fused_multiply_add, 3, false},
    [KS_OP_mul_bcast] = {multiply, 2, false},
    [KS_OP_mul_elem] = {multiply, 2, false},
    [KS_OP_div_bcast] = {divide, 2, false},
    [KS_OP_rsumsq] = {row_sum_of_squares, 1, true},
    [KS_OP_rsqrt_mean] = {rsqrt_mean, 1, false},
    [KS_OP_rmsnorm] = {rmsnorm, 1, false},
};

static bool fits(const ks_tile *tile, const ks_tile *out, bool is_reduction) {
    if (is_reduction) return tile->rows == out->rows && out->cols == 1 && tile->cols > 0;
    return (tile->rows == out->rows || tile->rows == 1) &&
           (tile->cols == out->cols || tile->cols == 1);
}

static ks_status check(const ks_op *op, const ks_tile *reads, uint32_t count, const ks_tile *out,
                       ks_error *error) {
    if (!ops[op->kind].run)
        return ks_fail(error, KS_FAILED, "%s is no MATH op", ks_op_name(op->kind));
    if (count != ops[op->kind].operands)
        return ks_fail(error, KS_FAILED, "%s reads %u operands, not %u", ks_op_name(op->kind),
                       ops[op->kind].operands, count);
    for (uint32_t i = 0; i < count; i++)
        if (!fits(&reads[i], out, ops[op->kind].is_reduction))
            return ks_fail(error, KS_FAILED, "shape of %s's operand %u", ks_op_name(op->kind), i);
    return KS_OK;
}

/* Row `row` of the operand; where its only column repeats, a full row of it in `spare`. */
static const float *operand_row(const ks_tile *tile, uint64_t row, uint64_t cols, float *spare) {
    const float *values = &tile->values[tile->rows == 1 ? 0 : row * tile->cols];
    if (tile->cols >= cols) return values;
    for (uint64_t j = 0; j < cols; j++) spare[j] = values[0];
    return spare;
}

ks_status ks_math_run(const ks_op *op, const ks_tile *reads, uint32_t count, ks_tile *out,
                      float *spare, ks_error *error) {
    const ks_status status = check(op, reads, count, out, error);
    if (status) return status;
    const uint64_t n = ops[op->kind].is_reduction ? reads[0].cols : out->cols;
    const float *in[KS_MAX_READS] = {NULL};
    for (uint64_t i = 0; i < out->rows; i++) {
        for (uint32_t o = 0; o < count; o++)
            in[o] = operand_row(&reads[o], i, out->cols, &spare[o * out->cols]);
        ops[op->kind].run(&out->values[i * out->cols], in, n, op->immediate);
    }
    return KS_OK;
}
