/* Exact numbers as decimals for a person. Rounded once, halves away from zero. */
#ifndef KS_BASE_EXACT_TEXT_H
#define KS_BASE_EXACT_TEXT_H

#include "base/exact.h"
#include "base/text.h"

/* `decimals` digits behind the point, zeros too: 2 gives `0.50`. */
void ks_exact_add_decimals(ks_text *out, const ks_exact *value, unsigned decimals);
/* `digits` significant ones (from 1): `4.088`, `12350`, `0.002500`; `1.235e-05` below 1e-4 and
 * `1.235e+15` from 1e15 on. */
void ks_exact_add_digits(ks_text *out, const ks_exact *value, unsigned digits);
/* The value itself as the shortest decimal (`59078.125`) where it has one of at most `most` digits
 * behind the point; else false, and nothing is added. */
bool ks_exact_add_shortest(ks_text *out, const ks_exact *value, unsigned most);

#endif
