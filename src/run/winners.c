#include "run/winners.h"

#include <stdlib.h>
#include <string.h>

#include "run/group.h"
#include "run/grouping.h"

typedef struct best {
    uint64_t total_ticks, follower; /* index in the grid, plus 1; 0: none yet */
} best;

struct ks_winners {
    const ks_sweep *sweep;
    const ks_grid *grid;
    void *self;
    ks_status (*take)(void *self, const ks_winner_line *line);
    ks_names names;
    ks_grouping *grouping;
    best *groups; /* of the present block; NULL: no point came yet */
    uint64_t block;
    ks_text group;
};

ks_winners *ks_winners_new(const ks_sweep *sweep, const ks_grid *grid, void *self,
                           ks_status (*take)(void *self, const ks_winner_line *line)) {
    ks_winners *winners = calloc(1, sizeof *winners);
    if (!winners) return NULL;
    *winners = (ks_winners){.sweep = sweep, .grid = grid, .self = self, .take = take};
    winners->names = ks_group_axes(sweep) & ~(KS_NAME_BIT(KS_P_kernel) | KS_NAME_BIT(KS_P_TILE) |
                                              KS_NAME_BIT(KS_P_policy));
    winners->grouping = ks_grouping_new(sweep, winners->names);
    if (winners->grouping) return winners;
    ks_winners_free(winners);
    return NULL;
}

void ks_winners_free(ks_winners *winners) {
    if (!winners) return;
    ks_grouping_free(winners->grouping);
    free(winners->groups);
    ks_text_free(&winners->group);
    free(winners);
}

static ks_status hand_over(ks_winners *w, const best *b) {
    ks_cell cell;
    ks_error error;
    if (ks_grid_at(w->grid, b->follower - 1, &cell, &error)) KS_BUG("%s", error.text);
    const ks_kernel *kernel = &w->sweep->kernels->kernels[ks_param_of(&cell.point, KS_P_kernel)];
    ks_group_print(&w->group, w->sweep, &cell.point, w->names);
    if (w->group.has_failed) return KS_NO_MEMORY;
    const ks_winner_line line = {
        .group = ks_text_string(&w->group),
        .kernel = kernel->name,
        .policy = ks_policy_name((ks_policy)ks_param_of(&cell.point, KS_P_policy)),
        .has_tile = ks_task_shapes(kernel->task) >> KS_P_TILE & 1,
        .tile = ks_param_of(&cell.point, KS_P_TILE),
        .total_ticks = b->total_ticks,
    };
    return w->take(w->self, &line);
}

ks_status ks_winners_end(ks_winners *w) {
    ks_status status = KS_OK;
    const uint64_t count = w->groups ? ks_grouping_count(w->grouping) : 0;
    for (uint64_t i = 0; i < count && !status; i++)
        if (w->groups[i].follower) {
            status = hand_over(w, &w->groups[i]);
            w->groups[i] = (best){0};
        }
    return status;
}

ks_status ks_winners_take(ks_winners *w, uint64_t index, const ks_point *point, const ks_row *row) {
    if (!ks_row_has(row, KS_COL_total_cycles)) return KS_OK;
    const uint64_t block = ks_grouping_block(w->grouping, index);
    if (!w->groups) w->groups = calloc(ks_grouping_count(w->grouping), sizeof *w->groups);
    if (!w->groups) return KS_NO_MEMORY;
    const ks_status status = block == w->block ? KS_OK : ks_winners_end(w);
    w->block = block;
    const uint64_t total_ticks = row->figures[KS_COL_total_cycles].count;
    best *b = &w->groups[ks_grouping_number(w->grouping, index, point)];
    if (!b->follower || total_ticks < b->total_ticks) *b = (best){total_ticks, index + 1};
    return status;
}
