/* Where in the plane of two constants does a gate change its answer: the flips along the lines of a
 * grid, in both directions, joined into polylines. */
#include <stdlib.h>

#include "study/boundary.h"
#include "study/flip_search.h"
#include "study/method.h"

enum { MOST_LINES = 1 << 16 };

static const ks_table_column plane_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"x_constant", "first of the pair; all others stand at their base", false, 0},
    {"y_constant", "second of the pair", false, 0},
    {"boundary",
     "none, all flips, or where a line was not searched whole none found, at least these", false,
     0},
    {"polylines", "that the flips make", true, 0},
    {"flips", "on all lines", true, 0},
    {"lines", "of the grid, in both directions", true, 0},
    {"whole_lines", "on which no flip can be missing", true, 0},
};

static const ks_table_column line_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"held", "constant that is the same all along the line", false, 0},
    {"held_at", "its value", true, 0},
    {"moves", "constant that moves", false, 0},
    {"flips", "on the line", true, 0},
    {"method", "why there are no others between from and to", false, 0},
    {"from", "the flips from here...", true, 0},
    {"to", "...to here are all there are; beyond, a sample found at least these", true, 0},
    {"pieces", "that were looked at", true, 0},
};

static const ks_table_column vertex_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"x_constant", "first of the pair; all others stand at their base", false, 0},
    {"y_constant", "second of the pair", false, 0},
    {"polyline", "number, from 1 for each gate and pair; vertices follow one another", true, 0},
    {"shape", "open, or closed: the last vertex is joined to the first", false, 0},
    {"x", "where the flip is", true, 8},
    {"y", "where the flip is", true, 8},
    {"moves", "constant along which it is a flip; the other one is at a value of the grid", false,
     0},
    {"exact", "value of the one that moves as a fraction, where it is a root; empty at a jump",
     false, 0},
    {"below", "largest value below the flip of the one that moves", true, 0},
    {"above", "smallest value above it", true, 0},
    {"gate_below", "answer there: pass, fail or unknown", false, 0},
    {"gate_above", "answer there", false, 0},
    {"method", "why there are no others near it on its line", false, 0},
};

/* ---- lines ---- */

/* A gate over a pair, and its lines. */
typedef struct plane {
    size_t figure, pair[2]; /* constants of x and y */
    size_t first;           /* of its lines: those that hold x, then those that hold y */
} plane;

typedef struct boundary_work {
    const ks_study *study;
    uint64_t budget;                          /* of each line */
    uint64_t *values;                         /* [constant * levels + i] */
    size_t levels, counts[KS_CONSTANT_COUNT]; /* values of a constant: its lattice may have fewer */
    plane *planes;
    size_t plane_count;
    ks_flip_search *lines;
    uint64_t *held_at; /* by line */
    size_t *held;      /* by line: constant of the study */
    size_t line_count;
} boundary_work;

static void find_values(boundary_work *w) {
    for (size_t k = 0; k < w->study->constant_count; k++) {
        const ks_study_constant *c = &w->study->constants[k];
        uint64_t *values = w->values + k * w->levels;
        for (size_t i = 0; i < w->levels; i++) {
            const uint64_t value = ks_lattice_level(c->constant, c->low, c->high, i, w->levels - 1);
            if (w->counts[k] == 0 || values[w->counts[k] - 1] != value)
                values[w->counts[k]++] = value;
        }
    }
}

static void add_lines(boundary_work *w, const plane *p) {
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < w->counts[p->pair[side]]; i++) {
            w->held[w->line_count] = p->pair[side];
            w->held_at[w->line_count] = w->values[p->pair[side] * w->levels + i];
            w->lines[w->line_count++] =
                (ks_flip_search){.figure = p->figure, .constant = p->pair[1 - side]};
        }
}

static void list_planes(boundary_work *w) {
    for (size_t f = 0; f < w->study->figure_count; f++)
        for (size_t x = 0; x < w->study->constant_count && w->study->figures[f].op; x++)
            for (size_t y = x + 1; y < w->study->constant_count; y++) {
                plane *p = &w->planes[w->plane_count++];
                *p = (plane){f, {x, y}, w->line_count};
                add_lines(w, p);
            }
}

