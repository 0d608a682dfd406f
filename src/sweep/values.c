#include "sweep/values.h"

#include <string.h>

#include "sweep/quote.h"

typedef struct maker {
    ks_name name;
    const ks_kernel_table *kernels;
    ks_arena *arena;
    ks_error *error;
} maker;

static ks_status no_memory(const maker *m) {
    return ks_fail(m->error, KS_NO_MEMORY, "out of memory");
}

static ks_status expected(const maker *m, const ks_tree *node, const char *what) {
    char found[KS_QUOTE_MAX];
    return ks_place_fail(m->error, &node->place, "found %s for %s, expected %s",
                         ks_tree_found(found, node), ks_name_text(m->name), what);
}

static ks_status read_scalar(const maker *m, const ks_tree *node, uint64_t *value) {
    ks_error why;
    if (node->kind != KS_TREE_SCALAR) return expected(m, node, "a value");
    const ks_status status =
        ks_value_parse(m->name, m->kernels, node->text, node->length, value, &why);
    return status ? ks_place_fail(m->error, &node->place, "%s", why.text) : KS_OK;
}

static ks_status read_list(const maker *m, const ks_tree *node, ks_values *out) {
    if (node->count == 0)
        return ks_place_fail(m->error, &node->place, "found an empty list for %s, expected a value",
                             ks_name_text(m->name));
    uint64_t *items = ks_arena_take(m->arena, node->count, sizeof *items);
    if (!items) return no_memory(m);
    *out = (ks_values){items, (uint32_t)node->count};
    for (const ks_tree *item = node->first; item; item = item->next) {
        const ks_status status = read_scalar(m, item, items++);
        if (status) return status;
    }
    return KS_OK;
}

/* Values are counted in the smallest step that the name can take: of a whole constant 10,000 ticks. */
static uint64_t unit_of(const maker *m) {
    return m->name >= KS_NAME_CONSTANTS && ks_name_is_whole(m->name) ? KS_TICKS_PER_UNIT : 1;
}

typedef struct scale {
    const ks_tree *node;
    const ks_tree *parts[3];
    uint64_t from, to;
} scale;

static ks_status read_ends(const maker *m, scale *s) {
    ks_status status = read_scalar(m, s->parts[0], &s->from);
    if (status == KS_OK) status = read_scalar(m, s->parts[1], &s->to);
    return status;
}

static ks_status needs_rise(const maker *m, const scale *s) {
    if (s->from <= s->to) return KS_OK;
    return expected(m, s->parts[1], "an end that is not below the start (values go up)");
}

static ks_status too_many(const maker *m, const ks_tree *node, uint64_t most) {
    return ks_place_fail(m->error, &node->place,
                         "found more than %llu values for %s, expected fewer",
                         (unsigned long long)most, ks_name_text(m->name));
}

static ks_status read_step(const maker *m, const ks_tree *node, uint64_t *step) {
    ks_error why;
    if (node->kind != KS_TREE_SCALAR) return expected(m, node, "a step above 0");
    const ks_status status = ks_number_parse(m->name, node->text, node->length, step, &why);
    if (status) return ks_place_fail(m->error, &node->place, "%s", why.text);
    if (*step == 0) return expected(m, node, "a step above 0");
    return *step % unit_of(m) ? expected(m, node, "a whole step") : KS_OK;
}

static ks_status make_range(const maker *m, scale *s, ks_values *out) {
    uint64_t step = 1;
    ks_status status = read_step(m, s->parts[2], &step);
    if (status == KS_OK) status = needs_rise(m, s);
    if (status) return status;
    const uint64_t gaps = (s->to - s->from) / step;
    if (gaps >= KS_VALUES_MAX) return too_many(m, s->node, KS_VALUES_MAX);
    uint64_t *items = ks_arena_take(m->arena, gaps + 1, sizeof *items);
    if (!items) return no_memory(m);
    for (uint64_t i = 0; i <= gaps; i++) items[i] = s->from + i * step;
    *out = (ks_values){items, (uint32_t)gaps + 1};
    return KS_OK;
}

static ks_status read_count(const maker *m, const ks_tree *node, uint64_t most, uint64_t *count) {
    if (node->kind != KS_TREE_SCALAR || !ks_u64_parse(node->text, node->length, count) ||
        *count < 2)
        return expected(m, node, "a number of values, 2 or more");
    return *count > most ? too_many(m, node, most) : KS_OK;
}

