/* dma_iff_streamed and writeback: which data a composite moves through HBM. */
#include <inttypes.h>

#include "check/check_state.h"

/* The operand that a DMA_READ row streams by its staging slot (even: a, odd: b); -1: none. */
static int side_of(const ks_op_row *row) {
    if (!row->write_count || row->write.range.space != KS_STG) return -1;
    return (int)(row->write.range.addr & 1);
}

static bool ask_extra_read(ks_check *check, const ks_shape *shape, const ks_op_row *row) {
    const int side = side_of(row);
    if (shape->gemm < 0) {
        ks_check_blame(check, KS_INVARIANT_dma_iff_streamed, row,
                       "reads for a composite without a gemm, which streams nothing");
        return true;
    }
    if (side < 0 || shape->has_stream[side]) return false;
    const ks_op *head = &check->program->commands[row->cmd]->ops[shape->gemm];
    const ks_operand *operand = &head->operands[side];
    ks_check_blame(check, KS_INVARIANT_dma_iff_streamed, row,
                   "reads a tile of %s, which is pinned (%s:0x%" PRIx64 ")", operand->name,
                   ks_space_name(operand->handle->space), operand->handle->addr);
    return true;
}

static bool ask_extra_write(ks_check *check, const ks_shape *shape, const ks_op_row *row) {
    if (shape->gemm >= 0 && shape->has_write) return false;
    ks_check_blame(check, KS_INVARIANT_writeback, row,
                   "writes to hbm, but cmd %" PRIu32 " has no out there", row->cmd);
    return true;
}

bool ks_ask_extra(ks_check *check, const ks_shape *shape, const ks_op_row *row) {
    if (!shape->sample->is_composite) return false;
    if (row->kind == KS_ROW_DMA_READ) return ask_extra_read(check, shape, row);
    if (row->kind == KS_ROW_DMA_WRITE) return ask_extra_write(check, shape, row);
    return false;
}

void ks_ask_moves(ks_check *check, const ks_live *live) {
    const ks_shape *shape = live->shape;
    if (shape->gemm < 0) return;
    const ks_op *op = &live->command->ops[shape->gemm];
    for (int side = 0; side < 2; side++)
        if (shape->has_stream[side] && !live->has_read[side])
            ks_check_blame(check, KS_INVARIANT_dma_iff_streamed, NULL,
                           "cmd %" PRIu32
                           " has no DMA_READ of its %s, which is not pinned (%s:0x%" PRIx64
                           "); row %" PRIu64 " is its last",
                           live->command->index, op->operands[side].name,
                           ks_space_name(op->operands[side].handle->space),
                           op->operands[side].handle->addr, live->last.seq);
    if (shape->has_write && !live->has_written)
        ks_check_blame(check, KS_INVARIANT_writeback, NULL,
                       "cmd %" PRIu32 " has no DMA_WRITE of its out, hbm:0x%" PRIx64
                       "; row %" PRIu64 " is its last",
                       live->command->index, op->out->addr, live->last.seq);
}
