/* OUT = softmax of X's rows in one MATH-only composite. */
#include "kernels/kernels.h"

void ks_math_chain(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
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
        {.kind = KS_OP_div_bcast, .out = y, .operands = {e, t1}, .immediate = 1},
    };
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = ops, .math_count = 4});
    ks_tl_store(tl, y, ks_layout_find(layout, "OUT")->addr);
}
