#include "run/adr_robust.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"

enum { MOST_FIELDS = 64, PASSED_OVER = -1 };

static const char *const names[] = {
#define X(name) #name,
    KS_ADR_ROBUST_MAP(X)
#undef X
};

static const size_t offsets[] = {
#define X(name) offsetof(ks_adr_robust_line, name),
    KS_ADR_ROBUST_MAP(X)
#undef X
};

enum { COLUMN_COUNT = sizeof names / sizeof names[0] };

static const char **cell_of(ks_adr_robust_line *line, int column) {
    return (const char **)((char *)line + offsets[column]);
}

static const char *text_of(const ks_adr_robust_line *line, int column) {
    return *(const char *const *)((const char *)line + offsets[column]);
}

void ks_adr_robust_free(ks_adr_robust *robust) {
    ks_arena_free(robust->arena);
    free(robust->items);
    *robust = (ks_adr_robust){0};
}

/* ---- reading ---- */

typedef struct reader {
    ks_adr_robust *robust;
    const char *study;        /* NULL: in the first field */
    int columns[MOST_FIELDS]; /* by field */
    size_t line_count;
} reader;

static ks_status read_header(reader *r, const ks_csv_row *csv, ks_error *error) {
    const size_t first = r->study ? 0 : 1;
    size_t found = 0;
    if (csv->count > MOST_FIELDS)
        return ks_csv_fail(error, csv, 0, "found %zu fields, expected robustness.csv", csv->count);
    if (!r->study && strcmp(csv->fields[0].text, "study") != 0)
        return ks_csv_fail(error, csv, 0, "found '%s', expected study", csv->fields[0].text);
    for (size_t i = first; i < csv->count; i++) {
        r->columns[i] = PASSED_OVER;
        for (int c = 0; c < COLUMN_COUNT; c++)
            if (strcmp(csv->fields[i].text, names[c]) == 0) r->columns[i] = c;
        found += r->columns[i] != PASSED_OVER;
        for (size_t k = first; k < i; k++)
            if (strcmp(csv->fields[k].text, csv->fields[i].text) == 0)
                return ks_csv_fail(error, csv, i, "found %s a second time, expected it once",
                                   csv->fields[i].text);
    }
    if (found == COLUMN_COUNT) return KS_OK;
    return ks_csv_fail(error, csv, 0, "found %zu of the %d columns that robustness.csv has", found,
                       COLUMN_COUNT);
}

static bool make_room(ks_adr_robust *robust) {
    if (!robust->arena) robust->arena = ks_arena_new(1 << 12);
    if (!robust->arena || robust->count < robust->room) return robust->arena != NULL;
    const size_t room = robust->room ? 2 * robust->room : 16;
    ks_adr_robust_line *items = realloc(robust->items, room * sizeof *items);
    if (!items) return false;
    robust->items = items;
    robust->room = room;
    return true;
}

static ks_status take_line(void *self, const ks_csv_row *csv, ks_error *error) {
    reader *r = self;
    if (r->line_count++ == 0) return read_header(r, csv, error);
    if (!make_room(r->robust)) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_adr_robust_line *line = &r->robust->items[r->robust->count];
    ks_arena *arena = r->robust->arena;
    line->study = ks_arena_text(arena, r->study ? r->study : csv->fields[0].text);
    bool is_fine = line->study != NULL;
    for (size_t i = r->study ? 0 : 1; i < csv->count; i++) {
        if (r->columns[i] == PASSED_OVER) continue;
        const char **cell = cell_of(line, r->columns[i]);
        *cell = ks_arena_text(arena, csv->fields[i].text);
        is_fine &= *cell != NULL;
    }
    if (!is_fine) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    r->robust->count++;
    return KS_OK;
}

ks_status ks_adr_robust_take(ks_adr_robust *robust, const char *study, const char *path,
                             const char *bytes, size_t length, ks_error *error) {
    reader r = {.robust = robust, .study = study};
    return ks_csv_parse(path, bytes, length, take_line, &r, error);
}

ks_status ks_adr_robust_parse(ks_adr_robust *robust, const char *path, const char *bytes,
                              size_t length, ks_error *error) {
    reader r = {.robust = robust};
    return ks_csv_parse(path, bytes, length, take_line, &r, error);
}

void ks_adr_robust_print(ks_text *out, const ks_adr_robust *robust) {
    ks_text_add_string(out, "study");
    for (int c = 0; c < COLUMN_COUNT; c++) ks_text_add_format(out, ",%s", names[c]);
    ks_text_add_char(out, '\n');
    for (size_t i = 0; i < robust->count; i++) {
        ks_text_add_csv(out, robust->items[i].study);
        for (int c = 0; c < COLUMN_COUNT; c++) {
            ks_text_add_char(out, ',');
            ks_text_add_csv(out, text_of(&robust->items[i], c));
        }
        ks_text_add_char(out, '\n');
    }
}

/* ---- asking ---- */

/* robustness.csv has the nearest doubles. */
static bool is_double_of(const char *text, const ks_exact *value) {
    char *end;
    const double real = strtod(text, &end);
    return end != text && *end == '\0' && real == ks_exact_double(value);
}

/* The gate of a study is `OP LIMIT`. */
static bool has_operator(const ks_adr_robust_line *line, const char *op) {
    const char *at = line->gate + strspn(line->gate, " ");
    return strspn(at, "<>=!") == strlen(op) && strncmp(at, op, strlen(op)) == 0;
}

const ks_adr_robust_line *ks_adr_robust_find(const ks_adr_robust *robust, const char *figure,
                                             const ks_exact *value, const char *op,
                                             const ks_exact *limit, bool *is_known) {
    *is_known = false;
    for (size_t i = 0; i < robust->count; i++) {
        const ks_adr_robust_line *line = &robust->items[i];
        if (*figure && strcmp(line->figure, figure) != 0) continue;
        *is_known = true;
        if (has_operator(line, op) && is_double_of(line->base_value, value) &&
            is_double_of(line->limit, limit))
            return line;
    }
    return NULL;
}

static bool is_one_of(const char *text, const char *a, const char *b) {
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

bool ks_adr_robust_is_fragile(const ks_adr_robust_line *line) {
    if (is_one_of(line->verdict, "mixed", "proved-fail")) return true;
    return is_one_of(line->verdict, "pass", "undecided") && *line->nearest_flip_constant;
}

static void say_flip(ks_text *out, const ks_adr_robust_line *line) {
    ks_text_add_format(out, "; nearest flip at %s %s", line->nearest_flip_constant,
                       line->nearest_flip_value);
    if (!*line->nearest_flip_percent) return;
    const bool has_sign = strchr("+-", line->nearest_flip_percent[0]) != NULL;
    ks_text_add_format(out, " (%s%.7s %%)", has_sign ? "" : "+", line->nearest_flip_percent);
}

void ks_adr_robust_say(ks_text *out, const ks_adr_robust_line *line) {
    const bool has_box = *line->box && strcmp(line->box, "base") != 0;
    if (has_box)
        ks_text_add_format(out, "%s over %s (%s)", line->verdict, line->box, line->method);
    else
        ks_text_add_string(out, "at the base alone");
    if (*line->radius_percent)
        ks_text_add_format(out, "; proved radius %.7s %%", line->radius_percent);
    if (*line->nearest_flip_constant) say_flip(out, line);
    if (ks_adr_robust_is_fragile(line) && *line->worst_corner)
        ks_text_add_format(out, "; worst corner %s", line->worst_corner);
}
