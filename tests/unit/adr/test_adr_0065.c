/* ADR-0065's eleven test requirements, one function each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "data/data.h"
#include "flat_benches.h"
#include "kernels/kernels.h"
#include "merge_bench.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- 1: the legacy call and the flat call lower to one op_log ---- */

static void adr_test_01_legacy_and_flat_calls_give_byte_equal_op_logs(void **state) {
    (void)state;
    static const ks_kernel flats[] = {
        {"gemm", KS_TASK_GEMM, flat_gemm, 0},
        {"gemm", KS_TASK_GEMM, flat_gemm_by_out_ptr, 0},
        {"gemm_bias_relu", KS_TASK_GEMM_BIAS_RELU, flat_gemm_bias_relu, 0},
        {"gemm_ktile_scale", KS_TASK_GEMM_KTILE_SCALE, flat_gemm_ktile_scale, 0},
        {"gemm_chain", KS_TASK_GEMM_CHAIN, flat_gemm_chain, 0},
        {"gemm_postnorm", KS_TASK_GEMM_POSTNORM, flat_gemm_postnorm, 0},
        {"math_chain", KS_TASK_MATH_CHAIN, flat_math_chain, 0},
    };
    static const char *const shapes[] = {
        "M=1 K=1 N=1", "M=17 K=65 N=65", "M=32 K=128 N=128 policy=rw_aware dtype=f32",
        "M=33 K=200 N=70 policy=serial dtype=bf16 gemm_rule=ws queue_depth=1"};
    for (size_t k = 0; k < COUNT(flats); k++)
        for (size_t s = 0; s < COUNT(shapes); s++) {
            char key[256];
            snprintf(key, sizeof key, "kernel=%s %s", flats[k].name, shapes[s]);
            rig legacy = rig_run(key), flat = rig_run_kernel(&flats[k], shapes[s]);
            rig_expect_log(&flat, rig_log(&legacy));
            rig_close(&legacy);
            rig_close(&flat);
        }
}

/* ---- 2: what softmax_merge + P V becomes ---- */

static uint64_t logical_bytes(const ks_command *command) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < command->op_count; i++)
        bytes += ks_op_logical_bytes(&command->ops[i], 16, 6);
    return bytes;
}

static void adr_test_02_softmax_merge_lowers_to_ten_ops(void **state) {
    (void)state;
    static const ks_op_kind kinds[] = {KS_OP_rmax, KS_OP_max_elem, KS_OP_exp_diff,  KS_OP_exp_diff,
                                       KS_OP_rsum, KS_OP_fma,      KS_OP_mul_bcast, KS_OP_copy,
                                       KS_OP_gemm, KS_OP_add};
    merge_bench b = merge_bench_open();
    merge_bench_call(&b, (ks_composite){0});
    assert_int_equal(b.lowering->verdict, KS_LOWERED);
    const ks_command *command = b.lowering->program.commands[0];
    assert_int_equal(command->op_count, 10);
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(command->ops[i].kind, kinds[i]);
        assert_int_equal(command->ops[i].scope, i < 9 ? KS_SCOPE_KERNEL : KS_SCOPE_OUTPUT_TILE);
    }
    assert_int_equal(command->rw_count, 3);
    assert_ptr_equal(command->rw_handles[0], b.m);
    assert_ptr_equal(command->rw_handles[1], b.l);
    assert_ptr_equal(command->rw_handles[2], b.o);
    uint32_t handles = 0;
    for (uint32_t i = 0; i < 8; i++)
        handles += command->ops[i].operand_count + (command->ops[i].out != NULL);
    assert_int_equal(handles, 22);
    assert_ptr_equal(command->ops[8].operands[0].handle, command->ops[3].out); /* P, bound */
    assert_int_equal(logical_bytes(command), 322);
    merge_bench_close(&b);
}

/* ---- 3: K before V ---- */

static bool is_read_of(const ks_op_row *row, const ks_tensor *tensor) {
    return row->kind == KS_ROW_DMA_READ && row->reads[0].range.space == KS_HBM &&
           row->reads[0].range.addr >= tensor->addr &&
           row->reads[0].range.addr <
               tensor->addr + tensor->rows * tensor->cols * ks_dtype_bytes(tensor->dtype);
}

