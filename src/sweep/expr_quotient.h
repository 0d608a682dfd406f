/* An expression as a quotient of two sums over its sides, where it is one: `a.x / b.x`,
 * `2 * a.x - b.x`, `(a.x + a.y) / b.x - 1`. */
#ifndef KS_SWEEP_EXPR_QUOTIENT_H
#define KS_SWEEP_EXPR_QUOTIENT_H

#include "sweep/expr.h"

/* weights[s] times side s, for all sides, plus weights[side_count]. */
typedef struct ks_quotient {
    size_t side_count;
    ks_exact *num, *den; /* owned; den is 1 where the expression is a sum */
} ks_quotient;

/* Sides get numbers from `first_side` on, of `side_count`. `resolve` is asked for names alone; a
 * name without a value is not constant. False: not such a quotient (a product of sides, a %, a
 * name that moves, a division by zero). */
bool ks_expr_quotient(const ks_expr *expr, ks_expr_resolve resolve, void *context,
                      size_t first_side, size_t side_count, ks_quotient *out);
/* *a - *b, under the same conditions. */
bool ks_quotient_subtract(const ks_quotient *a, const ks_quotient *b, ks_quotient *out);
void ks_quotient_free(ks_quotient *quotient);

#endif
