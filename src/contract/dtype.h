/* Number formats of tensors. */
#ifndef KS_CONTRACT_DTYPE_H
#define KS_CONTRACT_DTYPE_H

#include <stdint.h>

/* X(enum suffix, name, bytes of an element, unit roundoff as a power of two, smallest normal as
 * a power of two, largest finite value). The last two, of OCP's 8-bit formats, are for inputs of
 * attention alone: e4m3fn has no infinity, and conversion to both saturates. */
#define KS_DTYPE_MAP(X)                        \
    X(F32, f32, 4, -24, -126, 0x1.fffffep127f) \
    X(F16, f16, 2, -11, -14, 65504.0f)         \
    X(BF16, bf16, 2, -8, -126, 0x1.fep127f)    \
    X(E4M3FN, e4m3fn, 1, -4, -6, 448.0f)       \
    X(E5M2, e5m2, 1, -3, -14, 57344.0f)

typedef enum ks_dtype {
#define X(id, name, bytes, unit, normal, most) KS_##id,
    KS_DTYPE_MAP(X)
#undef X
        KS_DTYPE_COUNT
} ks_dtype;

/* Formats that results and scores may have: those before the 8-bit ones. */
enum { KS_WIDE_DTYPE_COUNT = KS_E4M3FN };

uint32_t ks_dtype_bytes(ks_dtype dtype);
const char *ks_dtype_name(ks_dtype dtype);
int ks_dtype_unit_exponent(ks_dtype dtype);   /* unit roundoff u = 2^this */
int ks_dtype_normal_exponent(ks_dtype dtype); /* smallest normal = 2^this */
float ks_dtype_most(ks_dtype dtype);          /* largest finite value */
/* Format of OUT, and of scores unless something else is set: f16 where dtype has 8 bits. */
ks_dtype ks_dtype_wide(ks_dtype dtype);

#endif
