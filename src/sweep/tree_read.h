/* Values of a YAML tree by what they must be; every complaint is KS_INPUT and names the place. */
#ifndef KS_SWEEP_TREE_READ_H
#define KS_SWEEP_TREE_READ_H

#include "sweep/expr.h"
#include "sweep/tree.h"

#define KS_EXPR_ADVICE "; put the expression in double quotes"

/* The expression is freed by the caller. */
KS_CHECKED ks_status ks_tree_expr(const ks_tree *node, ks_expr_form form,
                                  const ks_expr_scope *scope, ks_expr **out, ks_error *error);
/* Text, "" when `node` is NULL. */
KS_CHECKED ks_status ks_tree_text(const ks_tree *node, const char *what, const char **out,
                                  ks_error *error);
/* A whole number from `least` to `most`; `*out` is untouched when `node` is NULL. */
KS_CHECKED ks_status ks_tree_whole(const ks_tree *node, const char *what, uint64_t least,
                                   uint64_t most, uint64_t *out, ks_error *error);
/* A list; NULL is refused too. `place` is where it is missed. */
KS_CHECKED ks_status ks_tree_list(const ks_tree *node, const ks_place *place, const char *what,
                                  const char *expected, ks_error *error);

#endif
