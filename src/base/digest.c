#include "base/digest.h"

#include <string.h>

#define XXH_INLINE_ALL /* inlined with our optimisation: twice as fast as the library */
#include <xxhash.h>

#include "base/digits.h"

static ks_digest canonical(XXH128_hash_t hash) {
    XXH128_canonical_t form;
    ks_digest digest;
    XXH128_canonicalFromHash(&form, hash);
    memcpy(digest.bytes, form.digest, sizeof digest.bytes);
    return digest;
}

ks_digest ks_digest_of(const void *data, size_t length) {
    return canonical(XXH3_128bits(data, length));
}

void ks_digest_print(char hex[KS_DIGEST_HEX], const ks_digest *digest) {
    *ks_put_hex(hex, digest->bytes, sizeof digest->bytes) = '\0';
}

/* The state itself is the object: it wants 64-byte alignment, which XXH3_createState gives. */
ks_digester *ks_digester_new(void) {
    XXH3_state_t *state = XXH3_createState();
    if (state) XXH3_128bits_reset(state);
    return (ks_digester *)state;
}

void ks_digester_free(ks_digester *digester) { XXH3_freeState((XXH3_state_t *)digester); }

void ks_digester_reset(ks_digester *digester) { XXH3_128bits_reset((XXH3_state_t *)digester); }

void ks_digester_add(ks_digester *digester, const void *data, size_t length) {
    XXH3_128bits_update((XXH3_state_t *)digester, data, length);
}

ks_digest ks_digester_end(const ks_digester *digester) {
    return canonical(XXH3_128bits_digest((const XXH3_state_t *)digester));
}
