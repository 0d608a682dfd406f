#define _DEFAULT_SOURCE /* madvise, which POSIX has not */

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, LARGE_PAGE = 1 << 21 };

/* Blocks form a list in the order of their use; `current` is the one being filled.
 * A piece larger than a block gets a block of its own size. */
typedef struct block {
    struct block *next;
    size_t bytes;
    size_t used;
    unsigned char *data;
} block;

struct ks_arena {
    block *first;
    block *current;
    size_t block_bytes;
};

/* Megabytes that are all going to be written: in large pages where the system has them, as a fault
 * on each small one costs more than what is computed. */
static void *take_memory(size_t bytes) {
    if (bytes < 2 * LARGE_PAGE) return aligned_alloc(ALIGNMENT, bytes);
    const size_t rounded = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, rounded);
#ifdef MADV_HUGEPAGE
    if (memory) (void)madvise(memory, rounded, MADV_HUGEPAGE); /* a hint: may be refused */
#endif
    return memory;
}

static block *block_new(size_t bytes) {
    block *made = malloc(sizeof *made);
    if (!made) return NULL;
    made->data = take_memory(bytes);
    if (!made->data) {
        free(made);
        return NULL;
    }
    made->next = NULL;
    made->bytes = bytes;
    made->used = 0;
    return made;
}

ks_arena *ks_arena_new(size_t block_bytes) {
    ks_arena *arena = calloc(1, sizeof *arena);
    if (!arena) return NULL;
    arena->block_bytes = (block_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    arena->first = arena->current = block_new(arena->block_bytes);
    if (!arena->first) {
        free(arena);
        return NULL;
    }
    return arena;
}

void ks_arena_free(ks_arena *arena) {
    if (!arena) return;
    for (block *b = arena->first; b;) {
        block *next = b->next;
        free(b->data);
        free(b);
        b = next;
    }
    free(arena);
}

void ks_arena_reset(ks_arena *arena) {
    for (block *b = arena->first; b; b = b->next) b->used = 0;
    arena->current = arena->first;
}

size_t ks_arena_bytes(const ks_arena *arena) {
    size_t bytes = 0;
    for (const block *b = arena->first; b; b = b->next) bytes += b->bytes;
    return bytes;
}

/* The current block or a later one with room for `bytes`; a new one where there is none. */
static block *block_with_room(ks_arena *arena, size_t bytes) {
    block *b = arena->current;
    while (b->bytes - b->used < bytes && b->next) b = b->next;
    if (b->bytes - b->used < bytes) {
        b->next = block_new(bytes > arena->block_bytes ? bytes : arena->block_bytes);
        if (!b->next) return NULL;
        b = b->next;
    }
    arena->current = b;
    return b;
}

void *ks_arena_take_unset(ks_arena *arena, size_t count, size_t item_bytes) {
    if (item_bytes && count > (SIZE_MAX / 2 - ALIGNMENT) / item_bytes) return NULL;
    const size_t bytes = (count * item_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *b = block_with_room(arena, bytes);
    if (!b) return NULL;
    void *piece = b->data + b->used;
    b->used += bytes;
    return piece;
}

void *ks_arena_take(ks_arena *arena, size_t count, size_t item_bytes) {
    void *piece = ks_arena_take_unset(arena, count, item_bytes);
    return piece ? memset(piece, 0, count * item_bytes) : NULL;
}

char *ks_arena_text(ks_arena *arena, const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = ks_arena_take(arena, bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}