/* floor(x + 1/2) of x = (from * (gaps - i) + to * i) / gaps; gaps is below 2^20. */
static uint64_t linear(uint64_t from, uint64_t to, unsigned i, unsigned gaps) {
    const unsigned __int128 sum = (unsigned __int128)from * (gaps - i) + (unsigned __int128)to * i;
    return (uint64_t)((2 * sum + gaps) / (2 * gaps));
}

typedef uint64_t interpolation(uint64_t from, uint64_t to, unsigned i, unsigned steps);

static ks_status make_between(const maker *m, const scale *s, uint64_t most, interpolation *between,
                              ks_values *out) {
    uint64_t count = 0;
    const uint64_t unit = unit_of(m);
    const ks_status status = read_count(m, s->parts[2], most, &count);
    if (status) return status;
    uint64_t *items = ks_arena_take(m->arena, count, sizeof *items);
    if (!items) return no_memory(m);
    uint32_t kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t value = between(s->from / unit, s->to / unit, i, (unsigned)count - 1) * unit;
        if (kept == 0 || items[kept - 1] != value) items[kept++] = value;
    }
    *out = (ks_values){items, kept};
    return KS_OK;
}

static ks_status make_linspace(const maker *m, scale *s, ks_values *out) {
    return make_between(m, s, KS_VALUES_MAX, linear, out);
}

static ks_status make_logspace(const maker *m, scale *s, ks_values *out) {
    if (s->from == 0) return expected(m, s->parts[0], "a start above 0");
    if (s->to == 0) return expected(m, s->parts[1], "an end above 0");
    return make_between(m, s, KS_LOGSPACE_MAX, ks_exact_geometric, out);
}

/* 2^-4 = 625 ticks is the smallest power of two that a decimal of four digits holds. */
static bool is_power_of_two(ks_name name, uint64_t value) {
    if (name >= KS_NAME_CONSTANTS) {
        if (value % 625) return false;
        value /= 625;
    }
    return value && (value & (value - 1)) == 0;
}

static ks_status make_pow2(const maker *m, scale *s, ks_values *out) {
    if (!is_power_of_two(m->name, s->from)) return expected(m, s->parts[0], "a power of two");
    const ks_status status = needs_rise(m, s);
    if (status) return status;
    uint64_t *items = ks_arena_take(m->arena, 64, sizeof *items);
    if (!items) return no_memory(m);
    uint32_t count = 0;
    for (uint64_t value = s->from;; value *= 2) {
        items[count++] = value;
        if (value > s->to / 2) break;
    }
    *out = (ks_values){items, count};
    return KS_OK;
}

static const struct {
    const char *key;
    size_t part_count;
    ks_status (*make)(const maker *m, scale *s, ks_values *out);
    const char *form;
} makers[] = {
    {"range", 3, make_range, "[from, to, step]"},
    {"linspace", 3, make_linspace, "[from, to, number of values]"},
    {"logspace", 3, make_logspace, "[from, to, number of values]"},
    {"pow2", 2, make_pow2, "[from, to]"},
};
enum { MAKERS = sizeof makers / sizeof makers[0] };

static ks_status read_scale(const maker *m, const ks_tree *map, ks_values *out) {
    const char *keys[MAKERS];
    ks_words words;
    for (size_t i = 0; i < MAKERS; i++) keys[i] = makers[i].key;
    ks_status status = ks_tree_expect_keys(map, "values", keys, MAKERS, "", m->error);
    if (status) return status;
    if (map->count != 1) return expected(m, map, "one of range, linspace, logspace, pow2");
    if (ks_name_words(m->name, m->kernels, &words)) return expected(m, map, "words");
    size_t i = 0;
    while (strcmp(makers[i].key, map->first->key) != 0) i++;
    scale s = {.node = map->first};
    if (s.node->kind != KS_TREE_LIST || s.node->count != makers[i].part_count)
        return expected(m, s.node, makers[i].form);
    const ks_tree *part = s.node->first;
    for (size_t k = 0; part; part = part->next) s.parts[k++] = part;
    status = read_ends(m, &s);
    return status ? status : makers[i].make(m, &s, out);
}

ks_status ks_values_read(const ks_tree *node, ks_name name, const ks_kernel_table *kernels,
                         ks_arena *arena, ks_values *out, ks_error *error) {
    const maker m = {name, kernels, arena, error};
    if (node->kind == KS_TREE_LIST) return read_list(&m, node, out);
    if (node->kind == KS_TREE_MAP) return read_scale(&m, node, out);
    uint64_t *item = ks_arena_take(arena, 1, sizeof *item);
    if (!item) return no_memory(&m);
    *out = (ks_values){item, 1};
    return read_scalar(&m, node, item);
}
