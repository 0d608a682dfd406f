#include "study/filter.h"

#include <math.h>
#include <stdlib.h>

typedef struct spot {
    double value;
    bool passes;
} spot;

static int compare(const void *left, const void *right) {
    const spot *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* Equal values are one step of both functions. */
static double distance(const spot *spots, size_t count, double passed, double failed) {
    double below_passed = 0, below_failed = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        below_passed += spots[i].passes;
        below_failed += !spots[i].passes;
        if (i + 1 < count && spots[i + 1].value == spots[i].value) continue;
        const double gap = fabs(below_passed / passed - below_failed / failed);
        if (gap > largest) largest = gap;
    }
    return largest;
}

ks_status ks_filter(const double *values, const bool *passes, size_t count, ks_filter_result *out) {
    static const double AT_5_PERCENT = 1.3581; /* sqrt(-ln(0.05 / 2) / 2) */
    *out = (ks_filter_result){0};
    spot *spots = malloc((count + 1) * sizeof *spots);
    if (!spots) return KS_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        spots[i] = (spot){values[i], passes[i]};
        out->passed += passes[i];
    }
    out->failed = count - out->passed;
    if (out->passed && out->failed) {
        const double passed = (double)out->passed, failed = (double)out->failed;
        qsort(spots, count, sizeof *spots, compare);
        out->distance = distance(spots, count, passed, failed);
        out->critical = AT_5_PERCENT * sqrt((passed + failed) / (passed * failed));
    }
    free(spots);
    return KS_OK;
}
