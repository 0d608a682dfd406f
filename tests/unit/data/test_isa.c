/* Every compilation of the loops against the plainest form of the same arithmetic: same bits. */
#include "row_bench.h"

#include <fenv.h>
#include <stdlib.h>

#include "data/isa.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static float value_at(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(int32_t)(*state >> 40) * 0x1p-22f - 2.0f;
}

static float *floats(uint64_t count, uint64_t seed) {
    float *values = malloc((count + 1) * sizeof *values);
    assert_non_null(values);
    for (uint64_t i = 0; i < count; i++) values[i] = value_at(&seed);
    return values;
}

/* Runs the claim with every instruction set of this machine. */
static void with_each(void (*claim)(const ks_isa *isa)) {
    uint32_t count = 0;
    for (uint32_t i = 0; ks_isa_at(i); i++)
        if (ks_isa_runs_here(ks_isa_at(i))) {
            claim(ks_isa_at(i));
            count++;
        }
    assert_true(count > 0);
}

static const struct shape {
    uint64_t m, n, k;
} shapes[] = {{1, 1, 1},    {1, 15, 3},   {2, 16, 16}, {3, 17, 5},  {4, 31, 2},   {5, 32, 64},
              {6, 33, 7},   {7, 47, 9},   {8, 48, 1},  {9, 63, 4},  {10, 64, 64}, {11, 65, 65},
              {12, 80, 10}, {13, 96, 33}, {1, 128, 8}, {17, 200, 3}};

static void check_gemm(const ks_isa *isa) {
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const uint64_t m = shapes[s].m, n = shapes[s].n, k = shapes[s].k;
        const uint64_t stride = ks_gemm_padded(n);
        float *a = floats(m * k, 1), *b = floats(n * k, 2), *c = floats(m * stride, 3);
        float *turned = floats(k * stride, 4), *expected = floats(m * stride, 3);
        isa->gemm->turn(turned, b, k, n);
        isa->gemm->accumulate(c, a, turned, m, n, k);
        for (uint64_t i = 0; i < m; i++)
            for (uint64_t j = 0; j < n; j++)
                for (uint64_t l = 0; l < k; l++)
                    expected[i * stride + j] += a[i * k + l] * b[j * k + l];
        for (uint64_t i = 0; i < m; i++)
            assert_memory_equal(&c[i * stride], &expected[i * stride], n * sizeof *c);
        for (uint64_t l = 0; l < k; l++)
            for (uint64_t j = n; j < stride; j++) assert_true(turned[l * stride + j] == 0);
        free(a), free(b), free(c), free(turned), free(expected);
    }
}

static void products_are_sums_in_order(void **state) {
    (void)state;
    with_each(check_gemm);
}

static double *wide(const float *values, uint64_t count) {
    double *out = malloc((count + 1) * sizeof *out);
    for (uint64_t i = 0; i < count; i++) out[i] = (double)values[i] * (1 + 0x1p-30);
    return out;
}

/* Columns of c (m x far): their exponentials and sums, one by one. */
static void check_columns(const ks_isa *isa, double *c, uint64_t m, uint64_t far) {
    double most[300], sums[300];
    double *before = malloc(m * far * sizeof *before);
    assert_true(far <= COUNT(most));
    memcpy(before, c, m * far * sizeof *before);
    for (uint64_t i = 0; i < m * far; i++) before[i] *= 0.75;
    for (uint64_t j = 0; j < far; j++) most[j] = -__builtin_inf();
    isa->solve64->scale_columns(c, m / 2, far, 0.75, most);
    isa->solve64->scale_columns(&c[m / 2 * far], m - m / 2, far, 0.75, most);
    assert_memory_equal(c, before, m * far * sizeof *c);
    isa->solve64->exp_columns(c, m, far, most, sums);
    for (uint64_t j = 0; j < far; j++) {
        double sum = 0, largest = before[j];
        for (uint64_t i = 0; i < m; i++)
            if (before[i * far + j] > largest) largest = before[i * far + j];
        assert_true(most[j] == largest);
        for (uint64_t i = 0; i < m; i++) {
            assert_true(c[i * far + j] == ks_exp64(before[i * far + j] - largest));
            sum += c[i * far + j];
        }
        assert_true(sums[j] == sum);
    }
    free(before);
}

