#include "device/run.h"

static ks_template *template_of(ks_run *run, const ks_command *command) {
    for (ks_template *t = run->templates; t; t = t->next)
        if (ks_plan_is_shared(t->sample, command)) return t;
    ks_template *made = ks_run_take(run, 1, sizeof *made);
    if (!made) return NULL;
    made->sample = command;
    const ks_status status = ks_plan_build(command, run->machine, run->arena, &made->plan);
    if (status) {
        run->status = status;
        return NULL;
    }
    made->next = run->templates;
    run->templates = made;
    return made;
}

static void add_total(ks_run *run, uint64_t *total, uint64_t figure) {
    *total += figure; /* both below 2^63 */
    if (*total >= KS_TICKS_LIMIT) run->status = KS_INPUT;
}

ks_instance *ks_instance_new(ks_run *run, const ks_command *command) {
    ks_template *template = template_of(run, command);
    if (!template) return NULL;
    const ks_plan *plan = &template->plan;
    ks_instance *instance = template->free;
    if (instance) {
        template->free = instance->next_free;
    } else {
        instance = ks_run_take(run, 1, sizeof *instance);
        ks_stage_state *stages = ks_run_take(run, plan->stage_count, sizeof *stages);
        if (!instance || !stages) return NULL;
        instance->template = template;
        instance->stages = stages;
    }
    instance->command = command;
    instance->remaining = plan->stage_count;
    for (uint32_t s = 0; s < plan->stage_count; s++)
        instance->stages[s].missing = plan->stages[s].dep_count;
    add_total(run, &run->timeline->read_bytes, plan->read_bytes);
    add_total(run, &run->timeline->write_bytes, plan->write_bytes);
    add_total(run, &run->timeline->macs, plan->macs);
    add_total(run, &run->timeline->math_elements, plan->math_elements);
    return instance;
}

void ks_instance_free(ks_instance *instance) {
    instance->next_free = instance->template->free;
    instance->template->free = instance;
}
