/* The lazy auto-await: which commands wait for which, and in what order. */
#include "host/recipe.h"
#include "host_bench.h"

#include <stdio.h>
#include <string.h>

/* Instructions as text: "D0 D1 W0 D2 | W0 W1 W2", the kernel's end behind the bar. */
static const char *instructions(host_bench *b) {
    const ks_program *program = bench_finish(b);
    enum { LONGEST = 512 };
    char *found = ks_arena_take(b->arena, LONGEST, 1);
    size_t at = 0;
    const size_t end = program->instruction_count - program->command_count;
    for (size_t i = 0; i < program->instruction_count; i++) {
        const ks_instruction *in = &program->instructions[i];
        at += (size_t)snprintf(found + at, LONGEST - at, "%s%s%c%u", i ? " " : "",
                               i == end ? "| " : "", in->kind == KS_DISPATCH ? 'D' : 'W',
                               in->command);
        assert_true(at < LONGEST);
    }
    return found;
}

static void expect_instructions(host_bench *b, const char *expected) {
    assert_string_equal(instructions(b), expected);
}

static void copy(host_bench *b, const ks_handle *from, const ks_handle *to) {
    ks_tl_math(b->tl, &(ks_math){.kind = KS_OP_copy, .out = to, .operands = {from}});
}

static void composite_copy(host_bench *b, const ks_handle *from, const ks_handle *to) {
    const ks_math math = {.kind = KS_OP_copy, .out = to, .operands = {from}};
    ks_tl_composite(b->tl, &(ks_composite){.op = "math", .math = &math, .math_count = 1});
}

/* ---- every pair of command kinds ---- */

/* Each works on the bytes [X, X + 32): reads or writes them, and nothing else that another touches. */
typedef struct shared {
    host_bench b;
    const ks_handle *x;      /* 4 x 4, scratch of a closed scope: the next allocation lies on it */
    const ks_handle *square; /* 4 x 4, read only */
} shared;

static void load_writes(shared *s) {
    ks_tl_scope_begin(s->b.tl);
    assert_int_equal(ks_tl_load(s->b.tl, s->b.next_hbm += 4096, 4, 4, KS_F16)->addr, s->x->addr);
    ks_tl_scope_end(s->b.tl);
}

static void store_reads(shared *s) { ks_tl_store(s->b.tl, s->x, s->b.next_hbm += 4096); }

static void math_writes(shared *s) { ks_tl_fill(s->b.tl, s->x, 0); }

/* Behind x, where nothing else is. */
static const ks_handle *beside(shared *s) {
    tcm(&s->b, 4, 4);
    return tcm(&s->b, 4, 4);
}

static void math_reads(shared *s) {
    ks_tl_scope_begin(s->b.tl);
    tcm(&s->b, 4, 4);
    copy(&s->b, s->x, beside(s));
    ks_tl_scope_end(s->b.tl);
}

static void dot_reads(shared *s) {
    ks_tl_scope_begin(s->b.tl);
    tcm(&s->b, 4, 4);
    ks_tl_dot(s->b.tl, s->x, s->square);
    ks_tl_scope_end(s->b.tl);
}

static void dot_writes(shared *s) {
    ks_tl_scope_begin(s->b.tl);
    assert_int_equal(ks_tl_dot(s->b.tl, s->square, s->square)->addr, s->x->addr);
    ks_tl_scope_end(s->b.tl);
}

static void composite_reads(shared *s) {
    ks_tl_scope_begin(s->b.tl);
    beside(s);
    tcm(&s->b, 4, 4);
    composite_copy(&s->b, s->x, tcm(&s->b, 4, 4));
    ks_tl_scope_end(s->b.tl);
}

static void composite_writes(shared *s) {
    const ks_math fill = {.kind = KS_OP_fill, .out = s->x};
    ks_tl_composite(s->b.tl, &(ks_composite){.op = "math", .math = &fill, .math_count = 1});
}

