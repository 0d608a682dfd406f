#include "golden/log_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/file.h"

enum { FIELD_COUNT = 16 };

static const char *const field_names[FIELD_COUNT] = {
    "seq", "cmd", "stage", "server", "kind",  "op",       "phase", "m",
    "n",   "k",   "start", "end",    "bytes", "elements", "reads", "writes"};

typedef struct reader {
    const char *file;
    size_t line;                     /* from 1 */
    const char *fields[FIELD_COUNT]; /* of the line */
    ks_error *error;
} reader;

static ks_status refuse(const reader *r, size_t field, const char *expected) {
    return ks_fail(r->error, KS_INPUT, "%s:%zu:%zu: found %s '%.40s', expected %s", r->file,
                   r->line, field + 1, field_names[field], r->fields[field], expected);
}

/* ---- fields ---- */

static bool is_plain_number(const char *text) { return text[0] != '0' || text[1] == '\0'; }

static ks_status read_u64(const reader *r, size_t field, uint64_t *value) {
    const char *text = r->fields[field];
    if (ks_u64_parse(text, strlen(text), value) && is_plain_number(text)) return KS_OK;
    return refuse(r, field, "a whole number");
}

static ks_status read_index(const reader *r, size_t field, uint64_t *value) {
    *value = KS_NO_INDEX;
    return *r->fields[field] ? read_u64(r, field, value) : KS_OK;
}

static ks_status read_cycles(const reader *r, size_t field, uint64_t *ticks) {
    char printed[KS_DECIMAL_TEXT_MAX];
    const char *text = r->fields[field];
    const bool is_read = ks_decimal_parse(text, strlen(text), ticks) == KS_DECIMAL_OK;
    if (is_read) ks_decimal_print(printed, *ticks);
    if (is_read && strcmp(printed, text) == 0) return KS_OK;
    return refuse(r, field, "cycles as they are printed (`43.5`)");
}

static ks_status read_stage(const reader *r, size_t field, int64_t *stage) {
    uint64_t value = 0;
    *stage = KS_CPU_STAGE;
    if (strcmp(r->fields[field], "-1") == 0) return KS_OK;
    if (read_u64(r, field, &value) || value > INT64_MAX)
        return refuse(r, field, "-1 or a whole number");
    *stage = (int64_t)value;
    return KS_OK;
}

static const char *server_word(int i) { return ks_server_name((ks_server)i); }
static const char *kind_word(int i) { return ks_row_kind_name((ks_row_kind)i); }
static const char *op_word(int i) { return ks_op_name((ks_op_kind)i); }
static const char *phase_word(int i) { return ks_phase_name((ks_phase)i); }

static ks_status read_word(const reader *r, size_t field, const char *(*word)(int), int count,
                           int *index) {
    for (*index = 0; *index < count; ++*index)
        if (strcmp(r->fields[field], word(*index)) == 0) return KS_OK;
    ks_text words = {0};
    for (int i = 0; i < count; i++) ks_text_add_format(&words, "%s%s", i ? ", " : "", word(i));
    const ks_status status = refuse(r, field, ks_text_string(&words));
    ks_text_free(&words);
    return status;
}

static ks_status read_words(const reader *r, ks_log_row *row) {
    int server = 0, kind = 0, op = 0, phase = 0;
    ks_status status = read_word(r, 3, server_word, KS_SERVER_COUNT, &server);
    if (!status) status = read_word(r, 4, kind_word, KS_ROW_KIND_COUNT, &kind);
    row->op = r->fields[5];
    if (!status && *row->op) status = read_word(r, 5, op_word, KS_OP_COUNT, &op);
    if (!status) status = read_word(r, 6, phase_word, KS_PHASE_COUNT, &phase);
    row->server = (ks_server)server;
    row->kind = (ks_row_kind)kind;
    row->phase = (ks_phase)phase;
    return status;
}

/* `space:0xADDR+BYTES`; what follows it, or NULL when it is something else. */
static const char *skip_range(const char *text) {
    static const char hex[] = "0123456789abcdef", decimal[] = "0123456789";
    const char *colon = strchr(text, ':');
    int space = 0;
    if (!colon) return NULL;
    for (; space < KS_SPACE_COUNT; space++) {
        const char *name = ks_space_name((ks_space)space);
        if (strlen(name) == (size_t)(colon - text) && !memcmp(name, text, strlen(name))) break;
    }
    if (space == KS_SPACE_COUNT || strncmp(colon, ":0x", 3) != 0) return NULL;
    const char *address = colon + 3, *plus = address + strspn(address, hex);
    if (plus == address || *plus != '+') return NULL;
    const char *end = plus + 1 + strspn(plus + 1, decimal);
    return end == plus + 1 ? NULL : end;
}

