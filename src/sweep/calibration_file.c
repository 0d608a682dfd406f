#include "sweep/calibration_file.h"

#include <string.h>

#include "sweep/quote.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ks_name name_of(int constant) { return KS_NAME_CONSTANTS + constant; }

void ks_calibration_file_default(ks_calibration_file *out) {
    *out = (ks_calibration_file){.values = ks_calibration_default()};
    for (int i = 0; i < KS_CONSTANT_COUNT; i++)
        out->entries[i].low = out->entries[i].high = out->values.values[i];
}

static ks_status read_value(const ks_tree *node, ks_name name, uint64_t *value, ks_error *error) {
    char found[KS_QUOTE_MAX];
    ks_error why;
    if (node->kind != KS_TREE_SCALAR)
        return ks_place_fail(error, &node->place, "found %s for %s, expected a value",
                             ks_tree_found(found, node), ks_name_text(name));
    const ks_status status = ks_value_parse(name, NULL, node->text, node->length, value, &why);
    return status ? ks_place_fail(error, &node->place, "%s", why.text) : KS_OK;
}

/* A text on one line; NULL where the map has no such key. */
static ks_status read_text(const ks_tree *map, const char *key, const char **out, ks_error *error) {
    char found[KS_QUOTE_MAX];
    const ks_tree *node = ks_tree_find(map, key);
    *out = NULL;
    if (!node) return KS_OK;
    if (node->kind != KS_TREE_SCALAR || strchr(node->text, '\n'))
        return ks_place_fail(error, &node->place, "found %s for %s, expected text on one line",
                             ks_tree_found(found, node), key);
    *out = node->text;
    return KS_OK;
}

static ks_status read_bounds(const ks_tree *map, ks_name name, uint64_t value,
                             ks_calibration_entry *entry, ks_error *error) {
    const ks_tree *low = ks_tree_find(map, "low"), *high = ks_tree_find(map, "high");
    if (!low && !high) return KS_OK;
    if (!low || !high)
        return ks_place_fail(error, &map->place, "found %s without %s, expected both",
                             low ? "low" : "high", low ? "high" : "low");
    if (ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->value_class ==
        KS_GEMM_RULE_NAME)
        return ks_place_fail(error, &low->place, "found low of %s, expected a value alone",
                             ks_name_text(name));
    ks_status status = read_value(low, name, &entry->low, error);
    if (status == KS_OK) status = read_value(high, name, &entry->high, error);
    if (status) return status;
    if (entry->low > value)
        return ks_place_fail(error, &low->place, "found low above value, expected low <= value");
    if (entry->high < value)
        return ks_place_fail(error, &high->place, "found high below value, expected value <= high");
    entry->has_bounds = true;
    return KS_OK;
}

static ks_status check_unit(const ks_tree *map, ks_name name, const char *unit, ks_error *error) {
    char found[KS_QUOTE_MAX];
    const ks_constant_info *info = ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS));
    if (!unit || strcmp(unit, info->unit) == 0) return KS_OK;
    return ks_place_fail(error, &ks_tree_find(map, "unit")->place,
                         "found unit %s of %s, expected %s", ks_quote(found, unit, strlen(unit)),
                         info->name, info->unit[0] ? info->unit : "no unit");
}

static ks_status read_described(const ks_tree *map, ks_name name, uint64_t *value,
                                ks_calibration_entry *entry, ks_error *error) {
    static const char *const keys[] = {"value", "low", "high", "unit", "source"};
    ks_status status = ks_tree_expect_keys(map, "a constant", keys, COUNT(keys), "", error);
    if (status) return status;
    const ks_tree *node = ks_tree_find(map, "value");
    if (!node)
        return ks_place_fail(error, &map->place, "found no value of %s, expected one",
                             ks_name_text(name));
    status = read_value(node, name, value, error);
    entry->low = entry->high = *value;
    if (status == KS_OK) status = read_bounds(map, name, *value, entry, error);
    if (status == KS_OK) status = read_text(map, "unit", &entry->unit, error);
    if (status == KS_OK) status = read_text(map, "source", &entry->source, error);
    return status ? status : check_unit(map, name, entry->unit, error);
}

