#include "contract/calibration.h"

static const ks_constant_info infos[KS_CONSTANT_COUNT] = {
#define X(name, class, value, unit, from_adr, about) \
    [KS_C_##name] = {#name, KS_##class, #value, unit, from_adr, about},
    KS_CONSTANT_MAP(X)
#undef X
};

const ks_constant_info *ks_constant_describe(ks_constant constant) { return &infos[constant]; }

#define TICKS_OF(value) (uint64_t)((value)*1e4 + 0.5)
#define VALUE_WHOLE_FROM_1(value) TICKS_OF(value)
#define VALUE_WHOLE_FROM_0(value) TICKS_OF(value)
#define VALUE_DECIMAL_FROM_0(value) TICKS_OF(value)
#define VALUE_DECIMAL_ABOVE_0(value) TICKS_OF(value)
#define VALUE_GEMM_RULE_NAME(value) RULE_##value
#define RULE_mac KS_RULE_MAC

static const ks_calibration defaults = {{
#define X(name, class, value, unit, from_adr, about) [KS_C_##name] = VALUE_##class(value),
    KS_CONSTANT_MAP(X)
#undef X
}};

ks_calibration ks_calibration_default(void) { return defaults; }

const char *ks_gemm_rule_name(ks_gemm_rule rule) {
    static const char *const names[KS_RULE_COUNT] = {"mac", "ws", "os"};
    return names[rule];
}

const char *ks_constant_refusal(ks_constant constant, uint64_t ticks) {
    static const struct {
        const char *expected;
        bool is_whole;
        uint64_t least_ticks;
    } rules[] = {
        [KS_WHOLE_FROM_1] = {"a whole number from 1", true, KS_TICKS_PER_UNIT},
        [KS_WHOLE_FROM_0] = {"a whole number from 0", true, 0},
        [KS_DECIMAL_FROM_0] = {"a decimal from 0", false, 0},
        [KS_DECIMAL_ABOVE_0] = {"a decimal above 0", false, 1},
        [KS_GEMM_RULE_NAME] = {"mac, ws or os", false, 0},
    };
    const ks_constant_class class = infos[constant].value_class;
    const bool is_fine =
        ticks >= rules[class].least_ticks && !(rules[class].is_whole && ticks % KS_TICKS_PER_UNIT);
    return is_fine ? NULL : rules[class].expected;
}
