/* Number formats of tensors. */
#ifndef KS_CONTRACT_DTYPE_H
#define KS_CONTRACT_DTYPE_H

#include <stdint.h>

/* X(enum suffix, name, bytes of an element, unit roundoff as a power of two, smallest normal as
 * a power of two) */
#define KS_DTYPE_MAP(X)       \
    X(F32, f32, 4, -24, -126) \
    X(F16, f16, 2, -11, -14)  \
    X(BF16, bf16, 2, -8, -126)

typedef enum ks_dtype {
#define X(id, name, bytes, unit, normal) KS_##id,
    KS_DTYPE_MAP(X)
#undef X
        KS_DTYPE_COUNT
} ks_dtype;

uint32_t ks_dtype_bytes(ks_dtype dtype);
const char *ks_dtype_name(ks_dtype dtype);
int ks_dtype_unit_exponent(ks_dtype dtype);   /* unit roundoff u = 2^this */
int ks_dtype_normal_exponent(ks_dtype dtype); /* smallest normal = 2^this */

#endif
