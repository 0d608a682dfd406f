#include "study/line.h"

#include <stdlib.h>
#include <string.h>

const char *ks_gate_state_name(ks_gate_state state) {
    static const char *const names[] = {"fail", "pass", "unknown"};
    return names[state];
}

ks_gate_state ks_gate_compared(const char *op, int order) {
    static const struct {
        const char *op;
        bool holds[3]; /* by order + 1 */
    } table[] = {{"==", {0, 1, 0}}, {"!=", {1, 0, 1}}, {"<", {1, 0, 0}},
                 {"<=", {1, 1, 0}}, {">", {0, 0, 1}},  {">=", {0, 1, 1}}};
    size_t i = 0;
    while (strcmp(table[i].op, op) != 0) i++;
    return table[i].holds[order + 1] ? KS_GATE_HOLDS : KS_GATE_FAILS;
}

void ks_piece_free(ks_piece *piece) {
    ks_exact_free(&piece->num);
    ks_exact_free(&piece->den);
    ks_exact_free(&piece->num_slope);
    ks_exact_free(&piece->den_slope);
}

void ks_flips_free(ks_flips *flips) {
    for (size_t i = 0; i < flips->count; i++) ks_exact_free(&flips->items[i].root);
    free(flips->items);
    *flips = (ks_flips){0};
}

/* ---- the list ---- */

static ks_flip *add_flip(ks_flips *flips, const ks_flip *flip) {
    if (flips->count == flips->room) {
        const size_t room = flips->room ? 2 * flips->room : 8;
        ks_flip *items = realloc(flips->items, room * sizeof *items);
        if (!items) return NULL;
        flips->items = items;
        flips->room = room;
    }
    flips->items[flips->count] = *flip;
    return &flips->items[flips->count++];
}

static int compare_flips(const void *a, const void *b) {
    const ks_flip *x = a, *y = b;
    return (x->below > y->below) - (x->below < y->below);
}

static void sort(ks_flips *flips) {
    if (flips->count) qsort(flips->items, flips->count, sizeof *flips->items, compare_flips);
}

/* ---- one piece ---- */

typedef struct walk {
    const ks_line *line;
    bool is_upward;
    ks_flips *flips;
    bool has_last; /* the piece before: its last value and the answer there */
    uint64_t last;
    ks_gate_state last_state;
} walk;

/* Ticks from `value` in the direction of the walk. */
static uint64_t moved(const walk *w, uint64_t value, uint64_t ticks) {
    return w->is_upward ? value + ticks : value - ticks;
}

static ks_exact linear_at(const ks_exact *at_0, const ks_exact *slope, uint64_t ticks) {
    const ks_exact run = ks_exact_of_u64(ticks);
    ks_exact rise = ks_exact_mul(slope, &run);
    const ks_exact value = ks_exact_add(at_0, &rise);
    ks_exact_free(&rise);
    return value;
}

/* The piece's slopes are those of the walk's direction here. */
static ks_gate_state state_at(const walk *w, const ks_piece *piece, uint64_t ticks) {
    if (!piece->is_linear) return piece->state;
    ks_exact num = linear_at(&piece->num, &piece->num_slope, ticks);
    ks_exact den = linear_at(&piece->den, &piece->den_slope, ticks);
    const int below = ks_exact_sign(&den), above = ks_exact_sign(&num);
    ks_exact_free(&num);
    ks_exact_free(&den);
    return below == 0 ? KS_GATE_UNKNOWN : ks_gate_compared(w->line->op, above * below);
}

static void turn(ks_exact *value) {
    const ks_exact zero = {0};
    const ks_exact turned = ks_exact_sub(&zero, value);
    ks_exact_free(value);
    *value = turned;
}

/* Where at_0 + slope t is 0; false: nowhere, or all along. */
static bool root_of(const ks_exact *at_0, const ks_exact *slope, ks_exact *root) {
    if (ks_exact_sign(slope) == 0) return false;
    ks_exact quotient = ks_exact_div(at_0, slope);
    turn(&quotient);
    *root = quotient;
    return true;
}

