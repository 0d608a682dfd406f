/* What commands each kernel becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/kernels.h"
#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Commands as text: primitives by their op, composites as their ops joined by '+'; those of a tile
 * after "[j:", up to "]". */
static void expect_commands(const char *key, const char *expected) {
    rig r = rig_lower(key);
    ks_text found = {0};
    uint64_t tile = KS_NO_TILE;
    for (uint32_t c = 0; c < r.program->command_count; c++) {
        const ks_command *command = r.program->commands[c];
        if (tile != command->tile && tile != KS_NO_TILE) ks_text_add_string(&found, " ]");
        if (tile != command->tile && command->tile != KS_NO_TILE)
            ks_text_add_format(&found, " [%u:", (unsigned)command->tile);
        tile = command->tile;
        for (uint32_t i = 0; i < command->op_count; i++) {
            ks_text_add_char(&found, i ? '+' : ' ');
            ks_text_add_string(&found, ks_op_name(command->ops[i].kind));
        }
        if (command->is_composite) ks_text_add_char(&found, '.');
    }
    assert_string_equal(ks_text_string(&found) + 1, expected);
    ks_text_free(&found);
    rig_close(&r);
}

#define MERGE_STEPS "rmax max_elem exp_diff exp_diff rsum fma mul_bcast copy"
#define MERGE "rmax+max_elem+exp_diff+exp_diff+rsum+fma+mul_bcast+copy"

static void kernels_issue_the_commands_of_the_model(void **state) {
    (void)state;
    static const struct {
        const char *key, *commands;
    } table[] = {
        {"kernel=decode_opt2 G=8 TILE=16 d=32 S=32",
         "load fill fill fill [0: gemm+scale. " MERGE "+gemm+add. ] [1: gemm+scale. " MERGE
         "+gemm+add. ] div_bcast cast store"},
        {"kernel=decode_opt1 G=8 TILE=16 d=32 S=32",
         "load fill fill fill [0: gemm+scale. " MERGE_STEPS
         " gemm+add. ] [1: gemm+scale. " MERGE_STEPS " gemm+add. ] div_bcast cast store"},
        {"kernel=decode_opt3 G=8 TILE=16 d=32 S=48", /* #1 of the next tile first; none after the last */
         "load fill fill fill [0: gemm+scale. gemm+scale. " MERGE_STEPS
         " gemm+add. ] [1: gemm+scale. " MERGE_STEPS " gemm+add. ] [2: " MERGE_STEPS
         " gemm+add. ] div_bcast cast store"},
        {"kernel=decode_a1 G=8 TILE=16 d=32 S=17", /* a last tile of one row */
         "load fill fill fill [0: gemm+scale. " MERGE ". gemm+add. ] [1: gemm+scale. " MERGE
         ". gemm+add. ] div_bcast cast store"},
        {"kernel=decode_opt2 G=8 TILE=16 d=32 S=16 dtype=f32", /* acc = dtype: no cast */
         "load fill fill fill [0: gemm+scale. " MERGE "+gemm+add. ] div_bcast store"},
        {"kernel=decode_opt2 G=8 TILE=16 d=32 S=16 acc=bf16", /* as wide as f16, but another */
         "load fill fill fill [0: gemm+scale. " MERGE "+gemm+add. ] div_bcast cast store"},
        {"kernel=gemm M=4 K=4 N=4", "gemm."},
        {"kernel=gemm_bias_relu M=4 K=4 N=4", "load gemm+add+relu."},
        {"kernel=gemm_ktile_scale M=4 K=4 N=4", "gemm+scale."},
        {"kernel=gemm_chain M=4 K=4 N=4", "gemm. gemm."},
        {"kernel=gemm_postnorm M=4 K=4 N=4", "gemm+rmsnorm. store"},
        {"kernel=math_chain M=4 N=4", "load rmax+exp_diff+rsum+div_bcast. store"},
        {"kernel=rmsnorm_linear M=4 K=4 N=4",
         "load load rsumsq+rsqrt_mean+mul_bcast+mul_elem+gemm."},
    };
    for (size_t i = 0; i < COUNT(table); i++) expect_commands(table[i].key, table[i].commands);
}

