#include "golden/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_map.h"
#include "golden/signature.h"

typedef struct member {
    ks_row row;
    ks_change change;
    double work;
    ks_text key, detail;
} member;

typedef struct group {
    size_t number; /* order in which they were met */
    ks_failure_cause cause;
    ks_region *region;
    member least;
    ks_text what, why, where, show, all, first;
} group;

struct ks_causes {
    const ks_region_axes *axes;
    ks_text_map *map; /* signatures */
    ks_text signature;
    group *groups[KS_CAUSES_KEPT];
    size_t count;
    uint64_t points, more_points;
    ks_failure_cause list[KS_CAUSES_KEPT];
    group *order[KS_CAUSES_KEPT];
};

ks_causes *ks_causes_new(const ks_region_axes *axes) {
    ks_causes *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->axes = axes;
    c->map = ks_text_map_new();
    if (c->map) return c;
    ks_causes_free(c);
    return NULL;
}

static void free_group(group *g) {
    if (!g) return;
    ks_text *const texts[] = {&g->what, &g->why,   &g->where,     &g->show,
                              &g->all,  &g->first, &g->least.key, &g->least.detail};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) ks_text_free(texts[i]);
    ks_region_free(g->region);
    free(g);
}

void ks_causes_free(ks_causes *c) {
    if (!c) return;
    for (size_t i = 0; i < c->count; i++) free_group(c->groups[i]);
    ks_text_map_free(c->map);
    ks_text_free(&c->signature);
    free(c);
}

uint64_t ks_causes_points(const ks_causes *c) { return c->points; }

/* ---- taking ---- */

static ks_status new_group(ks_causes *c, const ks_record *record) {
    group *g = calloc(1, sizeof *g);
    if (!g) return KS_NO_MEMORY;
    g->number = c->count;
    c->groups[c->count++] = g;
    g->region = ks_region_new(c->axes);
    ks_signature_say(&g->what, record);
    ks_text_add_string(&g->why, record->why);
    return g->region && !g->what.has_failed && !g->why.has_failed ? KS_OK : KS_NO_MEMORY;
}

static ks_status set_text(ks_text *text, const char *string) {
    ks_text_clear(text);
    ks_text_add_string(text, string);
    return text->has_failed ? KS_NO_MEMORY : KS_OK;
}

static ks_status keep_least(group *g, const ks_record *record, double work) {
    member *m = &g->least;
    if (g->cause.points > 1 && work >= m->work) return KS_OK;
    m->work = work;
    m->row = *record->row;
    if (record->change) m->change = *record->change;
    g->cause.index = record->index;
    g->cause.change = record->change ? &m->change : NULL;
    const ks_status status = set_text(&m->key, record->key);
    return status ? status : set_text(&m->detail, record->detail);
}

static void measure(ks_cause_move *move, const ks_record *record, ks_column column) {
    int64_t ticks;
    if (!ks_change_ticks(record, column, &ticks)) return;
    if (!move->points || ticks < move->least_ticks) move->least_ticks = ticks;
    if (!move->points || ticks > move->most_ticks) move->most_ticks = ticks;
    move->points++;
}

ks_status ks_causes_take(ks_causes *c, const ks_record *record, const uint32_t *steps,
                         double work) {
    c->points++;
    ks_text_clear(&c->signature);
    ks_signature_print(&c->signature, record);
    if (c->signature.has_failed) return KS_NO_MEMORY;
    size_t number = ks_text_map_find(c->map, c->signature.data);
    if (number == KS_TEXT_MAP_NONE) {
        if (c->count == KS_CAUSES_KEPT) {
            c->more_points++;
            return KS_OK;
        }
        number = ks_text_map_add(c->map, c->signature.data);
        if (number == KS_TEXT_MAP_NONE || new_group(c, record)) return KS_NO_MEMORY;
    }
    group *g = c->groups[number];
    g->cause.points++;
    ks_region_add(g->region, steps);
    if (record->change) g->cause.columns |= record->change->columns;
    measure(&g->cause.total, record, KS_COL_total_cycles);
    measure(&g->cause.dispatch, record, KS_COL_dispatch_cycles);
    return keep_least(g, record, work);
}

void ks_causes_see(ks_causes *c, const uint32_t *steps) {
    for (size_t i = 0; i < c->count; i++) ks_region_see(c->groups[i]->region, steps);
}

void ks_causes_look(ks_causes *c, const uint32_t *steps) {
    for (size_t i = 0; i < c->count; i++) ks_region_look(c->groups[i]->region, steps);
}

/* ---- listing ---- */

static int compare(const void *left, const void *right) {
    const group *const *a = left, *const *b = right;
    if ((*a)->cause.points != (*b)->cause.points)
        return (*a)->cause.points > (*b)->cause.points ? -1 : 1;
    return (*a)->number < (*b)->number ? -1 : 1;
}

static void fill(group *g) {
    ks_failure_cause *cause = &g->cause;
    cause->what = ks_text_string(&g->what);
    cause->why = ks_text_string(&g->why);
    cause->where = ks_text_string(&g->where);
    cause->key = ks_text_string(&g->least.key);
    cause->detail = ks_text_string(&g->least.detail);
    cause->row = &g->least.row;
    cause->show = ks_text_string(&g->show);
    cause->reproducer = ks_text_string(&g->all);
    cause->first = ks_text_string(&g->first);
}

ks_status ks_causes_list(ks_causes *c, ks_cause_list *list) {
    for (size_t i = 0; i < c->count; i++) {
        group *g = c->order[i] = c->groups[i];
        ks_text_clear(&g->where);
        ks_region_print(&g->where, g->region, &g->cause.inside);
        if (g->where.has_failed) return KS_NO_MEMORY;
    }
    qsort(c->order, c->count, sizeof(group *), compare);
    for (size_t i = 0; i < c->count; i++) {
        fill(c->order[i]);
        c->list[i] = c->order[i]->cause;
    }
    *list = (ks_cause_list){c->list, c->count, c->more_points};
    return KS_OK;
}

ks_status ks_causes_reproduce(ks_causes *c, size_t number, const char *show, const char *all) {
    group *g = c->order[number];
    ks_status status = set_text(&g->show, show);
    if (!status) status = set_text(&g->all, all);
    fill(g);
    c->list[number] = g->cause;
    return status;
}

ks_status ks_causes_tell_first(ks_causes *c, size_t number, const char *lines) {
    group *g = c->order[number];
    const ks_status status = set_text(&g->first, lines);
    fill(g);
    c->list[number] = g->cause;
    return status;
}
