#include "contract/point.h"

static const ks_param_info infos[KS_PARAM_COUNT] = {
#define X(name, class, text, about) [KS_P_##name] = {#name, KS_PARAM_##class, text, about},
    KS_PARAM_MAP(X)
#undef X
};

const ks_param_info *ks_param_describe(ks_param param) { return &infos[param]; }

const char *ks_policy_name(ks_policy policy) {
    static const char *const names[KS_POLICY_COUNT] = {
#define X(name) [KS_POLICY_##name] = #name,
        KS_POLICY_MAP(X)
#undef X
    };
    return names[policy];
}

const char *ks_dist_name(ks_dist dist) {
    static const char *const names[KS_DIST_COUNT] = {
#define X(name) [KS_DIST_##name] = #name,
        KS_DIST_MAP(X)
#undef X
    };
    return names[dist];
}

ks_point ks_point_default(void) {
    return (ks_point){
        .params = {[KS_P_dtype] = KS_F16,
                   [KS_P_score] = KS_F16,
                   [KS_P_acc] = KS_F32,
                   [KS_P_p_dtype] = KS_F16,
                   [KS_P_policy] = KS_POLICY_strict_fifo,
                   [KS_P_s_buffers] = 2,
                   [KS_P_dist] = KS_DIST_normal,
                   [KS_P_seed] = 1},
        .calibration = ks_calibration_default(),
    };
}
