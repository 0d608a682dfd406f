#include "data/replay_gemm.h"

#include <string.h>

#include "data/numeric.h"

enum { WIDTH = KS_GEMM_WIDTH };

uint64_t ks_gemm_padded(uint64_t n) { return (n + WIDTH - 1) / WIDTH * WIDTH; }

/* ROWS x WIDTH accumulators; ROWS is a constant at every call. */
static inline __attribute__((always_inline)) void
block(const int rows, float *c, const float *a, const float *b, uint64_t stride, uint64_t k) {
    float sums[4][WIDTH];
    for (int i = 0; i < rows; i++) memcpy(sums[i], &c[(uint64_t)i * stride], sizeof sums[i]);
    for (uint64_t l = 0; l < k; l++) {
        const float *row = &b[l * stride];
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++) {
            const float factor = a[(uint64_t)i * k + l];
#pragma omp simd
            for (int j = 0; j < WIDTH; j++) sums[i][j] = sums[i][j] + factor * row[j];
        }
    }
    for (int i = 0; i < rows; i++) memcpy(&c[(uint64_t)i * stride], sums[i], sizeof sums[i]);
}

void ks_gemm_accumulate(float *c, const float *a, const float *b, uint64_t m, uint64_t n,
                        uint64_t k) {
    const uint64_t stride = ks_gemm_padded(n);
    for (uint64_t j = 0; j < n; j += WIDTH) {
        uint64_t i = 0;
        for (; i + 4 <= m; i += 4) block(4, &c[i * stride + j], &a[i * k], &b[j], stride, k);
        if (i + 2 <= m) {
            block(2, &c[i * stride + j], &a[i * k], &b[j], stride, k);
            i += 2;
        }
        if (i < m) block(1, &c[i * stride + j], &a[i * k], &b[j], stride, k);
    }
}

/* A transposed b is turned in strips of this many stored elements, which stay in L1. */
enum { STRIP = 16 };

static void take_transposed(float *b, const unsigned char *raw, uint64_t stride_bytes,
                            ks_dtype dtype, uint64_t k, uint64_t n) {
    const uint64_t stride = ks_gemm_padded(n), item_bytes = ks_dtype_bytes(dtype);
    float strip[STRIP];
    for (uint64_t first = 0; first < k; first += STRIP) {
        const uint64_t left = k - first, count = left < STRIP ? left : STRIP;
        for (uint64_t j = 0; j < n; j++) {
            ks_to_floats(strip, raw + j * stride_bytes + first * item_bytes, dtype, count);
            for (uint64_t l = 0; l < count; l++) b[(first + l) * stride + j] = strip[l];
        }
    }
    for (uint64_t l = 0; l < k; l++) memset(&b[l * stride + n], 0, (stride - n) * sizeof *b);
}

void ks_gemm_take_b(float *b, const unsigned char *raw, uint64_t stride_bytes, ks_dtype dtype,
                    uint64_t k, uint64_t n, int is_transposed) {
    if (is_transposed) {
        take_transposed(b, raw, stride_bytes, dtype, k, n);
        return;
    }
    const uint64_t stride = ks_gemm_padded(n);
    for (uint64_t l = 0; l < k; l++) {
        ks_to_floats(&b[l * stride], raw + l * stride_bytes, dtype, n);
        memset(&b[l * stride + n], 0, (stride - n) * sizeof *b);
    }
}
