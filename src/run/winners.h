/* The best point by total_cycles of each group of the axes other than kernel, TILE and policy. */
#ifndef KS_RUN_WINNERS_H
#define KS_RUN_WINNERS_H

#include "result/record.h"
#include "result/tally.h"
#include "sweep/grid.h"

typedef struct ks_winners ks_winners;

ks_winners *ks_winners_new(const ks_sweep *sweep); /* NULL if out of memory */
void ks_winners_free(ks_winners *winners);         /* NULL is fine */

/* The next point that ran, in grid order: ties go to the first. Without total_cycles it is left
 * out. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_winners_take(ks_winners *winners, const ks_point *point, const ks_row *row);

size_t ks_winners_count(const ks_winners *winners);
ks_winner_line ks_winners_at(const ks_winners *winners,
                             size_t index); /* by first point in the grid */

#endif