static void check_solve64(const ks_isa *isa) {
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const uint64_t m = shapes[s].m, n = shapes[s].n, k = shapes[s].k, far = n + 3;
        float *x = floats(m * k, 1), *y = floats(k * far, 2), *z = floats(m * far, 3);
        double *a = wide(x, m * k), *b = wide(y, k * far);
        double *c = wide(z, m * far), *expected = wide(z, m * far), *again = wide(z, m * far);
        double *narrow = calloc(k * far, sizeof *narrow);
        isa->solve64->multiply(c, far, a, k, 1, b, far, m, n, k);
        isa->solve64->multiply(again, far, a, 1, m, b, far, m, n, k); /* a (k x m), turned */
        for (uint64_t i = 0; i < m; i++)
            for (uint64_t j = 0; j < n; j++) {
                double turned = expected[i * far + j];
                for (uint64_t l = 0; l < k; l++) {
                    expected[i * far + j] += a[i * k + l] * b[l * far + j];
                    turned += a[l * m + i] * b[l * far + j];
                }
                assert_true(again[i * far + j] == turned);
            }
        assert_memory_equal(c, expected, m * far * sizeof *c);
        isa->solve64->widen(narrow, far, y, far, k, far);
        for (uint64_t i = 0; i < k * far; i++) assert_true(narrow[i] == (double)y[i]);
        check_columns(isa, c, m, far);
        free(x), free(y), free(z), free(a), free(b), free(c), free(expected), free(again);
        free(narrow);
    }
}

static void check_solve32(const ks_isa *isa) {
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const uint64_t m = shapes[s].m, n = shapes[s].n, k = shapes[s].k, far = n + 3;
        float *a = floats(m * k, 1), *y = floats(n * k, 2), *c = floats(m * far, 3);
        float *b = calloc(k * far, sizeof *b), *expected = floats(m * far, 3), sums[32];
        isa->solve32->turn(b, far, y, n, k);
        isa->solve32->multiply(c, far, a, k, b, far, m, n, k);
        for (uint64_t i = 0; i < m; i++)
            for (uint64_t j = 0; j < n; j++)
                for (uint64_t l = 0; l < k; l++)
                    expected[i * far + j] += a[i * k + l] * y[j * k + l];
        assert_memory_equal(c, expected, m * far * sizeof *c);
        isa->solve32->sum_rows(sums, c, m, far);
        isa->solve32->exp_rows(c, m, far);
        for (uint64_t i = 0; i < m; i++) {
            float sum = 0, most = expected[i * far];
            for (uint64_t j = 0; j < far; j++) sum += expected[i * far + j];
            for (uint64_t j = 0; j < far; j++)
                if (expected[i * far + j] > most) most = expected[i * far + j];
            assert_true(sums[i] == sum);
            for (uint64_t j = 0; j < far; j++)
                assert_true(c[i * far + j] == ks_exp(expected[i * far + j] - most));
        }
        free(a), free(y), free(b), free(c), free(expected);
    }
}

static void solutions_are_sums_in_order(void **state) {
    (void)state;
    with_each(check_solve64);
    with_each(check_solve32);
}

/* Against the scalar functions that test_numeric knows: every float of a stride prime to 2^32. */
static void check_conversions(const ks_isa *isa) {
    enum { PIECE = 4099 };
    float values[PIECE], back[PIECE];
    float rounded[PIECE];
    uint32_t raw[PIECE], again[PIECE];
    uint32_t bits = 0;
    for (int piece = 0; piece < 100; piece++) {
        for (int i = 0; i < PIECE; i++, bits += 10477) values[i] = ks_float_of_bits(bits);
        for (int dtype = 0; dtype < KS_DTYPE_COUNT; dtype++) {
            ks_from_floats(isa, raw, (ks_dtype)dtype, values, PIECE);
            ks_to_floats(isa, back, raw, (ks_dtype)dtype, PIECE);
            for (int i = 0; i < PIECE; i++) {
                const float expected = ks_round_to((ks_dtype)dtype, values[i]);
                assert_int_equal(ks_bits32(back[i]), ks_bits32(expected));
            }
            memcpy(rounded, values, sizeof values);
            isa->convert->round_floats[dtype](again, rounded, PIECE);
            assert_memory_equal(again, raw, PIECE * ks_dtype_bytes((ks_dtype)dtype));
            assert_memory_equal(rounded, back, sizeof back);
        }
    }
}

static void conversions_are_those_of_a_single_element(void **state) {
    (void)state;
    with_each(check_conversions);
}

/* Special values among the common ones, in every place of a row. */
static void check_row_max(const ks_isa *isa) {
    static const uint32_t special[] = {0x7fc00000, 0x00000000, 0x80000000, 0x7f800000, 0xff800000};
    for (uint64_t n = 1; n < 70; n += 3)
        for (size_t s = 0; s < COUNT(special); s++)
            for (uint64_t at = 0; at < n; at++) {
                float *row = floats(n, n), most, found;
                for (uint64_t j = 0; s > 0 && s < 3 && j < n; j++)
                    row[j] = row[j] > 0 ? ks_float_of_bits(special[3 - s]) : row[j];
                row[at] = ks_float_of_bits(special[s]);
                most = row[0];
                for (uint64_t j = 1; j < n && most == most; j++)
                    most = row[j] > most || row[j] != row[j] ? row[j] : most;
                isa->math->reductions[KS_OP_rmax](&found, row, 1, n);
                assert_int_equal(ks_bits32(found), ks_bits32(most));
                free(row);
            }
}

static void a_maximum_is_the_first_of_equals(void **state) {
    (void)state;
    with_each(check_row_max);
}

