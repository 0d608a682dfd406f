/* A YAML file as a tree of maps, lists and scalars, each with its place. The strict part of YAML
 * only: UTF-8, LF, one document; no tag, anchor, alias, directive, tab or doubled key. */
#ifndef KS_SWEEP_TREE_H
#define KS_SWEEP_TREE_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/near.h"
#include "base/text.h"

enum { KS_TREE_BYTES = 1 << 20, KS_TREE_LEVELS = 16, KS_TREE_KEYS = 1000 };

typedef struct ks_place {
    const char *file;
    size_t line, column; /* from 1; in characters */
} ks_place;

/* Writes "FILE:LINE:COLUMN: " and the message. */
ks_status ks_place_fail(ks_error *error, const ks_place *place, const char *format, ...)
    KS_PRINTF(3, 4);

typedef enum ks_tree_kind { KS_TREE_SCALAR, KS_TREE_LIST, KS_TREE_MAP } ks_tree_kind;

typedef struct ks_tree ks_tree;
struct ks_tree {
    ks_tree_kind kind;
    ks_place place;
    const char
        *text; /* of a scalar: printable UTF-8, may hold line feeds; "" when nothing is there */
    size_t length;
    bool is_quoted;
    bool is_verbatim; /* its characters stand in the file one by one, on one line */
    const char *key;  /* of an entry of a map, else NULL */
    ks_place key_place;
    const ks_tree *first; /* of a list or map: its entries, in file order */
    const ks_tree *next;
    size_t count;
};

/* Reads a file ("-": standard input). The tree lives in the arena; `file` must outlive it.
 * A file that does not exist is KS_INPUT. `digest`, unless NULL, becomes that of its bytes. */
KS_CHECKED ks_status ks_tree_read(const char *file, ks_arena *arena, const ks_tree **root,
                                  ks_digest *digest, ks_error *error);
KS_CHECKED ks_status ks_tree_parse(const char *file, const char *bytes, size_t length,
                                   ks_arena *arena, const ks_tree **root, ks_error *error);

/* NULL: the map has no such key. */
const ks_tree *ks_tree_find(const ks_tree *map, const char *key);
/* What a message says was found: `'text'`, "nothing", "a list", "a map". */
const char *ks_tree_found(char out[96], const ks_tree *node);
/* Refuses a node that is not a map, and keys that are not among `keys` (with `advice` at the end). */
KS_CHECKED ks_status ks_tree_expect_keys(const ks_tree *map, const char *what,
                                         const char *const *keys, size_t count, const char *advice,
                                         ks_error *error);
/* Letters, digits and _ . - only, the first a letter or digit, at most 100 characters. */
bool ks_tree_is_name(const ks_tree *node);

#endif