static void gemm_composite_reads(shared *s) {
    ks_tl_composite(s->b.tl, &(ks_composite){.op = "gemm",
                                             .a = s->x,
                                             .b = s->square,
                                             .out_addr = &(uint64_t){s->b.next_hbm += 4096}});
}

static void gemm_composite_writes(shared *s) {
    ks_tl_composite(s->b.tl,
                    &(ks_composite){.op = "gemm", .a = s->square, .b = s->square, .out = s->x});
}

static void waits_are_emitted_for_each_pair_of_kinds_that_needs_one(void **state) {
    (void)state;
    static void (*const acts[])(shared *) = {
        load_writes,          store_reads,      math_writes,
        math_reads,           dot_reads,        dot_writes,
        composite_reads,      composite_writes, gemm_composite_reads,
        gemm_composite_writes};
    /* W: the later command (column) waits for the earlier one (row). */
    static const char *const table[] = {
        /*                        load store fill copy dot  dot  comp comp gemm gemm
                                    w    r    w    r    r    w    r    w    r    w  */
        /* load writes       */ ".WWWWWWWWW", /* RAW, WAW; two loads: one server */
        /* store reads       */ "W.W..W.W.W", /* WAR */
        /* fill writes       */ "WW..WWWWWW",
        /* copy reads        */ "W....W.W.W",
        /* dot reads         */ "W.W....W.W",
        /* dot writes        */ "WWWW..WWWW",
        /* composite reads   */ "W.W..W....",
        /* composite writes  */ "WWWWWW....", /* the scheduler's hazard rule does the rest */
        /* gemm reads        */ "W.W..W....",
        /* gemm writes       */ "WWWWWW....",
    };
    for (size_t e = 0; e < COUNT(acts); e++)
        for (size_t l = 0; l < COUNT(acts); l++) {
            shared s = {.b = bench_open()};
            s.square = tcm(&s.b, 4, 4);
            ks_tl_scope_begin(s.b.tl);
            s.x = tcm(&s.b, 4, 4);
            ks_tl_scope_end(s.b.tl);
            acts[e](&s);
            acts[l](&s);
            const char *found = instructions(&s.b);
            const char *expected = table[e][l] == 'W' ? "D0 W0 D1 | W0 W1" : "D0 D1 | W0 W1";
            if (strcmp(found, expected) != 0) print_error("earlier %zu, later %zu\n", e, l);
            assert_string_equal(found, expected);
            bench_close(&s.b);
        }
}

/* Through HBM too: what a store writes, a load reads. */
static void a_load_of_what_a_store_wrote_waits_for_it(void **state) {
    (void)state;
    static const struct {
        uint64_t store_addr, load_addr;
        const char *instructions;
    } table[] = {
        {0x10000, 0x10000, "D0 W0 D1 | W0 W1"},
        {0x10000, 0x1001e, "D0 W0 D1 | W0 W1"}, /* the last of 32 bytes */
        {0x10000, 0x10020, "D0 D1 | W0 W1"},
        {0x10020, 0x10002, "D0 W0 D1 | W0 W1"}, /* the first */
        {0x10020, 0x10000, "D0 D1 | W0 W1"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        ks_tl_store(b.tl, tcm(&b, 4, 4), table[i].store_addr);
        ks_tl_load(b.tl, table[i].load_addr, 4, 4, KS_F16);
        expect_instructions(&b, table[i].instructions);
        bench_close(&b);
    }
}

/* ---- several ---- */

static void several_waits_stand_in_issue_order(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *z = tcm(&b, 4, 4), *y = tcm(&b, 4, 4);
    const ks_handle *a = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16); /* 0: dma_rd */
    composite_copy(&b, z, y);                                     /* 1: composite */
    ks_tl_dot(b.tl, z, z);                                        /* 2: gemm, not needed below */
    const ks_handle *c = ks_tl_load(b.tl, 0x20000, 4, 4, KS_F16); /* 3: dma_rd */
    ks_tl_fill(b.tl, z, 0); /* 4: math writes what 1 and 2 read: waits for both */
    ks_tl_math(b.tl, &(ks_math){.kind = KS_OP_fma, .out = z, .operands = {c, y, a}}); /* 5 */
    expect_instructions(&b, "D0 D1 D2 D3 W1 W2 D4 W0 W3 D5 | W0 W1 W2 W3 W4 W5");
    bench_close(&b);
}

