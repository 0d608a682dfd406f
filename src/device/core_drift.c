/* How far PE_CPU may run ahead of the engines unnoticed (core_forward.c says why). */
#include "device/core_forward.h"

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

void ks_drift_begin(ks_forward *f) {
    f->is_quiet = true;
    f->room = KS_NEVER;
}

void ks_forward_arrive(ks_core *core) {
    ks_forward *f = core->forward;
    f->room = smaller(f->room, core->now - f->last_turn);
}

void ks_forward_start(ks_core *core, uint64_t arrived_at) {
    ks_forward *f = core->forward;
    f->is_quiet &= arrived_at != core->now;
    f->last_turn = core->now;
}

void ks_forward_complete(ks_core *core, uint32_t cmd) {
    core->forward->last_turn = core->now;
    if (!core->script->orders[cmd].closes_tile) return;
    if (core->closed == KS_NO_COMMAND || core->closed < cmd) core->closed = cmd;
}

uint64_t ks_drift_tiles(const ks_core *core, const ks_snapshot *a, const ks_snapshot *b) {
    const ks_forward *f = core->forward;
    if (!core->script->loop.is_composites_only || !f->is_quiet || b->dispatch_left == 0 ||
        b->dispatch_left >= a->dispatch_left || b->tile != a->tile + 1 ||
        a->stall_ticks != b->stall_ticks || a->wait_ticks != b->wait_ticks)
        return 0;
    const uint64_t gain = a->dispatch_left - b->dispatch_left;
    return smaller(smaller(f->room, b->dispatch_left - 1) / gain, f->left);
}
