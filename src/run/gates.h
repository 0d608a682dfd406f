/* The sweep's gates, asked once all its points are in. */
#ifndef KS_RUN_GATES_H
#define KS_RUN_GATES_H

#include "result/record.h"
#include "result/tally.h"
#include "sweep/grid.h"

typedef struct ks_gates ks_gates;

ks_gates *ks_gates_new(const ks_sweep *sweep); /* NULL if out of memory */
void ks_gates_free(ks_gates *gates);           /* NULL is fine */

/* The next index of the grid, in order: a point that ran (row), or one that a rule took out (row
 * NULL). `does_not_run`: a rule says so. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_gates_take(ks_gates *gates, const ks_point *point, const char *label,
                                   const ks_row *row, bool does_not_run);

/* Every asked group, by gate in file order, groups in grid order; counts go to the account. What
 * `take` is given holds until it returns. */
KS_CHECKED ks_status ks_gates_ask(ks_gates *gates, ks_account *account, void *self,
                                  ks_status (*take)(void *self, const ks_gate_line *line));

/* What gates may name: the columns of ks_row that are figures or texts. */
size_t ks_gate_columns(const ks_expr_column **columns);

#endif
