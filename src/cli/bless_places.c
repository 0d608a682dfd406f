#include "cli/bless_places.h"

#include <stdlib.h>

#include "cli/sweep_axes.h"
#include "sweep/key.h"

enum { PLACED_GROUPS = 64 }; /* more are not told by their place */

typedef struct places {
    ks_pending *pending;
    const ks_golden *observed;
    const ks_grid *grid;
    const ks_sweep *sweep;
    ks_sweep_axes *axes;
    ks_region *regions[PLACED_GROUPS];
    size_t count;
    uint32_t steps[KS_NAME_ALL];
} places;

/* Whether an observed line is a point of the grid, and where it stands. */
static bool find_steps(places *p, size_t line) {
    ks_point point;
    ks_cell cell;
    uint64_t index;
    if (ks_key_parse(ks_golden_at(p->observed, line).key, p->sweep->kernels, &point, NULL) ||
        !ks_grid_find(p->grid, &point, &index) || ks_grid_at(p->grid, index, &cell, NULL))
        return false;
    ks_sweep_axes_steps(p->axes, &cell.point, cell.label, p->steps);
    return true;
}

static void walk(places *p, void (*visit)(ks_region *, const uint32_t *)) {
    for (size_t i = 0; i < ks_golden_count(p->observed); i++) {
        if (!find_steps(p, i)) continue;
        for (size_t g = 0; g < p->count; g++) visit(p->regions[g], p->steps);
    }
}

static ks_status print_places(places *p) {
    ks_status status = KS_OK;
    for (size_t g = 0; g < p->count && !status; g++) {
        ks_text where = {0};
        uint64_t inside;
        if (p->pending->groups[g].kind == KS_PENDING_GONE) continue;
        ks_region_print(&where, p->regions[g], &inside);
        status = where.has_failed ? KS_NO_MEMORY
                                  : ks_pending_place(p->pending, g, ks_text_string(&where), inside);
        ks_text_free(&where);
    }
    return status;
}

static ks_status find_places(places *p) {
    p->axes = ks_sweep_axes_new(p->sweep);
    if (!p->axes) return KS_NO_MEMORY;
    p->count = p->pending->group_count < PLACED_GROUPS ? p->pending->group_count : PLACED_GROUPS;
    for (size_t g = 0; g < p->count; g++)
        if (!(p->regions[g] = ks_region_new(ks_sweep_axes_of(p->axes)))) return KS_NO_MEMORY;
    for (size_t i = 0; i < p->pending->count; i++) {
        const ks_pending_item *item = &p->pending->items[i];
        if (item->group < p->count && item->observed != KS_NO_LINE &&
            find_steps(p, (size_t)item->observed))
            ks_region_add(p->regions[item->group], p->steps);
    }
    walk(p, ks_region_see);
    walk(p, ks_region_look);
    return print_places(p);
}

ks_status ks_bless_places(ks_pending *pending, const ks_golden *observed, const ks_sweep *sweep,
                          const ks_grid *grid) {
    places p = {.pending = pending, .observed = observed, .grid = grid, .sweep = sweep};
    const ks_status status = find_places(&p);
    for (size_t g = 0; g < p.count; g++) ks_region_free(p.regions[g]);
    ks_sweep_axes_free(p.axes);
    return status;
}
