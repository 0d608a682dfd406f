#include "study/sequence.h"

/* Of dimensions 2 to 64: degree and inner coefficients of a primitive polynomial, and the first
 * direction numbers m. S. Joe and F. Y. Kuo, Constructing Sobol sequences with better
 * two-dimensional projections, SIAM J. Sci. Comput. 30 (2008), their table D6. */
enum { MOST_DEGREE = 9 };
static const struct {
    uint8_t degree, coefficients;
    uint16_t m[MOST_DEGREE];
} table[KS_SEQUENCE_DIMS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
    {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
    {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
    {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
    {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
    {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
    {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
    {9, 8, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {9, 13, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {9, 16, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {9, 22, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {9, 25, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {9, 44, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {9, 47, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {9, 52, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {9, 55, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {9, 59, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {9, 62, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
};

const char *ks_sequence_name(ks_sequence_kind kind) {
    return kind == KS_SEQUENCE_SOBOL ? "sobol" : "random";
}

/* ---- hashing ---- */

/* The finalizer of SplitMix64: a bijection of 64 bits in which every input bit moves every output. */
static uint64_t mixed(uint64_t z) {
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t ks_draw(uint64_t seed, uint64_t a, uint64_t b) {
    return mixed(mixed(mixed(seed) ^ a) ^ b);
}

uint64_t ks_draw_below(uint64_t seed, uint64_t a, uint64_t b, uint64_t count) {
    return (uint64_t)(((unsigned __int128)ks_draw(seed, a, b) * count) >> 64);
}

/* ---- the sequence ---- */

/* Bratley and Fox: v[i] = v[i - s] ^ v[i - s] >> s ^ those of the coefficients that are set. */
static void fill_directions(uint32_t *v, uint32_t dimension) {
    for (uint32_t i = 0; i < KS_SEQUENCE_BITS; i++) v[i] = UINT32_C(1) << (31 - i);
    if (dimension == 0) return;
    const uint32_t s = table[dimension - 1].degree, a = table[dimension - 1].coefficients;
    for (uint32_t i = 0; i < s; i++) v[i] = (uint32_t)table[dimension - 1].m[i] << (31 - i);
    for (uint32_t i = s; i < KS_SEQUENCE_BITS; i++) {
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for (uint32_t k = 1; k < s; k++)
            if (a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
}

void ks_sequence_begin(ks_sequence *sequence, ks_sequence_kind kind, uint64_t seed) {
    sequence->kind = kind;
    sequence->seed = seed;
    for (uint32_t d = 0; d < KS_SEQUENCE_DIMS; d++) fill_directions(sequence->directions[d], d);
}

uint32_t ks_sobol_at(const ks_sequence *sequence, uint32_t index, uint32_t dimension) {
    uint32_t x = 0;
    for (uint32_t bit = 0; index >> bit; bit++) {
        if (index >> bit & 1) x ^= sequence->directions[dimension][bit];
        if (bit == 31) break;
    }
    return x;
}

/* A node is its path from the root, behind a leading 1. */
static uint32_t scrambled(uint64_t hash, uint32_t x) {
    uint32_t flips = 0;
    for (uint32_t depth = 0; depth < 32; depth++) {
        const uint64_t node = (UINT64_C(1) << depth) | (depth ? x >> (32 - depth) : 0);
        flips |= (uint32_t)(mixed(hash ^ node) >> 63) << (31 - depth);
    }
    return x ^ flips;
}

double ks_sequence_at(const ks_sequence *sequence, uint64_t index, uint32_t dimension) {
    if (sequence->kind == KS_SEQUENCE_RANDOM) {
        const uint64_t draw = ks_draw(sequence->seed, index, dimension) >> 11;
        return ((double)draw + 0.5) * 0x1p-53;
    }
    const uint64_t hash = mixed(mixed(sequence->seed) ^ dimension);
    const uint32_t x = scrambled(hash, ks_sobol_at(sequence, (uint32_t)index, dimension));
    return ((double)x + 0.5) * 0x1p-32;
}
