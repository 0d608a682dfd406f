#include <string.h>

#include "base/near.h"
#include "sweep/expr_node.h"
#include "sweep/quote.h"

/* What a message calls a node. */
static const char *described(const ks_expr_parser *p, const ks_node *node, char out[KS_QUOTE_MAX]) {
    switch (node->kind) {
    case KS_NODE_TEXT: return ks_quote(out, node->text, strlen(node->text));
    case KS_NODE_NAME: return ks_name_text(node->name);
    case KS_NODE_SIDE: return p->expr->scope.columns[node->side->column].name;
    default: return node->type == KS_TYPE_CONDITION ? "a condition" : "a number";
    }
}

/* The name that a bare word was meant to be. */
static const char *near_name(const ks_expr_parser *p, const ks_node *node) {
    const ks_expr_scope *scope = &p->expr->scope;
    if (node->kind != KS_NODE_TEXT || !node->is_word) return NULL;
    const char *near = ks_name_near(node->text);
    const char *columns[256];
    size_t count = 0;
    for (; scope->columns && count < scope->column_count && count < 256; count++)
        columns[count] = scope->columns[count].name;
    return near ? near : ks_near(node->text, columns, count);
}

static bool mismatch(ks_expr_parser *p, const ks_node *node, const char *expected) {
    char found[KS_QUOTE_MAX];
    const char *near = near_name(p, node);
    const bool is_word = node->kind == KS_NODE_TEXT && node->is_word;
    ks_expr_fail(p, node->offset, "found %s%s, expected %s%s%s%s", is_word ? "the word " : "",
                 described(p, node, found), expected, near ? " (did you mean " : "",
                 near ? near : "", near ? "?)" : "");
    return false;
}

bool ks_expr_needs(ks_expr_parser *p, const ks_node *node, ks_expr_type type) {
    static const char *const expected[] = {[KS_TYPE_CONDITION] = "a condition",
                                           [KS_TYPE_NUMBER] = "a number",
                                           [KS_TYPE_TEXT] = "a word"};
    return node->type == type || mismatch(p, node, expected[type]);
}

static bool needs_model(ks_expr_parser *p, const char *text, size_t offset) {
    char found[KS_QUOTE_MAX];
    const ks_expr_scope *scope = &p->expr->scope;
    for (size_t i = 0; i < scope->model_count; i++)
        if (strcmp(scope->models[i], text) == 0) return true;
    if (!scope->models) return true;
    const char *near = ks_near(text, scope->models, scope->model_count);
    ks_expr_fail(p, offset, "found %s for model, expected a label of the model file%s%s%s",
                 ks_quote(found, text, strlen(text)), near ? " (did you mean " : "",
                 near ? near : "", near ? "?)" : "");
    return false;
}

bool ks_expr_needs_word(ks_expr_parser *p, ks_name name, const char *text, size_t offset) {
    ks_error why;
    uint64_t value;
    if (name == KS_NAME_MODEL) return needs_model(p, text, offset);
    if (ks_value_parse(name, p->expr->scope.kernels, text, strlen(text), &value, &why) == KS_OK)
        return true;
    ks_expr_fail(p, offset, "%s", why.text);
    return false;
}

/* Names whose words are the same, or those of the one with fewer, can be compared. */
static bool needs_same_words(ks_expr_parser *p, const ks_node *left, const ks_node *right) {
    ks_words a = {0}, b = {0};
    if (left->name != KS_NAME_MODEL) ks_name_words(left->name, p->expr->scope.kernels, &a);
    if (right->name != KS_NAME_MODEL) ks_name_words(right->name, p->expr->scope.kernels, &b);
    const bool is_same = left->name == right->name ||
                         (a.count > 0 && b.count > 0 && strcmp(a.texts[0], b.texts[0]) == 0);
    if (!is_same)
        ks_expr_fail(p, right->offset, "found %s, expected something that %s can equal",
                     ks_name_text(right->name), ks_name_text(left->name));
    return is_same;
}

static bool needs_same_text(ks_expr_parser *p, const ks_node *left, const ks_node *right) {
    const bool is_left_text = left->kind == KS_NODE_TEXT,
               is_right_text = right->kind == KS_NODE_TEXT;
    if (is_left_text && is_right_text) {
        const bool blames_right = !near_name(p, left) && near_name(p, right);
        return mismatch(p, blames_right ? right : left, "a name on one side");
    }
    if (left->kind == KS_NODE_SIDE || right->kind == KS_NODE_SIDE) return true;
    if (is_right_text) return ks_expr_needs_word(p, left->name, right->text, right->offset);
    if (is_left_text) return ks_expr_needs_word(p, right->name, left->text, left->offset);
    return needs_same_words(p, left, right);
}

bool ks_expr_needs_same(ks_expr_parser *p, const ks_node *left, const ks_node *right) {
    if (left->type == KS_TYPE_CONDITION) return mismatch(p, left, "a number or a word");
    if (right->type == KS_TYPE_CONDITION) return mismatch(p, right, "a number or a word");
    if (left->type == KS_TYPE_TEXT && right->type == KS_TYPE_TEXT)
        return needs_same_text(p, left, right);
    if (left->type == right->type) return true;
    const bool is_left_blamed = left->kind == KS_NODE_TEXT || right->type == KS_TYPE_NUMBER;
    const bool is_number_wanted =
        is_left_blamed ? left->type == KS_TYPE_TEXT : right->type == KS_TYPE_TEXT;
    return mismatch(p, is_left_blamed ? left : right, is_number_wanted ? "a number" : "a word");
}
