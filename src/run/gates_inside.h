/* Gates from inside; for gates*.c alone. */
#ifndef KS_RUN_GATES_INSIDE_H
#define KS_RUN_GATES_INSIDE_H

#include "base/text_map.h"
#include "run/gates.h"
#include "run/grouping.h"
#include "run/pool.h"

/* What is known of a side in a group, as bits. */
enum {
    SIDE_HAS_VALUE = 1,
    SIDE_DOES_NOT_RUN = 2,
    SIDE_HAS_POINT = 4,
    SIDE_HAS_POINTS = 8,  /* more than one */
    SIDE_LACKS_VALUE = 16 /* a point that should have run has none */
};

/* The value of a side of a gate that pools seeds. */
typedef struct pooled_value {
    ks_figure figure; /* first, as in any value */
    ks_pool pool;
} pooled_value;

/* Groups by number: from the grid's index or, without a grid, in the order in which they came. */
typedef struct gate_state {
    const ks_gate *gate;
    ks_names names; /* of its groups */
    size_t side_count, value_bytes;
    ks_grouping *grouping; /* with a grid */
    ks_text_map *map;      /* without */
    uint64_t room;         /* groups that the arrays hold */
    uint64_t *firsts; /* by group: its first point, plus 1: index in the grid, or in `points` */
    unsigned char *is_out; /* by group: `when` does not hold */
    unsigned char *marks;  /* by group and side */
    unsigned char *values; /* by group and side: value_bytes of a ks_figure, or a pooled_value */
} gate_state;

typedef struct labelled_point {
    ks_point point;
    const char *label;
} labelled_point;

struct ks_gates {
    const ks_sweep *sweep;
    const ks_grid *grid; /* NULL: points come from elsewhere */
    ks_arena *arena;
    gate_state *gates;
    size_t count;
    labelled_point *points; /* without a grid: the first of each group */
    size_t point_count, point_room;
    ks_text group, labels;
};

#endif
