/* The ADR's example call: softmax_merge as the prologue of P V, added onto O. */
#ifndef KS_TEST_ADR_MERGE_BENCH_H
#define KS_TEST_ADR_MERGE_BENCH_H

#include "host/host.h"

typedef struct merge_bench {
    ks_arena *arena;
    ks_tl *tl;
    const ks_handle *s, *m, *l, *o, *v;
    ks_lowering *lowering;
} merge_bench;

static inline merge_bench merge_bench_open(void) {
    enum { G = 8, TILE = 64, HEAD = 128 };
    merge_bench b = {.arena = ks_arena_new(1 << 16)};
    b.tl = ks_tl_new(b.arena, 1 << 20, KS_F32);
    b.lowering = ks_arena_take(b.arena, 1, sizeof *b.lowering);
    b.s = ks_tl_alloc(b.tl, G, TILE, KS_F16);
    b.m = ks_tl_alloc(b.tl, G, 1, KS_F32);
    b.l = ks_tl_alloc(b.tl, G, 1, KS_F32);
    b.o = ks_tl_alloc(b.tl, G, HEAD, KS_F32);
    b.v = ks_tl_ref(b.tl, 0x20000000, TILE, HEAD, KS_F16);
    return b;
}

/* The ADR's call, with whatever else the test puts in. */
static inline void merge_bench_call(merge_bench *b, ks_composite composite) {
    const ks_call merge = {.op = "softmax_merge",
                           .operand_count = 4,
                           .operands = {{"s", b->s}, {"m", b->m}, {"l", b->l}, {"O", b->o}}};
    const ks_call add = {.op = "add",
                         .scope = KS_SCOPE_OUTPUT_TILE,
                         .operand_count = 1,
                         .operands = {{"other", b->o}}};
    composite.prologue = &merge;
    composite.prologue_count = 1;
    composite.op = "gemm";
    composite.b = b->v;
    composite.out = b->o;
    if (!composite.epilogue) composite.epilogue = &add, composite.epilogue_count = 1;
    ks_tl_composite(b->tl, &composite);
    ks_tl_finish(b->tl, b->lowering);
}

static inline void merge_bench_close(merge_bench *b) { ks_arena_free(b->arena); }

#endif
