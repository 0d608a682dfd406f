/* A sweep's axes as conditions may name them, and where a point stands on each. */
#ifndef KS_CLI_SWEEP_AXES_H
#define KS_CLI_SWEEP_AXES_H

#include "golden/region.h"
#include "sweep/grid.h"

typedef struct ks_sweep_axes ks_sweep_axes;

/* The names that axes and zips vary, model instead of the G and d that it sets. Names with one
 * value, or with more than 65536, are left out. The sweep must outlive it. NULL: out of memory. */
ks_sweep_axes *ks_sweep_axes_new(const ks_sweep *sweep);
void ks_sweep_axes_free(ks_sweep_axes *axes); /* NULL is fine */
const ks_region_axes *ks_sweep_axes_of(const ks_sweep_axes *axes);

/* `label` as ks_cell has it. `steps` has room for every axis. */
void ks_sweep_axes_steps(const ks_sweep_axes *axes, const ks_point *point, const char *label,
                         uint32_t steps[KS_NAME_ALL]);

#endif
