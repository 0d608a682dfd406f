#include "sweep/tree_read.h"

#include <inttypes.h>

#include "base/decimal.h"
#include "sweep/quote.h"

/* Where the expression's column is in the file, as far as YAML left its characters alone. */
static ks_place place_in(const ks_tree *node, size_t column) {
    ks_place place = node->place;
    if (node->is_verbatim) place.column += (node->is_quoted ? 1 : 0) + column - 1;
    return place;
}

ks_status ks_tree_expr(const ks_tree *node, ks_expr_form form, const ks_expr_scope *scope,
                       ks_expr **out, ks_error *error) {
    char found[KS_QUOTE_MAX];
    ks_error why;
    size_t column;
    if (node->kind != KS_TREE_SCALAR || node->length == 0)
        return ks_place_fail(error, &node->place, "found %s, expected an expression" KS_EXPR_ADVICE,
                             ks_tree_found(found, node));
    const ks_status status =
        ks_expr_parse(node->text, node->length, form, scope, out, &column, &why);
    const ks_place place = place_in(node, column);
    if (status == KS_INPUT) return ks_place_fail(error, &place, "%s", why.text);
    return status ? ks_fail(error, status, "%s", why.text) : KS_OK;
}

ks_status ks_tree_text(const ks_tree *node, const char *what, const char **out, ks_error *error) {
    char found[KS_QUOTE_MAX];
    *out = node ? node->text : "";
    if (!node || node->kind == KS_TREE_SCALAR) return KS_OK;
    return ks_place_fail(error, &node->place, "found %s for %s, expected text",
                         ks_tree_found(found, node), what);
}

ks_status ks_tree_whole(const ks_tree *node, const char *what, uint64_t least, uint64_t most,
                        uint64_t *out, ks_error *error) {
    char found[KS_QUOTE_MAX];
    uint64_t value = 0;
    if (!node) return KS_OK;
    if (node->kind != KS_TREE_SCALAR || !ks_u64_parse(node->text, node->length, &value) ||
        value < least || value > most)
        return ks_place_fail(error, &node->place,
                             "found %s for %s, expected a whole number from %" PRIu64
                             " to %" PRIu64,
                             ks_tree_found(found, node), what, least, most);
    *out = value;
    return KS_OK;
}

ks_status ks_tree_list(const ks_tree *node, const ks_place *place, const char *what,
                       const char *expected, ks_error *error) {
    char found[KS_QUOTE_MAX];
    if (node && node->kind == KS_TREE_LIST) return KS_OK;
    return ks_place_fail(error, node ? &node->place : place, "found %s for %s, expected %s",
                         node ? ks_tree_found(found, node) : "nothing", what, expected);
}
