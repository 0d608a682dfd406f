#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/isa.h"
#include "data/numeric.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define INF __builtin_inff()

/* splitmix64 */
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void exp_has_the_known_answers(void **state) {
    static const struct {
        uint32_t x, y;
    } cases[] = {{0x80000000, 0x3f800000}, {0xb3800000, 0x3f7fffff}, {0xbf000000, 0x3f1b4598},
                 {0xbf317218, 0x3f000000}, {0xbf800000, 0x3ebc5ab2}, {0xc1200000, 0x383e6bce},
                 {0xc1a00000, 0x310da433}, {0xc27c65d9, 0x11fa2992}, {0xc2ae0000, 0x00b33687},
                 {0xc2aeac50, 0x007fffe6}, {0xc2b00000, 0x0041edc4}, {0xc2cfcccd, 0x00000001},
                 {0xc2d00000, 0x00000000}, {0xff800000, 0x00000000}, {0x7f800000, 0x7f800000}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_bits32(ks_exp(ks_float_of_bits(cases[i].x))), cases[i].y);
    assert_int_equal(ks_bits32(ks_exp(0x1.04845ep+5f)), 0x56fc9f1b);
}

static void exp_of_nan_is_nan(void **state) {
    static const uint32_t nans[] = {0x7fc00000, 0xffffffff, 0x7f800001};
    (void)state;
    for (size_t i = 0; i < COUNT(nans); i++) {
        const float y = ks_exp(ks_float_of_bits(nans[i]));
        assert_true(y != y);
    }
}

/* Both are right to half an ulp of float, apart from ties closer than the double's error. */
static void both_exponentials_agree(void **state) {
    uint64_t random = 1;
    (void)state;
    for (int i = 0; i < 300000; i++) {
        const float x = (float)(next(&random) >> 40) * -0x1p-24f * 104;
        assert_int_equal(ks_bits32((float)ks_exp64((double)x)), ks_bits32(ks_exp(x)));
    }
}

static void exp64_is_within_an_ulp(void **state) {
    static const struct {
        double x, y;
    } cases[] = {{0, 1},
                 {1, 0x1.5bf0a8b145769p+1},
                 {-1, 0x1.78b56362cef38p-2},
                 {10, 0x1.5829dcf950560p+14},
                 {-20, 0x1.1b48655f37267p-29},
                 {0.5, 0x1.a61298e1e069cp+0},
                 {-0.5, 0x1.368b2fc6f960ap-1},
                 {-100, 0x1.a8c1f14e2af5dp-145},
                 {-700, 0x1.14f2b0fb9307fp-1010},
                 {-744, 0x0.0000000000002p-1022},
                 {700, 0x1.d945df4f8ec8ep+1009}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const int64_t distance = (int64_t)(ks_bits64(ks_exp64(cases[i].x)) - ks_bits64(cases[i].y));
        assert_in_range(distance + 1, 0, 2);
    }
    assert_true(ks_exp64(-(double)INF) == 0 && ks_exp64(-746) == 0);
    assert_true(ks_exp64((double)INF) == (double)INF && ks_exp64(711) == (double)INF);
}

static void every_half_survives_the_round_trip(void **state) {
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        const uint16_t half = (uint16_t)h;
        const bool is_f16_nan = (h & 0x7fff) > 0x7c00, is_bf16_nan = (h & 0x7fff) > 0x7f80;
        assert_int_equal(ks_f16_of_float(ks_float_of_f16(half)), is_f16_nan ? KS_NAN16 : half);
        assert_int_equal(ks_bf16_of_float(ks_float_of_bf16(half)),
                         is_bf16_nan ? KS_NAN_BF16 : half);
    }
}

