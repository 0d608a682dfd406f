/* The methods of a study and their options. */
#include <string.h>

#include "sweep/study_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_KEYS = 6 };

static const char *const rule_names[KS_WHATIF_COUNT] = {"D6.2", "D6.3", "dispatch", "dma_latency"};
const char *ks_whatif_name(ks_whatif_rule rule) { return rule_names[rule]; }

/* ---- single options: `node` is that of its key, never NULL ---- */

typedef struct option_reader {
    ks_study_reader *r;
    const ks_tree *method, *node;
    ks_study_method *out;
} option_reader;

static ks_status read_count(const option_reader *o, const char *what, uint64_t least, uint64_t most,
                            uint64_t *out) {
    if (o->node->kind == KS_TREE_SCALAR && ks_u64_parse(o->node->text, o->node->length, out) &&
        *out >= least && *out <= most)
        return KS_OK;
    ks_text expected = {0};
    ks_text_add_format(&expected, "a whole number from %llu to %llu", (unsigned long long)least,
                       (unsigned long long)most);
    const ks_status status =
        ks_reader_expected(&o->r->common, o->method, o->node, what, ks_text_string(&expected));
    ks_text_free(&expected);
    return status;
}

static ks_status read_N(const option_reader *o) {
    ks_status status = read_count(o, "N", 2, 1 << 20, &o->out->n);
    return status;
}
static ks_status read_r(const option_reader *o) {
    if (o->node->kind == KS_TREE_SCALAR && strcmp(o->node->text, "all") == 0) {
        o->out->n = 0;
        return KS_OK;
    }
    return read_count(o, "r (or all)", 2, 100000, &o->out->n);
}
static ks_status read_p(const option_reader *o) {
    const ks_status status = read_count(o, "p", 2, 1000, &o->out->p);
    if (status || o->out->p % 2 == 0) return status;
    return ks_reader_expected(&o->r->common, o->method, o->node, "p", "an even number of levels");
}
static ks_status read_seed(const option_reader *o) {
    return read_count(o, "seed", 0, UINT64_MAX, &o->out->seed);
}
static ks_status read_steps(const option_reader *o) {
    return read_count(o, "steps", 1, 1000, &o->out->n);
}
static ks_status read_levels(const option_reader *o) {
    return read_count(o, "levels", 2, 1000, &o->out->n);
}
static ks_status read_resamples(const option_reader *o) {
    return read_count(o, "resamples", 2, 10000, &o->out->resamples);
}
static ks_status read_budget(const option_reader *o) {
    return read_count(o, "budget", 16, 1000000000, &o->out->budget);
}
static ks_status read_samples(const option_reader *o) {
    return read_count(o, "samples", 1, 10000000, &o->out->samples);
}

static ks_status read_sequence(const option_reader *o) {
    static const char *const words[] = {"sobol", "random"};
    size_t index = 0;
    const ks_status status =
        ks_sweep_read_word(&o->r->common, o->node, "sequence", words, COUNT(words), &index);
    o->out->is_random = index == 1;
    return status;
}

static ks_status read_second_order(const option_reader *o) {
    static const char *const words[] = {"false", "true"};
    size_t index = 0;
    const ks_status status =
        ks_sweep_read_word(&o->r->common, o->node, "second_order", words, COUNT(words), &index);
    o->out->has_second_order = index == 1;
    return status;
}

static bool is_decimal(const ks_tree *node, uint64_t *ticks) {
    return node->kind == KS_TREE_SCALAR &&
           ks_decimal_parse(node->text, node->length, ticks) == KS_DECIMAL_OK;
}

static ks_status read_confidence(const option_reader *o) {
    uint64_t *ticks = &o->out->confidence_ticks;
    if (is_decimal(o->node, ticks) && *ticks >= 5000 && *ticks < 10000) return KS_OK;
    return ks_reader_expected(&o->r->common, o->method, o->node, "confidence",
                              "a decimal from 0.5, below 1");
}

