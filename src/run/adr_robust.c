#include "run/adr_robust.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "base/exact_text.h"
#include "sweep/name.h"

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

/* What a verdict leaves of a gate that passes: without a flip, with one in a range but beyond the box,
 * and with one that may be in the box. A sample may well miss that one; a proof does not. */
static const struct {
    const char *name;
    ks_adr_result without_flip, beyond_box, in_box;
} verdicts[] = {
    {"proved-pass", KS_ADR_PASS, KS_ADR_PASS, KS_ADR_PASS},
    {"sampled", KS_ADR_PASS, KS_ADR_PASS, KS_ADR_FRAGILE},
    {"pass", KS_ADR_PASS, KS_ADR_FRAGILE, KS_ADR_FRAGILE}, /* at the base; no box was asked for */
    {"undecided", KS_ADR_UNDECIDED, KS_ADR_FRAGILE, KS_ADR_FRAGILE},
    {"unknown", KS_ADR_UNDECIDED, KS_ADR_UNDECIDED, KS_ADR_UNDECIDED},
    {"mixed", KS_ADR_FRAGILE, KS_ADR_FRAGILE, KS_ADR_FRAGILE},
    {"proved-fail", KS_ADR_FRAGILE, KS_ADR_FRAGILE, KS_ADR_FRAGILE},
    {"fail", KS_ADR_FRAGILE, KS_ADR_FRAGILE, KS_ADR_FRAGILE},
};
enum { VERDICT_COUNT = sizeof verdicts / sizeof verdicts[0] };

/* VERDICT_COUNT: no verdict of a study. */
static size_t find_verdict(const char *name) {
    size_t v = 0;
    while (v < VERDICT_COUNT && strcmp(verdicts[v].name, name) != 0) v++;
    return v;
}

/* Of a box of per cent around the base; of any other it is not known. */
static bool is_beyond_box(const ks_adr_robust_line *line) {
    char *ends[2];
    if (strncmp(line->box, "+-", 2) != 0) return false;
    const double box = strtod(line->box + 2, &ends[0]);
    const double flip = strtod(line->nearest_flip_percent, &ends[1]);
    const bool are_numbers = ends[0] != line->box + 2 && ends[1] != line->nearest_flip_percent;
    return are_numbers && (flip > box || flip < -box);
}

ks_adr_result ks_adr_robust_result(const ks_adr_robust_line *line) {
    const size_t v = find_verdict(line->verdict);
    if (v == VERDICT_COUNT) return KS_ADR_UNDECIDED;
    if (!*line->nearest_flip_constant) return verdicts[v].without_flip;
    return is_beyond_box(line) ? verdicts[v].beyond_box : verdicts[v].in_box;
}

enum { COLUMN_COUNT = sizeof names / sizeof names[0], PLANE_COLUMNS = 3 };

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
    const size_t wanted = r->study ? COLUMN_COUNT - PLANE_COLUMNS : COLUMN_COUNT;
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
    if (found == wanted) return KS_OK;
    return ks_csv_fail(error, csv, 0, "found %zu of the %zu columns that robustness.csv has", found,
                       wanted);
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

/* The field that a cell came from. */
static size_t field_of(const reader *r, const ks_csv_row *csv, const char *const *cell) {
    const ks_adr_robust_line *line = &r->robust->items[r->robust->count];
    const size_t offset = (size_t)((const char *)cell - (const char *)line);
    size_t i = r->study ? 0 : 1;
    while (i + 1 < csv->count && (r->columns[i] == PASSED_OVER || offsets[r->columns[i]] != offset))
        i++;
    return i;
}