static void f16_rounds_to_nearest_even_at_every_edge(void **state) {
    static const struct {
        float x;
        uint16_t half;
    } cases[] = {{0.0f, 0},
                 {-0.0f, 0x8000},
                 {1.0f, 0x3c00},
                 {1.0f + 0x1p-11f, 0x3c00},            /* tie, down to even */
                 {1.0f + 0x1p-11f + 0x1p-23f, 0x3c01}, /* just above */
                 {1.0f + 3 * 0x1p-11f, 0x3c02},        /* tie, up to even */
                 {65504.0f, 0x7bff},
                 {0x1.ffdffep+15f, 0x7bff}, /* just below 65520 */
                 {65520.0f, 0x7c00},
                 {65536.0f, 0x7c00},
                 {3e38f, 0x7c00},
                 {-65520.0f, 0xfc00},
                 {0x1p-14f, 0x0400},     /* smallest normal */
                 {0x1.ff8p-15f, 0x03ff}, /* largest subnormal */
                 {0x1.ffcp-15f, 0x0400}, /* tie, up to the smallest normal */
                 {0x1p-24f, 0x0001},
                 {0x1p-25f, 0x0000},        /* tie to even */
                 {0x1.000002p-25f, 0x0001}, /* just above */
                 {0x1.8p-24f, 0x0002},      /* tie to even */
                 {0x1p-149f, 0x0000},
                 {-0x1p-149f, 0x8000}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_f16_of_float(cases[i].x), cases[i].half);
    assert_int_equal(ks_f16_of_float(INF), 0x7c00);
    assert_int_equal(ks_f16_of_float(-INF), 0xfc00);
    assert_int_equal(ks_f16_of_float(ks_float_of_bits(0xff800001)), KS_NAN16);
}

static void bf16_rounds_to_nearest_even_at_every_edge(void **state) {
    static const struct {
        uint32_t x;
        uint16_t half;
    } cases[] = {{0x3f800000, 0x3f80}, {0x3f808000, 0x3f80}, {0x3f808001, 0x3f81},
                 {0x3f818000, 0x3f82}, {0x7f7fffff, 0x7f80}, {0x7f7f7fff, 0x7f7f},
                 {0x00000001, 0x0000}, {0x00008000, 0x0000}, {0x00008001, 0x0001},
                 {0x80000000, 0x8000}, {0xff800000, 0xff80}, {0x7f800001, 0x7fc0},
                 {0xffffffff, 0x7fc0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_bf16_of_float(ks_float_of_bits(cases[i].x)), cases[i].half);
}

/* The formats of 8 bits by their definition: sign, exponent, mantissa. NaNs and infinities apart. */
static double small_value(uint32_t code, int mantissa_bits, int bias) {
    const uint32_t mantissa = code & ((1u << mantissa_bits) - 1);
    const int exponent = (int)((code & 0x7f) >> mantissa_bits);
    const double units = exponent ? mantissa + (1u << mantissa_bits) : mantissa;
    double value = units;
    for (int e = (exponent ? exponent : 1) - bias - mantissa_bits; e != 0; e += e < 0 ? 1 : -1)
        value = e < 0 ? value / 2 : value * 2;
    return code & 0x80 ? -value : value;
}

static void every_small_float_has_the_value_of_its_definition(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 256; code++) {
        const float e4m3 = ks_float_of_e4m3fn((uint8_t)code),
                    e5m2 = ks_float_of_e5m2((uint8_t)code);
        if ((code & 0x7f) == 0x7f)
            assert_true(e4m3 != e4m3);
        else
            assert_true((double)e4m3 == small_value(code, 3, 7));
        if ((code & 0x7f) == 0x7c)
            assert_true(e5m2 == (code & 0x80 ? -INF : INF));
        else if ((code & 0x7f) > 0x7c)
            assert_true(e5m2 != e5m2);
        else
            assert_true((double)e5m2 == small_value(code, 2, 15));
    }
}

/* Nearest by looking at all: of two that are as near the even code. */
static uint8_t nearest_small(double x, int mantissa_bits, int bias, uint32_t most) {
    const double size = x < 0 ? -x : x;
    uint32_t best = 0;
    for (uint32_t code = 1; code <= most; code++) {
        const double here = small_value(code, mantissa_bits, bias) - size;
        const double before = small_value(best, mantissa_bits, bias) - size;
        const double far = here < 0 ? -here : here, best_far = before < 0 ? -before : before;
        if (far < best_far || (far == best_far && code % 2 == 0)) best = code;
    }
    return (uint8_t)(best | (x < 0 ? 0x80 : 0));
}

