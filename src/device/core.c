/* The event loop (MODEL.md section 7); its state and invariants are in core.h.
 *
 * At one instant: (1) lanes that end now, in any order: completions count down what waits for them;
 * (2) PE_CPU, (3) the scheduler, if something completed or arrived; (4) idle servers take their
 * next stage. A stage costs one turn of the loop: the least of nine ends, its completion, and the
 * start of what it made ready. */
#include "device/core.h"

#include <string.h>

/* ---- ready queues ---- */

static bool is_before(const ks_task_ref *a, const ks_task_ref *b) {
    return a->launch->order + a->step->index < b->launch->order + b->step->index;
}

static bool grow_ready(ks_core *core, ks_server_state *server) {
    const uint32_t room = 2 * (server->mask + 1);
    ks_task_ref *larger = ks_core_take(core, room, sizeof *larger);
    if (!larger) return false;
    for (uint32_t i = server->first; i != server->end; i++)
        larger[i & (room - 1)] = server->ready[i & server->mask];
    server->ready = larger;
    server->mask = room - 1;
    return true;
}

/* Time does not run back, so the newest entry passes only others of this instant. */
static void sort_in(ks_server_state *server) {
    uint32_t at = server->end - 1;
    const ks_task_ref task = server->ready[at & server->mask];
    for (; at != server->instant_first; at--) {
        const ks_task_ref *before = &server->ready[(at - 1) & server->mask];
        if (!is_before(&task, before)) break;
        server->ready[at & server->mask] = *before;
    }
    server->ready[at & server->mask] = task;
}

static inline void add_ready(ks_core *core, ks_launch *launch, const ks_step *step) {
    const uint32_t lane = step->lane;
    ks_server_state *server = &core->servers[lane];
    const uint32_t at = server->end;
    if (at - server->first > server->mask && !grow_ready(core, server)) return;
    server->end = at + 1;
    server->ready[at & server->mask] = (ks_task_ref){launch, step};
    core->waiting |= 1u << lane;
    if (server->instant == core->now) {
        sort_in(server);
    } else {
        server->instant = core->now;
        server->instant_first = at;
    }
}

/* ---- launches ---- */

static ks_launch *new_launch(ks_core *core, const ks_template *template) {
    ks_launch *launch = core->free[template->index];
    if (launch) {
        core->free[template->index] = launch->next_free;
        return launch;
    }
    const size_t words = ks_template_words(template);
    launch = ks_core_take(core, 1, sizeof *launch + words * sizeof launch->missing[0]);
    if (launch) launch->template = template;
    return launch;
}

ks_launch *ks_core_launch(ks_core *core, uint32_t cmd, const ks_mark *start) {
    const ks_template *template = core->script->orders[cmd].template;
    ks_launch *launch = new_launch(core, template);
    if (!launch) return NULL;
    launch->order = ks_order_of(cmd, 0);
    launch->start_ticks = core->now;
    launch->start = start;
    const uint32_t words = ks_template_words(template);
    for (uint32_t w = 0; w < words; w++) launch->missing[w] = template->missing[w];
    for (uint32_t r = 0; r < template->root_count; r++)
        add_ready(core, launch, &template->steps[template->roots[r]]);
    return launch;
}

static void complete_command(ks_core *core, ks_launch *launch, const ks_mark *mark) {
    const bool is_composite = launch->template->sample->is_composite;
    core->finished[core->finished_count++] = (ks_finished){mark, is_composite};
    core->is_complete[ks_launch_cmd(launch)] = true;
    core->is_due = true;
    if (is_composite) ks_scheduler_complete(core, launch);
    launch->next_free = core->free[launch->template->index];
    core->free[launch->template->index] = launch;
}

/* ---- 1: ends ---- */

static inline void note_ended(ks_core *core, uint32_t lane, const ks_mark *mark) {
    core->ended[lane] = mark;
    core->ended_lanes |= 1u << lane;
}

static inline void complete_stage(ks_core *core, ks_task_ref done, const ks_mark *mark) {
    uint8_t *missing = (uint8_t *)done.launch->missing;
    const ks_step *step = done.step, *steps = step - step->index;
    for (const uint32_t *next = step->nexts, *end = next + step->next_count; next != end; next++)
        if (--missing[*next] == 0) add_ready(core, done.launch, &steps[*next]);
    if (step->is_last) complete_command(core, done.launch, mark);
}

static void end_service(ks_core *core, uint32_t lane) {
    ks_server_state *server = &core->servers[lane];
    core->idle |= 1u << lane;
    note_ended(core, lane, server->mark);
    complete_stage(core, server->serving, server->mark);
}

