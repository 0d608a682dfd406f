/* A grid from inside; for grid*.c alone. */
#ifndef KS_SWEEP_GRID_INSIDE_H
#define KS_SWEEP_GRID_INSIDE_H

#include "sweep/grid.h"
#include "sweep/grid_classes.h"

struct ks_grid {
    const ks_sweep *sweep;
    ks_arena *arena;
    uint64_t size;
    ks_names *taken;      /* by kernel of the table: names that its points have */
    ks_classes **classes; /* by kernel of the sweep, then by axis; NULL: not in the sweep */
    int label_axis;       /* -1: no model */
    bool rules_ask_model; /* where, --where or exclude look at labels */
    uint64_t ascending;   /* bit by axis: it has one column, whose values rise */
};

/* A point before it is judged: a step on every axis. */
typedef struct ks_spot {
    uint32_t steps[KS_NAME_ALL];
    ks_point point;
    const char *label; /* NULL: none, or the kernel takes nothing that a model sets */
} ks_spot;

/* Fills point and label from the steps. */
void ks_spot_fill(const ks_grid *grid, ks_spot *spot);
void ks_spot_at(const ks_grid *grid, uint64_t index, ks_spot *spot);
/* What the rules say of the point with this label: RUN, NOT_WHERE, NOT_OPTION or EXCLUDED. When
 * `matched` is not NULL, every exclude rule is asked and those that hold are counted. */
ks_status ks_spot_judge(const ks_grid *grid, const ks_point *point, const char *label,
                        ks_cell *cell, ks_rule_count *matched, ks_error *error);
ks_status ks_spot_classify(const ks_grid *grid, const ks_spot *spot, ks_cell *cell,
                           ks_rule_count *matched, ks_error *error);

#endif
