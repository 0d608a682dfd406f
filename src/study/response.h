/* What a sampling method studies: outputs as functions of a point of the unit cube. The simulator
 * is one; a test's own function is another. */
#ifndef KS_STUDY_RESPONSE_H
#define KS_STUDY_RESPONSE_H

#include <stddef.h>

#include "base/status.h"

typedef struct ks_response {
    void *self;
    size_t dims, outputs;
    /* y[i * outputs + o] of u[i * dims ...]; a NaN: no value there. */
    ks_status (*evaluate)(void *self, const double *u, size_t count, double *y, ks_error *error);
} ks_response;

enum { KS_RESPONSE_PIECE = 4096 }; /* points that are asked for at once */

/* Asks for points 0..count) of a design, piece by piece: y has room for count * outputs. `at` fills
 * the coordinates of point `index`. */
KS_CHECKED ks_status ks_response_ask(const ks_response *response, size_t count, const void *design,
                                     void (*at)(const void *design, size_t index, double *u),
                                     double *y, ks_error *error);

#endif
