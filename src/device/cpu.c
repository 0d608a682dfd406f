/* PE_CPU: DISPATCH takes its cost, WAIT blocks, a composite without a place stalls. */
#include "device/run.h"

static void add_row(ks_run *run, ks_row_kind kind, uint64_t end) {
    const ks_cpu *cpu = &run->cpu;
    ks_event_add(run, &(ks_event){.kind = kind,
                                  .cmd = cpu->command,
                                  .stage = KS_CPU_STAGE,
                                  .command = run->program->commands[cpu->command],
                                  .start = run->now,
                                  .occupied_end = end,
                                  .end = end});
}

/* What a WAIT or STALL waited for is a candidate of what starts at the same instant. */
static void note_waited(ks_run *run, const ks_candidate *completed) {
    ks_cpu *cpu = &run->cpu;
    if (cpu->waited_at != run->now) cpu->waited = (ks_candidate){0};
    cpu->waited_at = run->now;
    ks_candidate_offer(&cpu->waited, completed);
}

static void note_waited_command(ks_run *run, uint32_t command) {
    for (uint64_t i = 0; i < run->completed_count; i++)
        if (run->completed[i].cause.cmd == command) note_waited(run, &run->completed[i]);
}

static void note_waited_place(ks_run *run) {
    for (uint64_t i = 0; i < run->completed_count; i++)
        if (run->is_completed_composite[i]) note_waited(run, &run->completed[i]);
}

static void start_segment(ks_run *run, uint32_t first_op) {
    ks_cpu *cpu = &run->cpu;
    ks_candidate cause = {0};
    if (cpu->dispatch_end == run->now) cause = cpu->dispatch;
    if (cpu->waited_at == run->now) ks_candidate_offer(&cause, &cpu->waited);
    cpu->segment = ks_segment_at(run->program->commands[cpu->command], first_op, run->machine);
    cpu->segment_path = cause.path;
    cpu->mode = KS_CPU_DISPATCHING;
    cpu->since = run->now;
    if (cpu->segment.ticks >= KS_TICKS_LIMIT - run->now) {
        run->status = KS_INPUT;
        return;
    }
    cpu->end = run->now + cpu->segment.ticks;
    run->timeline->busy_ticks[KS_SERVER_CPU] += cpu->segment.ticks;
    ks_event_add(run, &(ks_event){.kind = KS_ROW_DISPATCH,
                                  .cmd = cpu->command,
                                  .stage = KS_CPU_STAGE,
                                  .command = run->program->commands[cpu->command],
                                  .segment = cpu->segment_index,
                                  .first_op = first_op,
                                  .bytes = cpu->segment.bytes,
                                  .start = run->now,
                                  .occupied_end = cpu->end,
                                  .end = cpu->end,
                                  .cause = cause.cause});
}

static void end_segment(ks_run *run) {
    ks_cpu *cpu = &run->cpu;
    cpu->dispatch = (ks_candidate){.cause = {.is_set = true,
                                             .cmd = cpu->command,
                                             .segment = cpu->segment_index,
                                             .stage = KS_CPU_STAGE},
                                   .path = cpu->segment_path};
    cpu->dispatch.path.ticks[KS_RESOURCE_cpu] += cpu->segment.ticks;
    cpu->dispatch_end = run->now;
    cpu->segment_index++;
}

/* What let the command start, as far as PE_CPU is concerned. */
static ks_candidate start_of(const ks_run *run) {
    const ks_cpu *cpu = &run->cpu;
    ks_candidate start = {0};
    if (cpu->dispatch_end == run->now) start = cpu->dispatch;
    if (cpu->waited_at == run->now) ks_candidate_offer(&start, &cpu->waited);
    return start;
}

static void arrive(ks_run *run) {
    const ks_command *command = run->program->commands[run->cpu.command];
    ks_scheduler_arrive(run, &(ks_arrival){command, start_of(run), run->now});
    run->cpu.mode = KS_CPU_NEXT;
}

static bool act_dispatching(ks_run *run) {
    ks_cpu *cpu = &run->cpu;
    if (cpu->end != run->now) return false;
    const ks_command *command = run->program->commands[cpu->command];
    const uint32_t next_op = cpu->segment.first_op + cpu->segment.op_count;
    end_segment(run);
    if (next_op < command->op_count) {
        start_segment(run, next_op);
    } else if (!command->is_composite) {
        const ks_candidate start = start_of(run);
        ks_command_start(run, command, &start);
        cpu->mode = KS_CPU_NEXT;
    } else if (ks_scheduler_has_place(run)) {
        arrive(run);
    } else {
        cpu->mode = KS_CPU_STALLED;
        cpu->since = run->now;
        add_row(run, KS_ROW_STALL, UINT64_MAX);
    }
    return true;
}

static bool act_stalled(ks_run *run) {
    if (!ks_scheduler_has_place(run)) return false;
    run->timeline->stall_ticks += run->now - run->cpu.since;
    ks_event_close(run, run->now);
    note_waited_place(run);
    arrive(run);
    return true;
}

static bool act_waiting(ks_run *run) {
    if (!run->is_complete[run->cpu.command]) return false;
    run->timeline->wait_ticks += run->now - run->cpu.since;
    ks_event_close(run, run->now);
    note_waited_command(run, run->cpu.command);
    run->cpu.mode = KS_CPU_NEXT;
    return true;
}

static bool act_next(ks_run *run) {
    ks_cpu *cpu = &run->cpu;
    if (cpu->next == run->program->instruction_count) {
        cpu->mode = KS_CPU_DONE;
        return true;
    }
    const ks_instruction instruction = run->program->instructions[cpu->next++];
    cpu->command = instruction.command;
    if (instruction.kind == KS_DISPATCH) {
        cpu->segment_index = 0;
        start_segment(run, 0);
    } else if (run->is_complete[instruction.command]) {
        note_waited_command(run, instruction.command);
    } else {
        cpu->mode = KS_CPU_WAITING;
        cpu->since = run->now;
        add_row(run, KS_ROW_WAIT, UINT64_MAX);
    }
    return true;
}

static bool act_done(ks_run *run) {
    (void)run;
    return false;
}

bool ks_cpu_act(ks_run *run) {
    static bool (*const acts[])(ks_run *) = {
        [KS_CPU_NEXT] = act_next,       [KS_CPU_DISPATCHING] = act_dispatching,
        [KS_CPU_STALLED] = act_stalled, [KS_CPU_WAITING] = act_waiting,
        [KS_CPU_DONE] = act_done,
    };
    bool has_changed = false;
    while (!run->status && acts[run->cpu.mode](run)) has_changed = true;
    return has_changed;
}
