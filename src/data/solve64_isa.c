#include "data/isa_loops.h"
#include "data/numeric.h"

#define REAL double
#include "data/solve.inc"

enum { STRIP = 32 }; /* columns that are widened without a loop */

static void widen(double *restrict out, uint64_t out_stride, const float *in, uint64_t in_stride,
                  uint64_t rows, uint64_t cols) {
    const uint64_t whole = cols / STRIP * STRIP;
    for (uint64_t i = 0; i < rows; i++) {
        double *to = &out[i * out_stride];
        const float *from = &in[i * in_stride];
        for (uint64_t j = 0; j < whole; j += STRIP)
#pragma omp simd
            for (uint64_t w = 0; w < STRIP; w++) to[j + w] = (double)from[j + w];
        for (uint64_t j = whole; j < cols; j++) to[j] = (double)from[j];
    }
}

enum { CHUNK = 1024 }; /* elements that stay in L1 from step to step */

KS_INLINE void exp_chunk(double *restrict values, uint64_t rows, uint64_t n, const double *most,
                         double *restrict sums) {
    for (uint64_t i = 0; i < rows; i++)
#pragma omp simd
        for (uint64_t j = 0; j < n; j++) values[i * n + j] -= most[j];
#pragma omp simd
    for (uint64_t i = 0; i < rows * n; i++) values[i] = ks_exp64(values[i]);
    for (uint64_t i = 0; i < rows; i++)
#pragma omp simd
        for (uint64_t j = 0; j < n; j++) sums[j] += values[i * n + j];
}

static void scale_columns(double *restrict values, uint64_t rows, uint64_t n, double scale,
                          double *restrict most) {
    for (uint64_t i = 0; i < rows; i++)
#pragma omp simd
        for (uint64_t j = 0; j < n; j++) {
            const double value = scale * values[i * n + j];
            values[i * n + j] = value;
            most[j] = value > most[j] ? value : most[j];
        }
}

static void exp_columns(double *restrict values, uint64_t rows, uint64_t n, const double *most,
                        double *restrict sums) {
    const uint64_t at_once = n < CHUNK ? CHUNK / n : 1;
    for (uint64_t j = 0; j < n; j++) sums[j] = 0;
    for (uint64_t i = 0; i < rows; i += at_once)
        exp_chunk(&values[i * n], rows - i < at_once ? rows - i : at_once, n, most, sums);
}

const ks_solve64_loops KS_OF_ISA(ks_solve64_loops) = {.multiply = multiply_steps,
                                                      .widen = widen,
                                                      .scale_columns = scale_columns,
                                                      .exp_columns = exp_columns};