static ks_status read_ranges(const reader *r, size_t field, const char **text) {
    *text = r->fields[field];
    for (const char *at = *text; *at;) {
        at = skip_range(at);
        if (!at || (*at && *at != '|') || (*at == '|' && !at[1]))
            return refuse(r, field, "`space:0xADDR+BYTES` joined by `|`");
        at += *at == '|';
    }
    return KS_OK;
}

static ks_status read_row(const reader *r, ks_log_row *row) {
    uint64_t seq = 0;
    ks_status status = read_u64(r, 0, &seq);
    if (!status && seq != r->line - 2)
        status = refuse(r, 0, "the number of the row: one is lost, doubled or out of place");
    if (!status) status = read_u64(r, 1, &row->cmd);
    if (!status) status = read_stage(r, 2, &row->stage);
    if (!status) status = read_words(r, row);
    if (!status) status = read_index(r, 7, &row->m);
    if (!status) status = read_index(r, 8, &row->n);
    if (!status) status = read_index(r, 9, &row->k);
    if (!status) status = read_cycles(r, 10, &row->start);
    if (!status) status = read_cycles(r, 11, &row->end);
    if (!status) status = read_u64(r, 12, &row->bytes);
    if (!status) status = read_u64(r, 13, &row->elements);
    if (!status) status = read_ranges(r, 14, &row->reads);
    if (!status) status = read_ranges(r, 15, &row->writes);
    return status;
}

/* ---- lines ---- */

/* Cuts the line at its commas. */
static ks_status cut_line(reader *r, char *line) {
    size_t count = 0;
    r->fields[count++] = line;
    for (char *comma = line; (comma = strchr(comma, ',')) != NULL; count++) {
        *comma++ = '\0';
        if (count < FIELD_COUNT) r->fields[count] = comma;
    }
    if (count == FIELD_COUNT) return KS_OK;
    return ks_fail(r->error, KS_INPUT, "%s:%zu: found %zu fields, expected %d", r->file, r->line,
                   count, FIELD_COUNT);
}

bool ks_log_is_one(const char *bytes, size_t length) {
    static const char begin[] = "seq,cmd,stage,";
    return length >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0;
}

static size_t count_lines(const ks_text *bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes->length; i++) count += bytes->data[i] == '\n';
    return count;
}

static ks_status check_bytes(const char *file, const ks_text *bytes, ks_error *error) {
    static const char header[] = KS_OP_LOG_HEADER;
    const char *data = ks_text_string(bytes);
    size_t line = 1;
    for (size_t i = 0; i < bytes->length; i++) {
        const unsigned char byte = (unsigned char)data[i];
        if (byte == '\r')
            return ks_fail(error, KS_INPUT, "%s:%zu: line ends: found CR, expected LF alone", file,
                           line);
        if ((byte < ' ' && byte != '\n') || byte > '~')
            return ks_fail(error, KS_INPUT, "%s:%zu: found byte 0x%02x, expected text", file, line,
                           byte);
        line += byte == '\n';
    }
    if (strncmp(data, header, sizeof header - 1) != 0)
        return ks_fail(error, KS_INPUT,
                       "%s:1: found another header, expected that of an op_log: %.*s", file,
                       (int)(sizeof header - 2), header);
    if (data[bytes->length - 1] != '\n')
        return ks_fail(error, KS_INPUT,
                       "%s:%zu: the last line does not end with LF: the file was cut short", file,
                       line);
    return KS_OK;
}

ks_status ks_log_parse(const char *file, ks_text bytes, ks_log *log, ks_error *error) {
    *log = (ks_log){.bytes = bytes};
    ks_status status = check_bytes(file, &bytes, error);
    const size_t count = status ? 0 : count_lines(&bytes) - 1;
    if (!status) log->rows = calloc(count + 1, sizeof *log->rows);
    if (!status && !log->rows) status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    reader r = {.file = file, .line = 1, .error = error};
    char *line = status ? NULL : bytes.data + sizeof KS_OP_LOG_HEADER - 1;
    for (; !status && log->count < count; log->count++) {
        char *end = strchr(line, '\n');
        *end = '\0';
        r.line++;
        status = cut_line(&r, line);
        if (!status) status = read_row(&r, &log->rows[log->count]);
        line = end + 1;
    }
    if (status) ks_log_free(log);
    return status;
}

ks_status ks_log_read(const char *file, ks_log *log, ks_error *error) {
    ks_text bytes = {0};
    *log = (ks_log){0};
    const ks_status status = ks_file_read(file, KS_LOG_FILE_LIMIT, &bytes, error);
    if (!status) return ks_log_parse(file, bytes, log, error);
    ks_text_free(&bytes);
    return status;
}

void ks_log_free(ks_log *log) {
    ks_text_free(&log->bytes);
    free(log->rows);
    *log = (ks_log){0};
}
