#include "golden/golden_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "base/decimal.h"
#include "base/file.h"
#include "base/text_map.h"

typedef struct line {
    size_t start, length; /* of its cells, in the file's bytes */
    size_t number;
    bool is_red;
} line;

struct ks_golden {
    char *path;
    ks_golden_kind kind;
    ks_text bytes;
    ks_digest digest;
    ks_golden_head head; /* texts are owned here */
    char *model, *sweep, *defaults, *origin;
    size_t cell_count; /* of every line */
    line *lines;
    size_t count, room;
    ks_text_map *keys; /* the number of a KEY is its line */
};

/* While it is read. */
typedef struct reader {
    ks_golden *golden;
    size_t next_start; /* of the next line, in the bytes */
    size_t next_line;
    size_t end_line; /* 0: not seen yet */
    ks_digest keys;
    ks_error *error;
} reader;

void ks_golden_free(ks_golden *g) {
    if (!g) return;
    free(g->path);
    ks_text_free(&g->bytes);
    free(g->model);
    free(g->sweep);
    free(g->defaults);
    free(g->origin);
    free(g->lines);
    ks_text_map_free(g->keys);
    free(g);
}

const char *ks_golden_path(const ks_golden *g) { return g->path; }
const ks_golden_head *ks_golden_head_of(const ks_golden *g) { return &g->head; }
const ks_digest *ks_golden_digest(const ks_golden *g) { return &g->digest; }
size_t ks_golden_count(const ks_golden *g) { return g->count; }

ks_golden_line ks_golden_at(const ks_golden *g, size_t index) {
    const line *l = &g->lines[index];
    return (ks_golden_line){.key = ks_text_map_at(g->keys, index),
                            .cells = g->bytes.data + l->start,
                            .length = l->length,
                            .line = l->number,
                            .is_red = l->is_red};
}

bool ks_golden_find(const ks_golden *g, const char *key, size_t *index) {
    *index = ks_text_map_find(g->keys, key);
    return *index != KS_TEXT_MAP_NONE;
}

static ks_status no_memory(ks_error *error) {
    return ks_fail(error, KS_NO_MEMORY, "out of memory");
}

/* ---- the seals ---- */

/* Of a line of the file; of the last one with the KEYs before it, else NULL. */
static ks_status check_seal(const reader *r, const ks_csv_row *row, size_t start, size_t length,
                            const ks_digest *keys) {
    char check[KS_GOLDEN_CHECK];
    const size_t last = row->count - 1;
    ks_golden_check_of(check, r->golden->bytes.data + start, length - row->fields[last].length,
                       keys);
    if (strcmp(row->fields[last].text, check) == 0) return KS_OK;
    return ks_csv_fail(
        r->error, row, last,
        "found the check '%.40s', which does not fit %s since `kernsweep` wrote it",
        row->fields[last].text,
        keys ? "the lines before: one was lost, doubled or moved, or this one changed,"
             : "this line: it was changed");
}

/* ---- the first two lines ---- */

/* Takes `prefix` off a field. NULL, with the complaint made, where it has none. */
static const char *after(const ks_csv_row *row, size_t field, const char *prefix,
                         const char *expected, ks_error *error) {
    const size_t length = strlen(prefix);
    if (field < row->count && strncmp(row->fields[field].text, prefix, length) == 0 &&
        row->fields[field].text[length])
        return row->fields[field].text + length;
    if (field >= row->count)
        ks_fail(error, KS_INPUT, "%s:%zu: found %zu fields, expected %s as field %zu", row->path,
                row->line, row->count, expected, field + 1);
    else
        ks_csv_fail(error, row, field, "found '%.200s', expected %s", row->fields[field].text,
                    expected);
    return NULL;
}

static bool read_parts(const char *mode, const char *log, ks_golden_parts *parts) {
    for (int bits = 0; bits < 16; bits++) {
        *parts = (ks_golden_parts){bits & 1, bits & 2, bits & 4, bits & 8};
        const bool makes_sense = (parts->has_times || !(parts->has_numbers || parts->has_log)) &&
                                 (parts->has_log || !parts->has_blocks);
        if (makes_sense && strcmp(mode, ks_golden_mode_name(*parts)) == 0 &&
            strcmp(log, ks_golden_log_name(*parts)) == 0)
            return true;
    }
    return false;
}

