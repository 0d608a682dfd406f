/* OUT = rmsnorm(A B) by rows, as a post-loop op on the whole TCM output. */
#include "kernels/kernels.h"

void ks_gemm_postnorm(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ks_tl_ref_tensor(tl, ks_layout_find(layout, "A"));
    const ks_handle *b = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B"));
    const ks_call norm = {.op = "rmsnorm", .scope = KS_SCOPE_KERNEL};
    const ks_handle *t = ks_tl_composite_legacy(tl, a, b, NULL, &norm, 1);
    ks_tl_store(tl, t, ks_layout_find(layout, "OUT")->addr);
}
