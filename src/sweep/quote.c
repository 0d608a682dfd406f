#include "sweep/quote.h"

#include <string.h>

enum { KEPT = KS_QUOTE_MAX - 8 };

static size_t cut(const char *text, size_t length) {
    if (length <= KEPT) return length;
    size_t n = KEPT;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--; /* not inside a character */
    return n;
}

const char *ks_quote(char out[KS_QUOTE_MAX], const char *text, size_t length) {
    const size_t kept = cut(text, length);
    if (length == 0) return strcpy(out, "nothing");
    size_t n = 0;
    out[n++] = '\'';
    for (size_t i = 0; i < kept; i++) {
        const unsigned char c = (unsigned char)text[i];
        out[n++] = c < 0x20 || c == 0x7f ? '?' : text[i];
    }
    strcpy(out + n, kept < length ? "...'" : "'");
    return out;
}
