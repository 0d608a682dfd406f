/* The vocabulary in which the device's timeline is told (MODEL.md section 8). */
#ifndef KS_CONTRACT_STAGE_H
#define KS_CONTRACT_STAGE_H

#include <stdint.h>

#define KS_ROW_KIND_MAP(X) \
    X(DISPATCH) X(STALL) X(WAIT) X(DMA_READ) X(FETCH) X(GEMM) X(MATH) X(STORE) X(DMA_WRITE)
typedef enum ks_row_kind {
#define X(name) KS_ROW_##name,
    KS_ROW_KIND_MAP(X)
#undef X
        KS_ROW_KIND_COUNT
} ks_row_kind;
const char *ks_row_kind_name(ks_row_kind kind);

/* dma: load and store primitives; prim: other primitives; single: op of a MATH-only composite. */
#define KS_PHASE_MAP(X) \
    X(dispatch) X(wait) X(stall) X(dma) X(prim) X(pre) X(loop) X(ktile) X(otile) X(post) X(single)
typedef enum ks_phase {
#define X(name) KS_PHASE_##name,
    KS_PHASE_MAP(X)
#undef X
        KS_PHASE_COUNT
} ks_phase;
const char *ks_phase_name(ks_phase phase);

#define KS_NO_INDEX UINT64_MAX
#define KS_CPU_STAGE INT64_C(-1) /* the stage number of PE_CPU rows */

/* Where the critical path's time goes, in the order in which ties are broken. */
#define KS_RESOURCE_MAP(X) X(cpu) X(dma_rd) X(dma_wr) X(dma_lat) X(fetch) X(store) X(gemm) X(math)
typedef enum ks_resource {
#define X(name) KS_RESOURCE_##name,
    KS_RESOURCE_MAP(X)
#undef X
        KS_RESOURCE_COUNT
} ks_resource;
const char *ks_resource_name(ks_resource resource);

#endif
