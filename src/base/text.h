/* A growing text. Appending never fails half-way: after out of memory the text is marked
 * `has_failed` and stays as it was, so a caller may check once at the end. */
#ifndef KS_BASE_TEXT_H
#define KS_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct ks_text {
    char *data; /* NUL-terminated once anything was appended; NULL before. Owned. */
    size_t length;
    size_t capacity;
    bool has_failed;
} ks_text; /* all zero is an empty text */

void ks_text_free(ks_text *text);  /* leaves an empty text */
void ks_text_clear(ks_text *text); /* length 0, memory kept */
void ks_text_add(ks_text *text, const char *bytes, size_t length);
void ks_text_add_char(ks_text *text, char c);
void ks_text_add_string(ks_text *text, const char *string);
void ks_text_add_u64(ks_text *text, uint64_t value);
void ks_text_add_hex(ks_text *text, uint64_t value); /* lower case, no prefix, no leading zeros */
void ks_text_add_decimal(ks_text *text, uint64_t ticks);
/* Shortest digits that read back to the same double, exponent form where %.17g would use it.
 * Needs a finite value. Independent of the locale. */
void ks_text_add_double(ks_text *text, double value);
void ks_text_add_format(ks_text *text, const char *format, ...) KS_PRINTF(2, 3);
/* `1 point`, `2 points`: a noun whose plural takes an s. */
void ks_text_add_count(ks_text *text, uint64_t count, const char *noun);
/* As one word of a shell's command line: in single quotes. */
void ks_text_add_shell(ks_text *text, const char *word);
/* As a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void ks_text_add_json(ks_text *text, const char *string);
/* As a CSV cell by RFC 4180: quoted only where it must be. */
void ks_text_add_csv(ks_text *text, const char *string);

/* For writers of many small pieces: a place at the end with `more` bytes free, NULL after out of
 * memory; then where what was written there ends. */
char *ks_text_reserve(ks_text *text, size_t more);
void ks_text_end_at(ks_text *text, char *end);

const char *ks_text_string(const ks_text *text); /* never NULL */

#endif