static void a_tile_has_as_many_commands_as_its_variant_says(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t commands, composites;
    } table[] = {
        {"decode_opt1", 10, 2}, {"decode_opt2", 2, 2}, {"decode_opt3", 10, 2}, {"decode_a1", 3, 3}};
    for (size_t i = 0; i < COUNT(table); i++) {
        enum { TILES = 5, SET_UP = 4, END = 3 };
        ks_text key = {0};
        ks_text_add_format(&key, "kernel=%s G=8 TILE=16 d=32 S=%d", table[i].kernel, TILES * 16);
        rig r = rig_lower(key.data);
        uint32_t of_tiles = 0;
        for (uint32_t c = 0; c < r.program->command_count; c++)
            of_tiles += r.program->commands[c]->tile != KS_NO_TILE;
        assert_int_equal(r.program->tile_count, TILES);
        assert_int_equal(of_tiles, TILES * table[i].commands);
        assert_int_equal(r.program->command_count, of_tiles + SET_UP + END);
        assert_int_equal(r.dispatch.composite_count, TILES * table[i].composites);
        rig_close(&r);
        ks_text_free(&key);
    }
}

static void a_bench_is_one_tile_and_all_its_commands_count(void **state) {
    (void)state;
    rig r = rig_lower("kernel=gemm_bias_relu M=4 K=4 N=4");
    assert_true(r.program->is_one_tile);
    assert_int_equal(r.program->tile_count, 1);
    assert_int_equal(r.dispatch.tile_ticks, r.dispatch.ticks);
    rig_expect_cycles(r.dispatch.ticks, "87"); /* 2 x 40 + (28 + 84) / 16 */
    rig_close(&r);
}

/* G = 8, TILE = 16, d = 32 in f16, acc f32: each end rounded up to 64. */
static void a_decode_allocates_q_m_l_o_and_its_s_buffers_in_this_order(void **state) {
    (void)state;
    rig r = rig_lower("kernel=decode_opt2 G=8 TILE=16 d=32 S=48");
    const ks_command *const *c = r.program->commands;
    assert_int_equal(c[0]->ops[0].out->addr, 0);    /* Q: 512 */
    assert_int_equal(c[1]->ops[0].out->addr, 512);  /* m: 32 */
    assert_int_equal(c[2]->ops[0].out->addr, 576);  /* l: 32 */
    assert_int_equal(c[3]->ops[0].out->addr, 640);  /* O: 1024 */
    assert_int_equal(c[4]->ops[0].out->addr, 1664); /* S[0]: 256 */
    assert_int_equal(c[6]->ops[0].out->addr, 1920); /* S[1]: 256 */
    assert_int_equal(c[8]->ops[0].out->addr, 1664); /* S[2 mod 2] */
    /* scratch of a tile: m_loc, m_new, corr, P, l_loc from 2176, given back at its end */
    assert_int_equal(c[5]->ops[0].out->addr, 2176);
    assert_int_equal(c[7]->ops[0].out->addr, 2176);
    assert_int_equal(c[9]->ops[0].out->addr, 2176);
    assert_int_equal(c[11]->ops[0].out->addr, 2176); /* O_out, persistent: 512 */
    assert_int_equal(r.program->tcm_peak_bytes, 2176 + 512);
    rig_close(&r);
}

static void with_one_s_buffer_every_tile_uses_it(void **state) {
    (void)state;
    rig r = rig_lower("kernel=decode_opt2 G=8 TILE=16 d=32 S=48 s_buffers=1");
    const ks_command *const *c = r.program->commands;
    for (uint32_t j = 0; j < 3; j++) assert_int_equal(c[4 + 2 * j]->ops[0].out->addr, 1664);
    assert_int_equal(c[5]->ops[0].out->addr, 1920); /* scratch right behind it */
    rig_close(&r);
}

