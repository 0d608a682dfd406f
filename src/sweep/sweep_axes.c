#include <string.h>

#include "base/near.h"
#include "sweep/quote.h"
#include "sweep/sweep_reader.h"
#include "sweep/values.h"

static ks_status no_memory(ks_sweep_reader *r) {
    return ks_fail(r->error, KS_NO_MEMORY, "out of memory");
}

/* Notes that a section sets a name; refuses one that is set already, with both places. */
static ks_status claim(ks_sweep_reader *r, ks_name name, const char *section,
                       const ks_place *place) {
    if (r->claims[name].section) {
        const ks_place *first = &r->claims[name].place;
        return ks_place_fail(r->error, place,
                             "found %s in %s, expected each name once (first in %s at %s:%zu:%zu)",
                             ks_name_text(name), section, r->claims[name].section, first->file,
                             first->line, first->column);
    }
    r->claims[name].section = section;
    r->claims[name].place = *place;
    r->sweep->set_names |= KS_NAME_BIT(name);
    return KS_OK;
}

static ks_status find_name(ks_sweep_reader *r, const ks_place *place, const char *text,
                           ks_name *name) {
    char found[KS_QUOTE_MAX];
    *name = ks_name_find(text, strlen(text));
    if (*name != KS_NAME_NONE) return KS_OK;
    const char *near = ks_name_near(text);
    return ks_place_fail(r->error, place,
                         "found %s, expected a parameter, a constant or model%s%s%s",
                         ks_quote(found, text, strlen(text)), near ? " (did you mean " : "",
                         near ? near : "", near ? "?)" : "");
}

static ks_status find_model(ks_sweep_reader *r, const ks_tree *node, const ks_model **model) {
    char found[KS_QUOTE_MAX];
    for (size_t i = 0; i < r->models.count && node->kind == KS_TREE_SCALAR; i++)
        if (strcmp(r->models.labels[i], node->text) == 0) {
            *model = &r->models.models[i];
            return KS_OK;
        }
    const char *near = node->kind == KS_TREE_SCALAR
                           ? ks_near(node->text, r->models.labels, r->models.count)
                           : NULL;
    return ks_place_fail(r->error, &node->place,
                         "found %s for model, expected a label of the model file%s%s%s",
                         ks_tree_found(found, node), near ? " (did you mean " : "",
                         near ? near : "", near ? "?)" : "");
}

static ks_status needs_count(ks_sweep_reader *r, const ks_axis *axis, ks_name name,
                             const ks_place *place, size_t count) {
    if (axis->column_count == 0 || axis->count == count) return KS_OK;
    return ks_place_fail(
        r->error, place,
        "found %zu value%s for %s, expected %u: names that move together have as many", count,
        count == 1 ? "" : "s", ks_name_text(name), (unsigned)axis->count);
}

static void put_column(ks_axis *axis, ks_name name, const uint64_t *values, size_t count,
                       const ks_place *place) {
    axis->count = (uint32_t)count;
    axis->columns[axis->column_count++] = (ks_axis_column){name, values, *place};
    axis->names |= KS_NAME_BIT(name);
}

static ks_status fill_models(ks_sweep_reader *r, ks_axis *axis, const ks_place *place,
                             const ks_tree *node) {
    const bool is_list = node->kind == KS_TREE_LIST;
    const size_t count = is_list ? node->count : 1;
    const ks_tree *item = is_list ? node->first : node;
    if (count == 0)
        return ks_place_fail(r->error, &node->place,
                             "found an empty list for model, expected a label");
    uint64_t *heads = ks_arena_take(r->arena, count, sizeof *heads);
    uint64_t *dims = ks_arena_take(r->arena, count, sizeof *dims);
    const char **labels = ks_arena_take(r->arena, count, sizeof *labels);
    if (!heads || !dims || !labels) return no_memory(r);
    for (size_t i = 0; i < count; i++, item = item->next) {
        const ks_model *model = NULL;
        const ks_status status = find_model(r, item, &model);
        if (status) return status;
        heads[i] = model->G;
        dims[i] = model->d;
        labels[i] = model->label;
    }
    put_column(axis, KS_P_G, heads, count, place);
    put_column(axis, KS_P_d, dims, count, place);
    axis->labels = labels;
    axis->names |= KS_NAME_BIT(KS_NAME_MODEL);
    return KS_OK;
}

static ks_status add_models(ks_sweep_reader *r, ks_axis *axis, const char *section,
                            const ks_place *place, const ks_tree *node) {
    static const ks_name names[] = {KS_NAME_MODEL, KS_P_G, KS_P_d};
    ks_status status = KS_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == KS_OK; i++)
        status = claim(r, names[i], i == 0 ? section : "model", place);
    if (status == KS_OK) status = ks_sweep_read_models(r, place);
    if (status) return status;
    const size_t count = node->kind == KS_TREE_LIST ? node->count : 1;
    status = needs_count(r, axis, KS_NAME_MODEL, &node->place, count);
    return status ? status : fill_models(r, axis, place, node);
}

