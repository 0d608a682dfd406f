#include "data/isa_loops.h"
#include "data/numeric.h"
#include "data/turn.h"

/* Columns of a block; those of the last blocks, as c and b have whole KS_GEMM_PADs. */
enum { WIDTH = KS_BLOCK_BYTES / 4, PAIR = 2 * KS_GEMM_PAD, PAD = KS_GEMM_PAD };

/* rows x width accumulators; both are constants at every call. */
KS_INLINE void block(const int rows, const int width, float *c, const float *a, const float *b,
                     uint64_t stride, uint64_t k) {
    float sums[KS_BLOCK_ROWS][WIDTH];
    for (int i = 0; i < rows; i++)
        memcpy(sums[i], &c[(uint64_t)i * stride], (size_t)width * sizeof *c);
    for (uint64_t l = 0; l < k; l++) {
        const float *row = &b[l * stride];
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++) {
            const float factor = a[(uint64_t)i * k + l];
#pragma omp simd
            for (int j = 0; j < width; j++) sums[i][j] = sums[i][j] + factor * row[j];
        }
    }
    for (int i = 0; i < rows; i++)
        memcpy(&c[(uint64_t)i * stride], sums[i], (size_t)width * sizeof *c);
}

/* All rows of `width` columns. */
KS_INLINE void strip(const int width, float *c, const float *a, const float *b, uint64_t stride,
                     uint64_t m, uint64_t k) {
    uint64_t i = 0;
    for (; i + 4 <= m; i += 4) block(4, width, &c[i * stride], &a[i * k], b, stride, k);
    if (i + 2 <= m) {
        block(2, width, &c[i * stride], &a[i * k], b, stride, k);
        i += 2;
    }
    if (i < m) block(1, width, &c[i * stride], &a[i * k], b, stride, k);
}

static void accumulate(float *restrict c, const float *a, const float *b, uint64_t m, uint64_t n,
                       uint64_t k) {
    const uint64_t stride = ks_gemm_padded(n);
    uint64_t j = 0;
    for (; j + WIDTH <= stride; j += WIDTH) strip(WIDTH, &c[j], a, &b[j], stride, m, k);
    if (WIDTH > PAIR && j + PAIR <= stride) {
        strip(PAIR, &c[j], a, &b[j], stride, m, k);
        j += PAIR;
    }
    if (WIDTH > PAD && j < stride) strip(PAD, &c[j], a, &b[j], stride, m, k);
}

static void turn(float *restrict b, const float *in, uint64_t k, uint64_t n) {
    const uint64_t stride = ks_gemm_padded(n);
    ks_turn32(b, stride, in, n, k);
    for (uint64_t l = 0; l < k && n < stride; l++)
        memset(&b[l * stride + n], 0, (stride - n) * sizeof *b);
}

const ks_gemm_loops KS_OF_ISA(ks_gemm_loops) = {.accumulate = accumulate, .turn = turn};
