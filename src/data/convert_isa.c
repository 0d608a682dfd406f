#include "data/isa_loops.h"
#include "data/numeric.h"

/* A format's two loops: `type` is how an element is stored. */
#define CONVERSION(name, type)                                                                \
    static void name##_to_floats(float *restrict out, const void *raw, uint64_t count) {      \
        const type *const in = raw;                                                           \
        _Pragma("omp simd") for (uint64_t i = 0; i < count; i++) out[i] =                     \
            ks_float_of_##name(in[i]);                                                        \
    }                                                                                         \
    static void name##_from_floats(void *restrict raw, const float *values, uint64_t count) { \
        type *const out = raw;                                                                \
        _Pragma("omp simd") for (uint64_t i = 0; i < count; i++) out[i] =                     \
            ks_##name##_of_float(values[i]);                                                  \
    }

CONVERSION(f16, uint16_t)
CONVERSION(bf16, uint16_t)

static void f32_to_floats(float *restrict out, const void *raw, uint64_t count) {
    memcpy(out, raw, count * sizeof *out);
}

static void f32_from_floats(void *restrict raw, const float *values, uint64_t count) {
    memcpy(raw, values, count * sizeof *values);
}

const ks_convert_loops KS_OF_ISA(ks_convert_loops) = {
    .to_floats = {[KS_F32] = f32_to_floats, [KS_F16] = f16_to_floats, [KS_BF16] = bf16_to_floats},
    .from_floats =
        {[KS_F32] = f32_from_floats, [KS_F16] = f16_from_floats, [KS_BF16] = bf16_from_floats},
};
