#include "base/exact_text.h"

#include <stdlib.h>
#include <string.h>

/* value * 10^power, of any sign. */
static ks_exact shifted(const ks_exact *value, int power) {
    const ks_exact ten = ks_exact_of_u64(10);
    ks_exact out = ks_exact_copy(value);
    for (int i = 0; i < abs(power); i++) {
        ks_exact next = power > 0 ? ks_exact_mul(&out, &ten) : ks_exact_div(&out, &ten);
        ks_exact_free(&out);
        out = next;
    }
    return out;
}

static ks_exact magnitude(const ks_exact *value) {
    const ks_exact zero = {0};
    return ks_exact_sign(value) < 0 ? ks_exact_sub(&zero, value) : ks_exact_copy(value);
}

/* floor(value + 1/2) of a value that is not negative. */
static ks_exact nearest_whole(const ks_exact *value) {
    const ks_exact half = ks_exact_of_ratio(1, 2), one = ks_exact_of_u64(1);
    ks_exact sum = ks_exact_add(value, &half);
    ks_exact rest = ks_exact_mod(&sum, &one);
    const ks_exact whole = ks_exact_sub(&sum, &rest);
    ks_exact_free(&sum);
    ks_exact_free(&rest);
    return whole;
}

/* Digits of a whole number that is not negative, last one first; at least `least` of them. */
static void add_digits_backwards(ks_text *out, const ks_exact *whole, size_t least) {
    const ks_exact ten = ks_exact_of_u64(10);
    ks_exact rest = ks_exact_copy(whole);
    while (ks_exact_sign(&rest) > 0 || out->length < least) {
        ks_exact digit = ks_exact_mod(&rest, &ten);
        ks_exact above = ks_exact_sub(&rest, &digit);
        ks_exact_free(&rest);
        rest = ks_exact_div(&above, &ten);
        ks_text_add_char(out, (char)('0' + (int)ks_exact_double(&digit)));
        ks_exact_free(&digit);
        ks_exact_free(&above);
        if (out->has_failed) break;
    }
    ks_exact_free(&rest);
}

/* whole / 10^decimals. */
static void add_fixed(ks_text *out, const ks_exact *whole, unsigned decimals) {
    ks_text digits = {0};
    add_digits_backwards(&digits, whole, decimals + 1);
    if (digits.has_failed) out->has_failed = true;
    for (size_t i = digits.length; i-- > 0;) {
        ks_text_add_char(out, digits.data[i]);
        if (i == decimals && decimals > 0) ks_text_add_char(out, '.');
    }
    ks_text_free(&digits);
}

void ks_exact_add_decimals(ks_text *out, const ks_exact *value, unsigned decimals) {
    ks_exact size = magnitude(value);
    ks_exact scaled = shifted(&size, (int)decimals);
    ks_exact whole = nearest_whole(&scaled);
    if (ks_exact_sign(value) < 0 && ks_exact_sign(&whole) > 0) ks_text_add_char(out, '-');
    add_fixed(out, &whole, decimals);
    ks_exact_free(&size);
    ks_exact_free(&scaled);
    ks_exact_free(&whole);
}

/* The e with 10^e <= size < 10^(e + 1); size > 0. */
static int exponent_of(const ks_exact *size) {
    const ks_exact one = ks_exact_of_u64(1), ten = ks_exact_of_u64(10);
    ks_exact rest = ks_exact_copy(size);
    int exponent = 0;
    while (ks_exact_compare(&rest, &ten) >= 0 || ks_exact_compare(&rest, &one) < 0) {
        const int step = ks_exact_compare(&rest, &one) < 0 ? 1 : -1;
        ks_exact next = shifted(&rest, step);
        ks_exact_free(&rest);
        rest = next;
        exponent -= step;
    }
    ks_exact_free(&rest);
    return exponent;
}

enum { LEAST_PLAIN = -4, MOST_PLAIN = 14 };

/* whole: the significant digits; the first of them stands for 10^exponent. */
static void add_significant(ks_text *out, const ks_exact *whole, int exponent, unsigned digits) {
    const int decimals = (int)digits - 1 - exponent;
    if (exponent < LEAST_PLAIN || exponent > MOST_PLAIN) {
        add_fixed(out, whole, digits - 1);
        ks_text_add_format(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    } else if (decimals >= 0) {
        add_fixed(out, whole, (unsigned)decimals);
    } else {
        add_fixed(out, whole, 0);
        for (int i = decimals; i < 0; i++) ks_text_add_char(out, '0');
    }
}

void ks_exact_add_digits(ks_text *out, const ks_exact *value, unsigned digits) {
    if (ks_exact_sign(value) == 0) {
        ks_text_add_char(out, '0');
        return;
    }
    ks_exact size = magnitude(value);
    int exponent = exponent_of(&size);
    ks_exact scaled = shifted(&size, (int)digits - 1 - exponent);
    ks_exact whole = nearest_whole(&scaled);
    if (exponent_of(&whole) == (int)digits) { /* 9.9996 is 10.00 */
        ks_exact shorter = shifted(&whole, -1);
        ks_exact_free(&whole);
        whole = shorter;
        exponent++;
    }
    if (ks_exact_sign(value) < 0) ks_text_add_char(out, '-');
    add_significant(out, &whole, exponent, digits);
    ks_exact_free(&size);
    ks_exact_free(&scaled);
    ks_exact_free(&whole);
}

bool ks_exact_add_shortest(ks_text *out, const ks_exact *value, unsigned most) {
    const ks_exact one = ks_exact_of_u64(1);
    for (unsigned decimals = 0; decimals <= most; decimals++) {
        ks_exact scaled = shifted(value, (int)decimals);
        ks_exact rest = ks_exact_mod(&scaled, &one);
        const bool is_whole = ks_exact_sign(&rest) == 0;
        ks_exact_free(&scaled);
        ks_exact_free(&rest);
        if (!is_whole) continue;
        ks_exact_add_decimals(out, value, decimals);
        return true;
    }
    return false;
}