static void the_last_tile_is_as_narrow_as_what_is_left(void **state) {
    (void)state;
    static const struct {
        const char *s;
        uint64_t tiles, last_width;
    } table[] = {{"15", 1, 15}, {"16", 1, 16}, {"17", 2, 1},
                 {"31", 2, 15}, {"32", 2, 16}, {"1", 1, 1}};
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text key = {0};
        ks_text_add_format(&key, "kernel=decode_opt2 G=8 TILE=16 d=32 S=%s", table[i].s);
        rig r = rig_lower(key.data);
        assert_int_equal(r.program->tile_count, table[i].tiles);
        const uint64_t last = table[i].tiles - 1;
        const ks_op *scores = &r.program->commands[4 + 2 * last]->ops[0];
        const ks_op *values = &r.program->commands[5 + 2 * last]->ops[8];
        assert_int_equal(scores->out->rows, 8);
        assert_int_equal(scores->out->cols, table[i].last_width); /* stride w too */
        assert_true(scores->m == 8 && scores->k == 32 && scores->n == table[i].last_width);
        assert_true(scores->is_b_transposed);
        assert_true(values->m == 8 && values->k == table[i].last_width && values->n == 32);
        assert_false(values->is_b_transposed);
        /* rows of K and V: Q is one page, K and V begin on pages of their own */
        assert_int_equal(scores->operands[1].handle->addr, 0x10001000 + last * 16 * 64);
        assert_int_equal(scores->operands[1].handle->rows, table[i].last_width);
        assert_int_equal(values->operands[1].handle->addr, 0x10002000 + last * 16 * 64);
        rig_close(&r);
        ks_text_free(&key);
    }
}

static void the_set_up_fills_m_with_minus_infinity_and_l_and_o_with_0(void **state) {
    (void)state;
    rig r = rig_lower("kernel=decode_opt2 G=8 TILE=16 d=32 S=16");
    assert_true(isinf(r.program->commands[1]->ops[0].immediate) &&
                r.program->commands[1]->ops[0].immediate < 0);
    assert_true(r.program->commands[2]->ops[0].immediate == 0.0f);
    assert_true(r.program->commands[3]->ops[0].immediate == 0.0f);
    assert_int_equal(r.program->result_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_ptr_equal(r.program->results[i], r.program->commands[1 + i]->ops[0].out);
    rig_close(&r);
}

static void the_scores_are_scaled_by_1_over_the_root_of_d_in_f32(void **state) {
    (void)state;
    static const struct {
        const char *d;
        float scale;
    } table[] = {{"1", 1.0f},
                 {"4", 0.5f},
                 {"64", 0.125f},
                 {"128", 0x1.6a09e6p-4f},
                 {"72", 0x1.e2b7dep-4f},
                 {"3", 0x1.279a74p-1f}};
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text key = {0};
        ks_text_add_format(&key, "kernel=decode_opt2 G=1 TILE=1 d=%s S=1", table[i].d);
        rig r = rig_lower(key.data);
        const float found = r.program->commands[4]->ops[1].immediate;
        if (found != table[i].scale) print_error("d %s: %a\n", table[i].d, (double)found);
        assert_true(found == table[i].scale);
        rig_close(&r);
        ks_text_free(&key);
    }
}

static void ktile_scale_halves_after_every_k_tile(void **state) {
    (void)state;
    rig r = rig_lower("kernel=gemm_ktile_scale M=4 K=4 N=4");
    const ks_op *scale = &r.program->commands[0]->ops[1];
    assert_int_equal(scale->scope, KS_SCOPE_K_TILE);
    assert_true(scale->immediate == 0.5f);
    rig_close(&r);
}

