/* From events to rows: the places of tiles, and the order of rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- places of tiles ---- */

/* reads or writes of a row as its column has them. */
static const char *column_of(const rig *r, const ks_op_row *row, bool is_writes) {
    ks_text line = {0};
    ks_op_row_print(&line, row);
    char *copy = ks_arena_text(r->arena, line.data);
    ks_text_free(&line);
    char *writes = strrchr(copy, ',');
    if (is_writes) {
        writes[strcspn(writes, "\n")] = '\0';
        return writes + 1;
    }
    *writes = '\0';
    return strrchr(copy, ',') + 1;
}

typedef struct placed {
    uint32_t cmd;
    int64_t stage;
    const char *reads, *writes;
} placed;

static void expect_places(const rig *r, const placed *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const ks_op_row *row = rig_row(r, table[i].cmd, table[i].stage);
        assert_string_equal(column_of(r, row, false), table[i].reads);
        assert_string_equal(column_of(r, row, true), table[i].writes);
    }
}

/* Others of every broadcast form onto an output of 17 x 65: tiles 16 x 64, 16 x 1, 1 x 64, 1 x 1. */
static void four_others(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *row = ks_tl_alloc(tl, 1, 65, KS_F16);    /* tcm 0x0, 130 bytes */
    const ks_handle *column = ks_tl_alloc(tl, 17, 1, KS_F32); /* 0xc0, 68 */
    const ks_handle *one = ks_tl_alloc(tl, 1, 1, KS_F32);     /* 0x140, 4 */
    const ks_handle *whole = ks_tl_alloc(tl, 17, 65, KS_F16); /* 0x180, 2210 */
    const ks_handle *const others[] = {row, column, one, whole};
    ks_call epilogue[COUNT(others)];
    for (size_t i = 0; i < COUNT(others); i++)
        epilogue[i] = (ks_call){.op = "add",
                                .scope = i == 0 ? KS_SCOPE_K_TILE : KS_SCOPE_OUTPUT_TILE,
                                .operand_count = 1,
                                .operands = {{"other", others[i]}}};
    ks_tl_composite_legacy(tl, ks_tl_ref_tensor(tl, ks_layout_find(layout, "A")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "B")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT")), epilogue,
                           COUNT(others));
}

static void an_other_with_one_row_or_column_broadcasts(void **state) {
    (void)state;
    static const ks_kernel kernel = {"four_others", KS_TASK_GEMM, four_others, 0};
    rig r = rig_run_kernel(&kernel, "M=17 K=1 N=65");
    enum { STAGES = 10 }; /* A B F G, K_TILE add, three OUTPUT_TILE adds, S, W */
    static const placed table[] = {
        {0, 4, "acc:0x0+4096|tcm:0x0+128", "acc:0x0+4096"}, /* row: 1 x nt */
        {0, 5, "acc:0x0+4096|tcm:0xc0+64", "acc:0x0+4096"}, /* column: mt x 1 */
        {0, 6, "acc:0x0+4096|tcm:0x140+4", "acc:0x0+4096"}, /* 1 x 1 */
        {0, 7, "acc:0x0+4096|tcm:0x180+2048", "acc:0x0+4096"},
        {0, STAGES + 4, "acc:0x1+64|tcm:0x80+2", "acc:0x1+64"}, /* (0, 1): 16 x 1, 64 columns on */
        {0, STAGES + 5, "acc:0x1+64|tcm:0xc0+64", "acc:0x1+64"},
        {0, STAGES + 6, "acc:0x1+64|tcm:0x140+4", "acc:0x1+64"},
        {0, STAGES + 7, "acc:0x1+64|tcm:0x200+32", "acc:0x1+64"},
        {0, 2 * STAGES + 4, "acc:0x0+256|tcm:0x0+128",
         "acc:0x0+256"}, /* (1, 0): 1 x 64, 16 rows on */
        {0, 2 * STAGES + 5, "acc:0x0+256|tcm:0x100+4", "acc:0x0+256"},
        {0, 2 * STAGES + 7, "acc:0x0+256|tcm:0x9a0+128", "acc:0x0+256"}, /* 0x180 + 16 x 130 */
        {0, 3 * STAGES + 4, "acc:0x1+4|tcm:0x80+2", "acc:0x1+4"},        /* (1, 1) */
        {0, 3 * STAGES + 5, "acc:0x1+4|tcm:0x100+4", "acc:0x1+4"},
        {0, 3 * STAGES + 7, "acc:0x1+4|tcm:0xa20+2", "acc:0x1+4"},
    };
    expect_places(&r, table, COUNT(table));
    rig_close(&r);
}

