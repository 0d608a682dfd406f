#include "data/isa.h"

#include <string.h>

#include "data/numeric.h"

/* The most capable first. */
#if defined(__x86_64__)
extern const ks_isa ks_isa_base, ks_isa_v3, ks_isa_v4;
static const ks_isa *const isas[] = {&ks_isa_v4, &ks_isa_v3, &ks_isa_base};

static bool is_supported(const ks_isa *isa) {
    __builtin_cpu_init();
    if (isa == &ks_isa_v4)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && is_supported(&ks_isa_v3);
    if (isa == &ks_isa_v3)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2");
    return true;
}
#else
extern const ks_isa ks_isa_plain;
static const ks_isa *const isas[] = {&ks_isa_plain};

static bool is_supported(const ks_isa *isa) { return isa == &ks_isa_plain; }
#endif

enum { COUNT = sizeof isas / sizeof isas[0] };

const char *ks_isa_name(const ks_isa *isa) { return isa->name; }

const ks_isa *ks_isa_at(uint32_t index) { return index < COUNT ? isas[index] : NULL; }

bool ks_isa_runs_here(const ks_isa *isa) { return is_supported(isa); }

const ks_isa *ks_isa_best(void) {
    size_t i = 0;
    while (!is_supported(isas[i])) i++;
    return isas[i];
}

static ks_status fail_unknown(const char *wanted, ks_error *error) {
    char list[128] = "";
    for (size_t i = 0; i < COUNT; i++) {
        strcat(list, i ? ", " : "");
        strcat(list, isas[i]->name);
    }
    return ks_fail(error, KS_INPUT, "KS_ISA: found '%.64s', expected one of %s", wanted, list);
}

ks_status ks_isa_choose(const char *wanted, const ks_isa **out, ks_error *error) {
    *out = ks_isa_best();
    if (!wanted || !*wanted) return KS_OK;
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(isas[i]->name, wanted) != 0) continue;
        *out = isas[i];
        if (is_supported(isas[i])) return KS_OK;
        return ks_fail(error, KS_INPUT, "KS_ISA: found '%s', but this machine runs at most %s",
                       wanted, ks_isa_best()->name);
    }
    return fail_unknown(wanted, error);
}

/* Asked of the arithmetic itself, so it holds for any machine. */
bool ks_float_environment_is_sound(void) {
    volatile float one = 1, quarter_ulp = 0x1p-25f, least_normal = 0x1p-126f, subnormal = 0x1p-149f;
    volatile float down = -one - quarter_ulp, up = one + quarter_ulp,
                   nearest = one + 3 * quarter_ulp;
    volatile float underflowed = least_normal * 0.5f, grown = subnormal * 0x1p100f;
    volatile double one64 = 1, quarter_ulp64 = 0x1p-54, least64 = 0x1p-1022;
    volatile double nearest64 = one64 + 3 * quarter_ulp64, underflowed64 = least64 * 0.5;
    return up == 1 && down == -1 && nearest == 1 + 0x1p-23f && underflowed == 0x1p-127f &&
           grown == 0x1p-49f && nearest64 == 1 + 0x1p-52 && underflowed64 > 0;
}
