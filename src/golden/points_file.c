#include "golden/points_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "base/file.h"
#include "base/text_map.h"
#include "golden/golden_file.h"

static const char csv_begin[] = "id,verdict,reason,model,kernel,";
enum { FIRST_PARAM = 5, LAST_FIELDS = 2 /* golden, invariants */ };

struct ks_points {
    ks_golden *golden; /* NULL: points.csv */
    ks_text_map *ids;  /* by line */
    ks_text texts;     /* of a line: KEY, kernel, then the cells, each with its NUL */
    size_t *starts;    /* of lines in texts */
    size_t count, room;
    uint64_t columns;

    /* While points.csv is read. */
    ks_text names; /* of parameters, each with its NUL */
    size_t param_count;
};

bool ks_points_is_csv(const char *bytes, size_t length) {
    const size_t wanted = sizeof csv_begin - 1;
    return length >= wanted && memcmp(bytes, csv_begin, wanted) == 0;
}

bool ks_points_is_golden(const char *bytes, size_t length) {
    static const char begin[] = "kernsweep golden ";
    return length >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0;
}

void ks_points_free(ks_points *p) {
    if (!p) return;
    ks_golden_free(p->golden);
    ks_text_map_free(p->ids);
    ks_text_free(&p->texts);
    ks_text_free(&p->names);
    free(p->starts);
    free(p);
}

static ks_points *new_points(void) {
    ks_points *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->ids = ks_text_map_new();
    if (p->ids) return p;
    ks_points_free(p);
    return NULL;
}

static void add_text(ks_text *out, const char *text) { ks_text_add(out, text, strlen(text) + 1); }

static bool begin_line(ks_points *p) {
    if (p->count == p->room) {
        const size_t room = p->room ? 2 * p->room : 1024;
        size_t *starts = realloc(p->starts, room * sizeof *starts);
        if (!starts) return false;
        p->starts = starts;
        p->room = room;
    }
    p->starts[p->count++] = p->texts.length;
    return true;
}

/* ---- points.csv ---- */

static ks_status read_header(ks_points *p, const ks_csv_row *row, ks_error *error) {
    const size_t fixed = FIRST_PARAM + KS_COLUMN_COUNT + LAST_FIELDS;
    if (row->count < fixed)
        return ks_csv_fail(error, row, 0, "found %zu columns, expected at least %zu", row->count,
                           fixed);
    p->param_count = row->count - fixed;
    for (size_t i = 0; i < row->count; i++) {
        static const char *const firsts[] = {"id", "verdict", "reason", "model", "kernel"};
        static const char *const lasts[] = {"golden", "invariants"};
        const size_t after = FIRST_PARAM + p->param_count;
        const char *wanted = i < FIRST_PARAM ? firsts[i]
                             : i < after     ? NULL
                             : i < row->count - LAST_FIELDS
                                 ? ks_column_describe((ks_column)(i - after))->name
                                 : lasts[i - (row->count - LAST_FIELDS)];
        if (wanted && strcmp(wanted, row->fields[i].text) != 0)
            return ks_csv_fail(error, row, i, "found column '%.40s', expected '%s'",
                               row->fields[i].text, wanted);
        if (!wanted) add_text(&p->names, row->fields[i].text);
    }
    return p->names.has_failed ? KS_NO_MEMORY : KS_OK;
}

static ks_status read_cells(ks_points *p, const ks_csv_row *row, ks_error *error) {
    ks_row read = {.has = 0};
    const size_t first = FIRST_PARAM + p->param_count;
    if (!ks_verdict_find(row->fields[1].text, row->fields[1].length, &read.verdict))
        return ks_csv_fail(error, row, 1, "found '%.40s', expected a verdict", row->fields[1].text);
    if (row->fields[2].length >= sizeof read.reason)
        return ks_csv_fail(error, row, 2, "found %zu bytes, expected fewer than %zu",
                           row->fields[2].length, sizeof read.reason);
    if (row->fields[row->count - 1].length >= sizeof read.invariants)
        return ks_csv_fail(error, row, row->count - 1, "found too many bytes");
    for (size_t c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_csv_field *field = &row->fields[first + c];
        if (!ks_row_read_cell(&read, (ks_column)c, field->text, field->length))
            return ks_csv_fail(error, row, first + c, "found '%.40s', expected a value of %s",
                               field->text, ks_column_describe((ks_column)c)->name);
    }
    p->columns |= read.has;
    return KS_OK;
}

static void add_key(ks_points *p, const ks_csv_row *row) {
    const char *name = ks_text_string(&p->names);
    ks_text_add_format(&p->texts, "kernel=%s", row->fields[4].text);
    for (size_t i = 0; i < p->param_count; i++, name += strlen(name) + 1)
        if (row->fields[FIRST_PARAM + i].length)
            ks_text_add_format(&p->texts, " %s=%s", name, row->fields[FIRST_PARAM + i].text);
    ks_text_add_char(&p->texts, '\0');
}

static ks_status take_row(void *self, const ks_csv_row *row, ks_error *error) {
    ks_points *p = self;
    if (row->line == 1) return read_header(p, row, error);
    ks_status status = read_cells(p, row, error);
    if (status) return status;
    if (row->fields[0].length != 16 || strspn(row->fields[0].text, "0123456789abcdef") != 16)
        return ks_csv_fail(error, row, 0, "found '%.40s', expected 16 hex digits",
                           row->fields[0].text);
    const size_t number = ks_text_map_add(p->ids, row->fields[0].text);
    if (number != KS_TEXT_MAP_NONE && number < p->count)
        return ks_csv_fail(error, row, 0, "found point %s a second time", row->fields[0].text);
    if (number == KS_TEXT_MAP_NONE || !begin_line(p)) return KS_NO_MEMORY;
    add_key(p, row);
    add_text(&p->texts, row->fields[4].text);
    add_text(&p->texts, row->fields[1].text);
    add_text(&p->texts, row->fields[2].text);
    for (size_t c = 0; c < KS_COLUMN_COUNT; c++)
        add_text(&p->texts, row->fields[FIRST_PARAM + p->param_count + c].text);
    add_text(&p->texts, row->fields[row->count - 1].text);
    return p->texts.has_failed ? KS_NO_MEMORY : KS_OK;
}

