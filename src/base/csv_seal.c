#include "base/csv_seal.h"

#include <string.h>

#include "base/digest.h"

enum { CHECK = 8 /* hex digits */, MOST_TOLD = 10 };

static const char HEAD[] = "check_";

/* The row at the front of `csv`, without its line feed: one inside of quotes does not end it. */
static size_t row_length(const char *csv, size_t length) {
    bool is_quoted = false;
    for (size_t i = 0; i < length; i++) {
        is_quoted ^= csv[i] == '"';
        if (csv[i] == '\n' && !is_quoted) return i;
    }
    return length;
}

static size_t count_lines(const char *row, size_t length) {
    size_t count = 1;
    for (size_t i = 0; i < length; i++) count += row[i] == '\n';
    return count;
}

/* Of a row with the comma before its check; the first one is the header, whose check is its name. */
static void check_of(char check[KS_DIGEST_HEX], const char *row, size_t length, bool is_header) {
    const size_t head = is_header ? sizeof HEAD - 1 : 0;
    char hex[KS_DIGEST_HEX];
    const ks_digest digest = ks_digest_of(row, length);
    ks_digest_print(hex, &digest);
    memcpy(check, HEAD, head);
    memcpy(check + head, hex, CHECK);
    check[head + CHECK] = '\0';
}

void ks_csv_seal(ks_text *out, const char *csv, size_t length) {
    char check[KS_DIGEST_HEX];
    for (size_t at = 0; at < length;) {
        const size_t row = row_length(csv + at, length - at), start = out->length;
        ks_text_add(out, csv + at, row);
        ks_text_add_char(out, ',');
        if (out->has_failed) return;
        check_of(check, out->data + start, out->length - start, at == 0);
        ks_text_add_string(out, check);
        ks_text_add_char(out, '\n');
        at += row + 1;
    }
}

/* Up to the comma before the last cell and with it; 0: there is none. */
static size_t sealed_length(const char *row, size_t length) {
    while (length && row[length - 1] != ',') length--;
    return length;
}

static bool is_sealed(const char *row, size_t length, size_t sealed, const char *check) {
    return sealed && strlen(check) == length - sealed &&
           memcmp(row + sealed, check, length - sealed) == 0;
}

static void tell(ks_text *edits, const char *path, size_t line, const char *found, size_t length,
                 const char *check) {
    ks_text_add_format(edits,
                       "%s:%zu: edited: found the check %.*s, expected %s: the row is not what "
                       "kernsweep wrote\n",
                       path, line, length < 40 ? (int)length : 40, found, check);
}

void ks_csv_unseal(ks_text *out, const char *path, const char *csv, size_t length, ks_text *edits) {
    size_t line = 1, count = 0;
    char check[KS_DIGEST_HEX];
    if (memchr(csv, '\r', length)) { /* line ends of another system: the reader says so */
        ks_text_add(out, csv, length);
        return;
    }
    for (size_t at = 0; at < length;) {
        const char *row = csv + at;
        const size_t whole = row_length(row, length - at), sealed = sealed_length(row, whole);
        check_of(check, row, sealed, at == 0);
        if (!is_sealed(row, whole, sealed, check) && count++ < MOST_TOLD)
            tell(edits, path, line, row + sealed, whole - sealed, check);
        ks_text_add(out, row, sealed ? sealed - 1 : whole);
        if (at + whole < length) ks_text_add_char(out, '\n');
        line += count_lines(row, whole);
        at += whole + 1;
    }
    if (count > MOST_TOLD)
        ks_text_add_format(edits, "%s: and %zu more edited rows\n", path, count - MOST_TOLD);
}
