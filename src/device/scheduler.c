/* PE_SCHEDULER: when an arrived composite starts, by policy (MODEL.md section 7). */
#include "device/run.h"

bool ks_scheduler_has_place(const ks_run *run) {
    return run->arrived_count + run->in_flight_count < run->place_count;
}

void ks_scheduler_arrive(ks_run *run, const ks_arrival *arrival) {
    run->arrived[run->arrived_count++] = *arrival;
}

void ks_scheduler_complete(ks_run *run, const ks_instance *instance) {
    for (uint64_t i = 0; i < run->in_flight_count; i++) {
        if (run->in_flight[i] != instance) continue;
        run->in_flight[i] = run->in_flight[--run->in_flight_count];
        return;
    }
}

void ks_command_start(ks_run *run, const ks_command *command, const ks_candidate *start) {
    ks_instance *instance = ks_instance_new(run, command);
    if (!instance) return;
    instance->start_ticks = run->now;
    instance->start = *start;
    if (command->is_composite) run->in_flight[run->in_flight_count++] = instance;
    const ks_plan *plan = &instance->template->plan;
    for (uint32_t s = 0; s < plan->stage_count; s++)
        if (plan->stages[s].dep_count == 0) ks_server_add_ready(run, instance, s);
}

static bool conflicts_in_flight(const ks_run *run, const ks_command *command) {
    for (uint64_t i = 0; i < run->in_flight_count; i++)
        if (ks_command_conflicts(run->in_flight[i]->command, command)) return true;
    return false;
}

/* The candidates that its command's start adds: the last DISPATCH (or what ended a WAIT or STALL)
 * where that was now, and earlier composites that completed now; under rw_aware those with a
 * hazard only. */
static ks_candidate start_of(const ks_run *run, const ks_arrival *arrival) {
    ks_candidate best = {0};
    if (arrival->start_instant == run->now) best = arrival->start;
    for (uint64_t i = 0; i < run->completed_count; i++) {
        const uint32_t cmd = run->completed[i].cause.cmd;
        if (!run->is_completed_composite[i] || cmd > arrival->command->index) continue;
        if (run->machine->policy == KS_POLICY_rw_aware &&
            !ks_command_conflicts(run->program->commands[cmd], arrival->command))
            continue;
        ks_candidate_offer(&best, &run->completed[i]);
    }
    return best;
}

static void start_arrived(ks_run *run, uint64_t place) {
    const ks_arrival arrival = run->arrived[place];
    const ks_candidate start = start_of(run, &arrival);
    for (uint64_t i = place + 1; i < run->arrived_count; i++) run->arrived[i - 1] = run->arrived[i];
    run->arrived_count--;
    run->has_verdict = false;
    ks_command_start(run, arrival.command, &start);
}

/* The verdict is taken once, when a composite becomes the head, and kept. */
static bool may_start_strict_fifo(ks_run *run, uint64_t place) {
    if (place > 0) return false;
    if (!run->has_verdict) {
        run->has_hazard = conflicts_in_flight(run, run->arrived[0].command);
        run->has_verdict = true;
    }
    return !run->has_hazard || run->in_flight_count == 0;
}

static bool may_start_rw_aware(ks_run *run, uint64_t place) {
    const ks_command *command = run->arrived[place].command;
    for (uint64_t i = 0; i < place; i++)
        if (ks_command_conflicts(run->arrived[i].command, command)) return false;
    for (uint64_t i = 0; i < run->in_flight_count; i++) {
        const ks_command *started = run->in_flight[i]->command;
        if (started->index < command->index && ks_command_conflicts(started, command)) return false;
    }
    return true;
}

static bool may_start_serial(ks_run *run, uint64_t place) {
    return place == 0 && run->in_flight_count == 0;
}

bool ks_scheduler_act(ks_run *run) {
    static bool (*const may_start[KS_POLICY_COUNT])(ks_run *, uint64_t) = {
        [KS_POLICY_strict_fifo] = may_start_strict_fifo,
        [KS_POLICY_rw_aware] = may_start_rw_aware,
        [KS_POLICY_serial] = may_start_serial,
    };
    bool has_started = false;
    for (uint64_t place = 0; place < run->arrived_count && !run->status;) {
        if (may_start[run->machine->policy](run, place)) {
            start_arrived(run, place);
            has_started = true;
        } else {
            place++;
        }
    }
    return has_started;
}