static ks_status find_flips(void *self, ks_subject *subject, size_t index, ks_error *error) {
    const boundary_work *w = self;
    uint64_t calibration[KS_CONSTANT_COUNT];
    for (size_t i = 0; i < w->study->constant_count; i++)
        calibration[i] = w->study->constants[i].base;
    calibration[w->held[index]] = w->held_at[index];
    return ks_flip_search_run(&w->lines[index], subject, calibration, w->budget, error);
}

/* ---- tables ---- */

typedef struct boundary_tables {
    ks_table *planes, *lines, *vertices;
} boundary_tables;

static void add_gate(const ks_method_context *c, ks_table *table, size_t figure) {
    ks_table_text(table, c->study->figures[figure].name);
    ks_table_text(table, c->study->figures[figure].gate_text);
}

static void add_name(const ks_method_context *c, ks_table *table, size_t constant) {
    ks_table_text(table, ks_study_constant_name(&c->study->constants[constant]));
}

static void add_line(const ks_method_context *c, ks_table *table, const boundary_work *w,
                     size_t index) {
    const ks_flip_search *line = &w->lines[index];
    add_gate(c, table, line->figure);
    add_name(c, table, w->held[index]);
    ks_table_decimal(table, w->held_at[index]);
    add_name(c, table, line->constant);
    ks_table_u64(table, line->flips.count);
    ks_table_text(table, ks_flip_search_method(line, NULL));
    ks_table_decimal(table, line->flips.from);
    ks_table_decimal(table, line->flips.to);
    ks_table_u64(table, line->flips.pieces);
}

static void add_vertex(const ks_method_context *c, ks_table *table, const boundary_work *w,
                       const plane *p, const ks_vertex *v) {
    const size_t index = p->first + v->line + (v->held ? w->counts[p->pair[0]] : 0);
    const ks_flip_search *line = &w->lines[index];
    const ks_flip *flip = &line->flips.items[v->flip];
    ks_exact value = ks_flip_value(flip, c->study->constants[line->constant].base);
    add_gate(c, table, p->figure);
    for (size_t side = 0; side < 2; side++) add_name(c, table, p->pair[side]);
    ks_table_u64(table, v->polyline + 1);
    ks_table_text(table, v->is_closed ? "closed" : "open");
    for (size_t side = 0; side < 2; side++)
        if (side == v->held)
            ks_table_decimal(table, w->held_at[index]);
        else
            ks_table_double(table, ks_exact_double(&value));
    add_name(c, table, line->constant);
    if (flip->has_root)
        ks_table_exact(table, &value);
    else
        ks_table_none(table);
    ks_table_decimal(table, flip->below);
    ks_table_decimal(table, flip->above);
    ks_table_text(table, ks_gate_state_name(flip->state_below));
    ks_table_text(table, ks_gate_state_name(flip->state_above));
    ks_table_text(table, ks_flip_search_method(line, flip));
    ks_exact_free(&value);
}

static void add_plane(const ks_method_context *c, ks_table *table, const boundary_work *w,
                      const plane *p, size_t polylines, size_t flips) {
    static const char *const words[2][2] = {{"none found", "at least these"},
                                            {"none", "all flips"}};
    const size_t lines = w->counts[p->pair[0]] + w->counts[p->pair[1]];
    size_t whole = 0;
    for (size_t i = 0; i < lines; i++)
        whole += ks_flip_search_is_whole(&w->lines[p->first + i], c->study);
    add_gate(c, table, p->figure);
    for (size_t side = 0; side < 2; side++) add_name(c, table, p->pair[side]);
    ks_table_text(table, words[whole == lines][flips > 0]);
    ks_table_u64(table, polylines);
    ks_table_u64(table, flips);
    ks_table_u64(table, lines);
    ks_table_u64(table, whole);
}

