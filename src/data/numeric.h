/* Arithmetic whose bits are the same on any machine: + - * / sqrt and conversions only, no libm.
 * Needs the default float environment (to nearest, no FTZ or DAZ). The conversions to and from
 * storage and ks_exp are branch-free, so that loops over them vectorise. */
#ifndef KS_DATA_NUMERIC_H
#define KS_DATA_NUMERIC_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "contract/dtype.h"

#ifdef __FAST_MATH__
#error "data mode needs IEEE arithmetic: compile without -ffast-math, -Ofast"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "data mode needs float arithmetic in float: compile without x87"
#endif

static inline uint32_t ks_bits32(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float ks_float_of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t ks_bits64(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ks_double_of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define KS_NAN32 UINT32_C(0x7fc00000)
#define KS_NAN16 UINT16_C(0x7e00)
#define KS_NAN_BF16 UINT16_C(0x7fc0)

static inline bool ks_is_finite(double x) { return x - x == 0; }

/* Nearest even; every NaN becomes the canonical one. */
static inline uint16_t ks_f16_of_float(float x) {
    const uint32_t bits = ks_bits32(x), a = bits & 0x7fffffff;
    const uint32_t rebias = UINT32_C(112) << 23; /* 127 - 15 */
    /* Rounds into the exponent where it must; unused below 2^-14 and from 2^16 on. */
    const uint32_t normal = (a - rebias + 0xfff + (a >> 13 & 1)) >> 13;
    /* The unit of 0.5's last place is 2^-24, the smallest f16: the sum rounds there. */
    const uint32_t tiny = ks_bits32(ks_float_of_bits(a) + 0.5f) - ks_bits32(0.5f);
    uint32_t half = a < 0x38800000 ? tiny : normal;
    half = a >= 0x47800000 ? 0x7c00 : half;
    half |= bits >> 16 & 0x8000;
    return (uint16_t)(a > 0x7f800000 ? KS_NAN16 : half);
}

static inline float ks_float_of_f16(uint16_t half) {
    const uint32_t a = half & 0x7fffu, sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t rebias = UINT32_C(112) << 23;
    const uint32_t tiny = ks_bits32((float)(int32_t)a * 0x1p-24f);
    uint32_t bits = (a << 13) + rebias;
    bits = a >= 0x7c00 ? bits + rebias : bits;
    bits = a < 0x0400 ? tiny : bits;
    return ks_float_of_bits(bits | sign);
}

static inline uint16_t ks_bf16_of_float(float x) {
    const uint32_t bits = ks_bits32(x);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? KS_NAN_BF16 : rounded);
}

static inline float ks_float_of_bf16(uint16_t half) {
    return ks_float_of_bits((uint32_t)half << 16);
}

#define KS_NAN_E4M3FN 0x7f
#define KS_NAN_E5M2 0x7e

/* OCP's 8-bit formats, saturating: 464, the tie above 448, goes to 448, all beyond is cut to it;
 * e5m2 likewise at 57344. The magic sums round as that of f16. */
static inline uint8_t ks_e4m3fn_of_float(float x) {
    const uint32_t bits = ks_bits32(x), a = bits & 0x7fffffff;
    const uint32_t rebias = UINT32_C(120) << 23; /* 127 - 7 */
    const uint32_t normal = (a - rebias + 0x7ffff + (a >> 20 & 1)) >> 20;
    const uint32_t tiny = ks_bits32(ks_float_of_bits(a) + 0x1p14f) - ks_bits32(0x1p14f);
    uint32_t small = a < 0x3c800000 ? tiny : normal;
    small = small > 0x7e ? 0x7e : small;
    small |= bits >> 24 & 0x80;
    return (uint8_t)(a > 0x7f800000 ? KS_NAN_E4M3FN : small);
}

static inline float ks_float_of_e4m3fn(uint8_t small) {
    const uint32_t a = small & 0x7fu, sign = (uint32_t)(small & 0x80u) << 24;
    const uint32_t tiny = ks_bits32((float)(int32_t)a * 0x1p-9f);
    uint32_t bits = (a << 20) + (UINT32_C(120) << 23);
    bits = a < 0x08 ? tiny : bits;
    bits = a == 0x7f ? KS_NAN32 : bits;
    return ks_float_of_bits(bits | sign);
}

static inline uint8_t ks_e5m2_of_float(float x) {
    const uint32_t bits = ks_bits32(x), a = bits & 0x7fffffff;
    const uint32_t rebias = UINT32_C(112) << 23; /* 127 - 15 */
    const uint32_t normal = (a - rebias + 0xfffff + (a >> 21 & 1)) >> 21;
    const uint32_t tiny = ks_bits32(ks_float_of_bits(a) + 0x1p7f) - ks_bits32(0x1p7f);
    uint32_t small = a < 0x38800000 ? tiny : normal;
    small = small > 0x7b ? 0x7b : small;
    small |= bits >> 24 & 0x80;
    return (uint8_t)(a > 0x7f800000 ? KS_NAN_E5M2 : small);
}

static inline float ks_float_of_e5m2(uint8_t small) {
    const uint32_t a = small & 0x7fu, sign = (uint32_t)(small & 0x80u) << 24;
    const uint32_t rebias = UINT32_C(112) << 23;
    const uint32_t tiny = ks_bits32((float)(int32_t)a * 0x1p-16f);
    uint32_t bits = (a << 21) + rebias;
    bits = a >= 0x7c ? bits + rebias : bits;
    bits = a < 0x04 ? tiny : bits;
    return ks_float_of_bits(bits | sign);
}

/* The value that a tensor of this dtype would hold. */
static inline float ks_round_to(ks_dtype dtype, float x) {
    if (dtype == KS_F16) return ks_float_of_f16(ks_f16_of_float(x));
    if (dtype == KS_BF16) return ks_float_of_bf16(ks_bf16_of_float(x));
    if (dtype == KS_E4M3FN) return ks_float_of_e4m3fn(ks_e4m3fn_of_float(x));
    if (dtype == KS_E5M2) return ks_float_of_e5m2(ks_e5m2_of_float(x));
    return x;
}

/* Towards odd: rounding the result once more, to at least two digits fewer, is rounding x once. */
static inline float ks_float_to_odd(double x) {
    const float near = (float)x;
    if (x != x || (double)near == x) return near;
    const uint32_t bits = ks_bits32(near);
    const bool is_away = (x < 0 ? -(double)near : (double)near) > (x < 0 ? -x : x);
    return ks_float_of_bits((is_away ? bits - 1 : bits) | 1);
}

/* Rounded once to a value of dtype. */
static inline float ks_round_double_to(ks_dtype dtype, double x) {
    return dtype == KS_F32 ? (float)x : ks_round_to(dtype, ks_float_to_odd(x));
}

/* RN(x * y + z): the product is exact in double, the sum is rounded to odd there. */
static inline float ks_fma(float x, float y, float z) {
    const double product = (double)x * (double)y, c = (double)z;
    const double sum = product + c;
    if (!ks_is_finite(sum)) return (float)sum;
    const double c_part = sum - product;
    const double error = (product - (sum - c_part)) + (c - c_part); /* exact: Knuth's two-sum */
    uint64_t bits = ks_bits64(sum);
    if (error != 0 && !(bits & 1)) bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return (float)ks_double_of_bits(bits);
}

/* RN(e^x), correctly rounded for every float: NUMERICS.md 1.3 has the proof run. */
static inline float ks_exp(float x) {
    static const double c[12] = {1.0,
                                 1.0,
                                 0x1.0000000000011p-1,
                                 0x1.555555555555ap-3,
                                 0x1.555555554f0cbp-5,
                                 0x1.111111110f224p-7,
                                 0x1.6c16c187fcab2p-10,
                                 0x1.a01a01b143f5dp-13,
                                 0x1.a01991aa67f6ap-16,
                                 0x1.71ddf5734ee36p-19,
                                 0x1.28b40775c769dp-22,
                                 0x1.af631f6a9fc7bp-26};
    const double magic = 6755399441055744.0; /* 1.5 x 2^52: the sum's last bits are an integer */
    double d = (double)x;
    d = d < -104.0 ? -104.0 : d;
    d = d > 89.0 ? 89.0 : d;
    const double t = d * 1.4426950408889634074 + magic, n = t - magic;
    double r = d - n * 0.693147180369123816490; /* fdlibm's high part of ln 2: product exact */
    r = r - n * 1.90821492927058770002e-10;
    double p = c[11];
#pragma GCC unroll 9
    for (int j = 10; j >= 2; j--) p = p * r + c[j];
    p = (p * (r * r) + r) + 1.0;
    const float y = (float)ks_double_of_bits(ks_bits64(p) + (ks_bits64(t) << 52));
    return x != x ? x : y;
}

/* e^x in double, within an ulp of the true value. For the reference. Cody-Waite reduction, then
 * Taylor to degree 13: on |r| <= ln(2)/2 the rest is below 2^-57. */
static inline double ks_exp64(double x) {
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
    const double magic = 6755399441055744.0;
    double d = x > 710.0 ? 710.0 : x; /* gives +inf */
    d = d < -746.0 ? -746.0 : d;      /* gives 0 */
    const double t = d * 1.4426950408889634074 + magic, n = t - magic;
    double r = d - n * 0.693147180369123816490;
    r = r - n * 1.90821492927058770002e-10;
    double p = c[13];
#pragma GCC unroll 11
    for (int j = 12; j >= 2; j--) p = p * r + c[j];
    p = (p * (r * r) + r) + 1.0;
    /* In two factors, as 2^n itself may be out of range; only the last product rounds. The last
     * bits of t are n. */
    const uint64_t exponents = ks_bits64(t) - ks_bits64(magic) + 2 * 1023;
    const uint64_t first = exponents >> 1, second = exponents - first;
    const double y = p * ks_double_of_bits(first << 52) * ks_double_of_bits(second << 52);
    return x != x ? x : y;
}

#endif