/* Reads of V that run while some composite's prologue does. */
static uint64_t reads_of_v_in_a_prologue(const rig *r, uint64_t *reads_of_v) {
    const ks_layout layout = ks_task_layout(KS_TASK_ATTENTION, &r->point);
    const ks_tensor *v = ks_layout_find(&layout, "V");
    uint64_t found = 0;
    *reads_of_v = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        const ks_op_row *read = &r->rows[i];
        if (!is_read_of(read, v)) continue;
        ++*reads_of_v;
        for (size_t k = 0; k < r->row_count; k++)
            if (r->rows[k].phase == KS_PHASE_pre && r->rows[k].start < read->end &&
                read->start < r->rows[k].end)
                found++;
    }
    return found;
}

static void adr_test_03_no_dma_of_v_during_the_prologue(void **state) {
    (void)state;
    static const char *const keys[] = {
        "G=8 TILE=64 d=128 S=256",
        "G=1 TILE=1 d=1 S=3",
        "G=17 TILE=65 d=65 S=130",
        "G=8 TILE=256 d=128 S=512",
        "G=33 TILE=100 d=72 S=250",
        "G=8 TILE=64 d=128 S=256 policy=rw_aware",
        "G=8 TILE=64 d=128 S=256 policy=serial",
        "G=8 TILE=64 d=128 S=256 dma_latency_cycles=0",
        "G=8 TILE=64 d=128 S=256 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0 policy=rw_aware",
        "G=8 TILE=512 d=128 S=1024 stream_buffers=64 queue_depth=1 dtype=f32"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        char key[256];
        snprintf(key, sizeof key, "kernel=decode_opt2 %s", keys[i]);
        rig r = rig_run(key);
        uint64_t reads_of_v = 0;
        assert_int_equal(reads_of_v_in_a_prologue(&r, &reads_of_v), 0);
        assert_true(reads_of_v > 0);
        rig_close(&r);
    }
    /* The other side: the what-if that frees the reads does put them there. */
    rig freed = rig_run("kernel=decode_opt2 G=8 TILE=64 d=128 S=256 stream_in_prologue=1");
    uint64_t reads_of_v = 0;
    assert_true(reads_of_v_in_a_prologue(&freed, &reads_of_v) > 0);
    rig_close(&freed);
}

/* ---- 4: strict FIFO ---- */

static bool share_rw_handle(const ks_command *a, const ks_command *b) {
    for (uint32_t i = 0; i < a->rw_count; i++)
        for (uint32_t k = 0; k < b->rw_count; k++) {
            const ks_range x = ks_handle_range(a->rw_handles[i]),
                           y = ks_handle_range(b->rw_handles[k]);
            if (ks_range_overlaps(&x, &y)) return true;
        }
    return false;
}

static void adr_test_04_composites_that_share_rw_handles_do_not_interleave(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=512",
        "kernel=decode_opt2 G=8 TILE=16 d=128 S=256 policy=rw_aware",
        "kernel=decode_opt2 G=17 TILE=65 d=65 S=260 queue_depth=1",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=512 stream_in_prologue=1",
        "kernel=decode_opt2 G=8 TILE=64 d=128 S=512 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0",
        "kernel=decode_a1 G=8 TILE=64 d=128 S=512",
        "kernel=decode_a1 G=8 TILE=64 d=128 S=512 policy=rw_aware",
    };
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_run(keys[i]);
        uint32_t pairs = 0, last = 0;
        for (uint32_t c = 0; c < r.program->command_count; c++) {
            if (!r.program->commands[c]->rw_count) continue;
            if (last && share_rw_handle(r.program->commands[last], r.program->commands[c])) {
                assert_true(rig_end(&r, last) <= rig_start(&r, c));
                pairs++;
            }
            last = c;
        }
        assert_true(pairs > 0);
        rig_close(&r);
    }
}

/* ---- 5: DMA_READ where a handle is not pinned ---- */

