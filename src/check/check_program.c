/* What can be told from the commands alone: gemm_count and tcm_only. */
#include <inttypes.h>

#include "check/check_state.h"

static void ask_gemm_count(ks_check *check, const ks_command *command) {
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < command->op_count; i++) {
        if (command->ops[i].kind != KS_OP_gemm) continue;
        count++;
        last = i;
    }
    if (count > 1)
        ks_check_blame(check, KS_INVARIANT_gemm_count, NULL,
                       "cmd %" PRIu32 " has %" PRIu32 " gemm ops, the last is op %" PRIu32,
                       command->index, count, last);
}

static void ask_place(ks_check *check, const ks_command *command, uint32_t op, const char *name,
                      const ks_handle *handle) {
    if (handle->space == KS_TCM) return;
    ks_check_blame(check, KS_INVARIANT_tcm_only, NULL,
                   "cmd %" PRIu32 " op %" PRIu32 " (%s) has its %s in %s at 0x%" PRIx64,
                   command->index, op, ks_op_name(command->ops[op].kind), name,
                   ks_space_name(handle->space), handle->addr);
}

static void ask_tcm_only(ks_check *check, const ks_command *command) {
    const int gemm = ks_command_gemm_index(command);
    const uint32_t count = gemm < 0 ? command->op_count : (uint32_t)gemm;
    for (uint32_t i = 0; i < count; i++) {
        const ks_op *op = &command->ops[i];
        for (uint32_t k = 0; k < op->operand_count; k++)
            ask_place(check, command, i, op->operands[k].name, op->operands[k].handle);
        if (op->out) ask_place(check, command, i, "out", op->out);
    }
}

void ks_ask_program(ks_check *check) {
    check->result.asked |=
        ks_invariant_bit(KS_INVARIANT_gemm_count) | ks_invariant_bit(KS_INVARIANT_tcm_only);
    for (uint32_t c = 0; c < check->program->command_count; c++) {
        const ks_command *command = check->program->commands[c];
        if (!command->is_composite) continue;
        ask_gemm_count(check, command);
        ask_tcm_only(check, command);
    }
}
