/* Tensors as the host names them and the device finds them. */
#ifndef KS_CONTRACT_HANDLE_H
#define KS_CONTRACT_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/dtype.h"

/* Memories that an op_log row can name (MODEL.md section 8). Handles live in the first two. */
typedef enum ks_space {
    KS_HBM,
    KS_TCM,
    KS_STG, /* staging buffers of a composite: tiles that were streamed in */
    KS_OPB, /* operand buffers: both tiles of a GEMM step */
    KS_ACC, /* accumulators, f32 */
    KS_WST, /* write staging: what STORE leaves for DMA_WRITE */
    KS_SPACE_COUNT
} ks_space;

const char *ks_space_name(ks_space space); /* "hbm", "tcm", "stg", "opb", "acc", "wst" */

#define KS_NO_COMMAND UINT32_MAX

/* A rows x cols matrix, row-major, row stride = cols; a vector is rows x 1. */
typedef struct ks_handle {
    uint32_t id;
    uint32_t pending; /* the command that produces it, or KS_NO_COMMAND */
    uint64_t addr;    /* byte address in its space, below 2^48 */
    uint64_t rows, cols;
    ks_space space; /* KS_HBM or KS_TCM */
    ks_dtype dtype;
    bool pinned; /* stays in TCM: never streamed. Every tcm handle is, no hbm handle is. */
} ks_handle;

static inline uint64_t ks_handle_elements(const ks_handle *h) { return h->rows * h->cols; }
static inline uint64_t ks_handle_bytes(const ks_handle *h) {
    return h->rows * h->cols * ks_dtype_bytes(h->dtype);
}

/* Bytes [addr, addr + bytes) of one memory. */
typedef struct ks_range {
    ks_space space;
    uint64_t addr;
    uint64_t bytes;
} ks_range;

static inline ks_range ks_handle_range(const ks_handle *h) {
    return (ks_range){h->space, h->addr, ks_handle_bytes(h)};
}

static inline bool ks_range_overlaps(const ks_range *a, const ks_range *b) {
    return a->space == b->space && a->addr < b->addr + b->bytes && b->addr < a->addr + a->bytes;
}

#endif
