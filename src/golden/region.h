/* A set of points told as a condition over the axes, in the language of --where. Three steps: add
 * the set's points; see every point that ran; look at every point that ran once more, which counts
 * those inside of each condition that might do. */
#ifndef KS_GOLDEN_REGION_H
#define KS_GOLDEN_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

typedef struct ks_region_axis {
    const char *name;
    bool is_ordered;           /* numbers, ascending: intervals mean something */
    size_t count;              /* from 1 */
    const char *const *values; /* as an expression writes them */
} ks_region_axis;

typedef struct ks_region_axes {
    const ks_region_axis *axes;
    size_t count;
} ks_region_axes;

/* Of an axis that the point's kernel does not take. */
#define KS_REGION_NO_STEP UINT32_MAX

/* A point is a step on every axis. */
typedef struct ks_region ks_region;

/* Axes are the caller's and must outlive it. NULL: out of memory. */
ks_region *ks_region_new(const ks_region_axes *axes);
void ks_region_free(ks_region *region); /* NULL is fine */
void ks_region_add(ks_region *region, const uint32_t *steps);
/* All of the points of `from`, of the same axes, before any was seen. */
void ks_region_join(ks_region *region, const ks_region *from);
uint64_t ks_region_size(const ks_region *region); /* points added */

void ks_region_see(ks_region *region, const uint32_t *steps);
void ks_region_look(ks_region *region, const uint32_t *steps);

/* The condition; "": every point. `*inside`: how many points that ran it holds for; they are the
 * region's size when it is exact, else it only bounds the set. Exact ones are single boxes
 * (`TILE >= 64 and kernel == decode_opt2`) or up to three of them joined by `or`. */
void ks_region_print(ks_text *out, const ks_region *region, uint64_t *inside);

#endif
