/* One point of a sweep: a kernel, a shape, number formats, a policy, a calibration. */
#ifndef KS_CONTRACT_POINT_H
#define KS_CONTRACT_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/calibration.h"
#include "contract/dtype.h"

/* What values a parameter takes. */
typedef enum ks_param_class {
    KS_PARAM_KERNEL,     /* index in the kernel table in use */
    KS_PARAM_SHAPE,      /* integer from 1 to 2^30; no default */
    KS_PARAM_DTYPE,      /* ks_dtype */
    KS_PARAM_WIDE_DTYPE, /* ks_dtype below KS_WIDE_DTYPE_COUNT */
    KS_PARAM_POLICY,     /* ks_policy */
    KS_PARAM_COUNT_1_2,
    KS_PARAM_FLAG, /* 0 or 1 */
    KS_PARAM_DIST, /* ks_dist */
    KS_PARAM_SEED  /* 0 to 2^64 - 1 */
} ks_param_class;

/* X(name, class, default as text, meaning). KEY order. score's default is the point's dtype (f16
 * where that has 8 bits), p_dtype's its score. */
#define KS_PARAM_MAP(X)                                                             \
    X(kernel, KERNEL, "", "kernel or bench that is lowered")                        \
    X(G, SHAPE, "", "query heads per KV head")                                      \
    X(TILE, SHAPE, "", "KV tile length")                                            \
    X(d, SHAPE, "", "head dimension")                                               \
    X(S, SHAPE, "", "context length")                                               \
    X(M, SHAPE, "", "rows of a bench's output")                                     \
    X(K, SHAPE, "", "inner dimension of a bench")                                   \
    X(N, SHAPE, "", "columns of a bench's output")                                  \
    X(dtype, DTYPE, "f16", "format of Q, K, V, OUT; of a bench's operands")         \
    X(score, WIDE_DTYPE, "dtype", "format of the scores S")                         \
    X(acc, WIDE_DTYPE, "f32", "format of m, l, O and the softmax scratch")          \
    X(p_dtype, WIDE_DTYPE, "score", "format of the probabilities P")                \
    X(policy, POLICY, "strict_fifo", "when composites may start")                   \
    X(s_buffers, COUNT_1_2, "2", "TCM buffers of S")                                \
    X(stream_in_prologue, FLAG, "0", "1: DMA reads need not wait for the prologue") \
    X(dist, DIST, "normal", "distribution of the inputs")                           \
    X(seed, SEED, "1", "seed of the inputs")

typedef enum ks_param {
#define X(name, class, text, about) KS_P_##name,
    KS_PARAM_MAP(X)
#undef X
        KS_PARAM_COUNT
} ks_param;

typedef struct ks_param_info {
    const char *name;
    ks_param_class value_class;
    const char *default_text; /* "" for none */
    const char *about;
} ks_param_info;

const ks_param_info *ks_param_describe(ks_param param);

#define KS_SHAPE_MAX (UINT64_C(1) << 30)

/* rw_aware is alternative A4 of ADR-0065, serial the plainest machine. */
#define KS_POLICY_MAP(X) X(strict_fifo) X(rw_aware) X(serial)
typedef enum ks_policy {
#define X(name) KS_POLICY_##name,
    KS_POLICY_MAP(X)
#undef X
        KS_POLICY_COUNT
} ks_policy;
const char *ks_policy_name(ks_policy policy);

#define KS_DIST_MAP(X) X(normal) X(outlier) X(uniform) X(large)
typedef enum ks_dist {
#define X(name) KS_DIST_##name,
    KS_DIST_MAP(X)
#undef X
        KS_DIST_COUNT
} ks_dist;
const char *ks_dist_name(ks_dist dist);

/* Every parameter has its value; a shape that the kernel does not take is 0. */
typedef struct ks_point {
    uint64_t params[KS_PARAM_COUNT];
    ks_calibration calibration;
} ks_point;

static inline uint64_t ks_param_of(const ks_point *p, ks_param id) { return p->params[id]; }

/* A point with MODEL.md's defaults; kernel and shapes 0, score = p_dtype = dtype. */
ks_point ks_point_default(void);

#endif
