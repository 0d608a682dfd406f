/* What points of mode data have in common, kept for all workers of a run: inputs with their
 * references and plain errors, and results. Threads may share it. */
#ifndef KS_RUN_DATA_CACHE_H
#define KS_RUN_DATA_CACHE_H

#include "data/data.h"

typedef struct ks_data_cache ks_data_cache;

/* Keeps at most about `bytes` besides what is in use; 0: nothing, every point makes its own. NULL
 * if out of memory. */
ks_data_cache *ks_data_cache_new(uint64_t bytes);
void ks_data_cache_free(ks_data_cache *cache); /* NULL is fine; nothing may be in use */
bool ks_data_cache_keeps(const ks_data_cache *cache);

/* Of this key: kept, or made now; one thread makes them while others that want them wait. In use
 * until ks_data_cache_release. NULL if out of memory. */
ks_numbers *ks_data_cache_numbers(ks_data_cache *cache, const ks_numbers_key *key,
                                  const ks_isa *isa);
void ks_data_cache_release(ks_data_cache *cache, ks_numbers *numbers); /* NULL is fine */

/* What came out of a replay. */
typedef struct ks_data_result {
    ks_digest out_xxh128;
    ks_errors errors;
    ks_judgement judgement;
} ks_data_result;

/* A key with nothing behind it, and whether a key is known. */
void ks_data_cache_mark(ks_data_cache *cache, const ks_digest *key);
bool ks_data_cache_knows(ks_data_cache *cache, const ks_digest *key);
/* True, and the result, if one was kept under `key`. */
bool ks_data_cache_find(ks_data_cache *cache, const ks_digest *key, ks_data_result *result);
void ks_data_cache_keep(ks_data_cache *cache, const ks_digest *key, const ks_data_result *result);

typedef struct ks_data_counts {
    uint64_t numbers_made, numbers_shared, results_made, results_shared;
} ks_data_counts;

ks_data_counts ks_data_cache_counts(ks_data_cache *cache);

#endif
