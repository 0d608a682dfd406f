#include "base/line_checks.h"

#include <string.h>

#include "base/digest.h"

enum { CHECK = 8 }; /* hex digits */

/* With its line feed, so that one at the end is told from none. */
static size_t line_length(const char *text, size_t length) {
    const char *feed = memchr(text, '\n', length);
    return feed ? (size_t)(feed - text) + 1 : length;
}

static void check_of(char check[KS_DIGEST_HEX], const char *line, size_t length) {
    const ks_digest digest = ks_digest_of(line, length);
    ks_digest_print(check, &digest);
}

static void add_check(ks_text *out, const char *text, size_t length) {
    char check[KS_DIGEST_HEX];
    check_of(check, text, length);
    ks_text_add(out, check, CHECK);
}

void ks_line_checks_add(ks_text *out, const char *text, size_t length) {
    const size_t start = out->length;
    for (size_t at = 0, line; at < length; at += line) {
        line = line_length(text + at, length - at);
        add_check(out, text + at, line);
    }
    if (out->length == start)
        add_check(out, "", 0);
    else
        add_check(out, out->data + start, out->length - start);
}

static bool is_check_of(const char *check, const char *text, size_t length) {
    char own[KS_DIGEST_HEX];
    check_of(own, text, length);
    return strncmp(check, own, CHECK) == 0;
}

static size_t count_lines(const char *text, size_t length) {
    size_t count = 0;
    for (size_t at = 0; at < length; count++) at += line_length(text + at, length - at);
    return count;
}

size_t ks_line_checks_find(const char *checks, const char *text, size_t length) {
    const size_t digits = strlen(checks);
    const char *end = digits < CHECK ? NULL : checks + digits - CHECK;
    if (!end || !is_check_of(end, checks, digits - CHECK)) return count_lines(text, length) + 1;
    size_t number = 1;
    for (size_t at = 0, line; at < length; at += line, number++, checks += CHECK) {
        line = line_length(text + at, length - at);
        if (checks >= end || !is_check_of(checks, text + at, line)) return number;
    }
    return checks < end ? number : 0;
}