/* `root` in ticks from `value`: as a value of the constant. */
static ks_exact unit_of(const walk *w, uint64_t value, const ks_exact *root) {
    const ks_exact from = ks_exact_of_ticks(value), unit = ks_exact_of_ticks(1);
    ks_exact way = ks_exact_mul(root, &unit);
    const ks_exact at = w->is_upward ? ks_exact_add(&from, &way) : ks_exact_sub(&from, &way);
    ks_exact_free(&way);
    return at;
}

static bool note_flip(walk *w, uint64_t a, uint64_t b, ks_gate_state state_a, ks_gate_state state_b,
                      const ks_exact *root) {
    ks_flip flip = {a, b, state_a, state_b, root != NULL, {0}};
    if (!w->is_upward) flip = (ks_flip){b, a, state_b, state_a, root != NULL, {0}};
    if (root) flip.root = ks_exact_copy(root);
    return add_flip(w->flips, &flip) != NULL;
}

/* Between neighbours there is no value, so a change between values of the piece is at one of its
 * roots: look at the values on both sides of each. */
static bool look_at_root(walk *w, const ks_piece *piece, uint64_t value, uint64_t span,
                         const ks_exact *root) {
    uint64_t floor;
    if (!ks_exact_floor(root, &floor) || floor > span) return true;
    ks_exact at = unit_of(w, value, root);
    const uint64_t first = floor ? floor - 1 : 0, last = floor < span ? floor + 1 : span;
    bool is_noted = true;
    for (uint64_t t = first; t < last && is_noted; t++) {
        const ks_gate_state a = state_at(w, piece, t), b = state_at(w, piece, t + 1);
        const ks_exact t0 = ks_exact_of_u64(t), t1 = ks_exact_of_u64(t + 1);
        const bool is_here = ks_exact_compare(root, &t0) >= 0 && ks_exact_compare(root, &t1) <= 0;
        if (a != b && is_here)
            is_noted = note_flip(w, moved(w, value, t), moved(w, value, t + 1), a, b, &at);
    }
    ks_exact_free(&at);
    return is_noted;
}

static bool look_inside(walk *w, ks_piece *piece, uint64_t value) {
    const uint64_t span = w->is_upward ? piece->last - value : value - piece->last;
    ks_exact num_root = {0}, den_root = {0};
    if (!piece->is_linear || span == 0) return true;
    const bool has_num = root_of(&piece->num, &piece->num_slope, &num_root);
    const bool has_den = root_of(&piece->den, &piece->den_slope, &den_root);
    const bool is_one = has_num && has_den && ks_exact_compare(&num_root, &den_root) == 0;
    bool is_noted = !has_num || look_at_root(w, piece, value, span, &num_root);
    if (is_noted && has_den && !is_one) is_noted = look_at_root(w, piece, value, span, &den_root);
    ks_exact_free(&num_root);
    ks_exact_free(&den_root);
    return is_noted;
}

static bool take_piece(walk *w, ks_piece *piece, uint64_t value) {
    if (!w->is_upward && piece->is_linear) {
        turn(&piece->num_slope);
        turn(&piece->den_slope);
    }
    const ks_gate_state state = state_at(w, piece, 0);
    if (w->has_last && w->last_state != state &&
        !note_flip(w, w->last, value, w->last_state, state, NULL))
        return false;
    const uint64_t span = w->is_upward ? piece->last - value : value - piece->last;
    w->has_last = true;
    w->last = piece->last;
    w->last_state = state_at(w, piece, span);
    return look_inside(w, piece, value);
}

/* ---- the walk ---- */

static bool is_over(const walk *w, uint64_t value) {
    return w->is_upward ? w->line->high - value < w->line->step
                        : value - w->line->low < w->line->step;
}

