#include "run/adr_inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/build_info.h"
#include "base/csv_read.h"

#define MODEL "model "

void ks_adr_inputs_free(ks_adr_inputs *inputs) {
    ks_arena_free(inputs->arena);
    free(inputs->items);
    *inputs = (ks_adr_inputs){0};
}

static const char *keep(ks_adr_inputs *inputs, const char *text) {
    return ks_arena_text(inputs->arena, text);
}

void ks_adr_inputs_add(ks_adr_inputs *inputs, const char *source, const char *name,
                       const char *value) {
    if (!inputs->arena) inputs->arena = ks_arena_new(1 << 14);
    if (inputs->arena && inputs->count == inputs->room) {
        const size_t room = inputs->room ? 2 * inputs->room : 64;
        ks_adr_input *items = realloc(inputs->items, room * sizeof *items);
        if (items) {
            inputs->items = items;
            inputs->room = room;
        }
    }
    if (!inputs->arena || inputs->count == inputs->room) {
        inputs->has_failed = true;
        return;
    }
    const ks_adr_input item = {keep(inputs, source), keep(inputs, name), keep(inputs, value)};
    if (!item.source || !item.name || !item.value)
        inputs->has_failed = true;
    else
        inputs->items[inputs->count++] = item;
}

const char *ks_adr_inputs_find(const ks_adr_inputs *inputs, const char *source, const char *name) {
    for (size_t i = 0; i < inputs->count; i++)
        if (!strcmp(inputs->items[i].source, source) && !strcmp(inputs->items[i].name, name))
            return inputs->items[i].value;
    return NULL;
}

/* ---- what there is now ---- */

void ks_adr_inputs_add_program(ks_adr_inputs *inputs) {
    ks_text text = {0};
    ks_text_add_format(&text, "kernsweep %s", ks_build_version());
    ks_adr_inputs_add(inputs, "", "program", ks_text_string(&text));
    inputs->has_failed |= text.has_failed;
    ks_text_free(&text);
}

static void add_digest(ks_adr_inputs *inputs, const char *source, const char *name,
                       const ks_digest *digest) {
    char hex[KS_DIGEST_HEX];
    ks_digest_print(hex, digest);
    ks_adr_inputs_add(inputs, source, name, hex);
}

/* The values are what results depend on: a comment or a source in the file changes nothing. */
static void add_calibration(ks_adr_inputs *inputs, const char *source, const char *file,
                            const ks_kernel_table *kernels, const ks_point *base) {
    ks_text all = {0}, value = {0};
    ks_adr_inputs_add(inputs, source, "calibration_file", file ? file : "");
    for (ks_name name = KS_NAME_CONSTANTS; name < KS_NAME_COUNT; name++) {
        ks_text_add_format(&all, "%s=", ks_name_text(name));
        ks_value_print(&all, name, kernels, ks_point_get(base, name));
        ks_text_add_char(&all, '\n');
    }
    const ks_digest digest = ks_digest_of(all.data, all.length);
    add_digest(inputs, source, "calibration", &digest);
    for (ks_name name = KS_NAME_CONSTANTS; name < KS_NAME_COUNT; name++) {
        ks_text_clear(&value);
        ks_value_print(&value, name, kernels, ks_point_get(base, name));
        ks_adr_inputs_add(inputs, source, ks_name_text(name), ks_text_string(&value));
    }
    inputs->has_failed |= all.has_failed || value.has_failed;
    ks_text_free(&all);
    ks_text_free(&value);
}

/* `model NAME` is `G=8 d=128`: only what the sweep uses, whatever else the file of models says. */
static void add_models(ks_adr_inputs *inputs, const char *source, const ks_axis *axis) {
    ks_text name = {0}, heads = {0};
    for (uint32_t i = 0; axis->labels && i < axis->count; i++) {
        ks_text_clear(&name);
        ks_text_clear(&heads);
        ks_text_add_format(&name, MODEL "%s", axis->labels[i]);
        for (size_t c = 0; c < axis->column_count; c++) {
            const ks_axis_column *column = &axis->columns[c];
            if (column->name != KS_P_G && column->name != KS_P_d) continue;
            ks_text_add_format(&heads, "%s%s=%" PRIu64, heads.length ? " " : "",
                               ks_name_text(column->name), column->values[i]);
        }
        ks_adr_inputs_add(inputs, source, ks_text_string(&name), ks_text_string(&heads));
    }
    inputs->has_failed |= name.has_failed || heads.has_failed;
    ks_text_free(&name);
    ks_text_free(&heads);
}

void ks_adr_inputs_add_sweep(ks_adr_inputs *inputs, const char *source, const ks_sweep *sweep,
                             uint64_t point_count) {
    ks_text count = {0};
    ks_text_add_u64(&count, point_count);
    ks_adr_inputs_add(inputs, source, "file", sweep->file);
    add_digest(inputs, source, "sweep", &sweep->digest);
    ks_adr_inputs_add(inputs, source, "mode", ks_mode_name(sweep->mode));
    ks_adr_inputs_add(inputs, source, "points", ks_text_string(&count));
    for (size_t i = 0; i < sweep->axis_count; i++) add_models(inputs, source, &sweep->axes[i]);
    add_calibration(inputs, source, sweep->calibration_path, sweep->kernels, &sweep->base);
    inputs->has_failed |= count.has_failed;
    ks_text_free(&count);
}

void ks_adr_inputs_add_study(ks_adr_inputs *inputs, const char *source, const ks_study *study) {
    ks_adr_inputs_add(inputs, source, "file", study->file);
    add_digest(inputs, source, "study", &study->digest);
    add_calibration(inputs, source, study->calibration_path, study->kernel_table, &study->base);
}

