#include "report/program.h"

#include <inttypes.h>

static void add_handle(ks_text *out, const ks_handle *h) {
    ks_text_add_format(out, "%s:0x%" PRIx64 "[%" PRIu64 "x%" PRIu64 " %s]", ks_space_name(h->space),
                       h->addr, h->rows, h->cols, ks_dtype_name(h->dtype));
}

static void add_op(ks_text *out, const ks_op *op, uint64_t header_bytes, uint64_t operand_bytes) {
    static const char *const scopes[] = {"KERNEL", "K_TILE", "OUTPUT_TILE"};
    ks_text_add_format(out, "    %-10s %-11s", ks_op_name(op->kind), scopes[op->scope]);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        ks_text_add_format(out, " %s=", op->operands[i].name);
        add_handle(out, op->operands[i].handle);
    }
    if (op->kind == KS_OP_gemm)
        ks_text_add_format(out, " m=%" PRIu64 " k=%" PRIu64 " n=%" PRIu64 "%s", op->m, op->k, op->n,
                           op->is_b_transposed ? " b^T" : "");
    if (op->kind == KS_OP_scale || (op->kind == KS_OP_div_bcast && op->immediate != 1) ||
        op->kind == KS_OP_fill || op->kind == KS_OP_rsqrt_mean || op->kind == KS_OP_rmsnorm)
        ks_text_add_format(out, " imm=%.9g", (double)op->immediate);
    if (op->out) {
        ks_text_add_string(out, " -> ");
        add_handle(out, op->out);
    }
    ks_text_add_format(out, " (%" PRIu64 " B)\n",
                       ks_op_logical_bytes(op, header_bytes, operand_bytes));
}

static void add_command(ks_text *out, const ks_command *c, uint64_t header_bytes,
                        uint64_t operand_bytes) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < c->op_count; i++)
        bytes += ks_op_logical_bytes(&c->ops[i], header_bytes, operand_bytes);
    ks_text_add_format(out, "DISPATCH %" PRIu32 " %s", c->index,
                       c->is_composite ? "composite" : "primitive");
    if (c->tile != KS_NO_TILE) ks_text_add_format(out, " tile %" PRIu64, c->tile);
    ks_text_add_format(out, ": %" PRIu32 " ops, %" PRIu64 " logical bytes", c->op_count, bytes);
    for (uint32_t i = 0; i < c->rw_count; i++) {
        ks_text_add_string(out, i ? ", " : ", rw_handles ");
        add_handle(out, c->rw_handles[i]);
    }
    ks_text_add_char(out, '\n');
    for (uint32_t i = 0; i < c->op_count; i++) add_op(out, &c->ops[i], header_bytes, operand_bytes);
}

void ks_program_print(ks_text *out, const ks_program *program, uint64_t header_bytes,
                      uint64_t operand_bytes) {
    bool is_in_waits = false;
    for (size_t i = 0; i < program->instruction_count; i++) {
        const ks_instruction *instruction = &program->instructions[i];
        const bool is_wait = instruction->kind == KS_WAIT;
        if (is_in_waits && !is_wait) ks_text_add_char(out, '\n');
        if (is_wait)
            ks_text_add_format(out, is_in_waits ? " %" PRIu32 : "WAIT %" PRIu32,
                               instruction->command);
        else
            add_command(out, program->commands[instruction->command], header_bytes, operand_bytes);
        is_in_waits = is_wait;
    }
    if (is_in_waits) ks_text_add_char(out, '\n');
}