static ks_status take_line(void *self, const ks_csv_row *csv, ks_error *error) {
    reader *r = self;
    if (r->line_count++ == 0) return read_header(r, csv, error);
    if (!make_room(r->robust)) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_adr_robust_line *line = &r->robust->items[r->robust->count];
    ks_arena *arena = r->robust->arena;
    line->study = ks_arena_text(arena, r->study ? r->study : csv->fields[0].text);
    bool is_fine = line->study != NULL;
    for (int c = 0; c < COLUMN_COUNT; c++) *cell_of(line, c) = "";
    for (size_t i = r->study ? 0 : 1; i < csv->count; i++) {
        if (r->columns[i] == PASSED_OVER) continue;
        const char **cell = cell_of(line, r->columns[i]);
        *cell = ks_arena_text(arena, csv->fields[i].text);
        is_fine &= *cell != NULL;
    }
    if (!is_fine) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (find_verdict(line->verdict) == VERDICT_COUNT)
        return ks_csv_fail(error, csv, field_of(r, csv, &line->verdict),
                           "found '%s', expected a verdict of a study: proved-pass, mixed, ...",
                           line->verdict);
    r->robust->count++;
    return KS_OK;
}

ks_status ks_adr_robust_copy(ks_adr_robust *robust, const ks_adr_robust *from, const char *study,
                             ks_error *error) {
    bool is_fine = true;
    for (size_t i = 0; i < from->count && is_fine; i++) {
        if (strcmp(from->items[i].study, study) != 0) continue;
        is_fine = make_room(robust);
        if (!is_fine) break;
        ks_adr_robust_line *line = &robust->items[robust->count++];
        line->study = ks_arena_text(robust->arena, study);
        is_fine = line->study != NULL;
        for (int c = 0; c < COLUMN_COUNT; c++) {
            const char **cell = cell_of(line, c);
            *cell = ks_arena_text(robust->arena, text_of(&from->items[i], c));
            is_fine &= *cell != NULL;
        }
    }
    return is_fine ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
}

ks_status ks_adr_robust_take(ks_adr_robust *robust, const char *study, const char *path,
                             const char *bytes, size_t length, ks_error *error) {
    reader r = {.robust = robust, .study = study};
    return ks_csv_parse(path, bytes, length, take_line, &r, error);
}

/* ---- half-planes ---- */

typedef struct plane_reader {
    ks_adr_robust *robust;
    const char *study;
    size_t figure, cells[PLANE_COLUMNS]; /* fields */
    size_t line_count;
} plane_reader;

static bool find_field(const ks_csv_row *csv, const char *name, size_t *field) {
    for (*field = 0; *field < csv->count; ++*field)
        if (strcmp(csv->fields[*field].text, name) == 0) return true;
    return false;
}

static ks_status take_plane(void *self, const ks_csv_row *csv, ks_error *error) {
    plane_reader *r = self;
    const int first = COLUMN_COUNT - PLANE_COLUMNS;
    if (r->line_count++ == 0) {
        bool is_whole = find_field(csv, "figure", &r->figure);
        for (int i = 0; i < PLANE_COLUMNS; i++)
            is_whole &= find_field(csv, names[first + i], &r->cells[i]);
        return is_whole ? KS_OK
                        : ks_csv_fail(error, csv, 0,
                                      "found no figure, passes_where, range_low or "
                                      "range_high, expected half-planes.csv");
    }
    for (size_t i = 0; i < r->robust->count; i++) {
        ks_adr_robust_line *line = &r->robust->items[i];
        if (strcmp(line->study, r->study) != 0 ||
            strcmp(line->figure, csv->fields[r->figure].text) != 0)
            continue;
        for (int c = 0; c < PLANE_COLUMNS; c++) {
            const char **cell = cell_of(line, first + c);
            *cell = ks_arena_text(r->robust->arena, csv->fields[r->cells[c]].text);
            if (!*cell) return ks_fail(error, KS_NO_MEMORY, "out of memory");
        }
        return KS_OK;
    }
    return ks_csv_fail(error, csv, r->figure, "found '%s', expected a figure of robustness.csv",
                       csv->fields[r->figure].text);
}

ks_status ks_adr_robust_take_planes(ks_adr_robust *robust, const char *study, const char *path,
                                    const char *bytes, size_t length, ks_error *error) {
    plane_reader r = {.robust = robust, .study = study};
    return ks_csv_parse(path, bytes, length, take_plane, &r, error);
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
    const ks_adr_robust_line *weakest = NULL;
    *is_known = false;
    for (size_t i = 0; i < robust->count; i++) {
        const ks_adr_robust_line *line = &robust->items[i];
        if (*figure && strcmp(line->figure, figure) != 0) continue;
        *is_known = true;
        if (has_operator(line, op) && is_double_of(line->base_value, value) &&
            is_double_of(line->limit, limit) &&
            (!weakest || ks_adr_robust_result(line) > ks_adr_robust_result(weakest)))
            weakest = line;
    }
    return weakest;
}

