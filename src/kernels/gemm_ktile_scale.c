/* A B with the accumulator halved after every K tile: pins the K_TILE scope. */
#include "kernels/kernels.h"

void ks_gemm_ktile_scale(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ks_tl_ref_tensor(tl, ks_layout_find(layout, "A"));
    const ks_handle *b = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B"));
    const ks_handle *out = ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT"));
    const ks_call halve = {.op = "scale", .scope = KS_SCOPE_K_TILE, .immediate = 0.5f};
    ks_tl_composite_legacy(tl, a, b, out, &halve, 1);
}
