/* The numeric loops of data mode. Files named *_isa.c are compiled once for each instruction set
 * (rooms.cmake); a ks_isa is the table of one such compilation. All give the same bits: + - * /
 * sqrt and conversions in a stated order, nothing fused, nothing reassociated. */
#ifndef KS_DATA_ISA_H
#define KS_DATA_ISA_H

#include "contract/op.h"
#include "data/data.h"

/* `count` elements between raw storage (little-endian hosts) and floats: nearest even, NaNs
 * canonical; fp8 saturates. */
typedef struct ks_convert_loops {
    void (*to_floats[KS_DTYPE_COUNT])(float *restrict out, const void *raw, uint64_t count);
    void (*from_floats[KS_DTYPE_COUNT])(void *restrict raw, const float *values, uint64_t count);
    /* from_floats, and `values` become what to_floats makes of raw. */
    void (*round_floats[KS_DTYPE_COUNT])(void *restrict raw, float *restrict values,
                                         uint64_t count);
} ks_convert_loops;

/* One row: n values of each operand to n values. `out` may not overlap the operands. */
typedef void ks_row_op(float *restrict out, const float *const *in, uint64_t n, float immediate);
/* A packed matrix, rows x n with n >= 1, to one value a row. */
typedef void ks_reduction(float *restrict out, const float *in, uint64_t rows, uint64_t n);

/* MATH: a kind has one of the two, or none if it is no MATH op. */
typedef struct ks_math_loops {
    ks_row_op *row_ops[KS_OP_COUNT];
    ks_reduction *reductions[KS_OP_COUNT];
} ks_math_loops;

enum { KS_GEMM_PAD = 16 };

/* n rounded up: the row length of b and c below. */
static inline uint64_t ks_gemm_padded(uint64_t n) {
    return (n + KS_GEMM_PAD - 1) / KS_GEMM_PAD * KS_GEMM_PAD;
}

typedef struct ks_gemm_loops {
    /* c (m x padded n) += a (m x k) b (k x padded n): for each element k ascending, the product
     * rounded, then the sum. What stands behind n columns is of no account. */
    void (*accumulate)(float *restrict c, const float *a, const float *b, uint64_t m, uint64_t n,
                       uint64_t k);
    /* b as accumulate takes it, from `in`, packed n x k. Padding becomes 0. */
    void (*turn)(float *restrict b, const float *in, uint64_t k, uint64_t n);
} ks_gemm_loops;

/* Streams of the generator that data.h describes. */
typedef struct ks_draws {
    uint64_t key, bernoulli_key, outlier_key; /* of streams 0, 1, 2 */
    float factor;                             /* 512 for what `large` enlarges, else 1 */
} ks_draws;

typedef void ks_generator(const ks_draws *draws, uint64_t first, uint64_t count,
                          float *restrict values);

typedef struct ks_input_loops {
    ks_generator *generators[KS_DIST_COUNT];
} ks_input_loops;

/* For the references: none of it is used by the replay. Sums run in ascending index. */
typedef struct ks_solve64_loops {
    /* out (m x n) += a (m x k) b (k x n); rows lie out_stride, a_stride, b_stride apart, the
     * elements of a row of a a_step apart. */
    void (*multiply)(double *restrict out, uint64_t out_stride, const double *a, uint64_t a_stride,
                     uint64_t a_step, const double *b, uint64_t b_stride, uint64_t m, uint64_t n,
                     uint64_t k);
    /* out = in, rows x cols; rows lie out_stride, in_stride apart. */
    void (*widen)(double *restrict out, uint64_t out_stride, const float *in, uint64_t in_stride,
                  uint64_t rows, uint64_t cols);
    /* values (rows x n) times scale; most of each column becomes the largest that it and they
     * are. */
    void (*scale_columns)(double *restrict values, uint64_t rows, uint64_t n, double scale,
                          double *restrict most);
    /* Of each of n columns: values = exp(value - most), sums = their sum from +0. */
    void (*exp_columns)(double *restrict values, uint64_t rows, uint64_t n, const double *most,
                        double *restrict sums);
} ks_solve64_loops;

/* In float, for plain attention. */
typedef struct ks_solve32_loops {
    void (*multiply)(float *restrict out, uint64_t out_stride, const float *a, uint64_t a_stride,
                     const float *b, uint64_t b_stride, uint64_t m, uint64_t n, uint64_t k);
    /* out (cols x out_stride) = in (rows x cols) turned. */
    void (*turn)(float *restrict out, uint64_t out_stride, const float *in, uint64_t rows,
                 uint64_t cols);
    /* exp(value - the row's maximum) in place; n >= 1. */
    void (*exp_rows)(float *values, uint64_t rows, uint64_t n);
    /* sums[i] = the sum of row i, from +0. */
    void (*sum_rows)(float *restrict sums, const float *values, uint64_t rows, uint64_t n);
} ks_solve32_loops;

struct ks_isa {
    const char *name;
    const ks_convert_loops *convert;
    const ks_math_loops *math;
    const ks_gemm_loops *gemm;
    const ks_input_loops *input;
    const ks_solve64_loops *solve64;
    const ks_solve32_loops *solve32;
};

static inline void ks_to_floats(const ks_isa *isa, float *out, const void *raw, ks_dtype dtype,
                                uint64_t count) {
    isa->convert->to_floats[dtype](out, raw, count);
}

static inline void ks_from_floats(const ks_isa *isa, void *raw, ks_dtype dtype, const float *values,
                                  uint64_t count) {
    isa->convert->from_floats[dtype](raw, values, count);
}

#endif
