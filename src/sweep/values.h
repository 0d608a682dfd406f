/* The values of one name in a sweep file: `[16, 64]`, `16`, `{range: [10, 80, 10]}`, ... */
#ifndef KS_SWEEP_VALUES_H
#define KS_SWEEP_VALUES_H

#include "sweep/name.h"
#include "sweep/tree.h"

enum { KS_VALUES_MAX = 1000000, KS_LOGSPACE_MAX = 1000 };

typedef struct ks_values {
    const uint64_t *items; /* owned by the arena */
    uint32_t count;        /* at least 1 */
} ks_values;

KS_CHECKED ks_status ks_values_read(const ks_tree *node, ks_name name,
                                    const ks_kernel_table *kernels, ks_arena *arena, ks_values *out,
                                    ks_error *error);

#endif
