/* Calibrations by the list: along each axis, along pairs of axes, all together, or as given. */
#include <string.h>

#include "study/method.h"

enum { MOST_GRID = 1 << 20 };

/* ---- what is too large ---- */

static ks_status too_many(const ks_study *study, const ks_study_method *m, const char *what,
                          int most, ks_error *error) {
    return ks_place_fail(error, &m->place,
                         "found %llu %s for %zu constants, expected %d calibrations at most",
                         (unsigned long long)m->n, what, study->constant_count, most);
}

/* add_path looks back at one ask. */
ks_status ks_check_centered(const ks_study *study, const ks_study_method *m, ks_error *error) {
    if (1 + 2 * m->n * study->constant_count <= KS_RESPONSE_PIECE) return KS_OK;
    return too_many(study, m, "steps", KS_RESPONSE_PIECE, error);
}

ks_status ks_check_grid(const ks_study *study, const ks_study_method *m, ks_error *error) {
    uint64_t count = 1;
    for (size_t k = 0; k < study->constant_count && count <= MOST_GRID; k++) count *= m->n;
    return count <= MOST_GRID ? KS_OK : too_many(study, m, "levels", MOST_GRID, error);
}

ks_status ks_check_pairs(const ks_study *study, const ks_study_method *m, ks_error *error) {
    const uint64_t pairs = study->constant_count * (study->constant_count - 1) / 2;
    if (pairs == 0)
        return ks_place_fail(error, &m->place, "found one constant, expected two at least");
    return m->n * m->n * pairs <= MOST_GRID ? KS_OK
                                            : too_many(study, m, "levels", MOST_GRID, error);
}

/* ---- centered ---- */

static const ks_table_column centered_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"constant", "the one that moves; all others stand at their base", false, 0},
    {"step", "-n to n; 0 is the base", true, 0},
    {"value", "of the constant", true, 0},
    {"y", "figure there", true, 8},
    {"gate", "gate there: pass or fail", false, 0},
    {"path",
     "resource with the largest share of the critical path, of each point of the figure, joined by /",
     false, 0},
};

/* The resource that bounds a point; "" where it has no timeline. */
static const char *bound_of(const ks_method_context *c, size_t i, size_t point) {
    static const char *const names[] = {"cpu",   "dma_rd", "dma_wr", "dma_lat",
                                        "fetch", "store",  "gemm",   "math"};
    size_t best = 0;
    uint64_t most = 0;
    for (size_t r = 0; r < KS_COUNT_OF(names); r++) {
        uint64_t ticks;
        if (!ks_subject_cell(c->subject, i, point, (ks_column)(KS_COL_crit_cpu + (int)r), &ticks))
            return "";
        if (ticks > most) {
            most = ticks;
            best = r;
        }
    }
    return names[best];
}

static void add_path(const ks_method_context *c, ks_table *table, size_t i, size_t figure) {
    ks_text text = {0};
    for (size_t s = 0; s < ks_subject_side_count(c->subject, figure); s++) {
        const size_t point = ks_subject_side_point(c->subject, figure, s);
        bool is_new = true;
        for (size_t k = 0; k < s; k++)
            is_new &= ks_subject_side_point(c->subject, figure, k) != point;
        if (!is_new) continue;
        if (text.length) ks_text_add_char(&text, '/');
        ks_text_add_string(&text, bound_of(c, i, point));
    }
    ks_table_text(table, ks_text_string(&text));
    ks_text_free(&text);
}

/* Row 0 is the base; of constant k, rows 1 + 2 n k are steps -n .. -1, 1 .. n. */
static size_t centered_row(uint64_t n, size_t constant, int64_t step) {
    if (step == 0) return 0;
    const uint64_t place = (uint64_t)(step + (int64_t)n - (step > 0));
    return 1 + 2 * n * constant + place;
}

static uint64_t centered_value(const ks_study_constant *c, uint64_t n, int64_t step) {
    if (step < 0) return ks_lattice_level(c->constant, c->low, c->base, n - (uint64_t)-step, n);
    return ks_lattice_level(c->constant, c->base, c->high, (uint64_t)step, n);
}

static ks_status fill_centered(ks_method_context *c, const ks_study_method *m,
                               const ks_asked *asked) {
    const int64_t n = (int64_t)m->n;
    ks_table *table = ks_method_table(c, "centered", "Along each axis", centered_columns,
                                      KS_COUNT_OF(centered_columns));
    if (!table) return KS_NO_MEMORY;
    ks_text_add_format(&table->notes,
                       "%llu steps below and above the base, one constant at a time.\n",
                       (unsigned long long)m->n);
    table->shown_rows = 0;
    for (size_t f = 0; f < c->study->figure_count; f++)
        for (size_t k = 0; k < c->study->constant_count; k++)
            for (int64_t step = -n; step <= n; step++) {
                const ks_study_figure *figure = &c->study->figures[f];
                const size_t row = centered_row(m->n, k, step);
                const ks_answer *answer = ks_asked_at(c, asked, row, f);
                ks_table_text(table, figure->name);
                ks_table_text(table, ks_study_constant_name(&c->study->constants[k]));
                ks_table_format(table, "%lld", (long long)step);
                ks_table_decimal(table, asked->calibrations[row * c->study->constant_count + k]);
                ks_table_answer(table, answer);
                ks_table_gate(table, figure, answer);
                add_path(c, table, row, f);
            }
    return KS_OK;
}

