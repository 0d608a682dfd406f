#include "golden/region.h"

#include <stdlib.h>
#include <string.h>

#include "golden/region_side.h"

enum { SPLIT_STEPS = 12, PARTS = 3 };

/* Steps of all axes, one bit each: axis a's lie from first[a], the last of them for NO_STEP. */
typedef uint64_t word;

/* The set cut along one axis: a box for each of its steps. */
typedef struct split {
    size_t axis;
    word *boxes[SPLIT_STEPS + 1]; /* by step, NO_STEP last; NULL: no point there */
    uint64_t inside;
} split;

struct ks_region {
    const ks_region_axes *axes;
    size_t *first, bits, words;
    word *box, *seen;
    uint64_t size, inside;
    split *splits;
    size_t split_count;
    bool has_failed; /* memory: no splits then */
    bool is_settled; /* boxes are what is printed */
};

static size_t bit_of(const ks_region *r, size_t axis, uint32_t step) {
    return r->first[axis] + (step == KS_REGION_NO_STEP ? r->axes->axes[axis].count : step);
}

static bool has(const word *set, size_t bit) { return set[bit / 64] >> bit % 64 & 1; }
static void put(word *set, size_t bit) { set[bit / 64] |= (word)1 << bit % 64; }

ks_region *ks_region_new(const ks_region_axes *axes) {
    ks_region *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->axes = axes;
    r->first = calloc(axes->count + 1, sizeof *r->first);
    r->splits = calloc(axes->count + 1, sizeof *r->splits);
    for (size_t a = 0; r->first && a < axes->count; a++) {
        r->first[a] = r->bits;
        r->bits += axes->axes[a].count + 1;
    }
    r->words = r->bits / 64 + 1;
    r->box = calloc(r->words, sizeof(word));
    r->seen = calloc(r->words, sizeof(word));
    for (size_t a = 0; r->splits && a < axes->count; a++)
        if (axes->axes[a].count > 1 && axes->axes[a].count <= SPLIT_STEPS)
            r->splits[r->split_count++].axis = a;
    if (r->first && r->splits && r->box && r->seen) return r;
    ks_region_free(r);
    return NULL;
}

void ks_region_free(ks_region *r) {
    if (!r) return;
    for (size_t s = 0; r->splits && s < r->split_count; s++)
        for (size_t i = 0; i <= SPLIT_STEPS; i++) free(r->splits[s].boxes[i]);
    free(r->splits);
    free(r->first);
    free(r->box);
    free(r->seen);
    free(r);
}

uint64_t ks_region_size(const ks_region *r) { return r->size; }

/* ---- the set ---- */

static size_t part_of(const ks_region *r, const split *s, uint32_t step) {
    return step == KS_REGION_NO_STEP ? r->axes->axes[s->axis].count : step;
}

static word *box_of(ks_region *r, split *s, size_t part) {
    if (!s->boxes[part]) s->boxes[part] = calloc(r->words, sizeof(word));
    if (!s->boxes[part]) r->has_failed = true;
    return s->boxes[part];
}

static void put_all(const ks_region *r, word *set, const uint32_t *steps) {
    for (size_t a = 0; set && a < r->axes->count; a++) put(set, bit_of(r, a, steps[a]));
}

void ks_region_add(ks_region *r, const uint32_t *steps) {
    r->size++;
    put_all(r, r->box, steps);
    for (size_t s = 0; s < r->split_count; s++)
        put_all(r, box_of(r, &r->splits[s], part_of(r, &r->splits[s], steps[r->splits[s].axis])),
                steps);
}

static void join(const ks_region *r, word *set, const word *from) {
    for (size_t i = 0; set && i < r->words; i++) set[i] |= from[i];
}

void ks_region_join(ks_region *r, const ks_region *from) {
    r->size += from->size;
    r->has_failed |= from->has_failed;
    join(r, r->box, from->box);
    for (size_t s = 0; s < r->split_count; s++)
        for (size_t i = 0; i <= SPLIT_STEPS; i++)
            if (from->splits[s].boxes[i])
                join(r, box_of(r, &r->splits[s], i), from->splits[s].boxes[i]);
}

/* ---- all points ---- */

void ks_region_see(ks_region *r, const uint32_t *steps) { put_all(r, r->seen, steps); }

/* Fills the steps that a condition on the axis would not tell apart, so that the box is what is
 * printed: all of them when it has a point without a step there or every step that any point has,
 * or when its steps are too many to list and in no order; those between them when in order. */
static void widen_axis(const ks_region *r, word *box, size_t axis) {
    const ks_region_axis *a = &r->axes->axes[axis];
    const size_t first = r->first[axis], none = first + a->count;
    size_t in = 0, out = 0, lowest = none, highest = first;
    for (size_t bit = first; bit < none; bit++) {
        in += has(box, bit);
        out += has(r->seen, bit) && !has(box, bit);
        if (has(box, bit) && lowest == none) lowest = bit;
        if (has(box, bit)) highest = bit;
    }
    const bool is_long = in > KS_REGION_LISTED && out > KS_REGION_LISTED;
    if (has(box, none) || out == 0 || (is_long && !a->is_ordered)) {
        for (size_t bit = first; bit <= none; bit++) put(box, bit);
    } else if (is_long) {
        for (size_t bit = lowest; bit <= highest; bit++) put(box, bit);
    }
}

