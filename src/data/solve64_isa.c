#include "data/isa_loops.h"
#include "data/numeric.h"
#include "data/turn.h"

#define REAL double
#include "data/solve.inc"

static void widen(double *restrict out, const float *in, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) out[i] = (double)in[i];
}

enum { STRIP = 64 }; /* columns turned at a time, in a buffer of L1 */

static void turn(double *restrict out, uint64_t out_stride, const float *in, uint64_t rows,
                 uint64_t cols) {
    float turned[4 * STRIP];
    for (uint64_t i = 0; i < rows; i += STRIP) {
        const uint64_t count = rows - i < STRIP ? rows - i : STRIP;
        for (uint64_t j = 0; j < cols; j += 4) {
            const uint64_t width = cols - j < 4 ? cols - j : 4;
            ks_turn_strip(turned, STRIP, &in[i * cols + j], cols, count, width);
            for (uint64_t w = 0; w < width; w++)
                widen(&out[(j + w) * out_stride + i], &turned[w * STRIP], count);
        }
    }
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
