/* When an arrived composite starts. Test-only kernels of composites whose lengths are known:
 * fill and copy on the math engine take 8 + rows / 64 cycles; a gemm of 1 x 1 x 1 from and to hbm
 * takes 522 and shares no engine with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const ks_handle *column(ks_tl *tl, uint64_t rows) {
    return ks_tl_alloc(tl, rows, 1, KS_F16);
}

static void fill(ks_tl *tl, const ks_handle *out) {
    const ks_math op = {.kind = KS_OP_fill, .out = out};
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &op, .math_count = 1});
}

static void copy(ks_tl *tl, const ks_handle *from, const ks_handle *to) {
    const ks_math op = {.kind = KS_OP_copy, .out = to, .operands = {from}};
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &op, .math_count = 1});
}

/* 1 x 1 x 1 on hbm cells of its own. */
static void gemm(ks_tl *tl, uint64_t cell) {
    const uint64_t addr = 0x20000000 + cell * 3 * 4096;
    ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                        .a = ks_tl_ref(tl, addr, 1, 1, KS_F16),
                                        .b = ks_tl_ref(tl, addr + 4096, 1, 1, KS_F16),
                                        .out_addr = &(uint64_t){addr + 8192}});
}

static rig run_calls(void (*lower)(ks_tl *, const ks_point *, const ks_layout *), const char *key) {
    const ks_kernel kernel = {"calls", KS_TASK_GEMM, lower, 0};
    rig r = rig_run_kernel(&kernel, key);
    r.kernel = NULL; /* gone */
    return r;
}

/* Kernels that come in several forms take M as its number. */
static rig run_form(void (*lower)(ks_tl *, const ks_point *, const ks_layout *), unsigned form) {
    char key[32];
    snprintf(key, sizeof key, "M=%u", form);
    return run_calls(lower, key);
}

/* ---- the two readings of D6.3 ---- */

enum { A, B, C, D };

/* A long and free of hazards, B short, C reads what B writes. B: 8 + 200 cycles, so that it is in
 * flight when C arrives. */
static void long_short_reader(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_handle *x = column(tl, 200 * 64);
    gemm(tl, 0);                       /* A */
    fill(tl, x);                       /* B */
    copy(tl, x, column(tl, 200 * 64)); /* C */
}

static void under_strict_fifo_a_hazard_waits_for_everything_in_flight(void **state) {
    (void)state;
    rig r = run_calls(long_short_reader, "");
    assert_true(rig_start(&r, B) < rig_end(&r, A));        /* B runs beside A */
    assert_true(rig_dispatch_end(&r, C) < rig_end(&r, B)); /* C arrives while both are in flight */
    assert_true(rig_end(&r, B) < rig_end(&r, A));
    assert_int_equal(rig_start(&r, C), rig_end(&r, A)); /* A's completion, not B's */
    rig_close(&r);
}

static void under_rw_aware_a_hazard_waits_for_what_it_conflicts_with(void **state) {
    (void)state;
    rig r = run_calls(long_short_reader, "policy=rw_aware");
    assert_true(rig_end(&r, B) < rig_end(&r, A));
    assert_int_equal(rig_start(&r, C), rig_end(&r, B)); /* B's completion, not A's */
    rig_close(&r);
}

static void under_serial_everything_waits_for_the_one_before(void **state) {
    (void)state;
    rig r = run_calls(long_short_reader, "policy=serial");
    assert_int_equal(rig_start(&r, B), rig_end(&r, A));
    assert_int_equal(rig_start(&r, C), rig_end(&r, B));
    rig_close(&r);
}

/* ---- strict_fifo: the verdict ---- */

static void three_apart(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    gemm(tl, 0);
    fill(tl, column(tl, 64));
    gemm(tl, 1);
}

static void without_a_hazard_a_composite_starts_when_it_arrives(void **state) {
    (void)state;
    static const char *const policies[] = {"", "policy=rw_aware"};
    for (size_t i = 0; i < COUNT(policies); i++) {
        rig r = run_calls(three_apart, policies[i]);
        for (uint32_t c = A; c <= C; c++)
            assert_int_equal(rig_start(&r, c), rig_dispatch_end(&r, c));
        assert_true(rig_start(&r, C) < rig_end(&r, A));
        rig_close(&r);
    }
}

/* The copy reads from M elements behind the beginning of what the fill writes, 6400 elements. */
static void reader_beside(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)layout;
    const ks_handle *x = column(tl, 12800);
    const ks_handle *written = ks_tl_view(tl, x, 6400, 1);
    const ks_handle read = {.addr = x->addr + 2 * ks_param_of(point, KS_P_M),
                            .rows = 6400,
                            .cols = 1,
                            .space = KS_TCM,
                            .dtype = KS_F16,
                            .pinned = true,
                            .pending = KS_NO_COMMAND};
    gemm(tl, 0);
    fill(tl, written);
    copy(tl, ks_tl_view(tl, &read, 6400, 1), column(tl, 6400));
}

