#include "sweep/expr_quotient.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sweep/expr_node.h"

typedef struct maker {
    ks_expr_resolve resolve;
    void *context;
    size_t first_side, side_count;
} maker;

/* ---- sums ---- */

static ks_exact *new_sum(size_t side_count) {
    ks_exact *sum = calloc(side_count + 1, sizeof *sum);
    if (!sum) KS_BUG("out of memory in exact arithmetic");
    return sum;
}

static void free_sum(ks_exact *sum, size_t side_count) {
    for (size_t i = 0; sum && i <= side_count; i++) ks_exact_free(&sum[i]);
    free(sum);
}

static bool is_constant(const ks_exact *sum, size_t side_count) {
    for (size_t i = 0; i < side_count; i++)
        if (ks_exact_sign(&sum[i]) != 0) return false;
    return true;
}

static bool is_zero(const ks_exact *sum, size_t side_count) {
    return is_constant(sum, side_count) && ks_exact_sign(&sum[side_count]) == 0;
}

static bool are_equal(const ks_exact *a, const ks_exact *b, size_t side_count) {
    for (size_t i = 0; i <= side_count; i++)
        if (ks_exact_compare(&a[i], &b[i]) != 0) return false;
    return true;
}

/* sum + factor * other */
static ks_exact *combined(const ks_exact *sum, const ks_exact *factor, const ks_exact *other,
                          size_t side_count) {
    ks_exact *out = new_sum(side_count);
    for (size_t i = 0; i <= side_count; i++) {
        ks_exact part = ks_exact_mul(factor, &other[i]);
        out[i] = sum ? ks_exact_add(&sum[i], &part) : ks_exact_copy(&part);
        ks_exact_free(&part);
    }
    return out;
}

/* ---- quotients ---- */

void ks_quotient_free(ks_quotient *q) {
    free_sum(q->num, q->side_count);
    free_sum(q->den, q->side_count);
    *q = (ks_quotient){0};
}

static bool has_sum(const ks_quotient *q) { return is_constant(q->den, q->side_count); }
static bool is_number(const ks_quotient *q) {
    return has_sum(q) && is_constant(q->num, q->side_count);
}

/* A constant denominator becomes 1. False: it is 0. Takes both sums. */
static bool make(size_t side_count, ks_exact *num, ks_exact *den, ks_quotient *out) {
    *out = (ks_quotient){side_count, num, den};
    if (is_zero(den, side_count)) {
        ks_quotient_free(out);
        return false;
    }
    if (!has_sum(out)) return true;
    const ks_exact one = ks_exact_of_u64(1);
    ks_exact factor = ks_exact_div(&one, &den[side_count]);
    out->num = combined(NULL, &factor, num, side_count);
    ks_exact_free(&out->den[side_count]);
    out->den[side_count] = one;
    ks_exact_free(&factor);
    free_sum(num, side_count);
    return true;
}

static ks_exact *one_sum(size_t side_count) {
    ks_exact *sum = new_sum(side_count);
    sum[side_count] = ks_exact_of_u64(1);
    return sum;
}

/* factor * sum, as a new sum */
static ks_exact *scaled(const ks_exact *sum, const ks_exact *factor, size_t side_count) {
    return combined(NULL, factor, sum, side_count);
}

/* a + factor * b, where both have one denominator or one of them is a number. */
static bool add(const ks_quotient *a, const ks_exact *factor, const ks_quotient *b,
                ks_quotient *out) {
    const size_t n = a->side_count;
    const ks_exact one = ks_exact_of_u64(1);
    if (are_equal(a->den, b->den, n))
        return make(n, combined(a->num, factor, b->num, n), scaled(a->den, &one, n), out);
    if (is_number(b)) {
        ks_exact times = ks_exact_mul(factor, &b->num[n]);
        const bool is_made =
            make(n, combined(a->num, &times, a->den, n), scaled(a->den, &one, n), out);
        ks_exact_free(&times);
        return is_made;
    }
    if (!is_number(a)) return false;
    ks_exact *num = scaled(b->num, factor, n), *sum = combined(num, &a->num[n], b->den, n);
    free_sum(num, n);
    return make(n, sum, scaled(b->den, &one, n), out);
}

static bool multiply(const ks_quotient *a, const ks_quotient *b, ks_quotient *out) {
    const size_t n = a->side_count;
    const ks_exact one = ks_exact_of_u64(1);
    if (!is_number(a) && !is_number(b)) return false;
    const ks_quotient *number = is_number(a) ? a : b, *other = is_number(a) ? b : a;
    return make(n, scaled(other->num, &number->num[n], n), scaled(other->den, &one, n), out);
}

