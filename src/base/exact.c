#include "base/exact.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

_Static_assert(sizeof(long) == sizeof(int64_t), "mpz_get_si and mpz_set_si carry 64 bits");

struct ks_exact_big {
    mpq_t q;
};

static ks_exact big_new(void) {
    struct ks_exact_big *big = malloc(sizeof *big);
    if (!big) KS_BUG("out of memory in exact arithmetic");
    mpq_init(big->q);
    return (ks_exact){.big = big};
}

void ks_exact_free(ks_exact *value) {
    if (value->big) {
        mpq_clear(value->big->q);
        free(value->big);
    }
    *value = (ks_exact){0};
}

static int64_t den_of(const ks_exact *v) { return v->den ? v->den : 1; }

/* Back to the small form where that holds it; lowest terms already. */
static ks_exact shrink(ks_exact value) {
    if (!mpz_fits_slong_p(mpq_numref(value.big->q)) || !mpz_fits_slong_p(mpq_denref(value.big->q)))
        return value;
    const ks_exact small = {mpz_get_si(mpq_numref(value.big->q)),
                            mpz_get_si(mpq_denref(value.big->q)), NULL};
    if (small.num == INT64_MIN) return value;
    ks_exact_free(&value);
    return small;
}

static void set_wide(mpz_t out, wide value) {
    const uwide size = value < 0 ? -(uwide)value : (uwide)value;
    const uint64_t limbs[2] = {(uint64_t)size, (uint64_t)(size >> 64)};
    mpz_import(out, 2, -1, sizeof limbs[0], 0, 0, limbs);
    if (value < 0) mpz_neg(out, out);
}

static uwide gcd(uwide a, uwide b) {
    while (b) {
        const uwide rest = (a >> 64) || (b >> 64) ? a % b : (uint64_t)a % (uint64_t)b;
        a = b;
        b = rest;
    }
    return a;
}

/* num / den in lowest terms; den > 0. */
static ks_exact reduced(wide num, wide den) {
    if (den != 1) {
        const wide common = (wide)gcd(num < 0 ? -(uwide)num : (uwide)num, (uwide)den);
        num /= common;
        den /= common;
    }
    if (num <= INT64_MAX && num >= -INT64_MAX && den <= INT64_MAX)
        return (ks_exact){(int64_t)num, (int64_t)den, NULL};
    ks_exact value = big_new();
    set_wide(mpq_numref(value.big->q), num);
    set_wide(mpq_denref(value.big->q), den);
    return value;
}

static ks_exact widened(const ks_exact *value) {
    ks_exact out = big_new();
    if (value->big)
        mpq_set(out.big->q, value->big->q);
    else
        mpq_set_si(out.big->q, value->num, (unsigned long)den_of(value));
    return out;
}

ks_exact ks_exact_copy(const ks_exact *value) { return value->big ? widened(value) : *value; }

ks_exact ks_exact_of_u64(uint64_t value) { return reduced((wide)value, 1); }
ks_exact ks_exact_of_ratio(uint64_t num, uint64_t den) { return reduced((wide)num, (wide)den); }
ks_exact ks_exact_of_ticks(uint64_t ticks) { return reduced((wide)ticks, 10000); }

/* value = whole * 2^exponent, whole odd or 0: in place where that fits. */
ks_exact ks_exact_of_double(double value) {
    if (!isfinite(value)) KS_BUG("not a finite double");
    int exponent;
    int64_t whole = (int64_t)ldexp(frexp(value, &exponent), 53);
    exponent -= 53;
    for (; whole && whole % 2 == 0; exponent++) whole /= 2;
    if (whole == 0) return (ks_exact){0};
    if (exponent <= 0 && exponent >= -62) return (ks_exact){whole, INT64_C(1) << -exponent, NULL};
    if (exponent > 0 && exponent <= 9) return (ks_exact){whole * (INT64_C(1) << exponent), 1, NULL};
    ks_exact out = big_new();
    mpq_set_d(out.big->q, value);
    return shrink(out);
}

enum { LONGEST = 64, MOST_SMALL = 18 /* 10^18 < 2^63 */ };

static ks_exact small_decimal(const char *digits, size_t count, size_t fraction) {
    uint64_t num = 0, den = 1;
    for (size_t i = 0; i < count; i++) num = num * 10 + (uint64_t)(digits[i] - '0');
    for (size_t i = 0; i < fraction; i++) den *= 10;
    return ks_exact_of_ratio(num, den);
}

