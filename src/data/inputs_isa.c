/* The generators of data.h, element by element. */
#include "data/inputs.h"
#include "data/isa_loops.h"
#include "data/numeric.h"

static inline uint64_t draw(uint64_t key, uint64_t index) {
    return ks_mix(ks_mix(key + KS_GAMMA * index) ^ key);
}

/* ---- two normal values from 64 bits: Box-Muller ---- */

typedef struct pair {
    float first, second;
} pair;

/* ln of a float in [2^-32, 1] is n ln 2 + ln(1 + x), 1 + x in [1/sqrt 2, sqrt 2); the latter is
 * x - x^2 / 2 + x^3 q(x), q a Chebyshev fit that adds less than 2^-25 of relative error. */
static inline float natural_log(float u) {
    const uint32_t root_half = 0x3f3504f4, one = 0x3f800000;
    const uint32_t shifted = ks_bits32(u) + (one - root_half); /* exponent of 1 + x: 0 */
    const float n = (float)((int32_t)(shifted >> 23) - 127);
    const float x = ks_float_of_bits((shifted & 0x7fffff) + root_half) - 1.0f, z = x * x;
    const float q01 = 0x1.555554p-2f - 0x1.0000cep-2f * x;
    const float q23 = 0x1.999f14p-3f - 0x1.54d03ep-3f * x;
    const float q45 = 0x1.231ce6p-3f - 0x1.0a33eap-3f * x;
    const float q67 = 0x1.02814ep-3f - 0x1.43b246p-4f * x;
    const float q = (q01 + z * q23) + (z * z) * (q45 + z * q67);
    return n * 0x1.62e43p-1f + (x - (0.5f * z - (x * z) * q));
}

static inline float radius_of(uint32_t high) {
    const float u = ((float)(int32_t)(high >> 1) + 0.5f) * 0x1p-31f;
    return __builtin_sqrtf(-2.0f * natural_log(u));
}

/* The angle is a quarter of the circle around 0, t of it in [-1/2, 1/2]; cosine and sine change
 * places, and the cosine its sign, by a bit each: that makes it the whole circle. */
static inline pair pair_at(float radius, uint32_t low) {
    const float t = (float)(int32_t)(low << 2) * 0x1p-32f, z = t * t;
    const float s =
        (0x1.921fb6p+0f - 0x1.4abbbap-1f * z) + (z * z) * (0x1.465ec4p-4f - 0x1.2d9b4p-8f * z);
    const float c = (1.0f - 0x1.3bd392p+0f * z) + (z * z) * (0x1.03af58p-2f - 0x1.4e5e06p-6f * z);
    const float sine = radius * (t * s);
    const float cosine = ks_float_of_bits(ks_bits32(radius * c) ^ (low & UINT32_C(0x80000000)));
    const bool is_swapped = low & 0x40000000;
    return (pair){is_swapped ? sine : cosine, is_swapped ? cosine : sine};
}

/* Elements lie in blocks of 2 HALF: pair i of a block makes its elements i and HALF + i, so that
 * nothing has to be interleaved. */
enum { HALF = 16, BLOCK = 2 * HALF };

static inline uint64_t pair_of(uint64_t index) { return index / BLOCK * HALF + index % HALF; }

static float normal_at(uint64_t key, uint64_t index) {
    const uint64_t bits = draw(key, pair_of(index));
    const pair n = pair_at(radius_of((uint32_t)(bits >> 32)), (uint32_t)bits);
    return index % BLOCK < HALF ? n.first : n.second;
}

/* Blocks made at once, step by step: the steps of one pair are one long wait. */
enum { ROOM = 8, PAIRS = ROOM * HALF };

static void normal_blocks(uint64_t key, uint64_t first, uint64_t blocks, float factor,
                          float *restrict values) {
    uint32_t high[PAIRS], low[PAIRS];
    float radius[PAIRS];
    const uint64_t from = pair_of(first), count = blocks * HALF;
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = draw(key, from + i);
        high[i] = (uint32_t)(bits >> 32);
        low[i] = (uint32_t)bits;
    }
#pragma omp simd
    for (uint64_t i = 0; i < count; i++) radius[i] = factor * radius_of(high[i]);
    for (uint64_t b = 0; b < blocks; b++)
#pragma omp simd
        for (uint64_t i = 0; i < HALF; i++) {
            const pair n = pair_at(radius[b * HALF + i], low[b * HALF + i]);
            values[b * BLOCK + i] = n.first;
            values[b * BLOCK + HALF + i] = n.second;
        }
}

static void normals(const ks_draws *draws, uint64_t first, uint64_t count, float *restrict values) {
    const uint64_t key = draws->key;
    const float factor = draws->factor; /* a power of two: it may go anywhere in a product */
    uint64_t i = 0;
    for (; i < count && (first + i) % BLOCK; i++) values[i] = factor * normal_at(key, first + i);
    while (i + BLOCK <= count) {
        const uint64_t left = (count - i) / BLOCK, blocks = left < ROOM ? left : ROOM;
        normal_blocks(key, first + i, blocks, factor, &values[i]);
        i += blocks * BLOCK;
    }
    for (; i < count; i++) values[i] = factor * normal_at(key, first + i);
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
                values[at + i] += 10.0f * normal_at(draws->outlier_key, first + at + i);
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
