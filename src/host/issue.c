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

static ks_server server_of(const ks_command *primitive) {
    return ks_op_engine(primitive->ops[0].kind);
}

static bool is_known_complete(const ks_tl *tl, uint32_t index) {
    const ks_command *command = command_at(tl, index);
    if (command->is_composite) return ((const bool *)tl->is_awaited.items)[index];
    return index < tl->complete_before[server_of(command)];
}

static void await(ks_tl *tl, uint32_t index) {
    const ks_command *command = command_at(tl, index);
    add_instruction(tl, KS_WAIT, index);
    ((bool *)tl->is_awaited.items)[index] = true;
    if (!command->is_composite && index >= tl->complete_before[server_of(command)])
        tl->complete_before[server_of(command)] = index + 1;
}

static void forget_complete(const ks_tl *tl, ks_list *pending) {
    uint32_t *items = pending->items;
    size_t kept = 0;
    for (size_t i = 0; i < pending->count; i++)
        if (!is_known_complete(tl, items[i])) items[kept++] = items[i];
    pending->count = kept;
}

/* Composite after composite: the scheduler's hazard rule does it. Primitive after primitive of the
 * same server: the server is in order. Every other pair needs a WAIT when byte ranges meet. */
static bool needs_wait(const ks_command *earlier, const ks_command *later) {
    if (earlier->is_composite && later->is_composite) return false;
    if (!earlier->is_composite && !later->is_composite && server_of(earlier) == server_of(later))
        return false;
    return ks_command_conflicts(earlier, later);
}

/* The first command from pending[*position] on that `later` needs; KS_NO_COMMAND: none. */
static uint32_t find_needed(const ks_tl *tl, const ks_list *pending, const ks_command *later,
                            size_t *position) {
    const uint32_t *items = pending->items;
    for (; *position < pending->count; ++*position)
        if (!is_known_complete(tl, items[*position]) &&
            needs_wait(command_at(tl, items[*position]), later))
            return items[*position];
    return KS_NO_COMMAND;
}

/* One WAIT for each earlier command that `later` needs, in issue order: a merge of both lists. */
static void auto_await(ks_tl *tl, const ks_command *later) {
    ks_list *composites = &tl->pending_composites, *primitives = &tl->pending_primitives;
    size_t c = later->is_composite ? composites->count : 0, p = 0;
    bool has_waited = false;
    for (;; has_waited = true) {
        const uint32_t composite = find_needed(tl, composites, later, &c);
        const uint32_t primitive = find_needed(tl, primitives, later, &p);
        if (composite == KS_NO_COMMAND && primitive == KS_NO_COMMAND) break;
        await(tl, composite < primitive ? composite : primitive);
    }
    if (!has_waited) return;
    forget_complete(tl, composites);
    forget_complete(tl, primitives);
}

void ks_tl_issue(ks_tl *tl, ks_command *command) {
    if (!command || !find_ranges(tl, command)) return;
    auto_await(tl, command);
    const ks_command **slot = ks_list_add(tl, &tl->commands, sizeof *slot);
    ks_list *pending = command->is_composite ? &tl->pending_composites : &tl->pending_primitives;
    uint32_t *pending_slot = ks_list_add(tl, pending, sizeof *pending_slot);
    if (!slot || !pending_slot || !ks_list_add(tl, &tl->is_awaited, sizeof(bool))) return;
    command->index = (uint32_t)(tl->commands.count - 1);
    *slot = command;
    *pending_slot = command->index;
    add_instruction(tl, KS_DISPATCH, command->index);
    if (!tl->is_blocking) return;
    await(tl, command->index);
    forget_complete(tl, pending);
}

void ks_tl_wait(ks_tl *tl, const ks_handle *handle) {
    if (ks_tl_has_failed(tl) || handle->pending == KS_NO_COMMAND) return;
    await(tl, handle->pending);
    forget_complete(tl, &tl->pending_composites);
    forget_complete(tl, &tl->pending_primitives);
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
                    .repeat = tl->repeat,
                    .tile_count = tl->has_tile_count ? tl->tile_count : 1,
                    .is_one_tile = !tl->has_tile_count,
                    .tcm_peak_bytes = tl->peak_bytes,
                    .result_count = (uint32_t)tl->results.count,
                    .results = tl->results.items},
    };
}
