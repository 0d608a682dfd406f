#include "run/group.h"

ks_names ks_group_axes(const ks_sweep *sweep) {
    ks_names names = 0;
    for (size_t i = 0; i < sweep->axis_count; i++) {
        if (sweep->axes[i].origin == KS_FROM_SET) continue;
        for (size_t c = 0; c < sweep->axes[i].column_count; c++)
            names |= KS_NAME_BIT(sweep->axes[i].columns[c].name);
    }
    return names;
}

void ks_group_print(ks_text *out, const ks_sweep *sweep, const ks_point *point, ks_names names) {
    const ks_kernel *kernel = &sweep->kernels->kernels[ks_param_of(point, KS_P_kernel)];
    ks_text_clear(out);
    names &= ks_kernel_names(kernel);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++) {
        if (!(names & KS_NAME_BIT(name))) continue;
        if (out->length) ks_text_add_char(out, ' ');
        ks_text_add_string(out, ks_name_text(name));
        ks_text_add_char(out, '=');
        ks_value_print(out, name, sweep->kernels, ks_point_get(point, name));
    }
}
