/* MODEL.md section 11, to the last digit: S = 4096, d = 128, G = 8, f16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static rig run_at(const char *kernel, unsigned tile, const char *more) {
    char key[256];
    snprintf(key, sizeof key, "kernel=%s G=8 TILE=%u d=128 S=4096 %s", kernel, tile, more);
    return rig_run(key);
}

static uint64_t total_at(const char *kernel, unsigned tile, const char *more) {
    rig r = run_at(kernel, tile, more);
    const uint64_t total = r.timeline.total_ticks;
    rig_close(&r);
    return total;
}

static void the_table_s_eighteen_totals(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        const char *more;
        struct {
            unsigned tile;
            const char *total;
        } rows[4];
    } table[] = {
        {"decode_opt1", "", {{16, "350849.5"}, {64, "119177.5"}, {256, "57419.5"}}},
        {"decode_opt2",
         "",
         {{16, "139982.125"}, {64, "59078.125"}, {256, "40502.125"}, {1024, "36398.125"}}},
        {"decode_opt3",
         "",
         {{16, "163580.125"}, {64, "59205.125"}, {256, "37405.125"}, {1024, "37279.75"}}},
        {"decode_a1", "", {{16, "161912.125"}, {64, "67331.125"}, {256, "44627.125"}}},
        {"decode_a1",
         "policy=rw_aware",
         {{16, "123662.125"}, {64, "51455.125"}, {256, "37247.125"}, {1024, "37523.125"}}},
    };
    unsigned figures = 0;
    for (size_t k = 0; k < COUNT(table); k++)
        for (size_t i = 0; i < 4 && table[k].rows[i].total; i++, figures++)
            rig_expect_cycles(total_at(table[k].kernel, table[k].rows[i].tile, table[k].more),
                              table[k].rows[i].total);
    assert_int_equal(figures, 18);
}

static void opt2_over_opt3_turns_at_tile_64_and_again_at_1024(void **state) {
    (void)state;
    static const struct {
        unsigned tile;
        uint64_t thousandths; /* opt3 / opt2 */
    } table[] = {{16, 1169}, {64, 1002}, {256, 924}, {1024, 1024}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const uint64_t opt2 = total_at("decode_opt2", table[i].tile, "");
        const uint64_t opt3 = total_at("decode_opt3", table[i].tile, "");
        assert_int_equal((opt3 * 1000 + opt2 / 2) / opt2, table[i].thousandths);
    }
    for (unsigned tile = 128; tile <= 512; tile *= 2) /* and loses in between */
        assert_true(total_at("decode_opt2", tile, "") > total_at("decode_opt3", tile, ""));
}

static void the_what_ifs_at_tile_256_gain_0_8_and_0_5_and_8_4_percent(void **state) {
    (void)state;
    static const struct {
        const char *more, *total;
        uint64_t gain; /* tenths of a percent */
    } table[] = {
        {"stream_in_prologue=1", "40163.125", 8},                  /* D6.2 alone */
        {"policy=rw_aware", "40285.125", 5},                       /* D6.3 alone */
        {"stream_in_prologue=1 policy=rw_aware", "37107.125", 84}, /* both */
    };
    const uint64_t base = total_at("decode_opt2", 256, "");
    for (size_t i = 0; i < COUNT(table); i++) {
        const uint64_t total = total_at("decode_opt2", 256, table[i].more);
        rig_expect_cycles(total, table[i].total);
        assert_int_equal(((base - total) * 1000 + base / 2) / base, table[i].gain);
    }
}

static void a1_with_rw_aware_beats_opt2_from_16_to_512_and_not_at_1024(void **state) {
    (void)state;
    for (unsigned tile = 16; tile <= 512; tile *= 2)
        assert_true(total_at("decode_a1", tile, "policy=rw_aware") <
                    total_at("decode_opt2", tile, ""));
    assert_true(total_at("decode_a1", 1024, "policy=rw_aware") > total_at("decode_opt2", 1024, ""));
}

