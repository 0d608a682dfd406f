/* The boundary of a gate in the plane of two constants, x (0) and y (1), from the flips along the
 * lines of a grid: crossings of the grid's lines, joined into polylines. */
#ifndef KS_STUDY_BOUNDARY_H
#define KS_STUDY_BOUNDARY_H

#include "study/line.h"

typedef struct ks_boundary_grid {
    const uint64_t *values[2]; /* of x and y: ascending, ticks; flips lie between first and last */
    size_t counts[2];
    /* lines[0][i]: x is held at values[0][i] and y moves; lines[1][i] the other way round. */
    const ks_flips *const *lines[2];
} ks_boundary_grid;

/* A flip, as part of a polyline. */
typedef struct ks_vertex {
    size_t held, line, flip; /* lines[held][line]->items[flip] */
    size_t polyline;         /* from 0 */
    bool is_closed;          /* the last vertex of its polyline is joined to the first */
} ks_vertex;

/* Every flip once, polyline by polyline. In each cell of the grid the two ends of a part of its rim
 * on which the gate holds are joined; what has no other end there stays an end. Open polylines come
 * first; each begins at the first of its ends, or of its vertices, in the order of lines and flips.
 * The caller frees *out. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_boundary_join(const ks_boundary_grid *grid, ks_vertex **out, size_t *count);

#endif
