#include "report/pending_text.h"

#include <inttypes.h>

static void add_ticks(ks_text *out, int64_t ticks) {
    if (ticks) ks_text_add_char(out, ticks < 0 ? '-' : '+');
    ks_text_add_decimal(out, ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks);
}

static void add_way(ks_text *out, uint64_t count, const char *way, const char **joint) {
    if (!count) return;
    ks_text_add_format(out, "%s%" PRIu64 " %s", *joint, count, way);
    *joint = ", ";
}

static void add_spread(ks_text *out, const ks_pending_spread *s) {
    const char *joint = "";
    if (!s->up && !s->down) {
        ks_text_add_string(out, s->same ? "as before" : "not in both");
        return;
    }
    add_way(out, s->up, "up", &joint);
    add_way(out, s->down, "down", &joint);
    add_way(out, s->same, "as before", &joint);
    ks_text_add_string(out, "; least ");
    add_ticks(out, s->least);
    ks_text_add_string(out, ", median ");
    add_ticks(out, s->median);
    ks_text_add_string(out, ", most ");
    add_ticks(out, s->most);
    ks_text_add_string(out, " cycles");
}

/* Which of the points that were observed they are. */
static void add_place(ks_text *out, const ks_pending_group *g) {
    const bool is_exact = g->count == g->inside;
    if (!g->where || (!g->where[0] && !is_exact)) return;
    ks_text_add_string(out, "\n  ");
    if (!g->where[0]) {
        ks_text_add_string(out, "all points");
        return;
    }
    if (!is_exact) ks_text_add_format(out, "%" PRIu64 " of the ", g->count);
    ks_text_add_count(out, is_exact ? g->count : g->inside, "point");
    ks_text_add_format(out, " with %s", g->where);
}

void ks_pending_title_print(ks_text *out, const ks_pending_group *g) {
    ks_text_add_count(out, g->count, "row");
    ks_text_add_format(out, ", %s", g->what);
}

void ks_pending_group_print(ks_text *out, const ks_pending_group *g, size_t number) {
    ks_text_add_format(out, "cause %zu: ", number);
    ks_pending_title_print(out, g);
    add_place(out, g);
    if (g->kind == KS_PENDING_CHANGED) {
        ks_text_add_string(out, "\n  dispatch_cycles: ");
        add_spread(out, &g->dispatch);
        ks_text_add_string(out, "\n  total_cycles: ");
        add_spread(out, &g->total);
    }
    ks_text_add_format(out, "\n  first: %s\n", g->first_key);
}

void ks_reason_begin(ks_text *out, const char *sweep, const char *reason) {
    ks_text_add_format(out, "\n## %s\n\n%s\n\n", sweep, reason);
}

void ks_reason_group(ks_text *out, const ks_pending_group *g) {
    ks_text_add_string(out, "- ");
    ks_pending_title_print(out, g);
    if (g->kind == KS_PENDING_CHANGED) {
        ks_text_add_string(out, "; total_cycles ");
        add_spread(out, &g->total);
    }
    ks_text_add_char(out, '\n');
}