static ks_status check_defaults(const ks_csv_row *row, const char *digest, const char *defaults,
                                ks_error *error) {
    char digits[KS_DIGEST_HEX];
    const ks_digest own = ks_digest_of(defaults, strlen(defaults));
    ks_digest_print(digits, &own);
    if (strcmp(digits, digest) == 0) return KS_OK;
    return ks_csv_fail(error, row, 5,
                       "found another digest than that of the defaults beside it, %s", digits);
}

static ks_status keep_head(ks_golden *g, const char *model, const char *sweep, const char *defaults,
                           const char *origin, ks_error *error) {
    g->model = strdup(model);
    g->sweep = strdup(sweep);
    g->defaults = strdup(defaults);
    g->origin = origin ? strdup(origin) : NULL;
    if (!g->model || !g->sweep || !g->defaults || (origin && !g->origin)) return no_memory(error);
    g->head.model = g->model;
    g->head.sweep = g->sweep;
    g->head.defaults = g->defaults;
    g->head.origin = g->origin;
    while (ks_golden_cell_name(&g->head, g->cell_count)) g->cell_count++;
    return KS_OK;
}

static ks_status check_empty(const ks_csv_row *row, size_t from, ks_error *error) {
    for (size_t i = from; i + 1 < row->count; i++)
        if (row->fields[i].length)
            return ks_csv_fail(error, row, i, "found '%.200s', expected nothing",
                               row->fields[i].text);
    return KS_OK;
}

static ks_status take_head(reader *r, const ks_csv_row *row) {
    const bool is_golden = r->golden->kind == KS_GOLDEN_BLESSED;
    const char *format =
        after(row, 0, is_golden ? "kernsweep golden " : "kernsweep observed ",
              is_golden ? "'kernsweep golden 1'" : "'kernsweep observed 1'", r->error);
    if (!format) return KS_INPUT;
    if (strcmp(format, "1") != 0)
        return ks_csv_fail(r->error, row, 0,
                           "found format %s, expected 1, which this program knows", format);
    const char *model = after(row, 1, "model ", "'model VERSION'", r->error);
    const char *sweep = model ? after(row, 2, "", "the name of a sweep", r->error) : NULL;
    const char *mode = sweep ? after(row, 3, "mode ", "'mode MODE'", r->error) : NULL;
    const char *log = mode ? after(row, 4, "op_log ", "'op_log WHAT'", r->error) : NULL;
    const char *digest = log ? after(row, 5, "defaults ", "'defaults DIGEST'", r->error) : NULL;
    const char *defaults = digest ? after(row, 6, "", "the defaults", r->error) : NULL;
    const char *origin = defaults && !is_golden ? after(row, 7, "", "who made it", r->error) : NULL;
    if (!defaults || (!is_golden && !origin)) return KS_INPUT;
    if (!read_parts(mode, log, &r->golden->head.parts))
        return ks_csv_fail(r->error, row, 3,
                           "found mode '%s' with op_log '%s', expected dispatch, timing or data "
                           "with none, digest or blocks",
                           mode, log);
    ks_status status = check_defaults(row, digest, defaults, r->error);
    if (!status) status = check_empty(row, is_golden ? 7 : 8, r->error);
    return status ? status : keep_head(r->golden, model, sweep, defaults, origin, r->error);
}

static ks_status take_names(const reader *r, const ks_csv_row *row) {
    const ks_golden *g = r->golden;
    for (size_t i = 0; i < row->count || i < g->cell_count; i++) {
        const char *expected = ks_golden_cell_name(&g->head, i);
        if (i >= row->count)
            return ks_fail(r->error, KS_INPUT, "%s:%zu: found %zu columns, expected %zu: '%s' next",
                           row->path, row->line, row->count, g->cell_count, expected);
        if (!expected)
            return ks_csv_fail(r->error, row, i, "found column '%.200s', expected no more",
                               row->fields[i].text);
        if (strcmp(row->fields[i].text, expected) != 0)
            return ks_csv_fail(r->error, row, i, "found column '%.200s', expected '%s'",
                               row->fields[i].text, expected);
    }
    return KS_OK;
}

