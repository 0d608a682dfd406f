/* The generators of data.h, element by element. */
#include "data/inputs.h"
#include "data/isa_loops.h"
#include "data/numeric.h"

static inline uint64_t draw(uint64_t key, uint64_t index) {
    return ks_mix(ks_mix(key + KS_GAMMA * index) ^ key);
}

/* The value of `bits` x 2^-52, for bits below 2^52: a conversion that SSE2 has. */
static inline double fraction(uint64_t bits) {
    return ks_double_of_bits(bits | UINT64_C(0x3ff0000000000000)) - 1.0;
}

/* ln of a normal number in (0, 1): 2 atanh(s) with s = (f - 1) / (f + 1), f in [1/sqrt 2, sqrt 2),
 * s^2 < 0.0295: the terms to s^17 leave an error below 2^-50. */
static inline double natural_log(double x) {
    const uint64_t bits = ks_bits64(x);
    const uint64_t root_half = UINT64_C(0x3fe6a09e00000000);            /* top bits of 1/sqrt 2 */
    const uint64_t shifted = bits - root_half + (UINT64_C(1023) << 52); /* exponent of f: 0 */
    const uint64_t biased = shifted >> 52;                              /* in (0, 1023] */
    const double f = ks_double_of_bits(bits + (UINT64_C(1023) << 52) - (biased << 52));
    const double magic = 0x1p52;
    const double n = (ks_double_of_bits(biased | ks_bits64(magic)) - magic) - 1023.0;
    const double s = (f - 1.0) / (f + 1.0), z = s * s;
    double p = 1.0 / 17;
    p = p * z + 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    return n * 0.69314718055994530942 + 2.0 * (s + s * (z * p));
}

/* cos(2 pi v), v in [0, 1). |v - 1/2| folds the circle onto its half, -cos(2 pi w) with w in
 * [0, 1/2] = sin(2 pi (w - 1/4)): an odd polynomial (Taylor to degree 19 on |x| <= pi/2). */
static inline double cos_of_turns(double v) {
    const double folded = v < 0.5 ? 0.5 - v : v - 0.5;
    const double x = (folded - 0.25) * 6.28318530717958647693, z = x * x;
    double p = -1.0 / 121645100408832000.0;
    p = p * z + 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return x + x * (z * p);
}

static inline double normal(uint64_t bits) {
    const double u = fraction((bits >> 24) << 12 | UINT64_C(1) << 11);
    const double v = fraction((bits & 0xffffff) << 28);
    return __builtin_sqrt(-2.0 * natural_log(u)) * cos_of_turns(v);
}

static void normals(const ks_draws *draws, uint64_t first, uint64_t count, float *restrict values) {
    const uint64_t key = draws->key;
    const double factor = draws->factor;
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) values[i] = (float)(factor * normal(draw(key, first + i)));
}

static void mix_in_outlier(const ks_draws *draws, uint64_t index, float *value) {
    const double n = normal(draw(draws->key, index));
    *value = (float)(n + 10.0 * normal(draw(draws->outlier_key, index)));
}

/* One in a thousand is an outlier: most pieces of this many elements have none. */
enum { PIECE = 64 };

static void outliers(const ks_draws *draws, uint64_t first, uint64_t count,
                     float *restrict values) {
    const uint64_t threshold = UINT64_C(9007199254740); /* floor(0.001 x 2^53) */
    const uint64_t key = draws->bernoulli_key;
    normals(draws, first, count, values);
    for (uint64_t at = 0; at < count; at += PIECE) {
        const uint64_t length = count - at < PIECE ? count - at : PIECE;
        uint64_t found = 0;
#pragma omp simd reduction(+ : found)
        for (uint64_t i = 0; i < length; i++) found += draw(key, first + at + i) >> 11 < threshold;
        for (uint64_t i = 0; found && i < length; i++)
            if (draw(key, first + at + i) >> 11 < threshold)
                mix_in_outlier(draws, first + at + i, &values[at + i]);
    }
}

static void uniforms(const ks_draws *draws, uint64_t first, uint64_t count,
                     float *restrict values) {
    const uint64_t key = draws->key;
#pragma omp simd
    for (uint64_t i = 0; i < count; i++)
        values[i] = (float)(int32_t)(draw(key, first + i) >> 40) * 0x1p-23f - 1.0f;
}

const ks_input_loops KS_OF_ISA(ks_input_loops) = {
    .generators = {[KS_DIST_normal] = normals,
                   [KS_DIST_outlier] = outliers,
                   [KS_DIST_uniform] = uniforms,
                   [KS_DIST_large] = normals},
};
