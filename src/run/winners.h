/* The best point by total_cycles of each group of the axes other than kernel, TILE and policy. */
#ifndef KS_RUN_WINNERS_H
#define KS_RUN_WINNERS_H

#include "result/record.h"
#include "result/tally.h"
#include "sweep/grid.h"

typedef struct ks_winners ks_winners;

/* `take` is given each group's line, groups in grid order, as soon as no point of it can follow.
 * Sixteen bytes a group are kept until then: with kernel, TILE or policy as the slowest axis those
 * of all groups. Sweep and grid must outlive it. NULL if out of memory. */
ks_winners *ks_winners_new(const ks_sweep *sweep, const ks_grid *grid, void *self,
                           ks_status (*take)(void *self, const ks_winner_line *line));
void ks_winners_free(ks_winners *winners); /* NULL is fine */

/* The next point that ran, in grid order: ties go to the first. Without total_cycles it is left
 * out. KS_NO_MEMORY, or what `take` answered. */
KS_CHECKED ks_status ks_winners_take(ks_winners *winners, uint64_t index, const ks_point *point,
                                     const ks_row *row);
/* No point follows. */
KS_CHECKED ks_status ks_winners_end(ks_winners *winners);

#endif