/* ---- points and the end ---- */

static bool make_room(ks_golden *g) {
    if (g->count < g->room) return true;
    const size_t room = g->room ? 2 * g->room : 256;
    line *lines = realloc(g->lines, room * sizeof *lines);
    if (!lines) return false;
    g->lines = lines;
    g->room = room;
    return true;
}

static ks_status check_cells(const reader *r, const ks_csv_row *row) {
    const ks_golden_head *head = &r->golden->head;
    ks_row scratch = {.has = 0};
    ks_log_blocks blocks;
    const size_t blocks_at = row->count - 2 - (head->origin != NULL);
    if (!row->fields[0].length)
        return ks_csv_fail(r->error, row, 0, "found nothing, expected a KEY");
    if (!ks_verdict_find(row->fields[1].text, row->fields[1].length, &scratch.verdict))
        return ks_csv_fail(r->error, row, 1, "found '%.200s', expected a verdict",
                           row->fields[1].text);
    if (row->fields[2].length >= KS_REASON_BYTES)
        return ks_csv_fail(r->error, row, 2, "found a reason of %zu bytes, expected at most %d",
                           row->fields[2].length, KS_REASON_BYTES - 1);
    size_t at = KS_GOLDEN_FIRST_FIGURE;
    const uint64_t columns = ks_golden_columns(head->parts);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        if (!(columns >> c & 1)) continue;
        const ks_csv_field *field = &row->fields[at];
        if (!ks_row_read_cell(&scratch, (ks_column)c, field->text, field->length))
            return ks_csv_fail(r->error, row, at, "found '%.200s' as %s, expected it as printed",
                               field->text, ks_column_describe((ks_column)c)->name);
        at++;
    }
    if (!head->parts.has_blocks) return KS_OK;
    const ks_csv_field *field = &row->fields[blocks_at];
    if (!ks_log_blocks_parse(&blocks,
                             ks_row_has(&scratch, KS_COL_oplog_records)
                                 ? scratch.figures[KS_COL_oplog_records].count
                                 : 0,
                             field->text, field->length))
        return ks_csv_fail(r->error, row, blocks_at,
                           "found '%.80s', expected four hex digits for each block of the op_log",
                           field->text);
    return KS_OK;
}

static ks_status check_red(const reader *r, const ks_csv_row *row, bool *is_red) {
    const size_t at = row->count - 2;
    *is_red = false;
    if (!r->golden->head.origin) return KS_OK;
    *is_red = strcmp(row->fields[at].text, "red") == 0;
    if (*is_red || !row->fields[at].length) return KS_OK;
    return ks_csv_fail(r->error, row, at, "found '%.200s', expected 'red' or nothing",
                       row->fields[at].text);
}

static ks_status take_point(reader *r, const ks_csv_row *row, size_t start, size_t length) {
    ks_golden *g = r->golden;
    bool is_red;
    size_t index;
    if (ks_golden_find(g, row->fields[0].text, &index))
        return ks_csv_fail(r->error, row, 0, "this KEY is already in line %zu",
                           g->lines[index].number);
    ks_status status = check_seal(r, row, start, length, NULL);
    if (!status) status = check_cells(r, row);
    if (!status) status = check_red(r, row, &is_red);
    if (status) return status;
    if (!make_room(g) || ks_text_map_add(g->keys, row->fields[0].text) == KS_TEXT_MAP_NONE)
        return no_memory(r->error);
    ks_golden_seal_key(&r->keys, row->fields[0].text, row->fields[0].length);
    size_t cells = length - row->fields[row->count - 1].length - 1;
    if (g->head.origin) cells -= row->fields[row->count - 2].length + 1;
    g->lines[g->count++] =
        (line){.start = start, .length = cells, .number = row->line, .is_red = is_red};
    return KS_OK;
}

static ks_status take_end(reader *r, const ks_csv_row *row, size_t start, size_t length) {
    uint64_t count;
    if (!ks_u64_parse(row->fields[1].text, row->fields[1].length, &count) ||
        count != r->golden->count)
        return ks_csv_fail(r->error, row, 1, "found %zu points before, expected '%.40s'",
                           r->golden->count, row->fields[1].text);
    r->end_line = row->line;
    const ks_status status = check_empty(row, 2, r->error);
    return status ? status : check_seal(r, row, start, length, &r->keys);
}

