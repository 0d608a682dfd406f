/* Stages, their order and what each waits for: MODEL.md section 6, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "device/plan.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_index(ks_text *out, uint64_t index) {
    if (index == KS_NO_INDEX)
        ks_text_add_char(out, '-');
    else
        ks_text_add_u64(out, index);
}

/* One line a stage: "4 A001 <2", its number, what it is, tile indices m n k, the stages that it
 * waits for. A and B read, F fetches, G is the gemm, S stores, W writes a tile, W* the whole
 * output; ops of a scope by name. */
static void print_plan(ks_text *out, const ks_plan *plan, const ks_command *command) {
    static const char *const marks[] = {
        [KS_STAGE_READ_A] = "A",      [KS_STAGE_READ_B] = "B", [KS_STAGE_FETCH] = "F",
        [KS_STAGE_GEMM] = "G",        [KS_STAGE_STORE] = "S",  [KS_STAGE_WRITE_TILE] = "W",
        [KS_STAGE_WRITE_WHOLE] = "W*"};
    for (uint32_t s = 0; s < plan->stage_count; s++) {
        const ks_stage *stage = &plan->stages[s];
        const bool is_by_name = stage->role == KS_STAGE_WHOLE || stage->role == KS_STAGE_TILE_MATH;
        ks_text_add_format(out, "%u %s", s,
                           is_by_name ? ks_op_name(command->ops[stage->op].kind)
                                      : marks[stage->role]);
        if (stage->role != KS_STAGE_WHOLE && stage->role != KS_STAGE_WRITE_WHOLE) {
            add_index(out, stage->m);
            add_index(out, stage->n);
            add_index(out, stage->k);
        }
        for (uint32_t i = 0; i < stage->dep_count; i++)
            ks_text_add_format(out, "%s%u", i ? "," : " <", plan->deps[stage->first_dep + i]);
        ks_text_add_char(out, '\n');
    }
}

static void expect_plan_of(rig *r, uint32_t cmd, const char *expected) {
    const ks_plan plan = rig_plan(r, cmd);
    ks_text found = {0};
    print_plan(&found, &plan, r->program->commands[cmd]);
    assert_string_equal(ks_text_string(&found), expected);
    ks_text_free(&found);
}

static void expect_plan(const char *key, uint32_t cmd, const char *expected) {
    rig r = rig_lower(key);
    expect_plan_of(&r, cmd, expected);
    rig_close(&r);
}

/* ---- the tile loop ---- */

static void a_loop_reads_fetches_multiplies_stores_and_writes(void **state) {
    (void)state;
    expect_plan("kernel=gemm M=1 K=1 N=1", 0,
                "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 S00- <3\n5 W00- <4\n");
}

/* Two row tiles of two k tiles; four stream, two operand, two accumulator buffers. */
static void steps_wait_for_the_buffers_that_they_use_again(void **state) {
    (void)state;
    expect_plan("kernel=gemm M=17 K=65 N=1", 0,
                "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n"
                "4 A001\n5 B001\n6 F001 <4,5\n7 G001 <6,3\n"
                "8 S00- <7\n9 W00- <8\n"
                "10 A100\n11 B100\n12 F100 <10,11,3\n13 G100 <12,7\n"
                "14 A101\n15 B101\n16 F101 <14,15,7\n17 G101 <16,13\n"
                "18 S10- <17\n19 W10- <18\n");
}

static void with_one_buffer_of_each_every_step_waits_for_the_one_before(void **state) {
    (void)state;
    expect_plan(
        "kernel=gemm M=17 K=65 N=1 stream_buffers=1 operand_buffers=1 acc_buffers=1", 0,
        "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n"
        "4 A001 <2\n5 B001 <2\n6 F001 <4,5,3\n7 G001 <6,3\n"
        "8 S00- <7\n9 W00- <8\n"
        "10 A100 <6\n11 B100 <6\n12 F100 <10,11,7\n13 G100 <12,7,8\n" /* STORE of the accumulator */
        "14 A101 <12\n15 B101 <12\n16 F101 <14,15,13\n17 G101 <16,13\n"
        "18 S10- <17\n19 W10- <18\n");
}

