#include "contract/dtype.h"

static const struct {
    const char *name;
    uint32_t bytes;
    int unit_exponent;
    int normal_exponent;
    float most;
} table[KS_DTYPE_COUNT] = {
#define X(id, name, bytes, unit, normal, most) [KS_##id] = {#name, bytes, unit, normal, most},
    KS_DTYPE_MAP(X)
#undef X
};

uint32_t ks_dtype_bytes(ks_dtype dtype) { return table[dtype].bytes; }
const char *ks_dtype_name(ks_dtype dtype) { return table[dtype].name; }
int ks_dtype_unit_exponent(ks_dtype dtype) { return table[dtype].unit_exponent; }
int ks_dtype_normal_exponent(ks_dtype dtype) { return table[dtype].normal_exponent; }
float ks_dtype_most(ks_dtype dtype) { return table[dtype].most; }

ks_dtype ks_dtype_wide(ks_dtype dtype) {
    return (int)dtype < (int)KS_WIDE_DTYPE_COUNT ? dtype : KS_F16;
}
