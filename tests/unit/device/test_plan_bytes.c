/* What stages move and compute, and how long that takes: MODEL.md sections 6 and 7, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/plan.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- what a stage moves ---- */

/* Stage's bytes, elements, cycles. Tiles of 16 x 64 x 64. */
static void stages_move_their_tile_and_take_its_time(void **state) {
    (void)state;
    static const struct {
        const char *key;
        uint32_t cmd, stage;
        uint64_t bytes, elements, cycles;
    } table[] = {
        /* a 17 x 65, b 65 x 66, out 17 x 66, f16: (0,0,0) is full */
        {"kernel=gemm M=17 K=65 N=66", 0, 0, 2048, 0, 32},  /* A: 16 rows of 128 bytes */
        {"kernel=gemm M=17 K=65 N=66", 0, 1, 8192, 0, 128}, /* B: 64 rows of 128 */
        {"kernel=gemm M=17 K=65 N=66", 0, 2, 10240, 0, 40}, /* F */
        {"kernel=gemm M=17 K=65 N=66", 0, 3, 0, 65536, 80}, /* G */
        {"kernel=gemm M=17 K=65 N=66", 0, 4, 32, 0, 16},    /* A, k 1: 16 rows of 2, a burst each */
        {"kernel=gemm M=17 K=65 N=66", 0, 5, 128, 0, 2},    /* B, k 1: one row of 128 */
        {"kernel=gemm M=17 K=65 N=66", 0, 6, 160, 0, 1},
        {"kernel=gemm M=17 K=65 N=66", 0, 7, 0, 1024, 17},
        {"kernel=gemm M=17 K=65 N=66", 0, 8, 2048, 0, 8},  /* S */
        {"kernel=gemm M=17 K=65 N=66", 0, 9, 2048, 0, 32}, /* W: 16 rows of 128 */
        {"kernel=gemm M=17 K=65 N=66", 0, 11, 256, 0, 64}, /* B, n 1: 64 rows of 4 */
        {"kernel=gemm M=17 K=65 N=66", 0, 19, 64, 0, 16},  /* W, n 1: 16 rows of 4 */
        /* as wide as the handle: one row on the wire */
        {"kernel=gemm M=16 K=1 N=3", 0, 0, 32, 0, 1},   /* A 16 x 1: 32 bytes, one burst */
        {"kernel=gemm M=16 K=1 N=3", 0, 5, 96, 0, 2},   /* W 16 x 3: 96 bytes */
        {"kernel=gemm M=16 K=3 N=64", 0, 1, 384, 0, 6}, /* B 3 x 64 */
        {"kernel=gemm M=16 K=33 N=64", 0, 0, 1056, 0,
         17}, /* A 16 x 33: 1056 bytes, not 16 x 2 bursts */
        {"kernel=gemm M=16 K=64 N=64", 0, 0, 2048, 0, 32},
        {"kernel=gemm M=1 K=1 N=1 dtype=f32", 0, 2, 8, 0, 1},
        /* #1 of a decode: Q pinned, K transposed, tile of nt rows of kt elements */
        {"kernel=decode_opt2 G=8 TILE=70 d=65 S=70", 4, 0, 8192, 0, 128}, /* 64 rows of 128 */
        {"kernel=decode_opt2 G=8 TILE=70 d=65 S=70", 4, 1, 9216, 0, 36},  /* + Q 8 x 64 */
        {"kernel=decode_opt2 G=8 TILE=70 d=65 S=70", 4, 3, 128, 0, 64},   /* 64 rows of 2 */
        {"kernel=decode_opt2 G=8 TILE=70 d=65 S=70", 4, 6, 0, 512, 16},   /* scale on 8 x 64 */
        {"kernel=decode_opt2 G=8 TILE=70 d=65 S=70", 4, 7, 1024, 0, 4},   /* S, f16 */
        {"kernel=decode_opt2 G=8 TILE=70 d=65 S=70", 4, 8, 768, 0, 12},   /* n 1: 6 rows of 128 */
        {"kernel=decode_opt2 G=8 TILE=64 d=64 S=64", 4, 0, 8192, 0, 128},
        {"kernel=decode_opt2 G=8 TILE=64 d=3 S=64", 4, 0, 384, 0, 6}, /* as wide as K: one row */
        {"kernel=decode_opt2 G=8 TILE=64 d=3 S=65", 6, 0, 6, 0, 1},   /* the last tile: 1 x 3 */
        /* #2: pre ops by the largest handle, then P 8 x 64 and V */
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=64", 5, 0, 0, 512, 16},  /* rmax */
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=64", 5, 1, 0, 8, 9},     /* max_elem */
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=64", 5, 3, 0, 512, 40},  /* exp_diff: 8 + 8 x 4 */
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=64", 5, 6, 0, 1024, 24}, /* mul_bcast on O */
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=64", 5, 12, 2048, 0, 8}, /* STORE to O, f32 */
        /* loads and stores are one row */
        {"kernel=math_chain M=16 N=3", 0, 0, 96, 0, 2},
        {"kernel=math_chain M=16 N=3", 2, 0, 96, 0, 2},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = rig_lower(table[i].key);
        const ks_plan plan = rig_plan(&r, table[i].cmd);
        const ks_stage *stage = &plan.stages[table[i].stage];
        const bool is_right = stage->bytes == table[i].bytes &&
                              stage->elements == table[i].elements &&
                              stage->service_ticks == table[i].cycles * RIG_CYCLE;
        if (!is_right)
            fail_msg("%s, command %u, stage %u: %llu bytes, %llu elements, %llu cycles",
                     table[i].key, table[i].cmd, table[i].stage, (unsigned long long)stage->bytes,
                     (unsigned long long)stage->elements,
                     (unsigned long long)(stage->service_ticks / RIG_CYCLE));
        rig_close(&r);
    }
}

