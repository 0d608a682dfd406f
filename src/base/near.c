#include "base/near.h"

#include <string.h>

enum { LONGEST = 63 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Levenshtein distance with swaps of neighbours counted as two edits. */
static size_t distance(const char *a, const char *b) {
    const size_t an = strlen(a), bn = strlen(b);
    if (an > LONGEST || bn > LONGEST) return LONGEST;
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= bn; j++) row[j] = j;
    for (size_t i = 1; i <= an; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= bn; j++) {
            const size_t above = row[j];
            size_t best = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[bn];
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
