/* Alternatives that cannot run: what dispatching their commands would cost. */
#include <string.h>

#include "device/dispatch.h"
#include "run/adr_judging.h"

/* The calibration of the table's first source; what is not stored there is the model's default. */
static ks_status first_machine(ks_adr_judging *j, ks_machine *machine) {
    ks_point point = ks_point_default();
    const ks_adr_calibration *calibration = &j->block->calibrations[0];
    for (size_t i = 0; i < calibration->value_count; i++) {
        const ks_adr_value *value = &calibration->values[i];
        const ks_name name = KS_NAME_CONSTANTS + (ks_name)i;
        uint64_t ticks;
        if (!*value->value) continue;
        const ks_status status = ks_value_parse(name, j->adr->kernels, value->value,
                                                strlen(value->value), &ticks, j->error);
        if (status) return status;
        ks_point_set(&point, name, ticks);
    }
    *machine = ks_machine_of(&point);
    return KS_OK;
}

static ks_status price_command(ks_adr_judging *j, const ks_op *ops, size_t count,
                               const ks_machine *machine, ks_adr_other *other) {
    const ks_command command = {.op_count = (uint32_t)count, .ops = ops};
    for (uint32_t op = 0; op < command.op_count;) {
        const ks_segment segment = ks_segment_at(&command, op, machine);
        other->byte_count += segment.bytes;
        other->ticks += segment.ticks;
        op += segment.op_count;
        if (segment.ticks >= KS_TICKS_LIMIT || other->ticks >= KS_TICKS_LIMIT)
            return ks_fail(j->error, KS_INPUT, "%s: the dispatch of '%s' is not below 2^63 ticks",
                           j->adr->file, other->title);
    }
    return KS_OK;
}

static ks_status price(ks_adr_judging *j, const ks_adr_also *also, const ks_machine *machine,
                       ks_adr_other *other) {
    size_t first = 0;
    for (size_t c = 0; c < also->command_count; c++) {
        ks_op *ops = ks_adr_judging_take(j, also->op_counts[c], sizeof *ops);
        if (!ops) return KS_NO_MEMORY;
        for (size_t i = 0; i < also->op_counts[c]; i++)
            ops[i].operand_count = (uint32_t)also->handles[first + i];
        const ks_status status = price_command(j, ops, also->op_counts[c], machine, other);
        if (status) return status;
        first += also->op_counts[c];
        other->command_count++;
    }
    other->has_dispatch = also->command_count > 0;
    return KS_OK;
}

ks_status ks_adr_judge_others(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    ks_machine machine;
    block->others = ks_adr_judging_take(j, j->adr->also_count, sizeof *block->others);
    if (!block->others) return KS_NO_MEMORY;
    if (j->adr->also_count == 0) return KS_OK;
    ks_status status = first_machine(j, &machine);
    for (size_t i = 0; i < j->adr->also_count && !status; i++) {
        const ks_adr_also *also = &j->adr->alsos[i];
        ks_adr_other *other = &block->others[block->other_count++];
        *other = (ks_adr_other){.title = also->title, .why = also->why};
        status = price(j, also, &machine, other);
    }
    return status;
}
