#include "study/prover_parts.h"

#include <stdlib.h>
#include <string.h>

#include "study/lattice.h"

/* A part of the box that is still to be looked at, with its share of the box. */
typedef struct part {
    ks_box box;
    double share;
} part;

typedef struct parts {
    part *items; /* a stack */
    size_t count, room;
} parts;

static bool push(parts *stack, const ks_box *box, double share) {
    if (stack->count == stack->room) {
        const size_t room = stack->room ? 2 * stack->room : 64;
        part *items = realloc(stack->items, room * sizeof *items);
        if (!items) return false;
        stack->items = items;
        stack->room = room;
    }
    stack->items[stack->count++] = (part){*box, share};
    return true;
}

/* Two parts: up to `last` of constant k, and the rest. */
static bool split_after(const ks_prover *p, parts *stack, const part *of, size_t k, uint64_t last) {
    const ks_constant constant = p->study->constants[k].constant;
    const double all = (double)ks_lattice_count(constant, of->box.low[k], of->box.high[k]);
    const double first = (double)ks_lattice_count(constant, of->box.low[k], last);
    ks_box low = of->box, high = of->box;
    low.high[k] = last;
    high.low[k] = last + ks_lattice_step(constant);
    return push(stack, &high, of->share * (all - first) / all) &&
           push(stack, &low, of->share * first / all);
}

static uint64_t middle_of(const ks_prover *p, const ks_box *box, size_t k) {
    const uint64_t step = ks_lattice_step(p->study->constants[k].constant);
    return box->low[k] + (box->high[k] - box->low[k]) / step / 2 * step;
}

static bool is_wide(const ks_box *box, size_t k) { return box->low[k] < box->high[k]; }

/* The widest of the constants with that effect, relative to its base; the count of them: none. */
static size_t widest(const ks_prover *p, const ks_box *box, ks_effect effect) {
    size_t best = p->study->constant_count;
    double most = 0;
    for (size_t k = 0; k < p->study->constant_count; k++) {
        if (p->effects[k] != effect || !is_wide(box, k)) continue;
        const double width =
            (double)(box->high[k] - box->low[k]) / (double)(p->study->constants[k].base + 1);
        if (width > most) {
            most = width;
            best = k;
        }
    }
    return best;
}

/* ---- services ---- */

