#include "base/text_map.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/arena.h"

enum { TEXT_BLOCK_BYTES = 1 << 16, FIRST_ROOM = 64 };

/* Open addressing over `slots` (a power of two, at most half full); a slot holds number + 1. */
struct ks_text_map {
    ks_arena *arena;
    const char **texts;
    uint64_t *hashes;
    size_t *slots;
    size_t count, room, slot_count;
};

void ks_text_map_free(ks_text_map *map) {
    if (!map) return;
    ks_arena_free(map->arena);
    free(map->texts);
    free(map->hashes);
    free(map->slots);
    free(map);
}

static bool grow(ks_text_map *map) {
    const size_t room = map->room ? 2 * map->room : FIRST_ROOM;
    const char **texts = realloc(map->texts, room * sizeof *texts);
    if (texts) map->texts = texts;
    uint64_t *hashes = realloc(map->hashes, room * sizeof *hashes);
    if (hashes) map->hashes = hashes;
    size_t *slots = calloc(2 * room, sizeof *slots);
    if (!texts || !hashes || !slots) {
        free(slots);
        return false;
    }
    for (size_t i = 0; i < map->count; i++) {
        size_t at = hashes[i] & (2 * room - 1);
        while (slots[at]) at = (at + 1) & (2 * room - 1);
        slots[at] = i + 1;
    }
    free(map->slots);
    map->slots = slots;
    map->slot_count = 2 * room;
    map->room = room;
    return true;
}

ks_text_map *ks_text_map_new(void) {
    ks_text_map *map = calloc(1, sizeof *map);
    if (!map) return NULL;
    map->arena = ks_arena_new(TEXT_BLOCK_BYTES);
    if (map->arena && grow(map)) return map;
    ks_text_map_free(map);
    return NULL;
}

/* The slot that holds the text, or the free one where it belongs. */
static size_t slot_of(const ks_text_map *map, const char *text, uint64_t hash) {
    size_t at = hash & (map->slot_count - 1);
    for (; map->slots[at]; at = (at + 1) & (map->slot_count - 1)) {
        const size_t number = map->slots[at] - 1;
        if (map->hashes[number] == hash && strcmp(map->texts[number], text) == 0) break;
    }
    return at;
}

size_t ks_text_map_find(const ks_text_map *map, const char *text) {
    const size_t at = slot_of(map, text, XXH3_64bits(text, strlen(text)));
    return map->slots[at] ? map->slots[at] - 1 : KS_TEXT_MAP_NONE;
}

size_t ks_text_map_add(ks_text_map *map, const char *text) {
    const uint64_t hash = XXH3_64bits(text, strlen(text));
    size_t at = slot_of(map, text, hash);
    if (map->slots[at]) return map->slots[at] - 1;
    if (map->count == map->room) {
        if (!grow(map)) return KS_TEXT_MAP_NONE;
        at = slot_of(map, text, hash);
    }
    const char *own = ks_arena_text(map->arena, text);
    if (!own) return KS_TEXT_MAP_NONE;
    map->texts[map->count] = own;
    map->hashes[map->count] = hash;
    map->slots[at] = ++map->count;
    return map->count - 1;
}

size_t ks_text_map_count(const ks_text_map *map) { return map->count; }

const char *ks_text_map_at(const ks_text_map *map, size_t number) { return map->texts[number]; }