static bool divide(const ks_quotient *a, const ks_quotient *b, ks_quotient *out) {
    const size_t n = a->side_count;
    const ks_exact one = ks_exact_of_u64(1);
    if (has_sum(a) && has_sum(b)) /* both denominators are 1 */
        return make(n, scaled(a->num, &one, n), scaled(b->num, &one, n), out);
    if (is_number(b)) return make(n, scaled(a->num, &one, n), scaled(a->den, &b->num[n], n), out);
    if (is_number(a)) return make(n, scaled(b->den, &a->num[n], n), scaled(b->num, &one, n), out);
    return false;
}

static bool rest(const ks_quotient *a, const ks_quotient *b, ks_quotient *out) {
    const size_t n = a->side_count;
    if (!is_number(a) || !is_number(b) || ks_exact_sign(&b->num[n]) == 0) return false;
    ks_exact *num = new_sum(n);
    num[n] = ks_exact_mod(&a->num[n], &b->num[n]);
    return make(n, num, one_sum(n), out);
}

bool ks_quotient_subtract(const ks_quotient *a, const ks_quotient *b, ks_quotient *out) {
    const ks_exact one = ks_exact_of_u64(1), zero = {0}, minus = ks_exact_sub(&zero, &one);
    return add(a, &minus, b, out);
}

/* ---- the tree ---- */

static bool quotient_of(const maker *m, const ks_node *node, ks_quotient *out);

static bool join(char op, const ks_quotient *left, const ks_quotient *right, ks_quotient *out) {
    const ks_exact one = ks_exact_of_u64(1);
    switch (op) {
    case '+': return add(left, &one, right, out);
    case '-': return ks_quotient_subtract(left, right, out);
    case '*': return multiply(left, right, out);
    case '/': return divide(left, right, out);
    default: return rest(left, right, out);
    }
}

static bool chain(const maker *m, const ks_node *node, ks_quotient *out) {
    bool is_made = quotient_of(m, node->first, out);
    for (const ks_node *child = node->first->next; child && is_made; child = child->next) {
        ks_quotient right, result = {0};
        is_made = quotient_of(m, child, &right);
        if (!is_made) {
            ks_quotient_free(out);
            return false;
        }
        is_made = join(child->op, out, &right, &result);
        ks_quotient_free(out);
        ks_quotient_free(&right);
        *out = result;
    }
    return is_made;
}

static bool number(const maker *m, const ks_exact *value, ks_quotient *out) {
    ks_exact *num = new_sum(m->side_count);
    num[m->side_count] = ks_exact_copy(value);
    return make(m->side_count, num, one_sum(m->side_count), out);
}

static bool name(const maker *m, const ks_node *node, ks_quotient *out) {
    ks_expr_value value = m->resolve(m->context, node->name, NULL);
    const bool is_made = value.kind == KS_EXPR_NUMBER && number(m, &value.number, out);
    ks_exact_free(&value.number);
    return is_made;
}

static bool side(const maker *m, const ks_node *node, ks_quotient *out) {
    ks_exact *num = new_sum(m->side_count);
    num[m->first_side + node->side->index] = ks_exact_of_u64(1);
    return make(m->side_count, num, one_sum(m->side_count), out);
}

static bool negated(const maker *m, const ks_node *node, ks_quotient *out) {
    ks_quotient inner, zero;
    const ks_exact nothing = {0};
    if (!quotient_of(m, node->first, &inner)) return false;
    number(m, &nothing, &zero);
    const bool is_made = ks_quotient_subtract(&zero, &inner, out);
    ks_quotient_free(&inner);
    ks_quotient_free(&zero);
    return is_made;
}

static bool quotient_of(const maker *m, const ks_node *node, ks_quotient *out) {
    *out = (ks_quotient){0};
    switch (node->kind) {
    case KS_NODE_NUMBER: return number(m, &node->number, out);
    case KS_NODE_CHAIN: return chain(m, node, out);
    case KS_NODE_NEGATE: return negated(m, node, out);
    case KS_NODE_SIDE: return side(m, node, out);
    case KS_NODE_NAME: return name(m, node, out);
    default: return false;
    }
}

bool ks_expr_quotient(const ks_expr *expr, ks_expr_resolve resolve, void *context,
                      size_t first_side, size_t side_count, ks_quotient *out) {
    const maker m = {resolve, context, first_side, side_count};
    return quotient_of(&m, expr->root, out);
}
