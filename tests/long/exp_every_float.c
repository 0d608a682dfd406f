/* exp of every finite float, by the loops of each instruction set that this machine runs: is it
 * the float nearest to e^x? Judged by a second computation that shares nothing with ks_exp: the
 * first float of each block by GMP, 320 bits and Taylor's series; the next ones by multiplying with
 * e^step in double-double, which after a block is right to 2^-90. What lies closer to a tie than
 * 2^-80 would be judged by GMP again.
 *
 *     exp_every_float            all: half a minute on one core
 *     exp_every_float --sample   every 499th group of blocks, a second */
#include <float.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/isa.h"
#include "data/numeric.h"

enum { BLOCK = 4096, LANES = 16, GROUP = BLOCK * LANES, PRECISION = 320, HALVINGS = 16 };

typedef struct pair {
    double high, low; /* high + low, low at most half a unit of high's last place */
} pair;

typedef struct check {
    const ks_isa *isas[8];
    uint32_t isa_count;
    float x[GROUP], y[GROUP], other[GROUP];
    uint64_t checked, wrong, near;
    double nearest; /* to a tie, relative to e^x */
} check;

/* ---- e^x to 140 bits and more ---- */

/* e^x 2^PRECISION for |x| < 128: Taylor's series of x / 2^HALVINGS, squared as often. */
static void exp_by_series(mpz_t sum, double x) {
    mpz_t r, term;
    mpz_inits(r, term, NULL);
    mpz_set_d(r, x * 0x1p200); /* exact: x is a float of 2^-53 and more */
    mpz_mul_2exp(r, r, PRECISION - 200 - HALVINGS);
    mpz_set_ui(term, 1);
    mpz_mul_2exp(term, term, PRECISION);
    mpz_set(sum, term);
    for (unsigned long n = 1; mpz_sgn(term) != 0 && n < 100; n++) {
        mpz_mul(term, term, r);
        mpz_tdiv_q_2exp(term, term, PRECISION);
        mpz_tdiv_q_ui(term, term, n);
        mpz_add(sum, sum, term);
    }
    for (int i = 0; i < HALVINGS; i++) {
        mpz_mul(sum, sum, sum);
        mpz_tdiv_q_2exp(sum, sum, PRECISION);
    }
    mpz_clears(r, term, NULL);
}

static pair exp_of(double x) {
    mpz_t sum, high;
    pair e;
    mpz_inits(sum, high, NULL);
    exp_by_series(sum, x);
    e.high = mpz_get_d(sum);
    mpz_set_d(high, e.high);
    mpz_sub(sum, sum, high);
    e.low = mpz_get_d(sum) * 0x1p-320;
    e.high *= 0x1p-320;
    mpz_clears(sum, high, NULL);
    return (pair){e.high + e.low, (e.high - (e.high + e.low)) + e.low};
}

/* ---- what is nearest ---- */

static double value_of(float y) { return y > FLT_MAX ? 0x1p128 : (double)y; }

static double middle(float y, int32_t step) {
    const uint32_t bits = ks_bits32(y);
    if (step < 0 && bits == 0) return -1;
    if (step > 0 && y > FLT_MAX) return 0x1p1000;
    return 0.5 * (value_of(y) + value_of(ks_float_of_bits(bits + (uint32_t)step)));
}

/* How far e is inside of what rounds to y, relative to e; negative: outside. */
static double margin(float y, pair e) {
    const double below = (e.high - middle(y, -1)) + e.low, above = (middle(y, 1) - e.high) - e.low;
    return (below < above ? below : above) / e.high;
}

/* Of a tie that is too near for double-double. 140 bits decide, or it is said to be wrong. */
static bool is_nearest(float x, float y) {
    mpz_t e, tie;
    bool is_fine = true;
    mpz_inits(e, tie, NULL);
    exp_by_series(e, (double)x);
    for (int side = -1; side <= 1; side += 2) {
        mpz_set_d(tie, middle(y, side) * 0x1p200);
        mpz_mul_2exp(tie, tie, PRECISION - 200);
        mpz_sub(tie, tie, e);
        is_fine &= mpz_sgn(tie) == side && mpz_sizeinbase(tie, 2) > 30;
    }
    mpz_clears(e, tie, NULL);
    return is_fine;
}

static void report(check *c, float x, float y) {
    if (c->wrong++ < 10) printf("exp(%a) = %a is not the nearest float\n", (double)x, (double)y);
}

static void judge(check *c, float x, float y, pair e) {
    const double m = margin(y, e);
    c->nearest = m < c->nearest ? m : c->nearest;
    if (m > 0x1p-80) return;
    c->near += m > -0x1p-80;
    if (m <= -0x1p-80 || !is_nearest(x, y)) report(c, x, y);
}

/* ---- groups of floats ---- */