/* 17 x 65 x 65: A rows of 130 bytes, B rows of 130. Steps t = 4 o + ..., two K tiles a tile. */
static void tiles_of_larger_matrices_begin_at_their_first_element(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm M=17 K=65 N=65");
    static const placed table[] = {
        /* (0,0,0) t 0, o 0 */
        {0, 0, "hbm:0x10000000+2048", "stg:0x0+2048"},
        {0, 1, "hbm:0x10001000+8192", "stg:0x1+8192"},
        {0, 2, "stg:0x0+2048|stg:0x1+8192", "opb:0x0+10240"},
        {0, 3, "opb:0x0+10240", "acc:0x0+4096"},
        /* (0,0,1) t 1: column 64 of A, row 64 of B */
        {0, 4, "hbm:0x10000080+32", "stg:0x2+32"},
        {0, 5, "hbm:0x10003080+128", "stg:0x3+128"},
        {0, 6, "stg:0x2+32|stg:0x3+128", "opb:0x1+160"},
        {0, 7, "opb:0x1+160", "acc:0x0+4096"},
        {0, 8, "acc:0x0+4096", "wst:0x0+2048"},
        {0, 9, "wst:0x0+2048", "hbm:0x10004000+2048"},
        /* (0,1,0) t 2, o 1 */
        {0, 10, "hbm:0x10000000+2048", "stg:0x4+2048"},
        {0, 11, "hbm:0x10001080+128", "stg:0x5+128"},
        {0, 12, "stg:0x4+2048|stg:0x5+128", "opb:0x0+2176"},
        {0, 13, "opb:0x0+2176", "acc:0x1+64"},
        {0, 15, "hbm:0x10003100+2", "stg:0x7+2"}, /* (0,1,1) t 3 */
        {0, 18, "acc:0x1+64", "wst:0x1+32"},
        {0, 19, "wst:0x1+32", "hbm:0x10004080+32"},
        /* (1,0,0) t 4, o 2: the buffers come round */
        {0, 20, "hbm:0x10000820+128", "stg:0x0+128"},
        {0, 21, "hbm:0x10001000+8192", "stg:0x1+8192"},
        {0, 23, "opb:0x0+8320", "acc:0x0+256"},
        {0, 28, "acc:0x0+256", "wst:0x2+128"}, /* write staging counts on */
        {0, 29, "wst:0x2+128", "hbm:0x10004820+128"},
    };
    expect_places(&r, table, COUNT(table));
    rig_close(&r);
}

static void slots_go_round_by_the_calibration_s_buffer_counts(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm M=1 K=1 N=321 stream_buffers=3 operand_buffers=4 acc_buffers=5");
    for (uint64_t t = 0; t < 6; t++) { /* six column tiles, six stages each */
        assert_int_equal(rig_row(&r, 0, (int64_t)(6 * t))->write.range.addr, 2 * (t % 3));
        assert_int_equal(rig_row(&r, 0, (int64_t)(6 * t + 1))->write.range.addr, 2 * (t % 3) + 1);
        assert_int_equal(rig_row(&r, 0, (int64_t)(6 * t + 2))->write.range.addr, t % 4);
        assert_int_equal(rig_row(&r, 0, (int64_t)(6 * t + 3))->write.range.addr, t % 5);
        assert_int_equal(rig_row(&r, 0, (int64_t)(6 * t + 4))->write.range.addr, t);
    }
    rig_close(&r);
}

/* K of a decode is stored S x d: a tile is rows ni.., columns ki.. of it. G 17, TILE 70, d 65. */
static void a_transposed_b_tile_is_where_it_is_stored(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=17 TILE=70 d=65 S=75");
    const uint64_t k = 0x10001000;            /* behind Q's page */
    const ks_op_row *row = rig_row(&r, 4, 0); /* (0,0,0): 64 rows of 64 */
    assert_int_equal(row->reads[0].range.addr, k);
    assert_int_equal(row->reads[0].range.bytes, 64 * 64 * 2);
    assert_true(row->reads[0].rows == 64 && row->reads[0].cols == 64);
    row = rig_row(&r, 4, 3); /* (0,0,1): 64 rows of 1, column 64 */
    assert_int_equal(row->reads[0].range.addr, k + 64 * 2);
    assert_int_equal(row->reads[0].range.bytes, 64 * 2);
    assert_true(row->reads[0].rows == 64 && row->reads[0].cols == 1);
    row = rig_row(&r, 4, 8); /* (0,1,0): rows 64..69 */
    assert_int_equal(row->reads[0].range.addr, k + 64 * 65 * 2);
    assert_int_equal(row->reads[0].range.bytes, 6 * 64 * 2);
    row = rig_row(&r, 6, 0); /* tile 1: rows 70..74 */
    assert_int_equal(row->reads[0].range.addr, k + 70 * 65 * 2);
    assert_int_equal(row->reads[0].range.bytes, 5 * 64 * 2);
    rig_close(&r);
}