static void a_hazard_is_an_overlap_of_bytes(void **state) {
    (void)state;
    static const struct {
        unsigned offset;
        bool has_hazard;
    } table[] = {{0, true}, {6399, true}, {6400, false}};
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = run_form(reader_beside, table[i].offset);
        /* without a hazard C is ready at once and waits for the math engine only */
        assert_int_equal(rig_start(&r, C), table[i].has_hazard ? rig_end(&r, A) : rig_end(&r, B));
        rig_close(&r);
    }
}

static void hazards(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)layout;
    const ks_handle *x = column(tl, 6400), *y = column(tl, 6400), *z = column(tl, 6400);
    gemm(tl, 0);
    copy(tl, x, y);
    switch (ks_param_of(point, KS_P_M)) {
    case 0: copy(tl, x, z); break; /* both read x */
    case 1: copy(tl, y, z); break; /* RAW */
    case 2: copy(tl, z, x); break; /* WAR */
    case 3: copy(tl, z, y); break; /* WAW */
    }
}

static void every_kind_of_hazard_counts_and_two_reads_do_not(void **state) {
    (void)state;
    for (unsigned form = 0; form < 4; form++) {
        rig r = run_form(hazards, form);
        assert_int_equal(rig_start(&r, C), rig_end(&r, form ? A : B));
        rig_close(&r);
    }
}

/* A: long. B: short. C conflicts with B. D conflicts with A alone. When C starts, A is complete:
 * D becomes the head then, sees C only, and starts at once. Taken at arrival, the verdict would
 * hold D until C is complete. */
static void verdict_at_the_head(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_handle *x = column(tl, 200 * 64), *y = column(tl, 200 * 64);
    const ks_handle *left = ks_tl_ref(tl, 0x20000000, 1, 1, KS_F16);
    const ks_handle *right = ks_tl_ref(tl, 0x20001000, 1, 1, KS_F16);
    ks_tl_composite(tl,
                    &(ks_composite){.op = "gemm",
                                    .a = left,
                                    .b = right,
                                    .out_addr = &(uint64_t){0x20002000}}); /* A writes 0x20002000 */
    fill(tl, x);                                                           /* B */
    copy(tl, x, y);                                                        /* C */
    ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                        .a = ks_tl_ref(tl, 0x20002000, 1, 1, KS_F16),
                                        .b = right,
                                        .out_addr = &(uint64_t){0x20003000}}); /* D reads it */
}

static void the_verdict_is_taken_when_a_composite_becomes_the_head(void **state) {
    (void)state;
    rig r = run_calls(verdict_at_the_head, "");
    assert_true(rig_dispatch_end(&r, D) < rig_end(&r, A)); /* it arrives while A is in flight */
    assert_int_equal(rig_start(&r, C), rig_end(&r, A));
    assert_int_equal(rig_start(&r, D), rig_end(&r, A)); /* not C's end */
    assert_true(rig_end(&r, C) > rig_end(&r, A));
    rig_close(&r);
}

/* Under strict_fifo nothing passes the head; under rw_aware what has no hazard does. */
static void head_of_line(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_handle *x = column(tl, 300 * 64);
    fill(tl, x);                       /* A: 308 cycles */
    copy(tl, x, column(tl, 300 * 64)); /* B: hazard */
    gemm(tl, 0);                       /* C: none */
}

static void nothing_overtakes_the_head_of_a_strict_fifo(void **state) {
    (void)state;
    rig r = run_calls(head_of_line, "");
    assert_int_equal(rig_start(&r, B), rig_end(&r, A));
    assert_int_equal(rig_start(&r, C), rig_end(&r, A)); /* starts behind B, at the same instant */
    rig_close(&r);
}

static void under_rw_aware_a_composite_without_hazard_overtakes(void **state) {
    (void)state;
    rig r = run_calls(head_of_line, "policy=rw_aware");
    assert_int_equal(rig_start(&r, B), rig_end(&r, A));
    assert_int_equal(rig_start(&r, C), rig_dispatch_end(&r, C));
    assert_true(rig_start(&r, C) < rig_start(&r, B));
    rig_close(&r);
}

/* C conflicts with B, which waits for A: no earlier composite that is not complete, started or not. */
static void chain_behind_a_queued_one(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_handle *x = column(tl, 300 * 64), *y = column(tl, 64), *z = column(tl, 64);
    fill(tl, x);                           /* A */
    copy(tl, ks_tl_view(tl, x, 64, 1), y); /* B reads x */
    copy(tl, y, z);                        /* C reads y */
    fill(tl, y);                           /* D writes y */
}

static void under_rw_aware_queued_composites_count_too(void **state) {
    (void)state;
    rig r = run_calls(chain_behind_a_queued_one, "policy=rw_aware");
    assert_true(rig_dispatch_end(&r, D) < rig_end(&r, A)); /* all are queued behind A */
    assert_int_equal(rig_start(&r, B), rig_end(&r, A));
    assert_int_equal(rig_start(&r, C), rig_end(&r, B));
    assert_int_equal(rig_start(&r, D), rig_end(&r, C)); /* WAR with C */
    rig_close(&r);
}