ks_status ks_points_read(const char *path, ks_points **out, ks_error *error) {
    ks_points *p = *out = new_points();
    ks_status status =
        p ? ks_csv_read(path, KS_POINTS_FILE_LIMIT, take_row, p, error) : KS_NO_MEMORY;
    if (status == KS_NO_MEMORY) ks_fail(error, status, "out of memory");
    return status;
}

/* ---- a golden ---- */

static ks_status add_golden_line(ks_points *p, const char *key) {
    char hex[KS_DIGEST_HEX];
    const ks_digest digest = ks_digest_of(key, strlen(key));
    const char *kernel = strncmp(key, "kernel=", 7) == 0 ? key + 7 : key;
    ks_digest_print(hex, &digest);
    hex[16] = '\0';
    if (ks_text_map_add(p->ids, hex) == KS_TEXT_MAP_NONE || !begin_line(p)) return KS_NO_MEMORY;
    add_text(&p->texts, key);
    ks_text_add(&p->texts, kernel, strcspn(kernel, " "));
    ks_text_add_char(&p->texts, '\0');
    return p->texts.has_failed ? KS_NO_MEMORY : KS_OK;
}

ks_status ks_points_of_golden(const char *path, ks_points **out, ks_error *error) {
    ks_points *p = *out = new_points();
    if (!p) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_status status = ks_golden_read(path, KS_GOLDEN_BLESSED, &p->golden, error);
    for (size_t i = 0; !status && i < ks_golden_count(p->golden); i++) {
        ks_row row;
        ks_log_blocks blocks;
        status = add_golden_line(p, ks_golden_at(p->golden, i).key);
        ks_golden_row_of(p->golden, i, &row, &blocks);
        p->columns |= row.has;
    }
    if (status == KS_NO_MEMORY) ks_fail(error, status, "out of memory");
    return status;
}

/* ---- asking ---- */

size_t ks_points_count(const ks_points *p) { return p->count; }
bool ks_points_have_own_verdicts(const ks_points *p) { return p->golden != NULL; }
uint64_t ks_points_columns(const ks_points *p) { return p->columns; }

ks_points_line ks_points_at(const ks_points *p, size_t index) {
    const char *key = ks_text_string(&p->texts) + p->starts[index];
    return (ks_points_line){ks_text_map_at(p->ids, index), key, key + strlen(key) + 1};
}

bool ks_points_find(const ks_points *p, const char *id, size_t *index) {
    *index = ks_text_map_find(p->ids, id);
    return *index != KS_TEXT_MAP_NONE;
}

static void take_back_golden(ks_row *row) {
    if (row->verdict != KS_VERDICT_fail || strncmp(row->reason, "golden ", 7) != 0) return;
    row->verdict = KS_VERDICT_pass;
    row->reason[0] = '\0';
}

void ks_points_row(const ks_points *p, size_t index, ks_row *row) {
    const ks_points_line line = ks_points_at(p, index);
    *row = (ks_row){.has = 0};
    if (p->golden) {
        ks_log_blocks blocks;
        ks_golden_row_of(p->golden, index, row, &blocks);
    } else {
        const char *cell = line.kernel + strlen(line.kernel) + 1;
        ks_verdict_find(cell, strlen(cell), &row->verdict);
        cell += strlen(cell) + 1;
        snprintf(row->reason, sizeof row->reason, "%s", cell);
        for (int c = 0; c < KS_COLUMN_COUNT; c++) {
            cell += strlen(cell) + 1;
            ks_row_read_cell(row, (ks_column)c, cell, strlen(cell));
        }
        cell += strlen(cell) + 1;
        snprintf(row->invariants, sizeof row->invariants, "%s", cell);
        take_back_golden(row);
    }
    strcpy(row->id, line.id);
}

/* The lines of an op_log, 64 at a time, the header apart. */
static void block_text(ks_log_blocks *blocks, const char *log, size_t length) {
    const char *end = log + length, *header = memchr(log, '\n', length);
    ks_log_blocks_begin(blocks);
    for (const char *at = header ? header + 1 : end; at < end;) {
        const char *next = at;
        uint64_t rows = 0;
        while (next < end && rows < KS_LOG_PIECE_ROWS) {
            const char *feed = memchr(next, '\n', (size_t)(end - next));
            next = feed ? feed + 1 : end;
            rows++;
        }
        ks_log_blocks_add(blocks, at, (size_t)(next - at), rows);
        at = next;
    }
}

bool ks_points_find_block(const ks_points *p, size_t index, const char *log, size_t length,
                          ks_change *change) {
    ks_log_blocks expected, got;
    ks_row row;
    ks_log_blocks_begin(&expected);
    if (p->golden) ks_golden_row_of(p->golden, index, &row, &expected);
    if (!expected.count) return false;
    block_text(&got, log, length);
    change->has_block =
        ks_log_blocks_differ(&expected, &got, &change->block, &change->block_row_count);
    change->block_row = change->block * change->block_row_count;
    return change->has_block;
}
