/* What an expression is made of; for expr*.c alone. */
#ifndef KS_SWEEP_EXPR_NODE_H
#define KS_SWEEP_EXPR_NODE_H

#include "base/arena.h"
#include "sweep/expr.h"

typedef enum ks_expr_type { KS_TYPE_CONDITION, KS_TYPE_NUMBER, KS_TYPE_TEXT } ks_expr_type;

typedef enum ks_node_kind {
    KS_NODE_OR,
    KS_NODE_AND,
    KS_NODE_NOT,
    KS_NODE_COMPARE, /* two children */
    KS_NODE_IN,      /* the first child, among the others */
    KS_NODE_CHAIN,   /* + - * / %: children from left to right, each with its op */
    KS_NODE_NEGATE,
    KS_NODE_NUMBER,
    KS_NODE_TEXT,
    KS_NODE_NAME,
    KS_NODE_SIDE
} ks_node_kind;

typedef enum ks_compare { KS_EQ, KS_NE, KS_LT, KS_LE, KS_GT, KS_GE, KS_COMPARE_COUNT } ks_compare;

typedef struct ks_node ks_node;
struct ks_node {
    ks_node_kind kind;
    ks_expr_type type;
    size_t offset; /* where it starts in the text */
    char op;       /* in a chain: how it joins what is left of it */
    bool is_word;  /* of a TEXT: without quotes */
    ks_compare compare;
    ks_name name;
    ks_node *first, *next;
    ks_exact number;
    ks_node *next_number; /* all numbers, to be freed */
    const char *text;
    ks_expr_side *side;
    ks_node *next_side;
};

struct ks_expr {
    ks_arena *arena;
    ks_expr_scope scope;
    const char *text;
    const ks_node *root;
    ks_node *numbers, *sides; /* sides in reverse order */
    size_t side_count;
    ks_names names;
};

typedef struct ks_expr_parser {
    ks_expr *expr;
    const char *text; /* NUL-terminated */
    size_t length, at;
    unsigned level;
    ks_status status; /* the first failure */
    size_t *column;
    ks_error *error;
} ks_expr_parser;

/* All leave the first failure and return NULL. */
ks_node *ks_expr_fail(ks_expr_parser *p, size_t offset, const char *format, ...) KS_PRINTF(3, 4);
void *ks_expr_no_memory(ks_expr_parser *p);
ks_node *ks_node_new(ks_expr_parser *p, ks_node_kind kind, ks_expr_type type, size_t offset);

/* Lexer: `at` stands at a token, blanks skipped. */
void ks_expr_skip(ks_expr_parser *p);
bool ks_expr_is_word_char(char c);
size_t ks_expr_word_length(const ks_expr_parser *p);  /* 0: no word here */
char *ks_expr_take(ks_expr_parser *p, size_t length); /* copies and skips; NULL: out of memory */
char *ks_expr_quoted(ks_expr_parser *p);              /* 'text' at `at`; NULL: failed */

/* A word followed by `{` or `.`; or a column alone. */
ks_node *ks_expr_parse_side(ks_expr_parser *p);
ks_node *ks_expr_parse_column(ks_expr_parser *p, size_t offset, size_t column, int kernel);

/* Each answers false after a failure. */
bool ks_expr_needs(ks_expr_parser *p, const ks_node *node, ks_expr_type type);
bool ks_expr_needs_same(ks_expr_parser *p, const ks_node *left, const ks_node *right);
/* A word's or text's being one of the values of a name. */
bool ks_expr_needs_word(ks_expr_parser *p, ks_name name, const char *text, size_t offset);

#endif