/* `63/16` as 3.9375; what has no short decimal as `15353/387 (39.67)`. */
static void say_fraction(ks_text *out, const char *text) {
    const char *slash = strchr(text, '/');
    ks_exact num, den;
    if (!slash || !ks_exact_parse(text, (size_t)(slash - text), &num) ||
        !ks_exact_parse(slash + 1, strlen(slash + 1), &den) || ks_exact_sign(&den) == 0) {
        ks_text_add_string(out, text);
        return;
    }
    ks_exact value = ks_exact_div(&num, &den);
    if (!ks_exact_add_shortest(out, &value, 4)) {
        ks_text_add_format(out, "%s (", text);
        ks_exact_add_digits(out, &value, 4);
        ks_text_add_char(out, ')');
    }
    ks_exact_free(&num);
    ks_exact_free(&den);
    ks_exact_free(&value);
}

/* Three digits of a double's text. */
static void say_percent(ks_text *out, const char *text) {
    char *end;
    const double percent = strtod(text, &end);
    if (*end || percent - percent != 0) {
        ks_text_add_format(out, "%s %%", text);
        return;
    }
    ks_exact value = ks_exact_of_double(percent);
    ks_exact_add_digits(out, &value, 3);
    ks_text_add_string(out, " %");
    ks_exact_free(&value);
}

static void say_flip(ks_text *out, const ks_adr_robust_line *line) {
    ks_text_add_format(out, "; nearest flip at %s ", line->nearest_flip_constant);
    say_fraction(out, line->nearest_flip_value);
    if (!*line->nearest_flip_percent) return;
    ks_text_add_string(out, line->nearest_flip_percent[0] == '-' ? " (" : " (+");
    say_percent(out, line->nearest_flip_percent);
    ks_text_add_char(out, ')');
}

/* The constants of a corner, which its KEYs, parted by `|`, share: what --set takes. */
static void say_corner(ks_text *out, const char *keys) {
    ks_text corner = {0};
    for (const char *word = keys; *word && *word != '|';) {
        const size_t length = strcspn(word, " |");
        const ks_name name = ks_name_find(word, strcspn(word, "="));
        if (name >= KS_NAME_CONSTANTS && name < KS_NAME_COUNT)
            ks_text_add_format(&corner, " %.*s", (int)length, word);
        word += length + strspn(word + length, " ");
    }
    ks_text_add_format(out, "; worst corner%s%s", corner.length ? "" : " ",
                       corner.length ? ks_text_string(&corner) : keys);
    out->has_failed |= corner.has_failed;
    ks_text_free(&corner);
}

static void say_plane(ks_text *out, const ks_adr_robust_line *line) {
    ks_text_add_format(out, "holds exactly where %s", line->passes_where);
    if (*line->range_low && *line->range_high)
        ks_text_add_format(out, "; from %s to %s over all calibrations", line->range_low,
                           line->range_high);
}

void ks_adr_robust_say(ks_text *out, const ks_adr_robust_line *line) {
    const bool has_box = *line->box && strcmp(line->box, "base") != 0;
    if (*line->passes_where) say_plane(out, line);
    if (has_box)
        ks_text_add_format(out, "%s%s over %s (%s)", *line->passes_where ? "; " : "", line->verdict,
                           line->box, line->method);
    else if (!*line->passes_where && !*line->nearest_flip_constant)
        ks_text_add_string(out, "at the base alone");
    else if (!*line->passes_where)
        ks_text_add_string(out, "not over its ranges");
    if (*line->radius_percent) {
        ks_text_add_string(out, "; radius ");
        say_percent(out, line->radius_percent);
    }
    if (*line->nearest_flip_constant) say_flip(out, line);
    if (ks_adr_robust_result(line) == KS_ADR_FRAGILE && *line->worst_corner)
        say_corner(out, line->worst_corner);
}
