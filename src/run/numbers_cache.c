#include "run/numbers_cache.h"

#include <stdlib.h>

enum { PLACES = 4 };

struct ks_numbers_cache {
    ks_numbers *places[PLACES]; /* the last used first */
};

ks_numbers_cache *ks_numbers_cache_new(void) { return calloc(1, sizeof(ks_numbers_cache)); }

void ks_numbers_cache_free(ks_numbers_cache *cache) {
    if (!cache) return;
    for (int i = 0; i < PLACES; i++) ks_numbers_free(cache->places[i]);
    free(cache);
}

static void move_to_front(ks_numbers_cache *cache, int place, ks_numbers *numbers) {
    for (; place > 0; place--) cache->places[place] = cache->places[place - 1];
    cache->places[0] = numbers;
}

ks_numbers *ks_numbers_cache_get(ks_numbers_cache *cache, const ks_numbers_key *key,
                                 const ks_isa *isa) {
    int place = 0;
    for (; place < PLACES && cache->places[place]; place++) {
        if (!ks_numbers_key_equal(ks_numbers_key_get(cache->places[place]), key)) continue;
        move_to_front(cache, place, cache->places[place]);
        return cache->places[0];
    }
    if (place == PLACES) ks_numbers_free(cache->places[--place]);
    cache->places[place] = NULL;
    ks_numbers *made;
    if (ks_numbers_new(key, isa, &made)) return NULL;
    move_to_front(cache, place, made);
    return made;
}