static void formats_go_where_the_model_puts_them(void **state) {
    (void)state;
    static const struct {
        const char *key;
        ks_dtype q, s, p, acc, out;
    } table[] = {
        {"", KS_F16, KS_F16, KS_F16, KS_F32, KS_F16},
        {"dtype=bf16", KS_BF16, KS_BF16, KS_BF16, KS_F32, KS_BF16},
        {"score=f32", KS_F16, KS_F32, KS_F32, KS_F32, KS_F16},
        {"p_dtype=f32", KS_F16, KS_F16, KS_F32, KS_F32, KS_F16},
        {"dtype=f32 score=f16 p_dtype=bf16 acc=f16", KS_F32, KS_F16, KS_BF16, KS_F16, KS_F32},
    };
    static const char *const kernels[] = {"decode_opt2", "decode_opt3"};
    for (size_t k = 0; k < COUNT(kernels); k++)
        for (size_t i = 0; i < COUNT(table); i++) {
            ks_text key = {0};
            ks_text_add_format(&key, "kernel=%s G=8 TILE=16 d=32 S=16 %s", kernels[k],
                               table[i].key);
            rig r = rig_lower(key.data);
            const ks_command *const *c = r.program->commands;
            /* P: the fourth step of #2, or of the primitives behind #1 */
            const ks_op *p = k == 0 ? &c[5]->ops[3] : &c[8]->ops[0];
            assert_int_equal(c[0]->ops[0].out->dtype, table[i].q);
            assert_int_equal(c[3]->ops[0].out->dtype, table[i].acc);
            assert_int_equal(c[4]->ops[0].out->dtype, table[i].s);
            assert_int_equal(p->out->dtype, table[i].p);
            assert_int_equal(c[r.program->command_count - 1]->ops[0].out->dtype, table[i].out);
            rig_close(&r);
            ks_text_free(&key);
        }
}

static void opt3_needs_two_s_buffers_and_no_other_kernel_does(void **state) {
    (void)state;
    for (size_t i = 0; i < ks_kernels.count; i++)
        assert_int_equal(ks_kernels.kernels[i].least_s_buffers > 1,
                         strcmp(ks_kernels.kernels[i].name, "decode_opt3") == 0);
    assert_int_equal(ks_kernels.kernels[ks_kernel_find(&ks_kernels, "decode_opt3")].least_s_buffers,
                     2);
}

static void opt1_waits_after_every_command(void **state) {
    (void)state;
    rig r = rig_lower("kernel=decode_opt1 G=8 TILE=16 d=32 S=32");
    for (uint32_t c = 0; c < r.program->command_count; c++) {
        assert_int_equal(r.program->instructions[2 * c].kind, KS_DISPATCH);
        assert_int_equal(r.program->instructions[2 * c].command, c);
        assert_int_equal(r.program->instructions[2 * c + 1].kind, KS_WAIT);
        assert_int_equal(r.program->instructions[2 * c + 1].command, c);
    }
    rig_close(&r);
}

static void tcm_overflows_on_the_exact_byte(void **state) {
    (void)state;
    rig fits = rig_try("kernel=decode_opt2 G=8 TILE=16 d=32 S=48 tcm_bytes=2688");
    assert_int_equal(fits.lowering->verdict, KS_LOWERED);
    rig_close(&fits);
    rig does_not = rig_try("kernel=decode_opt2 G=8 TILE=16 d=32 S=48 tcm_bytes=2687");
    assert_int_equal(does_not.lowering->verdict, KS_LOWERING_TCM_OVERFLOW);
    assert_int_equal(does_not.lowering->end, 2688);
    assert_int_equal(does_not.lowering->tcm_bytes, 2687);
    rig_close(&does_not);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_issue_the_commands_of_the_model),
        cmocka_unit_test(a_tile_has_as_many_commands_as_its_variant_says),
        cmocka_unit_test(a_bench_is_one_tile_and_all_its_commands_count),
        cmocka_unit_test(a_decode_allocates_q_m_l_o_and_its_s_buffers_in_this_order),
        cmocka_unit_test(with_one_s_buffer_every_tile_uses_it),
        cmocka_unit_test(the_last_tile_is_as_narrow_as_what_is_left),
        cmocka_unit_test(the_set_up_fills_m_with_minus_infinity_and_l_and_o_with_0),
        cmocka_unit_test(the_scores_are_scaled_by_1_over_the_root_of_d_in_f32),
        cmocka_unit_test(ktile_scale_halves_after_every_k_tile),
        cmocka_unit_test(formats_go_where_the_model_puts_them),
        cmocka_unit_test(opt3_needs_two_s_buffers_and_no_other_kernel_does),
        cmocka_unit_test(opt1_waits_after_every_command),
        cmocka_unit_test(tcm_overflows_on_the_exact_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
