#include "base/csv_read.h"

#include <csv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* One row on its way. libcsv gives fields one at a time and gives their memory up after each. */
typedef struct reader {
    ks_csv_take take;
    void *self;
    ks_csv_row row;
    ks_text texts;   /* the fields, each with its NUL */
    size_t *offsets; /* into texts */
    size_t *lengths;
    ks_csv_field *fields;
    size_t count, room, wanted; /* wanted: fields of the first row, 0 before it */
    size_t line_feeds;          /* inside the fields of this row */
    ks_status status;
    ks_error *error;
} reader;

static bool grow(reader *r) {
    if (r->count < r->room) return true;
    const size_t room = r->room ? 2 * r->room : 64;
    size_t *offsets = realloc(r->offsets, room * sizeof *offsets);
    if (offsets) r->offsets = offsets;
    size_t *lengths = realloc(r->lengths, room * sizeof *lengths);
    if (lengths) r->lengths = lengths;
    ks_csv_field *fields = realloc(r->fields, room * sizeof *fields);
    if (fields) r->fields = fields;
    if (!offsets || !lengths || !fields) return false;
    r->room = room;
    return true;
}

static void take_field(void *bytes, size_t length, void *self) {
    reader *r = self;
    if (r->status) return;
    if (!grow(r)) {
        r->status = ks_fail(r->error, KS_NO_MEMORY, "out of memory");
        return;
    }
    for (size_t i = 0; i < length; i++) r->line_feeds += ((const char *)bytes)[i] == '\n';
    r->offsets[r->count] = r->texts.length;
    r->lengths[r->count++] = length;
    ks_text_add(&r->texts, bytes, length);
    ks_text_add(&r->texts, "", 1);
    if (r->texts.has_failed) r->status = ks_fail(r->error, KS_NO_MEMORY, "out of memory");
}

static void take_row(int terminator, void *self) {
    reader *r = self;
    (void)terminator; /* a file that does not end with LF was refused before */
    if (r->status) return;
    for (size_t i = 0; i < r->count; i++)
        r->fields[i] = (ks_csv_field){r->texts.data + r->offsets[i], r->lengths[i]};
    r->row.count = r->count;
    r->row.fields = r->fields;
    if (!r->wanted) r->wanted = r->count;
    if (r->count == 0)
        r->status = ks_fail(r->error, KS_INPUT, "%s:%zu: found an empty line, expected %zu fields",
                            r->row.path, r->row.line, r->wanted);
    else if (r->count != r->wanted)
        r->status = ks_fail(r->error, KS_INPUT, "%s:%zu: found %zu fields, expected %zu",
                            r->row.path, r->row.line, r->count, r->wanted);
    else
        r->status = r->take(r->self, &r->row, r->error);
    r->row.line += 1 + r->line_feeds;
    r->line_feeds = 0;
    r->count = 0;
    ks_text_clear(&r->texts);
}

/* What libcsv would let pass. */
static ks_status check_bytes(const char *path, const char *bytes, size_t length, ks_error *error) {
    size_t line = 1;
    if (length == 0) return ks_fail(error, KS_INPUT, "%s: found an empty file", path);
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        return ks_fail(error, KS_INPUT, "%s:1: found a byte order mark, expected plain UTF-8",
                       path);
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\r')
            return ks_fail(error, KS_INPUT,
                           "%s:%zu: found CR in the line ends, expected LF alone (was it checked "
                           "out or saved with CRLF?)",
                           path, line);
        if (bytes[i] == '\0') return ks_fail(error, KS_INPUT, "%s:%zu: found a NUL", path, line);
        line += bytes[i] == '\n';
    }
    if (bytes[length - 1] != '\n')
        return ks_fail(error, KS_INPUT,
                       "%s:%zu: found no line feed at the end, expected a whole last line "
                       "(cut short?)",
                       path, line);
    return KS_OK;
}

/* libcsv strips blanks around fields that are not quoted; bytes must stay as they are. */
static int is_space(unsigned char c) {
    (void)c;
    return 0;
}
static int is_line_end(unsigned char c) { return c == '\n'; }

static ks_status parse(reader *r, const char *bytes, size_t length) {
    struct csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL))
        return ks_fail(r->error, KS_NO_MEMORY, "out of memory");
    csv_set_space_func(&parser, is_space);
    csv_set_term_func(&parser, is_line_end);
    const size_t done = csv_parse(&parser, bytes, length, take_field, take_row, r);
    if (!r->status && done != length)
        r->status = csv_error(&parser) == CSV_ENOMEM
                        ? ks_fail(r->error, KS_NO_MEMORY, "out of memory")
                        : ks_fail(r->error, KS_INPUT, "%s:%zu: found a quote inside of a field",
                                  r->row.path, r->row.line + r->line_feeds);
    if (!r->status && csv_fini(&parser, take_field, take_row, r))
        r->status = ks_fail(r->error, KS_INPUT,
                            "%s:%zu: found the end of the file in a quoted field, expected its "
                            "closing quote",
                            r->row.path, r->row.line);
    csv_free(&parser);
    return r->status;
}

ks_status ks_csv_parse(const char *path, const char *bytes, size_t length, ks_csv_take take,
                       void *self, ks_error *error) {
    reader r = {.take = take, .self = self, .row = {.path = path, .line = 1}, .error = error};
    ks_status status = check_bytes(path, bytes, length, error);
    if (!status) status = parse(&r, bytes, length);
    ks_text_free(&r.texts);
    free(r.offsets);
    free(r.lengths);
    free(r.fields);
    return status;
}

ks_status ks_csv_read(const char *path, size_t limit_bytes, ks_csv_take take, void *self,
                      ks_error *error) {
    ks_text text = {0};
    ks_status status = ks_file_read_stored(path, limit_bytes, &text, error);
    if (!status) status = ks_csv_parse(path, ks_text_string(&text), text.length, take, self, error);
    ks_text_free(&text);
    return status;
}

ks_status ks_csv_fail(ks_error *error, const ks_csv_row *row, size_t field, const char *format,
                      ...) {
    ks_error why;
    va_list args;
    va_start(args, format);
    ks_fail_v(&why, KS_INPUT, format, args);
    va_end(args);
    return ks_fail(error, KS_INPUT, "%s:%zu: field %zu: %.1900s", row->path, row->line, field + 1,
                   why.text);
}
