/* MATH ops as data: what each takes, and what shapes go together. */
#include <inttypes.h>

#include "host/tl.h"

typedef enum math_shape {
    NOT_MATH,
    ELEMENTWISE, /* out and first operand alike; further ones may have one row or one column */
    REDUCTION    /* out is one column of the operand's rows */
} math_shape;

static const struct {
    math_shape shape;
    uint32_t operand_count;
} rules[KS_OP_COUNT] = {
    [KS_OP_fill] = {ELEMENTWISE, 0},     [KS_OP_scale] = {ELEMENTWISE, 1},
    [KS_OP_relu] = {ELEMENTWISE, 1},     [KS_OP_add] = {ELEMENTWISE, 2},
    [KS_OP_cast] = {ELEMENTWISE, 1},     [KS_OP_copy] = {ELEMENTWISE, 1},
    [KS_OP_rmax] = {REDUCTION, 1},       [KS_OP_max_elem] = {ELEMENTWISE, 2},
    [KS_OP_exp_diff] = {ELEMENTWISE, 2}, [KS_OP_rsum] = {REDUCTION, 1},
    [KS_OP_fma] = {ELEMENTWISE, 3},      [KS_OP_mul_bcast] = {ELEMENTWISE, 2},
    [KS_OP_mul_elem] = {ELEMENTWISE, 2}, [KS_OP_div_bcast] = {ELEMENTWISE, 2},
    [KS_OP_rsumsq] = {REDUCTION, 1},     [KS_OP_rsqrt_mean] = {ELEMENTWISE, 1},
};

static const char *const default_names[3] = {"x", "y", "z"};

static bool is_alike(const ks_handle *a, const ks_handle *b) {
    return a->rows == b->rows && a->cols == b->cols;
}

static bool is_broadcast(const ks_handle *operand, const ks_handle *out) {
    return (operand->rows == out->rows || operand->rows == 1) &&
           (operand->cols == out->cols || operand->cols == 1);
}

static bool fits(math_shape shape, uint32_t position, const ks_handle *operand,
                 const ks_handle *out) {
    if (shape == REDUCTION) return out->cols == 1 && out->rows == operand->rows;
    return position == 0 ? is_alike(operand, out) : is_broadcast(operand, out);
}

static bool check_operand(ks_tl *tl, const ks_math *math, uint32_t position, const char *name) {
    const ks_handle *operand = math->operands[position], *out = math->out;
    const char *op = ks_op_name(math->kind);
    if (!operand)
        ks_tl_refuse(tl, "%s: operand '%s' is missing", op, name);
    else if (operand->space != KS_TCM)
        ks_tl_refuse(tl, "%s: operand '%s' is in hbm; a MATH operand must be in tcm (D6.7)", op,
                     name);
    else if (!fits(rules[math->kind].shape, position, operand, out))
        ks_tl_refuse(tl,
                     "%s: operand '%s' is %" PRIu64 " x %" PRIu64
                     ", which does not fit out, %" PRIu64 " x %" PRIu64,
                     op, name, operand->rows, operand->cols, out->rows, out->cols);
    return !ks_tl_has_failed(tl);
}

bool ks_tl_math_op(ks_tl *tl, const ks_math *math, const char *const *names, ks_op *op) {
    if (ks_tl_has_failed(tl)) return false;
    const char *name = ks_op_name(math->kind);
    if (rules[math->kind].shape == NOT_MATH) {
        if (math->kind == KS_OP_gemm)
            ks_tl_refuse(tl, "gemm: a second GEMM op; a composite has at most one (D6.1)");
        else
            ks_tl_refuse(tl, "%s: is not a MATH op on whole tensors", name);
        return false;
    }
    if (!math->out || math->out->space != KS_TCM) {
        ks_tl_refuse(tl,
                     math->out ? "%s: out is in hbm; a MATH operand must be in tcm (D6.7)"
                               : "%s: out is missing",
                     name);
        return false;
    }
    *op = (ks_op){.kind = math->kind,
                  .scope = KS_SCOPE_KERNEL,
                  .operand_count = rules[math->kind].operand_count,
                  .out = math->out,
                  .immediate = math->immediate};
    for (uint32_t i = 0; i < 3; i++) {
        const char *operand_name = names && names[i] ? names[i] : default_names[i];
        if (i >= op->operand_count) {
            if (math->operands[i])
                ks_tl_refuse(tl, "%s: takes %u operands, '%s' is one more", name, op->operand_count,
                             operand_name);
            continue;
        }
        if (!check_operand(tl, math, i, operand_name)) return false;
        op->operands[i] = (ks_operand){operand_name, math->operands[i]};
    }
    return !ks_tl_has_failed(tl);
}

