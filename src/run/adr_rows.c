#include "run/adr_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "base/text_map.h"
#include "sweep/key.h"

enum { MOST_FIELDS = 256 };

bool ks_adr_rows_begin(ks_adr_rows *rows, const ks_kernel_table *kernels) {
    *rows = (ks_adr_rows){.kernels = kernels};
    rows->arena = ks_arena_new(1 << 16);
    rows->keys = ks_text_map_new();
    return rows->arena && rows->keys;
}

void ks_adr_rows_free(ks_adr_rows *rows) {
    ks_arena_free(rows->arena);
    ks_text_map_free(rows->keys);
    free(rows->items);
    *rows = (ks_adr_rows){0};
}

static ks_status no_memory(ks_error *error) {
    return ks_fail(error, KS_NO_MEMORY, "out of memory");
}

static bool make_room(ks_adr_rows *rows) {
    if (rows->count < rows->room) return true;
    const size_t room = rows->room ? 2 * rows->room : 64;
    ks_adr_row *items = realloc(rows->items, room * sizeof *items);
    if (!items) return false;
    rows->items = items;
    rows->room = room;
    return true;
}

ks_status ks_adr_rows_add(ks_adr_rows *rows, const char *source, const char *key, const char *label,
                          const ks_row *row, ks_error *error) {
    if (!make_room(rows)) return no_memory(error);
    ks_adr_row *item = &rows->items[rows->count];
    *item = (ks_adr_row){.row = *row};
    const ks_status status = ks_key_parse(key, rows->kernels, &item->point, error);
    if (status) return status;
    const size_t number = ks_text_map_add(rows->keys, key);
    if (number == KS_TEXT_MAP_NONE) return no_memory(error);
    if (number < rows->count)
        return ks_fail(error, KS_INPUT,
                       "found '%s' in %s and in %s, expected a point from one source", key,
                       rows->items[number].source, source);
    const bool is_same = rows->count && !strcmp(rows->items[rows->count - 1].source, source);
    item->source =
        is_same ? rows->items[rows->count - 1].source : ks_arena_text(rows->arena, source);
    item->key = ks_text_map_at(rows->keys, number);
    item->label = ks_arena_text(rows->arena, label);
    ks_key_id(item->row.id, key);
    if (!item->source || !item->label) return no_memory(error);
    rows->count++;
    return KS_OK;
}

const ks_adr_row *ks_adr_rows_find(const ks_adr_rows *rows, const char *key) {
    const size_t number = ks_text_map_find(rows->keys, key);
    return number == KS_TEXT_MAP_NONE ? NULL : &rows->items[number];
}

/* ---- printing ---- */

void ks_adr_rows_print(ks_text *out, const ks_adr_rows *rows) {
    ks_text_add_string(out, "source,key,verdict,reason,model");
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        ks_text_add_format(out, ",%s", ks_column_describe((ks_column)c)->name);
    ks_text_add_char(out, '\n');
    for (size_t i = 0; i < rows->count; i++) {
        const ks_adr_row *item = &rows->items[i];
        const char *const cells[] = {item->source, item->key, ks_verdict_name(item->row.verdict),
                                     item->row.reason, item->label};
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
            if (k) ks_text_add_char(out, ',');
            ks_text_add_csv(out, cells[k]);
        }
        for (int c = 0; c < KS_COLUMN_COUNT; c++) {
            ks_text_add_char(out, ',');
            ks_row_print_cell(out, &item->row, (ks_column)c);
        }
        ks_text_add_char(out, '\n');
    }
}

/* ---- reading ---- */

typedef enum role {
    IS_SOURCE,
    IS_KEY,
    IS_VERDICT,
    IS_REASON,
    IS_MODEL,
    IS_ID,
    IS_PASSED_OVER,
    IS_NAME,  /* a parameter or constant */
    IS_FIGURE /* a result column */
} role;

typedef struct field_role {
    role role;
    int index; /* ks_name, ks_column */
} field_role;

typedef struct reader {
    ks_adr_rows *rows;
    const char *source; /* of points.csv; NULL: in the rows */
    field_role roles[MOST_FIELDS];
    size_t line_count;
    ks_text key, again;
} reader;

static bool find_role(const reader *r, const ks_csv_field *field, field_role *out) {
    static const struct {
        const char *name;
        role role;
        bool is_stored, is_point;
    } known[] = {
        {"source", IS_SOURCE, true, false},      {"key", IS_KEY, true, false},
        {"verdict", IS_VERDICT, true, true},     {"reason", IS_REASON, true, true},
        {"model", IS_MODEL, true, true},         {"id", IS_ID, false, true},
        {"golden", IS_PASSED_OVER, false, true}, {"invariants", IS_PASSED_OVER, false, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, field->text) == 0) {
            *out = (field_role){known[i].role, 0};
            return r->source ? known[i].is_point : known[i].is_stored;
        }
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (strcmp(ks_column_describe((ks_column)c)->name, field->text) == 0) {
            *out = (field_role){IS_FIGURE, c};
            return true;
        }
    *out = (field_role){IS_NAME, ks_name_find(field->text, field->length)};
    return r->source && out->index != KS_NAME_NONE;
}