/* ---- the file ---- */

void ks_adr_inputs_print(ks_text *out, const ks_adr_inputs *inputs) {
    ks_text_add_string(out, "source,name,value\n");
    for (size_t i = 0; i < inputs->count; i++) {
        ks_text_add_csv(out, inputs->items[i].source);
        ks_text_add_char(out, ',');
        ks_text_add_csv(out, inputs->items[i].name);
        ks_text_add_char(out, ',');
        ks_text_add_csv(out, inputs->items[i].value);
        ks_text_add_char(out, '\n');
    }
}

typedef struct reader {
    ks_adr_inputs *inputs;
    size_t line_count;
} reader;

static ks_status take_line(void *self, const ks_csv_row *csv, ks_error *error) {
    static const char *const header[] = {"source", "name", "value"};
    reader *r = self;
    if (csv->count != 3)
        return ks_csv_fail(error, csv, 0, "found %zu fields, expected source,name,value",
                           csv->count);
    if (r->line_count++ == 0) {
        for (size_t i = 0; i < 3; i++)
            if (strcmp(csv->fields[i].text, header[i]) != 0)
                return ks_csv_fail(error, csv, i, "found '%s', expected %s", csv->fields[i].text,
                                   header[i]);
        return KS_OK;
    }
    if (ks_adr_inputs_find(r->inputs, csv->fields[0].text, csv->fields[1].text))
        return ks_csv_fail(error, csv, 1, "found %s of '%s' a second time, expected it once",
                           csv->fields[1].text, csv->fields[0].text);
    ks_adr_inputs_add(r->inputs, csv->fields[0].text, csv->fields[1].text, csv->fields[2].text);
    return r->inputs->has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

ks_status ks_adr_inputs_parse(ks_adr_inputs *inputs, const char *path, const char *bytes,
                              size_t length, ks_error *error) {
    reader r = {.inputs = inputs};
    return ks_csv_parse(path, bytes, length, take_line, &r, error);
}

/* ---- stale or not ---- */

/* What a person calls an input. Names that follow from others are passed over: NULL. */
static const char *kind_of(const char *name) {
    static const struct {
        const char *name, *kind;
    } kinds[] = {
        {"program", "program"}, {"file", "sweep"},
        {"sweep", "sweep"},     {"mode", NULL},
        {"study", "study"},     {"points", NULL},
        {"calibration", NULL},  {"calibration_file", "calibration"},
        {"commit", NULL},       {"set", "options"},
        {"where", "options"},   {"exit_code", NULL},
        {"lines", NULL},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0) return kinds[i].kind;
    return strncmp(name, MODEL, strlen(MODEL)) == 0 ? "models" : "calibration";
}

static bool is_digest(const char *name) {
    return strcmp(name, "sweep") == 0 || strcmp(name, "study") == 0;
}

static void say(ks_text *out, const ks_adr_input *input, const char *was, const char *is) {
    ks_text_add_format(out, "stale: %s changed: ", kind_of(input->name));
    if (is_digest(input->name))
        ks_text_add_format(out, "%s is not the file that the results were made from",
                           input->source);
    else
        ks_text_add_format(out, "%s is '%s', was '%s'", input->name, is ? is : "", was ? was : "");
    if (*input->source && !is_digest(input->name)) ks_text_add_format(out, " (%s)", input->source);
    ks_text_add_char(out, '\n');
}

static bool has_source(const ks_adr_inputs *inputs, const char *source) {
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->items[i].source, source) == 0) return true;
    return false;
}

/* A source on one side alone is said once. */
static size_t compare_sources(ks_text *out, const ks_adr_inputs *from, const ks_adr_inputs *to,
                              const char *what) {
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const char *source = from->items[i].source;
        const bool is_first = i == 0 || strcmp(from->items[i - 1].source, source) != 0;
        if (!is_first || has_source(to, source)) continue;
        ks_text_add_format(out, "stale: results changed: %s %s\n", source, what);
        count++;
    }
    return count;
}

static bool has_all_of(const ks_adr_inputs *a, const ks_adr_inputs *b, const char *source) {
    for (size_t i = 0; i < b->count; i++) {
        const ks_adr_input *input = &b->items[i];
        if (!kind_of(input->name) || (*input->source && strcmp(input->source, source) != 0))
            continue;
        const char *value = ks_adr_inputs_find(a, input->source, input->name);
        if (!value || strcmp(value, input->value) != 0) return false;
    }
    return has_source(b, source);
}

bool ks_adr_inputs_is_same(const ks_adr_inputs *stored, const ks_adr_inputs *now,
                           const char *source) {
    return has_all_of(stored, now, source) && has_all_of(now, stored, source);
}

size_t ks_adr_inputs_compare(ks_text *out, const ks_adr_inputs *stored, const ks_adr_inputs *now) {
    size_t count = compare_sources(out, now, stored, "is not among the stored results");
    count += compare_sources(out, stored, now, "is no longer among the results of the table");
    for (size_t i = 0; i < now->count; i++) {
        const ks_adr_input *input = &now->items[i];
        const char *was = ks_adr_inputs_find(stored, input->source, input->name);
        if (!kind_of(input->name) || !has_source(stored, input->source)) continue;
        if (was && strcmp(was, input->value) == 0) continue;
        say(out, input, was, input->value);
        count++;
    }
    for (size_t i = 0; i < stored->count; i++) {
        const ks_adr_input *input = &stored->items[i];
        if (!kind_of(input->name) || !has_source(now, input->source)) continue;
        if (ks_adr_inputs_find(now, input->source, input->name)) continue;
        say(out, input, input->value, NULL);
        count++;
    }
    return count;
}
