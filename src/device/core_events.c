/* Rows in op_log order: those of an instant are put in order as they come, and leave in batches; a
 * STALL or WAIT holds back itself and what follows until it ends. */
#include "device/core.h"

enum { BATCH = 64 };

static bool is_stage(const ks_event *event) { return event->stage != KS_CPU_STAGE; }

/* Both start at the same instant. Within one command PE_CPU's rows go DISPATCH by segment, STALL,
 * WAIT; the row kinds are in that order. */
static bool is_before(const ks_event *a, const ks_event *b) {
    if (is_stage(a) != is_stage(b)) return is_stage(b);
    if (a->cmd != b->cmd) return a->cmd < b->cmd;
    if (is_stage(a)) return a->stage < b->stage;
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->segment < b->segment;
}

static bool make_room(ks_core *core) {
    if (core->event_count < core->event_room) return true;
    const size_t room = core->event_room ? 2 * core->event_room : 2 * BATCH;
    ks_event *larger = ks_core_take(core, room, sizeof *larger);
    if (!larger) return false;
    for (size_t i = 0; i < core->event_count; i++) larger[i] = core->events[i];
    core->events = larger;
    core->event_room = room;
    return true;
}

static void add(ks_core *core, const ks_event *event) {
    if (!make_room(core)) return;
    size_t at = core->event_count++;
    for (; at > core->instant_events && is_before(event, &core->events[at - 1]); at--) {
        core->events[at] = core->events[at - 1];
        if (core->open_event == at - 1) core->open_event = at;
    }
    core->events[at] = *event;
    if (event->end == KS_NEVER) core->open_event = at;
}

static ks_cause cause_from(const ks_mark *mark) {
    if (!mark) return (ks_cause){0};
    return (ks_cause){.is_set = true,
                      .is_occupancy = mark->is_occupancy,
                      .cmd = ks_order_cmd(mark->order),
                      .segment = mark->segment,
                      .stage = (int64_t)(mark->order & UINT32_MAX) - 1};
}

void ks_event_stage(ks_core *core, const ks_task_ref *task, uint64_t occupied_end,
                    const ks_mark *cause) {
    const ks_plan *plan = &task->launch->template->plan;
    const uint32_t cmd = ks_launch_cmd(task->launch);
    const bool is_dma = task->step->lane < KS_DMA_LANES;
    add(core, &(ks_event){.kind = plan->stages[task->step->index].kind,
                          .cmd = cmd,
                          .stage = task->step->index,
                          .command = core->script->program->commands[cmd],
                          .plan = plan,
                          .start = core->now,
                          .occupied_end = occupied_end,
                          .end = occupied_end + (is_dma ? core->script->latency_ticks : 0),
                          .cause = cause_from(cause)});
}

void ks_event_dispatch(ks_core *core, const ks_segment *segment, uint64_t end,
                       const ks_mark *cause) {
    const uint32_t cmd = core->cpu.command;
    add(core, &(ks_event){.kind = KS_ROW_DISPATCH,
                          .cmd = cmd,
                          .stage = KS_CPU_STAGE,
                          .command = core->script->program->commands[cmd],
                          .segment = core->cpu.segment_index,
                          .first_op = segment->first_op,
                          .bytes = segment->bytes,
                          .start = core->now,
                          .occupied_end = end,
                          .end = end,
                          .cause = cause_from(cause)});
}

void ks_event_open(ks_core *core, ks_row_kind kind) {
    const uint32_t cmd = core->cpu.command;
    add(core, &(ks_event){.kind = kind,
                          .cmd = cmd,
                          .stage = KS_CPU_STAGE,
                          .command = core->script->program->commands[cmd],
                          .start = core->now,
                          .occupied_end = KS_NEVER,
                          .end = KS_NEVER});
}

void ks_event_close(ks_core *core) {
    ks_event *event = &core->events[core->open_event];
    event->occupied_end = event->end = core->now;
    core->open_event = SIZE_MAX;
}

static void pass_on(ks_core *core) {
    for (size_t i = 0; i < core->event_count && !core->status; i++)
        core->status = core->sink->event(core->sink->self, &core->events[i]);
    core->event_count = 0;
}

void ks_event_end_instant(ks_core *core) {
    if (core->event_count >= BATCH && core->open_event == SIZE_MAX && !core->status) pass_on(core);
    core->instant_events = core->event_count;
}

void ks_event_end(ks_core *core) {
    if (!core->status) pass_on(core);
}