static void check_sums(const ks_isa *isa) {
    for (uint64_t rows = 1; rows < 20; rows++) {
        const uint64_t n = 37;
        float *values = floats(rows * n, rows), sums[20], squares[20];
        isa->math->reductions[KS_OP_rsum](sums, values, rows, n);
        isa->math->reductions[KS_OP_rsumsq](squares, values, rows, n);
        for (uint64_t i = 0; i < rows; i++) {
            float sum = 0, square = 0;
            for (uint64_t j = 0; j < n; j++) sum += values[i * n + j];
            for (uint64_t j = 0; j < n; j++) square += values[i * n + j] * values[i * n + j];
            assert_true(sums[i] == sum && squares[i] == square);
        }
        free(values);
    }
}

static void sums_of_rows_run_in_order(void **state) {
    (void)state;
    with_each(check_sums);
}

static void check_exp(const ks_isa *isa) {
    enum { PIECE = 4099 };
    float x[PIECE], y[PIECE] = {0}, out[PIECE];
    const float *const in[] = {x, y};
    uint32_t bits = 0;
    for (int piece = 0; piece < 50; piece++) {
        for (int i = 0; i < PIECE; i++, bits += 20963) x[i] = ks_float_of_bits(bits);
        isa->math->row_ops[KS_OP_exp_diff](out, in, PIECE, 0);
        for (int i = 0; i < PIECE; i++) {
            const float expected = x[i] == -__builtin_inff() ? 0 : ks_exp(x[i]);
            assert_true(ks_bits32(out[i]) == ks_bits32(expected) || expected != expected);
        }
    }
}

static void exponentials_are_those_of_a_single_element(void **state) {
    (void)state;
    with_each(check_exp);
}

static void check_inputs(const ks_isa *isa) {
    enum { MANY = 5000 };
    float expected[MANY], values[MANY];
    for (int dist = 0; dist < KS_DIST_COUNT; dist++) {
        ks_numbers_key key = {.task = KS_TASK_ATTENTION};
        key.params[KS_P_seed] = 7;
        key.params[KS_P_dist] = (uint64_t)dist;
        for (uint64_t i = 0; i < MANY; i++) /* one by one: nothing to vectorise */
            ks_input_generate(&key, ks_isa_best(), 1, i, 1, &expected[i]);
        ks_input_generate(&key, isa, 1, 0, MANY, values);
        assert_memory_equal(values, expected, sizeof values);
    }
}

static void inputs_are_the_same_bits(void **state) {
    (void)state;
    with_each(check_inputs);
}

static void a_name_chooses_and_a_wrong_one_is_refused(void **state) {
    const ks_isa *isa = NULL;
    ks_error error = {""};
    (void)state;
    assert_int_equal(ks_isa_choose("", &isa, &error), KS_OK);
    assert_ptr_equal(isa, ks_isa_best());
    for (uint32_t i = 0; ks_isa_at(i); i++) {
        const ks_status status = ks_isa_choose(ks_isa_name(ks_isa_at(i)), &isa, &error);
        assert_int_equal(status, ks_isa_runs_here(ks_isa_at(i)) ? KS_OK : KS_INPUT);
        assert_ptr_equal(isa, ks_isa_at(i));
    }
    assert_int_equal(ks_isa_choose("x86-64-v5", &isa, &error), KS_INPUT);
    assert_non_null(strstr(error.text, "found 'x86-64-v5', expected one of "));
    assert_non_null(strstr(error.text, ks_isa_name(ks_isa_best())));
}

static void the_float_environment_is_looked_at(void **state) {
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    (void)state;
    assert_true(ks_float_environment_is_sound());
    for (size_t i = 0; i < COUNT(modes); i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const bool is_sound = ks_float_environment_is_sound();
        fesetround(FE_TONEAREST);
        assert_false(is_sound);
    }
#ifdef __SSE__
    static const unsigned flags[] = {0x8000, 0x0040}; /* FTZ, DAZ */
    const unsigned usual = __builtin_ia32_stmxcsr();
    for (size_t i = 0; i < COUNT(flags); i++) {
        __builtin_ia32_ldmxcsr(usual | flags[i]);
        const bool is_sound = ks_float_environment_is_sound();
        __builtin_ia32_ldmxcsr(usual);
        assert_false(is_sound);
    }
#endif
    assert_true(ks_float_environment_is_sound());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_sums_in_order),
        cmocka_unit_test(solutions_are_sums_in_order),
        cmocka_unit_test(conversions_are_those_of_a_single_element),
        cmocka_unit_test(a_maximum_is_the_first_of_equals),
        cmocka_unit_test(sums_of_rows_run_in_order),
        cmocka_unit_test(exponentials_are_those_of_a_single_element),
        cmocka_unit_test(inputs_are_the_same_bits),
        cmocka_unit_test(a_name_chooses_and_a_wrong_one_is_refused),
        cmocka_unit_test(the_float_environment_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