static ks_status read_step(const option_reader *o) {
    uint64_t *ticks = &o->out->step_ticks;
    if (is_decimal(o->node, ticks) && *ticks > 0 && *ticks <= 50 * KS_TICKS_PER_UNIT) return KS_OK;
    return ks_reader_expected(&o->r->common, o->method, o->node, "step",
                              "per cent of the base, up to 50");
}

/* ---- boxes and lists ---- */

/* The constant of a map's entry. */
static ks_status find_constant(const option_reader *o, const ks_tree *entry, size_t *index) {
    *index = ks_study_find(o->r->study, entry->key);
    if (*index < o->r->study->constant_count) return KS_OK;
    const char *names[KS_CONSTANT_COUNT];
    for (size_t i = 0; i < o->r->study->constant_count; i++)
        names[i] = ks_constant_describe(o->r->study->constants[i].constant)->name;
    return ks_reader_unknown(&o->r->common, &entry->key_place, entry->key,
                             "one of the study's constants", names, o->r->study->constant_count);
}

/* What is not named keeps its range. */
static ks_status read_bounds(const option_reader *o) {
    static const char *const keys[] = {"low", "high"};
    const ks_study *study = o->r->study;
    uint64_t *lows = ks_reader_take(&o->r->common, study->constant_count, sizeof *lows);
    uint64_t *highs = ks_reader_take(&o->r->common, study->constant_count, sizeof *highs);
    if (!lows || !highs) return KS_NO_MEMORY;
    for (size_t i = 0; i < study->constant_count; i++) {
        lows[i] = study->constants[i].low;
        highs[i] = study->constants[i].high;
    }
    for (const ks_tree *entry = o->node->first; entry; entry = entry->next) {
        size_t i = 0;
        bool is_given;
        ks_status status = find_constant(o, entry, &i);
        if (!status)
            status = ks_tree_expect_keys(entry, "a box", keys, COUNT(keys), "", o->r->common.error);
        if (!status)
            status = ks_study_read_range(o->r, entry, study->constants[i].constant, &is_given,
                                         &lows[i], &highs[i]);
        if (status) return status;
        if (!is_given)
            return ks_reader_expected(&o->r->common, entry, NULL, "low and high",
                                      "{low: A, high: B}");
    }
    o->out->box = KS_BOX_BOUNDS;
    o->out->lows = lows;
    o->out->highs = highs;
    return KS_OK;
}

static ks_status read_box(const option_reader *o) {
    uint64_t *ticks = &o->out->box_ticks;
    if (o->node->kind == KS_TREE_MAP && o->node->count > 0) return read_bounds(o);
    if (o->node->kind == KS_TREE_SCALAR && strcmp(o->node->text, "ranges") == 0) {
        o->out->box = KS_BOX_RANGES;
        return KS_OK;
    }
    o->out->box = KS_BOX_PERCENT;
    if (is_decimal(o->node, ticks) && *ticks > 0 && *ticks <= 100 * KS_TICKS_PER_UNIT) return KS_OK;
    return ks_reader_expected(
        &o->r->common, o->method, o->node, "box",
        "per cent around the base (up to 100), ranges, or {CONSTANT: {low: A, "
        "high: B}}");
}

static ks_status read_calibration(const option_reader *o, const ks_tree *map, uint64_t *values) {
    const ks_study *study = o->r->study;
    if (map->kind != KS_TREE_MAP || map->count == 0)
        return ks_reader_expected(&o->r->common, map, map, "calibrations",
                                  "{CONSTANT: value, ...}");
    for (size_t i = 0; i < study->constant_count; i++) values[i] = study->constants[i].base;
    for (const ks_tree *entry = map->first; entry; entry = entry->next) {
        size_t i = 0;
        ks_status status = find_constant(o, entry, &i);
        if (!status)
            status = ks_study_read_value(o->r, entry, study->constants[i].constant, &values[i]);
        if (status) return status;
    }
    return KS_OK;
}

