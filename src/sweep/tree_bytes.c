#include "sweep/tree_bytes.h"

#include <string.h>

/* Reads the character at s[0..left): its length, or 0 if it is not UTF-8 (overlong, surrogate,
 * cut short, past U+10FFFF). */
static size_t decode(const unsigned char *s, size_t left, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (n == 0 || n > left || s[0] > 0xf4) return 0;
    *code = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    const bool is_surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[n] || is_surrogate || *code > 0x10ffff ? 0 : n;
}

static bool is_control(uint32_t c) { return (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0); }
/* Line and paragraph separator, which YAML takes for line ends; noncharacters, which XML refuses. */
static bool is_outcast(uint32_t c) {
    return c == 0x2028 || c == 0x2029 || c == 0xfeff || (c & 0xfffe) == 0xfffe ||
           (c >= 0xfdd0 && c <= 0xfdef);
}

static ks_status refuse(const ks_place *place, uint32_t code, ks_error *error) {
    static const struct {
        uint32_t code;
        const char *text;
    } special[] = {
        {'\r',
         "found a carriage return, expected line ends of LF alone (convert the file's line ends)"},
        {'\t', "found a tab, expected blanks"},
        {0xfeff, "found a byte order mark, expected UTF-8 without one"},
        {0, "found a NUL character, expected text"},
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (special[i].code == code) return ks_place_fail(error, place, "%s", special[i].text);
    return ks_place_fail(error, place,
                         "found the control character U+%04X, expected printable text",
                         (unsigned)code);
}

ks_status ks_tree_check_bytes(const char *file, const char *bytes, size_t length, ks_error *error) {
    ks_place place = {file, 1, 1};
    for (size_t i = 0; i < length;) {
        uint32_t code;
        const size_t n = decode((const unsigned char *)bytes + i, length - i, &code);
        if (n == 0)
            return ks_place_fail(error, &place, "found the byte 0x%02X, expected UTF-8",
                                 (unsigned)(unsigned char)bytes[i]);
        if (is_control(code) || is_outcast(code)) return refuse(&place, code, error);
        i += n;
        place.column++;
        if (code == '\n') place = (ks_place){file, place.line + 1, 1};
    }
    return KS_OK;
}

ks_status ks_tree_check_scalar(const ks_place *place, const char *text, size_t length,
                               ks_error *error) {
    for (size_t i = 0; i < length;) {
        uint32_t code;
        const size_t n = decode((const unsigned char *)text + i, length - i, &code);
        if (n == 0)
            return ks_place_fail(error, place, "found text that is not UTF-8, expected UTF-8");
        if (is_control(code) || is_outcast(code)) return refuse(place, code, error);
        i += n;
    }
    return KS_OK;
}
