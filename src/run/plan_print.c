#include "run/plan_print.h"

#include <inttypes.h>

#include "device/plan.h"

static void add_index(ks_text *out, const char *name, uint64_t index) {
    if (index != KS_NO_INDEX) ks_text_add_format(out, " %s=%" PRIu64, name, index);
}

static void add_stage(ks_text *out, const ks_plan *plan, uint32_t number, const ks_op *ops) {
    const ks_stage *s = &plan->stages[number];
    ks_text_add_format(out, "  %4" PRIu32 " %-9s %-10s %-7s", number, ks_row_kind_name(s->kind),
                       ks_op_name(ops[s->op].kind), ks_phase_name(s->phase));
    add_index(out, "m", s->m);
    add_index(out, "n", s->n);
    add_index(out, "k", s->k);
    ks_text_add_string(out, " service ");
    ks_text_add_decimal(out, s->service_ticks);
    if (s->bytes) ks_text_add_format(out, " bytes %" PRIu64, s->bytes);
    if (s->elements) ks_text_add_format(out, " elements %" PRIu64, s->elements);
    for (uint32_t i = 0; i < s->dep_count; i++)
        ks_text_add_format(out, "%s%" PRIu32, i ? "," : " after ", plan->deps[s->first_dep + i]);
    ks_text_add_char(out, '\n');
}

static void add_plan(ks_text *out, const ks_command *command, const ks_machine *machine,
                     ks_arena *arena) {
    ks_plan plan;
    const ks_status status = ks_plan_build(command, machine, arena, &plan);
    ks_text_add_format(out, "plan of command %" PRIu32 " and all like it", command->index);
    if (status) {
        ks_text_add_string(out, status == KS_INPUT ? ": overflow\n" : ": out of memory\n");
        return;
    }
    ks_text_add_format(out, ": %" PRIu32 " stages\n", plan.stage_count);
    for (uint32_t i = 0; i < plan.stage_count; i++) add_stage(out, &plan, i, command->ops);
}

void ks_plans_print(ks_text *out, const ks_program *program, const ks_point *point) {
    enum { MOST_PLANS = 64 };
    const ks_command *seen[MOST_PLANS];
    size_t count = 0;
    const ks_machine machine = ks_machine_of(point);
    ks_arena *arena = ks_arena_new(1 << 16);
    for (uint32_t c = 0; arena && c < program->command_count && count < MOST_PLANS; c++) {
        bool is_new = true;
        for (size_t i = 0; i < count; i++)
            is_new &= !ks_plan_is_shared(seen[i], program->commands[c]);
        if (!is_new) continue;
        seen[count++] = program->commands[c];
        add_plan(out, program->commands[c], &machine, arena);
    }
    ks_arena_free(arena);
}