static ks_status probe_of(ks_prover *p, size_t point, ks_probe **out, ks_error *error) {
    if (!p->probes[point]) p->probes[point] = ks_probe_new(p->study->kernel_table);
    *out = p->probes[point];
    return *out ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

/* Of every point of the figure, between two calibrations. */
static ks_status are_same(ks_prover *p, const uint64_t *a, const uint64_t *b, bool *is_same,
                          ks_error *error) {
    *is_same = true;
    for (size_t s = 0; s < ks_subject_side_count(p->subject, p->figure) && *is_same; s++) {
        const size_t index = ks_subject_side_point(p->subject, p->figure, s);
        ks_probe *probe;
        ks_status status = probe_of(p, index, &probe, error);
        const ks_point x = ks_subject_point(p->subject, index, a),
                       y = ks_subject_point(p->subject, index, b);
        if (!status) status = ks_probe_same_services(probe, &x, &y, is_same, error);
        if (status) return status;
    }
    return KS_OK;
}

/* The last value of constant k, others at their low ends, with the services of its low end. */
static ks_status last_same(ks_prover *p, const ks_box *box, size_t k, uint64_t *last,
                           ks_error *error) {
    uint64_t good = box->low[k], bad = box->high[k] + 1, moved[KS_CONSTANT_COUNT];
    memcpy(moved, box->low, sizeof moved);
    while (bad - good > 1) {
        const uint64_t middle = good + (bad - good) / 2;
        bool is_same;
        moved[k] = middle;
        const ks_status status = are_same(p, box->low, moved, &is_same, error);
        if (status) return status;
        if (is_same)
            good = middle;
        else
            bad = middle;
    }
    *last = good;
    return KS_OK;
}

typedef enum look {
    LOOK_GO_ON,  /* nothing stands against what comes next */
    LOOK_DIVIDED /* the part was split, or answered */
} look;

/* A work's service hangs on constants of one direction only (all of its engine's latencies, start-ups
 * and weights lengthen it, a rate shortens it and stands alone), so it is the same all over where
 * it is at the two far corners. */
static ks_status look_at_services(ks_prover *p, parts *stack, part *of, look *out,
                                  ks_error *error) {
    uint64_t far[KS_CONSTANT_COUNT];
    bool is_same = true;
    *out = LOOK_GO_ON;
    memcpy(far, of->box.low, sizeof far);
    for (size_t k = 0; k < p->study->constant_count; k++)
        if (p->effects[k] == KS_EFFECT_SERVICES) far[k] = of->box.high[k];
    if (widest(p, &of->box, KS_EFFECT_SERVICES) == p->study->constant_count) return KS_OK;
    ks_status status = are_same(p, of->box.low, far, &is_same, error);
    if (status) return status;
    if (is_same) {
        memcpy(of->box.high, far, sizeof far);
        for (size_t k = 0; k < p->study->constant_count; k++)
            if (p->effects[k] == KS_EFFECT_SERVICES) of->box.high[k] = of->box.low[k];
        return KS_OK;
    }
    *out = LOOK_DIVIDED;
    for (size_t k = 0; k < p->study->constant_count; k++) {
        if (p->effects[k] != KS_EFFECT_SERVICES || !is_wide(&of->box, k)) continue;
        uint64_t last;
        status = last_same(p, &of->box, k, &last, error);
        if (status) return status;
        if (last == of->box.high[k]) continue;
        return split_after(p, stack, of, k, last) ? KS_OK
                                                  : ks_fail(error, KS_NO_MEMORY, "out of memory");
    }
    const size_t k = widest(p, &of->box, KS_EFFECT_SERVICES);
    return split_after(p, stack, of, k, middle_of(p, &of->box, k))
               ? KS_OK
               : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

/* ---- the order of instants ---- */

bool ks_prover_has_order(const ks_prover *p, size_t side) {
    return (ks_column)ks_subject_side_column(p->subject, p->figure, side) == KS_COL_total_cycles;
}

static ks_dispatch_box dispatch_box(const ks_prover *p, const ks_box *box, const ks_point *point,
                                    size_t index) {
    const ks_calibration *c = &point->calibration;
    const uint64_t fixed = ks_ticks_of(c, KS_C_dispatch_fixed_cycles),
                   byte = ks_ticks_of(c, KS_C_dispatch_cycles_per_byte);
    ks_dispatch_box out = {fixed, fixed, byte, byte};
    if (p->fixed < p->study->constant_count &&
        !ks_subject_is_fixed(p->subject, index, KS_C_dispatch_fixed_cycles))
        out.fixed_high = box->high[p->fixed];
    if (p->byte < p->study->constant_count &&
        !ks_subject_is_fixed(p->subject, index, KS_C_dispatch_cycles_per_byte))
        out.byte_high = box->high[p->byte];
    return out;
}

/* Along one dispatch constant: where the order first changes. */
static uint64_t reach_along(const ks_prover *p, size_t k) {
    uint64_t reach = UINT64_MAX;
    for (size_t i = 0; i < ks_subject_point_count(p->subject); i++) {
        if (!p->probed[i].has_figures) continue;
        const uint64_t own = ks_probe_reach(p->probes[i], k == p->fixed, k == p->byte);
        if (own < reach) reach = own;
    }
    return reach;
}

/* The constant whose width moves the ends further. */
static size_t longer_way(const ks_prover *p, const ks_box *box) {
    const size_t none = p->study->constant_count;
    const bool has_fixed = p->fixed < none && is_wide(box, p->fixed),
               has_byte = p->byte < none && is_wide(box, p->byte);
    double segments = 1, bytes = 1;
    if (!has_fixed || !has_byte) return has_fixed ? p->fixed : has_byte ? p->byte : none;
    for (size_t i = 0; i < ks_subject_point_count(p->subject); i++) {
        segments += (double)p->probed[i].path_segments;
        bytes += (double)p->probed[i].path_bytes;
    }
    return segments * (double)(box->high[p->fixed] - box->low[p->fixed]) >=
                   bytes * (double)(box->high[p->byte] - box->low[p->byte])
               ? p->fixed
               : p->byte;
}

static ks_status split_order(ks_prover *p, parts *stack, const part *of, ks_error *error) {
    const size_t k = longer_way(p, &of->box), none = p->study->constant_count;
    const bool is_line = (p->fixed == none || !is_wide(&of->box, p->fixed)) ||
                         (p->byte == none || !is_wide(&of->box, p->byte));
    const uint64_t reach = is_line ? reach_along(p, k) : 0;
    const uint64_t width = of->box.high[k] - of->box.low[k];
    const uint64_t last =
        is_line ? of->box.low[k] + (reach < width ? reach : width / 2) : middle_of(p, &of->box, k);
    return split_after(p, stack, of, k, last) ? KS_OK
                                              : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

static ks_status look_at_order(ks_prover *p, parts *stack, const part *of, look *out,
                               ks_error *error) {
    bool holds = true;
    *out = LOOK_GO_ON;
    for (size_t i = 0; i < ks_subject_point_count(p->subject); i++)
        p->probed[i] = (ks_probed){.has_figures = false};
    if (longer_way(p, &of->box) == p->study->constant_count) return KS_OK;
    for (size_t s = 0; s < ks_subject_side_count(p->subject, p->figure); s++) {
        const size_t index = ks_subject_side_point(p->subject, p->figure, s);
        ks_probe *probe;
        if (!ks_prover_has_order(p, s) || p->probed[index].has_figures) continue;
        const ks_point point = ks_subject_point(p->subject, index, of->box.low);
        ks_status status = probe_of(p, index, &probe, error);
        if (!status) status = ks_probe_run(probe, &point, &p->probed[index], error);
        if (status) return status;
        if (!p->probed[index].has_figures) break; /* its corners will say so */
        const ks_dispatch_box box = dispatch_box(p, &of->box, &point, index);
        holds &= ks_probe_holds(probe, &box);
    }
    if (holds) return KS_OK;
    *out = LOOK_DIVIDED;
    return split_order(p, stack, of, error);
}

/* ---- answers ---- */

static void add_share(ks_prover *p, ks_gate_state state, double share) {
    if (state == KS_GATE_HOLDS) p->proof->passed_share += share;
    if (state == KS_GATE_FAILS) p->proof->failed_share += share;
}

static ks_status look_at_corners(ks_prover *p, parts *stack, const part *of, ks_error *error) {
    ks_gate_state state;
    ks_status status = ks_prover_ask_corners(p, &of->box, KS_PART_CORNERS, error);
    if (status) return status;
    const bool is_one = ks_prover_is_answered(p, &state);
    ks_answers_free(p->answers, KS_PART_CORNERS * p->study->figure_count);
    const size_t k = longer_way(p, &of->box);
    if (is_one) {
        add_share(p, state, of->share);
        return KS_OK;
    }
    if (k == p->study->constant_count) return KS_OK; /* no answer there: a witness says so */
    return split_after(p, stack, of, k, middle_of(p, &of->box, k))
               ? KS_OK
               : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

/* ---- all parts ---- */

/* Every value of a constant that is not understood is a part of its own. */
static ks_status look_at_values(ks_prover *p, parts *stack, const part *of, look *out,
                                ks_error *error) {
    const size_t k = widest(p, &of->box, KS_EFFECT_UNKNOWN);
    *out = k < p->study->constant_count ? LOOK_DIVIDED : LOOK_GO_ON;
    if (*out == LOOK_GO_ON || split_after(p, stack, of, k, middle_of(p, &of->box, k))) return KS_OK;
    return ks_fail(error, KS_NO_MEMORY, "out of memory");
}

/* A figure of no known form: one calibration, one answer. */
static ks_status look_at_one(ks_prover *p, const part *of, ks_error *error) {
    const ks_status status = ks_prover_ask_corners(p, &of->box, 1, error);
    if (status) return status;
    add_share(p, p->answers[p->figure].gate, of->share);
    ks_answers_free(p->answers, p->study->figure_count);
    return KS_OK;
}

static ks_status look_at(ks_prover *p, parts *stack, part *of, ks_error *error) {
    look found;
    ks_status status = look_at_values(p, stack, of, &found, error);
    if (status || found == LOOK_DIVIDED) return status;
    if (!p->form.is_quotient) return look_at_one(p, of, error);
    status = look_at_services(p, stack, of, &found, error);
    if (status || found == LOOK_DIVIDED) return status;
    status = look_at_order(p, stack, of, &found, error);
    if (status || found == LOOK_DIVIDED) return status;
    return look_at_corners(p, stack, of, error);
}

/* At least so many parts there will be; no use in beginning where the budget is less. */
static ks_status least_parts(ks_prover *p, const ks_box *box, double *count, ks_error *error) {
    *count = 1;
    for (size_t k = 0; k < p->study->constant_count && *count <= (double)p->budget; k++) {
        const ks_constant constant = p->study->constants[k].constant;
        ks_box rest = *box;
        double own = 1;
        if (p->effects[k] == KS_EFFECT_UNKNOWN)
            own = (double)ks_lattice_count(constant, box->low[k], box->high[k]);
        while (p->effects[k] == KS_EFFECT_SERVICES && own <= (double)p->budget) {
            uint64_t last;
            const ks_status status = last_same(p, &rest, k, &last, error);
            if (status) return status;
            if (last == rest.high[k]) break;
            rest.low[k] = last + 1;
            own++;
        }
        *count *= own;
    }
    return KS_OK;
}

static bool is_over(const ks_prover *p) {
    const bool *has = p->proof->has_witness;
    return (has[KS_GATE_HOLDS] && has[KS_GATE_FAILS]) || has[KS_GATE_UNKNOWN];
}

ks_status ks_prover_divide(ks_prover *p, const ks_box *box, bool *is_proved, ks_error *error) {
    parts stack = {0};
    ks_box first = *box;
    double count;
    *is_proved = false;
    for (size_t k = 0; k < p->study->constant_count; k++)
        if (p->effects[k] == KS_EFFECT_NONE) first.high[k] = first.low[k];
    ks_status status = least_parts(p, &first, &count, error);
    if (status || count > (double)p->budget) return status;
    if (!push(&stack, &first, 1)) status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    while (!status && stack.count && p->proof->visits < p->budget && !is_over(p)) {
        part next = stack.items[--stack.count];
        p->proof->visits++;
        status = look_at(p, &stack, &next, error);
    }
    *is_proved = !status && stack.count == 0 && !is_over(p);
    free(stack.items);
    return status;
}
