/* Inside of the TLContext. Seen by host/ only. */
#ifndef KS_HOST_TL_H
#define KS_HOST_TL_H

#include "host/host.h"
#include "host/recipe.h"

enum { KS_TL_SCOPES = 16 };

/* A growing array in the arena: doubled by copying. */
typedef struct ks_list {
    void *items;
    size_t count, capacity;
} ks_list;

struct ks_tl {
    ks_arena *arena;
    uint64_t tcm_bytes;
    ks_dtype acc;
    const ks_recipe *recipes;
    size_t recipe_count;

    ks_lowering_verdict verdict;
    uint64_t overflow_end;
    ks_error error;
    ks_handle nowhere; /* what calls return after a failure */

    uint64_t top, peak_bytes; /* bump allocation: first free byte, highest end so far */
    uint64_t scopes[KS_TL_SCOPES];
    uint32_t scope_count;
    uint32_t handle_count;

    ks_list commands;     /* const ks_command * */
    ks_list instructions; /* ks_instruction */
    ks_list results;      /* const ks_handle * */
    /* Commands that the host does not know to be complete, in issue order: uint32_t. */
    ks_list pending_composites, pending_primitives;
    ks_list is_awaited; /* bool, by command; of composites */
    /* An in-order server: a primitive that was awaited makes all earlier ones of its server complete
     * too. Primitives below this index are; their WAITs would be free and are not emitted. */
    uint32_t complete_before[KS_SERVER_COUNT];
    bool is_blocking;
    uint64_t tile, tile_count;
    bool has_tile_count;
    bool is_short;
    ks_repeat repeat; /* count: tiles left out */
};

/* The new last item, zeroed; NULL after out of memory, which is then the context's failure. */
void *ks_list_add(ks_tl *tl, ks_list *list, size_t item_bytes);
/* Zeroed memory of the arena; NULL likewise. */
void *ks_tl_take(ks_tl *tl, size_t count, size_t item_bytes);

/* A validation error: sticks, with its message. */
void ks_tl_refuse(ks_tl *tl, const char *format, ...) KS_PRINTF(2, 3);

ks_handle *ks_tl_handle(ks_tl *tl, ks_space space, uint64_t addr, uint64_t rows, uint64_t cols,
                        ks_dtype dtype);

/* Gives the command its index and hazard ranges, emits the WAITs that it needs and its DISPATCH. */
void ks_tl_issue(ks_tl *tl, ks_command *command);

/* ops[0..count) as a new command, not yet issued. NULL after a failure. */
ks_command *ks_tl_command(ks_tl *tl, const ks_op *ops, size_t count, bool is_composite);

/* Checks `math` and makes it an op. `names` are its operands' names in messages, or NULL. False,
 * with the context failed, when it is refused. */
bool ks_tl_math_op(ks_tl *tl, const ks_math *math, const char *const *names, ks_op *op);

/* Appends the recipe's ops and rw handles for one prologue call. Returns the primary output or
 * NULL where the recipe has none; check for failure. */
const ks_handle *ks_tl_expand(ks_tl *tl, const ks_call *call, ks_list *ops, ks_list *rw_handles);

#endif