/* From where it stands: the base, or behind the last piece. */
static ks_status walk_on(walk *w, uint64_t base, uint64_t budget, uint64_t *reached,
                         ks_error *error) {
    for (uint64_t taken = 0; taken < budget; taken++) {
        if (w->has_last && is_over(w, w->last)) return KS_OK;
        const uint64_t value = w->has_last ? moved(w, w->last, w->line->step) : base;
        ks_piece piece = {0};
        ks_status status = w->line->at(w->line->self, value, w->is_upward, &piece, error);
        if (!status && !take_piece(w, &piece, value))
            status = ks_fail(error, KS_NO_MEMORY, "out of memory");
        ks_piece_free(&piece);
        if (status) return status;
        w->flips->pieces++;
        *reached = w->last;
    }
    return KS_OK;
}

/* A value that is a root and the base of both ways is seen from both. */
static void drop_doubles(ks_flips *flips) {
    size_t kept = 0;
    for (size_t i = 0; i < flips->count; i++) {
        if (kept && flips->items[kept - 1].below == flips->items[i].below) {
            ks_exact_free(&flips->items[i].root);
            continue;
        }
        flips->items[kept++] = flips->items[i];
    }
    flips->count = kept;
}

ks_status ks_line_walk(const ks_line *line, uint64_t base, uint64_t budget, ks_flips *out,
                       ks_error *error) {
    *out = (ks_flips){.from = base, .to = base};
    walk up = {.line = line, .is_upward = true, .flips = out};
    walk down = {.line = line, .flips = out};
    ks_status status = walk_on(&up, base, budget - budget / 2, &out->to, error);
    if (!status) status = walk_on(&down, base, budget - out->pieces, &out->from, error);
    if (!status) status = walk_on(&up, base, budget - out->pieces, &out->to, error);
    sort(out);
    drop_doubles(out);
    return status;
}

/* ---- beyond the budget ---- */

typedef struct probe {
    uint64_t value;
    ks_gate_state state;
} probe;

static ks_status ask(const ks_line *line, uint64_t value, ks_gate_state *state, ks_error *error) {
    walk w = {.line = line, .is_upward = true};
    ks_piece piece = {0};
    const ks_status status = line->at(line->self, value, true, &piece, error);
    if (!status) *state = state_at(&w, &piece, 0);
    ks_piece_free(&piece);
    return status;
}

static ks_status bisect(const ks_line *line, probe a, probe b, ks_flips *flips, ks_error *error) {
    while ((b.value - a.value) / line->step > 1) {
        probe middle = {a.value + (b.value - a.value) / line->step / 2 * line->step,
                        KS_GATE_UNKNOWN};
        const ks_status status = ask(line, middle.value, &middle.state, error);
        if (status) return status;
        if (middle.state == a.state)
            a = middle;
        else
            b = middle;
    }
    const ks_flip flip = {a.value, b.value, a.state, b.state, false, {0}};
    return add_flip(flips, &flip) ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

static ks_status sample_part(const ks_line *line, uint64_t from, uint64_t to, uint64_t count,
                             ks_flips *flips, ks_error *error) {
    const uint64_t steps = (to - from) / line->step;
    if (steps == 0) return KS_OK;
    if (count > steps) count = steps;
    probe last = {from, KS_GATE_UNKNOWN};
    ks_status status = ask(line, from, &last.state, error);
    for (uint64_t i = 1; i <= count && !status; i++) {
        const uint64_t at = (uint64_t)((unsigned __int128)steps * i / count);
        probe next = {from + at * line->step, KS_GATE_UNKNOWN};
        status = ask(line, next.value, &next.state, error);
        if (!status && next.state != last.state) status = bisect(line, last, next, flips, error);
        last = next;
    }
    return status;
}

ks_status ks_line_sample(const ks_line *line, uint64_t count, ks_flips *flips, ks_error *error) {
    ks_status status = sample_part(line, line->low, flips->from, count / 2, flips, error);
    if (!status) status = sample_part(line, flips->to, line->high, count / 2, flips, error);
    sort(flips);
    return status;
}
