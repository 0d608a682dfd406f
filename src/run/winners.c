#include "run/winners.h"

#include <stdlib.h>

#include "base/text_map.h"
#include "run/group.h"

typedef struct best {
    uint64_t kernel, tile, policy, total_ticks;
} best;

struct ks_winners {
    const ks_sweep *sweep;
    ks_names names;
    ks_text_map *map;
    best *groups;
    size_t room;
    ks_text group;
};

ks_winners *ks_winners_new(const ks_sweep *sweep) {
    ks_winners *winners = calloc(1, sizeof *winners);
    if (!winners) return NULL;
    winners->sweep = sweep;
    winners->names = ks_group_axes(sweep) & ~(KS_NAME_BIT(KS_P_kernel) | KS_NAME_BIT(KS_P_TILE) |
                                              KS_NAME_BIT(KS_P_policy));
    winners->map = ks_text_map_new();
    if (winners->map) return winners;
    ks_winners_free(winners);
    return NULL;
}

void ks_winners_free(ks_winners *winners) {
    if (!winners) return;
    ks_text_map_free(winners->map);
    free(winners->groups);
    ks_text_free(&winners->group);
    free(winners);
}

static bool make_room(ks_winners *winners, size_t number) {
    if (number < winners->room) return true;
    const size_t room = winners->room ? 2 * winners->room : 64;
    best *groups = realloc(winners->groups, room * sizeof *groups);
    if (!groups) return false;
    winners->groups = groups;
    winners->room = room;
    return true;
}

ks_status ks_winners_take(ks_winners *winners, const ks_point *point, const ks_row *row) {
    if (!ks_row_has(row, KS_COL_total_cycles)) return KS_OK;
    const uint64_t total_ticks = row->figures[KS_COL_total_cycles].count;
    const size_t known = ks_text_map_count(winners->map);
    ks_group_print(&winners->group, winners->sweep, point, winners->names);
    const size_t number = ks_text_map_add(winners->map, ks_text_string(&winners->group));
    if (winners->group.has_failed || number == KS_TEXT_MAP_NONE || !make_room(winners, number))
        return KS_NO_MEMORY;
    if (number < known && winners->groups[number].total_ticks <= total_ticks) return KS_OK;
    winners->groups[number] = (best){ks_param_of(point, KS_P_kernel), ks_param_of(point, KS_P_TILE),
                                     ks_param_of(point, KS_P_policy), total_ticks};
    return KS_OK;
}

size_t ks_winners_count(const ks_winners *winners) { return ks_text_map_count(winners->map); }

ks_winner_line ks_winners_at(const ks_winners *winners, size_t index) {
    const best *b = &winners->groups[index];
    const ks_kernel *kernel = &winners->sweep->kernels->kernels[b->kernel];
    return (ks_winner_line){
        .group = ks_text_map_at(winners->map, index),
        .kernel = kernel->name,
        .policy = ks_policy_name((ks_policy)b->policy),
        .has_tile = ks_task_shapes(kernel->task) >> KS_P_TILE & 1,
        .tile = b->tile,
        .total_ticks = b->total_ticks,
    };
}
