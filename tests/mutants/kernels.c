/* The kernel table of the mutation tests: the product's, and what it takes to tell its rules apart. */
#include "kernels/kernels.h"

/* OUT = A B by a long composite; beside it a short one, and a third that reads what the second
 * writes. strict_fifo starts the third when nothing is in flight, not when the second is done. */
static void in_line(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    const ks_tensor *tensor = ks_layout_find(layout, "A");
    const ks_handle *a = ks_tl_ref_tensor(tl, tensor);
    const ks_handle *b = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B"));
    const ks_handle *out = ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT"));
    const ks_handle *x = ks_tl_load_tensor(tl, tensor);
    const ks_handle *y = ks_tl_alloc(tl, tensor->rows, tensor->cols, tensor->dtype);
    const ks_handle *z = ks_tl_alloc(tl, tensor->rows, tensor->cols, tensor->dtype);
    const ks_math there[] = {{.kind = KS_OP_copy, .out = y, .operands = {x}},
                             {.kind = KS_OP_copy, .out = x, .operands = {y}},
                             {.kind = KS_OP_copy, .out = y, .operands = {x}}};
    const ks_math back = {.kind = KS_OP_copy, .out = z, .operands = {y}};
    (void)point;
    ks_tl_wait(tl, x);
    ks_tl_composite_legacy(tl, a, b, out, NULL, 0);
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = there, .math_count = 3});
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &back, .math_count = 1});
}

static const ks_kernel kernels[] = {
    {"decode_opt1", KS_TASK_ATTENTION, ks_decode_opt1, 1},
    {"decode_opt2", KS_TASK_ATTENTION, ks_decode_opt2, 1},
    {"decode_opt3", KS_TASK_ATTENTION, ks_decode_opt3, 2},
    {"decode_a1", KS_TASK_ATTENTION, ks_decode_a1, 1},
    {"gemm", KS_TASK_GEMM, ks_gemm, 0},
    {"gemm_bias_relu", KS_TASK_GEMM_BIAS_RELU, ks_gemm_bias_relu, 0},
    {"gemm_ktile_scale", KS_TASK_GEMM_KTILE_SCALE, ks_gemm_ktile_scale, 0},
    {"gemm_chain", KS_TASK_GEMM_CHAIN, ks_gemm_chain, 0},
    {"gemm_postnorm", KS_TASK_GEMM_POSTNORM, ks_gemm_postnorm, 0},
    {"math_chain", KS_TASK_MATH_CHAIN, ks_math_chain, 0},
    {"rmsnorm_linear", KS_TASK_RMSNORM_LINEAR, ks_rmsnorm_linear, 0},
    {"in_line", KS_TASK_GEMM, in_line, 0},
};

const ks_kernel_table ks_kernels = {kernels, sizeof kernels / sizeof kernels[0]};
