/* One operation: what an engine does, on which operands, how often. */
#ifndef KS_CONTRACT_OP_H
#define KS_CONTRACT_OP_H

#include "contract/handle.h"

/* Which factor of the MATH engine's time an op's elements carry (MODEL.md section 7). */
typedef enum ks_weight { KS_WEIGHT_ONE, KS_WEIGHT_EXP, KS_WEIGHT_DIV } ks_weight;

/* X(name, engine it runs on, weight). rmsnorm is the post-loop form: it works in place on the
 * composite's output. */
#define KS_OP_MAP(X)         \
    X(gemm, GEMM, ONE)       \
    X(load, DMA_RD, ONE)     \
    X(store, DMA_WR, ONE)    \
    X(fill, MATH, ONE)       \
    X(scale, MATH, ONE)      \
    X(relu, MATH, ONE)       \
    X(add, MATH, ONE)        \
    X(cast, MATH, ONE)       \
    X(copy, MATH, ONE)       \
    X(rmax, MATH, ONE)       \
    X(max_elem, MATH, ONE)   \
    X(exp_diff, MATH, EXP)   \
    X(rsum, MATH, ONE)       \
    X(fma, MATH, ONE)        \
    X(mul_bcast, MATH, ONE)  \
    X(mul_elem, MATH, ONE)   \
    X(div_bcast, MATH, DIV)  \
    X(rsumsq, MATH, ONE)     \
    X(rsqrt_mean, MATH, DIV) \
    X(rmsnorm, MATH, DIV)

typedef enum ks_op_kind {
#define X(name, engine, weight) KS_OP_##name,
    KS_OP_MAP(X)
#undef X
        KS_OP_COUNT
} ks_op_kind;

/* Servers of the timeline; CPU is the PE_CPU. Order = order of the op_log's documentation. */
#define KS_SERVER_MAP(X) \
    X(CPU, cpu)          \
    X(DMA_RD, dma_rd)    \
    X(DMA_WR, dma_wr)    \
    X(FETCH, fetch)      \
    X(STORE, store)      \
    X(GEMM, gemm)        \
    X(MATH, math)

typedef enum ks_server {
#define X(id, name) KS_SERVER_##id,
    KS_SERVER_MAP(X)
#undef X
        KS_SERVER_COUNT
} ks_server;

const char *ks_server_name(ks_server server);

const char *ks_op_name(ks_op_kind kind);
ks_server ks_op_engine(ks_op_kind kind);
ks_weight ks_op_weight(ks_op_kind kind);

typedef enum ks_scope { KS_SCOPE_KERNEL, KS_SCOPE_K_TILE, KS_SCOPE_OUTPUT_TILE } ks_scope;

enum { KS_MAX_OPERANDS = 4 };

typedef struct ks_operand {
    const char *name; /* "a", "b", "other", ...: static text */
    const ks_handle *handle;
} ks_operand;

/* Reductions run along each row (reduce_axis -1); broadcasting follows the operands' shapes:
 * an operand with one row or one column repeats. */
typedef struct ks_op {
    ks_op_kind kind;
    ks_scope scope;
    uint32_t operand_count;
    ks_operand operands[KS_MAX_OPERANDS];
    const ks_handle *out; /* NULL: none */
    uint64_t m, k, n;     /* gemm: out is m x n, the sum over k */
    bool is_b_transposed; /* gemm: b is stored n x k */
    float
        immediate; /* fill: the value; scale, div_bcast: the factor; rsqrt_mean, rmsnorm: the count */
} ks_op;

/* 16 + 6 x (named operands + 1 if out is set), with the calibration's two constants. */
static inline uint64_t ks_op_logical_bytes(const ks_op *op, uint64_t header, uint64_t operand) {
    return header + operand * (op->operand_count + (op->out ? 1 : 0));
}

/* Elements that a MATH op works on: those of its largest operand or output. */
uint64_t ks_op_elements(const ks_op *op);

#endif
