/* OUT = relu(A B + BIAS), bias and relu on each output tile. */
#include "kernels/kernels.h"

void ks_gemm_bias_relu(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ks_tl_ref_tensor(tl, ks_layout_find(layout, "A"));
    const ks_handle *b = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B"));
    const ks_handle *out = ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT"));
    const ks_handle *bias = ks_tl_load_tensor(tl, ks_layout_find(layout, "BIAS"));
    const ks_call epilogue[] = {
        {.op = "add",
         .scope = KS_SCOPE_OUTPUT_TILE,
         .operand_count = 1,
         .operands = {{"other", bias}}},
        {.op = "relu", .scope = KS_SCOPE_OUTPUT_TILE},
    };
    ks_tl_composite_legacy(tl, a, b, out, epilogue, 2);
}
