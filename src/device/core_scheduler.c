/* PE_SCHEDULER: when an arrived composite starts, by policy (MODEL.md section 7). */
#include "device/core.h"

static ks_arrival *arrived_at(const ks_core *core, uint32_t place) {
    return &core->arrived[(core->arrived_first + place) & core->arrived_mask];
}

bool ks_scheduler_has_place(const ks_core *core) {
    return core->arrived_count + core->in_flight_count < core->place_count;
}

void ks_scheduler_arrive(ks_core *core, const ks_arrival *arrival) {
    if (core->forward) ks_forward_arrive(core);
    *arrived_at(core, core->arrived_count++) = *arrival;
}

void ks_scheduler_complete(ks_core *core, const ks_launch *launch) {
    uint32_t at = 0;
    while (core->in_flight[at] != launch) at++;
    core->in_flight_count--;
    for (; at < core->in_flight_count; at++) core->in_flight[at] = core->in_flight[at + 1];
    if (core->forward) ks_forward_complete(core, ks_launch_cmd(launch));
}

/* The candidates that its command's start adds: the last DISPATCH (or what ended a WAIT or STALL)
 * where that was now, and earlier composites that completed now; under rw_aware those with a
 * hazard only. */
static const ks_mark *start_of(const ks_core *core, const ks_arrival *arrival) {
    const ks_mark *best = arrival->instant == core->now ? arrival->start : NULL;
    for (uint32_t i = 0; i < core->finished_count; i++) {
        const ks_mark *mark = core->finished[i].mark;
        const uint32_t cmd = ks_order_cmd(mark->order);
        if (!core->finished[i].is_composite || cmd > arrival->cmd) continue;
        if (core->script->machine->policy == KS_POLICY_rw_aware &&
            !ks_script_conflict(core->script, cmd, arrival->cmd))
            continue;
        best = ks_mark_first(best, mark);
    }
    return best;
}

static void start_arrived(ks_core *core, uint32_t place) {
    const ks_arrival arrival = *arrived_at(core, place);
    for (; place > 0; place--) *arrived_at(core, place) = *arrived_at(core, place - 1);
    core->arrived_first++;
    core->arrived_count--;
    core->has_verdict = false;
    if (core->forward) ks_forward_start(core, arrival.instant);
    ks_launch *launch = ks_core_launch(core, arrival.cmd, start_of(core, &arrival));
    if (launch) core->in_flight[core->in_flight_count++] = launch;
}

static bool conflicts_in_flight(const ks_core *core, uint32_t cmd) {
    for (uint32_t i = 0; i < core->in_flight_count; i++)
        if (ks_script_conflict(core->script, ks_launch_cmd(core->in_flight[i]), cmd)) return true;
    return false;
}

/* The verdict is taken once, when a composite becomes the head, and kept. */
static bool may_start_strict_fifo(ks_core *core, uint32_t place) {
    (void)place;
    if (!core->has_verdict) {
        core->has_hazard = conflicts_in_flight(core, arrived_at(core, 0)->cmd);
        core->has_verdict = true;
    }
    return !core->has_hazard || core->in_flight_count == 0;
}

static bool may_start_serial(ks_core *core, uint32_t place) {
    (void)place;
    return core->in_flight_count == 0;
}

static bool may_start_rw_aware(ks_core *core, uint32_t place) {
    const uint32_t cmd = arrived_at(core, place)->cmd;
    for (uint32_t i = 0; i < place; i++)
        if (ks_script_conflict(core->script, arrived_at(core, i)->cmd, cmd)) return false;
    for (uint32_t i = 0; i < core->in_flight_count; i++) {
        const uint32_t started = ks_launch_cmd(core->in_flight[i]);
        if (started < cmd && ks_script_conflict(core->script, started, cmd)) return false;
    }
    return true;
}

/* Only rw_aware looks behind a composite that may not start. */
void ks_scheduler_act(ks_core *core) {
    static bool (*const may_start[KS_POLICY_COUNT])(ks_core *, uint32_t) = {
        [KS_POLICY_strict_fifo] = may_start_strict_fifo,
        [KS_POLICY_rw_aware] = may_start_rw_aware,
        [KS_POLICY_serial] = may_start_serial,
    };
    const ks_policy policy = core->script->machine->policy;
    for (uint32_t place = 0; place < core->arrived_count && !core->status;) {
        if (may_start[policy](core, place))
            start_arrived(core, place);
        else if (policy == KS_POLICY_rw_aware)
            place++;
        else
            return;
    }
}
