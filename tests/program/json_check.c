/* Exit code 0 if standard input is one JSON text by RFC 8259 without a doubled key; else 1, with
 * the place. Built for the tests: what reads JSON must be there on every machine. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 64, MOST_KEYS = 4096 };

typedef struct reader {
    char *text;
    size_t at, length;
} reader;

static bool read_value(reader *r, int level);

static bool is_next(reader *r, char c) {
    if (r->at >= r->length || r->text[r->at] != c) return false;
    r->at++;
    return true;
}

static void skip_blanks(reader *r) {
    while (r->at < r->length && strchr(" \t\n\r", r->text[r->at]) && r->text[r->at]) r->at++;
}

static bool is_hex(char c) { return c && strchr("0123456789abcdefABCDEF", c); }

static bool read_escape(reader *r) {
    if (is_next(r, 'u')) {
        for (int i = 0; i < 4; i++, r->at++)
            if (r->at >= r->length || !is_hex(r->text[r->at])) return false;
        return true;
    }
    if (r->at >= r->length || !r->text[r->at] || !strchr("\"\\/bfnrt", r->text[r->at]))
        return false;
    r->at++;
    return true;
}

/* A character that is not ASCII: well-formed UTF-8, no surrogate, nothing overlong. */
static bool read_utf8(reader *r) {
    const unsigned char first = (unsigned char)r->text[r->at];
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4) return false;
    unsigned long point = first & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        const unsigned char next =
            (unsigned char)r->text[r->at + (size_t)i]; /* NUL ends the text */
        if ((next & 0xc0) != 0x80) return false;
        point = point << 6 | (next & 0x3f);
    }
    r->at += 1 + (size_t)more;
    static const unsigned long least[] = {0, 0x80, 0x800, 0x10000};
    return point >= least[more] && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
}

static bool read_string(reader *r) {
    if (!is_next(r, '"')) return false;
    while (r->at < r->length) {
        if (is_next(r, '"')) return true;
        const unsigned char c = (unsigned char)r->text[r->at];
        if (c < 0x20) return false;
        if (c >= 0x80) {
            if (!read_utf8(r)) return false;
        } else if (c == '\\') {
            r->at++;
            if (!read_escape(r)) return false;
        } else {
            r->at++;
        }
    }
    return false;
}

static bool read_digits(reader *r) {
    const size_t from = r->at;
    while (r->at < r->length && r->text[r->at] >= '0' && r->text[r->at] <= '9') r->at++;
    return r->at > from;
}

static bool read_number(reader *r) {
    is_next(r, '-');
    const bool is_zero = r->at < r->length && r->text[r->at] == '0';
    const size_t from = r->at;
    if (!read_digits(r) || (is_zero && r->at > from + 1)) return false;
    if (is_next(r, '.') && !read_digits(r)) return false;
    if (!is_next(r, 'e') && !is_next(r, 'E')) return true;
    if (!is_next(r, '+')) is_next(r, '-');
    return read_digits(r);
}

static bool read_word(reader *r, const char *word) {
    const size_t length = strlen(word);
    if (r->length - r->at < length || strncmp(r->text + r->at, word, length) != 0) return false;
    r->at += length;
    return true;
}

static bool read_list(reader *r, int level) {
    skip_blanks(r);
    if (is_next(r, ']')) return true;
    do {
        if (!read_value(r, level)) return false;
    } while (is_next(r, ','));
    return is_next(r, ']');
}

static bool read_map(reader *r, int level) {
    static struct {
        const char *text;
        size_t length;
    } keys[MOST_LEVELS][MOST_KEYS];
    size_t count = 0;
    skip_blanks(r);
    if (is_next(r, '}')) return true;
    do {
        skip_blanks(r);
        const char *key = r->text + r->at;
        if (!read_string(r) || count == MOST_KEYS) return false;
        const size_t length = (size_t)(r->text + r->at - key);
        for (size_t i = 0; i < count; i++)
            if (keys[level][i].length == length && memcmp(keys[level][i].text, key, length) == 0)
                return false;
        keys[level][count].text = key;
        keys[level][count++].length = length;
        skip_blanks(r);
        if (!is_next(r, ':') || !read_value(r, level)) return false;
    } while (is_next(r, ','));
    return is_next(r, '}');
}

static bool read_plain(reader *r, int level) {
    if (is_next(r, '{')) return level + 1 < MOST_LEVELS && read_map(r, level + 1);
    if (is_next(r, '[')) return level + 1 < MOST_LEVELS && read_list(r, level + 1);
    if (r->at < r->length && r->text[r->at] == '"') return read_string(r);
    if (read_word(r, "true") || read_word(r, "false") || read_word(r, "null")) return true;
    return read_number(r);
}

static bool read_value(reader *r, int level) {
    skip_blanks(r);
    if (!read_plain(r, level)) return false;
    skip_blanks(r);
    return true;
}

int main(void) {
    reader r = {0};
    size_t room = 0;
    for (size_t got = 1; got > 0; r.length += got) {
        if (r.length + 1 >= room) {
            room = 2 * room + 65536;
            char *text = realloc(r.text, room);
            if (!text) return 1;
            r.text = text;
        }
        got = fread(r.text + r.length, 1, room - r.length - 1, stdin);
    }
    r.text[r.length] = '\0';
    const bool is_fine = !ferror(stdin) && read_value(&r, 0) && r.at == r.length;
    if (!is_fine) fprintf(stderr, "not JSON at byte %zu of %zu\n", r.at, r.length);
    free(r.text);
    return is_fine ? 0 : 1;
}
