/* A TLContext on its own, and what its calls became. */
#ifndef KS_TEST_HOST_BENCH_H
#define KS_TEST_HOST_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/host.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct host_bench {
    ks_arena *arena;
    ks_tl *tl;
    uint64_t next_hbm; /* each tensor gets a MiB of its own */
    ks_lowering *lowering;
} host_bench;

static inline host_bench bench_open_with(uint64_t tcm_bytes, ks_dtype acc) {
    host_bench b = {.arena = ks_arena_new(1 << 16), .next_hbm = 0x10000000};
    b.tl = ks_tl_new(b.arena, tcm_bytes, acc);
    b.lowering = ks_arena_take(b.arena, 1, sizeof *b.lowering);
    assert_non_null(b.tl);
    assert_non_null(b.lowering);
    return b;
}

static inline host_bench bench_open(void) { return bench_open_with(1 << 20, KS_F32); }

static inline void bench_close(host_bench *b) { ks_arena_free(b->arena); }

/* f16 tensors. */
static inline const ks_handle *tcm(host_bench *b, uint64_t rows, uint64_t cols) {
    return ks_tl_alloc(b->tl, rows, cols, KS_F16);
}

static inline const ks_handle *hbm(host_bench *b, uint64_t rows, uint64_t cols) {
    b->next_hbm += 1 << 20;
    return ks_tl_ref(b->tl, b->next_hbm, rows, cols, KS_F16);
}

static inline const ks_program *bench_finish(host_bench *b) {
    ks_tl_finish(b->tl, b->lowering);
    if (b->lowering->verdict == KS_LOWERING_REFUSED)
        print_error("refused: %s\n", b->lowering->error.text);
    assert_int_equal(b->lowering->verdict, KS_LOWERED);
    return &b->lowering->program;
}

/* The last call was refused with this message, whole. */
static inline void expect_refusal(host_bench *b, const char *message) {
    ks_tl_finish(b->tl, b->lowering);
    assert_string_equal(b->lowering->error.text, message);
    assert_int_equal(b->lowering->verdict, KS_LOWERING_REFUSED);
    assert_true(ks_tl_has_failed(b->tl));
}

#endif
