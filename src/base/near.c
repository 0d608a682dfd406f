#include "base/near.h"

#include <string.h>

enum { LONGEST = 63 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Levenshtein distance in which a swap of neighbours is one edit too. */
static size_t distance(const char *a, const char *b) {
    const size_t an = strlen(a), bn = strlen(b);
    unsigned char d[LONGEST + 1][LONGEST + 1];
    if (an > LONGEST || bn > LONGEST) return LONGEST;
    for (size_t i = 0; i <= an; i++) d[i][0] = (unsigned char)i;
    for (size_t j = 0; j <= bn; j++) d[0][j] = (unsigned char)j;
    for (size_t i = 1; i <= an; i++)
        for (size_t j = 1; j <= bn; j++) {
            const char x = lower(a[i - 1]), y = lower(b[j - 1]);
            size_t best = d[i - 1][j - 1] + (size_t)(x != y);
            best = smaller(best, smaller(d[i - 1][j], d[i][j - 1]) + 1u);
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
                best = smaller(best, d[i - 2][j - 2] + 1u);
            d[i][j] = (unsigned char)best;
        }
    return d[an][bn];
}

const char *ks_near(const char *word, const char *const *names, size_t count) {
    const size_t third = strlen(word) / 3;
    size_t best = third < 1 ? 1 : third > 3 ? 3 : third;
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!names[i]) continue;
        const size_t d = distance(word, names[i]);
        if (d < best || (d == best && !found)) best = d, found = names[i];
    }
    return found;
}
