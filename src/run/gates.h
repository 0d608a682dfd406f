/* The sweep's gates, asked once all its points are in. */
#ifndef KS_RUN_GATES_H
#define KS_RUN_GATES_H

#include "result/record.h"
#include "result/tally.h"
#include "sweep/grid.h"

typedef struct ks_gates ks_gates;

/* Gates over the points of a grid. Kept are of each gate and group 9 bytes and of each side 9 more
 * (17 of a twin, 49 where seeds are pooled), for all groups until they are asked: a group's sides may stand anywhere in the
 * grid. NULL if out of memory. */
ks_gates *ks_gates_of_grid(const ks_sweep *sweep, const ks_grid *grid);
/* Gates over points from elsewhere; the sweep need only have gates, kernels and names of axes.
 * Text and point of every group are kept. */
ks_gates *ks_gates_new(const ks_sweep *sweep);
void ks_gates_free(ks_gates *gates); /* NULL is fine */

/* The next index of the grid (any without a grid), in order: a point that ran (row), or one that a rule took out (row
 * NULL). `does_not_run`: a rule says so. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_gates_take(ks_gates *gates, uint64_t index, const ks_point *point,
                                   const char *label, const ks_row *row, bool does_not_run);

/* Every asked group, by gate in file order, groups in grid order; counts go to the account. What
 * `take` is given holds until it returns. */
KS_CHECKED ks_status ks_gates_ask(ks_gates *gates, ks_account *account, void *self,
                                  ks_status (*take)(void *self, const ks_gate_line *line));

/* What gates may name: the columns of ks_row that are figures or texts. */
size_t ks_gate_columns(const ks_expr_column **columns);

#endif
