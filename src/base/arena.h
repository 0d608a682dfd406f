/* Memory of one point: taken piece by piece, given back in one reset. One per worker. */
#ifndef KS_BASE_ARENA_H
#define KS_BASE_ARENA_H

#include <stddef.h>

typedef struct ks_arena ks_arena;

ks_arena *ks_arena_new(size_t block_bytes);   /* NULL if out of memory */
void ks_arena_free(ks_arena *arena);          /* NULL is fine */
void ks_arena_reset(ks_arena *arena);         /* all pieces are gone; the blocks stay */
size_t ks_arena_bytes(const ks_arena *arena); /* of all its blocks, used or not */

/* Zeroed, aligned to 64 bytes, owned by the arena. NULL if out of memory or if
 * count * item_bytes overflows. */
void *ks_arena_take(ks_arena *arena, size_t count, size_t item_bytes);
/* The same, but what it holds is anything. */
void *ks_arena_take_unset(ks_arena *arena, size_t count, size_t item_bytes);

/* A copy of `text` up to and including its NUL. NULL if out of memory. */
char *ks_arena_text(ks_arena *arena, const char *text);

#endif
