/* Matrices turned, four by four in registers of 128 bits, which every instruction set has. */
#ifndef KS_DATA_TURN_H
#define KS_DATA_TURN_H

#include <stdint.h>
#include <string.h>

typedef float ks_float4 __attribute__((vector_size(16)));

static inline ks_float4 ks_load4(const float *from) {
    ks_float4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* in[0..3], in_stride apart, to out[0..3], out_stride apart. */
static inline void ks_turn_4x4(float *restrict out, uint64_t out_stride, const float *in,
                               uint64_t in_stride) {
    const ks_float4 a = ks_load4(in), b = ks_load4(in + in_stride);
    const ks_float4 c = ks_load4(in + 2 * in_stride), d = ks_load4(in + 3 * in_stride);
    const ks_float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const ks_float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const ks_float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const ks_float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const ks_float4 turned[4] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                                 __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                                 __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                                 __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
    for (uint64_t i = 0; i < 4; i++) memcpy(out + i * out_stride, &turned[i], sizeof turned[i]);
}

/* out (cols x out_stride) = in (rows x cols, in_stride apart) turned; columns of out behind `rows`
 * are left as they are. */
static inline void ks_turn_strip(float *restrict out, uint64_t out_stride, const float *in,
                                 uint64_t in_stride, uint64_t rows, uint64_t cols) {
    const uint64_t whole_rows = rows / 4 * 4, whole_cols = cols / 4 * 4;
    for (uint64_t i = 0; i < whole_rows; i += 4)
        for (uint64_t j = 0; j < whole_cols; j += 4)
            ks_turn_4x4(&out[j * out_stride + i], out_stride, &in[i * in_stride + j], in_stride);
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = i < whole_rows ? whole_cols : 0; j < cols; j++)
            out[j * out_stride + i] = in[i * in_stride + j];
}

static inline void ks_turn32(float *restrict out, uint64_t out_stride, const float *in,
                             uint64_t rows, uint64_t cols) {
    ks_turn_strip(out, out_stride, in, cols, rows, cols);
}

#endif