/* The context owns its handles; kernels see them as const. */
static void mark_pending(const ks_handle *handle, const ks_command *command) {
    ((ks_handle *)(uintptr_t)handle)->pending = command->index;
}

static void issue_primitive(ks_tl *tl, const ks_op *op) {
    ks_op *own = ks_tl_take(tl, 1, sizeof *own);
    if (!own) return;
    *own = *op;
    ks_command *command = ks_tl_command(tl, own, 1, false);
    ks_tl_issue(tl, command);
    if (!ks_tl_has_failed(tl)) mark_pending(op->out, command);
}

void ks_tl_math(ks_tl *tl, const ks_math *math) {
    ks_op op;
    if (ks_tl_math_op(tl, math, NULL, &op)) issue_primitive(tl, &op);
}

void ks_tl_fill(ks_tl *tl, const ks_handle *out, float value) {
    ks_tl_math(tl, &(ks_math){.kind = KS_OP_fill, .out = out, .immediate = value});
}

const ks_handle *ks_tl_load(ks_tl *tl, uint64_t addr, uint64_t rows, uint64_t cols,
                            ks_dtype dtype) {
    const ks_handle *from = ks_tl_ref(tl, addr, rows, cols, dtype);
    const ks_handle *to = ks_tl_alloc(tl, rows, cols, dtype);
    if (ks_tl_has_failed(tl)) return &tl->nowhere;
    issue_primitive(
        tl, &(ks_op){.kind = KS_OP_load, .operand_count = 1, .operands = {{"x", from}}, .out = to});
    return to;
}

void ks_tl_store(ks_tl *tl, const ks_handle *handle, uint64_t addr) {
    if (ks_tl_has_failed(tl)) return;
    if (handle->space != KS_TCM) {
        ks_tl_refuse(tl, "store: operand 'x' is in hbm; it stores from tcm");
        return;
    }
    const ks_handle *to = ks_tl_ref(tl, addr, handle->rows, handle->cols, handle->dtype);
    issue_primitive(
        tl,
        &(ks_op){.kind = KS_OP_store, .operand_count = 1, .operands = {{"x", handle}}, .out = to});
}

const ks_handle *ks_tl_dot(ks_tl *tl, const ks_handle *a, const ks_handle *b) {
    if (ks_tl_has_failed(tl)) return &tl->nowhere;
    if (a->space != KS_TCM || b->space != KS_TCM)
        ks_tl_refuse(tl, "gemm: operand '%s' of a dot is in hbm; it reads tcm",
                     a->space != KS_TCM ? "a" : "b");
    else if (a->cols != b->rows)
        ks_tl_refuse(
            tl, "gemm: operand 'b' has %" PRIu64 " rows, expected %" PRIu64 ", the columns of 'a'",
            b->rows, a->cols);
    const ks_handle *out = ks_tl_alloc(tl, a->rows, b->cols, a->dtype);
    if (ks_tl_has_failed(tl)) return &tl->nowhere;
    issue_primitive(tl, &(ks_op){.kind = KS_OP_gemm,
                                 .operand_count = 2,
                                 .operands = {{"a", a}, {"b", b}},
                                 .out = out,
                                 .m = a->rows,
                                 .k = a->cols,
                                 .n = b->cols});
    return out;
}