static void adr_test_05_dma_reads_exist_for_exactly_the_operands_that_are_not_pinned(void **state) {
    (void)state;
    static const struct {
        ks_space a_space, b_space;
        bool is_a_pinned, is_b_pinned;
        uint32_t reads_of_a, reads_of_b;
    } table[] = {
        {KS_HBM, KS_HBM, false, false, 1, 1}, /* tl.ref, tl.ref */
        {KS_TCM, KS_HBM, true, false, 0, 1},  /* P or tl.load, tl.ref */
        {KS_HBM, KS_TCM, false, true, 1, 0},  {KS_TCM, KS_TCM, true, true, 0, 0},
        {KS_TCM, KS_TCM, false, true, 1, 0}, /* the flag decides, not the space (as built) */
        {KS_HBM, KS_HBM, true, false, 0, 1},
    };
    const ks_point point = ks_point_default();
    const ks_machine machine = ks_machine_of(&point);
    ks_arena *arena = ks_arena_new(4096);
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_handle a = {
            .rows = 4, .cols = 4, .space = table[i].a_space, .pinned = table[i].is_a_pinned};
        ks_handle b = {
            .rows = 4, .cols = 4, .space = table[i].b_space, .pinned = table[i].is_b_pinned};
        ks_handle out = {.rows = 4, .cols = 4, .space = KS_TCM, .pinned = true};
        const ks_op op = {.kind = KS_OP_gemm,
                          .operand_count = 2,
                          .operands = {{"a", &a}, {"b", &b}},
                          .out = &out,
                          .m = 4,
                          .k = 4,
                          .n = 4};
        const ks_command command = {.is_composite = true, .op_count = 1, .ops = &op};
        ks_plan plan;
        assert_int_equal(ks_plan_build(&command, &machine, arena, &plan), KS_OK);
        uint32_t reads_of_a = 0, reads_of_b = 0;
        for (uint32_t s = 0; s < plan.stage_count; s++) {
            reads_of_a += plan.stages[s].role == KS_STAGE_READ_A;
            reads_of_b += plan.stages[s].role == KS_STAGE_READ_B;
        }
        assert_int_equal(reads_of_a, table[i].reads_of_a);
        assert_int_equal(reads_of_b, table[i].reads_of_b);
    }
    ks_arena_free(arena);
}

/* ---- 6: the decode kernels agree to the bit ---- */

static ks_digest digest_of(const ks_numbers *numbers, const rig *r) {
    ks_replay *replay = ks_replay_new(numbers, r->program, &r->point.calibration);
    ks_digest digest;
    assert_non_null(replay);
    for (size_t i = 0; i < r->row_count; i++)
        if (ks_replay_row(replay, &r->rows[i]) != KS_OK)
            fail_msg("row %zu cannot be replayed: %s", i, ks_replay_fault(replay));
    assert_int_equal(ks_replay_finish(replay, &digest), KS_OK);
    ks_replay_free(replay);
    return digest;
}

static void adr_test_06_opt2_and_opt3_and_their_twins_end_in_the_same_m_l_o_out(void **state) {
    (void)state;
    static const char *const kernels[] = {"decode_opt3", "decode_opt2", "decode_opt1", "decode_a1"};
    static const char *const policies[] = {"strict_fifo", "rw_aware", "serial"};
    static const char *const dtypes[] = {"f32", "f16", "bf16"};
    static const char *const shapes[] = {"G=1 TILE=1 d=1 S=1",
                                         "G=8 TILE=16 d=32 S=64",
                                         "G=8 TILE=16 d=72 S=17", /* TILE + 1 */
                                         "G=3 TILE=16 d=65 S=15" /* TILE - 1 */,
                                         "G=17 TILE=16 d=16 S=31", /* 2 TILE - 1 */
                                         "G=33 TILE=70 d=40 S=150"};
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t d = 0; d < COUNT(dtypes); d++) {
            char key[256];
            ks_digest first = {{0}};
            snprintf(key, sizeof key, "%s dtype=%s", shapes[s], dtypes[d]);
            const ks_point point = rig_point(key);
            const ks_numbers_key numbers_key = ks_numbers_key_of(KS_TASK_ATTENTION, &point);
            ks_numbers *numbers = NULL;
            assert_int_equal(ks_numbers_new(&numbers_key, &numbers), KS_OK);
            for (size_t k = 0; k < COUNT(kernels); k++)
                for (size_t p = 0; p < COUNT(policies); p++) {
                    snprintf(key, sizeof key, "kernel=%s %s dtype=%s policy=%s", kernels[k],
                             shapes[s], dtypes[d], policies[p]);
                    rig r = rig_run(key);
                    assert_int_equal(r.program->result_count, 3); /* m, l, O before OUT */
                    const ks_digest digest = digest_of(numbers, &r);
                    if (k == 0 && p == 0) first = digest;
                    if (memcmp(&digest, &first, sizeof first) != 0) fail_msg("%s", key);
                    rig_close(&r);
                }
            ks_numbers_free(numbers);
        }
}

/* ---- 7: the dispatch ratio ---- */

typedef struct ratio {
    uint64_t opt3, opt2; /* ticks a tile */
} ratio;

