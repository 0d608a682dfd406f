/* Exact arithmetic that the engines share. Seen by device/ only. */
#ifndef KS_DEVICE_ENGINE_H
#define KS_DEVICE_ENGINE_H

#include "base/decimal.h"

typedef unsigned __int128 ks_wide;

static inline ks_wide ks_ceil_div(ks_wide a, ks_wide b) { return a / b + (a % b != 0); }

/* Whole cycles, at least one, as ticks; UINT64_MAX when that is not below 2^63. */
static inline uint64_t ks_service_ticks(ks_wide cycles) {
    if (cycles == 0) cycles = 1;
    if (cycles >= KS_TICKS_LIMIT / KS_TICKS_PER_UNIT + 1) return UINT64_MAX;
    const uint64_t ticks = (uint64_t)cycles * KS_TICKS_PER_UNIT;
    return ticks < KS_TICKS_LIMIT ? ticks : UINT64_MAX;
}

#endif