/* Three column tiles: step 4 - 1 = 3 would be the first to wait with three stream buffers. */
static void each_buffer_count_reaches_back_as_many_steps(void **state) {
    (void)state;
    expect_plan(
        "kernel=gemm M=1 K=1 N=193 stream_buffers=3 operand_buffers=2 acc_buffers=1", 0,
        "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 S00- <3\n5 W00- <4\n"
        "6 A010\n7 B010\n8 F010 <6,7\n9 G010 <8,3,4\n10 S01- <9\n11 W01- <10\n"
        "12 A020\n13 B020\n14 F020 <12,13,3\n15 G020 <14,9,10\n16 S02- <15\n17 W02- <16\n"
        "18 A030 <2\n19 B030 <2\n20 F030 <18,19,9\n21 G030 <20,15,16\n22 S03- <21\n23 W03- <22\n");
}

static void pinned_operands_are_not_read_and_a_tcm_output_is_not_written(void **state) {
    (void)state;
    expect_plan("kernel=gemm_chain M=1 K=1 N=1", 0,
                "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 S00- <3\n");
    expect_plan("kernel=gemm_chain M=1 K=1 N=1", 1, /* a is T */
                "0 B000\n1 F000 <0\n2 G000 <1\n3 S00- <2\n4 W00- <3\n");
}

static void both_tcm(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    ks_tl_composite(tl, &(ks_composite){.op = "gemm",
                                        .a = ks_tl_alloc(tl, 1, 65, KS_F16),
                                        .b = ks_tl_alloc(tl, 65, 1, KS_F16)});
}

static void with_both_operands_pinned_nothing_is_read(void **state) {
    (void)state;
    static const ks_kernel kernel = {"both_tcm", KS_TASK_GEMM, both_tcm, 0};
    rig r = rig_lower_kernel(&kernel, "M=1 K=1 N=1");
    expect_plan_of(&r, 0, "0 F000\n1 G000 <0\n2 F001\n3 G001 <2,1\n4 S00- <3\n");
    rig_close(&r);
}

/* ---- K_TILE and OUTPUT_TILE ---- */

static void a_k_tile_op_runs_in_every_step_and_the_next_step_waits_for_it(void **state) {
    (void)state;
    expect_plan(
        "kernel=gemm_ktile_scale M=1 K=65 N=65", 0,
        "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 scale000 <3\n"
        "5 A001\n6 B001\n7 F001 <5,6\n8 G001 <7,3,4\n9 scale001 <8\n"
        "10 S00- <9\n11 W00- <10\n"
        "12 A010\n13 B010\n14 F010 <12,13,3\n15 G010 <14,8\n16 scale010 <15\n" /* another tile: no wait */
        "17 A011\n18 B011\n19 F011 <17,18,8\n20 G011 <19,15,16\n21 scale011 <20\n"
        "22 S01- <21\n23 W01- <22\n");
}

static void an_output_tile_op_runs_after_the_k_loop(void **state) {
    (void)state;
    expect_plan("kernel=gemm_bias_relu M=1 K=65 N=1", 1,
                "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 A001\n5 B001\n6 F001 <4,5\n7 G001 <6,3\n"
                "8 add00- <7\n9 relu00- <8\n10 S00- <9\n11 W00- <10\n");
}

/* Given in a mixed order: each scope keeps its own. */
static void mixed_epilogue(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_call epilogue[] = {
        {.op = "rmsnorm", .scope = KS_SCOPE_KERNEL}, {.op = "relu", .scope = KS_SCOPE_OUTPUT_TILE},
        {.op = "scale", .scope = KS_SCOPE_K_TILE},   {.op = "scale", .scope = KS_SCOPE_OUTPUT_TILE},
        {.op = "relu", .scope = KS_SCOPE_K_TILE},    {.op = "relu", .scope = KS_SCOPE_KERNEL}};
    ks_tl_composite_legacy(tl, ks_tl_ref_tensor(tl, ks_layout_find(layout, "A")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "B")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT")), epilogue,
                           COUNT(epilogue));
}

static const ks_kernel mixed = {"mixed_epilogue", KS_TASK_GEMM, mixed_epilogue, 0};

