#include "data/isa_loops.h"
#include "data/numeric.h"

#if defined(__F16C__)
#include <immintrin.h>
/* Without optimisation gcc's intrinsics are macros, with conversions of their own. */
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* A format's two loops: `type` is how an element is stored. */
#define CONVERSION(name, type)                                                                    \
    static void name##_to_floats(float *restrict out, const void *raw, uint64_t count) {          \
        const type *const in = raw;                                                               \
        _Pragma("omp simd") for (uint64_t i = 0; i < count; i++) out[i] =                         \
            ks_float_of_##name(in[i]);                                                            \
    }                                                                                             \
    static void name##_from_floats(void *restrict raw, const float *values, uint64_t count) {     \
        type *const out = raw;                                                                    \
        _Pragma("omp simd") for (uint64_t i = 0; i < count; i++) out[i] =                         \
            ks_##name##_of_float(values[i]);                                                      \
    }                                                                                             \
    static void name##_round_floats(void *restrict raw, float *restrict values, uint64_t count) { \
        type *const out = raw;                                                                    \
        _Pragma("omp simd") for (uint64_t i = 0; i < count; i++) {                                \
            const type rounded = ks_##name##_of_float(values[i]);                                 \
            out[i] = rounded;                                                                     \
            values[i] = ks_float_of_##name(rounded);                                              \
        }                                                                                         \
    }

CONVERSION(bf16, uint16_t)
CONVERSION(e4m3fn, uint8_t)
CONVERSION(e5m2, uint8_t)

/* ---- f16: the machine's own instructions, where it has them, round the same way ---- */

#if defined(__F16C__)

#if defined(__AVX512F__)
enum { LANES = 16 };
typedef __m512 lanes;
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps

/* NaNs become the canonical one. */
KS_INLINE lanes narrow(uint16_t *raw, lanes x) {
    const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    const __m256i half = _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256i clean = _mm256_mask_mov_epi16(half, nan, _mm256_set1_epi16(KS_NAN16));
    _mm256_storeu_si256((void *)raw, clean);
    return _mm512_cvtph_ps(clean);
}

KS_INLINE lanes widen(const uint16_t *raw) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const void *)raw));
}
#else
enum { LANES = 8 };
typedef __m256 lanes;
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps

KS_INLINE lanes narrow(uint16_t *raw, lanes x) {
    const lanes nan = _mm256_castsi256_ps(_mm256_set1_epi32((int)KS_NAN32));
    const lanes clean = _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    const __m128i half = _mm256_cvtps_ph(clean, _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128((void *)raw, half);
    return _mm256_cvtph_ps(half);
}

KS_INLINE lanes widen(const uint16_t *raw) {
    return _mm256_cvtph_ps(_mm_loadu_si128((const void *)raw));
}
#endif

static void f16_to_floats(float *restrict out, const void *raw, uint64_t count) {
    const uint16_t *const in = raw;
    uint64_t i = 0;
    for (; i + LANES <= count; i += LANES) STORE(&out[i], widen(&in[i]));
    for (; i < count; i++) out[i] = ks_float_of_f16(in[i]);
}

static void f16_from_floats(void *restrict raw, const float *values, uint64_t count) {
    uint16_t *const out = raw;
    uint64_t i = 0;
    for (; i + LANES <= count; i += LANES) narrow(&out[i], LOAD(&values[i]));
    for (; i < count; i++) out[i] = ks_f16_of_float(values[i]);
}

static void f16_round_floats(void *restrict raw, float *restrict values, uint64_t count) {
    uint16_t *const out = raw;
    uint64_t i = 0;
    for (; i + LANES <= count; i += LANES) STORE(&values[i], narrow(&out[i], LOAD(&values[i])));
    for (; i < count; i++) {
        out[i] = ks_f16_of_float(values[i]);
        values[i] = ks_float_of_f16(out[i]);
    }
}

#else
CONVERSION(f16, uint16_t)
#endif

static void f32_to_floats(float *restrict out, const void *raw, uint64_t count) {
    memcpy(out, raw, count * sizeof *out);
}

static void f32_from_floats(void *restrict raw, const float *values, uint64_t count) {
    memcpy(raw, values, count * sizeof *values);
}

static void f32_round_floats(void *restrict raw, float *restrict values, uint64_t count) {
    memcpy(raw, values, count * sizeof *values);
}

#define ALL_FORMATS(loop)                                                      \
    {                                                                          \
        [KS_F32] = f32_##loop, [KS_F16] = f16_##loop, [KS_BF16] = bf16_##loop, \
        [KS_E4M3FN] = e4m3fn_##loop, [KS_E5M2] = e5m2_##loop                   \
    }

const ks_convert_loops KS_OF_ISA(ks_convert_loops) = {.to_floats = ALL_FORMATS(to_floats),
                                                      .from_floats = ALL_FORMATS(from_floats),
                                                      .round_floats = ALL_FORMATS(round_floats)};
