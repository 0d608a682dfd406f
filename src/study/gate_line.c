#include "study/gate_line.h"

#include <stdlib.h>
#include <string.h>

#include "study/lattice.h"
#include "study/subject_columns.h"

struct ks_gate_line {
    ks_subject *subject;
    const ks_study *study;
    size_t figure, constant;
    size_t side_count;
    ks_gate_form form;
    uint64_t *calibrations; /* two of them: at a value, and at the piece's last one */
    ks_answer *answers;     /* of both */
    ks_exact *values, *slopes, *last_values; /* by side */
    ks_effect *effects;
    ks_probe **probes; /* by point of the subject */
    ks_probed *probed; /* of ORDER sides */
    ks_effect effect;
    uint64_t low, high;
};

/* ---- what constants do ---- */

static bool is_dispatch_rate(ks_constant constant) {
    return constant == KS_C_dispatch_fixed_cycles || constant == KS_C_dispatch_cycles_per_byte;
}

/* Decimals of the engines: they enter services alone. */
static bool is_of_services(ks_constant constant) {
    const ks_constant_class of = ks_constant_describe(constant)->value_class;
    return (of == KS_DECIMAL_FROM_0 || of == KS_DECIMAL_ABOVE_0) && !is_dispatch_rate(constant) &&
           constant != KS_C_clock_ghz;
}

/* Counts of the program; no time in them. */
static bool is_count(ks_column column) {
    return column <= KS_COL_logical_bytes || column == KS_COL_dma_bytes || column == KS_COL_macs ||
           column == KS_COL_tcm_peak_bytes;
}

static bool is_dispatch_cost(ks_column column) {
    return column == KS_COL_dispatch_cycles || column == KS_COL_dispatch_cycles_per_tile;
}

static ks_effect effect_of_dispatch(ks_column column) {
    const bool is_busy = column >= KS_COL_busy_dma_rd && column <= KS_COL_busy_math;
    if (is_dispatch_cost(column)) return KS_EFFECT_LINEAR;
    if (column == KS_COL_total_cycles) return KS_EFFECT_ORDER;
    return is_count(column) || is_busy || column == KS_COL_roofline_cycles ? KS_EFFECT_NONE
                                                                           : KS_EFFECT_UNKNOWN;
}

ks_effect ks_effect_of(ks_constant constant, ks_column column) {
    if (constant == KS_C_clock_ghz)
        return column == KS_COL_total_ns ? KS_EFFECT_UNKNOWN : KS_EFFECT_NONE;
    if (is_dispatch_rate(constant)) return effect_of_dispatch(column);
    if (!is_of_services(constant)) return KS_EFFECT_UNKNOWN;
    if (is_count(column) || is_dispatch_cost(column)) return KS_EFFECT_NONE;
    if (column == KS_COL_roofline_cycles)
        return constant == KS_C_dma_bytes_per_cycle ? KS_EFFECT_UNKNOWN : KS_EFFECT_NONE;
    return KS_EFFECT_SERVICES;
}

/* ---- making it ---- */

static ks_constant constant_of(const ks_gate_line *l) {
    return l->study->constants[l->constant].constant;
}

static void find_effects(ks_gate_line *l) {
    for (size_t s = 0; s < l->side_count; s++) {
        const size_t point = ks_subject_side_point(l->subject, l->figure, s);
        const ks_column column = (ks_column)ks_subject_side_column(l->subject, l->figure, s);
        l->effects[s] = ks_subject_is_fixed(l->subject, point, constant_of(l))
                            ? KS_EFFECT_NONE
                            : ks_effect_of(constant_of(l), column);
        if (l->effects[s] > l->effect) l->effect = l->effects[s];
    }
}

ks_gate_line *ks_gate_line_new(ks_subject *subject, size_t figure, size_t constant,
                               const uint64_t *calibration) {
    ks_gate_line *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->subject = subject;
    l->study = ks_subject_study(subject);
    l->figure = figure;
    l->constant = constant;
    l->side_count = ks_subject_side_count(subject, figure);
    const size_t constants = l->study->constant_count;
    l->calibrations = calloc(2 * constants, sizeof *l->calibrations);
    l->answers = calloc(2 * l->study->figure_count, sizeof *l->answers);
    l->values = calloc(l->side_count, sizeof *l->values);
    l->slopes = calloc(l->side_count, sizeof *l->slopes);
    l->last_values = calloc(l->side_count, sizeof *l->last_values);
    l->effects = calloc(l->side_count, sizeof *l->effects);
    l->probes = calloc(ks_subject_point_count(subject), sizeof *l->probes);
    l->probed = calloc(ks_subject_point_count(subject), sizeof *l->probed);
    if (!l->calibrations || !l->answers || !l->values || !l->slopes || !l->last_values ||
        !l->effects || !l->probes || !l->probed) {
        ks_gate_line_free(l);
        return NULL;
    }
    for (size_t k = 0; k < 2 * constants; k++) l->calibrations[k] = calibration[k % constants];
    l->form = ks_gate_form_of(subject, figure);
    find_effects(l);
    if (!l->form.is_quotient) l->effect = KS_EFFECT_UNKNOWN;
    return l;
}

