/* tl_composite: validation, and lowering to the flat command (ADR-0065 D1 to D8). */
#include <inttypes.h>
#include <string.h>

#include "host/tl.h"

/* A composite on its way to a command. */
typedef struct draft {
    ks_tl *tl;
    const ks_composite *composite;
    ks_list ops;              /* ks_op */
    ks_list rw_handles;       /* const ks_handle * */
    const ks_handle *primary; /* of the prologue, or NULL */
    const ks_handle *out;
} draft;

static void add_prologue(draft *d) {
    for (size_t i = 0; i < d->composite->prologue_count && !ks_tl_has_failed(d->tl); i++) {
        const ks_call *call = &d->composite->prologue[i];
        if (strcmp(call->op, "gemm") == 0) {
            ks_tl_refuse(d->tl, "gemm: a GEMM in the prologue; a composite has at most one, as its "
                                "head (D6.1)");
            return;
        }
        const ks_handle *primary = ks_tl_expand(d->tl, call, &d->ops, &d->rw_handles);
        if (primary && d->primary)
            ks_tl_refuse(d->tl, "%s: a second primary output in one prologue", call->op);
        if (primary) d->primary = primary;
    }
}

/* ---- MATH-only ---- */

static void add_math(draft *d) {
    for (size_t i = 0; i < d->composite->math_count; i++) {
        ks_op *op = ks_list_add(d->tl, &d->ops, sizeof *op);
        if (!op || !ks_tl_math_op(d->tl, &d->composite->math[i], NULL, op)) return;
        d->out = op->out;
    }
}

static void check_math_only(draft *d) {
    const ks_composite *c = d->composite;
    const ks_handle *given[] = {c->a, c->b};
    for (int i = 0; i < 2; i++)
        if (given[i])
            ks_tl_refuse(d->tl,
                         given[i]->space == KS_HBM
                             ? "math: operand '%s' is in hbm; a MATH operand must be in tcm (D6.7)"
                             : "math: takes its operands in its op list, not as '%s'",
                         i ? "b" : "a");
    if (c->out || c->out_addr || c->epilogue_count)
        ks_tl_refuse(d->tl, "math: a composite without a gemm has no out and no epilogue");
    if (c->math_count + d->ops.count == 0) ks_tl_refuse(d->tl, "math: a composite without ops");
}

/* ---- the GEMM head ---- */

static void check_extent(draft *d, const char *operand, const char *what, uint64_t found,
                         uint64_t expected) {
    if (found != expected)
        ks_tl_refuse(d->tl, "gemm: operand '%s' has %" PRIu64 " %s, expected %" PRIu64, operand,
                     found, what, expected);
}

static bool find_head_operands(draft *d, ks_op *gemm) {
    const ks_composite *c = d->composite;
    if (c->a && d->primary) {
        ks_tl_refuse(d->tl,
                     "gemm: operand 'a' is given, and the prologue has a primary output that "
                     "would be bound to it (D6.6)");
        return false;
    }
    const ks_handle *a = c->a ? c->a : d->primary, *b = c->b;
    if (!a || !b) {
        ks_tl_refuse(d->tl, "gemm: operand '%s' is missing", a ? "b" : "a");
        return false;
    }
    *gemm = (ks_op){.kind = KS_OP_gemm,
                    .scope = KS_SCOPE_KERNEL,
                    .operand_count = 2,
                    .operands = {{"a", a}, {"b", b}},
                    .m = a->rows,
                    .k = a->cols,
                    .n = c->is_b_transposed ? b->rows : b->cols,
                    .is_b_transposed = c->is_b_transposed};
    check_extent(d, "b", c->is_b_transposed ? "columns" : "rows",
                 c->is_b_transposed ? b->cols : b->rows, gemm->k);
    return !ks_tl_has_failed(d->tl);
}

static void find_out(draft *d, const ks_op *gemm) {
    const ks_composite *c = d->composite;
    const ks_dtype dtype = gemm->operands[0].handle->dtype;
    if (c->out && c->out_addr)
        ks_tl_refuse(d->tl, "gemm: both out and out_ptr are given");
    else if (c->out)
        d->out = c->out;
    else if (c->out_addr)
        d->out = ks_tl_ref(d->tl, *c->out_addr, gemm->m, gemm->n, dtype);
    else
        d->out = ks_tl_alloc(d->tl, gemm->m, gemm->n, dtype);
    if (ks_tl_has_failed(d->tl)) return;
    check_extent(d, "out", "rows", d->out->rows, gemm->m);
    check_extent(d, "out", "columns", d->out->cols, gemm->n);
}

/* ---- the epilogue ---- */

/* Ops that work on the accumulator (in a tile scope) or on the whole output (KERNEL scope). */
static const struct {
    ks_op_kind kind;
    bool has_other;
    bool is_in_tiles;
    bool is_post_loop;
} epilogue_ops[] = {
    {KS_OP_scale, false, true, true},
    {KS_OP_relu, false, true, true},
    {KS_OP_add, true, true, true},
    {KS_OP_rmsnorm, false, false, true}, /* needs whole rows */
};

enum { EPILOGUE_OPS = sizeof epilogue_ops / sizeof epilogue_ops[0] };