static void widen(const ks_region *r, word *box) {
    for (size_t a = 0; box && a < r->axes->count; a++) widen_axis(r, box, a);
}

static void settle(ks_region *r) {
    if (r->is_settled) return;
    r->is_settled = true;
    widen(r, r->box);
    for (size_t s = 0; s < r->split_count; s++)
        for (size_t i = 0; i <= SPLIT_STEPS; i++) widen(r, r->splits[s].boxes[i]);
}

static bool is_inside(const ks_region *r, const word *box, const uint32_t *steps) {
    for (size_t a = 0; a < r->axes->count; a++)
        if (!has(box, bit_of(r, a, steps[a]))) return false;
    return true;
}

static bool is_inside_split(const ks_region *r, const split *s, const uint32_t *steps) {
    const word *box = s->boxes[part_of(r, s, steps[s->axis])];
    return box && is_inside(r, box, steps);
}

void ks_region_look(ks_region *r, const uint32_t *steps) {
    settle(r);
    r->inside += is_inside(r, r->box, steps);
    for (size_t s = 0; s < r->split_count; s++)
        r->splits[s].inside += is_inside_split(r, &r->splits[s], steps);
}

/* ---- in words ---- */

static bool asks(const ks_region *r, const word *box, size_t axis) {
    for (size_t i = 0; i < r->axes->axes[axis].count; i++)
        if (has(r->seen, r->first[axis] + i) && !has(box, r->first[axis] + i)) return true;
    return false;
}

/* The conditions of the box on axes that `skipped` (by axis; NULL: none) has not. */
static void print_box(ks_text *out, const ks_region *r, const word *box, const bool *skipped) {
    const char *joint = "";
    for (size_t a = 0; a < r->axes->count; a++) {
        if ((skipped && skipped[a]) || !asks(r, box, a)) continue;
        ks_text_add_string(out, joint);
        ks_region_side_print(out, &r->axes->axes[a], box, r->seen, r->first[a]);
        joint = " and ";
    }
}

static bool is_same_on(const ks_region *r, const word *a, const word *b, size_t axis) {
    for (size_t i = 0; i <= r->axes->axes[axis].count; i++)
        if (has(a, r->first[axis] + i) != has(b, r->first[axis] + i)) return false;
    return true;
}

/* Steps of the split axis with the same box but for that axis become one box. false: too many. */
static bool merge_parts(const ks_region *r, const split *s, word *parts[PARTS], size_t *count) {
    const size_t steps = r->axes->axes[s->axis].count;
    *count = 0;
    if (s->boxes[steps]) return false;
    for (size_t i = 0; i < steps; i++) {
        if (!s->boxes[i]) continue;
        size_t at = 0;
        for (; at < *count; at++) {
            bool is_same = true;
            for (size_t a = 0; a < r->axes->count && is_same; a++)
                is_same = a == s->axis || is_same_on(r, parts[at], s->boxes[i], a);
            if (is_same) break;
        }
        if (at == PARTS) return false;
        if (at == *count) {
            memset(parts[at], 0, r->words * sizeof(word));
            (*count)++;
        }
        join(r, parts[at], s->boxes[i]);
    }
    return true;
}

/* What all parts ask stands in front. */
static void print_parts(ks_text *out, const ks_region *r, word *const parts[PARTS], size_t count,
                        bool *is_common) {
    bool is_any = false;
    for (size_t a = 0; a < r->axes->count; a++) {
        is_common[a] = true;
        for (size_t i = 1; i < count; i++) is_common[a] &= is_same_on(r, parts[0], parts[i], a);
        is_any |= is_common[a] && asks(r, parts[0], a);
    }
    if (is_any) {
        for (size_t a = 0; a < r->axes->count; a++) is_common[a] = !is_common[a];
        print_box(out, r, parts[0], is_common);
        for (size_t a = 0; a < r->axes->count; a++) is_common[a] = !is_common[a];
        ks_text_add_string(out, " and (");
    }
    for (size_t i = 0; i < count; i++) {
        ks_text_add_string(out, i ? " or (" : "(");
        print_box(out, r, parts[i], is_common);
        ks_text_add_char(out, ')');
    }
    if (is_any) ks_text_add_char(out, ')');
}

static bool print_split(ks_text *out, const ks_region *r, size_t wanted_parts) {
    word *parts[PARTS];
    bool *is_common = calloc(r->axes->count + 1, sizeof *is_common);
    bool is_fine = is_common != NULL, is_printed = false;
    for (size_t i = 0; i < PARTS; i++)
        is_fine &= (parts[i] = calloc(r->words, sizeof(word))) != NULL;
    for (size_t s = 0; is_fine && s < r->split_count && !is_printed; s++) {
        size_t count;
        if (r->splits[s].inside != r->size || !merge_parts(r, &r->splits[s], parts, &count) ||
            count != wanted_parts)
            continue;
        print_parts(out, r, parts, count, is_common);
        is_printed = true;
    }
    for (size_t i = 0; i < PARTS; i++) free(parts[i]);
    free(is_common);
    return is_printed;
}

void ks_region_print(ks_text *out, const ks_region *r, uint64_t *inside) {
    *inside = r->size;
    if (r->inside != r->size && !r->has_failed)
        for (size_t parts = 2; parts <= PARTS; parts++)
            if (print_split(out, r, parts)) return;
    *inside = r->inside;
    print_box(out, r, r->box, NULL);
}
