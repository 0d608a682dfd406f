#include "data/isa_loops.h"
#include "data/numeric.h"
#include "data/turn.h"

#define REAL float
#include "data/solve.inc"

/* ---- rows ---- */

static float largest(const float *row, uint64_t n) {
    float most = row[0];
#pragma omp simd reduction(max : most)
    for (uint64_t j = 0; j < n; j++) most = row[j] > most ? row[j] : most;
    return most;
}

enum { SIDE_BY_SIDE = 8 }; /* rows summed at once: their additions do not wait for each other */

KS_INLINE void sum_some(const int count, float *restrict sums, const float *values, uint64_t n) {
    float running[SIDE_BY_SIDE] = {0};
    for (uint64_t j = 0; j < n; j++)
#pragma GCC unroll 8
        for (int i = 0; i < count; i++) running[i] += values[(uint64_t)i * n + j];
    for (int i = 0; i < count; i++) sums[i] = running[i];
}

static void sum_rows(float *restrict sums, const float *values, uint64_t rows, uint64_t n) {
    uint64_t i = 0;
    for (; i + SIDE_BY_SIDE <= rows; i += SIDE_BY_SIDE)
        sum_some(SIDE_BY_SIDE, &sums[i], &values[i * n], n);
    for (; i < rows; i++) sum_some(1, &sums[i], &values[i * n], n);
}

static void multiply(float *restrict out, uint64_t out_stride, const float *a, uint64_t a_stride,
                     const float *b, uint64_t b_stride, uint64_t m, uint64_t n, uint64_t k) {
    multiply_steps(out, out_stride, a, a_stride, 1, b, b_stride, m, n, k);
}

static void turn(float *restrict out, uint64_t out_stride, const float *in, uint64_t rows,
                 uint64_t cols) {
    ks_turn32(out, out_stride, in, rows, cols);
}

static void exp_rows(float *values, uint64_t rows, uint64_t n) {
    for (uint64_t i = 0; i < rows; i++) {
        float *row = &values[i * n];
        const float most = largest(row, n);
#pragma omp simd
        for (uint64_t j = 0; j < n; j++) row[j] = ks_exp(row[j] - most);
    }
}

const ks_solve32_loops KS_OF_ISA(ks_solve32_loops) = {
    .multiply = multiply, .turn = turn, .exp_rows = exp_rows, .sum_rows = sum_rows};
