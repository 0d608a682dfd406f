#include <stdlib.h>
#include <string.h>

#include "sweep/expr_node.h"
#include "sweep/quote.h"

enum { LEVELS = 64, LONGEST = 65536 };

static size_t column_of(const ks_expr_parser *p, size_t offset) {
    size_t column = 1;
    for (size_t i = 0; i < offset; i++) column += ((unsigned char)p->text[i] & 0xc0) != 0x80;
    return column;
}

ks_node *ks_expr_fail(ks_expr_parser *p, size_t offset, const char *format, ...) {
    if (p->status) return NULL;
    va_list args;
    va_start(args, format);
    p->status = ks_fail_v(p->error, KS_INPUT, format, args);
    va_end(args);
    *p->column = column_of(p, offset);
    return NULL;
}

void *ks_expr_no_memory(ks_expr_parser *p) {
    if (!p->status) p->status = ks_fail(p->error, KS_NO_MEMORY, "out of memory");
    return NULL;
}

ks_node *ks_node_new(ks_expr_parser *p, ks_node_kind kind, ks_expr_type type, size_t offset) {
    ks_node *node = ks_arena_take(p->expr->arena, 1, sizeof *node);
    if (!node) return ks_expr_no_memory(p);
    node->kind = kind;
    node->type = type;
    node->offset = offset;
    return node;
}

bool ks_expr_is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void ks_expr_skip(ks_expr_parser *p) {
    while (p->text[p->at] == ' ' || p->text[p->at] == '\n') p->at++;
}

size_t ks_expr_word_length(const ks_expr_parser *p) {
    size_t n = 0;
    while (ks_expr_is_word_char(p->text[p->at + n])) n++;
    return n;
}

char *ks_expr_take(ks_expr_parser *p, size_t length) {
    char *copy = ks_arena_take(p->expr->arena, length + 1, 1);
    if (!copy) return ks_expr_no_memory(p);
    memcpy(copy, p->text + p->at, length);
    p->at += length;
    return copy;
}

char *ks_expr_quoted(ks_expr_parser *p) {
    const char *end = strchr(p->text + p->at + 1, '\'');
    if (!end) {
        ks_expr_fail(p, p->at, "found a quote that is not closed, expected 'text'");
        return NULL;
    }
    p->at++;
    char *text = ks_expr_take(p, (size_t)(end - (p->text + p->at)));
    p->at++;
    return text;
}

/* Takes `token` if it comes next; one of letters only where the word ends. */
static bool take(ks_expr_parser *p, const char *token) {
    const size_t n = strlen(token);
    ks_expr_skip(p);
    if (strncmp(p->text + p->at, token, n) != 0) return false;
    if (ks_expr_is_word_char(token[0]) && ks_expr_is_word_char(p->text[p->at + n])) return false;
    p->at += n;
    return true;
}

/* What stands at `at`, for a message. */
static const char *next_token(const ks_expr_parser *p, char out[KS_QUOTE_MAX]) {
    size_t n = ks_expr_word_length(p);
    if (p->text[p->at] == '\0') return "the end";
    if (n == 0) n = 1;
    while (((unsigned char)p->text[p->at + n] & 0xc0) == 0x80) n++;
    return ks_quote(out, p->text + p->at, n);
}

static ks_node *expected(ks_expr_parser *p, const char *what) {
    char found[KS_QUOTE_MAX];
    ks_expr_skip(p);
    return ks_expr_fail(p, p->at, "found %s, expected %s", next_token(p, found), what);
}

static ks_node *parse_or(ks_expr_parser *p);

static ks_node *nested(ks_expr_parser *p, size_t offset, ks_node *(*parse)(ks_expr_parser *)) {
    if (++p->level > LEVELS)
        return ks_expr_fail(p, offset, "found more than %d levels of nesting, expected fewer",
                            LEVELS);
    ks_node *node = parse(p);
    p->level--;
    return node;
}

static ks_node *parse_number(ks_expr_parser *p) {
    char found[KS_QUOTE_MAX];
    size_t n = 0;
    while (ks_expr_is_word_char(p->text[p->at + n]) || p->text[p->at + n] == '.') n++;
    ks_node *node = ks_node_new(p, KS_NODE_NUMBER, KS_TYPE_NUMBER, p->at);
    if (!node) return NULL;
    if (!ks_exact_parse(p->text + p->at, n, &node->number))
        return ks_expr_fail(
            p, p->at,
            "found %s, expected a number (digits, or digits.digits; text that is no word in "
            "single quotes)",
            ks_quote(found, p->text + p->at, n));
    p->at += n;
    node->next_number = p->expr->numbers;
    p->expr->numbers = node;
    return node;
}

static ks_node *parse_text(ks_expr_parser *p) {
    ks_node *node = ks_node_new(p, KS_NODE_TEXT, KS_TYPE_TEXT, p->at);
    if (!node) return NULL;
    node->is_word = p->text[p->at] != '\'';
    node->text = node->is_word ? ks_expr_take(p, ks_expr_word_length(p)) : ks_expr_quoted(p);
    return node->text ? node : NULL;
}

