#include "report/xml.h"

/* Length of the well-formed UTF-8 character at s that XML has too, or 0. */
static size_t character_length(const unsigned char *s) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (n == 0 || s[0] > 0xf4) return 0;
    uint32_t code = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool is_none = (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff ||
                         (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
    return is_control || is_none || code < least[n] ? 0 : n;
}

static const char *reference_of(unsigned char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\n': return "&#10;";
    case '\t': return "&#9;";
    }
    return NULL;
}

void ks_text_add_xml(ks_text *text, const char *string) {
    for (const unsigned char *s = (const unsigned char *)string; *s;) {
        const char *reference = reference_of(*s);
        const size_t length = reference ? 1 : character_length(s);
        if (reference)
            ks_text_add_string(text, reference);
        else if (length)
            ks_text_add(text, (const char *)s, length);
        else
            ks_text_add_string(text, "\xef\xbf\xbd");
        s += length ? length : 1;
    }
}
