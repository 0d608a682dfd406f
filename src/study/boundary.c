#include "study/boundary.h"

#include <stdlib.h>

#define NONE SIZE_MAX

/* Flips by number: those of lines[0] from the first line on, then those of lines[1]. */
typedef struct crossing {
    ks_vertex vertex;
    size_t edge;      /* between which values of the constant that moves */
    size_t joined[2]; /* one of each cell that it lies between, or NONE */
    bool is_taken;
} crossing;

/* A crossing on the way round a cell. */
typedef struct rim_flip {
    size_t crossing;
    ks_gate_state before, after;
} rim_flip;

typedef struct boundary {
    const ks_boundary_grid *grid;
    crossing *crossings;
    size_t count;
    size_t *firsts[2]; /* crossing number of each line's first flip, and behind the last line */
    rim_flip *rim;     /* room for all */
    size_t rim_count;
    ks_vertex *out;
    size_t out_count, polyline_count;
} boundary;

/* ---- crossings ---- */

static const ks_flip *flip_of(const boundary *b, const crossing *at) {
    return &b->grid->lines[at->vertex.held][at->vertex.line]->items[at->vertex.flip];
}

static void add_crossings(boundary *b) {
    for (size_t held = 0; held < 2; held++) {
        const size_t moving = 1 - held;
        for (size_t line = 0; line < b->grid->counts[held]; line++) {
            const ks_flips *flips = b->grid->lines[held][line];
            size_t edge = 0;
            b->firsts[held][line] = b->count;
            for (size_t flip = 0; flip < flips->count; flip++) {
                while (edge + 2 < b->grid->counts[moving] &&
                       b->grid->values[moving][edge + 1] <= flips->items[flip].below)
                    edge++;
                b->crossings[b->count++] = (crossing){
                    .vertex = {.held = held, .line = line, .flip = flip},
                    .edge = edge,
                    .joined = {NONE, NONE},
                };
            }
        }
        b->firsts[held][b->grid->counts[held]] = b->count;
    }
}

/* ---- cells ---- */

/* The flips of one side of a cell, in the order in which the way round meets them. */
static void add_side(boundary *b, size_t held, size_t line, size_t edge, bool is_upward) {
    const size_t first = b->firsts[held][line], end = b->firsts[held][line + 1];
    for (size_t i = 0; i < end - first; i++) {
        const size_t at = is_upward ? first + i : end - 1 - i;
        if (b->crossings[at].edge != edge) continue;
        const ks_flip *flip = flip_of(b, &b->crossings[at]);
        b->rim[b->rim_count++] = (rim_flip){at, is_upward ? flip->state_below : flip->state_above,
                                            is_upward ? flip->state_above : flip->state_below};
    }
}

static void join(boundary *b, size_t from, size_t to) {
    size_t *a = b->crossings[from].joined, *c = b->crossings[to].joined;
    a[a[0] != NONE] = to;
    c[c[0] != NONE] = from;
}

static void join_cell(boundary *b, size_t x, size_t y) {
    b->rim_count = 0;
    add_side(b, 1, y, x, true);
    add_side(b, 0, x + 1, y, true);
    add_side(b, 1, y + 1, x, false);
    add_side(b, 0, x, y, false);
    for (size_t i = 0; i < b->rim_count; i++) {
        const rim_flip *in = &b->rim[i], *out = &b->rim[(i + 1) % b->rim_count];
        if (in != out && in->after == KS_GATE_HOLDS && out->before == KS_GATE_HOLDS)
            join(b, in->crossing, out->crossing);
    }
}

/* ---- polylines ---- */

static void follow(boundary *b, size_t at, bool is_closed) {
    for (size_t before = NONE; at != NONE && !b->crossings[at].is_taken;) {
        crossing *here = &b->crossings[at];
        here->is_taken = true;
        here->vertex.polyline = b->polyline_count;
        here->vertex.is_closed = is_closed;
        b->out[b->out_count++] = here->vertex;
        const size_t next = here->joined[here->joined[0] == before];
        before = at;
        at = next;
    }
    b->polyline_count++;
}

/* Ends first: what is left then are rings. */
static void follow_all(boundary *b) {
    for (int is_closed = 0; is_closed < 2; is_closed++)
        for (size_t i = 0; i < b->count; i++) {
            const crossing *c = &b->crossings[i];
            const bool is_end = c->joined[1] == NONE;
            if (!c->is_taken && (is_end || is_closed)) follow(b, i, is_closed);
        }
}

static size_t flip_count(const ks_boundary_grid *grid) {
    size_t count = 0;
    for (size_t held = 0; held < 2; held++)
        for (size_t line = 0; line < grid->counts[held]; line++)
            count += grid->lines[held][line]->count;
    return count;
}

ks_status ks_boundary_join(const ks_boundary_grid *grid, ks_vertex **out, size_t *count) {
    const size_t flips = flip_count(grid), room = flips + 1;
    boundary b = {
        .grid = grid,
        .crossings = calloc(room, sizeof *b.crossings),
        .firsts = {calloc(grid->counts[0] + 1, sizeof *b.firsts[0]),
                   calloc(grid->counts[1] + 1, sizeof *b.firsts[1])},
        .rim = calloc(room, sizeof *b.rim),
        .out = calloc(room, sizeof *b.out),
    };
    const bool has_room = b.crossings && b.firsts[0] && b.firsts[1] && b.rim && b.out;
    if (has_room) {
        add_crossings(&b);
        for (size_t x = 0; x + 1 < grid->counts[0]; x++)
            for (size_t y = 0; y + 1 < grid->counts[1]; y++) join_cell(&b, x, y);
        follow_all(&b);
    } else {
        free(b.out);
        b.out = NULL;
    }
    free(b.crossings);
    free(b.firsts[0]);
    free(b.firsts[1]);
    free(b.rim);
    *out = b.out;
    *count = b.out_count;
    return has_room ? KS_OK : KS_NO_MEMORY;
}
