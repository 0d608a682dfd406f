#include "data/numeric.h"

/* Cody-Waite reduction, then Taylor to degree 13: on |r| <= ln(2)/2 the rest is below 2^-57. */
double ks_exp64(double x) {
    static const double c[14] = {1.0,
                                 1.0,
                                 1.0 / 2,
                                 1.0 / 6,
                                 1.0 / 24,
                                 1.0 / 120,
                                 1.0 / 720,
                                 1.0 / 5040,
                                 1.0 / 40320,
                                 1.0 / 362880,
                                 1.0 / 3628800,
                                 1.0 / 39916800,
                                 1.0 / 479001600,
                                 1.0 / 6227020800};
    if (x != x) return x;
    if (x > 710.0) x = 710.0;   /* gives +inf */
    if (x < -746.0) x = -746.0; /* gives 0 */
    const double magic = 6755399441055744.0;
    const double n = (x * 1.4426950408889634074 + magic) - magic;
    double r = x - n * 0.693147180369123816490;
    r = r - n * 1.90821492927058770002e-10;
    double p = c[13];
    for (int j = 12; j >= 2; j--) p = p * r + c[j];
    p = (p * (r * r) + r) + 1.0;
    /* In two factors, as 2^n itself may be out of range; only the last product rounds. */
    const int64_t whole = (int64_t)n, first = whole / 2;
    p *= ks_double_of_bits((uint64_t)(1023 + first) << 52);
    return p * ks_double_of_bits((uint64_t)(1023 + whole - first) << 52);
}

static void floats_of_f16(float *out, const uint16_t *raw, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) out[i] = ks_float_of_f16(raw[i]);
}

static void floats_of_bf16(float *out, const uint16_t *raw, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) out[i] = ks_float_of_bf16(raw[i]);
}

static void f16_of_floats(uint16_t *raw, const float *values, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) raw[i] = ks_f16_of_float(values[i]);
}

static void bf16_of_floats(uint16_t *raw, const float *values, uint64_t count) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) raw[i] = ks_bf16_of_float(values[i]);
}

void ks_to_floats(float *out, const void *raw, ks_dtype dtype, uint64_t count) {
    if (dtype == KS_F16)
        floats_of_f16(out, raw, count);
    else if (dtype == KS_BF16)
        floats_of_bf16(out, raw, count);
    else
        memcpy(out, raw, count * sizeof *out);
}

void ks_from_floats(void *raw, ks_dtype dtype, const float *values, uint64_t count) {
    if (dtype == KS_F16)
        f16_of_floats(raw, values, count);
    else if (dtype == KS_BF16)
        bf16_of_floats(raw, values, count);
    else
        memcpy(raw, values, count * sizeof *values);
}
