/* The tensors that tests of composites name. */
#ifndef KS_TEST_HOST_COMPOSITE_TENSORS_H
#define KS_TEST_HOST_COMPOSITE_TENSORS_H

#include "host_bench.h"

typedef enum name {
    NONE,
    A,
    A_HBM,
    B,
    B_TURNED,
    B_LONG,
    B_HBM,
    OUT,
    OUT_HBM,
    OUT_TALL,
    OUT_WIDE,
    ROW,
    COLUMN,
    WHOLE,
    ROW_HBM,
    MISFIT,
    S,
    M,
    L,
    NAME_COUNT
} name;

/* A 4 x 6, B 6 x 8, OUT 4 x 8. S 4 x 6 (P is then 4 x 6), M and L 4 x 1; O is OUT. */
static inline void make_tensors(host_bench *b, const ks_handle *t[NAME_COUNT]) {
    t[NONE] = NULL;
    t[A] = ks_tl_alloc(b->tl, 4, 6, KS_BF16);
    t[A_HBM] = hbm(b, 4, 6);
    t[B] = tcm(b, 6, 8);
    t[B_TURNED] = tcm(b, 8, 6);
    t[B_LONG] = tcm(b, 7, 8);
    t[B_HBM] = hbm(b, 6, 8);
    t[OUT] = tcm(b, 4, 8);
    t[OUT_HBM] = hbm(b, 4, 8);
    t[OUT_TALL] = tcm(b, 5, 8);
    t[OUT_WIDE] = tcm(b, 4, 9);
    t[ROW] = tcm(b, 1, 8);
    t[COLUMN] = tcm(b, 4, 1);
    t[WHOLE] = tcm(b, 4, 8);
    t[ROW_HBM] = hbm(b, 1, 8);
    t[MISFIT] = tcm(b, 1, 4);
    t[S] = tcm(b, 4, 6);
    t[M] = tcm(b, 4, 1);
    t[L] = tcm(b, 4, 1);
}

static inline ks_call merge_of(const ks_handle *const t[NAME_COUNT]) {
    return (ks_call){.op = "softmax_merge",
                     .operand_count = 4,
                     .operands = {{"s", t[S]}, {"m", t[M]}, {"l", t[L]}, {"O", t[OUT]}}};
}

#endif
