/* FETCH and STORE: bytes over a rate. */
#include "device/engine.h"
#include "device/machine.h"

static uint64_t move_ticks(uint64_t bytes, uint64_t ticks_rate) {
    return ks_service_ticks(ks_ceil_div((ks_wide)bytes * KS_TICKS_PER_UNIT, ticks_rate));
}

uint64_t ks_fetch_ticks(const ks_machine *machine, uint64_t bytes) {
    return move_ticks(bytes, machine->fetch_ticks_rate);
}

uint64_t ks_store_ticks(const ks_machine *machine, uint64_t bytes) {
    return move_ticks(bytes, machine->store_ticks_rate);
}
