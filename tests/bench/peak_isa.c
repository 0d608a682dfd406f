/* Compiled with -ffp-contract=fast: x * a + b is one instruction where the set has it. */
#include "bench/peak.h"

#if defined(__AVX512F__)
enum { BYTES = 64, CHAINS = 16 };
#elif defined(__AVX__)
enum { BYTES = 32, CHAINS = 12 };
#else
enum { BYTES = 16, CHAINS = 12 };
#endif

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
enum { IS_FUSED = 1 };
#else
enum { IS_FUSED = 0 };
#endif

typedef float floats __attribute__((vector_size(BYTES)));
typedef double doubles __attribute__((vector_size(BYTES)));

/* The chains do not wait for each other; the values stay near 1. */
#define LOOP(name, real, vector)                                                           \
    static real name(uint64_t steps) {                                                     \
        vector x[CHAINS], a = {0}, b = {0};                                                \
        a += (real)0.5, b += (real)0.5;                                                    \
        for (int i = 0; i < CHAINS; i++) x[i] = a * (real)i;                               \
        __asm__ volatile("" : "+x"(a), "+x"(b));                                           \
        for (uint64_t step = 0; step < steps; step++) {                                    \
            _Pragma("GCC unroll 16") for (int i = 0; i < CHAINS; i++) x[i] = x[i] * a + b; \
        }                                                                                  \
        for (int i = 1; i < CHAINS; i++) x[0] += x[i];                                     \
        return x[0][0];                                                                    \
    }

LOOP(run32, float, floats)
LOOP(run64, double, doubles)

/* Whole vectors of them; `values` is aligned. */
static float read_all(const float *values, uint64_t count) {
    enum { WIDTH = BYTES / sizeof(float), SIDE_BY_SIDE = 8 };
    floats sums[SIDE_BY_SIDE] = {{0}};
    for (uint64_t i = 0; i + WIDTH * SIDE_BY_SIDE <= count; i += WIDTH * SIDE_BY_SIDE)
        for (uint64_t j = 0; j < SIDE_BY_SIDE; j++)
            sums[j] += *(const floats *)(const void *)&values[i + j * WIDTH];
    for (int j = 1; j < SIDE_BY_SIDE; j++) sums[0] += sums[j];
    return sums[0][0];
}

#define JOIN(name, suffix) name##_##suffix
#define EXPAND(name, suffix) JOIN(name, suffix)

extern const peak_loop EXPAND(peak_loop, KS_ISA);
const peak_loop EXPAND(peak_loop, KS_ISA) = {
    .isa = KS_ISA_NAME,
    .run32 = run32,
    .run64 = run64,
    .read = read_all,
    .flops32 = CHAINS * BYTES / sizeof(float) * 2,
    .flops64 = CHAINS * BYTES / sizeof(double) * 2,
    .is_fused = IS_FUSED,
};