/* ---- the queue ---- */

static void three_gemms(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    for (uint64_t i = 0; i < 3; i++) gemm(tl, i);
}

/* A dispatch is 42.125 cycles, a gemm 522. */
static void a_full_queue_stalls_until_a_completion_frees_a_place(void **state) {
    (void)state;
    static const struct {
        const char *key;
        struct {
            const char *start, *end; /* NULL: no STALL */
        } stalls[3];
        const char *starts[3];
        const char *stall_cycles;
    } table[] = {
        {"queue_depth=1",
         {{NULL, NULL}, {"84.25", "564.125"}, {"606.25", "1086.125"}},
         {"42.125", "564.125", "1086.125"},
         "959.75"},
        {"queue_depth=2",
         {{NULL, NULL}, {NULL, NULL}, {"126.375", "564.125"}},
         {"42.125", "84.25", "564.125"},
         "437.75"},
        {"queue_depth=3",
         {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}},
         {"42.125", "84.25", "126.375"},
         "0"},
        {"queue_depth=922337203685477",
         {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}},
         {"42.125", "84.25", "126.375"},
         "0"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = run_calls(three_gemms, table[i].key);
        for (uint32_t c = 0; c < 3; c++) {
            const ks_op_row *stall = rig_cpu_row(&r, KS_ROW_STALL, c, 0);
            assert_int_equal(stall != NULL, table[i].stalls[c].start != NULL);
            if (stall) {
                rig_expect_cycles(stall->start, table[i].stalls[c].start);
                rig_expect_cycles(stall->end, table[i].stalls[c].end);
                assert_int_equal(stall->stage, KS_CPU_STAGE);
                assert_null(stall->op);
            }
            rig_expect_cycles(rig_start(&r, c), table[i].starts[c]);
        }
        rig_expect_cycles(r.timeline.stall_ticks, table[i].stall_cycles);
        rig_close(&r);
    }
}

/* A place is held from arrival, not from the start: B waits for A, and still C stalls. */
static void a_queued_composite_holds_its_place(void **state) {
    (void)state;
    rig r = run_calls(head_of_line, "queue_depth=2");
    const ks_op_row *stall = rig_cpu_row(&r, KS_ROW_STALL, C, 0);
    assert_non_null(stall);
    assert_int_equal(stall->start, rig_dispatch_end(&r, C));
    assert_int_equal(stall->end, rig_end(&r, A));
    rig_close(&r);
}

static void primitives_beside(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    gemm(tl, 0);
    ks_tl_fill(tl, column(tl, 64), 0);
    ks_tl_fill(tl, column(tl, 64), 0);
}

static void primitives_take_no_place_in_the_queue(void **state) {
    (void)state;
    rig r = run_calls(primitives_beside, "queue_depth=1");
    assert_int_equal(rig_count(&r, KS_ROW_STALL), 0);
    for (uint32_t c = B; c <= C; c++) assert_int_equal(rig_start(&r, c), rig_dispatch_end(&r, c));
    assert_true(rig_end(&r, C) < rig_end(&r, A));
    rig_close(&r);
}

/* In flight are composites only: a running primitive does not hold a head that has a hazard. */
static void primitive_in_flight(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    const ks_handle *x = column(tl, 100 * 64);
    ks_tl_store(tl, column(tl, 64000), 0x20000000); /* A: 2000 + 250 cycles on dma_wr */
    fill(tl, x);                                    /* B */
    copy(tl, x, column(tl, 100 * 64));              /* C */
}

static void a_primitive_is_no_composite_in_flight(void **state) {
    (void)state;
    rig r = run_calls(primitive_in_flight, "");
    assert_true(rig_end(&r, A) > rig_end(&r, C));
    assert_int_equal(rig_start(&r, C), rig_end(&r, B));
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_strict_fifo_a_hazard_waits_for_everything_in_flight),
        cmocka_unit_test(under_rw_aware_a_hazard_waits_for_what_it_conflicts_with),
        cmocka_unit_test(under_serial_everything_waits_for_the_one_before),
        cmocka_unit_test(without_a_hazard_a_composite_starts_when_it_arrives),
        cmocka_unit_test(a_hazard_is_an_overlap_of_bytes),
        cmocka_unit_test(every_kind_of_hazard_counts_and_two_reads_do_not),
        cmocka_unit_test(the_verdict_is_taken_when_a_composite_becomes_the_head),
        cmocka_unit_test(nothing_overtakes_the_head_of_a_strict_fifo),
        cmocka_unit_test(under_rw_aware_a_composite_without_hazard_overtakes),
        cmocka_unit_test(under_rw_aware_queued_composites_count_too),
        cmocka_unit_test(a_full_queue_stalls_until_a_completion_frees_a_place),
        cmocka_unit_test(a_queued_composite_holds_its_place),
        cmocka_unit_test(primitives_take_no_place_in_the_queue),
        cmocka_unit_test(a_primitive_is_no_composite_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
