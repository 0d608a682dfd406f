/* The mathematical problem that a kernel solves, and where its tensors lie in HBM. Host, data
 * mode and reports agree on it; how a kernel gets there is its own affair. */
#ifndef KS_CONTRACT_TASK_H
#define KS_CONTRACT_TASK_H

#include "base/status.h"
#include "contract/handle.h"
#include "contract/point.h"

typedef enum ks_task {
    KS_TASK_ATTENTION, /* OUT = softmax(Q K^T / sqrt(d)) V */
    KS_TASK_GEMM,      /* OUT = A B */
    KS_TASK_GEMM_BIAS_RELU,
    KS_TASK_GEMM_KTILE_SCALE,
    KS_TASK_GEMM_CHAIN,
    KS_TASK_GEMM_POSTNORM,
    KS_TASK_MATH_CHAIN,
    KS_TASK_RMSNORM_LINEAR,
    KS_TASK_COUNT
} ks_task;

enum { KS_MAX_TENSORS = 4 };

typedef struct ks_tensor {
    const char *name; /* "Q", "A", "OUT", ... */
    bool is_output;
    uint64_t addr; /* in HBM */
    uint64_t rows, cols;
    ks_dtype dtype; /* the point's dtype; of OUT ks_dtype_wide of it */
    float scale; /* what is stored times this is meant: a power of two, 1 but for 8-bit formats */
} ks_tensor;

/* In HBM order: each 4 KiB aligned from 0x10000000. */
typedef struct ks_layout {
    uint32_t count;
    ks_tensor tensors[KS_MAX_TENSORS];
    uint64_t end;    /* first byte after the last tensor... */
    bool is_too_far; /* ...or, when a tensor ends past 2^48, the end of the first such one */
} ks_layout;

#define KS_HBM_BASE UINT64_C(0x10000000)
#define KS_HBM_LIMIT (UINT64_C(1) << 48)

/* Shapes that the task takes, as a bit mask over ks_param (1 << KS_P_G, ...). */
uint32_t ks_task_shapes(ks_task task);
ks_layout ks_task_layout(ks_task task, const ks_point *point);
const ks_tensor *ks_layout_find(const ks_layout *layout, const char *name); /* NULL: none */

#endif