static void tiles_begin_where_the_one_before_ended(void **state) {
    (void)state;
    rig r = rig_lower("kernel=gemm M=33 K=130 N=65");
    const ks_plan plan = rig_plan(&r, 0);
    uint64_t steps = 0, out_tiles = 0;
    for (uint32_t s = 0; s < plan.stage_count; s++) {
        const ks_stage *stage = &plan.stages[s];
        assert_int_equal(stage->row, stage->m * 16);
        assert_int_equal(stage->col, stage->n * 64);
        assert_int_equal(stage->mt, stage->m == 2 ? 1 : 16);
        assert_int_equal(stage->nt, stage->n == 1 ? 1 : 64);
        if (stage->k != KS_NO_INDEX) assert_int_equal(stage->kt, stage->k == 2 ? 2 : 64);
        if (stage->k != KS_NO_INDEX) assert_int_equal(stage->depth, stage->k * 64);
        if (stage->role == KS_STAGE_GEMM) assert_int_equal(stage->step, steps++);
        if (stage->role == KS_STAGE_STORE) assert_int_equal(stage->out_tile, out_tiles++);
    }
    assert_int_equal(steps, 3 * 2 * 3);
    assert_int_equal(out_tiles, 3 * 2);
    rig_close(&r);
}

/* A streamed a is read for every column tile, a streamed b for every row tile. */
static void a_plan_totals_what_it_moves_and_computes(void **state) {
    (void)state;
    static const struct {
        const char *key;
        uint32_t cmd;
        uint64_t read, written, macs, math;
    } table[] = {
        {"kernel=gemm M=33 K=130 N=65", 0, 33 * 130 * 2 * 2 + 130 * 65 * 2 * 3, 33 * 65 * 2,
         33 * 130 * 65, 0},
        {"kernel=gemm_bias_relu M=33 K=130 N=65", 1, 33 * 130 * 2 * 2 + 130 * 65 * 2 * 3,
         33 * 65 * 2, 33 * 130 * 65, 2 * 33 * 65},
        {"kernel=gemm_ktile_scale M=33 K=130 N=65", 0, 33 * 130 * 2 * 2 + 130 * 65 * 2 * 3,
         33 * 65 * 2, 33 * 130 * 65, 3 * 33 * 65},
        {"kernel=decode_opt2 G=33 TILE=70 d=40 S=70", 4, 70 * 40 * 2 * 3, 0, 33 * 40 * 70, 33 * 70},
        {"kernel=math_chain M=3 N=5", 1, 0, 0, 0, 4 * 15},
        {"kernel=math_chain M=3 N=5", 0, 30, 0, 0, 0},
        {"kernel=math_chain M=3 N=5", 2, 0, 30, 0, 0},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = rig_lower(table[i].key);
        const ks_plan plan = rig_plan(&r, table[i].cmd);
        assert_int_equal(plan.read_bytes, table[i].read);
        assert_int_equal(plan.write_bytes, table[i].written);
        assert_int_equal(plan.macs, table[i].macs);
        assert_int_equal(plan.math_elements, table[i].math);
        rig_close(&r);
    }
}

