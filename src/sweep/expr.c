#include "sweep/expr.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/expr_node.h"

void ks_expr_free(ks_expr *expr) {
    if (!expr) return;
    for (ks_node *node = expr->numbers; node; node = node->next_number)
        ks_exact_free(&node->number);
    ks_arena_free(expr->arena);
    free(expr);
}

const char *ks_expr_text(const ks_expr *expr) { return expr->text; }
ks_names ks_expr_names(const ks_expr *expr) { return expr->names; }
size_t ks_expr_side_count(const ks_expr *expr) { return expr->side_count; }

const ks_expr_side *ks_expr_side_at(const ks_expr *expr, size_t index) {
    const ks_node *node = expr->sides;
    for (size_t i = expr->side_count - 1; i > index; i--) node = node->next_side;
    return node->side;
}

typedef struct asker {
    ks_expr_resolve resolve;
    void *context;
} asker;

static ks_expr_value resolved(const asker *a, const ks_node *node) {
    return a->resolve(a->context, node->name, node->kind == KS_NODE_SIDE ? node->side : NULL);
}

static ks_expr_answer figure(const asker *a, const ks_node *node, ks_exact *out);

static ks_expr_answer resolved_figure(const asker *a, const ks_node *node, ks_exact *out) {
    ks_expr_value value = resolved(a, node);
    if (value.kind == KS_EXPR_NUMBER) {
        *out = value.number;
        return KS_EXPR_YES;
    }
    ks_exact_free(&value.number);
    return KS_EXPR_MISSING;
}

/* *left = *left op *right. */
static ks_expr_answer join(char op, ks_exact *left, const ks_exact *right) {
    ks_exact result;
    if ((op == '/' || op == '%') && ks_exact_sign(right) == 0) return KS_EXPR_UNDEFINED;
    switch (op) {
    case '+': result = ks_exact_add(left, right); break;
    case '-': result = ks_exact_sub(left, right); break;
    case '*': result = ks_exact_mul(left, right); break;
    case '/': result = ks_exact_div(left, right); break;
    default: result = ks_exact_mod(left, right); break;
    }
    ks_exact_free(left);
    *left = result;
    return KS_EXPR_YES;
}

static ks_expr_answer chain(const asker *a, const ks_node *node, ks_exact *out) {
    ks_expr_answer answer = figure(a, node->first, out);
    for (const ks_node *child = node->first->next; child && answer == KS_EXPR_YES;
         child = child->next) {
        ks_exact right = {0};
        answer = figure(a, child, &right);
        if (answer == KS_EXPR_YES) answer = join(child->op, out, &right);
        ks_exact_free(&right);
    }
    if (answer != KS_EXPR_YES) ks_exact_free(out);
    return answer;
}

static ks_expr_answer negated(const asker *a, const ks_node *node, ks_exact *out) {
    const ks_exact zero = {0};
    ks_exact inner = {0};
    const ks_expr_answer answer = figure(a, node->first, &inner);
    if (answer == KS_EXPR_YES) *out = ks_exact_sub(&zero, &inner);
    ks_exact_free(&inner);
    return answer;
}

/* *out is 0 unless the answer is YES. */
static ks_expr_answer figure(const asker *a, const ks_node *node, ks_exact *out) {
    *out = (ks_exact){0};
    switch (node->kind) {
    case KS_NODE_NUMBER: *out = ks_exact_copy(&node->number); return KS_EXPR_YES;
    case KS_NODE_CHAIN: return chain(a, node, out);
    case KS_NODE_NEGATE: return negated(a, node, out);
    default: return resolved_figure(a, node, out);
    }
}

static const char *word(const asker *a, const ks_node *node) {
    if (node->kind == KS_NODE_TEXT) return node->text;
    const ks_expr_value value = resolved(a, node);
    return value.kind == KS_EXPR_TEXT ? value.text : NULL;
}

/* Whether `label` is one of those that `|` joins. */
static bool has_label(const char *joined, const char *label) {
    const size_t length = strlen(label);
    for (const char *s = joined;;) {
        const size_t n = strcspn(s, "|");
        if (n == length && memcmp(s, label, n) == 0) return true;
        if (s[n] == '\0') return false;
        s += n + 1;
    }
}

static bool same_word(const ks_node *left, const char *a, const ks_node *right, const char *b) {
    if (strcmp(a, b) == 0) return true;
    if (left->kind == KS_NODE_NAME && left->name == KS_NAME_MODEL) return has_label(a, b);
    return right->kind == KS_NODE_NAME && right->name == KS_NAME_MODEL && has_label(b, a);
}

static ks_expr_answer yes_or_no(bool holds) { return holds ? KS_EXPR_YES : KS_EXPR_NO; }

static ks_expr_answer compare_words(const asker *a, const ks_node *left, const ks_node *right) {
    const char *x = word(a, left), *y = word(a, right);
    if (!x || !y) return KS_EXPR_MISSING;
    return yes_or_no(same_word(left, x, right, y));
}

static bool holds(ks_compare compare, int sign) {
    static const bool table[KS_COMPARE_COUNT][3] = {
        [KS_EQ] = {0, 1, 0}, [KS_NE] = {1, 0, 1}, [KS_LT] = {1, 0, 0},
        [KS_LE] = {1, 1, 0}, [KS_GT] = {0, 0, 1}, [KS_GE] = {0, 1, 1},
    };
    return table[compare][sign + 1];
}

