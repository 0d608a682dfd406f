/* Where along each constant does a gate change its answer: all such values, as far as is said. */
#include <math.h>
#include <stdlib.h>

#include "study/flip_search.h"
#include "study/half_plane.h"
#include "study/method.h"

static const ks_table_column columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"constant", "the one that moves; all others stand at their base", false, 0},
    {"base", "its base", true, 0},
    {"flip", "its value at the change; of a jump the neighbour farther from the base", true, 8},
    {"exact", "the same as a fraction; empty at a jump", false, 0},
    {"percent", "how far that is from the base, in per cent of it", true, 4},
    {"below", "largest value below the change", true, 0},
    {"above", "smallest value above it", true, 0},
    {"gate_below", "answer there: pass, fail or unknown", false, 0},
    {"gate_above", "answer there", false, 0},
    {"method", "why there are no others between from and to", false, 0},
    {"from", "the changes from here...", true, 0},
    {"to", "...to here are all there are", true, 0},
    {"pieces", "that were looked at", true, 0},
};

static double percent_from(const ks_exact *value, uint64_t base) {
    const ks_exact at = ks_exact_of_ticks(base), hundred = ks_exact_of_u64(100);
    if (base == 0) return NAN;
    ks_exact way = ks_exact_sub(value, &at), part = ks_exact_div(&way, &at);
    ks_exact percent = ks_exact_mul(&part, &hundred);
    const double result = ks_exact_double(&percent);
    ks_exact_free(&way);
    ks_exact_free(&part);
    ks_exact_free(&percent);
    return result;
}

static void add_flip_cells(ks_table *table, const ks_flip *flip, uint64_t base) {
    if (!flip) {
        for (int i = 0; i < 7; i++) ks_table_none(table);
        return;
    }
    ks_exact value = ks_flip_value(flip, base);
    ks_table_double(table, ks_exact_double(&value));
    if (flip->has_root)
        ks_table_exact(table, &value);
    else
        ks_table_none(table);
    ks_table_double(table, percent_from(&value, base));
    ks_table_decimal(table, flip->below);
    ks_table_decimal(table, flip->above);
    ks_table_text(table, ks_gate_state_name(flip->state_below));
    ks_table_text(table, ks_gate_state_name(flip->state_above));
    ks_exact_free(&value);
}

static void add_row(const ks_method_context *c, ks_table *table, const ks_flip_search *line,
                    const ks_flip *flip) {
    const ks_study_figure *figure = &c->study->figures[line->figure];
    const ks_study_constant *constant = &c->study->constants[line->constant];
    ks_table_text(table, figure->name);
    ks_table_text(table, figure->gate_text);
    ks_table_text(table, ks_study_constant_name(constant));
    ks_table_decimal(table, constant->base);
    add_flip_cells(table, flip, constant->base);
    ks_table_text(table, ks_flip_search_method(line, flip));
    ks_table_decimal(table, line->flips.from);
    ks_table_decimal(table, line->flips.to);
    ks_table_u64(table, line->flips.pieces);
}

/* The flip that is nearest to the base in per cent of it goes to the line of the gate. */
static void note_nearest(ks_method_context *c, size_t f, size_t k, const ks_flips *flips) {
    ks_gate_note *note = &c->notes[f];
    const uint64_t base = c->study->constants[k].base;
    for (size_t i = 0; i < flips->count; i++) {
        ks_exact value = ks_flip_value(&flips->items[i], base);
        const double percent = percent_from(&value, base);
        const bool is_nearer =
            isfinite(percent) && (!note->has_flip || fabs(percent) < fabs(note->flip_percent));
        if (is_nearer) {
            ks_exact_free(&note->flip_value);
            note->has_flip = true;
            note->flip_constant = k;
            note->flip_value = value;
            note->flip_percent = percent;
        } else {
            ks_exact_free(&value);
        }
    }
}

typedef struct flip_work {
    const ks_study *study;
    uint64_t budget; /* of each line */
    ks_flip_search *lines;
    size_t count;
} flip_work;

static ks_status find_flips(void *self, ks_subject *subject, size_t index, ks_error *error) {
    const flip_work *w = self;
    uint64_t base[KS_CONSTANT_COUNT];
    for (size_t i = 0; i < w->study->constant_count; i++) base[i] = w->study->constants[i].base;
    return ks_flip_search_run(&w->lines[index], subject, base, w->budget, error);
}

static void add_line(ks_method_context *c, ks_table *table, const ks_flip_search *l) {
    const ks_flips *flips = &l->flips;
    for (size_t i = 0; i < flips->count; i++) add_row(c, table, l, &flips->items[i]);
    if (flips->count == 0) add_row(c, table, l, NULL);
    note_nearest(c, l->figure, l->constant, flips);
}

static void list_lines(flip_work *w) {
    for (size_t f = 0; f < w->study->figure_count; f++)
        for (size_t k = 0; k < w->study->constant_count; k++)
            if (w->study->figures[f].op)
                w->lines[w->count++] = (ks_flip_search){.figure = f, .constant = k};
}

ks_status ks_check_flips(const ks_study *study, const ks_study_method *m, ks_error *error) {
    for (size_t f = 0; f < study->figure_count; f++)
        if (study->figures[f].op) return KS_OK;
    return ks_place_fail(error, &m->place, "found no gate, expected a figure with one");
}

ks_status ks_method_flips(ks_method_context *c, const ks_study_method *m) {
    const size_t room = ks_subject_gate_count(c->subject) * c->study->constant_count;
    flip_work work = {
        .study = c->study, .budget = m->budget, .lines = calloc(room, sizeof *work.lines)};
    if (!work.lines) return ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    list_lines(&work);
    ks_status status = ks_half_planes_add_table(c);
    ks_table *table =
        status ? NULL
               : ks_method_table(c, "flips", "Where gates flip", columns, KS_COUNT_OF(columns));
    if (!status && !table) status = KS_NO_MEMORY;
    if (!status) status = ks_method_each(c, work.count, &work, find_flips);
    if (!status)
        ks_text_add_format(&table->notes,
                           "Every change of a gate's answer between from and to, one constant at a "
                           "time. total_cycles is no convex function of a constant, so a line is "
                           "walked piece by piece; beyond a budget of %llu pieces a line it is "
                           "sampled at %d values.\n",
                           (unsigned long long)work.budget, KS_FLIP_FURTHER_VALUES);
    for (size_t i = 0; i < work.count; i++) {
        if (!status) add_line(c, table, &work.lines[i]);
        ks_flips_free(&work.lines[i].flips);
    }
    free(work.lines);
    return status;
}