/* Every role once, and those that a row cannot do without. */
static ks_status read_header(reader *r, const ks_csv_row *csv, ks_error *error) {
    bool has[IS_PASSED_OVER] = {0};
    for (size_t i = 0; i < csv->count; i++) {
        if (i == MOST_FIELDS || !find_role(r, &csv->fields[i], &r->roles[i]))
            return ks_csv_fail(error, csv, i, "found '%s', expected a column of %s",
                               csv->fields[i].text, r->source ? "points.csv" : "stored results");
        for (size_t k = 0; k < i; k++)
            if (strcmp(csv->fields[k].text, csv->fields[i].text) == 0)
                return ks_csv_fail(error, csv, i, "found %s a second time, expected it once",
                                   csv->fields[i].text);
        if (r->roles[i].role < IS_PASSED_OVER) has[r->roles[i].role] = true;
    }
    const bool is_whole = has[IS_VERDICT] && has[IS_REASON] && has[IS_MODEL] &&
                          (r->source ? has[IS_ID] : has[IS_SOURCE] && has[IS_KEY]);
    if (is_whole) return KS_OK;
    return ks_csv_fail(error, csv, 0, "found a header without %s, expected %s",
                       r->source ? "id, verdict, reason or model"
                                 : "source, key, verdict, reason or model",
                       r->source ? "a points.csv" : "stored results");
}

/* What a row says besides its figures. */
typedef struct row_texts {
    const char *source, *label, *id;
} row_texts;

static ks_status read_field(reader *r, const ks_csv_row *csv, size_t i, ks_row *row,
                            row_texts *texts, ks_error *error) {
    const ks_csv_field *field = &csv->fields[i];
    switch (r->roles[i].role) {
    case IS_SOURCE: texts->source = field->text; return KS_OK;
    case IS_MODEL: texts->label = field->text; return KS_OK;
    case IS_ID: texts->id = field->text; return KS_OK;
    case IS_PASSED_OVER: return KS_OK;
    case IS_KEY: ks_text_add(&r->key, field->text, field->length); return KS_OK;
    case IS_NAME:
        if (field->length)
            ks_text_add_format(&r->key, "%s%s=%s", r->key.length ? " " : "",
                               ks_name_text(r->roles[i].index), field->text);
        return KS_OK;
    case IS_VERDICT:
        if (ks_verdict_find(field->text, field->length, &row->verdict)) return KS_OK;
        return ks_csv_fail(error, csv, i, "found '%s', expected a verdict", field->text);
    case IS_REASON:
        if (field->length >= sizeof row->reason)
            return ks_csv_fail(error, csv, i, "found %zu characters, expected a reason",
                               field->length);
        memcpy(row->reason, field->text, field->length + 1);
        return KS_OK;
    case IS_FIGURE: break;
    }
    const ks_column column = (ks_column)r->roles[i].index;
    if (ks_row_read_cell(row, column, field->text, field->length)) return KS_OK;
    return ks_csv_fail(error, csv, i, "found '%s', expected a value of %s as kernsweep writes it",
                       field->text, ks_column_describe(column)->name);
}

/* The KEY as it would be printed; of stored rows it must stand there like that. */
static ks_status check_key(reader *r, const ks_csv_row *csv, const char *id, ks_error *error) {
    ks_point point;
    ks_error why;
    char own_id[KS_KEY_ID];
    if (ks_key_parse(ks_text_string(&r->key), r->rows->kernels, &point, &why))
        return ks_csv_fail(error, csv, 0, "%s", why.text);
    ks_text_clear(&r->again);
    ks_key_print(&r->again, r->rows->kernels, &point);
    if (r->again.has_failed) return no_memory(error);
    if (!r->source && strcmp(r->again.data, r->key.data) != 0)
        return ks_csv_fail(error, csv, 1, "found '%s', expected the KEY '%s'", r->key.data,
                           r->again.data);
    ks_key_id(own_id, r->again.data);
    if (id && strcmp(id, own_id) != 0)
        return ks_csv_fail(error, csv, 0, "found id %s, expected %s, that of '%s'", id, own_id,
                           r->again.data);
    ks_text_clear(&r->key);
    ks_text_add(&r->key, r->again.data, r->again.length);
    return KS_OK;
}

static ks_status take_line(void *self, const ks_csv_row *csv, ks_error *error) {
    reader *r = self;
    ks_row row = {.verdict = KS_VERDICT_not_run};
    row_texts texts = {.source = r->source, .label = ""};
    ks_error why;
    ks_status status = KS_OK;
    if (r->line_count++ == 0) return read_header(r, csv, error);
    ks_text_clear(&r->key);
    for (size_t i = 0; i < csv->count && !status; i++)
        status = read_field(r, csv, i, &row, &texts, error);
    if (!status) status = check_key(r, csv, texts.id, error);
    if (status) return status;
    if (r->key.has_failed) return no_memory(error);
    status = ks_adr_rows_add(r->rows, texts.source, r->key.data, texts.label, &row, &why);
    return status ? ks_csv_fail(error, csv, 0, "%s", why.text) : KS_OK;
}

static void free_reader(reader *r) {
    ks_text_free(&r->key);
    ks_text_free(&r->again);
}

ks_status ks_adr_rows_parse(ks_adr_rows *rows, const char *path, const char *bytes, size_t length,
                            ks_error *error) {
    reader r = {.rows = rows};
    const ks_status status = ks_csv_parse(path, bytes, length, take_line, &r, error);
    free_reader(&r);
    return status;
}

ks_status ks_adr_rows_parse_points(ks_adr_rows *rows, const char *source, const char *path,
                                   const char *bytes, size_t length, ks_error *error) {
    reader r = {.rows = rows, .source = source};
    const ks_status status = ks_csv_parse(path, bytes, length, take_line, &r, error);
    free_reader(&r);
    return status;
}
