/* Exact rational numbers. Small ones are held in place; others on the heap, by GMP. A value is
 * owned by who got it; copying the struct moves it. Running out of memory aborts, as in GMP. */
#ifndef KS_BASE_EXACT_H
#define KS_BASE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct ks_exact_big;

typedef struct ks_exact {
    int64_t num, den; /* lowest terms, den >= 0; den 0 stands for 0, so all zero is a value */
    struct ks_exact_big *big; /* NULL: num / den is the value */
} ks_exact;

void ks_exact_free(ks_exact *value); /* leaves 0 */
ks_exact ks_exact_copy(const ks_exact *value);

ks_exact ks_exact_of_u64(uint64_t value);
ks_exact ks_exact_of_ratio(uint64_t num, uint64_t den); /* den > 0 */
ks_exact ks_exact_of_ticks(uint64_t ticks);             /* ten-thousandths */
ks_exact ks_exact_of_double(double value);              /* finite; every bit of it */
/* The whole of text[0..length): `digits` or `digits.digits`, at most 64 characters; else false. */
bool ks_exact_parse(const char *text, size_t length, ks_exact *out);

ks_exact ks_exact_add(const ks_exact *a, const ks_exact *b);
ks_exact ks_exact_sub(const ks_exact *a, const ks_exact *b);
ks_exact ks_exact_mul(const ks_exact *a, const ks_exact *b);
ks_exact ks_exact_div(const ks_exact *a, const ks_exact *b); /* b is not 0 */
ks_exact ks_exact_mod(const ks_exact *a, const ks_exact *b); /* a - b * floor(a / b); b is not 0 */

int ks_exact_sign(const ks_exact *value);                   /* -1, 0, 1 */
int ks_exact_compare(const ks_exact *a, const ks_exact *b); /* -1, 0, 1 */
double ks_exact_double(const ks_exact *value); /* nearest, ties to even; +-HUGE_VAL if too large */

/* floor(value), where that is in [0, 2^64); else false. */
bool ks_exact_floor(const ks_exact *value, uint64_t *out);
/* `3`, `-7/2`: lowest terms. */
void ks_exact_print(ks_text *out, const ks_exact *value);

/* floor(x + 1/2) of x = from^((steps - i) / steps) * to^(i / steps): the i-th of steps + 1 points
 * of a geometric scale. Exact: by roots of integers. steps > 0, i <= steps. */
uint64_t ks_exact_geometric(uint64_t from, uint64_t to, unsigned i, unsigned steps);

#endif
