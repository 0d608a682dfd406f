#include "study/lattice.h"

typedef unsigned __int128 wide;

uint64_t ks_lattice_step(ks_constant constant) {
    const ks_constant_class of = ks_constant_describe(constant)->value_class;
    return of == KS_WHOLE_FROM_0 || of == KS_WHOLE_FROM_1 ? KS_TICKS_PER_UNIT : 1;
}

uint64_t ks_lattice_count(ks_constant constant, uint64_t low, uint64_t high) {
    return (high - low) / ks_lattice_step(constant) + 1;
}

uint64_t ks_lattice_at(ks_constant constant, uint64_t low, uint64_t high, double u) {
    const uint64_t step = ks_lattice_step(constant), steps = (high - low) / step;
    const double at = step > 1 ? u * ((double)steps + 1) : u * (double)steps + 0.5;
    uint64_t index = (uint64_t)at;
    if (index > steps) index = steps;
    return low + index * step;
}

uint64_t ks_lattice_level(ks_constant constant, uint64_t low, uint64_t high, uint64_t i,
                          uint64_t n) {
    const uint64_t step = ks_lattice_step(constant), steps = (high - low) / step;
    return low + (uint64_t)(((wide)steps * i * 2 + n) / (2 * (wide)n)) * step;
}

void ks_lattice_around(ks_constant constant, uint64_t value, uint64_t percent_ticks, uint64_t *low,
                       uint64_t *high) {
    const uint64_t hundred = 100 * KS_TICKS_PER_UNIT, step = ks_lattice_step(constant);
    const uint64_t least = ks_constant_refusal(constant, 0) ? step : 0;
    const uint64_t most = (KS_TICKS_LIMIT - 1) / step * step;
    const wide below = percent_ticks < hundred ? (wide)value * (hundred - percent_ticks) : 0;
    const wide above = (wide)value * (hundred + percent_ticks);
    const wide rounded = (above + (wide)hundred * step - 1) / ((wide)hundred * step) * step;
    *low = (uint64_t)(below / ((wide)hundred * step)) * step;
    *high = rounded > most ? most : (uint64_t)rounded;
    if (*low < least) *low = least;
}
