#include "contract/task.h"

#include <string.h>

enum { HBM_ALIGNMENT = 4096 };

/* Rows and columns as shape parameters; ONE stands for 1. */
enum { ONE = KS_PARAM_COUNT };

typedef struct tensor_shape {
    const char *name;
    int rows, cols;
    bool is_output;
} tensor_shape;

static const struct {
    uint32_t shapes;
    tensor_shape tensors[KS_MAX_TENSORS];
} table[KS_TASK_COUNT] = {
#define BIT(name) (UINT32_C(1) << KS_P_##name)
#define MKN (BIT(M) | BIT(K) | BIT(N))
#define A \
    { "A", KS_P_M, KS_P_K, false }
#define B \
    { "B", KS_P_K, KS_P_N, false }
#define OUT \
    { "OUT", KS_P_M, KS_P_N, true }
    [KS_TASK_ATTENTION] = {BIT(G) | BIT(TILE) | BIT(d) | BIT(S),
                           {{"Q", KS_P_G, KS_P_d, false},
                            {"K", KS_P_S, KS_P_d, false},
                            {"V", KS_P_S, KS_P_d, false},
                            {"OUT", KS_P_G, KS_P_d, true}}},
    [KS_TASK_GEMM] = {MKN, {A, B, OUT}},
    [KS_TASK_GEMM_BIAS_RELU] = {MKN, {A, B, OUT, {"BIAS", ONE, KS_P_N, false}}},
    [KS_TASK_GEMM_KTILE_SCALE] = {MKN, {A, B, OUT}},
    [KS_TASK_GEMM_CHAIN] = {MKN, {A, B, OUT, {"B2", KS_P_N, KS_P_N, false}}},
    [KS_TASK_GEMM_POSTNORM] = {MKN, {A, B, OUT}},
    [KS_TASK_MATH_CHAIN] = {BIT(M) | BIT(N), {{"X", KS_P_M, KS_P_N, false}, OUT}},
    [KS_TASK_RMSNORM_LINEAR] = {MKN,
                                {{"X", KS_P_M, KS_P_K, false}, B, OUT, {"w", ONE, KS_P_K, false}}},
#undef BIT
#undef MKN
#undef A
#undef B
#undef OUT
};

uint32_t ks_task_shapes(ks_task task) { return table[task].shapes; }

static uint64_t extent(const ks_point *point, int param) {
    return param == ONE ? 1 : point->params[param];
}

/* Of what data mode generates (MODEL.md section 9): bounds of the magnitude. */
static float largest_magnitude(const ks_point *point, bool is_score_input) {
    static const float normal = 6.67f;
    switch ((ks_dist)ks_param_of(point, KS_P_dist)) {
    case KS_DIST_uniform: return 1;
    case KS_DIST_outlier: return normal + 10 * normal;
    case KS_DIST_large: return is_score_input ? 512 * normal : normal;
    default: return normal;
    }
}

/* The smallest power of two with which the largest magnitude is still finite in 8 bits. */
static float scale_of(const ks_point *point, const ks_tensor *tensor) {
    if (tensor->dtype == ks_dtype_wide(tensor->dtype)) return 1;
    const float most = ks_dtype_most(tensor->dtype);
    const float largest = largest_magnitude(point, *tensor->name == 'Q' || *tensor->name == 'K');
    float scale = 0x1p-40f;
    while (largest > most * scale) scale *= 2;
    return scale;
}

/* Shapes are at most 2^30 each, so no end of a tensor leaves 64 bits. */
ks_layout ks_task_layout(ks_task task, const ks_point *point) {
    ks_layout layout = {.end = KS_HBM_BASE};
    const ks_dtype dtype = (ks_dtype)ks_param_of(point, KS_P_dtype);
    for (; layout.count < KS_MAX_TENSORS && table[task].tensors[layout.count].name;
         layout.count++) {
        const tensor_shape *shape = &table[task].tensors[layout.count];
        ks_tensor *tensor = &layout.tensors[layout.count];
        *tensor = (ks_tensor){
            .name = shape->name,
            .is_output = shape->is_output,
            .addr = (layout.end + HBM_ALIGNMENT - 1) / HBM_ALIGNMENT * HBM_ALIGNMENT,
            .rows = extent(point, shape->rows),
            .cols = extent(point, shape->cols),
            .dtype = shape->is_output ? ks_dtype_wide(dtype) : dtype,
        };
        tensor->scale = scale_of(point, tensor);
        if (layout.is_too_far) continue;
        layout.end = tensor->addr + tensor->rows * tensor->cols * ks_dtype_bytes(tensor->dtype);
        layout.is_too_far = layout.end > KS_HBM_LIMIT;
    }
    return layout;
}

const ks_tensor *ks_layout_find(const ks_layout *layout, const char *name) {
    for (uint32_t i = 0; i < layout->count; i++)
        if (strcmp(layout->tensors[i].name, name) == 0) return &layout->tensors[i];
    return NULL;
}
