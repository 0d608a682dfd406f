/* Lane-wide steps over the elements, weighted by kind. */
#include "device/engine.h"
#include "device/machine.h"

uint64_t ks_math_ticks(const ks_machine *machine, ks_op_kind kind, uint64_t elements) {
    const ks_wide steps = ks_ceil_div(elements, machine->math_lanes);
    const ks_wide ticks = steps * machine->math_weight_ticks[ks_op_weight(kind)];
    return ks_service_ticks(ks_ceil_div(machine->math_startup_ticks + ticks, KS_TICKS_PER_UNIT));
}
