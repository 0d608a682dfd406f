/* Where the points of each pending group lie in the grid. */
#ifndef KS_CLI_BLESS_PLACES_H
#define KS_CLI_BLESS_PLACES_H

#include "golden/pending.h"
#include "sweep/grid.h"

/* Fills in where each group lies, among the observed points of the grid (those that a --where
 * leaves); of groups of rows that are no points nothing. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_bless_places(ks_pending *pending, const ks_golden *observed,
                                     const ks_sweep *sweep, const ks_grid *grid);

#endif
