#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

void ks_text_free(ks_text *text) {
    free(text->data);
    *text = (ks_text){0};
}

void ks_text_clear(ks_text *text) {
    text->length = 0;
    if (text->data) text->data[0] = '\0';
}

static bool grow(ks_text *text, size_t more) {
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity - text->length <= more && capacity <= SIZE_MAX / 4) capacity *= 2;
    char *data = capacity - text->length > more ? realloc(text->data, capacity) : NULL;
    if (!data) {
        text->has_failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

static bool reserve(ks_text *text, size_t more) {
    if (text->has_failed) return false;
    return text->capacity - text->length > more || grow(text, more);
}

char *ks_text_reserve(ks_text *text, size_t more) {
    return reserve(text, more) ? text->data + text->length : NULL;
}

void ks_text_end_at(ks_text *text, char *end) {
    text->length = (size_t)(end - text->data);
    *end = '\0';
}

void ks_text_add(ks_text *text, const char *bytes, size_t length) {
    if (!reserve(text, length)) return;
    if (length) memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void ks_text_add_char(ks_text *text, char c) { ks_text_add(text, &c, 1); }

void ks_text_add_string(ks_text *text, const char *string) {
    ks_text_add(text, string, strlen(string));
}

void ks_text_add_u64(ks_text *text, uint64_t value) {
    char digits[KS_DIGITS_ROOM];
    ks_text_add(text, digits, (size_t)(ks_put_u64(digits, value) - digits));
}

void ks_text_add_hex(ks_text *text, uint64_t value) {
    char digits[16];
    size_t n = sizeof digits;
    do digits[--n] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    ks_text_add(text, digits + n, sizeof digits - n);
}

void ks_text_add_decimal(ks_text *text, uint64_t ticks) {
    char digits[KS_DIGITS_ROOM];
    ks_text_add(text, digits, (size_t)(ks_put_ticks(digits, ticks) - digits));
}

void ks_text_add_double(ks_text *text, double value) {
    char digits[KS_DIGITS_ROOM];
    ks_text_add(text, digits, (size_t)(ks_put_double(digits, value) - digits));
}

void ks_text_add_format(ks_text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !reserve(text, (size_t)length)) return;
    va_start(args, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
    va_end(args);
    text->length += (size_t)length;
}

void ks_text_add_count(ks_text *text, uint64_t count, const char *noun) {
    ks_text_add_u64(text, count);
    ks_text_add_char(text, ' ');
    ks_text_add_string(text, noun);
    if (count != 1) ks_text_add_char(text, 's');
}

void ks_text_add_shell(ks_text *text, const char *word) {
    ks_text_add_char(text, '\'');
    for (; *word; word++)
        if (*word == '\'')
            ks_text_add_string(text, "'\\''");
        else
            ks_text_add_char(text, *word);
    ks_text_add_char(text, '\'');
}

/* Length of the well-formed UTF-8 sequence at s, or 0 (overlong, surrogate, cut short). */
static size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    const size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (n == 0 || s[0] > 0xf4) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] > 0x9f) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
    return n;
}

void ks_text_add_json(ks_text *text, const char *string) {
    ks_text_add_char(text, '"');
    for (const unsigned char *s = (const unsigned char *)string; *s;) {
        const size_t n = utf8_length(s);
        if (n == 0) {
            ks_text_add_string(text, "\xef\xbf\xbd");
            s++;
        } else if (*s == '"' || *s == '\\') {
            ks_text_add_char(text, '\\');
            ks_text_add_char(text, (char)*s++);
        } else if (*s == '\n' || *s == '\t') {
            ks_text_add_string(text, *s++ == '\n' ? "\\n" : "\\t");
        } else if (*s < 0x20 || *s == 0x7f) {
            ks_text_add_format(text, "\\u%04x", *s++);
        } else {
            ks_text_add(text, (const char *)s, n);
            s += n;
        }
    }
    ks_text_add_char(text, '"');
}

/* A reader may trim blanks at the ends of a field that has no quotes. */
static bool needs_quotes(const char *s, size_t length) {
    const bool has_blank_end = strchr(" \t", s[0]) || strchr(" \t", s[length - 1]);
    return has_blank_end || strpbrk(s, ",\"\r\n");
}

/* All that asks for quotes is ',' or below it. */
void ks_text_add_csv(ks_text *text, const char *string) {
    size_t length = 0;
    while ((unsigned char)string[length] > ',') length++;
    const bool is_plain = string[length] == '\0';
    if (!is_plain) length += strlen(string + length);
    if (is_plain || !needs_quotes(string, length)) {
        ks_text_add(text, string, length);
        return;
    }
    ks_text_add_char(text, '"');
    for (; *string; string++) {
        if (*string == '"') ks_text_add_char(text, '"');
        ks_text_add_char(text, *string);
    }
    ks_text_add_char(text, '"');
}

const char *ks_text_string(const ks_text *text) { return text->data ? text->data : ""; }
