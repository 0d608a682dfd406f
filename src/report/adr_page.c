#include "report/adr_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char OPENING[] = "<!-- kernsweep:";
static const char BEGIN[] = "<!-- kernsweep:begin table=";
static const char END[] = "<!-- kernsweep:end -->";
static const char CLOSING[] = " -->";

void ks_adr_short_hex(char hex[KS_ADR_SHORT_HEX], const ks_digest *digest) {
    char whole[KS_DIGEST_HEX];
    ks_digest_print(whole, digest);
    memcpy(hex, whole, KS_ADR_SHORT_HEX - 1);
    hex[KS_ADR_SHORT_HEX - 1] = '\0';
}

/* ---- reading ---- */

typedef struct line {
    const char *text;
    size_t length, number;
} line;

typedef struct reader {
    const char *path;
    ks_adr_page *page;
    size_t room;
    bool is_open; /* the last span waits for its end */
    ks_error *error;
} reader;

static ks_status wrong(const reader *r, const line *l, const char *what, const char *expected) {
    const int shown = l->length < 100 ? (int)l->length : 100;
    return ks_fail(r->error, KS_INPUT, "%s:%zu: found %s '%.*s', expected %s", r->path, l->number,
                   what, shown, l->text, expected);
}

static bool skip(const char **at, const char *end, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

static bool take_name(const char **at, const char *end, char name[101]) {
    size_t length = 0;
    while (*at + length < end && (*at)[length] != ' ') length++;
    if (length == 0 || length > 100) return false;
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length;
    return true;
}

static bool take_hex(const char **at, const char *end, char hex[KS_ADR_SHORT_HEX]) {
    if (end - *at < KS_ADR_SHORT_HEX - 1) return false;
    memcpy(hex, *at, KS_ADR_SHORT_HEX - 1);
    hex[KS_ADR_SHORT_HEX - 1] = '\0';
    *at += KS_ADR_SHORT_HEX - 1;
    return strspn(hex, "0123456789abcdef") == KS_ADR_SHORT_HEX - 1;
}

static bool read_begin(const line *l, ks_adr_span *span) {
    const char *at = l->text, *end = l->text + l->length;
    if (!skip(&at, end, BEGIN) || !take_name(&at, end, span->table)) return false;
    if (skip(&at, end, " results=") &&
        (!take_hex(&at, end, span->results) || !skip(&at, end, " block=") ||
         !take_hex(&at, end, span->block)))
        return false;
    return skip(&at, end, CLOSING) && at == end;
}

static ks_adr_span *new_span(reader *r) {
    ks_adr_page *page = r->page;
    if (page->count == r->room) {
        const size_t room = r->room ? 2 * r->room : 8;
        ks_adr_span *spans = realloc(page->spans, room * sizeof *spans);
        if (!spans) return NULL;
        page->spans = spans;
        r->room = room;
    }
    page->spans[page->count] = (ks_adr_span){{0}, {0}, {0}, 0, 0, 0, 0};
    return &page->spans[page->count];
}

static ks_status take_begin(reader *r, const line *l) {
    ks_adr_page *page = r->page;
    if (r->is_open) {
        const ks_adr_span *open = &page->spans[page->count - 1];
        return ks_fail(r->error, KS_INPUT,
                       "%s:%zu: found a begin marker inside of the block of table=%s, expected "
                       "its end first (it begins at line %zu)",
                       r->path, l->number, open->table, open->begin_line);
    }
    if (page->count == KS_ADR_MOST_BLOCKS)
        return wrong(r, l, "one block more", "at most 1000 of them");
    ks_adr_span *span = new_span(r);
    if (!span) return ks_fail(r->error, KS_NO_MEMORY, "out of memory");
    if (!read_begin(l, span))
        return wrong(r, l, "a begin marker",
                     "`<!-- kernsweep:begin table=NAME -->`, as kernsweep writes it with "
                     "results= and block=");
    const ks_adr_span *other = ks_adr_page_find(page, span->table);
    if (other)
        return ks_fail(r->error, KS_INPUT,
                       "%s:%zu: found a second block of table=%s, expected one (the first begins "
                       "at line %zu)",
                       r->path, l->number, span->table, other->begin_line);
    span->begin_line = l->number;
    span->marker = (size_t)(l->text - page->bytes);
    span->begin = span->marker + l->length + 1;
    page->count++;
    r->is_open = true;
    return KS_OK;
}

static ks_status take_end(reader *r, const line *l) {
    if (!r->is_open) return wrong(r, l, "an end marker", "a begin marker before it");
    r->page->spans[r->page->count - 1].end = (size_t)(l->text - r->page->bytes);
    r->is_open = false;
    return KS_OK;
}

static bool holds(const line *l, const char *word) {
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= l->length; i++)
        if (memcmp(l->text + i, word, length) == 0) return true;
    return false;
}

