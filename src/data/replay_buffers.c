#include "data/replay_buffers.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SPACE = KS_STG,
    SPACES = KS_SPACE_COUNT - FIRST_SPACE,
    INDEX_LIMIT = 1 << 22 /* output tiles of a composite, steps in flight: far fewer */
};

typedef struct slots {
    ks_bytes *items;
    uint64_t count;
} slots;

/* The buffers of one command. A released set keeps its memory for the next command. */
typedef struct set {
    struct set *next;
    const ks_command *command;
    slots spaces[SPACES];
} set;

struct ks_buffers {
    set *in_use;
    set *spare;
};

ks_buffers *ks_buffers_new(void) { return calloc(1, sizeof(ks_buffers)); }

static void sets_free(set *first) {
    while (first) {
        set *next = first->next;
        for (int s = 0; s < SPACES; s++) {
            for (uint64_t i = 0; i < first->spaces[s].count; i++)
                ks_bytes_free(&first->spaces[s].items[i]);
            free(first->spaces[s].items);
        }
        free(first);
        first = next;
    }
}

void ks_buffers_free(ks_buffers *buffers) {
    if (!buffers) return;
    sets_free(buffers->in_use);
    sets_free(buffers->spare);
    free(buffers);
}

static set *set_of(ks_buffers *buffers, const ks_command *command) {
    for (set *s = buffers->in_use; s; s = s->next)
        if (s->command == command) return s;
    set *made = buffers->spare;
    if (made)
        buffers->spare = made->next;
    else
        made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->command = command;
    made->next = buffers->in_use;
    buffers->in_use = made;
    return made;
}

static bool slots_reach(slots *s, uint64_t count) {
    if (count <= s->count) return true;
    const uint64_t wanted = count > 2 * s->count ? count : 2 * s->count;
    ks_bytes *items = realloc(s->items, wanted * sizeof *items);
    if (!items) return false;
    memset(&items[s->count], 0, (wanted - s->count) * sizeof *items);
    s->items = items;
    s->count = wanted;
    return true;
}

ks_bytes *ks_buffers_find(ks_buffers *buffers, const ks_command *command, ks_space space,
                          uint64_t index) {
    if (index >= INDEX_LIMIT) return NULL;
    set *own = set_of(buffers, command);
    if (!own) return NULL;
    slots *s = &own->spaces[space - FIRST_SPACE];
    return slots_reach(s, index + 1) ? &s->items[index] : NULL;
}

void ks_buffers_release(ks_buffers *buffers, const ks_command *command) {
    set **link = &buffers->in_use;
    while (*link && (*link)->command != command) link = &(*link)->next;
    set *released = *link;
    if (!released) return;
    *link = released->next;
    for (int s = 0; s < SPACES; s++)
        for (uint64_t i = 0; i < released->spaces[s].count; i++)
            released->spaces[s].items[i].length = 0, released->spaces[s].items[i].borrowed = NULL;
    released->next = buffers->spare;
    buffers->spare = released;
}