ks_status ks_method_centered(ks_method_context *c, const ks_study_method *m) {
    const size_t constants = c->study->constant_count, count = 1 + 2 * m->n * constants;
    const int64_t n = (int64_t)m->n;
    ks_asked asked;
    ks_status status = ks_asked_new(c, count, &asked);
    for (size_t k = 0; k < constants && !status; k++)
        for (int64_t step = -n; step <= n; step++)
            asked.calibrations[centered_row(m->n, k, step) * constants + k] =
                step ? centered_value(&c->study->constants[k], m->n, step)
                     : c->study->constants[k].base;
    if (!status) status = ks_asked_answer(c, &asked);
    if (!status) status = fill_centered(c, m, &asked);
    ks_asked_free(c, &asked);
    return status;
}

/* ---- pairs ---- */

static const ks_table_column pairs_columns[] = {
    {"figure", "figure of merit", false, 0},
    {"x_constant", "first of the pair; all others stand at their base", false, 0},
    {"y_constant", "second of the pair", false, 0},
    {"x", "value of the first", true, 0},
    {"y", "value of the second", true, 0},
    {"value", "figure there", true, 8},
    {"gate", "gate there: pass or fail", false, 0},
};

/* The gate over a plane, a character a calibration; a word where it is the same all over. */
static void add_map(const ks_method_context *c, ks_table *table, const ks_asked *asked, size_t f,
                    size_t first, size_t x, size_t y, size_t n) {
    const ks_study_figure *figure = &c->study->figures[f];
    static const char marks[] = {'-', '+', '?'};
    const ks_gate_state state = ks_asked_at(c, asked, first, f)->gate;
    size_t same = 0;
    while (same < n * n && ks_asked_at(c, asked, first + same, f)->gate == state) same++;
    if (same == n * n) {
        ks_text_add_format(&table->notes, "\n%s %s, %s and %s: %s at all of them.\n", figure->name,
                           figure->gate_text, ks_study_constant_name(&c->study->constants[x]),
                           ks_study_constant_name(&c->study->constants[y]),
                           ks_gate_state_name(state));
        return;
    }
    ks_text_add_format(
        &table->notes, "\n%s %s, %s to the right, %s upward (+ pass, - fail):\n\n```\n",
        figure->name, figure->gate_text, ks_study_constant_name(&c->study->constants[x]),
        ks_study_constant_name(&c->study->constants[y]));
    for (size_t row = n; row-- > 0;) {
        for (size_t column = 0; column < n; column++)
            ks_text_add_char(&table->notes,
                             marks[ks_asked_at(c, asked, first + column * n + row, f)->gate]);
        ks_text_add_char(&table->notes, '\n');
    }
    ks_text_add_string(&table->notes, "```\n");
}

static void add_plane(const ks_method_context *c, ks_table *table, const ks_asked *asked, size_t f,
                      size_t first, size_t x, size_t y, size_t n) {
    const ks_study_figure *figure = &c->study->figures[f];
    const size_t constants = c->study->constant_count;
    for (size_t i = 0; i < n * n; i++) {
        const uint64_t *calibration = asked->calibrations + (first + i) * constants;
        const ks_answer *answer = ks_asked_at(c, asked, first + i, f);
        ks_table_text(table, figure->name);
        ks_table_text(table, ks_study_constant_name(&c->study->constants[x]));
        ks_table_text(table, ks_study_constant_name(&c->study->constants[y]));
        ks_table_decimal(table, calibration[x]);
        ks_table_decimal(table, calibration[y]);
        ks_table_answer(table, answer);
        ks_table_gate(table, figure, answer);
    }
}

static ks_status fill_pairs(ks_method_context *c, const ks_asked *asked, size_t n) {
    ks_table *table = ks_method_table(c, "pairs", "Pairs of constants", pairs_columns,
                                      KS_COUNT_OF(pairs_columns));
    if (!table) return KS_NO_MEMORY;
    table->shown_rows = 0;
    ks_text_add_format(&table->notes, "%zu x %zu calibrations of each pair, from low to high.\n", n,
                       n);
    for (size_t f = 0; f < c->study->figure_count; f++) {
        size_t first = 0;
        for (size_t x = 0; x < c->study->constant_count; x++)
            for (size_t y = x + 1; y < c->study->constant_count; y++, first += n * n) {
                add_plane(c, table, asked, f, first, x, y, n);
                if (c->study->figures[f].op) add_map(c, table, asked, f, first, x, y, n);
            }
    }
    return KS_OK;
}