static void small_floats_are_the_nearest_even_ones(void **state) {
    uint64_t random = 7;
    (void)state;
    for (int i = 0; i < 40000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const uint32_t exponent = 127 - 20 + (uint32_t)(random >> 33) % 38;
        /* Few bits, so that ties are met. */
        const uint32_t mantissa = (uint32_t)(random >> 40) & (i % 2 ? 0x7fffff : 0x7c0000);
        const float x =
            ks_float_of_bits(exponent << 23 | mantissa | (uint32_t)(random >> 63) << 31);
        assert_int_equal(ks_e4m3fn_of_float(x), nearest_small((double)x, 3, 7, 0x7e));
        assert_int_equal(ks_e5m2_of_float(x), nearest_small((double)x, 2, 15, 0x7b));
    }
}

static void small_floats_saturate(void **state) {
    static const struct {
        float x;
        uint8_t e4m3fn, e5m2;
    } cases[] = {{448, 0x7e, 0x5f},
                 {464, 0x7e, 0x5f}, /* e4m3fn: a tie, to even; e5m2: 448 is its nearest */
                 {0x1.d00002p+8f, 0x7e, 0x5f},
                 {57344, 0x7e, 0x7b},
                 {0x1.dffffep+15f, 0x7e, 0x7b},
                 {61440, 0x7e, 0x7b}, /* e5m2: overflows */
                 {3e38f, 0x7e, 0x7b},
                 {INF, 0x7e, 0x7b},
                 {-INF, 0xfe, 0xfb},
                 {0x1p-10f, 0x00, 0x14}, /* half of e4m3fn's smallest: a tie, to 0 */
                 {0x1.000002p-10f, 0x01, 0x14},
                 {0x1p-17f, 0x00, 0x00}, /* and of e5m2's */
                 {0x1.000002p-17f, 0x00, 0x01},
                 {-0.0f, 0x80, 0x80}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(ks_e4m3fn_of_float(cases[i].x), cases[i].e4m3fn);
        assert_int_equal(ks_e5m2_of_float(cases[i].x), cases[i].e5m2);
    }
    assert_int_equal(ks_e4m3fn_of_float(ks_float_of_bits(0xff800001)), KS_NAN_E4M3FN);
    assert_int_equal(ks_e5m2_of_float(ks_float_of_bits(0xff800001)), KS_NAN_E5M2);
}

#ifdef __FLT16_MAX__
static void f16_agrees_with_the_compiler(void **state) {
    uint64_t random = 2;
    (void)state;
    for (uint32_t i = 0; i < 400000; i++) {
        /* Random floats, and the neighbourhood of every half. */
        const uint32_t bits = i & 1 ? (uint32_t)next(&random)
                                    : ks_bits32(ks_float_of_f16((uint16_t)(i / 2 % 65536))) +
                                          (uint32_t)(next(&random) % 8192);
        const float x = ks_float_of_bits(bits);
        const _Float16 theirs = (_Float16)x;
        uint16_t half;
        memcpy(&half, &theirs, sizeof half);
        if (x == x) assert_int_equal(ks_f16_of_float(x), half);
    }
}

static void doubles_round_to_f16_once(void **state) {
    uint64_t random = 3;
    (void)state;
    for (int i = 0; i < 300000; i++) {
        /* Around the middle of two neighbours, where rounding twice would err. */
        const uint16_t half = (uint16_t)(next(&random) % 0x7bff);
        const double middle =
            ((double)ks_float_of_f16(half) + (double)ks_float_of_f16((uint16_t)(half + 1))) / 2;
        const double x = middle * (1 + ((double)(next(&random) % 3) - 1) * 0x1p-50);
        assert_true(ks_round_double_to(KS_F16, x) == (float)(_Float16)x);
    }
}
#endif

static void doubles_round_to_bf16_once(void **state) {
    (void)state;
    assert_true(ks_round_double_to(KS_BF16, 1 + 0x1p-8) == 1.0f);
    assert_true(ks_round_double_to(KS_BF16, 1 + 0x1p-8 + 0x1p-50) == 1 + 0x1p-7f);
    assert_true(ks_round_double_to(KS_BF16, -1 - 0x1p-8 - 0x1p-50) == -1 - 0x1p-7f);
    assert_true(ks_round_double_to(KS_F32, 0.1) == 0.1f);
}

