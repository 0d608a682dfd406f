#include "data/isa_loops.h"
#include "data/numeric.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

#define REAL double
#include "data/solve.inc"

static void widen(double *restrict out, const float *in, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) out[i] = (double)in[i];
}

/* ---- turning, by squares of registers ---- */

enum { LANES = KS_VECTOR_BYTES / sizeof(double) };

typedef double doubles __attribute__((vector_size(KS_VECTOR_BYTES)));

/* LANES floats as doubles, and, element by element in turn, the first halves of x and y; their
 * second halves. */
#if defined(__AVX512F__)
#define WIDEN(row) _mm512_cvtps_pd(_mm256_loadu_ps(row))
#define ZIP_FIRST(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_SECOND(x, y) __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)
#elif defined(__AVX__)
#define WIDEN(row) _mm256_cvtps_pd(_mm_loadu_ps(row))
#define ZIP_FIRST(x, y) __builtin_shufflevector(x, y, 0, 4, 1, 5)
#define ZIP_SECOND(x, y) __builtin_shufflevector(x, y, 2, 6, 3, 7)
#else
#define WIDEN(row) \
    { (double)row[0], (double)row[1] }
#define ZIP_FIRST(x, y) __builtin_shufflevector(x, y, 0, 2)
#define ZIP_SECOND(x, y) __builtin_shufflevector(x, y, 1, 3)
#endif

/* One step: all rows zipped with those LANES / 2 below. log2(LANES) steps turn the square. */
KS_INLINE void zip_rows(doubles *out, const doubles *in) {
#pragma GCC unroll 4
    for (int i = 0; i < LANES / 2; i++) {
        out[2 * i] = ZIP_FIRST(in[i], in[i + LANES / 2]);
        out[2 * i + 1] = ZIP_SECOND(in[i], in[i + LANES / 2]);
    }
}

KS_INLINE void turn_square(double *restrict out, uint64_t out_stride, const float *in,
                           uint64_t in_stride) {
    doubles a[LANES], b[LANES];
#pragma GCC unroll 8
    for (uint64_t i = 0; i < LANES; i++) {
        const float *row = &in[i * in_stride];
        a[i] = (doubles)WIDEN(row);
    }
    zip_rows(b, a);
    if (LANES >= 4) zip_rows(a, b);
    if (LANES >= 8) zip_rows(b, a);
    const doubles *const turned = LANES == 4 ? a : b;
#pragma GCC unroll 8
    for (uint64_t i = 0; i < LANES; i++) memcpy(&out[i * out_stride], &turned[i], sizeof turned[i]);
}

static void turn(double *restrict out, uint64_t out_stride, const float *in, uint64_t rows,
                 uint64_t cols) {
    const uint64_t whole_rows = rows / LANES * LANES, whole_cols = cols / LANES * LANES;
    for (uint64_t j = 0; j < whole_cols; j += LANES)
        for (uint64_t i = 0; i < whole_rows; i += LANES)
            turn_square(&out[j * out_stride + i], out_stride, &in[i * cols + j], cols);
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = i < whole_rows ? whole_cols : 0; j < cols; j++)
            out[j * out_stride + i] = (double)in[i * cols + j];
}

static void exp_rows(double *values, uint64_t rows, uint64_t n) {
    for (uint64_t i = 0; i < rows; i++) {
        double *row = &values[i * n];
        const double most = largest(row, n);
#pragma omp simd
        for (uint64_t j = 0; j < n; j++) row[j] = ks_exp64(row[j] - most);
    }
}

const ks_solve64_loops KS_OF_ISA(ks_solve64_loops) = {
    .multiply = multiply, .turn = turn, .widen = widen, .exp_rows = exp_rows, .sum_rows = sum_rows};