ks_status ks_method_pairs(ks_method_context *c, const ks_study_method *m) {
    const size_t constants = c->study->constant_count, n = m->n;
    const size_t pairs = constants * (constants - 1) / 2;
    ks_asked asked;
    ks_status status = ks_asked_new(c, n * n * pairs, &asked);
    size_t row = 0;
    for (size_t x = 0; x < constants && !status; x++)
        for (size_t y = x + 1; y < constants; y++)
            for (size_t i = 0; i < n * n; i++, row++) {
                const ks_study_constant *cx = &c->study->constants[x],
                                        *cy = &c->study->constants[y];
                uint64_t *calibration = asked.calibrations + row * constants;
                calibration[x] = ks_lattice_level(cx->constant, cx->low, cx->high, i / n, n - 1);
                calibration[y] = ks_lattice_level(cy->constant, cy->low, cy->high, i % n, n - 1);
            }
    if (!status) status = ks_asked_answer(c, &asked);
    if (!status) status = fill_pairs(c, &asked, n);
    ks_asked_free(c, &asked);
    return status;
}

/* ---- grid and list: a row a calibration and figure ---- */

static const ks_table_column list_columns[] = {
    {"calibration", "number, from 1", true, 0},
    {"constants", "NAME=value of every constant of the study, joined by blanks", false, 0},
    {"figure", "figure of merit", false, 0},
    {"value", "figure there", true, 8},
    {"gate", "gate there: pass or fail", false, 0},
};

static void add_constants(const ks_method_context *c, ks_text *out, const uint64_t *calibration) {
    for (size_t k = 0; k < c->study->constant_count; k++) {
        ks_text_add_format(out, "%s%s=", k ? " " : "",
                           ks_study_constant_name(&c->study->constants[k]));
        ks_text_add_decimal(out, calibration[k]);
    }
}

static void fill_list(const ks_method_context *c, ks_table *table, const ks_asked *asked) {
    ks_text text = {0};
    for (size_t i = 0; i < asked->count; i++) {
        ks_text_clear(&text);
        add_constants(c, &text, asked->calibrations + i * c->study->constant_count);
        for (size_t f = 0; f < c->study->figure_count; f++) {
            ks_table_u64(table, i + 1);
            ks_table_text(table, ks_text_string(&text));
            ks_table_text(table, c->study->figures[f].name);
            ks_table_answer(table, ks_asked_at(c, asked, i, f));
            ks_table_gate(table, &c->study->figures[f], ks_asked_at(c, asked, i, f));
        }
    }
    table->notes.has_failed |= text.has_failed;
    ks_text_free(&text);
}

ks_status ks_method_grid(ks_method_context *c, const ks_study_method *m) {
    const size_t constants = c->study->constant_count;
    ks_asked asked;
    size_t count = 1;
    for (size_t k = 0; k < constants; k++) count *= m->n;
    ks_status status = ks_asked_new(c, count, &asked);
    for (size_t i = 0; i < count && !status; i++) {
        size_t rest = i;
        for (size_t k = constants; k-- > 0; rest /= m->n) {
            const ks_study_constant *constant = &c->study->constants[k];
            asked.calibrations[i * constants + k] = ks_lattice_level(
                constant->constant, constant->low, constant->high, rest % m->n, m->n - 1);
        }
    }
    if (!status) status = ks_asked_answer(c, &asked);
    ks_table *table = status ? NULL
                             : ks_method_table(c, "grid", "Every combination", list_columns,
                                               KS_COUNT_OF(list_columns));
    if (!status && !table) status = KS_NO_MEMORY;
    if (!status) {
        table->shown_rows = 0;
        ks_text_add_format(&table->notes, "%llu levels of each constant, from low to high.\n",
                           (unsigned long long)m->n);
        fill_list(c, table, &asked);
    }
    ks_asked_free(c, &asked);
    return status;
}

ks_status ks_method_list(ks_method_context *c, const ks_study_method *m) {
    ks_asked asked;
    ks_status status = ks_asked_new(c, m->calibration_count, &asked);
    if (!status)
        memcpy(asked.calibrations, m->calibrations,
               m->calibration_count * c->study->constant_count * sizeof *asked.calibrations);
    if (!status) status = ks_asked_answer(c, &asked);
    ks_table *table = status ? NULL
                             : ks_method_table(c, "list", "Calibrations by the list", list_columns,
                                               KS_COUNT_OF(list_columns));
    if (!status && !table) status = KS_NO_MEMORY;
    if (!status) fill_list(c, table, &asked);
    ks_asked_free(c, &asked);
    return status;
}