static ks_status read_constants(const ks_tree *map, ks_calibration_file *out, ks_error *error) {
    const char *names[KS_CONSTANT_COUNT];
    for (int i = 0; i < KS_CONSTANT_COUNT; i++) names[i] = ks_name_text(name_of(i));
    ks_status status = ks_tree_expect_keys(map, "constants", names, KS_CONSTANT_COUNT, "", error);
    if (status) return status;
    for (const ks_tree *node = map->first; node && status == KS_OK; node = node->next) {
        const ks_name name = ks_name_find(node->key, strlen(node->key));
        uint64_t *value = &out->values.values[name - KS_NAME_CONSTANTS];
        ks_calibration_entry *entry = &out->entries[name - KS_NAME_CONSTANTS];
        entry->is_given = true;
        entry->place = node->key_place;
        if (node->kind == KS_TREE_MAP) {
            status = read_described(node, name, value, entry, error);
        } else {
            status = read_value(node, name, value, error);
            entry->low = entry->high = *value;
        }
    }
    return status;
}

/* The one section that such a file has. */
static ks_status read_section(const char *path, const char *key, ks_arena *arena,
                              const ks_tree **section, ks_digest *digest, ks_error *error) {
    const ks_tree *root;
    ks_status status = ks_tree_read(path, arena, &root, digest, error);
    if (status) return status;
    status = ks_tree_expect_keys(root, "the file", &key, 1, "", error);
    if (status) return status;
    *section = ks_tree_find(root, key);
    return *section ? KS_OK : ks_place_fail(error, &root->place, "found no %s, expected it", key);
}

ks_status ks_calibration_file_read(const char *path, ks_arena *arena, ks_calibration_file *out,
                                   ks_digest *digest, ks_error *error) {
    const ks_tree *constants;
    ks_calibration_file_default(out);
    const ks_status status = read_section(path, "constants", arena, &constants, digest, error);
    return status ? status : read_constants(constants, out, error);
}

static ks_status read_model(const ks_tree *node, ks_model *model, ks_error *error) {
    static const char *const keys[] = {"G", "d"};
    const ks_tree label = {.kind = KS_TREE_SCALAR, .text = node->key, .length = strlen(node->key)};
    char found[KS_QUOTE_MAX];
    if (!ks_tree_is_name(&label))
        return ks_place_fail(error, &node->key_place,
                             "found the model %s, expected letters, digits, _ . -",
                             ks_tree_found(found, &label));
    ks_status status = ks_tree_expect_keys(node, "a model", keys, COUNT(keys), "", error);
    if (status) return status;
    const ks_tree *heads = ks_tree_find(node, "G"), *dim = ks_tree_find(node, "d");
    if (!heads || !dim)
        return ks_place_fail(error, &node->place, "found no %s of %s, expected G and d",
                             heads ? "d" : "G", node->key);
    model->label = node->key;
    status = read_value(heads, KS_P_G, &model->G, error);
    return status ? status : read_value(dim, KS_P_d, &model->d, error);
}

ks_status ks_model_file_read(const char *path, ks_arena *arena, ks_model_file *out,
                             ks_digest *digest, ks_error *error) {
    const ks_tree *section;
    char found[KS_QUOTE_MAX];
    const ks_status status = read_section(path, "models", arena, &section, digest, error);
    if (status) return status;
    if (section->kind != KS_TREE_MAP || section->count == 0)
        return ks_place_fail(error, &section->place, "found %s, expected a map of models",
                             ks_tree_found(found, section));
    ks_model *models = ks_arena_take(arena, section->count, sizeof *models);
    const char **labels = ks_arena_take(arena, section->count, sizeof *labels);
    if (!models || !labels) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    *out = (ks_model_file){models, labels, 0};
    for (const ks_tree *node = section->first; node; node = node->next, out->count++) {
        const ks_status inner = read_model(node, &models[out->count], error);
        if (inner) return inner;
        labels[out->count] = node->key;
    }
    return KS_OK;
}