static ks_status read_calibrations(const option_reader *o) {
    const size_t constants = o->r->study->constant_count;
    if (o->node->kind != KS_TREE_LIST || o->node->count == 0)
        return ks_reader_expected(&o->r->common, o->method, o->node, "calibrations",
                                  "a list: [{CONSTANT: value, ...}, ...]");
    uint64_t *values = ks_reader_take(&o->r->common, o->node->count * constants, sizeof *values);
    if (!values) return KS_NO_MEMORY;
    o->out->calibrations = values;
    for (const ks_tree *map = o->node->first; map; map = map->next) {
        const ks_status status =
            read_calibration(o, map, values + o->out->calibration_count * constants);
        if (status) return status;
        o->out->calibration_count++;
    }
    return KS_OK;
}

static ks_status read_rules(const option_reader *o) {
    if (o->node->kind != KS_TREE_LIST || o->node->count == 0)
        return ks_reader_expected(&o->r->common, o->method, o->node, "rules",
                                  "a list of D6.2, D6.3, dispatch, dma_latency");
    o->out->rule_count = 0;
    for (const ks_tree *item = o->node->first; item; item = item->next) {
        size_t index = 0;
        const ks_status status =
            ks_sweep_read_word(&o->r->common, item, "rules", rule_names, KS_WHATIF_COUNT, &index);
        if (status) return status;
        for (size_t i = 0; i < o->out->rule_count; i++)
            if (o->out->rules[i] == (ks_whatif_rule)index)
                return ks_place_fail(o->r->common.error, &item->place,
                                     "found '%s' a second time, expected each rule once",
                                     item->text);
        o->out->rules[o->out->rule_count++] = (ks_whatif_rule)index;
    }
    return KS_OK;
}

/* ---- the table of methods ---- */

typedef struct option_info {
    const char *key;
    ks_status (*read)(const option_reader *o);
} option_info;

#define BOOTSTRAP \
    {"confidence", read_confidence}, { "resamples", read_resamples }

static const struct method_info {
    const char *name;
    ks_study_method defaults;
    option_info options[MOST_KEYS];
} methods[KS_METHOD_COUNT] = {
    [KS_METHOD_OAT] = {"oat", {.n = 0}, {{0}}},
    [KS_METHOD_ELASTICITY] = {"elasticity", {.step_ticks = 10000}, {{"step", read_step}}},
    [KS_METHOD_CENTERED] = {"centered", {.n = 5}, {{"steps", read_steps}}},
    [KS_METHOD_GRID] = {"grid", {.n = 5}, {{"levels", read_levels}}},
    [KS_METHOD_PAIRS] = {"pairs", {.n = 21}, {{"levels", read_levels}}},
    [KS_METHOD_LIST] = {"list", {.n = 0}, {{"calibrations", read_calibrations}}},
    [KS_METHOD_MORRIS] = {"morris",
                          {.n = 20, .p = 8, .seed = 1},
                          {{"r", read_r}, {"p", read_p}, {"seed", read_seed}, BOOTSTRAP}},
    [KS_METHOD_SOBOL] = {"sobol",
                         {.n = 1024, .seed = 1},
                         {{"N", read_N},
                          {"seed", read_seed},
                          {"sequence", read_sequence},
                          {"second_order", read_second_order},
                          BOOTSTRAP}},
    [KS_METHOD_FILTER] = {"filter",
                          {.n = 1024, .seed = 1},
                          {{"N", read_N}, {"seed", read_seed}, {"sequence", read_sequence}}},
    [KS_METHOD_FLIPS] = {"flips", {.budget = 20000}, {{"budget", read_budget}}},
    [KS_METHOD_BOUNDARY] = {"boundary",
                            {.n = 21, .budget = 2000},
                            {{"levels", read_levels}, {"budget", read_budget}}},
    [KS_METHOD_CERTIFICATE] = {"certificate",
                               {.budget = 20000, .samples = 1000, .seed = 1, .box = KS_BOX_RANGES},
                               {{"box", read_box},
                                {"budget", read_budget},
                                {"samples", read_samples},
                                {"seed", read_seed}}},
    [KS_METHOD_WHATIF] = {"whatif",
                          {.rules = {KS_WHATIF_D6_2, KS_WHATIF_D6_3, KS_WHATIF_DISPATCH,
                                     KS_WHATIF_DMA_LATENCY},
                           .rule_count = KS_WHATIF_COUNT},
                          {{"rules", read_rules}}},
};

