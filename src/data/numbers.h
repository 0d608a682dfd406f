/* The inside of ks_numbers, for data mode's own files. */
#ifndef KS_DATA_NUMBERS_H
#define KS_DATA_NUMBERS_H

#include <pthread.h>

#include "base/arena.h"
#include "data/isa.h"

struct ks_numbers {
    ks_numbers_key key;
    ks_layout layout;
    const ks_isa *isa;
    ks_arena *arena; /* owns what follows */
    uint64_t held_bytes;
    uint32_t out; /* OUT's place in the layout */
    uint64_t out_count;
    void *inputs[KS_MAX_TENSORS]; /* raw, in dtype */
    double *reference, *reference_full;
    double *magnitude; /* benches only */

    /* Attention only, filled in when it is asked for. */
    pthread_mutex_t plain_lock;
    bool has_plain[KS_DTYPE_COUNT][KS_DTYPE_COUNT]; /* by score, p_dtype */
    double plain_max_abs_err[KS_DTYPE_COUNT][KS_DTYPE_COUNT];
};

/* `count` elements of the input at layout->tensors[tensor], from `first` on: what HBM holds, times
 * the tensor's scale. */
void ks_numbers_take(const ks_numbers *numbers, uint32_t tensor, uint64_t first, uint64_t count,
                     float *values);

#endif