static void nexts_are_the_reverse_of_deps(void **state) {
    (void)state;
    rig r = rig_lower("kernel=rmsnorm_linear M=33 K=130 N=65");
    const ks_plan plan = rig_plan(&r, 2);
    uint32_t deps = 0, nexts = 0;
    for (uint32_t s = 0; s < plan.stage_count; s++) {
        deps += plan.stages[s].dep_count;
        nexts += plan.stages[s].next_count;
        for (uint32_t i = 0; i < plan.stages[s].next_count; i++) {
            const ks_stage *next = &plan.stages[plan.nexts[plan.stages[s].first_next + i]];
            bool is_back = false;
            for (uint32_t d = 0; d < next->dep_count; d++)
                is_back |= plan.deps[next->first_dep + d] == s;
            assert_true(is_back);
        }
    }
    assert_int_equal(deps, nexts);
    rig_close(&r);
}

/* ---- figures beyond 2^63 ---- */

static void a_figure_that_is_not_below_2_to_the_63_is_an_overflow(void **state) {
    (void)state;
    /* One tile of M x K x N: MACs 2^60 x 4 = 2^62, 2^60 x 8 = 2^63. */
    static const struct {
        uint64_t m, k, n;
        ks_status status;
    } table[] = {{UINT64_C(1) << 30, UINT64_C(1) << 30, 4, KS_OK},
                 {UINT64_C(1) << 30, UINT64_C(1) << 30, 7, KS_OK},
                 {UINT64_C(1) << 30, UINT64_C(1) << 30, 8, KS_INPUT}};
    ks_point point =
        rig_point("gemm_tile_m=1073741824 gemm_tile_n=1073741824 gemm_tile_k=1073741824 "
                  "gemm_rows=1073741824 gemm_cols=1073741824 dma_bytes_per_cycle=1000000000000 "
                  "fetch_bytes_per_cycle=1000000000000 store_bytes_per_cycle=1000000000000");
    const ks_machine machine = ks_machine_of(&point);
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_arena *arena = ks_arena_new(1 << 16);
        const ks_handle a = {.rows = table[i].m, .cols = table[i].k, .dtype = KS_F16};
        const ks_handle b = {.rows = table[i].k, .cols = table[i].n, .dtype = KS_F16};
        const ks_handle out = {.rows = table[i].m, .cols = table[i].n, .dtype = KS_F16};
        const ks_op op = {.kind = KS_OP_gemm,
                          .operand_count = 2,
                          .operands = {{"a", &a}, {"b", &b}},
                          .out = &out,
                          .m = table[i].m,
                          .k = table[i].k,
                          .n = table[i].n};
        const ks_command command = {.is_composite = true, .op_count = 1, .ops = &op};
        ks_plan plan;
        assert_int_equal(ks_plan_build(&command, &machine, arena, &plan), table[i].status);
        ks_arena_free(arena);
    }
}

static void a_service_beyond_2_to_the_63_is_an_overflow_of_the_plan(void **state) {
    (void)state;
    static const struct {
        const char *key;
        ks_status status;
    } table[] = {
        {"kernel=gemm M=1 K=1 N=1 gemm_fill_cycles=922337203685476", KS_OK},
        {"kernel=gemm M=1 K=1 N=1 gemm_fill_cycles=922337203685477", KS_INPUT},
        {"kernel=gemm M=1 K=1 N=1 fetch_bytes_per_cycle=0.0001 gemm_fill_cycles=0", KS_OK},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        rig r = rig_lower(table[i].key);
        ks_plan plan;
        assert_int_equal(ks_plan_build(r.program->commands[0], &r.machine, r.arena, &plan),
                         table[i].status);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_move_their_tile_and_take_its_time),
        cmocka_unit_test(tiles_begin_where_the_one_before_ended),
        cmocka_unit_test(a_plan_totals_what_it_moves_and_computes),
        cmocka_unit_test(nexts_are_the_reverse_of_deps),
        cmocka_unit_test(a_figure_that_is_not_below_2_to_the_63_is_an_overflow),
        cmocka_unit_test(a_service_beyond_2_to_the_63_is_an_overflow_of_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