static uint64_t dispatch_per_tile(const char *kernel, const char *constants) {
    char key[256];
    snprintf(key, sizeof key, "kernel=%s G=8 TILE=64 d=128 S=512 %s", kernel, constants);
    rig r = rig_lower(key);
    assert_int_equal(r.dispatch_verdict, KS_DISPATCHABLE);
    assert_int_equal(r.program->tile_count, 8);
    assert_int_equal(r.dispatch.tile_ticks % 8, 0);
    const uint64_t ticks = r.dispatch.tile_ticks / 8;
    rig_close(&r);
    return ticks;
}

static ratio ratio_at(const char *constants) {
    return (ratio){dispatch_per_tile("decode_opt3", constants),
                   dispatch_per_tile("decode_opt2", constants)};
}

static void adr_test_07_opt3_costs_more_than_twice_opt2_in_dispatch(void **state) {
    (void)state;
    const ratio at_defaults = ratio_at("");
    rig_expect_cycles(at_defaults.opt3, "423.625");
    rig_expect_cycles(at_defaults.opt2, "103.625");
    assert_true(at_defaults.opt3 > 2 * at_defaults.opt2);
    assert_int_equal((at_defaults.opt3 * 1000 + at_defaults.opt2 / 2) / at_defaults.opt2, 4088);

    /* (10 F + 378 R) / (2 F + 378 R), in ticks; above 2 exactly when F > 63 R. */
    static const struct {
        const char *constants;
        uint64_t f, r;
        int against_two; /* sign of opt3 - 2 opt2 */
    } table[] = {
        {"", 400000, 625, 1},
        {"dispatch_fixed_cycles=3.9374", 39374, 625, -1},
        {"dispatch_fixed_cycles=3.9375", 39375, 625, 0},
        {"dispatch_fixed_cycles=3.9376", 39376, 625, 1},
        {"dispatch_cycles_per_byte=0.6349", 400000, 6349, 1}, /* 40/63 = 0.63492... */
        {"dispatch_cycles_per_byte=0.635", 400000, 6350, -1},
        {"dispatch_fixed_cycles=63 dispatch_cycles_per_byte=1", 630000, 10000, 0},
        {"dispatch_cycles_per_byte=0", 400000, 0, 1}, /* 5 */
        {"dispatch_fixed_cycles=0", 0, 625, -1},      /* 1 */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const ratio at = ratio_at(table[i].constants);
        assert_int_equal(at.opt3, 10 * table[i].f + 378 * table[i].r);
        assert_int_equal(at.opt2, 2 * table[i].f + 378 * table[i].r);
        assert_int_equal((at.opt3 > 2 * at.opt2) - (at.opt3 < 2 * at.opt2), table[i].against_two);
        assert_true(at.opt2 <= at.opt3 && at.opt3 <= 5 * at.opt2);
    }
}

/* ---- 8: at most one GEMM ---- */

static void adr_test_08_two_gemm_ops_are_refused_at_emit(void **state) {
    (void)state;
    merge_bench b = merge_bench_open();
    const ks_call second = {.op = "gemm", .operand_count = 2, .operands = {{"a", b.s}, {"b", b.v}}};
    merge_bench_call(&b, (ks_composite){.epilogue = &second, .epilogue_count = 1});
    assert_int_equal(b.lowering->verdict, KS_LOWERING_REFUSED);
    assert_non_null(strstr(b.lowering->error.text, "D6.1"));
    assert_int_equal(b.lowering->program.command_count, 0);
    merge_bench_close(&b);
}

/* ---- 9: size and segments ---- */

static void adr_test_09_composite_2_is_one_segment_under_the_cap(void **state) {
    (void)state;
    static const struct {
        uint64_t cap;
        uint64_t bytes[11]; /* of each segment; ops are 28 34 34 34 28 40 34 28 34 28 */
    } table[] = {
        {1024, {322}},
        {322, {322}},
        {321, {294, 28}},
        {100, {96, 62, 74, 90}},
        {40, {28, 34, 34, 34, 28, 40, 34, 28, 34, 28}},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char key[256];
        snprintf(key, sizeof key,
                 "kernel=decode_opt2 G=8 TILE=64 d=128 S=64 max_composite_logical_bytes=%u",
                 (unsigned)table[i].cap);
        rig r = rig_run(key);
        enum { NUMBER_2 = 5 }; /* load, three fills, #1 */
        uint32_t n = 0;
        for (; table[i].bytes[n]; n++) {
            const ks_op_row *row = rig_cpu_row(&r, KS_ROW_DISPATCH, NUMBER_2, n);
            assert_non_null(row);
            assert_int_equal(row->bytes, table[i].bytes[n]);
            assert_int_equal(row->end - row->start, 400000 + 625 * table[i].bytes[n]);
        }
        assert_null(rig_cpu_row(&r, KS_ROW_DISPATCH, NUMBER_2, n));
        rig_close(&r);
    }
    rig over =
        rig_lower("kernel=decode_opt2 G=8 TILE=64 d=128 S=64 max_composite_logical_bytes=39");
    assert_int_equal(over.dispatch_verdict, KS_DISPATCH_OP_OVER_CAP);
    assert_int_equal(over.over_cap_bytes, 40); /* fma */
    rig_close(&over);
}

