/* The inside of ks_numbers, for data mode's own files. */
#ifndef KS_DATA_NUMBERS_H
#define KS_DATA_NUMBERS_H

#include "base/arena.h"
#include "data/data.h"

struct ks_numbers {
    ks_numbers_key key;
    ks_layout layout;
    ks_arena *arena; /* owns what follows */
    uint64_t held_bytes;
    uint32_t out; /* OUT's place in the layout */
    uint64_t out_count;
    void *inputs[KS_MAX_TENSORS]; /* raw, in dtype */
    double *reference, *reference_full;
    double *magnitude; /* benches only */
    double plain_max_abs_err;
};

#endif