static int find_epilogue_op(ks_tl *tl, const ks_call *call) {
    for (int i = 0; i < EPILOGUE_OPS; i++)
        if (strcmp(call->op, ks_op_name(epilogue_ops[i].kind)) == 0) return i;
    if (ks_recipe_find(tl->recipes, tl->recipe_count, call->op))
        ks_tl_refuse(tl,
                     "%s: a recipe in the epilogue: its output would feed the gemm that it runs "
                     "after, a cycle through the tile loop (alternative A5)",
                     call->op);
    else if (strcmp(call->op, "gemm") == 0)
        ks_tl_refuse(tl,
                     "gemm: a second GEMM op in the epilogue; a composite has at most one (D6.1)");
    else
        ks_tl_refuse(tl, "%s: is not an epilogue op", call->op);
    return -1;
}

static bool check_other(draft *d, const ks_call *call, bool has_other) {
    for (uint32_t i = 0; i < call->operand_count; i++)
        if (!has_other || strcmp(call->operands[i].name, "other") != 0)
            ks_tl_refuse(d->tl, "%s: no operand is named '%s'%s", call->op, call->operands[i].name,
                         has_other ? ", expected 'other'" : "");
        else if (i > 0)
            ks_tl_refuse(d->tl, "%s: operand 'other' is given twice", call->op);
    if (ks_tl_has_failed(d->tl) || !has_other) return !has_other;
    const ks_handle *other = call->operand_count ? call->operands[0].handle : NULL;
    if (!other)
        ks_tl_refuse(d->tl, "%s: operand 'other' is missing", call->op);
    else if (other->space != KS_TCM)
        ks_tl_refuse(d->tl, "%s: operand 'other' is in hbm; a MATH operand must be in tcm (D6.7)",
                     call->op);
    else if ((other->rows != d->out->rows && other->rows != 1) ||
             (other->cols != d->out->cols && other->cols != 1))
        ks_tl_refuse(d->tl,
                     "%s: operand 'other' is %" PRIu64 " x %" PRIu64
                     ", which does not fit out, %" PRIu64 " x %" PRIu64,
                     call->op, other->rows, other->cols, d->out->rows, d->out->cols);
    return !ks_tl_has_failed(d->tl);
}

static void add_epilogue(draft *d, const ks_call *call) {
    const int i = find_epilogue_op(d->tl, call);
    if (i < 0 || !check_other(d, call, epilogue_ops[i].has_other)) return;
    const bool is_post_loop = call->scope == KS_SCOPE_KERNEL;
    if (is_post_loop ? !epilogue_ops[i].is_post_loop : !epilogue_ops[i].is_in_tiles) {
        ks_tl_refuse(d->tl, "%s: cannot run in this scope", call->op);
        return;
    }
    ks_op *op = ks_list_add(d->tl, &d->ops, sizeof *op);
    if (!op) return;
    *op = (ks_op){.kind = epilogue_ops[i].kind,
                  .scope = call->scope,
                  .operand_count = call->operand_count,
                  .out = d->out,
                  .immediate = call->immediate};
    if (call->operand_count) op->operands[0] = call->operands[0];
    if (op->kind == KS_OP_rmsnorm) op->immediate = (float)d->out->cols;
}

static void add_gemm(draft *d) {
    ks_op gemm;
    if (d->composite->math_count)
        ks_tl_refuse(d->tl, "gemm: a MATH op list belongs to a composite without a gemm");
    if (ks_tl_has_failed(d->tl) || !find_head_operands(d, &gemm)) return;
    find_out(d, &gemm);
    ks_op *op = ks_list_add(d->tl, &d->ops, sizeof *op);
    if (!op) return;
    *op = gemm;
    op->out = d->out;
    for (size_t i = 0; i < d->composite->epilogue_count && !ks_tl_has_failed(d->tl); i++)
        add_epilogue(d, &d->composite->epilogue[i]);
}

/* ---- both ---- */

static void add_head(draft *d) {
    const char *head = d->composite->op;
    if (head && strcmp(head, "gemm") == 0) {
        add_gemm(d);
    } else if (!head || strcmp(head, "math") == 0) {
        check_math_only(d);
        if (ks_tl_has_failed(d->tl)) return;
        d->out = d->primary;
        add_math(d);
    } else {
        ks_tl_refuse(d->tl, "%s: is not a composite's op, expected gemm or math", head);
    }
}

static ks_command *issue(draft *d) {
    ks_command *command = ks_tl_command(d->tl, d->ops.items, d->ops.count, true);
    if (!command) return NULL;
    command->rw_count = (uint32_t)d->rw_handles.count;
    command->rw_handles = d->rw_handles.items;
    ks_tl_issue(d->tl, command);
    return ks_tl_has_failed(d->tl) ? NULL : command;
}

const ks_handle *ks_tl_composite(ks_tl *tl, const ks_composite *composite) {
    draft d = {.tl = tl, .composite = composite};
    if (ks_tl_has_failed(tl)) return &tl->nowhere;
    add_prologue(&d);
    if (!ks_tl_has_failed(tl)) add_head(&d);
    if (ks_tl_has_failed(tl)) return &tl->nowhere;
    const ks_command *command = issue(&d);
    if (!command) return &tl->nowhere;
    if (!d.out) return &tl->nowhere; /* a prologue without primary output */
    ((ks_handle *)(uintptr_t)d.out)->pending = command->index;
    return d.out;
}

const ks_handle *ks_tl_composite_legacy(ks_tl *tl, const ks_handle *a, const ks_handle *b,
                                        const ks_handle *out, const ks_call *epilogue,
                                        size_t epilogue_count) {
    return ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                               .a = a,
                                               .b = b,
                                               .out = out,
                                               .epilogue = epilogue,
                                               .epilogue_count = epilogue_count});
}