static ks_node *parse_name(ks_expr_parser *p, ks_name name, size_t length) {
    ks_words words;
    const bool is_text =
        name == KS_NAME_MODEL || ks_name_words(name, p->expr->scope.kernels, &words);
    ks_node *node = ks_node_new(p, KS_NODE_NAME, is_text ? KS_TYPE_TEXT : KS_TYPE_NUMBER, p->at);
    if (!node) return NULL;
    if (name == KS_NAME_MODEL && p->expr->scope.models && p->expr->scope.model_count == 0)
        return ks_expr_fail(p, p->at,
                            "found model, expected other names: no model is swept or set here");
    node->name = name;
    p->expr->names |= KS_NAME_BIT(name);
    p->at += length;
    return node;
}

static bool is_reserved(const char *word, size_t length) {
    static const char *const reserved[] = {"or", "and", "not", "in"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strlen(reserved[i]) == length && memcmp(reserved[i], word, length) == 0) return true;
    return false;
}

static ks_node *parse_word(ks_expr_parser *p) {
    const char *word = p->text + p->at;
    const size_t length = ks_expr_word_length(p);
    const ks_expr_scope *scope = &p->expr->scope;
    if (is_reserved(word, length)) return expected(p, "a number, a name or a word");
    const char *after = word + length + strspn(word + length, " \n");
    if (*after == '{' || *after == '.') return ks_expr_parse_side(p);
    const ks_name name = ks_name_find(word, length);
    if (name != KS_NAME_NONE) return parse_name(p, name, length);
    for (size_t i = 0; i < scope->column_count && scope->columns; i++) {
        const char *column = scope->columns[i].name;
        if (strlen(column) != length || memcmp(column, word, length) != 0) continue;
        p->at += length;
        return ks_expr_parse_column(p, (size_t)(word - p->text), i, -1);
    }
    return parse_text(p);
}

static ks_node *parse_primary(ks_expr_parser *p) {
    ks_expr_skip(p);
    const char c = p->text[p->at];
    if (c == '(') {
        const size_t offset = p->at++;
        ks_node *inner = nested(p, offset, parse_or);
        if (inner && !take(p, ")")) return expected(p, "')'");
        return inner;
    }
    if (c >= '0' && c <= '9') return parse_number(p);
    if (c == '\'') return parse_text(p);
    if (ks_expr_is_word_char(c)) return parse_word(p);
    return expected(p, "a number, a name or a word");
}

static ks_node *parse_unary(ks_expr_parser *p) {
    ks_expr_skip(p);
    const size_t offset = p->at;
    if (!take(p, "-")) return parse_primary(p);
    ks_node *inner = nested(p, offset, parse_unary);
    if (!inner || !ks_expr_needs(p, inner, KS_TYPE_NUMBER)) return NULL;
    ks_node *node = ks_node_new(p, KS_NODE_NEGATE, KS_TYPE_NUMBER, offset);
    if (node) node->first = inner;
    return node;
}

/* Children joined by any of the one-letter operators: a list, so that no chain is deep. */
static ks_node *parse_chain(ks_expr_parser *p, const char *operators,
                            ks_node *(*parse)(ks_expr_parser *)) {
    ks_node *first = parse(p), *chain = NULL, **last = NULL;
    while (first) {
        ks_expr_skip(p);
        const char op = p->text[p->at];
        if (op == '\0' || !strchr(operators, op)) break;
        p->at++;
        ks_node *operand = parse(p);
        if (!operand || !ks_expr_needs(p, first, KS_TYPE_NUMBER)) return NULL;
        if (!ks_expr_needs(p, operand, KS_TYPE_NUMBER)) return NULL;
        if (!chain) {
            chain = ks_node_new(p, KS_NODE_CHAIN, KS_TYPE_NUMBER, first->offset);
            if (!chain) return NULL;
            chain->first = first;
            last = &first->next;
        }
        operand->op = op;
        *last = operand;
        last = &operand->next;
    }
    return chain ? chain : first;
}

static ks_node *parse_product(ks_expr_parser *p) { return parse_chain(p, "*/%", parse_unary); }
static ks_node *parse_sum(ks_expr_parser *p) { return parse_chain(p, "+-", parse_product); }

static ks_node *parse_in(ks_expr_parser *p, ks_node *left) {
    ks_node *node = ks_node_new(p, KS_NODE_IN, KS_TYPE_CONDITION, left->offset);
    if (!node) return NULL;
    node->first = left;
    ks_node **last = &left->next;
    if (!take(p, "(")) return expected(p, "'(' and a list");
    do {
        ks_expr_skip(p);
        ks_node *item = nested(p, p->at, parse_sum);
        if (!item || !ks_expr_needs_same(p, left, item)) return NULL;
        *last = item;
        last = &item->next;
    } while (take(p, ","));
    return take(p, ")") ? node : expected(p, "',' or ')'");
}

/* Longer spellings first. */
static const struct {
    const char *text;
    ks_compare compare;
} comparisons[] = {{"==", KS_EQ}, {"!=", KS_NE}, {"<=", KS_LE},
                   {">=", KS_GE}, {"<", KS_LT},  {">", KS_GT}};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