/* ---- 10: auto-bind ---- */

static void adr_test_10_a_given_a_conflicts_with_the_recipe_s_primary_output(void **state) {
    (void)state;
    merge_bench b = merge_bench_open();
    merge_bench_call(&b, (ks_composite){.a = b.s});
    assert_int_equal(b.lowering->verdict, KS_LOWERING_REFUSED);
    assert_non_null(strstr(b.lowering->error.text, "'a'"));
    assert_non_null(strstr(b.lowering->error.text, "D6.6"));
    merge_bench_close(&b);
}

/* ---- 11: MATH operands in TCM ---- */

static void adr_test_11_a_math_operand_in_hbm_is_refused(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(1 << 16);
    ks_lowering lowering;
    /* tl.composite(op="math", a=tl.ref(...)) */
    ks_tl *tl = ks_tl_new(arena, 1 << 20, KS_F32);
    ks_tl_composite(tl,
                    &(ks_composite){.op = "math", .a = ks_tl_ref(tl, 0x20000000, 8, 64, KS_F16)});
    ks_tl_finish(tl, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERING_REFUSED);
    assert_string_equal(lowering.error.text,
                        "math: operand 'a' is in hbm; a MATH operand must be in tcm (D6.7)");
    /* the same as one of an op list */
    tl = ks_tl_new(arena, 1 << 20, KS_F32);
    const ks_math op = {.kind = KS_OP_rmax,
                        .out = ks_tl_alloc(tl, 8, 1, KS_F32),
                        .operands = {ks_tl_ref(tl, 0x20000000, 8, 64, KS_F16)}};
    ks_tl_composite(tl, &(ks_composite){.op = "math", .math = &op, .math_count = 1});
    ks_tl_finish(tl, &lowering);
    assert_int_equal(lowering.verdict, KS_LOWERING_REFUSED);
    assert_string_equal(lowering.error.text,
                        "rmax: operand 'x' is in hbm; a MATH operand must be in tcm (D6.7)");
    ks_arena_free(arena);
    /* and as a recipe's operand */
    merge_bench b = merge_bench_open();
    b.s = ks_tl_ref(b.tl, 0x30000000, 8, 64, KS_F16);
    merge_bench_call(&b, (ks_composite){0});
    assert_int_equal(b.lowering->verdict, KS_LOWERING_REFUSED);
    assert_string_equal(
        b.lowering->error.text,
        "softmax_merge: operand 's' is in hbm; a recipe operand must be in tcm (D6.7)");
    merge_bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adr_test_01_legacy_and_flat_calls_give_byte_equal_op_logs),
        cmocka_unit_test(adr_test_02_softmax_merge_lowers_to_ten_ops),
        cmocka_unit_test(adr_test_03_no_dma_of_v_during_the_prologue),
        cmocka_unit_test(adr_test_04_composites_that_share_rw_handles_do_not_interleave),
        cmocka_unit_test(adr_test_05_dma_reads_exist_for_exactly_the_operands_that_are_not_pinned),
        cmocka_unit_test(adr_test_06_opt2_and_opt3_and_their_twins_end_in_the_same_m_l_o_out),
        cmocka_unit_test(adr_test_07_opt3_costs_more_than_twice_opt2_in_dispatch),
        cmocka_unit_test(adr_test_08_two_gemm_ops_are_refused_at_emit),
        cmocka_unit_test(adr_test_09_composite_2_is_one_segment_under_the_cap),
        cmocka_unit_test(adr_test_10_a_given_a_conflicts_with_the_recipe_s_primary_output),
        cmocka_unit_test(adr_test_11_a_math_operand_in_hbm_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
