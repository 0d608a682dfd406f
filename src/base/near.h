/* The name that a misspelt one was probably meant to be. */
#ifndef KS_BASE_NEAR_H
#define KS_BASE_NEAR_H

#include <stddef.h>

/* The entry of names[0..count) with the smallest edit distance to `word`, letter case apart,
 * if that is at most a third of the word's length (at least 1, at most 3); else NULL.
 * Entries may be NULL. */
const char *ks_near(const char *word, const char *const *names, size_t count);

#endif