static ks_status take_line(reader *r, const line *l) {
    const char *at = l->text;
    if (memchr(l->text, '\r', l->length))
        return ks_fail(r->error, KS_INPUT,
                       "%s:%zu: found CR in the line ends, expected LF alone (was it checked out "
                       "or saved with CRLF?)",
                       r->path, l->number);
    if (!holds(l, OPENING)) return KS_OK;
    if (l->length == strlen(END) && memcmp(l->text, END, l->length) == 0) return take_end(r, l);
    if (skip(&at, l->text + l->length, "<!-- kernsweep:begin")) return take_begin(r, l);
    return wrong(r, l, "a marker",
                 "`<!-- kernsweep:begin table=NAME -->` or "
                 "`<!-- kernsweep:end -->` on a line of its own");
}

ks_status ks_adr_page_parse(const char *path, const char *bytes, size_t length, ks_adr_page *page,
                            ks_error *error) {
    *page = (ks_adr_page){.bytes = bytes, .length = length};
    reader r = {.path = path, .page = page, .error = error};
    size_t number = 1;
    for (size_t at = 0; at < length; number++) {
        const char *feed = memchr(bytes + at, '\n', length - at);
        const line l = {bytes + at, feed ? (size_t)(feed - bytes) - at : length - at, number};
        const ks_status status = take_line(&r, &l);
        if (status) return status;
        at += l.length + 1;
    }
    if (!r.is_open) return KS_OK;
    const ks_adr_span *open = &page->spans[page->count - 1];
    return ks_fail(error, KS_INPUT,
                   "%s:%zu: found no end of the block of table=%s, expected `%s` after it", path,
                   open->begin_line, open->table, END);
}

void ks_adr_page_free(ks_adr_page *page) {
    free(page->spans);
    *page = (ks_adr_page){0};
}

const ks_adr_span *ks_adr_page_find(const ks_adr_page *page, const char *table) {
    for (size_t i = 0; i < page->count; i++)
        if (strcmp(page->spans[i].table, table) == 0) return &page->spans[i];
    return NULL;
}

/* ---- writing ---- */

void ks_adr_block_wrap(ks_text *out, const char *table, const ks_digest *results, const char *text,
                       size_t length) {
    char results_hex[KS_ADR_SHORT_HEX], block_hex[KS_ADR_SHORT_HEX];
    const ks_digest block = ks_digest_of(text, length);
    ks_adr_short_hex(results_hex, results);
    ks_adr_short_hex(block_hex, &block);
    ks_text_add_format(out, "%s%s results=%s block=%s%s\n", BEGIN, table, results_hex, block_hex,
                       CLOSING);
    ks_text_add(out, text, length);
    ks_text_add_format(out, "%s\n", END);
}

void ks_adr_page_replace(ks_text *out, const ks_adr_page *page, const ks_adr_span *span,
                         const char *wrapped) {
    const size_t after = span->end + strlen(END);
    ks_text_add(out, page->bytes, span->marker);
    ks_text_add_string(out, wrapped);
    if (after < page->length) /* the end marker's LF came with the block */
        ks_text_add(out, page->bytes + after + 1, page->length - after - 1);
}