static bool grow_latency(ks_core *core, ks_latency *latency) {
    const uint32_t room = 2 * (latency->mask + 1);
    ks_latency_entry *larger = ks_core_take(core, room, sizeof *larger);
    if (!larger) return false;
    for (uint32_t i = latency->first; i != latency->end; i++)
        larger[i & (room - 1)] = latency->entries[i & latency->mask];
    latency->entries = larger;
    latency->mask = room - 1;
    return true;
}

/* An entry that left the ring at this instant must stay readable, so the ring is never full. */
static void end_occupancy(ks_core *core, uint32_t lane) {
    ks_server_state *server = &core->servers[lane];
    ks_latency *latency = &core->latencies[lane];
    const ks_mark *mark = server->mark;
    const uint64_t ticks = core->script->latency_ticks;
    core->idle |= 1u << lane;
    note_ended(core, lane, mark);
    if (latency->end - latency->first >= latency->mask && !grow_latency(core, latency)) return;
    if (ticks >= KS_TICKS_LIMIT - core->now) core->status = KS_INPUT;
    if (latency->first == latency->end)
        ks_core_add_end(core, core->now + ticks, KS_LANE_DMA_RD_DONE + lane);
    ks_latency_entry *entry = &latency->entries[latency->end++ & latency->mask];
    entry->task = server->serving;
    entry->end = core->now + ticks;
    entry->mark = *mark;
    entry->mark.path.ticks[KS_RESOURCE_dma_lat] += ticks;
    entry->mark.is_occupancy = false;
}

static void end_latency(ks_core *core, uint32_t lane) {
    ks_latency *latency = &core->latencies[lane - KS_LANE_DMA_RD_DONE];
    const ks_latency_entry *entry = &latency->entries[latency->first++ & latency->mask];
    if (latency->first != latency->end)
        ks_core_add_end(core, latency->entries[latency->first & latency->mask].end, lane);
    note_ended(core, lane, &entry->mark);
    complete_stage(core, entry->task, &entry->mark);
}

static inline void end_lane(ks_core *core, uint32_t lane) {
    switch (lane) {
    case KS_LANE_DMA_RD:
    case KS_LANE_DMA_WR: end_occupancy(core, lane); break;
    case KS_LANE_DMA_RD_DONE:
    case KS_LANE_DMA_WR_DONE: end_latency(core, lane); break;
    case KS_LANE_CPU: core->is_due = true; break;
    default: end_service(core, lane); break;
    }
}

/* ---- 4: starts ---- */

/* Something ended at this instant, or nothing could start: where it is one row, it is the cause. */
static inline const ks_mark *cause_of(const ks_core *core, const ks_launch *launch,
                                      const ks_step *step) {
    const uint32_t ended = core->ended_lanes;
    if (ended & (ended - 1)) return ks_cause_of_stage(core, launch, step);
    return core->ended[__builtin_ctz(ended)];
}

static inline void start_next(ks_core *core, uint32_t lane) {
    ks_server_state *server = &core->servers[lane];
    const uint32_t at = server->first++;
    const ks_task_ref *task = &server->ready[at & server->mask];
    ks_launch *launch = task->launch;
    const ks_step *step = task->step;
    const ks_mark *cause = cause_of(core, launch, step);
    const uint64_t service = step->service_ticks, end = core->now + service; /* below 2^63 each */
    ks_mark *mark = server->last;
    server->last = server->mark;
    server->mark = mark;
    mark->path = cause->path;
    mark->path.ticks[server->resource] += service;
    mark->order = launch->order + step->index;
    server->serving.launch = launch;
    server->serving.step = step;
    core->idle &= ~(1u << lane);
    if (at + 1 == server->end) core->waiting &= ~(1u << lane);
    ks_core_add_end(core, end, lane);
    if (core->sink) ks_event_stage(core, launch, step, end, cause);
}

/* ---- the loop ---- */

static inline void begin_instant(ks_core *core, uint64_t time) {
    core->now = time;
    core->ended_lanes = 0;
    core->finished_count = 0;
}

void ks_core_run(ks_core *core) {
    ks_core_add_end(core, 0, KS_LANE_CPU);
    while (core->next->time < KS_TICKS_LIMIT && !core->status) {
        begin_instant(core, core->next->time);
        do {
            end_lane(core, (uint32_t)(core->next--)->lane);
        } while (core->next->time == core->now);
        if (core->is_due) {
            core->is_due = false;
            ks_cpu_act(core);
            if (core->arrived_count) ks_scheduler_act(core);
        }
        for (uint32_t starts; (starts = core->idle & core->waiting) != 0;)
            start_next(core, (uint32_t)__builtin_ctz(starts));
        if (core->sink) ks_event_end_instant(core);
        if (core->closed != KS_NO_COMMAND) ks_forward_boundary(core);
    }
    /* 2^63 ticks or more */
    if (core->next->time != KS_NEVER && !core->status) core->status = KS_INPUT;
}
