/* OUT = rmsnorm(X, w) B: the second recipe as a prologue, its output bound to the gemm. */
#include "kernels/kernels.h"

void ks_rmsnorm_linear(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *x = ks_tl_load_tensor(tl, ks_layout_find(layout, "X"));
    const ks_handle *w = ks_tl_load_tensor(tl, ks_layout_find(layout, "w"));
    const ks_call norm = {.op = "rmsnorm", .operand_count = 2, .operands = {{"x", x}, {"w", w}}};
    ks_tl_composite(tl,
                    &(ks_composite){.prologue = &norm,
                                    .prologue_count = 1,
                                    .op = "gemm",
                                    .b = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B")),
                                    .out = ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT"))});
}
