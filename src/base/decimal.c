#include "base/decimal.h"

#include <string.h>

#include "base/digits.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

ks_decimal_fault ks_decimal_parse(const char *text, size_t length, uint64_t *ticks) {
    size_t i = 0;
    unsigned __int128 sum = 0;
    bool is_large = false;
    for (; i < length && is_digit(text[i]); i++) {
        sum = sum * 10 + (unsigned)(text[i] - '0');
        if (sum >= KS_TICKS_LIMIT) is_large = true, sum = KS_TICKS_LIMIT;
    }
    if (i == 0) return KS_DECIMAL_SYNTAX;
    size_t digits = 0;
    if (i < length && text[i] == '.') {
        for (i++; i < length && is_digit(text[i]); i++, digits++)
            if (digits < 4) sum = sum * 10 + (unsigned)(text[i] - '0');
        if (digits == 0) return KS_DECIMAL_SYNTAX;
    }
    if (i != length) return KS_DECIMAL_SYNTAX;
    if (digits > 4) return KS_DECIMAL_TOO_PRECISE;
    for (size_t k = digits; k < 4; k++) sum *= 10;
    if (is_large || sum >= KS_TICKS_LIMIT) return KS_DECIMAL_TOO_LARGE;
    *ticks = (uint64_t)sum;
    return KS_DECIMAL_OK;
}

const char *ks_decimal_fault_text(ks_decimal_fault fault) {
    static const char *const texts[] = {
        [KS_DECIMAL_OK] = "is fine",
        [KS_DECIMAL_SYNTAX] =
            "is not a decimal (digits, or digits.digits; no sign, exponent or blank)",
        [KS_DECIMAL_TOO_PRECISE] = "has more than four fractional digits",
        [KS_DECIMAL_TOO_LARGE] = "is not below 2^63 ticks (922337203685477.5808)",
    };
    return texts[fault];
}

bool ks_u64_parse(const char *text, size_t length, uint64_t *value) {
    uint64_t sum = 0;
    if (length == 0) return false;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i])) return false;
        const unsigned digit = (unsigned)(text[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10) return false;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

size_t ks_u64_print(char out[KS_DECIMAL_TEXT_MAX], uint64_t value) {
    char *end = ks_put_u64(out, value);
    *end = '\0';
    return (size_t)(end - out);
}

size_t ks_decimal_print(char out[KS_DECIMAL_TEXT_MAX], uint64_t ticks) {
    char *end = ks_put_ticks(out, ticks);
    *end = '\0';
    return (size_t)(end - out);
}
