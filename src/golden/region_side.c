#include "golden/region_side.h"

typedef struct side {
    const ks_region_axis *axis;
    const uint64_t *box, *seen;
    size_t first;
    size_t in, out;                     /* steps that were seen: in the box, and not */
    size_t lowest, highest;             /* of those in the box */
    size_t inner_out;                   /* not in the box, between the two */
    bool is_lowest_first, is_last_high; /* nothing that was seen lies beyond */
} side;

static bool has(const uint64_t *set, size_t bit) { return set[bit / 64] >> bit % 64 & 1; }
static bool is_in(const side *s, size_t step) { return has(s->box, s->first + step); }
static bool is_seen(const side *s, size_t step) { return has(s->seen, s->first + step); }

static void measure(side *s) {
    size_t out_below = 0;
    s->lowest = s->axis->count;
    for (size_t i = 0; i < s->axis->count; i++) {
        if (is_in(s, i)) {
            if (s->lowest == s->axis->count) s->lowest = i;
            if (!s->in) s->is_lowest_first = s->out == 0;
            s->highest = i;
            s->in++;
            out_below = s->out;
        } else if (is_seen(s, i)) {
            s->out++;
        }
    }
    s->is_last_high = s->out == out_below;
    size_t inner = 0;
    for (size_t i = s->lowest; i < s->highest; i++) inner += !is_in(s, i) && is_seen(s, i);
    s->inner_out = inner;
}

static void add_list(ks_text *out, const side *s, bool wants_in) {
    const char *joint = " in (";
    ks_text_add_string(out, s->axis->name);
    for (size_t i = 0; i < s->axis->count; i++) {
        if (wants_in ? !is_in(s, i) : is_in(s, i) || !is_seen(s, i)) continue;
        ks_text_add_format(out, "%s%s", joint, s->axis->values[i]);
        joint = ", ";
    }
    ks_text_add_char(out, ')');
}

/* Missing values hold for neither side of a comparison, so `!=` is as good as `not (x in (..))`. */
static void add_all_but(ks_text *out, const side *s) {
    if (s->out > 1) {
        ks_text_add_string(out, "not (");
        add_list(out, s, false);
        ks_text_add_char(out, ')');
        return;
    }
    for (size_t i = 0; i < s->axis->count; i++)
        if (is_seen(s, i) && !is_in(s, i))
            ks_text_add_format(out, "%s != %s", s->axis->name, s->axis->values[i]);
}

static void add_interval(ks_text *out, const side *s) {
    const char *name = s->axis->name;
    if (!s->is_lowest_first) ks_text_add_format(out, "%s >= %s", name, s->axis->values[s->lowest]);
    if (!s->is_lowest_first && !s->is_last_high) ks_text_add_string(out, " and ");
    if (!s->is_last_high) ks_text_add_format(out, "%s <= %s", name, s->axis->values[s->highest]);
}

void ks_region_side_print(ks_text *out, const ks_region_axis *axis, const uint64_t *box,
                          const uint64_t *seen, size_t first) {
    side s = {.axis = axis, .box = box, .seen = seen, .first = first};
    measure(&s);
    if (s.in == 1)
        ks_text_add_format(out, "%s == %s", axis->name, axis->values[s.lowest]);
    else if (axis->is_ordered && s.inner_out == 0)
        add_interval(out, &s);
    else if (s.out < s.in && s.out <= KS_REGION_LISTED)
        add_all_but(out, &s);
    else
        add_list(out, &s, true);
}
