/* The legacy benches by flat calls: what kernels/ writes in the legacy form. */
#ifndef KS_TEST_ADR_FLAT_BENCHES_H
#define KS_TEST_ADR_FLAT_BENCHES_H

#include "host/host.h"

static inline const ks_handle *ref(ks_tl *tl, const ks_layout *layout, const char *name) {
    return ks_tl_ref_tensor(tl, ks_layout_find(layout, name));
}

static inline void flat_gemm(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ref(tl, layout, "A"), *b = ref(tl, layout, "B");
    ks_tl_composite(tl,
                    &(ks_composite){.op = "gemm", .a = a, .b = b, .out = ref(tl, layout, "OUT")});
}

static inline void flat_gemm_by_out_ptr(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ref(tl, layout, "A"), *b = ref(tl, layout, "B");
    const uint64_t out = ks_layout_find(layout, "OUT")->addr;
    ks_tl_composite(tl, &(ks_composite){.op = "gemm", .a = a, .b = b, .out_addr = &out});
}

static inline void flat_gemm_bias_relu(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *bias = ks_tl_load_tensor(tl, ks_layout_find(layout, "BIAS"));
    const ks_call epilogue[] = {{.op = "add",
                                 .scope = KS_SCOPE_OUTPUT_TILE,
                                 .operand_count = 1,
                                 .operands = {{"other", bias}}},
                                {.op = "relu", .scope = KS_SCOPE_OUTPUT_TILE}};
    ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                        .a = ref(tl, layout, "A"),
                                        .b = ref(tl, layout, "B"),
                                        .out = ref(tl, layout, "OUT"),
                                        .epilogue = epilogue,
                                        .epilogue_count = 2});
}

static inline void flat_gemm_ktile_scale(ks_tl *tl, const ks_point *point,
                                         const ks_layout *layout) {
    (void)point;
    const ks_call halve = {.op = "scale", .scope = KS_SCOPE_K_TILE, .immediate = 0.5f};
    ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                        .a = ref(tl, layout, "A"),
                                        .b = ref(tl, layout, "B"),
                                        .out = ref(tl, layout, "OUT"),
                                        .epilogue = &halve,
                                        .epilogue_count = 1});
}

static inline void flat_gemm_chain(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *t = ks_tl_composite(
        tl, &(ks_composite){.op = "gemm", .a = ref(tl, layout, "A"), .b = ref(tl, layout, "B")});
    ks_tl_composite(
        tl, &(ks_composite){
                .op = "gemm", .a = t, .b = ref(tl, layout, "B2"), .out = ref(tl, layout, "OUT")});
}

static inline void flat_gemm_postnorm(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_call norm = {.op = "rmsnorm", .scope = KS_SCOPE_KERNEL};
    const ks_handle *t = ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                                             .a = ref(tl, layout, "A"),
                                                             .b = ref(tl, layout, "B"),
                                                             .epilogue = &norm,
                                                             .epilogue_count = 1});
    ks_tl_store(tl, t, ks_layout_find(layout, "OUT")->addr);
}

/* A prologue alone and an op list are the same thing: head "math", or no head at all. */
static inline void flat_math_chain(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    const ks_tensor *tensor = ks_layout_find(layout, "X");
    const ks_dtype acc = (ks_dtype)ks_param_of(point, KS_P_acc);
    const ks_handle *x = ks_tl_load_tensor(tl, tensor);
    const ks_handle *t0 = ks_tl_alloc(tl, tensor->rows, 1, acc);
    const ks_handle *e = ks_tl_alloc(tl, tensor->rows, tensor->cols, tensor->dtype);
    const ks_handle *t1 = ks_tl_alloc(tl, tensor->rows, 1, acc);
    const ks_handle *y = ks_tl_alloc(tl, tensor->rows, tensor->cols, tensor->dtype);
    const ks_math ops[] = {
        {.kind = KS_OP_rmax, .out = t0, .operands = {x}},
        {.kind = KS_OP_exp_diff, .out = e, .operands = {x, t0}},
        {.kind = KS_OP_rsum, .out = t1, .operands = {e}},
        {.kind = KS_OP_div_bcast, .out = y, .operands = {e, t1}, .immediate = 1}};
    const ks_handle *out = ks_tl_composite(tl, &(ks_composite){.math = ops, .math_count = 4});
    ks_tl_store(tl, out, ks_layout_find(layout, "OUT")->addr);
}

#endif
