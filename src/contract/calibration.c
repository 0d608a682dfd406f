#include "contract/calibration.h"

#include <string.h>

#include "base/status.h"

static const ks_constant_info infos[KS_CONSTANT_COUNT] = {
#define X(name, class, text, unit, from_adr, about) \
    [KS_C_##name] = {#name, KS_##class, text, unit, from_adr, about},
    KS_CONSTANT_MAP(X)
#undef X
};

const ks_constant_info *ks_constant_describe(ks_constant constant) { return &infos[constant]; }

ks_calibration ks_calibration_default(void) {
    ks_calibration calibration;
    for (int i = 0; i < KS_CONSTANT_COUNT; i++) {
        calibration.values[i] = KS_RULE_MAC;
        if (infos[i].value_class == KS_GEMM_RULE_NAME) continue;
        const char *text = infos[i].default_text;
        if (ks_decimal_parse(text, strlen(text), &calibration.values[i]) != KS_DECIMAL_OK)
            KS_BUG("default of %s", infos[i].name);
    }
    return calibration;
}

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
