#include "data/isa_loops.h"
#include "data/numeric.h"

#define REAL double
#include "data/solve.inc"

static void widen(double *restrict out, const float *in, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) out[i] = (double)in[i];
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

static void exp_columns(double *restrict values, uint64_t rows, uint64_t n, double scale,
                        double *restrict most, double *restrict sums) {
    const uint64_t at_once = n < CHUNK ? CHUNK / n : 1;
    for (uint64_t j = 0; j < n; j++) most[j] = scale * values[j], sums[j] = 0;
    for (uint64_t i = 0; i < rows; i++)
#pragma omp simd
        for (uint64_t j = 0; j < n; j++) {
            const double value = scale * values[i * n + j];
            values[i * n + j] = value;
            most[j] = value > most[j] ? value : most[j];
        }
    for (uint64_t i = 0; i < rows; i += at_once)
        exp_chunk(&values[i * n], rows - i < at_once ? rows - i : at_once, n, most, sums);
}

const ks_solve64_loops KS_OF_ISA(ks_solve64_loops) = {
    .multiply = multiply_steps, .widen = widen, .exp_columns = exp_columns};