static ks_expr_answer compare_figures(const asker *a, ks_compare compare, const ks_node *left,
                                      const ks_node *right, ks_exact *x, ks_exact *y) {
    *y = (ks_exact){0};
    ks_expr_answer answer = figure(a, left, x);
    if (answer == KS_EXPR_YES) answer = figure(a, right, y);
    if (answer == KS_EXPR_YES) return yes_or_no(holds(compare, ks_exact_compare(x, y)));
    ks_exact_free(x);
    ks_exact_free(y);
    return answer;
}

static ks_expr_answer compare_nodes(const asker *a, ks_compare compare, const ks_node *left,
                                    const ks_node *right) {
    if (left->type == KS_TYPE_TEXT) {
        const ks_expr_answer answer = compare_words(a, left, right);
        if (answer == KS_EXPR_MISSING || compare == KS_EQ) return answer;
        return yes_or_no(answer == KS_EXPR_NO);
    }
    ks_exact x, y;
    const ks_expr_answer answer = compare_figures(a, compare, left, right, &x, &y);
    ks_exact_free(&x);
    ks_exact_free(&y);
    return answer;
}

static ks_expr_answer ask(const asker *a, const ks_node *node);

/* `decisive` ends it: YES of an or, NO of an and. An undefined part outweighs a missing one. */
static ks_expr_answer gathered(ks_expr_answer sum, ks_expr_answer part) {
    return part > sum ? part : sum;
}

static ks_expr_answer ask_list(const asker *a, const ks_node *node, ks_expr_answer decisive) {
    ks_expr_answer sum = decisive == KS_EXPR_YES ? KS_EXPR_NO : KS_EXPR_YES;
    for (const ks_node *child = node->first; child; child = child->next) {
        const ks_expr_answer part = ask(a, child);
        if (part == decisive) return part;
        sum = gathered(sum, part);
    }
    return sum;
}

static ks_expr_answer ask_in(const asker *a, const ks_node *node) {
    ks_expr_answer sum = KS_EXPR_NO;
    for (const ks_node *item = node->first->next; item; item = item->next) {
        const ks_expr_answer part = compare_nodes(a, KS_EQ, node->first, item);
        if (part == KS_EXPR_YES) return part;
        sum = gathered(sum, part);
    }
    return sum;
}

static ks_expr_answer ask_not(const asker *a, const ks_node *node) {
    const ks_expr_answer inner = ask(a, node->first);
    return inner == KS_EXPR_YES ? KS_EXPR_NO : inner == KS_EXPR_NO ? KS_EXPR_YES : inner;
}

static ks_expr_answer ask(const asker *a, const ks_node *node) {
    switch (node->kind) {
    case KS_NODE_OR: return ask_list(a, node, KS_EXPR_YES);
    case KS_NODE_AND: return ask_list(a, node, KS_EXPR_NO);
    case KS_NODE_NOT: return ask_not(a, node);
    case KS_NODE_IN: return ask_in(a, node);
    default: return compare_nodes(a, node->compare, node->first, node->first->next);
    }
}

ks_expr_answer ks_expr_ask(const ks_expr *expr, ks_expr_resolve resolve, void *context) {
    const asker a = {resolve, context};
    return ask(&a, expr->root);
}

ks_expr_answer ks_expr_compare(const ks_expr *expr, ks_expr_resolve resolve, void *context,
                               ks_exact *left, ks_exact *right) {
    const asker a = {resolve, context};
    const ks_node *root = expr->root;
    return compare_figures(&a, root->compare, root->first, root->first->next, left, right);
}

ks_expr_answer ks_expr_figure(const ks_expr *expr, ks_expr_resolve resolve, void *context,
                              ks_exact *out) {
    const asker a = {resolve, context};
    return figure(&a, expr->root, out);
}

typedef struct subject {
    const ks_kernel_table *kernels;
    const ks_point *point;
    const char *label;
} subject;

ks_expr_value ks_expr_value_of(const ks_kernel_table *kernels, const ks_point *point,
                               const char *label, ks_name name) {
    const ks_expr_value nothing = {.kind = KS_EXPR_NOTHING};
    if (name == KS_NAME_MODEL)
        return label && *label ? (ks_expr_value){.kind = KS_EXPR_TEXT, .text = label} : nothing;
    if (KS_NAMES_SHAPES & KS_NAME_BIT(name)) {
        const ks_kernel *kernel = &kernels->kernels[ks_param_of(point, KS_P_kernel)];
        if (!(ks_task_shapes(kernel->task) & KS_NAME_BIT(name))) return nothing;
    }
    const uint64_t value = ks_point_get(point, name);
    const char *text = ks_value_word(name, kernels, value);
    if (text) return (ks_expr_value){.kind = KS_EXPR_TEXT, .text = text};
    return (ks_expr_value){.kind = KS_EXPR_NUMBER, .number = ks_value_number(name, value)};
}

static ks_expr_value resolve_on_point(void *context, ks_name name, const ks_expr_side *side) {
    const subject *s = context;
    if (side) return (ks_expr_value){.kind = KS_EXPR_NOTHING};
    return ks_expr_value_of(s->kernels, s->point, s->label, name);
}

ks_expr_answer ks_expr_holds(const ks_expr *expr, const ks_kernel_table *kernels,
                             const ks_point *point, const char *label) {
    subject s = {kernels, point, label};
    return ks_expr_ask(expr, resolve_on_point, &s);
}