static void a_command_is_waited_for_once(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16);
    const ks_handle *y = tcm(&b, 4, 4);
    copy(&b, x, y);
    copy(&b, x, y);
    ks_tl_dot(b.tl, x, x);
    expect_instructions(&b, "D0 W0 D1 D2 D3 | W0 W1 W2 W3");
    bench_close(&b);
}

static void waiting_for_one_load_leaves_a_later_one_to_wait_for(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16);
    const ks_handle *y = ks_tl_load(b.tl, 0x20000, 4, 4, KS_F16);
    const ks_handle *z = tcm(&b, 4, 4);
    copy(&b, x, z);
    copy(&b, y, z);
    expect_instructions(&b, "D0 D1 W0 D2 W1 D3 | W0 W1 W2 W3");
    bench_close(&b);
}

/* Composites may complete out of order, so a later one that is complete says nothing of another. */
static void waiting_for_one_composite_leaves_an_earlier_one_to_wait_for(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *z = tcm(&b, 4, 4), *x = tcm(&b, 4, 4), *y = tcm(&b, 4, 4), *w = tcm(&b, 4, 4);
    composite_copy(&b, z, x);
    composite_copy(&b, z, y);
    copy(&b, y, w);
    copy(&b, x, w);
    expect_instructions(&b, "D0 D1 W1 D2 W0 D3 | W0 W1 W2 W3");
    bench_close(&b);
}

/* In-order servers: dma_rd is known to be done with 0 and 1, which says nothing of dma_wr or math. */
static void waiting_for_a_primitive_covers_the_earlier_ones_of_its_server_alone(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *w = tcm(&b, 4, 4), *z = tcm(&b, 4, 4);
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16); /* 0: dma_rd */
    ks_tl_store(b.tl, w, 0x20000);                                /* 1: dma_wr reads w */
    const ks_handle *y = ks_tl_load(b.tl, 0x30000, 4, 4, KS_F16); /* 2: dma_rd */
    copy(&b, y, z);                                               /* 3 waits for 2 */
    copy(&b, x, z);                                               /* 4: 0 is complete too */
    copy(&b, x, w);                                               /* 5 waits for 1 */
    expect_instructions(&b, "D0 D1 D2 W2 D3 D4 W1 D5 | W0 W1 W2 W3 W4 W5");
    bench_close(&b);
}

static void a_composite_waits_for_primitives_but_not_for_composites(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16);
    const ks_handle *y = tcm(&b, 4, 4), *z = tcm(&b, 4, 4);
    ks_tl_fill(b.tl, y, 0);
    composite_copy(&b, x, z);
    composite_copy(&b, z, y); /* reads what 2 writes; writes what 1 writes */
    expect_instructions(&b, "D0 D1 W0 D2 W1 D3 | W0 W1 W2 W3");
    bench_close(&b);
}

/* A recipe that declares x RW and does not write it: the state is carried all the same. */
static void rw_handles_count_as_writes(void **state) {
    (void)state;
    static const ks_recipe look = {.name = "look",
                                   .primary = "y",
                                   .transform = "identity",
                                   .alignment = "single_shot",
                                   .operands = {{"x", KS_RECIPE_RW, "mn"}},
                                   .scratch = {{"y", "mn", "x"}},
                                   .steps = {{KS_OP_copy, {"x"}, "y", 0}}};
    host_bench b = bench_open();
    ks_tl_use_recipes(b.tl, &look, 1);
    const ks_handle *x = tcm(&b, 4, 4);
    ks_tl_store(b.tl, x, 0x10000); /* reads x */
    const ks_call call = {.op = "look", .operand_count = 1, .operands = {{"x", x}}};
    ks_tl_composite(b.tl, &(ks_composite){.prologue = &call, .prologue_count = 1});
    expect_instructions(&b, "D0 W0 D1 | W0 W1");
    bench_close(&b);
}

