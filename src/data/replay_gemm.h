/* The replay's matrix product. */
#ifndef KS_DATA_REPLAY_GEMM_H
#define KS_DATA_REPLAY_GEMM_H

#include <stdint.h>

#include "contract/dtype.h"

/* Columns accumulated side by side; as wide as the registers bear. No bit depends on it. */
#if defined(__AVX512F__)
enum { KS_GEMM_WIDTH = 64 };
#elif defined(__AVX__)
enum { KS_GEMM_WIDTH = 16 };
#else
enum { KS_GEMM_WIDTH = 8 };
#endif

/* n rounded up to whole blocks: the row length of b and c below. */
uint64_t ks_gemm_padded(uint64_t n);

/* c (m x padded n) += a (m x k) b (k x padded n): for each element k ascending, the product
 * rounded, then the sum. What stands behind n columns is of no account. */
void ks_gemm_accumulate(float *c, const float *a, const float *b, uint64_t m, uint64_t n,
                        uint64_t k);

/* b as ks_gemm_accumulate takes it: from k x n, or n x k when it is stored transposed; rows lie
 * stride_bytes apart. Padding becomes 0. */
void ks_gemm_take_b(float *b, const unsigned char *raw, uint64_t stride_bytes, ks_dtype dtype,
                    uint64_t k, uint64_t n, int is_transposed);

#endif
