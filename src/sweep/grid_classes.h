/* Which steps of an axis are one and the same to a kernel, or in a group of points. */
#ifndef KS_SWEEP_GRID_CLASSES_H
#define KS_SWEEP_GRID_CLASSES_H

#include "sweep/sweep_file.h"

#define KS_NO_STEP UINT32_MAX

/* Names belong to one axis each, so two points are equal exactly when on every axis their steps
 * are in one class. */
typedef struct ks_classes {
    ks_names names; /* of the axis, that the kernel takes: steps with equal values of these */
    const uint32_t *first; /* by step: the first of its class; NULL: every step is its own class */
    const uint32_t *next;  /* by step: the next of its class, or KS_NO_STEP; NULL likewise */
} ks_classes;

KS_CHECKED ks_status ks_classes_of(const ks_axis *axis, ks_names taken, ks_arena *arena,
                                   ks_classes *out, ks_error *error);

static inline uint32_t ks_class_first(const ks_classes *c, uint32_t step) {
    return c->first ? c->first[step] : step;
}
static inline uint32_t ks_class_next(const ks_classes *c, uint32_t step) {
    return c->next ? c->next[step] : KS_NO_STEP;
}

#endif
