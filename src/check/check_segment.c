/* size_cap: the segments of every command, packed greedily under the cap (MODEL.md section 4). */
#include <inttypes.h>

#include "check/check_state.h"

static uint64_t op_bytes(const ks_check *check, const ks_op *op) {
    return ks_op_logical_bytes(op, check->header_bytes, check->operand_bytes);
}

typedef struct pack {
    uint32_t next; /* the op after it */
    uint64_t bytes;
} pack;

/* As many ops from `first` on as fit the limit, at least one. */
static pack pack_ops(const ks_check *check, const ks_command *command, uint32_t first,
                     uint64_t limit) {
    pack p = {.next = first};
    for (; p.next < command->op_count; p.next++) {
        const uint64_t more = op_bytes(check, &command->ops[p.next]);
        if (p.next > first && p.bytes + more > limit) break;
        p.bytes += more;
    }
    return p;
}

static void begin_command(ks_check *check, const ks_op_row *row, uint32_t cmd) {
    ks_dispatching *d = &check->dispatching;
    const uint32_t expected = d->has_begun ? d->cmd + 1 : 0;
    if (d->has_begun && d->next_op < check->program->commands[d->cmd]->op_count)
        ks_check_blame(check, KS_INVARIANT_size_cap, row,
                       "a segment of cmd %" PRIu32 " comes before op %" PRIu32 " of cmd %" PRIu32
                       " is dispatched",
                       cmd, d->next_op, d->cmd);
    if (cmd < expected)
        ks_check_blame(check, KS_INVARIANT_size_cap, row,
                       "a segment of cmd %" PRIu32 " comes after cmd %" PRIu32 " was dispatched",
                       cmd, d->cmd);
    if (cmd > expected && d->skipped == KS_NO_COMMAND) d->skipped = expected;
    d->has_begun = true;
    d->cmd = cmd;
    d->next_op = 0;
    d->command_count++;
}

/* Where a segment can have begun that says that it begins at `first_op`. */
static uint32_t ask_first_op(ks_check *check, const ks_op_row *row, const ks_command *command,
                             uint32_t first_op) {
    const uint32_t next = check->dispatching.next_op;
    if (first_op == next && first_op < command->op_count) return first_op;
    ks_check_blame(check, KS_INVARIANT_size_cap, row,
                   "cmd %" PRIu32 ": a segment begins at op %" PRIu32 ", but %" PRIu32
                   " of %" PRIu32 " ops are dispatched",
                   command->index, first_op, next, command->op_count);
    return first_op < command->op_count ? first_op : next;
}

/* What fits the cap is one segment. One that is wrong covers the ops that its bytes are of, if it
 * can, so that the next one is judged by itself. */
static void ask_bytes(ks_check *check, const ks_op_row *row, const ks_command *command,
                      uint32_t first_op, uint64_t bytes) {
    const pack due = pack_ops(check, command, first_op, check->cap_bytes);
    check->dispatching.next_op = due.next;
    if (bytes > check->cap_bytes)
        ks_check_blame(check, KS_INVARIANT_size_cap, row,
                       "cmd %" PRIu32 ": a segment of %" PRIu64
                       " bytes is over the cap of %" PRIu64,
                       command->index, bytes, check->cap_bytes);
    else if (bytes != due.bytes)
        ks_check_blame(check, KS_INVARIANT_size_cap, row,
                       "cmd %" PRIu32 ": a segment has %" PRIu64 " bytes; ops %" PRIu32
                       " to %" PRIu32 " have %" PRIu64 " and fit the cap of %" PRIu64,
                       command->index, bytes, first_op, due.next - 1, due.bytes, check->cap_bytes);
    if (bytes == due.bytes) return;
    const pack found = pack_ops(check, command, first_op, bytes);
    if (found.bytes == bytes) check->dispatching.next_op = found.next;
}

void ks_ask_segment(ks_check *check, const ks_op_row *row, uint32_t cmd, uint32_t first_op,
                    uint64_t bytes) {
    const ks_command *command = check->program->commands[cmd];
    check->result.asked |= ks_invariant_bit(KS_INVARIANT_size_cap);
    if (!check->dispatching.has_begun || cmd != check->dispatching.cmd)
        begin_command(check, row, cmd);
    const uint32_t first = ask_first_op(check, row, command, first_op);
    if (first < command->op_count) ask_bytes(check, row, command, first, bytes);
}

static uint32_t op_index(const ks_command *command, const ks_op *op, uint32_t guess) {
    if (guess < command->op_count && op == &command->ops[guess]) return guess;
    for (uint32_t i = 0; i < command->op_count; i++)
        if (op == &command->ops[i]) return i;
    return command->op_count;
}

void ks_ask_dispatch(ks_check *check, ks_live *live, const ks_op_row *row) {
    const ks_dispatching *d = &check->dispatching;
    const ks_command *command = check->program->commands[row->cmd];
    const uint32_t guess = d->has_begun && d->cmd == row->cmd ? d->next_op : 0;
    ks_ask_segment(check, row, row->cmd, op_index(command, row->op, guess), row->bytes);
    if (!live) return;
    if (!live->has_dispatch || row->end > live->dispatch.end)
        live->dispatch = (ks_seen){row->end, row->seq};
    live->has_dispatch = true;
    live->is_dispatched = d->next_op == command->op_count;
}

/* With rows, commands without a DISPATCH row are conservation's. */
void ks_ask_all_dispatched(ks_check *check) {
    const ks_dispatching *d = &check->dispatching;
    const ks_program *program = check->program;
    if (!d->has_begun) return;
    const ks_command *last = program->commands[d->cmd];
    if (d->next_op < last->op_count)
        ks_check_blame(check, KS_INVARIANT_size_cap, NULL,
                       "op %" PRIu32 " of cmd %" PRIu32 " was never dispatched", d->next_op,
                       d->cmd);
    if (check->has_rows || d->command_count == program->command_count) return;
    ks_check_blame(check, KS_INVARIANT_size_cap, NULL,
                   "cmd %" PRIu32 " of %" PRIu32 " was never dispatched",
                   d->skipped != KS_NO_COMMAND ? d->skipped : d->cmd + 1, program->command_count);
}

void ks_check_segment(ks_check *check, uint32_t cmd, uint32_t first_op, uint64_t bytes) {
    if (cmd < check->program->command_count)
        ks_ask_segment(check, NULL, cmd, first_op, bytes);
    else
        ks_check_blame(check, KS_INVARIANT_size_cap, NULL,
                       "a segment of cmd %" PRIu32 " of %" PRIu32, cmd,
                       check->program->command_count);
}
