/* When two commands have one plan. Addresses, immediates and handle numbers do not matter. */
#include "device/plan.h"

static bool is_same_handle_shape(const ks_handle *a, const ks_handle *b) {
    return a->rows == b->rows && a->cols == b->cols && a->dtype == b->dtype &&
           a->space == b->space && a->pinned == b->pinned;
}

static bool is_same_op_shape(const ks_op *a, const ks_op *b) {
    if (a->kind != b->kind || a->scope != b->scope || a->operand_count != b->operand_count ||
        a->m != b->m || a->k != b->k || a->n != b->n || a->is_b_transposed != b->is_b_transposed ||
        !a->out != !b->out)
        return false;
    if (a->out && !is_same_handle_shape(a->out, b->out)) return false;
    for (uint32_t i = 0; i < a->operand_count; i++)
        if (!is_same_handle_shape(a->operands[i].handle, b->operands[i].handle)) return false;
    return true;
}

bool ks_plan_is_shared(const ks_command *a, const ks_command *b) {
    if (a->is_composite != b->is_composite || a->op_count != b->op_count) return false;
    for (uint32_t i = 0; i < a->op_count; i++)
        if (!is_same_op_shape(&a->ops[i], &b->ops[i])) return false;
    return true;
}
