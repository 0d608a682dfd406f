#include "sweep/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "sweep/quote.h"

enum { BLOCK_BYTES = 65536 };

ks_sweep_box *ks_reader_box_new(const char *file, const ks_kernel_table *kernels) {
    ks_sweep_box *box = calloc(1, sizeof *box);
    if (!box) return NULL;
    box->sweep.kernels = kernels;
    box->arena = ks_arena_new(BLOCK_BYTES);
    box->sweep.file = box->arena ? ks_arena_text(box->arena, file) : NULL;
    if (box->sweep.file) return box;
    ks_sweep_free(&box->sweep);
    return NULL;
}

ks_status ks_reader_expected(ks_sweep_reader *r, const ks_tree *owner, const ks_tree *node,
                             const char *what, const char *expected) {
    char found[KS_QUOTE_MAX];
    if (!node)
        return ks_place_fail(r->error, &owner->place, "found no %s, expected %s", what, expected);
    return ks_place_fail(r->error, &node->place, "found %s for %s, expected %s",
                         ks_tree_found(found, node), what, expected);
}

ks_status ks_reader_list(ks_sweep_reader *r, const ks_tree *map, const char *key, bool is_needed,
                         const char *expected, const ks_tree **list) {
    *list = ks_tree_find(map, key);
    if (!*list && !is_needed) return KS_OK;
    if (!*list || (*list)->kind != KS_TREE_LIST)
        return ks_reader_expected(r, map, *list, key, expected);
    if ((*list)->count > 0) return KS_OK;
    return ks_place_fail(r->error, &(*list)->place, "found an empty list for %s, expected %s", key,
                         expected);
}

ks_status ks_reader_line(ks_sweep_reader *r, const ks_tree *map, const char *key, bool is_needed,
                         const char **out) {
    const ks_tree *node = ks_tree_find(map, key);
    if (is_needed && (!node || node->kind != KS_TREE_SCALAR || node->length == 0))
        return ks_reader_expected(r, map, node, key, "a line of text");
    const ks_status status = ks_tree_text(node, key, out, r->error);
    if (!status && strchr(*out, '\n'))
        return ks_place_fail(r->error, &node->place, "found several lines for %s, expected one",
                             key);
    return status;
}

ks_status ks_reader_name(ks_sweep_reader *r, const ks_tree *map, const char *key,
                         const char **out) {
    const ks_tree *name = ks_tree_find(map, key);
    if (!name || !ks_tree_is_name(name) || strstr(name->text, ".."))
        return ks_reader_expected(r, map, name, key, "its name: letters, digits, _ . -");
    *out = name->text;
    return KS_OK;
}

ks_status ks_reader_unknown(ks_sweep_reader *r, const ks_place *place, const char *word,
                            const char *what, const char *const *names, size_t count) {
    const char *near = ks_near(word, names, count);
    return ks_place_fail(r->error, place, "found '%s', expected %s%s%s%s", word, what,
                         near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

void *ks_reader_take(ks_sweep_reader *r, size_t count, size_t item_bytes) {
    void *room = ks_arena_take(r->arena, count, item_bytes);
    if (!room) ks_fail(r->error, KS_NO_MEMORY, "out of memory");
    return room;
}