bool ks_exact_parse(const char *text, size_t length, ks_exact *out) {
    char digits[LONGEST + 1];
    size_t count = 0, fraction = 0;
    bool has_point = false;
    if (length > LONGEST) return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && !has_point && count > 0) {
            has_point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            digits[count++] = text[i];
            fraction += has_point;
        } else {
            return false;
        }
    }
    if (count == 0 || (has_point && fraction == 0)) return false;
    digits[count] = '\0';
    if (count <= MOST_SMALL) {
        *out = small_decimal(digits, count, fraction);
        return true;
    }
    ks_exact value = big_new();
    mpz_set_str(mpq_numref(value.big->q), digits, 10);
    mpz_ui_pow_ui(mpq_denref(value.big->q), 10, fraction);
    mpq_canonicalize(value.big->q);
    *out = shrink(value);
    return true;
}

typedef void big_operation(mpq_ptr out, mpq_srcptr a, mpq_srcptr b);

static ks_exact by_gmp(big_operation *operation, const ks_exact *a, const ks_exact *b) {
    ks_exact x = widened(a), y = widened(b);
    operation(x.big->q, x.big->q, y.big->q);
    ks_exact_free(&y);
    return shrink(x);
}

/* Below, a product of two small parts is less than 2^126. */
ks_exact ks_exact_add(const ks_exact *a, const ks_exact *b) {
    if (a->big || b->big) return by_gmp(mpq_add, a, b);
    const wide ad = den_of(a), bd = den_of(b);
    if (ad == bd) return reduced((wide)a->num + b->num, ad);
    return reduced((wide)a->num * bd + (wide)b->num * ad, ad * bd);
}

ks_exact ks_exact_sub(const ks_exact *a, const ks_exact *b) {
    if (a->big || b->big) return by_gmp(mpq_sub, a, b);
    const ks_exact negated = {-b->num, b->den, NULL};
    return ks_exact_add(a, &negated);
}

ks_exact ks_exact_mul(const ks_exact *a, const ks_exact *b) {
    if (a->big || b->big) return by_gmp(mpq_mul, a, b);
    return reduced((wide)a->num * b->num, (wide)den_of(a) * den_of(b));
}

ks_exact ks_exact_div(const ks_exact *a, const ks_exact *b) {
    if (a->big || b->big) return by_gmp(mpq_div, a, b);
    const wide num = (wide)a->num * den_of(b), den = (wide)den_of(a) * b->num;
    return den < 0 ? reduced(-num, -den) : reduced(num, den);
}

static ks_exact floored(const ks_exact *value) {
    ks_exact out = widened(value);
    mpz_fdiv_q(mpq_numref(out.big->q), mpq_numref(out.big->q), mpq_denref(out.big->q));
    mpz_set_ui(mpq_denref(out.big->q), 1);
    return shrink(out);
}

ks_exact ks_exact_mod(const ks_exact *a, const ks_exact *b) {
    if (!a->big && !b->big && den_of(a) == 1 && den_of(b) == 1) {
        const int64_t rest = a->num % b->num;
        return (ks_exact){rest && (rest < 0) != (b->num < 0) ? rest + b->num : rest, 1, NULL};
    }
    ks_exact quotient = ks_exact_div(a, b);
    ks_exact whole = floored(&quotient);
    ks_exact part = ks_exact_mul(b, &whole);
    const ks_exact rest = ks_exact_sub(a, &part);
    ks_exact_free(&quotient);
    ks_exact_free(&whole);
    ks_exact_free(&part);
    return rest;
}

bool ks_exact_floor(const ks_exact *value, uint64_t *out) {
    if (ks_exact_sign(value) < 0) return false;
    ks_exact whole = widened(value);
    mpz_fdiv_q(mpq_numref(whole.big->q), mpq_numref(whole.big->q), mpq_denref(whole.big->q));
    const bool fits = mpz_fits_ulong_p(mpq_numref(whole.big->q)) != 0;
    if (fits) *out = mpz_get_ui(mpq_numref(whole.big->q));
    ks_exact_free(&whole);
    return fits;
}

void ks_exact_print(ks_text *out, const ks_exact *value) {
    ks_exact wide_value = widened(value);
    char *text = mpq_get_str(NULL, 10, wide_value.big->q);
    if (text)
        ks_text_add_string(out, text);
    else
        out->has_failed = true;
    free(text);
    ks_exact_free(&wide_value);
}

