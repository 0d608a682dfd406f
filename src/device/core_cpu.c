/* PE_CPU: DISPATCH takes its cost, WAIT blocks, a composite without a place stalls. */
#include "device/core.h"

static const ks_template *template_of(const ks_core *core, uint32_t cmd) {
    return core->script->orders[cmd].template;
}

/* ---- what PE_CPU had waited for at this instant ---- */

static void note_waited(ks_core *core, const ks_mark *completed) {
    ks_cpu *cpu = &core->cpu;
    cpu->waited = ks_mark_first(cpu->waited_at == core->now ? cpu->waited : NULL, completed);
    cpu->waited_at = core->now;
}

static void note_waited_command(ks_core *core, uint32_t cmd) {
    for (uint32_t i = 0; i < core->finished_count; i++)
        if (ks_order_cmd(core->finished[i].mark->order) == cmd)
            note_waited(core, core->finished[i].mark);
}

static void note_waited_place(ks_core *core) {
    for (uint32_t i = 0; i < core->finished_count; i++)
        if (core->finished[i].is_composite) note_waited(core, core->finished[i].mark);
}

/* What lets start what PE_CPU does now: its last DISPATCH, or what it had waited for. NULL: no row
 * ended at this instant. */
static const ks_mark *cause_of(const ks_core *core) {
    const ks_cpu *cpu = &core->cpu;
    return ks_mark_first(cpu->dispatch_end == core->now ? cpu->dispatch : NULL,
                         cpu->waited_at == core->now ? cpu->waited : NULL);
}

/* ---- DISPATCH ---- */

/* One of the marks for rows without length: there until the instant is over. */
static ks_mark *empty_mark(ks_core *core) {
    ks_cpu *cpu = &core->cpu;
    if (cpu->empty_at != core->now) cpu->empty_count = 0;
    cpu->empty_at = core->now;
    if (cpu->empty_count == cpu->empty_room) {
        const size_t room = cpu->empty_room ? 2 * cpu->empty_room : 8;
        ks_mark **larger = ks_core_take(core, room, sizeof *larger);
        ks_mark *marks = ks_core_take(core, room - cpu->empty_room, sizeof *marks);
        if (!larger || !marks) return &cpu->marks[0];
        for (size_t i = 0; i < room; i++) larger[i] = i < cpu->empty_room ? cpu->empty[i] : marks++;
        cpu->empty = larger;
        cpu->empty_room = room;
    }
    return cpu->empty[cpu->empty_count++];
}

static void start_segment(ks_core *core, uint32_t index) {
    ks_cpu *cpu = &core->cpu;
    const ks_segment *segment = &template_of(core, cpu->command)->segments[index];
    const ks_mark *cause = cause_of(core);
    cpu->mode = KS_CPU_DISPATCHING;
    cpu->segment_index = index;
    if (segment->ticks >= KS_TICKS_LIMIT - core->now) {
        core->status = KS_INPUT;
        return;
    }
    cpu->mark = segment->ticks ? &cpu->marks[cpu->which ^= 1] : empty_mark(core);
    cpu->mark->path = cause ? cause->path : (ks_path){0};
    cpu->mark->path.ticks[KS_RESOURCE_cpu] += segment->ticks;
    cpu->mark->order = ks_order_of(cpu->command, KS_CPU_STAGE);
    cpu->mark->segment = index;
    cpu->until = core->now + segment->ticks;
    if (segment->ticks) ks_core_add_end(core, cpu->until, KS_LANE_CPU);
    if (core->sink) ks_event_dispatch(core, segment, core->now + segment->ticks, cause);
}

static void end_segment(ks_core *core) {
    ks_cpu *cpu = &core->cpu;
    cpu->dispatch = core->ended[KS_LANE_CPU] = cpu->mark;
    cpu->dispatch_end = core->now;
    if (ks_core_has_ended(core, KS_LANE_CPU)) core->ended_lanes |= KS_ENDED_MORE;
    core->ended_lanes |= 1u << KS_LANE_CPU;
}

static void arrive(ks_core *core) {
    ks_scheduler_arrive(core, &(ks_arrival){core->cpu.command, core->now, cause_of(core)});
    core->cpu.mode = KS_CPU_NEXT;
}

static void hold(ks_core *core, ks_cpu_mode mode, ks_row_kind kind) {
    core->cpu.mode = mode;
    core->cpu.since = core->now;
    if (core->sink) ks_event_open(core, kind);
}

/* ---- acts: false when PE_CPU can do no more at this instant ---- */

static bool act_dispatching(ks_core *core) {
    ks_cpu *cpu = &core->cpu;
    const ks_template *template = template_of(core, cpu->command);
    if (cpu->until != core->now) return false;
    end_segment(core);
    if (cpu->segment_index + 1 < template->segment_count) {
        start_segment(core, cpu->segment_index + 1);
    } else if (!template->sample->is_composite) {
        ks_core_launch(core, cpu->command, cause_of(core));
        cpu->mode = KS_CPU_NEXT;
    } else if (ks_scheduler_has_place(core)) {
        arrive(core);
    } else {
        hold(core, KS_CPU_STALLED, KS_ROW_STALL);
    }
    return true;
}

static bool act_stalled(ks_core *core) {
    if (!ks_scheduler_has_place(core)) return false;
    core->timeline->stall_ticks += core->now - core->cpu.since;
    if (core->sink) ks_event_close(core);
    note_waited_place(core);
    arrive(core);
    return true;
}

static bool act_waiting(ks_core *core) {
    if (!core->is_complete[core->cpu.command]) return false;
    core->timeline->wait_ticks += core->now - core->cpu.since;
    if (core->sink) ks_event_close(core);
    note_waited_command(core, core->cpu.command);
    core->cpu.mode = KS_CPU_NEXT;
    return true;
}

static bool act_next(ks_core *core) {
    ks_cpu *cpu = &core->cpu;
    if (cpu->next == core->instruction_count) {
        cpu->mode = KS_CPU_DONE;
        return false;
    }
    const ks_instruction instruction = core->instructions[cpu->next++];
    cpu->command = instruction.command;
    if (instruction.kind == KS_DISPATCH)
        start_segment(core, 0);
    else if (core->is_complete[instruction.command])
        note_waited_command(core, instruction.command);
    else
        hold(core, KS_CPU_WAITING, KS_ROW_WAIT);
    return true;
}

static bool act(ks_core *core) {
    switch (core->cpu.mode) {
    case KS_CPU_NEXT: return act_next(core);
    case KS_CPU_DISPATCHING: return act_dispatching(core);
    case KS_CPU_STALLED: return act_stalled(core);
    case KS_CPU_WAITING: return act_waiting(core);
    default: return false; /* done */
    }
}

void ks_cpu_act(ks_core *core) {
    while (!core->status && act(core)) continue;
}
