/* ADR-0065's test requirements 1 to 5, what is lowered and when it runs, one function each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

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
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adr_test_01_legacy_and_flat_calls_give_byte_equal_op_logs),
        cmocka_unit_test(adr_test_02_softmax_merge_lowers_to_ten_ops),
        cmocka_unit_test(adr_test_03_no_dma_of_v_during_the_prologue),
        cmocka_unit_test(adr_test_04_composites_that_share_rw_handles_do_not_interleave),
        cmocka_unit_test(adr_test_05_dma_reads_exist_for_exactly_the_operands_that_are_not_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