/* Results from exact rational arithmetic. */
static void fma_rounds_once(void **state) {
    static const struct {
        float x, y, z, result;
    } cases[] = {{0x1.001p0f, 0x1.001p0f, -1, 0x1.0008p-11f},
                 {0x1.001p0f, 0x1.ffep-1f, -1, -0x1p-24f},
                 {0x1.000002p0f, 0x1.000002p0f, 0x1p-60f, 0x1.000004p0f},
                 {0x1.001p0f, 0x1.001p0f, 0x1p-80f, 0x1.002002p0f}, /* a tie but for z */
                 {0x1.001p0f, 0x1.001p0f, -0x1p-80f, 0x1.002p0f},
                 {-0x1.dd348p-60f, 0x1.24p6f, -0x1.3ff076p-110f, -0x1.1027f2p-53f},
                 {0x1p-75f, 0x1p-75f, 0x1p-149f, 0x1p-148f}, /* subnormal ties */
                 {0x1p-75f, -0x1p-75f, 0x1p-149f, 0},
                 {0x1.8p-75f, 0x1p-75f, 0x1p-149f, 0x1p-148f},
                 {0x1.fffffep127f, 1, 0x1p102f, 0x1.fffffep127f},
                 {3, 5, -15, 0},
                 {0, 5, -0.0f, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(ks_bits32(ks_fma(cases[i].x, cases[i].y, cases[i].z)),
                         ks_bits32(cases[i].result));
}

static void fma_takes_infinities_and_nan(void **state) {
    (void)state;
    const float nan = ks_float_of_bits(KS_NAN32);
    assert_true(ks_fma(INF, 1, 5) == INF && ks_fma(2, 3, -INF) == -INF);
    assert_true(ks_fma(3e38f, 3e38f, 0) == INF);
    const float invalid = ks_fma(INF, 1, -INF), passed = ks_fma(nan, 0, 1);
    assert_true(invalid != invalid && passed != passed);
}

static void storage_holds_what_a_single_conversion_gives(void **state) {
    const float values[] = {1.5f, -0x1p-24f, 70000.0f, 0.1f, 3.14159f, -0.0f, 1e-30f};
    uint16_t raw[COUNT(values)];
    float back[COUNT(values)];
    (void)state;
    const ks_isa *isa = NULL;
    assert_int_equal(ks_isa_choose(NULL, &isa, NULL), KS_OK);
    for (int dtype = KS_F16; dtype <= KS_BF16; dtype++) {
        ks_from_floats(isa, raw, (ks_dtype)dtype, values, COUNT(values));
        ks_to_floats(isa, back, raw, (ks_dtype)dtype, COUNT(values));
        for (size_t i = 0; i < COUNT(values); i++)
            assert_int_equal(ks_bits32(back[i]),
                             ks_bits32(ks_round_to((ks_dtype)dtype, values[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_has_the_known_answers),
        cmocka_unit_test(exp_of_nan_is_nan),
        cmocka_unit_test(both_exponentials_agree),
        cmocka_unit_test(exp64_is_within_an_ulp),
        cmocka_unit_test(every_half_survives_the_round_trip),
        cmocka_unit_test(f16_rounds_to_nearest_even_at_every_edge),
        cmocka_unit_test(every_small_float_has_the_value_of_its_definition),
        cmocka_unit_test(small_floats_are_the_nearest_even_ones),
        cmocka_unit_test(small_floats_saturate),
        cmocka_unit_test(bf16_rounds_to_nearest_even_at_every_edge),
#ifdef __FLT16_MAX__
        cmocka_unit_test(f16_agrees_with_the_compiler),
        cmocka_unit_test(doubles_round_to_f16_once),
#endif
        cmocka_unit_test(doubles_round_to_bf16_once),
        cmocka_unit_test(fma_rounds_once),
        cmocka_unit_test(fma_takes_infinities_and_nan),
        cmocka_unit_test(storage_holds_what_a_single_conversion_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
