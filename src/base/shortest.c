/* Shortest decimals of doubles, after Raffaello Giulietti, "The Schubfach way to render doubles"
 * (2020). Of the decimals that read back to the same double, those of the fewest digits lie on the
 * coarsest grid 10^(k+1) that has one inside the rounding interval; 10^k is chosen from the
 * exponent alone so that the interval holds one or more of its multiples and at most one multiple
 * of 10^(k+1). All that is compared is v * 10^-k and the interval's ends, in quarters, rounded to
 * odd: three products with 128 bits of a power of ten. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/digits.h"
#include "base/status.h"

enum { LEAST_POWER = -292, MOST_POWER = 324 };

/* 10^(LEAST_POWER + i), its leading 128 bits plus one in the last place: high half, low half. */
static const uint64_t powers[MOST_POWER - LEAST_POWER + 1][2] = {
#include "base/shortest_powers.inc"
};

/* digits * 10^power; digits without a trailing zero. */
typedef struct decimal {
    uint64_t digits;
    int power;
} decimal;

/* floor(log2(10^e)), floor(log10(2^e)) and floor(log10(3/4 * 2^e)): exact for the exponents of
 * doubles. */
static int log2_of_power_of_10(int e) { return (e * 1741647) >> 19; }
static int log10_of_power_of_2(int e, bool is_three_quarters) {
    return (e * 1262611 - (is_three_quarters ? 524031 : 0)) >> 22;
}

/* scaled * power / 2^128; the last bit says whether anything lies below it. */
static uint64_t multiply_to_odd(const uint64_t power[2], uint64_t scaled) {
    const unsigned __int128 low = (unsigned __int128)power[1] * scaled;
    const unsigned __int128 sum = (unsigned __int128)power[0] * scaled + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1); /* 1: the table's excess */
}

/* value = fraction * 2^exponent. At a power of two the lower neighbour is nearer. */
static decimal shortest(uint64_t fraction, int exponent, bool is_lower_nearer) {
    const int k = log10_of_power_of_2(exponent, is_lower_nearer);
    const int shift = exponent + log2_of_power_of_10(-k) + 1;
    const uint64_t *power = powers[-k - LEAST_POWER];
    const uint64_t at = multiply_to_odd(power, 4 * fraction << shift);
    const uint64_t open = fraction & 1; /* reading rounds to even: the ends belong to an even one */
    const uint64_t low =
        multiply_to_odd(power, (4 * fraction - (is_lower_nearer ? 1 : 2)) << shift) + open;
    const uint64_t high = multiply_to_odd(power, (4 * fraction + 2) << shift) - open;
    const uint64_t below = at / 4;
    if (below >= 10) {
        const uint64_t coarse = below / 10;
        const bool is_low_in = 40 * coarse >= low, is_high_in = 40 * coarse + 40 <= high;
        if (is_low_in != is_high_in) return (decimal){coarse + is_high_in, k + 1};
    }
    const bool is_low_in = 4 * below >= low, is_high_in = 4 * below + 4 <= high;
    if (is_low_in != is_high_in) return (decimal){below + is_high_in, k};
    const uint64_t middle = 4 * below + 2;
    return (decimal){below + (at > middle || (at == middle && below % 2)), k};
}

static decimal decimal_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int biased = (int)(bits >> 52 & 0x7ff);
    decimal d = biased == 0 ? shortest(fraction, -1074, false)
                            : shortest(fraction | UINT64_C(1) << 52, biased - 1075,
                                       fraction == 0 && biased > 1);
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.power++;
    }
    return d;
}

static char *put_zeros(char *at, int count) {
    memset(at, '0', (size_t)count);
    return at + count;
}

static char *put_exponent(char *at, const char *digits, size_t count, int exponent) {
    *at++ = *digits;
    if (count > 1) *at++ = '.';
    memcpy(at, digits + 1, count - 1);
    at += count - 1;
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    const uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    if (size < 10) *at++ = '0';
    return ks_put_u64(at, size);
}

static char *put_shortest(char *at, double value) {
    char digits[KS_DIGITS_ROOM];
    const decimal d = decimal_of(value);
    const size_t count = (size_t)(ks_put_u64(digits, d.digits) - digits);
    const int exponent = d.power + (int)count - 1; /* of the first digit */
    if (exponent < -4 || exponent >= 17) return put_exponent(at, digits, count, exponent);
    if (d.power >= 0) return ks_put_u64(at, (uint64_t)value); /* an integer: all its digits */
    size_t whole = 0;
    if (exponent >= 0) {
        whole = (size_t)exponent + 1;
        memcpy(at, digits, whole);
        at += whole;
        *at++ = '.';
    } else {
        *at++ = '0';
        *at++ = '.';
        at = put_zeros(at, -exponent - 1);
    }
    memcpy(at, digits + whole, count - whole);
    return at + count - whole;
}

/* Most doubles of a report are quotients of ticks: a decimal of at most four places and fifteen
 * digits that reads back is the only one so short. Reading back is one division, rounded once. */
char *ks_put_double(char *at, double value) {
    if (!isfinite(value)) KS_BUG("%.17g is not a finite double", value);
    if (signbit(value)) *at++ = '-';
    value = fabs(value);
    if (value < 1e11) {
        const uint64_t ticks = (uint64_t)(value * 1e4 + 0.5);
        if ((double)ticks / 1e4 == value) return ks_put_ticks(at, ticks);
    }
    return put_shortest(at, value);
}