/* All instruction sets, equal bits; y is what they say of x. */
static void evaluate(check *c) {
    static const float zeros[GROUP];
    const float *const in[] = {c->x, zeros};
    for (uint32_t i = 0; i < c->isa_count; i++) {
        c->isas[i]->math->row_ops[KS_OP_exp_diff](i ? c->other : c->y, in, GROUP, 0);
        for (int j = 0; i && memcmp(c->y, c->other, sizeof c->y) && j < GROUP; j++)
            if (ks_bits32(c->y[j]) != ks_bits32(c->other[j])) report(c, c->x[j], c->other[j]);
    }
    c->checked += GROUP;
}

/* x times `factor`, whose high part is given in two halves (Veltkamp, Dekker). */
static inline pair multiply(pair x, pair factor, double upper, double lower) {
    const double split = 134217729.0 * x.high, top = split - (split - x.high), rest = x.high - top;
    const double product = x.high * factor.high;
    double error = ((top * upper - product) + top * lower + rest * upper) + rest * lower;
    error += x.high * factor.low + x.low * factor.high;
    const double sum = product + error;
    return (pair){sum, (product - sum) + error};
}

/* LANES blocks of one binade side by side: element i of block l is at i LANES + l. */
static void check_group(check *c, uint32_t first) {
    pair e[LANES];
    const double step = (double)ks_float_of_bits(first + 1) - (double)ks_float_of_bits(first);
    const pair factor = exp_of(step);
    const double split = 134217729.0 * factor.high, upper = split - (split - factor.high);
    for (uint32_t l = 0; l < LANES; l++) {
        for (uint32_t i = 0; i < BLOCK; i++)
            c->x[i * LANES + l] = ks_float_of_bits(first + l * BLOCK + i);
        e[l] = exp_of((double)c->x[l]);
    }
    evaluate(c);
    for (uint32_t i = 0; i < BLOCK; i++)
        for (uint32_t l = 0; l < LANES; l++) {
            judge(c, c->x[i * LANES + l], c->y[i * LANES + l], e[l]);
            e[l] = multiply(e[l], factor, upper, factor.high - upper);
        }
}

/* Where the answer is the same for all. */
static void check_constant(check *c, uint32_t first, float expected) {
    for (uint32_t i = 0; i < GROUP; i++) c->x[i] = ks_float_of_bits(first + i);
    evaluate(c);
    for (uint32_t i = 0; i < GROUP; i++)
        if (ks_bits32(c->y[i]) != ks_bits32(expected)) report(c, c->x[i], c->y[i]);
}

/* `first` to first + GROUP - 1, in one binade, of either sign. */
static void check_bits(check *c, uint32_t first) {
    const float x = ks_float_of_bits(first), magnitude = x < 0 ? -x : x;
    if (magnitude < 0x1p-30f)
        check_constant(c, first, 1); /* within 2^-29 of 1 */
    else if (magnitude < 128)
        check_group(c, first);
    else
        check_constant(c, first, x < 0 ? 0 : __builtin_inff()); /* < 2^-150, > 2^128 */
}

/* The float next to the right one must not pass. */
static bool finds_neighbours(void) {
    for (float x = -103; x < 88; x += 0.37f) {
        const pair e = exp_of((double)x);
        const uint32_t bits = ks_bits32(ks_exp(x));
        if (margin(ks_float_of_bits(bits), e) <= 0 || is_nearest(x, ks_float_of_bits(bits - 1)) ||
            margin(ks_float_of_bits(bits + 1), e) > 0 || margin(ks_float_of_bits(bits - 1), e) > 0)
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    static check c = {.nearest = 1};
    const bool is_sample = argc == 2 && strcmp(argv[1], "--sample") == 0;
    if (argc > 1 && !is_sample) {
        fprintf(stderr, "usage: %s [--sample]\n", argv[0]);
        return 2;
    }
    if (!finds_neighbours()) {
        printf("the check itself is wrong\n");
        return 1;
    }
    for (uint32_t i = 0; ks_isa_at(i) && c.isa_count < 8; i++)
        if (ks_isa_runs_here(ks_isa_at(i))) c.isas[c.isa_count++] = ks_isa_at(i);
    const uint32_t step = is_sample ? 499 * GROUP : GROUP;
    for (uint32_t sign = 0; sign < 2; sign++)
        for (uint32_t first = 0; first < 0x7f800000; first += step)
            check_bits(&c, first | sign << 31);
    printf("exp: %llu floats by %u instruction sets, %llu wrongly rounded; nearest to a tie %.3g, "
           "%llu decided by GMP\n",
           (unsigned long long)c.checked, c.isa_count, (unsigned long long)c.wrong, c.nearest,
           (unsigned long long)c.near);
    return c.wrong || !c.checked ? 1 : 0;
}
