#include "run/plan_cache.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 32, BLOCK_BYTES = 1 << 16, LIMIT_BYTES = 32 << 20 };

/* Parameters on which no command and no plan depends; all others are in the key. */
static bool is_free(int param) {
    return param == KS_P_policy || param == KS_P_dist || param == KS_P_seed;
}

/* Constants on which a lowering, a plan or the loop of a script depends. */
static const ks_constant key_constants[] = {
    KS_C_tcm_bytes,   KS_C_queue_depth, KS_C_stream_buffers, KS_C_operand_buffers,
    KS_C_acc_buffers, KS_C_gemm_tile_m, KS_C_gemm_tile_n,    KS_C_gemm_tile_k};

enum { CONSTANTS = sizeof key_constants / sizeof key_constants[0] };

typedef struct plan_key {
    const ks_kernel *kernel;
    uint64_t is_short;
    uint64_t values[KS_PARAM_COUNT + CONSTANTS];
} plan_key;

typedef struct entry {
    plan_key key;
    ks_arena *arena; /* NULL: free */
    ks_lowering lowering;
    bool has_script;
    ks_status built; /* of the script */
    ks_script script;
    ks_log_texts *texts; /* NULL: not asked for yet */
} entry;

struct ks_plan_cache {
    entry entries[ENTRIES]; /* each key has one place */
    entry *last;
    uint64_t lowered_count;
};

ks_plan_cache *ks_plan_cache_new(void) { return calloc(1, sizeof(ks_plan_cache)); }

void ks_plan_cache_clear(ks_plan_cache *cache) {
    for (int i = 0; i < ENTRIES; i++) {
        ks_arena_free(cache->entries[i].arena);
        cache->entries[i].arena = NULL;
    }
}

void ks_plan_cache_free(ks_plan_cache *cache) {
    if (!cache) return;
    ks_plan_cache_clear(cache);
    free(cache);
}

static plan_key key_of(const ks_kernel *kernel, const ks_point *point, bool is_short) {
    plan_key key = {.kernel = kernel, .is_short = is_short};
    for (int i = 0; i < KS_PARAM_COUNT; i++) key.values[i] = is_free(i) ? 0 : point->params[i];
    for (int i = 0; i < CONSTANTS; i++)
        key.values[KS_PARAM_COUNT + i] = point->calibration.values[key_constants[i]];
    return key;
}

bool ks_plan_serves(const ks_kernel *kernel, const ks_point *a, const ks_point *b) {
    const plan_key one = key_of(kernel, a, false), other = key_of(kernel, b, false);
    return memcmp(&one, &other, sizeof one) == 0;
}

static size_t place_of(const plan_key *key) {
    uint64_t hash = key->is_short;
    for (int i = 0; i < KS_PARAM_COUNT + CONSTANTS; i++)
        hash = (hash ^ key->values[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    return hash % ENTRIES;
}

static void keep_within_limit(ks_plan_cache *cache) {
    size_t bytes = 0;
    for (int i = 0; i < ENTRIES; i++)
        if (cache->entries[i].arena) bytes += ks_arena_bytes(cache->entries[i].arena);
    if (bytes > LIMIT_BYTES) ks_plan_cache_clear(cache);
}

static bool begin_entry(entry *e, const plan_key *key) {
    if (e->arena)
        ks_arena_reset(e->arena);
    else
        e->arena = ks_arena_new(BLOCK_BYTES);
    e->key = *key;
    e->has_script = false;
    e->texts = NULL;
    return e->arena != NULL;
}

static void drop(entry *e) {
    ks_arena_free(e->arena);
    e->arena = NULL;
}

const ks_lowering *ks_plan_cache_lower(ks_plan_cache *cache, const ks_kernel *kernel,
                                       const ks_point *point, bool is_short) {
    const plan_key key = key_of(kernel, point, is_short);
    entry *e = cache->last = &cache->entries[place_of(&key)];
    if (e->arena && memcmp(&e->key, &key, sizeof key) == 0) return &e->lowering;
    keep_within_limit(cache);
    if (!begin_entry(e, &key)) return NULL;
    cache->lowered_count++;
    (is_short ? ks_lower_short : ks_lower)(kernel, point, e->arena, &e->lowering);
    if (e->lowering.verdict != KS_LOWERING_NO_MEMORY) return &e->lowering;
    drop(e);
    return NULL;
}

uint64_t ks_plan_cache_lowered(const ks_plan_cache *cache) { return cache->lowered_count; }

ks_status ks_plan_cache_script(ks_plan_cache *cache, const ks_machine *machine,
                               const ks_script **script) {
    entry *e = cache->last;
    if (!e->has_script)
        e->built = ks_script_build(&e->lowering.program, machine, e->arena, &e->script);
    e->has_script = true;
    *script = &e->script;
    if (e->built == KS_NO_MEMORY) drop(e);
    return e->built ? e->built : ks_script_time(&e->script, machine);
}

ks_log_texts *ks_plan_cache_texts(ks_plan_cache *cache) {
    entry *e = cache->last;
    if (!e->texts) e->texts = ks_log_texts_new(&e->lowering.program, e->arena);
    return e->texts;
}
