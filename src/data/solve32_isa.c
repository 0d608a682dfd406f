#include "data/isa_loops.h"
#include "data/numeric.h"
#include "data/turn.h"

#define REAL float
#include "data/solve.inc"

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
