/* OUT = (A B) B2: the first composite's TCM output is the second one's pinned operand. */
#include "kernels/kernels.h"

void ks_gemm_chain(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ks_tl_ref_tensor(tl, ks_layout_find(layout, "A"));
    const ks_handle *b = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B"));
    const ks_handle *b2 = ks_tl_ref_tensor(tl, ks_layout_find(layout, "B2"));
    const ks_handle *out = ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT"));
    const ks_handle *t = ks_tl_composite_legacy(tl, a, b, NULL, NULL, 0);
    ks_tl_composite_legacy(tl, t, b2, out, NULL, 0);
}
