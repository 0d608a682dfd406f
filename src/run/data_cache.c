#include "run/data_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The last used first. */
typedef struct entry {
    struct entry *next;
    ks_numbers_key key;
    ks_numbers *numbers; /* NULL: being made */
    uint64_t users;
    bool has_failed;
} entry;

typedef struct slot {
    ks_digest key;
    bool is_taken;
    ks_data_result result;
} slot;

enum { RESULT_SHARE = 8 /* one part in so many of the bytes is for results */ };

struct ks_data_cache {
    pthread_mutex_t lock;
    pthread_cond_t made;
    uint64_t bound_bytes, held_bytes;
    entry *entries;
    slot *slots; /* a hash table without chains: a newcomer takes the place of what is there */
    uint64_t slot_count;
    ks_data_counts counts;
};

ks_data_cache *ks_data_cache_new(uint64_t bytes) {
    ks_data_cache *cache = calloc(1, sizeof *cache);
    if (!cache) return NULL;
    cache->bound_bytes = bytes;
    if (pthread_mutex_init(&cache->lock, NULL) == 0) {
        if (pthread_cond_init(&cache->made, NULL) == 0) return cache;
        pthread_mutex_destroy(&cache->lock);
    }
    free(cache);
    return NULL;
}

void ks_data_cache_free(ks_data_cache *cache) {
    if (!cache) return;
    for (entry *e = cache->entries; e;) {
        entry *next = e->next;
        ks_numbers_free(e->numbers);
        free(e);
        e = next;
    }
    free(cache->slots);
    pthread_cond_destroy(&cache->made);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

bool ks_data_cache_keeps(const ks_data_cache *cache) { return cache->bound_bytes > 0; }

/* ---- numbers; all of it with the lock held ---- */

static void remove_entry(ks_data_cache *cache, entry *e) {
    entry **link = &cache->entries;
    while (*link != e) link = &(*link)->next;
    *link = e->next;
    if (e->numbers) cache->held_bytes -= ks_numbers_bytes(e->numbers);
    ks_numbers_free(e->numbers);
    free(e);
}

static entry *last_unused(const ks_data_cache *cache) {
    entry *last = NULL;
    for (entry *e = cache->entries; e; e = e->next)
        if (!e->users) last = e;
    return last;
}

static void keep_to_bound(ks_data_cache *cache) {
    for (entry *e; cache->held_bytes > cache->bound_bytes && (e = last_unused(cache));)
        remove_entry(cache, e);
}

/* The entry of the key, in front of all others; NULL: none. */
static entry *find_entry(ks_data_cache *cache, const ks_numbers_key *key) {
    for (entry **link = &cache->entries; *link; link = &(*link)->next) {
        entry *e = *link;
        if (!ks_numbers_key_equal(&e->key, key)) continue;
        *link = e->next;
        e->next = cache->entries;
        cache->entries = e;
        return e;
    }
    return NULL;
}

static ks_numbers *wait_for(ks_data_cache *cache, entry *e) {
    e->users++;
    while (!e->numbers && !e->has_failed) pthread_cond_wait(&cache->made, &cache->lock);
    cache->counts.numbers_shared += e->numbers != NULL;
    ks_numbers *numbers = e->numbers;
    if (!numbers && --e->users == 0) remove_entry(cache, e);
    return numbers;
}

static ks_numbers *make(ks_data_cache *cache, const ks_numbers_key *key, const ks_isa *isa) {
    entry *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    *e = (entry){.next = cache->entries, .key = *key, .users = 1};
    cache->entries = e;
    pthread_mutex_unlock(&cache->lock);
    ks_numbers *numbers;
    const ks_status status = ks_numbers_new(key, isa, &numbers);
    pthread_mutex_lock(&cache->lock);
    e->numbers = numbers;
    e->has_failed = status != KS_OK;
    if (numbers) cache->held_bytes += ks_numbers_bytes(numbers);
    cache->counts.numbers_made += numbers != NULL;
    pthread_cond_broadcast(&cache->made);
    if (!numbers && --e->users == 0) remove_entry(cache, e);
    keep_to_bound(cache);
    return numbers;
}

ks_numbers *ks_data_cache_numbers(ks_data_cache *cache, const ks_numbers_key *key,
                                  const ks_isa *isa) {
    pthread_mutex_lock(&cache->lock);
    entry *e = cache->bound_bytes ? find_entry(cache, key) : NULL;
    ks_numbers *numbers = e ? wait_for(cache, e) : make(cache, key, isa);
    pthread_mutex_unlock(&cache->lock);
    return numbers;
}

void ks_data_cache_release(ks_data_cache *cache, ks_numbers *numbers) {
    if (!numbers) return;
    pthread_mutex_lock(&cache->lock);
    for (entry *e = cache->entries; e; e = e->next)
        if (e->numbers == numbers) {
            e->users--;
            break;
        }
    keep_to_bound(cache);
    pthread_mutex_unlock(&cache->lock);
}

/* ---- results ---- */

static slot *slot_of(const ks_data_cache *cache, const ks_digest *key) {
    uint64_t hash;
    memcpy(&hash, key->bytes, sizeof hash);
    return &cache->slots[hash % cache->slot_count];
}

static const slot *find_slot(const ks_data_cache *cache, const ks_digest *key) {
    const slot *s = cache->slots ? slot_of(cache, key) : NULL;
    return s && s->is_taken && memcmp(&s->key, key, sizeof *key) == 0 ? s : NULL;
}

bool ks_data_cache_knows(ks_data_cache *cache, const ks_digest *key) {
    pthread_mutex_lock(&cache->lock);
    const bool is_known = find_slot(cache, key) != NULL;
    pthread_mutex_unlock(&cache->lock);
    return is_known;
}

bool ks_data_cache_find(ks_data_cache *cache, const ks_digest *key, ks_data_result *result) {
    pthread_mutex_lock(&cache->lock);
    const slot *s = find_slot(cache, key);
    if (s) *result = s->result;
    cache->counts.results_shared += s != NULL;
    pthread_mutex_unlock(&cache->lock);
    return s != NULL;
}

/* Memory that there is none of means that nothing is kept. */
static void put(ks_data_cache *cache, const ks_digest *key, const ks_data_result *result,
                bool is_counted) {
    pthread_mutex_lock(&cache->lock);
    cache->counts.results_made += is_counted;
    if (!cache->slots) {
        const uint64_t count = cache->bound_bytes / RESULT_SHARE / sizeof(slot);
        cache->slots = count ? calloc(count, sizeof(slot)) : NULL;
        cache->slot_count = count;
    }
    if (cache->slots) {
        slot *s = slot_of(cache, key);
        s->key = *key;
        s->result = *result;
        s->is_taken = true;
    }
    pthread_mutex_unlock(&cache->lock);
}

void ks_data_cache_keep(ks_data_cache *cache, const ks_digest *key, const ks_data_result *result) {
    put(cache, key, result, true);
}

void ks_data_cache_mark(ks_data_cache *cache, const ks_digest *key) {
    put(cache, key, &(ks_data_result){0}, false);
}

ks_data_counts ks_data_cache_counts(ks_data_cache *cache) {
    pthread_mutex_lock(&cache->lock);
    const ks_data_counts counts = cache->counts;
    pthread_mutex_unlock(&cache->lock);
    return counts;
}
