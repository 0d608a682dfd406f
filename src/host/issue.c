/* Issue order, hazards against primitives, and the lazy auto-await. */
#include "host/tl.h"

ks_command *ks_tl_command(ks_tl *tl, const ks_op *ops, size_t count, bool is_composite) {
    ks_command *command = ks_tl_take(tl, 1, sizeof *command);
    if (!command) return NULL;
    command->is_composite = is_composite;
    command->is_data_op = true;
    command->op_count = (uint32_t)count;
    command->ops = ops;
    command->tile = tl->tile;
    return command;
}

/* One entry for each different byte range. */
static void add_range(ks_range *ranges, uint32_t *count, const ks_handle *handle) {
    const ks_range range = ks_handle_range(handle);
    for (uint32_t i = 0; i < *count; i++)
        if (ranges[i].space == range.space && ranges[i].addr == range.addr &&
            ranges[i].bytes == range.bytes)
            return;
    ranges[(*count)++] = range;
}

static bool find_ranges(ks_tl *tl, ks_command *command) {
    size_t operands = 0;
    for (uint32_t i = 0; i < command->op_count; i++) operands += command->ops[i].operand_count;
    ks_range *reads = ks_tl_take(tl, operands, sizeof *reads);
    ks_range *writes = ks_tl_take(tl, command->op_count + command->rw_count, sizeof *writes);
    if (!reads || !writes) return false;
    for (uint32_t i = 0; i < command->op_count; i++) {
        const ks_op *op = &command->ops[i];
        for (uint32_t k = 0; k < op->operand_count; k++)
            add_range(reads, &command->read_count, op->operands[k].handle);
        if (op->out) add_range(writes, &command->write_count, op->out);
    }
    for (uint32_t i = 0; i < command->rw_count; i++)
        add_range(writes, &command->write_count, command->rw_handles[i]);
    command->reads = reads;
    command->writes = writes;
    return true;
}

static void add_instruction(ks_tl *tl, ks_instruction_kind kind, uint32_t command) {
    ks_instruction *slot = ks_list_add(tl, &tl->instructions, sizeof *slot);
    if (slot) *slot = (ks_instruction){kind, command};
}

static const ks_command *command_at(const ks_tl *tl, uint32_t index) {
    return ((const ks_command *const *)tl->commands.items)[index];
}

static void forget(ks_list *pending, size_t position) {
    uint32_t *items = pending->items;
    for (size_t i = position + 1; i < pending->count; i++) items[i - 1] = items[i];
    pending->count--;
}

/* An in-order server: once a primitive has been awaited, the earlier ones of its server are known
 * to be complete too, so their WAITs would be free and are not emitted. */
static void forget_primitives_up_to(ks_tl *tl, uint32_t awaited) {
    const ks_server server = ks_op_engine(command_at(tl, awaited)->ops[0].kind);
    uint32_t *items = tl->pending_primitives.items;
    size_t kept = 0;
    for (size_t i = 0; i < tl->pending_primitives.count; i++) {
        const bool is_complete =
            items[i] <= awaited && ks_op_engine(command_at(tl, items[i])->ops[0].kind) == server;
        if (!is_complete) items[kept++] = items[i];
    }
    tl->pending_primitives.count = kept;
}

static void await(ks_tl *tl, uint32_t index) {
    add_instruction(tl, KS_WAIT, index);
    if (!command_at(tl, index)->is_composite) {
        forget_primitives_up_to(tl, index);
        return;
    }
    const uint32_t *items = tl->pending_composites.items;
    for (size_t i = 0; i < tl->pending_composites.count; i++)
        if (items[i] == index) {
            forget(&tl->pending_composites, i);
            return;
        }
}

/* Composite after composite: the scheduler's hazard rule does it. Primitive after primitive of the
 * same server: the server is in order. Every other pair needs a WAIT when byte ranges meet. */
static bool needs_wait(const ks_command *earlier, const ks_command *later) {
    if (earlier->is_composite && later->is_composite) return false;
    if (!earlier->is_composite && !later->is_composite &&
        ks_op_engine(earlier->ops[0].kind) == ks_op_engine(later->ops[0].kind))
        return false;
    return ks_command_conflicts(earlier, later);
}

/* The first pending command from *position on that `later` needs; false when there is none. */
static bool find_needed(const ks_tl *tl, const ks_list *pending, const ks_command *later,
                        size_t *position) {
    const uint32_t *items = pending->items;
    for (; *position < pending->count; ++*position)
        if (needs_wait(command_at(tl, items[*position]), later)) return true;
    return false;
}

/* One WAIT for each earlier command that `later` needs, in issue order: a merge of both lists. A
 * WAIT takes entries out of a list, at or before the place where it was found. */
static void auto_await(ks_tl *tl, const ks_command *later) {
    ks_list *composites = &tl->pending_composites, *primitives = &tl->pending_primitives;
    size_t c = later->is_composite ? composites->count : 0, p = 0;
    for (;;) {
        const bool has_c = find_needed(tl, composites, later, &c);
        const bool has_p = find_needed(tl, primitives, later, &p);
        if (!has_c && !has_p) return;
        const uint32_t at_c = has_c ? ((uint32_t *)composites->items)[c] : KS_NO_COMMAND;
        const uint32_t at_p = has_p ? ((uint32_t *)primitives->items)[p] : KS_NO_COMMAND;
        await(tl, at_c < at_p ? at_c : at_p);
        if (at_p < at_c) p = 0;
    }
}

void ks_tl_issue(ks_tl *tl, ks_command *command) {
    if (!command || !find_ranges(tl, command)) return;
    auto_await(tl, command);
    const ks_command **slot = ks_list_add(tl, &tl->commands, sizeof *slot);
    ks_list *pending = command->is_composite ? &tl->pending_composites : &tl->pending_primitives;
    uint32_t *pending_slot = ks_list_add(tl, pending, sizeof *pending_slot);
    if (!slot || !pending_slot) return;
    command->index = (uint32_t)(tl->commands.count - 1);
    *slot = command;
    *pending_slot = command->index;
    add_instruction(tl, KS_DISPATCH, command->index);
    if (tl->is_blocking) await(tl, command->index);
}

void ks_tl_wait(ks_tl *tl, const ks_handle *handle) {
    if (!ks_tl_has_failed(tl) && handle->pending != KS_NO_COMMAND) await(tl, handle->pending);
}

void ks_tl_block_always(ks_tl *tl) { tl->is_blocking = true; }

void ks_tl_finish(ks_tl *tl, ks_lowering *lowering) {
    for (size_t i = 0; i < tl->commands.count; i++) add_instruction(tl, KS_WAIT, (uint32_t)i);
    *lowering = (ks_lowering){
        .verdict = tl->verdict,
        .end = tl->overflow_end,
        .tcm_bytes = tl->tcm_bytes,
        .error = tl->error,
        .program = {.command_count = (uint32_t)tl->commands.count,
                    .commands = tl->commands.items,
                    .instruction_count = tl->instructions.count,
                    .instructions = tl->instructions.items,
                    .tile_count = tl->has_tile_count ? tl->tile_count : 1,
                    .is_one_tile = !tl->has_tile_count,
                    .tcm_peak_bytes = tl->peak_bytes,
                    .result_count = (uint32_t)tl->results.count,
                    .results = tl->results.items},
    };
}