/* The STORE of #1's tiles goes to S at its own row stride. */
static void a_store_to_tcm_begins_at_the_tile_s_first_element(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=17 TILE=70 d=1 S=70");
    const uint64_t s = rig_row(&r, 4, 4)->write.range.addr; /* B F G scale S a tile */
    const placed table[] = {
        {4, 9, "acc:0x1+384", NULL}, {4, 14, "acc:0x0+256", NULL}, {4, 19, "acc:0x1+24", NULL}};
    for (size_t i = 0; i < COUNT(table); i++)
        assert_string_equal(column_of(&r, rig_row(&r, 4, table[i].stage), false), table[i].reads);
    assert_int_equal(rig_row(&r, 4, 9)->write.range.addr, s + 64 * 2);
    assert_int_equal(rig_row(&r, 4, 14)->write.range.addr, s + 16 * 70 * 2);
    assert_int_equal(rig_row(&r, 4, 19)->write.range.addr, s + (16 * 70 + 64) * 2);
    assert_int_equal(rig_row(&r, 4, 19)->write.range.bytes, 6 * 2);
    rig_close(&r);
}

static void a_post_loop_op_on_tcm_reads_and_writes_the_output(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm_postnorm M=2 K=1 N=3");
    static const placed table[] = {{0, 4, "acc:0x0+24", "tcm:0x0+12"},
                                   {0, 5, "tcm:0x0+12", "tcm:0x0+12"},
                                   {1, 0, "tcm:0x0+12", "hbm:0x10002000+12"}};
    expect_places(&r, table, COUNT(table));
    rig_close(&r);
}

/* Its row reads the output first, then the other operands, and writes the output. */
static void post_add(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *row = ks_tl_alloc(tl, 1, 3, KS_F16);
    const ks_call add = {
        .op = "add", .scope = KS_SCOPE_KERNEL, .operand_count = 1, .operands = {{"other", row}}};
    ks_tl_composite_legacy(tl, ks_tl_ref_tensor(tl, ks_layout_find(layout, "A")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "B")), NULL, &add, 1);
}

static void a_post_loop_op_reads_the_output_before_its_operands(void **state) {
    (void)state;
    static const ks_kernel kernel = {"post_add", KS_TASK_GEMM, post_add, 0};
    rig r = rig_run_kernel(&kernel, "M=2 K=1 N=3");
    static const placed table[] = {{0, 5, "tcm:0x40+12|tcm:0x0+6", "tcm:0x40+12"}};
    expect_places(&r, table, COUNT(table));
    rig_close(&r);
}

/* ---- order ---- */

static int is_stage(const ks_op_row *row) { return row->stage != KS_CPU_STAGE; }

static bool stands_before(const ks_op_row *a, const ks_op_row *b) {
    if (a->start != b->start) return a->start < b->start;
    if (is_stage(a) != is_stage(b)) return is_stage(a) < is_stage(b);
    if (a->cmd != b->cmd) return a->cmd < b->cmd;
    if (is_stage(a)) return a->stage < b->stage;
    if (a->kind != b->kind) return a->kind < b->kind; /* DISPATCH, STALL, WAIT */
    return a->segment < b->segment;
}

static void rows_stand_in_order_of_start_cpu_first_command_and_stage(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=500",
        "kernel=decode_opt3 G=8 TILE=64 d=128 S=500 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
        "kernel=decode_a1 G=8 TILE=16 d=16 S=100 policy=rw_aware queue_depth=1 max_composite_logical_bytes=40",
        ("kernel=decode_a1 G=8 TILE=16 d=16 S=100 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0 "
         "max_composite_logical_bytes=40 queue_depth=1 dma_latency_cycles=0"),
        "kernel=gemm_bias_relu M=33 K=130 N=130 policy=serial",
    };
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_run(keys[i]);
        for (size_t k = 0; k < r.row_count; k++) {
            assert_int_equal(r.rows[k].seq, k);
            if (k) assert_true(stands_before(&r.rows[k - 1], &r.rows[k]));
        }
        rig_close(&r);
    }
}

static void the_last_stage_of_a_command_is_marked(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=8 TILE=64 d=128 S=130");
    uint32_t marked = 0;
    for (size_t k = 0; k < r.row_count; k++) {
        if (!r.rows[k].is_last_of_command) continue;
        marked++;
        assert_int_equal(r.rows[k].end, rig_end(&r, r.rows[k].cmd));
    }
    assert_int_equal(marked, r.program->command_count);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_other_with_one_row_or_column_broadcasts),
        cmocka_unit_test(tiles_of_larger_matrices_begin_at_their_first_element),
        cmocka_unit_test(slots_go_round_by_the_calibration_s_buffer_counts),
        cmocka_unit_test(a_transposed_b_tile_is_where_it_is_stored),
        cmocka_unit_test(a_store_to_tcm_begins_at_the_tile_s_first_element),
        cmocka_unit_test(a_post_loop_op_on_tcm_reads_and_writes_the_output),
        cmocka_unit_test(a_post_loop_op_reads_the_output_before_its_operands),
        cmocka_unit_test(rows_stand_in_order_of_start_cpu_first_command_and_stage),
        cmocka_unit_test(the_last_stage_of_a_command_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
