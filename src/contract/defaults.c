#include "contract/defaults.h"

#include "contract/point.h"

void ks_defaults_print(ks_text *out) {
    const char *joint = "";
    for (int p = 0; p < KS_PARAM_COUNT; p++) {
        const ks_param_info *info = ks_param_describe((ks_param)p);
        if (!*info->default_text) continue;
        ks_text_add_format(out, "%s%s=%s", joint, info->name, info->default_text);
        joint = " ";
    }
    for (int c = 0; c < KS_CONSTANT_COUNT; c++) {
        const ks_constant_info *info = ks_constant_describe((ks_constant)c);
        ks_text_add_format(out, "%s%s=%s", joint, info->name, info->default_text);
    }
}