int ks_exact_sign(const ks_exact *value) {
    if (value->big) return mpq_sgn(value->big->q);
    return (value->num > 0) - (value->num < 0);
}

int ks_exact_compare(const ks_exact *a, const ks_exact *b) {
    if (!a->big && !b->big) {
        const wide left = (wide)a->num * den_of(b), right = (wide)b->num * den_of(a);
        return (left > right) - (left < right);
    }
    ks_exact difference = ks_exact_sub(a, b);
    const int sign = ks_exact_sign(&difference);
    ks_exact_free(&difference);
    return sign;
}

/* 2^SMALLEST is the smallest double above 0. */
enum { SMALLEST = -1074 };

/* quotient / 2^shift, rounded once. The quotient has 55 or 56 bits (fewer below the normal range),
 * two more than a double holds; `has_rest`: something was cut off behind them. */
static double rounded(uint64_t quotient, bool has_rest, long shift) {
    int dropped = 2;
    while (quotient >> (53 + dropped)) dropped++;
    const uint64_t tail = quotient & ((UINT64_C(1) << dropped) - 1);
    const uint64_t half = UINT64_C(1) << (dropped - 1);
    uint64_t bits = quotient >> dropped;
    if (tail > half || (tail == half && (has_rest || (bits & 1)))) bits++;
    const long exponent = dropped - shift;
    return exponent > 1024 ? HUGE_VAL : ldexp((double)bits, (int)exponent);
}

static double big_magnitude(mpq_srcptr q) {
    mpz_t num, den, rest;
    mpz_inits(num, den, rest, NULL);
    mpz_abs(num, mpq_numref(q));
    mpz_set(den, mpq_denref(q));
    const long size = (long)mpz_sizeinbase(num, 2) - (long)mpz_sizeinbase(den, 2);
    const long shift = 55 - size < 2 - SMALLEST ? 55 - size : 2 - SMALLEST;
    if (shift >= 0)
        mpz_mul_2exp(num, num, (mp_bitcnt_t)shift);
    else
        mpz_mul_2exp(den, den, (mp_bitcnt_t)-shift);
    mpz_tdiv_qr(num, rest, num, den);
    const double value = rounded(mpz_get_ui(num), mpz_sgn(rest) != 0, shift);
    mpz_clears(num, den, rest, NULL);
    return value;
}

static int bit_length(uint64_t value) {
    int bits = 0;
    for (; value; value >>= 1) bits++;
    return bits;
}

/* num, den below 2^63: nothing below leaves 128 bits. */
static double small_magnitude(uint64_t num, uint64_t den) {
    const int shift = 55 - (bit_length(num) - bit_length(den));
    const uwide n = shift > 0 ? (uwide)num << shift : num;
    const uwide d = shift < 0 ? (uwide)den << -shift : den;
    return rounded((uint64_t)(n / d), n % d != 0, shift);
}

double ks_exact_double(const ks_exact *value) {
    const int sign = ks_exact_sign(value);
    if (sign == 0) return 0;
    const uint64_t num = (uint64_t)(value->num < 0 ? -value->num : value->num);
    const double size =
        value->big ? big_magnitude(value->big->q) : small_magnitude(num, (uint64_t)den_of(value));
    return sign < 0 ? -size : size;
}

/* floor(x + 1/2) is the largest t with 2t - 1 <= 2x, and 2x is the root of
 * 2^steps * from^(steps - i) * to^i. */
uint64_t ks_exact_geometric(uint64_t from, uint64_t to, unsigned i, unsigned steps) {
    const unsigned common = (unsigned)gcd(i, steps);
    i /= common;
    steps /= common;
    mpz_t root, power;
    mpz_init_set_ui(root, from);
    mpz_init_set_ui(power, to);
    mpz_pow_ui(root, root, steps - i);
    mpz_pow_ui(power, power, i);
    mpz_mul(root, root, power);
    mpz_mul_2exp(root, root, steps);
    mpz_root(root, root, steps);
    mpz_add_ui(root, root, 1);
    mpz_fdiv_q_2exp(root, root, 1);
    const uint64_t rounded = mpz_get_ui(root);
    mpz_clear(root);
    mpz_clear(power);
    return rounded;
}