static ks_status take(void *self, const ks_csv_row *row, ks_error *error) {
    reader *r = self;
    const size_t start = r->next_start;
    const char *begin = r->golden->bytes.data + start;
    const char *feed = memchr(begin, '\n', r->golden->bytes.length - start);
    const size_t length = (size_t)(feed - begin);
    if (row->line != ++r->next_line)
        return ks_fail(error, KS_INPUT, "%s:%zu: found a line end in a field, expected none",
                       row->path, r->next_line - 1);
    if (memchr(begin, '"', length))
        return ks_fail(error, KS_INPUT, "%s:%zu: found a quote, expected cells without", row->path,
                       row->line);
    r->next_start = start + length + 1;
    if (r->end_line)
        return ks_fail(error, KS_INPUT, "%s:%zu: found a line, expected none after the line 'end'",
                       row->path, row->line);
    if (row->line == 1) {
        const ks_status status = take_head(r, row);
        return status ? status : check_seal(r, row, start, length, NULL);
    }
    if (row->line == 2) return take_names(r, row);
    if (strcmp(row->fields[0].text, "end") == 0) return take_end(r, row, start, length);
    return take_point(r, row, start, length);
}

static ks_status parse(ks_golden *g, const char *path, ks_error *error) {
    reader r = {.golden = g, .error = error};
    g->keys = ks_text_map_new();
    g->path = strdup(path);
    if (!g->keys || !g->path) return no_memory(error);
    g->digest = ks_digest_of(ks_text_string(&g->bytes), g->bytes.length);
    const ks_status status =
        ks_csv_parse(path, ks_text_string(&g->bytes), g->bytes.length, take, &r, error);
    if (status || r.end_line) return status;
    return ks_fail(error, KS_INPUT,
                   "%s:%zu: found the end of the file, expected the line 'end': it was cut short",
                   path, r.next_line + 1);
}

ks_status ks_golden_parse(const char *path, ks_text bytes, ks_golden_kind kind, ks_golden **out,
                          ks_error *error) {
    ks_golden *g = calloc(1, sizeof *g);
    *out = g;
    if (!g) {
        ks_text_free(&bytes);
        return no_memory(error);
    }
    g->bytes = bytes;
    g->kind = kind;
    const ks_status status = parse(g, path, error);
    if (!status) return KS_OK;
    ks_golden_free(g);
    *out = NULL;
    return status;
}

ks_status ks_golden_read(const char *path, ks_golden_kind kind, ks_golden **out, ks_error *error) {
    ks_text bytes = {0};
    *out = NULL;
    const ks_status status = ks_file_read_stored(path, KS_GOLDEN_FILE_LIMIT, &bytes, error);
    if (!status) return ks_golden_parse(path, bytes, kind, out, error);
    ks_text_free(&bytes);
    return status;
}

void ks_golden_row_of(const ks_golden *g, size_t index, ks_row *row, ks_log_blocks *blocks) {
    const ks_golden_line l = ks_golden_at(g, index);
    const char *cell = l.cells, *end = l.cells + l.length;
    *row = (ks_row){.verdict = KS_VERDICT_not_run};
    ks_log_blocks_begin(blocks);
    for (size_t i = 0; cell <= end; i++) {
        const char *comma = memchr(cell, ',', (size_t)(end - cell));
        const size_t length = (size_t)((comma ? comma : end) - cell);
        const ks_column column = ks_golden_cell_column(g->head.parts, i);
        /* What was read once reads again. */
        if (i == 1 && !ks_verdict_find(cell, length, &row->verdict)) KS_BUG("a verdict");
        if (i == 2) memcpy(row->reason, cell, length);
        if (column != KS_COLUMN_COUNT && !ks_row_read_cell(row, column, cell, length))
            KS_BUG("a figure of %s", l.key);
        if (i > 2 && column == KS_COLUMN_COUNT && ks_row_has(row, KS_COL_oplog_records) &&
            !ks_log_blocks_parse(blocks, row->figures[KS_COL_oplog_records].count, cell, length))
            KS_BUG("blocks of %s", l.key);
        cell += length + 1;
    }
}