static void position_and_scope_place_every_epilogue_op(void **state) {
    (void)state;
    rig r = rig_lower_kernel(&mixed, "M=1 K=65 N=1");
    expect_plan_of(&r, 0,
                   "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 scale000 <3\n5 relu000 <4\n"
                   "6 A001\n7 B001\n8 F001 <6,7\n9 G001 <8,3,5\n10 scale001 <9\n11 relu001 <10\n"
                   "12 relu00- <11\n13 scale00- <12\n14 S00- <13\n"
                   "15 rmsnorm <14\n16 relu <15\n17 W* <16\n");
    rig_close(&r);
}

/* ---- before and after the loop ---- */

static void the_prologue_is_serial_and_the_loop_waits_for_its_last_op(void **state) {
    (void)state;
    expect_plan("kernel=rmsnorm_linear M=1 K=65 N=1", 2,
                "0 rsumsq\n1 rsqrt_mean <0\n2 mul_bcast <1\n3 mul_elem <2\n"
                "4 B000 <3\n5 F000 <4,3\n6 G000 <5\n"
                "7 B001 <3\n8 F001 <7,3\n9 G001 <8,6\n10 S00- <9\n11 W00- <10\n");
}

static void the_what_if_frees_the_reads_and_nothing_else(void **state) {
    (void)state;
    expect_plan("kernel=rmsnorm_linear M=1 K=65 N=1 stream_in_prologue=1", 2,
                "0 rsumsq\n1 rsqrt_mean <0\n2 mul_bcast <1\n3 mul_elem <2\n"
                "4 B000\n5 F000 <4,3\n6 G000 <5\n"
                "7 B001\n8 F001 <7,3\n9 G001 <8,6\n10 S00- <9\n11 W00- <10\n");
}

/* Every path into the loop goes through the last pre op, whatever the buffers. */
static void no_loop_stage_can_start_before_the_last_pre_op_ended(void **state) {
    (void)state;
    static const char *const keys[] = {
        "kernel=rmsnorm_linear M=33 K=200 N=130",
        "kernel=rmsnorm_linear M=33 K=200 N=130 stream_buffers=1 operand_buffers=5 acc_buffers=7",
        "kernel=rmsnorm_linear M=33 K=200 N=130 stream_buffers=100 operand_buffers=100 acc_buffers=100"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_lower(keys[i]);
        const ks_plan plan = rig_plan(&r, 2);
        bool *is_behind = ks_arena_take(r.arena, plan.stage_count, sizeof *is_behind);
        for (uint32_t s = 0; s < plan.stage_count; s++) {
            is_behind[s] = s == 3;
            for (uint32_t d = 0; d < plan.stages[s].dep_count; d++)
                is_behind[s] |= is_behind[plan.deps[plan.stages[s].first_dep + d]];
            if (s >= 3) assert_true(is_behind[s]);
        }
        rig_close(&r);
    }
}

static void a_post_loop_op_waits_for_every_store(void **state) {
    (void)state;
    expect_plan("kernel=gemm_postnorm M=1 K=1 N=65", 0,
                "0 A000\n1 B000\n2 F000 <0,1\n3 G000 <2\n4 S00- <3\n"
                "5 A010\n6 B010\n7 F010 <5,6\n8 G010 <7,3\n9 S01- <8\n"
                "10 rmsnorm <4,9\n");
}

static void with_a_post_loop_op_an_hbm_output_is_written_once_and_whole(void **state) {
    (void)state;
    rig r = rig_lower_kernel(&mixed, "M=17 K=1 N=65");
    const ks_plan plan = rig_plan(&r, 0);
    uint32_t writes = 0;
    for (uint32_t s = 0; s < plan.stage_count; s++)
        writes += plan.stages[s].kind == KS_ROW_DMA_WRITE;
    const ks_stage *last = &plan.stages[plan.stage_count - 1];
    assert_int_equal(writes, 1);
    assert_int_equal(last->role, KS_STAGE_WRITE_WHOLE);
    assert_int_equal(last->phase, KS_PHASE_post);
    assert_int_equal(last->bytes, 17 * 65 * 2);
    assert_int_equal(last->service_ticks, 35 * RIG_CYCLE); /* one row: 2210 bytes, 35 bursts */
    assert_int_equal(plan.write_bytes, 17 * 65 * 2);
    rig_close(&r);
}

