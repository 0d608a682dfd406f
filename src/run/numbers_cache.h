/* The last few problems' inputs and references, of one worker. */
#ifndef KS_RUN_NUMBERS_CACHE_H
#define KS_RUN_NUMBERS_CACHE_H

#include "data/data.h"

typedef struct ks_numbers_cache ks_numbers_cache;

ks_numbers_cache *ks_numbers_cache_new(void);        /* NULL if out of memory */
void ks_numbers_cache_free(ks_numbers_cache *cache); /* NULL is fine */
/* The cache's until the next call. NULL if out of memory. */
ks_numbers *ks_numbers_cache_get(ks_numbers_cache *cache, const ks_numbers_key *key,
                                 const ks_isa *isa);

#endif