static void free_values(ks_exact *values, size_t count) {
    for (size_t i = 0; values && i < count; i++) ks_exact_free(&values[i]);
}

void ks_gate_line_free(ks_gate_line *l) {
    if (!l) return;
    free_values(l->values, l->side_count);
    free_values(l->slopes, l->side_count);
    free_values(l->last_values, l->side_count);
    for (size_t i = 0; l->probes && i < ks_subject_point_count(l->subject); i++)
        ks_probe_free(l->probes[i]);
    ks_gate_form_free(&l->form);
    free(l->calibrations);
    free(l->answers);
    free(l->values);
    free(l->slopes);
    free(l->last_values);
    free(l->effects);
    free(l->probes);
    free(l->probed);
    free(l);
}

ks_effect ks_gate_line_effect(const ks_gate_line *l) { return l->effect; }

/* ---- how far a piece goes ---- */

static uint64_t *value_at(ks_gate_line *l, size_t which) {
    return &l->calibrations[which * l->study->constant_count + l->constant];
}

static ks_status probe_of(ks_gate_line *l, size_t point, ks_probe **out, ks_error *error) {
    if (!l->probes[point]) l->probes[point] = ks_probe_new(l->study->kernel_table);
    *out = l->probes[point];
    return *out ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

static ks_status same_services(ks_gate_line *l, size_t point, uint64_t value, bool *is_same,
                               ks_error *error) {
    ks_probe *probe;
    const ks_status status = probe_of(l, point, &probe, error);
    if (status) return status;
    *value_at(l, 1) = value;
    const ks_point a = ks_subject_point(l->subject, point, l->calibrations);
    const ks_point b =
        ks_subject_point(l->subject, point, l->calibrations + l->study->constant_count);
    return ks_probe_same_services(probe, &a, &b, is_same, error);
}

/* Services rise or fall with a constant, so those values that leave all as they are lie together:
 * steps double until one is too far, then halve. */
static ks_status reach_of_services(ks_gate_line *l, size_t point, uint64_t value, bool is_upward,
                                   uint64_t most, uint64_t *reach, ks_error *error) {
    uint64_t good = 0, bad = most + 1;
    for (uint64_t step = 1; good < most && bad > most; step *= 2) {
        const uint64_t next = most - good < step ? most : good + step;
        bool is_same;
        const ks_status status =
            same_services(l, point, is_upward ? value + next : value - next, &is_same, error);
        if (status) return status;
        if (is_same)
            good = next;
        else
            bad = next;
    }
    while (bad - good > 1 && bad <= most) {
        const uint64_t middle = good + (bad - good) / 2;
        bool is_same;
        const ks_status status =
            same_services(l, point, is_upward ? value + middle : value - middle, &is_same, error);
        if (status) return status;
        if (is_same)
            good = middle;
        else
            bad = middle;
    }
    *reach = good;
    return KS_OK;
}

static ks_status reach_of_order(ks_gate_line *l, size_t point, bool is_upward, uint64_t *reach,
                                ks_error *error) {
    ks_probe *probe;
    const int64_t step = is_upward ? 1 : -1;
    const bool is_fixed_cost = constant_of(l) == KS_C_dispatch_fixed_cycles;
    ks_status status = probe_of(l, point, &probe, error);
    const ks_point at = ks_subject_point(l->subject, point, l->calibrations);
    if (!status) status = ks_probe_run(probe, &at, &l->probed[point], error);
    if (status) return status;
    if (!l->probed[point].has_figures) KS_BUG("a point has figures, and has none");
    *reach = ks_probe_reach(probe, is_fixed_cost ? step : 0, is_fixed_cost ? 0 : step);
    return KS_OK;
}

/* Of the sides with its point. */
static bool is_first_side(const ks_gate_line *l, size_t side) {
    const size_t point = ks_subject_side_point(l->subject, l->figure, side);
    for (size_t s = 0; s < side; s++)
        if (l->effects[s] == KS_EFFECT_ORDER &&
            ks_subject_side_point(l->subject, l->figure, s) == point)
            return false;
    return true;
}

/* Ticks that all sides allow, at most `most`. */
static ks_status reach_of(ks_gate_line *l, uint64_t value, bool is_upward, uint64_t most,
                          uint64_t *reach, ks_error *error) {
    ks_status status = KS_OK;
    *reach = l->effect == KS_EFFECT_UNKNOWN ? 0 : most;
    for (size_t s = 0; s < l->side_count && !status && *reach; s++) {
        const size_t point = ks_subject_side_point(l->subject, l->figure, s);
        uint64_t own = *reach;
        if (l->effects[s] == KS_EFFECT_SERVICES)
            status = reach_of_services(l, point, value, is_upward, *reach, &own, error);
        if (l->effects[s] == KS_EFFECT_ORDER && is_first_side(l, s))
            status = reach_of_order(l, point, is_upward, &own, error);
        if (own < *reach) *reach = own;
    }
    return status;
}

/* ---- pieces ---- */

static ks_status ask(ks_gate_line *l, size_t which, ks_exact *values, bool *has_values,
                     ks_error *error) {
    const ks_status status = ks_subject_ask(
        l->subject, l->calibrations + which * l->study->constant_count, 1, l->answers, error);
    if (status) return status;
    *has_values = true;
    free_values(values, l->side_count);
    for (size_t s = 0; s < l->side_count; s++) {
        values[s] = (ks_exact){0};
        *has_values &= ks_subject_side_value(l->subject, 0, l->figure, s, &values[s]);
    }
    return KS_OK;
}

static ks_exact slope_between(const ks_exact *from, const ks_exact *to, int64_t ticks) {
    const ks_exact run = ks_exact_of_u64((uint64_t)(ticks < 0 ? -ticks : ticks));
    ks_exact rise = ticks < 0 ? ks_exact_sub(from, to) : ks_exact_sub(to, from);
    const ks_exact slope = ks_exact_div(&rise, &run);
    ks_exact_free(&rise);
    return slope;
}

/* What the proof says of the slope. False: it says nothing (LINEAR: any slope is right). */
static bool claimed_slope(const ks_gate_line *l, size_t side, ks_exact *slope) {
    const size_t point = ks_subject_side_point(l->subject, l->figure, side);
    const ks_probed *probed = &l->probed[point];
    *slope = (ks_exact){0};
    if (l->effects[side] == KS_EFFECT_LINEAR) return false;
    if (l->effects[side] == KS_EFFECT_ORDER)
        *slope =
            ks_exact_of_ticks(constant_of(l) == KS_C_dispatch_fixed_cycles ? probed->path_segments
                                                                           : probed->path_bytes);
    return true;
}

/* The other end of the piece is asked as well: it says the slope of dispatch costs, and must be
 * what the proof says of all else. */
static ks_status find_slopes(ks_gate_line *l, uint64_t value, uint64_t last, ks_error *error) {
    bool has_values;
    *value_at(l, 1) = last;
    const ks_status status = ask(l, 1, l->last_values, &has_values, error);
    if (status) return status;
    ks_answers_free(l->answers, l->study->figure_count);
    if (!has_values) return KS_FAILED;
    for (size_t s = 0; s < l->side_count; s++) {
        ks_exact claimed;
        ks_exact_free(&l->slopes[s]);
        l->slopes[s] =
            slope_between(&l->values[s], &l->last_values[s], (int64_t)last - (int64_t)value);
        if (claimed_slope(l, s, &claimed) && ks_exact_compare(&claimed, &l->slopes[s]) != 0)
            KS_BUG("a piece that was proved linear is not");
    }
    return KS_OK;
}

static void state_alone(ks_gate_line *l, uint64_t value, ks_piece *piece) {
    *piece = (ks_piece){.last = value, .state = l->answers[l->figure].gate};
    ks_answers_free(l->answers, l->study->figure_count);
}

static ks_status piece_at(void *self, uint64_t value, bool is_upward, ks_piece *piece,
                          ks_error *error) {
    ks_gate_line *l = self;
    bool has_values;
    *value_at(l, 0) = value;
    ks_status status = ask(l, 0, l->values, &has_values, error);
    if (status) return status;
    state_alone(l, value, piece);
    if (!has_values || l->effect == KS_EFFECT_UNKNOWN) return KS_OK;
    uint64_t reach;
    status =
        reach_of(l, value, is_upward, is_upward ? l->high - value : value - l->low, &reach, error);
    if (status || reach == 0) return status;
    const uint64_t last = is_upward ? value + reach : value - reach;
    status = find_slopes(l, value, last, error);
    if (status) return status == KS_FAILED ? KS_OK : status; /* too large to simulate there */
    piece->is_linear = true;
    piece->last = last;
    ks_quotient_at(&l->form.gate, l->values, &piece->num, &piece->den);
    ks_quotient_slope(&l->form.gate, l->slopes, &piece->num_slope, &piece->den_slope);
    return KS_OK;
}

ks_line ks_gate_line_over(ks_gate_line *l, uint64_t low, uint64_t high) {
    l->low = low;
    l->high = high;
    return (ks_line){l,    l->study->figures[l->figure].op, low,
                     high, ks_lattice_step(constant_of(l)), piece_at};
}
