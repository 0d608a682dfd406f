/* How far PE_CPU may drift against the engines unnoticed (core_forward.c says why). */
#include "device/core_forward.h"

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

void ks_drift_begin(ks_forward *f) {
    f->is_quiet = true;
    f->gain_room = f->loss_room = KS_NEVER;
    f->has_arrival = false;
}

/* The completion that it needs for its place is as many back as places are free now. */
void ks_forward_arrive(ks_core *core) {
    ks_forward *f = core->forward;
    const uint64_t places = core->place_count - core->arrived_count - core->in_flight_count;
    const uint64_t back = smaller(places, KS_KEPT_COMPLETIONS);
    if (f->completion_count >= back) {
        const uint64_t place = (f->completion_count - back) % KS_KEPT_COMPLETIONS;
        f->gain_room = smaller(f->gain_room, core->now - f->completions[place]);
    }
    if (core->arrived_count == 0) f->gain_room = smaller(f->gain_room, core->now - f->last_turn);
    f->has_arrival = true;
    f->last_arrival = core->now;
}

void ks_drift_turn(ks_forward *f, uint64_t now) {
    if (f->has_arrival) {
        const uint64_t after = now - f->last_arrival;
        f->loss_room = smaller(f->loss_room, after ? after - 1 : 0);
    }
    f->has_arrival = false;
    f->last_turn = now;
}

void ks_forward_start(ks_core *core, uint64_t arrived_at) {
    ks_forward *f = core->forward;
    f->is_quiet &= arrived_at != core->now;
    ks_drift_turn(f, core->now);
}

void ks_forward_complete(ks_core *core, uint32_t cmd) {
    ks_forward *f = core->forward;
    ks_drift_turn(f, core->now);
    f->completions[f->completion_count++ % KS_KEPT_COMPLETIONS] = core->now;
    if (!core->script->orders[cmd].closes_tile) return;
    if (core->closed == KS_NO_COMMAND || core->closed < cmd) core->closed = cmd;
}

/* What is left of the DISPATCH stays above 0 and within its length. */
static uint64_t room_of_dispatch(const ks_core *core, const ks_snapshot *b, bool is_gain) {
    const ks_cpu *cpu = &core->cpu;
    const ks_template *template = core->script->orders[cpu->command].template;
    const uint64_t ticks = template->segments[cpu->segment_index].ticks;
    return is_gain ? b->dispatch_left - 1 : ticks - b->dispatch_left;
}

uint64_t ks_drift_tiles(const ks_core *core, const ks_snapshot *a, const ks_snapshot *b,
                        int64_t *later) {
    const ks_forward *f = core->forward;
    if (!core->script->loop.is_composites_only || !f->is_quiet || a->dispatch_left == 0 ||
        b->dispatch_left == 0 || b->tile != a->tile + 1 || a->stall_ticks != b->stall_ticks ||
        a->wait_ticks != b->wait_ticks)
        return 0;
    const bool is_gain = b->dispatch_left < a->dispatch_left;
    const uint64_t step =
        is_gain ? a->dispatch_left - b->dispatch_left : b->dispatch_left - a->dispatch_left;
    const uint64_t room =
        smaller(is_gain ? f->gain_room : f->loss_room, room_of_dispatch(core, b, is_gain));
    if (step == 0) return 0;
    *later = is_gain ? -(int64_t)step : (int64_t)step;
    return smaller(room / step, f->left);
}
