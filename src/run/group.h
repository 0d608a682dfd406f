/* Points grouped by what they have in common: `name=value` of some names in KEY order. */
#ifndef KS_RUN_GROUP_H
#define KS_RUN_GROUP_H

#include "sweep/grid.h"

/* Names that the sweep's axes and zips vary (with one step too); a model counts as G and d. */
ks_names ks_group_axes(const ks_sweep *sweep);

/* Writes (over `out`) the group of the point by `names`, joined by blanks; shapes that its kernel
 * does not take are left out. */
void ks_group_print(ks_text *out, const ks_sweep *sweep, const ks_point *point, ks_names names);

#endif