static ks_status fill_plane(const ks_method_context *c, const boundary_tables *t,
                            const boundary_work *w, const plane *p) {
    const size_t columns = w->counts[p->pair[0]], lines = columns + w->counts[p->pair[1]];
    const ks_flips **flips = calloc(lines, sizeof(ks_flips *));
    if (!flips) return KS_NO_MEMORY;
    for (size_t i = 0; i < lines; i++) {
        flips[i] = &w->lines[p->first + i].flips;
        add_line(c, t->lines, w, p->first + i);
    }
    const ks_boundary_grid grid = {
        .values = {w->values + p->pair[0] * w->levels, w->values + p->pair[1] * w->levels},
        .counts = {columns, lines - columns},
        .lines = {flips, flips + columns},
    };
    ks_vertex *vertices;
    size_t count;
    const ks_status status = ks_boundary_join(&grid, &vertices, &count);
    for (size_t i = 0; i < count; i++) add_vertex(c, t->vertices, w, p, &vertices[i]);
    if (!status) add_plane(c, t->planes, w, p, count ? vertices[count - 1].polyline + 1 : 0, count);
    free(vertices);
    free(flips);
    return status;
}

static ks_status fill(ks_method_context *c, const boundary_work *w) {
    boundary_tables t;
    t.planes = ks_method_table(c, "boundaries", "Where gates flip in the plane of two constants",
                               plane_columns, KS_COUNT_OF(plane_columns));
    t.lines = ks_method_table(c, "boundary-lines", "Lines that were searched for boundaries",
                              line_columns, KS_COUNT_OF(line_columns));
    t.vertices = ks_method_table(c, "boundary-vertices", "Vertices of boundaries", vertex_columns,
                                 KS_COUNT_OF(vertex_columns));
    if (!t.planes || !t.lines || !t.vertices) return KS_NO_MEMORY;
    t.lines->shown_rows = t.vertices->shown_rows = 0;
    ks_text_add_format(&t.planes->notes,
                       "Each pair of constants has lines at up to %zu values of either, and every "
                       "line is searched as for flips, by up to %llu pieces, beyond them by %d "
                       "values. Flips are exact on the lines; what joins them is straight, and "
                       "what lies inside a cell of the grid is not seen.\n",
                       w->levels, (unsigned long long)w->budget, KS_FLIP_FURTHER_VALUES);
    for (size_t i = 0; i < w->plane_count; i++)
        if (fill_plane(c, &t, w, &w->planes[i]))
            return ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    return KS_OK;
}

/* ---- the method ---- */

static size_t pair_count(const ks_study *study) {
    return study->constant_count * (study->constant_count - 1) / 2;
}

ks_status ks_check_boundary(const ks_study *study, const ks_study_method *m, ks_error *error) {
    uint64_t gates = 0;
    const ks_status status = ks_check_flips(study, m, error);
    if (status) return status;
    for (size_t f = 0; f < study->figure_count; f++) gates += study->figures[f].op != NULL;
    if (pair_count(study) == 0)
        return ks_place_fail(error, &m->place, "found one constant, expected two at least");
    const uint64_t lines = gates * pair_count(study) * 2 * m->n;
    if (lines <= MOST_LINES) return KS_OK;
    return ks_place_fail(error, &m->place,
                         "found %llu lines (%llu levels in two directions, for %llu gates and %zu "
                         "pairs), expected %d at most",
                         (unsigned long long)lines, (unsigned long long)m->n,
                         (unsigned long long)gates, pair_count(study), MOST_LINES);
}

ks_status ks_method_boundary(ks_method_context *c, const ks_study_method *m) {
    const size_t planes = ks_subject_gate_count(c->subject) * pair_count(c->study);
    const size_t lines = planes * 2 * m->n;
    boundary_work w = {
        .study = c->study,
        .budget = m->budget,
        .levels = m->n,
        .values = calloc(c->study->constant_count * m->n, sizeof *w.values),
        .planes = calloc(planes, sizeof *w.planes),
        .lines = calloc(lines, sizeof *w.lines),
        .held_at = calloc(lines, sizeof *w.held_at),
        .held = calloc(lines, sizeof *w.held),
    };
    ks_status status = KS_OK;
    if (!w.values || !w.planes || !w.lines || !w.held_at || !w.held) {
        status = ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    } else {
        find_values(&w);
        list_planes(&w);
        status = ks_method_each(c, w.line_count, &w, find_flips);
    }
    if (!status) status = fill(c, &w);
    for (size_t i = 0; i < w.line_count; i++) ks_flips_free(&w.lines[i].flips);
    free(w.values);
    free(w.planes);
    free(w.lines);
    free(w.held_at);
    free(w.held);
    return status;
}
