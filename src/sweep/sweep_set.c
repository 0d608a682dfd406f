/* --set NAME=VALUES: read as YAML at its own columns, then put in the place of what it replaces. */
#include <string.h>

#include "sweep/quote.h"
#include "sweep/sweep_reader.h"

#define FILE_NAME "--set"

static ks_status no_memory(ks_sweep_reader *r) {
    return ks_fail(r->error, KS_NO_MEMORY, "out of memory");
}

/* The values as a tree. `16,64` is read as a list: its bracket stands where the `=` was. */
static ks_status read_values(ks_sweep_reader *r, const char *option, size_t name_length,
                             const ks_tree **out) {
    const char *values = option + name_length + 1;
    const char *start = values + strspn(values, " ");
    const bool is_list = *start != '[' && *start != '{' && strchr(start, ',');
    ks_text yaml = {0};
    for (size_t i = 0; i < name_length; i++)
        if (((unsigned char)option[i] & 0xc0) != 0x80) ks_text_add_char(&yaml, ' ');
    ks_text_add_char(&yaml, is_list ? '[' : ' ');
    ks_text_add_string(&yaml, values);
    if (is_list) ks_text_add_char(&yaml, ']');
    ks_status status = yaml.has_failed ? no_memory(r) : KS_OK;
    if (status == KS_OK && *start == '\0') {
        const ks_place place = {FILE_NAME, 1, name_length + 2};
        status = ks_place_fail(r->error, &place, "found nothing, expected values after the =");
    }
    if (status == KS_OK)
        status =
            ks_tree_parse(FILE_NAME, ks_text_string(&yaml), yaml.length, r->arena, out, r->error);
    ks_text_free(&yaml);
    return status;
}

/* The axis whose column or model it is; -1: nobody's. */
static int axis_of(const ks_sweep *sweep, ks_name name) {
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].names & KS_NAME_BIT(name)) return (int)i;
    return -1;
}

static void move_axis(ks_sweep *sweep, size_t from, size_t to) {
    const ks_axis axis = sweep->axes[from];
    for (; from > to; from--) sweep->axes[from] = sweep->axes[from - 1];
    for (; from < to; from++) sweep->axes[from] = sweep->axes[from + 1];
    sweep->axes[to] = axis;
}

static size_t axes_end(const ks_sweep *sweep) {
    size_t end = 0;
    while (end < sweep->axis_count && sweep->axes[end].origin == KS_FROM_AXES) end++;
    return end;
}

/* One value is a set, more are an axis: after those of the file, before its zips. */
static void settle(ks_sweep *sweep, size_t index) {
    ks_axis *axis = &sweep->axes[index];
    if (axis->origin != KS_FROM_SET || axis->count == 1) return;
    const size_t end = axes_end(sweep);
    axis->origin = KS_FROM_AXES;
    move_axis(sweep, index, end);
}

/* A member of a zip: as many values as the others have, or one for all steps. */
static ks_status replace_in_zip(ks_sweep_reader *r, ks_axis *axis, const ks_axis *fresh,
                                const ks_tree *node) {
    const ks_axis_column *from = &fresh->columns[0];
    uint64_t *spread = ks_arena_take(r->arena, axis->count, sizeof *spread);
    if (!spread) return no_memory(r);
    if (fresh->count != 1 && fresh->count != axis->count)
        return ks_place_fail(
            r->error, &node->place,
            "found %u values for %s, expected 1 or %u: it moves together with others",
            (unsigned)fresh->count, ks_name_text(from->name), (unsigned)axis->count);
    for (uint32_t i = 0; i < axis->count; i++) spread[i] = from->values[fresh->count == 1 ? 0 : i];
    for (size_t i = 0; i < axis->column_count; i++)
        if (axis->columns[i].name == from->name)
            axis->columns[i] = (ks_axis_column){from->name, spread, from->place};
    return KS_OK;
}

static ks_status replace(ks_sweep_reader *r, ks_name name, size_t index, const ks_place *place,
                         const ks_tree *node) {
    ks_axis *axis = &r->sweep->axes[index], *fresh;
    const bool is_of_model = name != KS_NAME_MODEL && (axis->names & KS_NAME_BIT(KS_NAME_MODEL)) &&
                             (name == KS_P_G || name == KS_P_d);
    const bool is_alone = axis->column_count == (name == KS_NAME_MODEL ? 2 : 1);
    if (is_of_model)
        return ks_sweep_add_column(r, axis, FILE_NAME, name, place,
                                   node); /* refuses, with both places */
    if (name == KS_NAME_MODEL && !is_alone)
        return ks_place_fail(r->error, place,
                             "found model, expected a name that no zip moves with others");
    r->claims[name].section = NULL;
    if (name == KS_NAME_MODEL) r->claims[KS_P_G].section = r->claims[KS_P_d].section = NULL;
    ks_status status = ks_sweep_new_axis(r, axis->origin, &fresh);
    if (status == KS_OK) status = ks_sweep_add_column(r, fresh, FILE_NAME, name, place, node);
    if (status) return status;
    if (!is_alone) return replace_in_zip(r, axis, fresh, node);
    *axis = *fresh;
    settle(r->sweep, index);
    return KS_OK;
}

static ks_status add(ks_sweep_reader *r, ks_name name, const ks_place *place, const ks_tree *node) {
    ks_axis *axis;
    ks_status status = ks_sweep_new_axis(r, KS_FROM_SET, &axis);
    if (status == KS_OK) status = ks_sweep_add_column(r, axis, FILE_NAME, name, place, node);
    if (status) return status;
    settle(r->sweep, r->sweep->axis_count++);
    return KS_OK;
}

static ks_status read_option(ks_sweep_reader *r, const char *option, ks_names *seen) {
    char found[KS_QUOTE_MAX];
    const ks_place place = {FILE_NAME, 1, 1};
    const char *equals = strchr(option, '=');
    if (!equals)
        return ks_place_fail(r->error, &place, "found %s, expected NAME=VALUES",
                             ks_quote(found, option, strlen(option)));
    const size_t length = (size_t)(equals - option);
    const ks_name name = ks_name_find(option, length);
    if (name == KS_NAME_NONE) {
        char *word = ks_arena_take(r->arena, length + 1, 1);
        if (!word) return no_memory(r);
        memcpy(word, option, length);
        const char *near = ks_name_near(word);
        return ks_place_fail(r->error, &place,
                             "found %s, expected a parameter, a constant or model%s%s%s",
                             ks_quote(found, option, length), near ? " (did you mean " : "",
                             near ? near : "", near ? "?)" : "");
    }
    if (*seen & KS_NAME_BIT(name))
        return ks_place_fail(r->error, &place,
                             "found %s in a second --set, expected each name once",
                             ks_name_text(name));
    *seen |= KS_NAME_BIT(name);
    const ks_tree *node;
    const ks_status status = read_values(r, option, length, &node);
    if (status) return status;
    const int index = axis_of(r->sweep, name);
    return index < 0 ? add(r, name, &place, node) : replace(r, name, (size_t)index, &place, node);
}

ks_status ks_sweep_read_sets(ks_sweep_reader *r) {
    ks_names seen = 0;
    for (size_t i = 0; i < r->options->set_count; i++) {
        const ks_status status = read_option(r, r->options->sets[i], &seen);
        if (status) return status;
    }
    return KS_OK;
}