ks_status ks_sweep_add_column(ks_sweep_reader *r, ks_axis *axis, const char *section, ks_name name,
                              const ks_place *place, const ks_tree *node) {
    if (name == KS_NAME_MODEL) return add_models(r, axis, section, place, node);
    ks_values values = {0};
    ks_status status = claim(r, name, section, place);
    if (status == KS_OK)
        status = ks_values_read(node, name, r->sweep->kernels, r->arena, &values, r->error);
    if (status == KS_OK) status = needs_count(r, axis, name, &node->place, values.count);
    if (status == KS_OK) put_column(axis, name, values.items, values.count, place);
    return status;
}

ks_status ks_sweep_new_axis(ks_sweep_reader *r, ks_axis_origin origin, ks_axis **out) {
    ks_axis_column *columns = ks_arena_take(r->arena, KS_NAME_ALL, sizeof *columns);
    if (!columns) return no_memory(r);
    /* Every axis has a name of its own: there is room for all. */
    *out = &r->sweep->axes[r->sweep->axis_count];
    **out = (ks_axis){.origin = origin, .columns = columns};
    return KS_OK;
}

static ks_status add_axis(ks_sweep_reader *r, const ks_tree *node, ks_axis_origin origin,
                          const char *section) {
    ks_name name;
    ks_axis *axis = NULL;
    ks_status status = find_name(r, &node->key_place, node->key, &name);
    if (status == KS_OK && r->claims[name].section)
        return claim(r, name, section, &node->key_place);
    if (status == KS_OK) status = ks_sweep_new_axis(r, origin, &axis);
    if (status == KS_OK)
        status = ks_sweep_add_column(r, axis, section, name, &node->key_place, node);
    if (status == KS_OK) r->sweep->axis_count++;
    return status;
}

static ks_status needs_map(ks_sweep_reader *r, const ks_tree *node, const char *what) {
    char found[KS_QUOTE_MAX];
    if (node->kind == KS_TREE_MAP && node->count > 0) return KS_OK;
    return ks_place_fail(
        r->error, &node->place, "found %s for %s, expected a map of names and values",
        node->kind == KS_TREE_MAP ? "an empty map" : ks_tree_found(found, node), what);
}

static ks_status read_axes(ks_sweep_reader *r, const ks_tree *node) {
    if (!node) return KS_OK;
    ks_status status = needs_map(r, node, "axes");
    for (const ks_tree *entry = node->first; entry && status == KS_OK; entry = entry->next)
        status = add_axis(r, entry, KS_FROM_AXES, "axes");
    return status;
}

static ks_status read_zip(ks_sweep_reader *r, const ks_tree *map) {
    ks_axis *axis = NULL;
    ks_status status = needs_map(r, map, "an entry of zip");
    if (status == KS_OK) status = ks_sweep_new_axis(r, KS_FROM_ZIP, &axis);
    for (const ks_tree *entry = map->first; entry && status == KS_OK; entry = entry->next) {
        ks_name name;
        status = find_name(r, &entry->key_place, entry->key, &name);
        if (status == KS_OK)
            status = ks_sweep_add_column(r, axis, "zip", name, &entry->key_place, entry);
    }
    if (status == KS_OK) r->sweep->axis_count++;
    return status;
}

static ks_status read_zips(ks_sweep_reader *r, const ks_tree *node) {
    char found[KS_QUOTE_MAX];
    if (!node) return KS_OK;
    if (node->kind != KS_TREE_LIST)
        return ks_place_fail(r->error, &node->place, "found %s for zip, expected a list of maps",
                             ks_tree_found(found, node));
    ks_status status = KS_OK;
    for (const ks_tree *map = node->first; map && status == KS_OK; map = map->next)
        status = read_zip(r, map);
    return status;
}

static ks_status read_set(ks_sweep_reader *r, const ks_tree *node) {
    char found[KS_QUOTE_MAX];
    if (!node) return KS_OK;
    ks_status status = needs_map(r, node, "set");
    for (const ks_tree *entry = node->first; entry && status == KS_OK; entry = entry->next) {
        ks_name name;
        status = find_name(r, &entry->key_place, entry->key, &name);
        if (status == KS_OK && entry->kind != KS_TREE_SCALAR)
            return ks_place_fail(r->error, &entry->place,
                                 "found %s for %s, expected one value: more belong in axes",
                                 ks_tree_found(found, entry), entry->key);
        if (status == KS_OK) status = add_axis(r, entry, KS_FROM_SET, "set");
    }
    return status;
}

ks_status ks_sweep_read_axes(ks_sweep_reader *r, const ks_tree *root) {
    ks_status status = read_axes(r, ks_tree_find(root, "axes"));
    if (status == KS_OK) status = read_zips(r, ks_tree_find(root, "zip"));
    if (status == KS_OK) status = read_set(r, ks_tree_find(root, "set"));
    if (status == KS_OK) status = ks_sweep_read_sets(r);
    if (status == KS_OK && !(r->sweep->set_names & KS_NAME_BIT(KS_P_kernel)))
        return ks_place_fail(r->error, &root->place,
                             "found no kernel, expected one in axes, zip or set");
    return status;
}
