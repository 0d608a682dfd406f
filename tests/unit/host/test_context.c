#include "host_bench.h"

static void every_allocation_begins_at_a_multiple_of_64(void **state) {
    (void)state;
    static const struct {
        uint64_t rows, next; /* of two bytes each */
    } table[] = {{1, 64}, {31, 64}, {32, 64}, {33, 128}, {64, 128}, {65, 192}};
    for (size_t i = 0; i < COUNT(table); i++) {
        host_bench b = bench_open();
        const ks_handle *first = tcm(&b, table[i].rows, 1);
        const ks_handle *second = tcm(&b, 1, 1);
        assert_int_equal(first->addr, 0);
        assert_int_equal(second->addr, table[i].next);
        bench_close(&b);
    }
}

static void tcm_handles_are_pinned_and_hbm_handles_are_not(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *t = ks_tl_alloc(b.tl, 2, 3, KS_BF16);
    const ks_handle *r = ks_tl_ref(b.tl, 0x1234, 4, 5, KS_F32);
    const ks_handle *l = ks_tl_load(b.tl, 0x1234, 4, 5, KS_F32);
    assert_true(t->pinned && t->space == KS_TCM && t->rows == 2 && t->cols == 3 &&
                t->dtype == KS_BF16);
    assert_true(!r->pinned && r->space == KS_HBM && r->addr == 0x1234 && r->rows == 4 &&
                r->cols == 5);
    assert_true(l->pinned && l->space == KS_TCM && l->rows == 4 && l->cols == 5 &&
                l->dtype == KS_F32);
    assert_int_equal(t->pending, KS_NO_COMMAND);
    assert_int_equal(r->pending, KS_NO_COMMAND);
    assert_true(t->id != r->id && r->id != l->id);
    bench_close(&b);
}

static void a_reference_emits_nothing(void **state) {
    (void)state;
    host_bench b = bench_open();
    hbm(&b, 4, 4);
    tcm(&b, 4, 4);
    const ks_program *program = bench_finish(&b);
    assert_int_equal(program->command_count, 0);
    assert_int_equal(program->instruction_count, 0);
    bench_close(&b);
}

static void references_to_rows_begin_at_their_first_row(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_tensor tensor = {
        .name = "K", .addr = 0x10001000, .rows = 10, .cols = 3, .dtype = KS_F16};
    const ks_handle *rows = ks_tl_ref_rows(b.tl, &tensor, 7, 2);
    const ks_handle *all = ks_tl_ref_tensor(b.tl, &tensor);
    assert_int_equal(rows->addr, 0x10001000 + 7 * 6);
    assert_int_equal(rows->rows, 2);
    assert_int_equal(rows->cols, 3);
    assert_int_equal(all->addr, 0x10001000);
    assert_int_equal(all->rows, 10);
    bench_close(&b);
}

static void an_allocation_that_ends_at_the_last_byte_fits(void **state) {
    (void)state;
    host_bench b = bench_open_with(64 + 20, KS_F32);
    tcm(&b, 1, 1);                          /* [0, 2) */
    const ks_handle *last = tcm(&b, 10, 1); /* [64, 84) */
    assert_int_equal(last->addr, 64);
    assert_int_equal(bench_finish(&b)->tcm_peak_bytes, 84);
    bench_close(&b);
}

static void one_byte_less_is_an_overflow_with_its_numbers(void **state) {
    (void)state;
    host_bench b = bench_open_with(64 + 19, KS_F32);
    tcm(&b, 1, 1);
    tcm(&b, 10, 1);
    ks_tl_finish(b.tl, b.lowering);
    assert_int_equal(b.lowering->verdict, KS_LOWERING_TCM_OVERFLOW);
    assert_int_equal(b.lowering->end, 84);
    assert_int_equal(b.lowering->tcm_bytes, 83);
    bench_close(&b);
}

static void the_first_overflow_is_the_one_that_is_told(void **state) {
    (void)state;
    host_bench b = bench_open_with(100, KS_F32);
    tcm(&b, 51, 1); /* ends at 102 */
    tcm(&b, 1000, 1000);
    tcm(&b, 1, 1);         /* would fit */
    ks_tl_scope_end(b.tl); /* would be refused */
    ks_tl_finish(b.tl, b.lowering);
    assert_int_equal(b.lowering->verdict, KS_LOWERING_TCM_OVERFLOW);
    assert_int_equal(b.lowering->end, 102);
    bench_close(&b);
}

static void the_largest_allocation_does_not_wrap(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_alloc(b.tl, KS_SHAPE_MAX, KS_SHAPE_MAX, KS_F32); /* 2^62 bytes */
    ks_tl_finish(b.tl, b.lowering);
    assert_int_equal(b.lowering->verdict, KS_LOWERING_TCM_OVERFLOW);
    assert_int_equal(b.lowering->end, UINT64_C(1) << 62);
    bench_close(&b);
}

static void a_scope_gives_its_scratch_back(void **state) {
    (void)state;
    host_bench b = bench_open();
    tcm(&b, 1, 1);
    ks_tl_scope_begin(b.tl);
    assert_int_equal(tcm(&b, 40, 1)->addr, 64);
    assert_int_equal(tcm(&b, 1, 1)->addr, 192);
    ks_tl_scope_end(b.tl);
    assert_int_equal(tcm(&b, 1, 1)->addr, 64); /* persistent now */
    ks_tl_scope_begin(b.tl);
    assert_int_equal(tcm(&b, 1, 1)->addr, 128);
    ks_tl_scope_end(b.tl);
    assert_int_equal(bench_finish(&b)->tcm_peak_bytes, 194); /* the highest end, not the last */
    bench_close(&b);
}

