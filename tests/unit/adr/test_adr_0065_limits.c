/* ADR-0065's test requirements 6 to 11, results, costs and refusals, one function each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "data/data.h"
#include "kernels/kernels.h"
#include "merge_bench.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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
            const ks_isa *isa = NULL;
            assert_int_equal(ks_isa_choose(NULL, &isa, NULL), KS_OK);
            assert_int_equal(ks_numbers_new(&numbers_key, isa, &numbers), KS_OK);
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
        cmocka_unit_test(adr_test_06_opt2_and_opt3_and_their_twins_end_in_the_same_m_l_o_out),
        cmocka_unit_test(adr_test_07_opt3_costs_more_than_twice_opt2_in_dispatch),
        cmocka_unit_test(adr_test_08_two_gemm_ops_are_refused_at_emit),
        cmocka_unit_test(adr_test_09_composite_2_is_one_segment_under_the_cap),
        cmocka_unit_test(adr_test_10_a_given_a_conflicts_with_the_recipe_s_primary_output),
        cmocka_unit_test(adr_test_11_a_math_operand_in_hbm_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