const char *ks_method_name(ks_method_kind kind) { return methods[kind].name; }

static ks_status check_method(const option_reader *o) {
    const ks_study_method *m = o->out;
    const bool is_sampled = m->kind == KS_METHOD_SOBOL || m->kind == KS_METHOD_FILTER;
    const ks_tree *n = ks_tree_find(o->method, "N");
    if (is_sampled && !m->is_random && m->n & (m->n - 1))
        return ks_reader_expected(&o->r->common, o->method, n, "N",
                                  "a power of two (the Sobol' sequence is balanced only then), or "
                                  "sequence: random");
    if (m->kind == KS_METHOD_LIST && !m->calibrations)
        return ks_reader_expected(&o->r->common, o->method, NULL, "calibrations",
                                  "a list: [{CONSTANT: value, ...}, ...]");
    return KS_OK;
}

static ks_status read_options(option_reader *o) {
    const struct method_info *info = &methods[o->out->kind];
    const char *keys[MOST_KEYS];
    size_t count = 0;
    while (count < MOST_KEYS && info->options[count].key) {
        keys[count] = info->options[count].key;
        count++;
    }
    /* `- oat:` and `- oat: {}` are the same. */
    const bool is_empty = o->method->kind == KS_TREE_SCALAR && o->method->length == 0;
    ks_status status =
        is_empty ? KS_OK
                 : ks_tree_expect_keys(o->method, info->name, keys, count, "", o->r->common.error);
    for (size_t i = 0; i < count && !status && !is_empty; i++) {
        o->node = ks_tree_find(o->method, keys[i]);
        if (o->node) status = info->options[i].read(o);
    }
    return status || is_empty ? status : check_method(o);
}

static ks_status read_method(ks_study_reader *r, const ks_tree *item, ks_study_method *out) {
    const char *names[KS_METHOD_COUNT];
    for (int i = 0; i < KS_METHOD_COUNT; i++) names[i] = methods[i].name;
    /* A bare word is a method with its defaults. */
    const ks_tree word = {
        .kind = KS_TREE_SCALAR, .place = item->place, .text = "", .key = item->text};
    const ks_tree *entry = item->kind == KS_TREE_SCALAR ? &word : item->first;
    if (item->kind == KS_TREE_SCALAR) {
        size_t index = 0;
        const ks_status status =
            ks_sweep_read_word(&r->common, item, "methods", names, KS_METHOD_COUNT, &index);
        if (status) return status;
    } else {
        const ks_status status =
            ks_tree_expect_keys(item, "methods", names, KS_METHOD_COUNT, "", r->common.error);
        if (status) return status;
        if (item->count != 1)
            return ks_place_fail(r->common.error, &item->place,
                                 "found %zu methods in one entry, expected `- METHOD: {options}`",
                                 item->count);
    }
    int kind = 0;
    while (strcmp(names[kind], entry->key) != 0) kind++;
    *out = methods[kind].defaults;
    out->kind = (ks_method_kind)kind;
    out->place = item->kind == KS_TREE_SCALAR ? item->place : entry->key_place;
    if (out->resamples == 0) out->resamples = 100;
    if (out->confidence_ticks == 0) out->confidence_ticks = 9500;
    option_reader o = {.r = r, .method = entry, .out = out};
    if (kind == KS_METHOD_LIST && item->kind == KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, item, NULL, "calibrations",
                                  "- list: {calibrations: [{CONSTANT: value, ...}, ...]}");
    return read_options(&o);
}

ks_status ks_study_read_methods(ks_study_reader *r, const ks_tree *root) {
    const ks_tree *list;
    ks_status status =
        ks_reader_list(&r->common, root, "methods", true, "a list: [oat: {}, flips: {}]", &list);
    if (status) return status;
    ks_study_method *methods_read = ks_reader_take(&r->common, list->count, sizeof *methods_read);
    if (!methods_read) return KS_NO_MEMORY;
    r->study->methods = methods_read;
    for (const ks_tree *item = list->first; item && !status; item = item->next)
        status = read_method(r, item, &methods_read[r->study->method_count++]);
    return status;
}