static void scopes_nest(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_scope_begin(b.tl);
    assert_int_equal(tcm(&b, 1, 1)->addr, 0);
    ks_tl_scope_begin(b.tl);
    assert_int_equal(tcm(&b, 1, 1)->addr, 64);
    ks_tl_scope_end(b.tl);
    assert_int_equal(tcm(&b, 1, 1)->addr, 64);
    ks_tl_scope_end(b.tl);
    assert_int_equal(tcm(&b, 1, 1)->addr, 0);
    bench_close(&b);
}

static void a_scope_closed_but_not_open_is_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_scope_begin(b.tl);
    ks_tl_scope_end(b.tl);
    assert_false(ks_tl_has_failed(b.tl));
    ks_tl_scope_end(b.tl);
    expect_refusal(&b, "scratch_scope: closed but not open");
    bench_close(&b);
}

static void scopes_nest_16_deep_and_no_deeper(void **state) {
    (void)state;
    host_bench b = bench_open();
    for (int i = 0; i < 16; i++) ks_tl_scope_begin(b.tl);
    assert_false(ks_tl_has_failed(b.tl));
    ks_tl_scope_begin(b.tl);
    expect_refusal(&b, "scratch_scope: nested more than 16 deep");
    bench_close(&b);
}

static void a_view_lies_at_the_base_of_its_buffer(void **state) {
    (void)state;
    host_bench b = bench_open();
    tcm(&b, 1, 1);
    const ks_handle *buffer = tcm(&b, 4, 8);
    const ks_handle *view = ks_tl_view(b.tl, buffer, 4, 5);
    assert_int_equal(view->addr, 64);
    assert_int_equal(view->rows, 4);
    assert_int_equal(view->cols, 5);
    assert_true(view->pinned);
    assert_int_equal(view->dtype, KS_F16);
    ks_tl_view(b.tl, buffer, 8, 4); /* as large as the buffer, in another shape */
    bench_finish(&b);
    bench_close(&b);
}

static void a_view_larger_than_its_buffer_is_refused(void **state) {
    (void)state;
    host_bench b = bench_open();
    ks_tl_view(b.tl, tcm(&b, 4, 8), 3, 11);
    expect_refusal(&b, "view: 3 x 11 is larger than its buffer");
    bench_close(&b);
}

static void commands_between_begin_and_end_belong_to_the_tile(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 1, 1);
    ks_tl_set_tile_count(b.tl, 2);
    ks_tl_fill(b.tl, x, 0);
    for (uint64_t j = 0; j < 2; j++) {
        ks_tl_tile_begin(b.tl, j);
        assert_int_equal(tcm(&b, 1, 1)->addr, 64); /* scratch */
        ks_tl_fill(b.tl, x, 0);
        ks_tl_tile_end(b.tl);
    }
    ks_tl_fill(b.tl, x, 0);
    const ks_program *program = bench_finish(&b);
    static const uint64_t tiles[] = {KS_NO_TILE, 0, 1, KS_NO_TILE};
    for (uint32_t c = 0; c < 4; c++) assert_int_equal(program->commands[c]->tile, tiles[c]);
    assert_int_equal(program->tile_count, 2);
    assert_false(program->is_one_tile);
    bench_close(&b);
}

static void without_a_tile_count_the_program_is_one_tile(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_program *program = bench_finish(&b);
    assert_int_equal(program->tile_count, 1);
    assert_true(program->is_one_tile);
    bench_close(&b);
}

static void results_stand_in_the_order_of_calls(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 1, 1), *y = tcm(&b, 1, 1);
    ks_tl_result(b.tl, y);
    ks_tl_result(b.tl, x);
    const ks_program *program = bench_finish(&b);
    assert_int_equal(program->result_count, 2);
    assert_ptr_equal(program->results[0], y);
    assert_ptr_equal(program->results[1], x);
    bench_close(&b);
}

/* Lists in the arena grow by doubling from 8. */
static void many_commands_keep_their_order(void **state) {
    (void)state;
    host_bench b = bench_open();
    const ks_handle *x = tcm(&b, 1, 1);
    for (int i = 0; i < 1000; i++) ks_tl_fill(b.tl, x, (float)i);
    const ks_program *program = bench_finish(&b);
    assert_int_equal(program->command_count, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(program->commands[i]->index, i);
        assert_true(program->commands[i]->ops[0].immediate == (float)i);
    }
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_begins_at_a_multiple_of_64),
        cmocka_unit_test(tcm_handles_are_pinned_and_hbm_handles_are_not),
        cmocka_unit_test(a_reference_emits_nothing),
        cmocka_unit_test(references_to_rows_begin_at_their_first_row),
        cmocka_unit_test(an_allocation_that_ends_at_the_last_byte_fits),
        cmocka_unit_test(one_byte_less_is_an_overflow_with_its_numbers),
        cmocka_unit_test(the_first_overflow_is_the_one_that_is_told),
        cmocka_unit_test(the_largest_allocation_does_not_wrap),
        cmocka_unit_test(a_scope_gives_its_scratch_back),
        cmocka_unit_test(scopes_nest),
        cmocka_unit_test(a_scope_closed_but_not_open_is_refused),
        cmocka_unit_test(scopes_nest_16_deep_and_no_deeper),
        cmocka_unit_test(a_view_lies_at_the_base_of_its_buffer),
        cmocka_unit_test(a_view_larger_than_its_buffer_is_refused),
        cmocka_unit_test(commands_between_begin_and_end_belong_to_the_tile),
        cmocka_unit_test(without_a_tile_count_the_program_is_one_tile),
        cmocka_unit_test(results_stand_in_the_order_of_calls),
        cmocka_unit_test(many_commands_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
