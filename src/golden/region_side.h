/* One axis of a region in words; for region.c alone. */
#ifndef KS_GOLDEN_REGION_SIDE_H
#define KS_GOLDEN_REGION_SIDE_H

#include "golden/region.h"

enum { KS_REGION_LISTED = 16 }; /* values in one condition, at most */

/* The condition for which the steps in `box` hold, of those in `seen`: sets of bits, step 0 at bit
 * `first`. box has some and not all of them. */
void ks_region_side_print(ks_text *out, const ks_region_axis *axis, const uint64_t *box,
                          const uint64_t *seen, size_t first);

#endif
