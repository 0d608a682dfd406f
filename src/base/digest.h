/* XXH3-128, in its canonical (big-endian) form. */
#ifndef KS_BASE_DIGEST_H
#define KS_BASE_DIGEST_H

#include <stddef.h>

typedef struct ks_digest {
    unsigned char bytes[16];
} ks_digest;

enum { KS_DIGEST_HEX = 33 }; /* 32 hex digits and NUL */

ks_digest ks_digest_of(const void *data, size_t length);
void ks_digest_print(char hex[KS_DIGEST_HEX], const ks_digest *digest);

/* A digest made piece by piece; equal to ks_digest_of the pieces joined. */
typedef struct ks_digester ks_digester;

ks_digester *ks_digester_new(void);           /* NULL if out of memory */
void ks_digester_free(ks_digester *digester); /* NULL is fine */
void ks_digester_reset(ks_digester *digester);
void ks_digester_add(ks_digester *digester, const void *data, size_t length);
ks_digest ks_digester_end(const ks_digester *digester);

#endif
