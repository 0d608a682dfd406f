/* The values that a constant can have: its lattice. All values are ticks. */
#ifndef KS_STUDY_LATTICE_H
#define KS_STUDY_LATTICE_H

#include "sweep/study_file.h"

/* Distance of neighbours: a whole constant's is 1, a decimal's 0.0001. */
uint64_t ks_lattice_step(ks_constant constant);
/* Values from low to high, both of them values. */
uint64_t ks_lattice_count(ks_constant constant, uint64_t low, uint64_t high);
/* Of u in [0, 1]: floor(low + u (high - low + 1)) of a whole constant, so that each is as likely;
 * else the value nearest to low + u (high - low). */
uint64_t ks_lattice_at(ks_constant constant, uint64_t low, uint64_t high, double u);
/* The value nearest to low + (high - low) i / n; ties up. i <= n, n > 0. */
uint64_t ks_lattice_level(ks_constant constant, uint64_t low, uint64_t high, uint64_t i,
                          uint64_t n);
/* value * (1 -+ percent / 100), rounded outward, as far as the constant takes it. */
void ks_lattice_around(ks_constant constant, uint64_t value, uint64_t percent_ticks, uint64_t *low,
                       uint64_t *high);

#endif