/* Q, K and V once: 2048 + 2 x 2^20 bytes at 64 a cycle. */
static void the_dma_roofline_is_32800_cycles(void **state) {
    (void)state;
    static const char *const kernels[] = {"decode_opt1", "decode_opt2", "decode_opt3", "decode_a1"};
    for (size_t k = 0; k < COUNT(kernels); k++) {
        rig r = run_at(kernels[k], 256, "");
        assert_int_equal(r.timeline.read_bytes, 32800 * 64);
        assert_int_equal(r.timeline.write_bytes, 2048);
        assert_int_equal(r.timeline.busy_ticks[KS_SERVER_DMA_RD], 32800 * UINT64_C(10000));
        rig_close(&r);
    }
}

static void dispatch_per_tile_is_423_625_and_103_625_and_143_625(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *cycles;
    } table[] = {{"decode_opt1", "423.625"},
                 {"decode_opt2", "103.625"},
                 {"decode_opt3", "423.625"},
                 {"decode_a1", "143.625"}};
    static const unsigned tiles[] = {16, 256, 1024};
    for (size_t k = 0; k < COUNT(table); k++)
        for (size_t i = 0; i < COUNT(tiles); i++) {
            rig r = run_at(table[k].kernel, tiles[i], "");
            assert_int_equal(r.dispatch.tile_ticks % r.program->tile_count, 0);
            rig_expect_cycles(r.dispatch.tile_ticks / r.program->tile_count, table[k].cycles);
            assert_int_equal(r.dispatch.ticks, r.timeline.busy_ticks[KS_SERVER_CPU]);
            rig_close(&r);
        }
}

/* At 1.25 GHz 40 cycles are 32 ns. */
static void one_command_fewer_a_tile_saves_40_cycles(void **state) {
    (void)state;
    rig a1 = run_at("decode_a1", 256, ""), opt2 = run_at("decode_opt2", 256, "");
    assert_int_equal(a1.dispatch.logical_bytes, opt2.dispatch.logical_bytes);
    rig_expect_cycles((a1.dispatch.tile_ticks - opt2.dispatch.tile_ticks) / 16, "40");
    const uint64_t clock = ks_ticks_of(&opt2.point.calibration, KS_C_clock_ghz);
    assert_int_equal(40 * 10000 / clock, 32);
    rig_close(&a1);
    rig_close(&opt2);
}

static void composite_1_has_56_logical_bytes_and_composite_2_has_322(void **state) {
    (void)state;
    rig r = run_at("decode_opt2", 256, "");
    enum { NUMBER_1 = 4, NUMBER_2 = 5 }; /* behind load and three fills */
    assert_int_equal(rig_cpu_row(&r, KS_ROW_DISPATCH, NUMBER_1, 0)->bytes, 56);
    assert_int_equal(rig_cpu_row(&r, KS_ROW_DISPATCH, NUMBER_2, 0)->bytes, 322);
    rig_expect_cycles(rig_cpu_row(&r, KS_ROW_DISPATCH, NUMBER_1, 0)->end -
                          rig_cpu_row(&r, KS_ROW_DISPATCH, NUMBER_1, 0)->start,
                      "43.5");
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_s_eighteen_totals),
        cmocka_unit_test(opt2_over_opt3_turns_at_tile_64_and_again_at_1024),
        cmocka_unit_test(the_what_ifs_at_tile_256_gain_0_8_and_0_5_and_8_4_percent),
        cmocka_unit_test(a1_with_rw_aware_beats_opt2_from_16_to_512_and_not_at_1024),
        cmocka_unit_test(the_dma_roofline_is_32800_cycles),
        cmocka_unit_test(dispatch_per_tile_is_423_625_and_103_625_and_143_625),
        cmocka_unit_test(one_command_fewer_a_tile_saves_40_cycles),
        cmocka_unit_test(composite_1_has_56_logical_bytes_and_composite_2_has_322),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
