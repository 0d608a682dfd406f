/* The generator that data.h describes. */
#include "data/data.h"
#include "data/numeric.h"

#define GAMMA UINT64_C(0x9e3779b97f4a7c15)

enum { STREAM_MAIN, STREAM_BERNOULLI, STREAM_OUTLIER };

static inline uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t stream_key(uint64_t seed, uint32_t tensor, uint32_t stream) {
    return mix(mix(seed + GAMMA) + 4 * (uint64_t)tensor + stream + 1);
}

static inline uint64_t draw(uint64_t key, uint64_t index) {
    return mix(mix(key + GAMMA * index) ^ key);
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

static void normals(uint64_t key, uint64_t first, uint64_t count, double factor, float *values) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) values[i] = (float)(factor * normal(draw(key, first + i)));
}

static void outliers(uint64_t seed, uint32_t tensor, uint64_t first, uint64_t count,
                     float *values) {
    const uint64_t main_key = stream_key(seed, tensor, STREAM_MAIN);
    const uint64_t bernoulli_key = stream_key(seed, tensor, STREAM_BERNOULLI);
    const uint64_t outlier_key = stream_key(seed, tensor, STREAM_OUTLIER);
    const uint64_t threshold = UINT64_C(9007199254740); /* floor(0.001 x 2^53) */
    normals(main_key, first, count, 1.0, values);
    for (uint64_t i = first; i < first + count; i++)
        if (draw(bernoulli_key, i) >> 11 < threshold)
            values[i - first] =
                (float)(normal(draw(main_key, i)) + 10.0 * normal(draw(outlier_key, i)));
}

static void uniforms(uint64_t key, uint64_t first, uint64_t count, float *values) {
#pragma omp simd
    for (uint64_t i = 0; i < count; i++)
        values[i] = (float)(int32_t)(draw(key, first + i) >> 40) * 0x1p-23f - 1.0f;
}

/* What scores are made of: Q, K; of a bench A or X. */
static bool is_scaled_by_large(const ks_numbers_key *key, uint32_t tensor) {
    return tensor == 0 || (key->task == KS_TASK_ATTENTION && tensor == 1);
}

void ks_input_generate(const ks_numbers_key *key, uint32_t tensor, uint64_t first, uint64_t count,
                       float *values) {
    const uint64_t seed = key->params[KS_P_seed];
    const uint64_t main_key = stream_key(seed, tensor, STREAM_MAIN);
    const double large = is_scaled_by_large(key, tensor) ? 512.0 : 1.0;
    switch ((ks_dist)key->params[KS_P_dist]) {
    case KS_DIST_normal: normals(main_key, first, count, 1.0, values); break;
    case KS_DIST_outlier: outliers(seed, tensor, first, count, values); break;
    case KS_DIST_uniform: uniforms(main_key, first, count, values); break;
    case KS_DIST_large: normals(main_key, first, count, large, values); break;
    case KS_DIST_COUNT: break;
    }
}
