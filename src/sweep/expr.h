/* Conditions and figures: `G * TILE <= 2048 and policy == strict_fifo`. Parsed once, asked often;
 * arithmetic is exact. From loosest to tightest:
 *   or   and   not   == != < <= > >= in (a, b)   + -   * / %   -x   ( )
 * Comparisons do not chain. a % b has the sign of b. At most 64 levels of nesting, 64 KiB of text. */
#ifndef KS_SWEEP_EXPR_H
#define KS_SWEEP_EXPR_H

#include "sweep/name.h"

typedef struct ks_expr ks_expr;

typedef struct ks_expr_column {
    const char *name;
    bool is_text;  /* cannot be a figure */
    bool can_pool; /* means something over points of several seeds */
} ks_expr_column;

/* What may be named. */
typedef struct ks_expr_scope {
    const ks_kernel_table *kernels;
    const ks_expr_column *columns; /* NULL: result columns are refused */
    size_t column_count;
    const char *const *models; /* NULL: any label is fine */
    size_t model_count;
} ks_expr_scope;

typedef enum ks_expr_form {
    KS_EXPR_CONDITION,  /* yes or no */
    KS_EXPR_COMPARISON, /* a gate: one comparison of two figures */
    KS_EXPR_FIGURE      /* a number */
} ks_expr_form;

/* `KERNEL{axis=value, ...}.column`, or a column alone. */
typedef struct ks_expr_fixed {
    ks_name name;
    uint64_t value;    /* of KS_NAME_MODEL: 0 */
    const char *label; /* of KS_NAME_MODEL, else NULL */
} ks_expr_fixed;

typedef struct ks_expr_side {
    int kernel;    /* index in the table; -1: a column alone, of any kernel */
    size_t column; /* index in the scope's columns */
    const ks_expr_fixed *fixed;
    size_t fixed_count;
    ks_names fixed_names; /* with kernel, when it is fixed */
    size_t index;         /* among the sides of its expression */
} ks_expr_side;

/* `*column` is where the complaint is, from 1, in characters; `error` says "found X, expected Y". */
KS_CHECKED ks_status ks_expr_parse(const char *text, size_t length, ks_expr_form form,
                                   const ks_expr_scope *scope, ks_expr **out, size_t *column,
                                   ks_error *error);
void ks_expr_free(ks_expr *expr); /* NULL is fine */

const char *ks_expr_text(const ks_expr *expr);
ks_names ks_expr_names(const ks_expr *expr); /* parameters and constants it asks for, model too */
size_t ks_expr_side_count(const ks_expr *expr);
const ks_expr_side *ks_expr_side_at(const ks_expr *expr, size_t index);
const char *ks_expr_operator(const ks_expr *expr); /* of a COMPARISON: "==", "<", ... */

/* A name's or a side's value. `number` passes to the expression; `text` must outlive the call. */
typedef struct ks_expr_value {
    enum { KS_EXPR_NOTHING, KS_EXPR_NUMBER, KS_EXPR_TEXT } kind;
    ks_exact number;
    const char *text; /* labels of model may be joined by `|`: any of them then equals */
} ks_expr_value;

/* Exactly one of the two is asked for: `side`, or `name` when `side` is NULL. */
typedef ks_expr_value (*ks_expr_resolve)(void *context, ks_name name, const ks_expr_side *side);

typedef enum ks_expr_answer {
    KS_EXPR_NO,
    KS_EXPR_YES,
    KS_EXPR_MISSING,  /* hangs on something without a value */
    KS_EXPR_UNDEFINED /* hangs on a division by zero */
} ks_expr_answer;

/* Of a CONDITION or COMPARISON. `or` and `and` look no further than they must; what they do look
 * at and cannot know makes the answer MISSING or UNDEFINED unless the rest decides. */
ks_expr_answer ks_expr_ask(const ks_expr *expr, ks_expr_resolve resolve, void *context);
/* Of a COMPARISON, with its two sides (0 where the answer is neither NO nor YES; freed by the caller). */
ks_expr_answer ks_expr_compare(const ks_expr *expr, ks_expr_resolve resolve, void *context,
                               ks_exact *left, ks_exact *right);
/* Of a FIGURE: YES and its value, else MISSING or UNDEFINED and 0. */
ks_expr_answer ks_expr_figure(const ks_expr *expr, ks_expr_resolve resolve, void *context,
                              ks_exact *figure);

/* A condition on a point. Shapes that its kernel does not take, and a NULL label, are nothing. */
ks_expr_answer ks_expr_holds(const ks_expr *expr, const ks_kernel_table *kernels,
                             const ks_point *point, const char *label);
/* What a name is on a point, as ks_expr_holds sees it. */
ks_expr_value ks_expr_value_of(const ks_kernel_table *kernels, const ks_point *point,
                               const char *label, ks_name name);

#endif
