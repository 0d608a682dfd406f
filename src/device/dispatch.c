#include "device/dispatch.h"

#include "device/engine.h"

static ks_wide op_bytes_of(const ks_op *op, const ks_machine *machine) {
    const uint32_t handles = op->operand_count + (op->out ? 1 : 0);
    return machine->op_header_bytes + (ks_wide)machine->operand_bytes * handles;
}

/* Constants are below 2^63 / 10^4, so an op's bytes are below 2^53 and a segment's fit. */
ks_segment ks_segment_at(const ks_command *command, uint32_t first_op, const ks_machine *machine) {
    ks_segment segment = {.first_op = first_op};
    for (uint32_t i = first_op; i < command->op_count; i++) {
        const uint64_t bytes = (uint64_t)op_bytes_of(&command->ops[i], machine);
        if (i > first_op && segment.bytes + bytes > machine->segment_cap_bytes) break;
        segment.bytes += bytes;
        segment.op_count++;
    }
    const ks_wide ticks =
        machine->dispatch_fixed_ticks + (ks_wide)machine->dispatch_ticks_per_byte * segment.bytes;
    segment.ticks = ticks < KS_TICKS_LIMIT ? (uint64_t)ticks : UINT64_MAX;
    return segment;
}

static bool find_op_over_cap(const ks_program *program, const ks_machine *machine,
                             uint64_t *bytes) {
    for (uint32_t c = 0; c < program->command_count; c++)
        for (uint32_t i = 0; i < program->commands[c]->op_count; i++) {
            *bytes = (uint64_t)op_bytes_of(&program->commands[c]->ops[i], machine);
            if (*bytes > machine->segment_cap_bytes) return true;
        }
    return false;
}

/* How often the command stands in the program. */
static uint64_t times_of(const ks_repeat *repeat, uint32_t command) {
    return command - repeat->first_command < repeat->command_count ? 1 + repeat->count : 1;
}

ks_dispatch_verdict ks_dispatch_total(const ks_program *program, const ks_machine *machine,
                                      ks_dispatch_totals *totals, uint64_t *op_bytes) {
    ks_wide bytes = 0, ticks = 0, tile_ticks = 0;
    *totals = (ks_dispatch_totals){0};
    if (find_op_over_cap(program, machine, op_bytes)) return KS_DISPATCH_OP_OVER_CAP;
    for (uint32_t c = 0; c < program->command_count; c++) {
        const ks_command *command = program->commands[c];
        const ks_wide times = times_of(&program->repeat, c);
        totals->command_count += (uint64_t)times;
        totals->composite_count += command->is_composite ? (uint64_t)times : 0;
        for (uint32_t op = 0; op < command->op_count;) {
            const ks_segment segment = ks_segment_at(command, op, machine);
            bytes += times * segment.bytes;
            ticks += times * segment.ticks;
            if (program->is_one_tile || command->tile != KS_NO_TILE)
                tile_ticks += times * segment.ticks;
            op += segment.op_count;
        }
    }
    if (bytes >= KS_TICKS_LIMIT || ticks >= KS_TICKS_LIMIT) return KS_DISPATCH_OVERFLOW;
    totals->logical_bytes = (uint64_t)bytes;
    totals->ticks = (uint64_t)ticks;
    totals->tile_ticks = (uint64_t)tile_ticks;
    return KS_DISPATCHABLE;
}