/* ---- explicit waits ---- */

static void waiting_on_a_handle_waits_for_its_producer(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16);
    const ks_handle *y = tcm(&b, 4, 4);
    ks_tl_wait(b.tl, y); /* nothing is pending */
    ks_tl_wait(b.tl, x);
    copy(&b, x, y); /* no second WAIT */
    expect_instructions(&b, "D0 W0 D1 | W0 W1");
    bench_close(&b);
}

static void waiting_for_an_older_load_forgets_nothing_of_a_newer_one(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16);
    const ks_handle *y = ks_tl_load(b.tl, 0x20000, 4, 4, KS_F16);
    ks_tl_wait(b.tl, y);
    ks_tl_wait(b.tl, x); /* free: dma_rd is in order */
    copy(&b, y, tcm(&b, 4, 4));
    expect_instructions(&b, "D0 D1 W1 W0 D2 | W0 W1 W2");
    bench_close(&b);
}

static void a_composite_s_output_can_be_waited_on(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *a = tcm(&b, 4, 4);
    ks_tl_fill(b.tl, a, 0);
    const ks_handle *out = ks_tl_composite(b.tl, &(ks_composite){.op = "gemm", .a = a, .b = a});
    assert_int_equal(out->pending, 1);
    ks_tl_wait(b.tl, out);
    expect_instructions(&b, "D0 W0 D1 W1 | W0 W1");
    bench_close(&b);
}

static void a_handle_is_pending_on_its_last_producer(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = ks_tl_load(b.tl, 0x10000, 4, 4, KS_F16);
    assert_int_equal(x->pending, 0);
    ks_tl_fill(b.tl, x, 0);
    assert_int_equal(x->pending, 1);
    composite_copy(&b, tcm(&b, 4, 4), x);
    assert_int_equal(x->pending, 2);
    bench_close(&b);
}

static void the_blocking_baseline_waits_after_every_command(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 4, 4), *y = tcm(&b, 4, 4);
    ks_tl_fill(b.tl, x, 0);
    ks_tl_block_always(b.tl); /* from here on */
    ks_tl_fill(b.tl, y, 0);
    composite_copy(&b, x, y);
    ks_tl_store(b.tl, y, 0x10000);
    expect_instructions(&b, "D0 D1 W1 D2 W2 D3 W3 | W0 W1 W2 W3");
    bench_close(&b);
}

static void the_end_waits_for_every_command_in_issue_order(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 4, 4);
    for (int i = 0; i < 3; i++) ks_tl_fill(b.tl, x, 0);
    expect_instructions(&b, "D0 D1 D2 | W0 W1 W2");
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_emitted_for_each_pair_of_kinds_that_needs_one),
        cmocka_unit_test(a_load_of_what_a_store_wrote_waits_for_it),
        cmocka_unit_test(several_waits_stand_in_issue_order),
        cmocka_unit_test(a_command_is_waited_for_once),
        cmocka_unit_test(waiting_for_one_load_leaves_a_later_one_to_wait_for),
        cmocka_unit_test(waiting_for_one_composite_leaves_an_earlier_one_to_wait_for),
        cmocka_unit_test(waiting_for_a_primitive_covers_the_earlier_ones_of_its_server_alone),
        cmocka_unit_test(a_composite_waits_for_primitives_but_not_for_composites),
        cmocka_unit_test(rw_handles_count_as_writes),
        cmocka_unit_test(waiting_on_a_handle_waits_for_its_producer),
        cmocka_unit_test(waiting_for_an_older_load_forgets_nothing_of_a_newer_one),
        cmocka_unit_test(a_composite_s_output_can_be_waited_on),
        cmocka_unit_test(a_handle_is_pending_on_its_last_producer),
        cmocka_unit_test(the_blocking_baseline_waits_after_every_command),
        cmocka_unit_test(the_end_waits_for_every_command_in_issue_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
