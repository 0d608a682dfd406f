#include <string.h>

#include "base/near.h"
#include "sweep/expr_node.h"
#include "sweep/quote.h"

enum { MAX_FIXED = KS_NAME_ALL };

static const char *near_column(const ks_expr_scope *scope, const char *word) {
    const char *names[256];
    size_t count = 0;
    for (; count < scope->column_count && count < 256; count++)
        names[count] = scope->columns[count].name;
    return ks_near(word, names, count);
}

ks_node *ks_expr_parse_column(ks_expr_parser *p, size_t offset, size_t column, int kernel) {
    const ks_expr_column *found = &p->expr->scope.columns[column];
    ks_node *node =
        ks_node_new(p, KS_NODE_SIDE, found->is_text ? KS_TYPE_TEXT : KS_TYPE_NUMBER, offset);
    ks_expr_side *side = ks_arena_take(p->expr->arena, 1, sizeof *side);
    if (!node || !side) return ks_expr_no_memory(p);
    node->side = side;
    node->name = KS_NAME_NONE;
    side->kernel = kernel;
    side->column = column;
    side->fixed_names = kernel < 0 ? 0 : KS_NAME_BIT(KS_P_kernel);
    side->index = p->expr->side_count++;
    node->next_side = p->expr->sides;
    p->expr->sides = node;
    return node;
}

/* Up to a blank, a comma or a brace; or in quotes. */
static char *take_value(ks_expr_parser *p) {
    ks_expr_skip(p);
    if (p->text[p->at] == '\'') return ks_expr_quoted(p);
    return ks_expr_take(p, strcspn(p->text + p->at, " \n,}"));
}

static bool take_char(ks_expr_parser *p, char c) {
    ks_expr_skip(p);
    if (p->text[p->at] != c) return false;
    p->at++;
    return true;
}

static ks_name fixed_name(ks_expr_parser *p, const ks_kernel *kernel, ks_names seen) {
    char found[KS_QUOTE_MAX];
    ks_expr_skip(p);
    const size_t offset = p->at;
    char *word = ks_expr_take(p, ks_expr_word_length(p));
    if (!word) return KS_NAME_NONE;
    const ks_name name = ks_name_find(word, strlen(word));
    const char *near = ks_name_near(word);
    if (name == KS_NAME_NONE)
        ks_expr_fail(p, offset, "found %s, expected AXIS=VALUE%s%s%s",
                     ks_quote(found, word, strlen(word)), near ? " (did you mean " : "",
                     near ? near : "", near ? "?)" : "");
    else if (seen & KS_NAME_BIT(name))
        ks_expr_fail(p, offset, "found %s a second time, expected each name once", word);
    else if (name != KS_NAME_MODEL && !(ks_kernel_names(kernel) & KS_NAME_BIT(name)))
        ks_expr_fail(p, offset, "found %s, expected a name that %s takes", word, kernel->name);
    else if (!take_char(p, '='))
        ks_expr_fail(p, p->at, "found no '=', expected %s=VALUE", word);
    return p->status ? KS_NAME_NONE : name;
}

static bool read_fixed(ks_expr_parser *p, const ks_kernel *kernel, ks_names seen,
                       ks_expr_fixed *fixed) {
    ks_error why;
    fixed->name = fixed_name(p, kernel, seen);
    if (fixed->name == KS_NAME_NONE) return false;
    ks_expr_skip(p);
    const size_t offset = p->at;
    char *text = take_value(p);
    if (!text) return false;
    if (fixed->name == KS_NAME_MODEL) {
        fixed->label = text;
        return ks_expr_needs_word(p, KS_NAME_MODEL, text, offset);
    }
    if (ks_value_parse(fixed->name, p->expr->scope.kernels, text, strlen(text), &fixed->value,
                       &why))
        return ks_expr_fail(p, offset, "%s", why.text) != NULL;
    return true;
}

static size_t read_all_fixed(ks_expr_parser *p, const ks_kernel *kernel, ks_names *seen,
                             ks_expr_fixed *fixed) {
    size_t count = 0;
    do {
        if (!read_fixed(p, kernel, *seen, &fixed[count])) return 0;
        *seen |= KS_NAME_BIT(fixed[count++].name);
    } while (take_char(p, ','));
    if (take_char(p, '}')) return count;
    ks_expr_fail(p, p->at, "found no '}', expected ',' or '}'");
    return 0;
}

static int side_kernel(ks_expr_parser *p) {
    char found[KS_QUOTE_MAX];
    const size_t offset = p->at;
    const char *word = ks_expr_take(p, ks_expr_word_length(p));
    const ks_kernel_table *kernels = p->expr->scope.kernels;
    ks_words words;
    if (!word) return -1;
    ks_name_words(KS_P_kernel, kernels, &words);
    for (size_t i = 0; i < words.count; i++)
        if (strcmp(words.texts[i], word) == 0) return (int)i;
    const char *near = ks_near(word, words.texts, words.count);
    ks_expr_fail(p, offset, "found %s, expected a kernel%s%s%s",
                 ks_quote(found, word, strlen(word)), near ? " (did you mean " : "",
                 near ? near : "", near ? "?)" : "");
    return -1;
}

static ks_node *side_column(ks_expr_parser *p, size_t side_offset, int kernel) {
    char found[KS_QUOTE_MAX];
    const ks_expr_scope *scope = &p->expr->scope;
    if (!take_char(p, '.'))
        return ks_expr_fail(p, p->at, "found no '.', expected .COLUMN after the kernel");
    ks_expr_skip(p);
    const size_t offset = p->at;
    const char *word = ks_expr_take(p, ks_expr_word_length(p));
    if (!word) return NULL;
    for (size_t i = 0; i < scope->column_count; i++)
        if (strcmp(scope->columns[i].name, word) == 0)
            return ks_expr_parse_column(p, side_offset, i, kernel);
    const char *near = near_column(scope, word);
    return ks_expr_fail(p, offset, "found %s, expected a result column%s%s%s",
                        ks_quote(found, word, strlen(word)), near ? " (did you mean " : "",
                        near ? near : "", near ? "?)" : "");
}

ks_node *ks_expr_parse_side(ks_expr_parser *p) {
    ks_expr_fixed fixed[MAX_FIXED] = {0};
    size_t count = 0;
    const size_t offset = p->at;
    if (!p->expr->scope.columns)
        return ks_expr_fail(p, offset,
                            "found a result column, expected parameters and constants: columns are "
                            "allowed in gates only");
    const int kernel = side_kernel(p);
    if (kernel < 0) return NULL;
    ks_names seen = KS_NAME_BIT(KS_P_kernel);
    if (take_char(p, '{')) {
        count = read_all_fixed(p, &p->expr->scope.kernels->kernels[kernel], &seen, fixed);
        if (count == 0) return NULL;
    }
    ks_node *node = side_column(p, offset, kernel);
    if (!node) return NULL;
    ks_expr_fixed *kept = ks_arena_take(p->expr->arena, count + 1, sizeof *kept);
    if (!kept) return ks_expr_no_memory(p);
    memcpy(kept, fixed, count * sizeof *kept);
    node->side->fixed = kept;
    node->side->fixed_count = count;
    node->side->fixed_names = seen;
    return node;
}