/* ---- no loop ---- */

static void a_math_only_composite_is_serial(void **state) {
    (void)state;
    expect_plan("kernel=math_chain M=3 N=5", 1,
                "0 rmax\n1 exp_diff <0\n2 rsum <1\n3 div_bcast <2\n");
}

static void a_primitive_is_one_stage_of_its_engine(void **state) {
    (void)state;
    rig r = rig_lower("kernel=math_chain M=3 N=5");
    static const struct {
        uint32_t cmd;
        ks_server server;
        ks_row_kind kind;
        ks_phase phase;
        uint64_t bytes;
    } table[] = {{0, KS_SERVER_DMA_RD, KS_ROW_DMA_READ, KS_PHASE_dma, 30},
                 {2, KS_SERVER_DMA_WR, KS_ROW_DMA_WRITE, KS_PHASE_dma, 30}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_plan plan = rig_plan(&r, table[i].cmd);
        assert_int_equal(plan.stage_count, 1);
        assert_int_equal(plan.stages[0].server, table[i].server);
        assert_int_equal(plan.stages[0].kind, table[i].kind);
        assert_int_equal(plan.stages[0].phase, table[i].phase);
        assert_int_equal(plan.stages[0].bytes, table[i].bytes);
        assert_int_equal(plan.stages[0].m, KS_NO_INDEX);
    }
    rig_close(&r);
}

static void dots(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    (void)layout;
    ks_tl_dot(tl, ks_tl_alloc(tl, 17, 65, KS_F16), ks_tl_alloc(tl, 65, 66, KS_F16));
}

static void a_dot_is_one_gemm_stage_whatever_its_size(void **state) {
    (void)state;
    static const ks_kernel kernel = {"dots", KS_TASK_GEMM, dots, 0};
    rig r = rig_lower_kernel(&kernel, "M=1 K=1 N=1");
    const ks_plan plan = rig_plan(&r, 0);
    assert_int_equal(plan.stage_count, 1);
    assert_int_equal(plan.stages[0].kind, KS_ROW_GEMM);
    assert_int_equal(plan.stages[0].phase, KS_PHASE_prim);
    assert_int_equal(plan.stages[0].elements, 17 * 65 * 66);
    assert_int_equal(plan.stages[0].service_ticks, (16 + 2 * 2 * 65) * RIG_CYCLE);
    assert_int_equal(plan.macs, 17 * 65 * 66);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_reads_fetches_multiplies_stores_and_writes),
        cmocka_unit_test(steps_wait_for_the_buffers_that_they_use_again),
        cmocka_unit_test(with_one_buffer_of_each_every_step_waits_for_the_one_before),
        cmocka_unit_test(each_buffer_count_reaches_back_as_many_steps),
        cmocka_unit_test(pinned_operands_are_not_read_and_a_tcm_output_is_not_written),
        cmocka_unit_test(with_both_operands_pinned_nothing_is_read),
        cmocka_unit_test(a_k_tile_op_runs_in_every_step_and_the_next_step_waits_for_it),
        cmocka_unit_test(an_output_tile_op_runs_after_the_k_loop),
        cmocka_unit_test(position_and_scope_place_every_epilogue_op),
        cmocka_unit_test(the_prologue_is_serial_and_the_loop_waits_for_its_last_op),
        cmocka_unit_test(the_what_if_frees_the_reads_and_nothing_else),
        cmocka_unit_test(no_loop_stage_can_start_before_the_last_pre_op_ended),
        cmocka_unit_test(a_post_loop_op_waits_for_every_store),
        cmocka_unit_test(with_a_post_loop_op_an_hbm_output_is_written_once_and_whole),
        cmocka_unit_test(a_math_only_composite_is_serial),
        cmocka_unit_test(a_primitive_is_one_stage_of_its_engine),
        cmocka_unit_test(a_dot_is_one_gemm_stage_whatever_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
