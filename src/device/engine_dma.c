/* Wire bytes: each row as it lies in HBM, rounded up to whole bursts. */
#include "device/engine.h"
#include "device/machine.h"

uint64_t ks_dma_occupancy_ticks(const ks_machine *machine, uint64_t rows, uint64_t row_bytes) {
    const ks_wide bursts = ks_ceil_div(row_bytes, machine->dma_burst_bytes);
    /* rows and bursts are below 2^63 each, their product in ticks may leave 128 bits: a figure
     * that large is refused before it is multiplied. */
    const ks_wide wire_bytes = rows * bursts;
    if (wire_bytes > ((ks_wide)1 << 100) / machine->dma_burst_bytes) return UINT64_MAX;
    const ks_wide wire = wire_bytes * machine->dma_burst_bytes * KS_TICKS_PER_UNIT;
    return ks_service_ticks(ks_ceil_div(wire, machine->dma_ticks_rate));
}