static int take_comparison(ks_expr_parser *p) {
    for (int i = 0; i < COMPARISONS; i++)
        if (take(p, comparisons[i].text)) return (int)comparisons[i].compare;
    return -1;
}

const char *ks_expr_operator(const ks_expr *expr) {
    for (int i = 0; i < COMPARISONS; i++)
        if (comparisons[i].compare == expr->root->compare) return comparisons[i].text;
    return "";
}

static ks_node *parse_comparison(ks_expr_parser *p) {
    ks_node *left = parse_sum(p);
    if (!left) return NULL;
    if (take(p, "in")) return parse_in(p, left);
    ks_expr_skip(p);
    const size_t offset = p->at;
    const int compare = take_comparison(p);
    if (compare < 0)
        return p->text[p->at] == '=' ? expected(p, "== (one = compares nothing)") : left;
    ks_node *right = parse_sum(p);
    if (!right || !ks_expr_needs_same(p, left, right)) return NULL;
    if (left->type == KS_TYPE_TEXT && compare != KS_EQ && compare != KS_NE)
        return ks_expr_fail(p, offset, "found an order of words, expected == or !=");
    ks_node *node = ks_node_new(p, KS_NODE_COMPARE, KS_TYPE_CONDITION, left->offset);
    if (!node) return NULL;
    node->compare = (ks_compare)compare;
    node->first = left;
    left->next = right;
    ks_expr_skip(p);
    const size_t second = p->at;
    if (take_comparison(p) >= 0 || take(p, "in"))
        return ks_expr_fail(p, second, "found a second comparison, expected `and` between the two");
    return node;
}

static ks_node *parse_not(ks_expr_parser *p) {
    ks_expr_skip(p);
    const size_t offset = p->at;
    if (!take(p, "not")) return parse_comparison(p);
    ks_node *inner = nested(p, offset, parse_not);
    if (!inner || !ks_expr_needs(p, inner, KS_TYPE_CONDITION)) return NULL;
    ks_node *node = ks_node_new(p, KS_NODE_NOT, KS_TYPE_CONDITION, offset);
    if (node) node->first = inner;
    return node;
}

static ks_node *parse_list(ks_expr_parser *p, const char *word, ks_node_kind kind,
                           ks_node *(*parse)(ks_expr_parser *)) {
    ks_node *first = parse(p), *list = NULL, **last = NULL;
    while (first && take(p, word)) {
        ks_node *operand = parse(p);
        if (!operand || !ks_expr_needs(p, first, KS_TYPE_CONDITION)) return NULL;
        if (!ks_expr_needs(p, operand, KS_TYPE_CONDITION)) return NULL;
        if (!list) {
            list = ks_node_new(p, kind, KS_TYPE_CONDITION, first->offset);
            if (!list) return NULL;
            list->first = first;
            last = &first->next;
        }
        *last = operand;
        last = &operand->next;
    }
    return list ? list : first;
}

static ks_node *parse_and(ks_expr_parser *p) {
    return parse_list(p, "and", KS_NODE_AND, parse_not);
}
static ks_node *parse_or(ks_expr_parser *p) { return parse_list(p, "or", KS_NODE_OR, parse_and); }

static void check_form(ks_expr_parser *p, ks_expr_form form, const ks_node *root) {
    if (form == KS_EXPR_FIGURE) {
        ks_expr_needs(p, root, KS_TYPE_NUMBER);
        return;
    }
    if (!ks_expr_needs(p, root, KS_TYPE_CONDITION) || form == KS_EXPR_CONDITION) return;
    if (root->kind != KS_NODE_COMPARE || root->first->type != KS_TYPE_NUMBER)
        ks_expr_fail(p, root->offset, "found a condition, expected one comparison of two figures");
}

ks_status ks_expr_parse(const char *text, size_t length, ks_expr_form form,
                        const ks_expr_scope *scope, ks_expr **out, size_t *column,
                        ks_error *error) {
    ks_expr *expr = calloc(1, sizeof *expr);
    ks_expr_parser p = {.expr = expr, .length = length, .column = column, .error = error};
    *column = 1;
    if (!expr || !(expr->arena = ks_arena_new(4096))) {
        ks_expr_no_memory(&p);
        goto done;
    }
    expr->scope = *scope;
    p.text = text;
    if (length > LONGEST || memchr(text, '\0', length)) {
        p.text = "";
        ks_expr_fail(&p, 0, "found %zu bytes, expected text of at most %d", length, LONGEST);
        goto done;
    }
    char *copy = ks_arena_take(expr->arena, length + 1, 1);
    p.text = expr->text = copy;
    if (!copy) {
        ks_expr_no_memory(&p);
        goto done;
    }
    memcpy(copy, text, length);
    ks_node *root = parse_or(&p);
    ks_expr_skip(&p);
    if (root && p.text[p.at]) expected(&p, "the end, or an operator");
    if (root && !p.status) check_form(&p, form, root);
    expr->root = root;

done:
    if (p.status) {
        ks_expr_free(expr);
        expr = NULL;
    }
    *out = expr;
    return p.status;
}
