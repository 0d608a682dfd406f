/* Rows in op_log order: those of an instant are put in order as they come, and leave in batches; a
 * STALL or WAIT holds back itself and what follows until it ends. */
#include "device/core.h"

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
    const size_t room = core->event_room ? 2 * core->event_room : 2 * KS_EVENT_BATCH;
    ks_event *larger = ks_core_take(core, room, sizeof *larger);
    if (!larger) return false;
    for (size_t i = 0; i < core->event_count; i++) larger[i] = core->events[i];
    core->events = larger;
    core->event_room = room;
    return true;
}

/* The place of a new event, behind the others: filled in place, then sorted in. NULL: status is set. */
static inline ks_event *new_event(ks_core *core) {
    if (core->event_count == core->event_room && !make_room(core)) return NULL;
    return &core->events[core->event_count++];
}

static void sort_in(ks_core *core, size_t at) {
    const ks_event event = core->events[at];
    for (; at > core->instant_events && is_before(&event, &core->events[at - 1]); at--) {
        core->events[at] = core->events[at - 1];
        if (core->open_event == at - 1) core->open_event = at;
    }
    core->events[at] = event;
    if (event.end == KS_NEVER) core->open_event = at;
}

static inline void sort_in_last(ks_core *core) {
    const size_t at = core->event_count - 1;
    if (at > core->instant_events && is_before(&core->events[at], &core->events[at - 1]))
        sort_in(core, at);
}

static inline void set_cause(ks_event *event, const ks_mark *mark) {
    if (!mark) return;
    event->cause.is_set = true;
    event->cause.is_occupancy = mark->is_occupancy;
    event->cause.cmd = ks_order_cmd(mark->order);
    event->cause.segment = mark->segment;
    event->cause.stage = (int64_t)(mark->order & UINT32_MAX) - 1;
}

void ks_event_stage(ks_core *core, const ks_launch *launch, const ks_step *step,
                    uint64_t occupied_end, const ks_mark *cause) {
    const ks_plan *plan = &launch->template->plan;
    const uint32_t cmd = ks_launch_cmd(launch);
    const bool is_dma = step->lane < KS_DMA_LANES;
    ks_event *event = new_event(core);
    if (!event) return;
    *event = (ks_event){.kind = plan->stages[step->index].kind,
                        .cmd = cmd,
                        .stage = step->index,
                        .command = core->script->program->commands[cmd],
                        .plan = plan,
                        .start = core->now,
                        .occupied_end = occupied_end,
                        .end = occupied_end + (is_dma ? core->script->latency_ticks : 0)};
    set_cause(event, cause);
    sort_in_last(core);
}

void ks_event_dispatch(ks_core *core, const ks_segment *segment, uint64_t end,
                       const ks_mark *cause) {
    const uint32_t cmd = core->cpu.command;
    ks_event *event = new_event(core);
    if (!event) return;
    *event = (ks_event){.kind = KS_ROW_DISPATCH,
                        .cmd = cmd,
                        .stage = KS_CPU_STAGE,
                        .command = core->script->program->commands[cmd],
                        .segment = core->cpu.segment_index,
                        .first_op = segment->first_op,
                        .bytes = segment->bytes,
                        .start = core->now,
                        .occupied_end = end,
                        .end = end};
    set_cause(event, cause);
    sort_in_last(core);
}

void ks_event_open(ks_core *core, ks_row_kind kind) {
    const uint32_t cmd = core->cpu.command;
    ks_event *event = new_event(core);
    if (!event) return;
    core->open_event = core->event_count - 1;
    *event = (ks_event){.kind = kind,
                        .cmd = cmd,
                        .stage = KS_CPU_STAGE,
                        .command = core->script->program->commands[cmd],
                        .start = core->now,
                        .occupied_end = KS_NEVER,
                        .end = KS_NEVER};
    sort_in_last(core);
}

void ks_event_close(ks_core *core) {
    ks_event *event = &core->events[core->open_event];
    event->occupied_end = event->end = core->now;
    core->open_event = SIZE_MAX;
}

void ks_event_pass_on(ks_core *core) {
    for (size_t i = 0; i < core->event_count && !core->status; i++)
        core->status = core->sink->event(core->sink->self, &core->events[i]);
    core->event_count = 0;
}

void ks_event_end(ks_core *core) {
    if (!core->status) ks_event_pass_on(core);
}
