/* The event loop. At one instant: completions, then PE_CPU and the scheduler until nothing changes,
 * then every idle server takes its next stage. */
#include "device/run.h"

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Instants are stage completions, ends of DMA occupancy, ends of DISPATCH. */
static uint64_t next_instant(const ks_run *run) {
    uint64_t next = run->cpu.mode == KS_CPU_DISPATCHING ? run->cpu.end : UINT64_MAX;
    for (int i = KS_SERVER_CPU + 1; i < KS_SERVER_COUNT; i++) {
        const ks_server_state *server = &run->servers[i];
        if (server->is_busy) next = smaller(next, server->occupied_end);
        if (server->in_service.count)
            next = smaller(next, ((ks_in_service *)ks_queue_at(&server->in_service, 0))->end);
    }
    return next;
}

static void run_instant(ks_run *run) {
    run->completed_count = 0;
    ks_server_complete_all(run);
    bool has_changed = true;
    while (has_changed && !run->status) {
        has_changed = ks_cpu_act(run);
        has_changed |= ks_scheduler_act(run);
    }
    ks_server_start_all(run);
    ks_event_end_instant(run);
}

static bool make_room(ks_run *run) {
    const ks_program *program = run->program;
    run->place_count = smaller(run->machine->queue_depth, (uint64_t)program->command_count + 1);
    run->is_complete = ks_run_take(run, program->command_count, sizeof *run->is_complete);
    run->arrived = ks_run_take(run, run->place_count, sizeof *run->arrived);
    run->in_flight = ks_run_take(run, run->place_count, sizeof *run->in_flight);
    run->waiting_events.item_bytes = sizeof(ks_event);
    for (int i = 0; i < KS_SERVER_COUNT; i++) {
        run->servers[i].occupied_end = UINT64_MAX;
        run->servers[i].ready.item_bytes = sizeof(ks_ready);
        run->servers[i].in_service.item_bytes = sizeof(ks_in_service);
    }
    run->cpu.dispatch_end = run->cpu.waited_at = UINT64_MAX;
    return !run->status;
}

static ks_status check_totals(const ks_run *run) {
    for (int i = 0; i < KS_SERVER_COUNT; i++)
        if (run->timeline->busy_ticks[i] >= KS_TICKS_LIMIT) return KS_INPUT;
    return KS_OK;
}

ks_status ks_timeline_run(const ks_program *program, const ks_machine *machine, ks_arena *arena,
                          const ks_event_sink *sink, ks_timeline *timeline) {
    ks_run run = {
        .program = program, .machine = machine, .arena = arena, .timeline = timeline, .sink = sink};
    *timeline = (ks_timeline){0};
    if (!make_room(&run)) return run.status;
    for (;;) {
        run_instant(&run);
        if (run.status) return run.status;
        const uint64_t next = next_instant(&run);
        if (next == UINT64_MAX) break;
        run.now = next;
    }
    if (run.cpu.mode != KS_CPU_DONE) KS_BUG("the machine stands still before the program's end");
    return check_totals(&run);
}
