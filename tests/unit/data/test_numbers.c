#include "row_bench.h"

#include "data/numbers.h"
#include "data/reference.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static ks_numbers *numbers_of(ks_task task, const ks_point *point) {
    const ks_numbers_key key = ks_numbers_key_of(task, point);
    ks_numbers *numbers = NULL;
    assert_int_equal(ks_numbers_new(&key, best_isa(), &numbers), KS_OK);
    return numbers;
}

/* An input in float64, rounded to its dtype. */
static double in(const ks_numbers *numbers, uint32_t tensor, uint64_t index) {
    const ks_dtype dtype = numbers->layout.tensors[tensor].dtype;
    const unsigned char *raw = ks_numbers_input(numbers, tensor);
    float value;
    ks_to_floats(numbers->isa, &value, raw + index * ks_dtype_bytes(dtype), dtype, 1);
    return (double)value;
}

static bool is_close(double x, double y) {
    const double size = y < 0 ? -y : y, off = x < y ? y - x : x - y;
    return off <= 1e-12 * (size + 1);
}

static void the_key_holds_what_matters_and_nothing_else(void **state) {
    const ks_point point = point_of(8, 64, 128);
    const ks_numbers_key key = ks_numbers_key_of(KS_TASK_ATTENTION, &point);
    static const struct {
        ks_param param;
        bool matters;
    } cases[] = {{KS_P_kernel, false},  {KS_P_G, true},       {KS_P_TILE, false},
                 {KS_P_d, true},        {KS_P_S, true},       {KS_P_M, false},
                 {KS_P_dtype, true},    {KS_P_score, false},  {KS_P_acc, false},
                 {KS_P_p_dtype, false}, {KS_P_policy, false}, {KS_P_s_buffers, false},
                 {KS_P_dist, true},     {KS_P_seed, true},    {KS_P_stream_in_prologue, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_point other = point;
        other.params[cases[i].param] ^= 2;
        const ks_numbers_key changed = ks_numbers_key_of(KS_TASK_ATTENTION, &other);
        assert_int_equal(ks_numbers_key_equal(&key, &changed), !cases[i].matters);
    }
}

static void gemm_tile_k_matters_to_ktile_scale_alone(void **state) {
    ks_point point = point_of_bench(4, 8, 4), other = point;
    (void)state;
    other.calibration.values[KS_C_gemm_tile_k] *= 2;
    for (int task = KS_TASK_GEMM; task < KS_TASK_COUNT; task++) {
        const ks_numbers_key a = ks_numbers_key_of((ks_task)task, &point);
        const ks_numbers_key b = ks_numbers_key_of((ks_task)task, &other);
        assert_int_equal(ks_numbers_key_equal(&a, &b), task != KS_TASK_GEMM_KTILE_SCALE);
    }
}

static void inputs_are_the_generated_values_rounded(void **state) {
    ks_point point = point_of(3, 16, 10);
    (void)state;
    for (int dtype = 0; dtype < KS_DTYPE_COUNT; dtype++) {
        float values[160];
        point.params[KS_P_dtype] = (uint64_t)dtype;
        ks_numbers *numbers = numbers_of(KS_TASK_ATTENTION, &point);
        const float scale = ks_numbers_layout(numbers)->tensors[2].scale;
        ks_input_generate(ks_numbers_key_get(numbers), best_isa(), 2, 0, 160, values);
        for (uint64_t i = 0; i < 160; i++)
            assert_true(in(numbers, 2, i) ==
                        (double)ks_round_to((ks_dtype)dtype, values[i] / scale));
        assert_null(ks_numbers_input(numbers, 3));
        ks_numbers_free(numbers);
    }
}

/* Straight from the definition; the sums in the same order, so the same bits. */
static double attention_element(const ks_numbers *n, uint64_t g, uint64_t i) {
    const uint64_t d = n->key.params[KS_P_d], length = n->key.params[KS_P_S];
    double scores[64], most = 0, sum = 0, out = 0;
    for (uint64_t j = 0; j < length; j++) {
        double dot = 0;
        for (uint64_t k = 0; k < d; k++) dot += in(n, 0, g * d + k) * in(n, 1, j * d + k);
        scores[j] = 1 / __builtin_sqrt((double)d) * dot;
        if (j == 0 || scores[j] > most) most = scores[j];
    }
    for (uint64_t j = 0; j < length; j++) sum += ks_exp64(scores[j] - most);
    for (uint64_t j = 0; j < length; j++) out += ks_exp64(scores[j] - most) * in(n, 2, j * d + i);
    return out / sum;
}

static void attention_is_its_definition_for_any_group(void **state) {
    static const uint64_t groups[] = {1, 3, 7, 8, 9, 33, 64, 65, 131};
    (void)state;
    for (size_t c = 0; c < COUNT(groups); c++) {
        const ks_point point = point_of(groups[c], 9, 20);
        ks_numbers *n = numbers_of(KS_TASK_ATTENTION, &point);
        for (uint64_t e = 0; e < groups[c] * 9; e++)
            assert_true(ks_numbers_reference(n)[e] == attention_element(n, e / 9, e % 9));
        ks_numbers_free(n);
    }
}

static void both_references_agree_where_nothing_is_rounded(void **state) {
    ks_point point = point_of(4, 16, 40);
    (void)state;
    set_dtypes(&point, KS_F32, KS_F32, KS_F32);
    ks_numbers *n = numbers_of(KS_TASK_ATTENTION, &point);
    assert_memory_equal(n->reference, n->reference_full, n->out_count * sizeof(double));
    ks_numbers_free(n);
    set_dtypes(&point, KS_BF16, KS_F32, KS_F32);
    n = numbers_of(KS_TASK_ATTENTION, &point);
    assert_memory_not_equal(n->reference, n->reference_full, n->out_count * sizeof(double));
    ks_numbers_free(n);
}

enum { M = 3, K = 5, N = 4 };

/* (A B)[i][j], terms from first to end, on absolute values or not. */
static double dot(const ks_numbers *n, uint64_t i, uint64_t j, uint64_t first, uint64_t end,
                  bool is_absolute) {
    double sum = 0;
    for (uint64_t k = first; k < end; k++) {
        const double term = in(n, 0, i * K + k) * in(n, 1, k * N + j);
        sum += is_absolute && term < 0 ? -term : term;
    }
    return sum;
}

static double product(const ks_numbers *n, uint64_t i, uint64_t j) {
    return dot(n, i, j, 0, K, false);
}

static double inverse_root(double sum, double count) {
    return 1 / __builtin_sqrt(sum / count + 1e-6);
}

static double bias_relu(const ks_numbers *n, uint64_t i, uint64_t j) {
    const double sum = product(n, i, j) + in(n, 3, j);
    return sum > 0 ? sum : 0;
}

static double ktile_scale(const ks_numbers *n, uint64_t i, uint64_t j) { /* gemm_tile_k = 2 */
    const double first = dot(n, i, j, 0, 2, false), second = dot(n, i, j, 2, 4, false);
    return ((first * 0.5 + second) * 0.5 + dot(n, i, j, 4, 5, false)) * 0.5;
}

static double chain(const ks_numbers *n, uint64_t i, uint64_t j) {
    double sum = 0;
    for (uint64_t k = 0; k < N; k++) sum += product(n, i, k) * in(n, 3, k * N + j);
    return sum;
}

static double postnorm(const ks_numbers *n, uint64_t i, uint64_t j) {
    double sum = 0;
    for (uint64_t k = 0; k < N; k++) sum += product(n, i, k) * product(n, i, k);
    return product(n, i, j) * inverse_root(sum, N);
}

static double math_chain(const ks_numbers *n, uint64_t i, uint64_t j) {
    double sum = 0; /* without the maximum: the same value */
    for (uint64_t k = 0; k < N; k++) sum += ks_exp64(in(n, 0, i * N + k));
    return ks_exp64(in(n, 0, i * N + j)) / sum;
}

static double rmsnorm_linear(const ks_numbers *n, uint64_t i, uint64_t j) {
    double squares = 0, sum = 0;
    for (uint64_t k = 0; k < K; k++) squares += in(n, 0, i * K + k) * in(n, 0, i * K + k);
    for (uint64_t k = 0; k < K; k++)
        sum += in(n, 0, i * K + k) * inverse_root(squares, K) * in(n, 3, k) * in(n, 1, k * N + j);
    return sum;
}

static ks_numbers *small_bench(ks_task task) {
    ks_point point = point_of_bench(M, K, N);
    point.calibration.values[KS_C_gemm_tile_k] = 2 * KS_TICKS_PER_UNIT;
    return numbers_of(task, &point);
}

static void every_bench_is_its_row_of_the_table(void **state) {
    static const struct {
        ks_task task;
        double (*element)(const ks_numbers *, uint64_t, uint64_t);
    } cases[] = {{KS_TASK_GEMM, product},
                 {KS_TASK_GEMM_BIAS_RELU, bias_relu},
                 {KS_TASK_GEMM_KTILE_SCALE, ktile_scale},
                 {KS_TASK_GEMM_CHAIN, chain},
                 {KS_TASK_GEMM_POSTNORM, postnorm},
                 {KS_TASK_MATH_CHAIN, math_chain},
                 {KS_TASK_RMSNORM_LINEAR, rmsnorm_linear}};
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        ks_numbers *n = small_bench(cases[c].task);
        for (uint64_t e = 0; e < M * N; e++)
            assert_true(is_close(n->reference[e], cases[c].element(n, e / N, e % N)));
        ks_numbers_free(n);
    }
}

static void magnitudes_are_the_row_on_absolute_values(void **state) {
    (void)state;
    ks_numbers *gemm = small_bench(KS_TASK_GEMM), *bias = small_bench(KS_TASK_GEMM_BIAS_RELU);
    for (uint64_t e = 0; e < M * N; e++) {
        const double sum = dot(gemm, e / N, e % N, 0, K, true), b = in(bias, 3, e % N);
        assert_true(is_close(gemm->magnitude[e], sum));
        assert_true(is_close(bias->magnitude[e], sum + (b < 0 ? -b : b)));
    }
    ks_numbers_free(gemm);
    ks_numbers_free(bias);
}

/* max, exp and 1/sqrt stay the true ones: so a softmax is its own magnitude. */
static void no_magnitude_is_below_its_value(void **state) {
    (void)state;
    for (int task = KS_TASK_GEMM; task < KS_TASK_COUNT; task++) {
        ks_numbers *n = small_bench((ks_task)task);
        for (uint64_t e = 0; e < M * N; e++) {
            const double size = n->reference[e] < 0 ? -n->reference[e] : n->reference[e];
            assert_true(n->magnitude[e] >= size * (1 - 1e-14));
            if (task == KS_TASK_MATH_CHAIN) assert_true(n->magnitude[e] == n->reference[e]);
        }
        ks_numbers_free(n);
    }
}

static void plain_errs_by_about_a_unit(void **state) {
    static const struct {
        ks_dtype dtype;
        double least, most;
    } cases[] = {{KS_F32, 1e-9, 1e-6}, {KS_F16, 1e-5, 2e-3}, {KS_BF16, 1e-4, 2e-2}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_point point = point_of(4, 32, 64);
        set_dtypes(&point, cases[i].dtype, cases[i].dtype, cases[i].dtype);
        ks_numbers *n = numbers_of(KS_TASK_ATTENTION, &point);
        double err = 0, again = 0;
        assert_int_equal(ks_numbers_plain_max_abs_err(n, cases[i].dtype, cases[i].dtype, &err),
                         KS_OK);
        assert_int_equal(ks_numbers_plain_max_abs_err(n, cases[i].dtype, cases[i].dtype, &again),
                         KS_OK);
        assert_true(err == again);
        assert_true(err > cases[i].least && err < cases[i].most);
        ks_numbers_free(n);
    }
}

/* S and P may each have a format of their own, and each matters. */
static void plain_depends_on_the_formats_of_scores_and_weights(void **state) {
    double errs[3] = {0};
    (void)state;
    const ks_point point = point_of(4, 32, 64);
    ks_numbers *n = numbers_of(KS_TASK_ATTENTION, &point);
    assert_int_equal(ks_numbers_plain_max_abs_err(n, KS_F32, KS_F32, &errs[0]), KS_OK);
    assert_int_equal(ks_numbers_plain_max_abs_err(n, KS_BF16, KS_F32, &errs[1]), KS_OK);
    assert_int_equal(ks_numbers_plain_max_abs_err(n, KS_F32, KS_BF16, &errs[2]), KS_OK);
    assert_true(errs[1] > 2 * errs[0] && errs[2] > 2 * errs[0] && errs[1] != errs[2]);
    ks_numbers_free(n);
}

/* One query of 1, keys as given: the score is the key. */
static float plain_of(float *keys, uint64_t count, ks_dtype dtype) {
    float query[] = {1}, values[] = {1, 2, 3, 4}, out = 0;
    const ks_point point = point_of(1, 1, count);
    ks_numbers numbers = {.key = ks_numbers_key_of(KS_TASK_ATTENTION, &point),
                          .isa = best_isa(),
                          .out = 3,
                          .inputs = {query, keys, values}};
    for (int t = 0; t < 3; t++)
        numbers.layout.tensors[t] = (ks_tensor){.dtype = KS_F32, .scale = 1};
    numbers.layout.tensors[3].dtype = dtype;
    ks_arena *scratch = ks_arena_new(1 << 12);
    assert_true(ks_plain_attention(&numbers, dtype, dtype, scratch, &out));
    ks_arena_free(scratch);
    return out;
}

static void plain_is_taken_literally_where_scores_overflow(void **state) {
    float all_low[] = {-1e6f, -1e6f}, one_low[] = {-1e6f, 0}, high[] = {1e6f, 0};
    (void)state;
    const float low = plain_of(all_low, 2, KS_F16), up = plain_of(high, 2, KS_F16);
    assert_true(low != low && up != up);
    assert_true(plain_of(one_low, 2, KS_F16) == 2);
    assert_true(plain_of(all_low, 2, KS_F32) == 1.5f && plain_of(high, 2, KS_F32) == 1);
}

/* B73 */
static void large_scores_in_f32_leave_nothing_that_is_not_finite(void **state) {
    ks_point point = point_of(8, 64, 300);
    (void)state;
    set_dtypes(&point, KS_F16, KS_F32, KS_F32);
    point.params[KS_P_dist] = KS_DIST_large;
    ks_numbers *n = numbers_of(KS_TASK_ATTENTION, &point);
    for (uint64_t e = 0; e < n->out_count; e++)
        assert_true(ks_is_finite(n->reference[e]) && ks_is_finite(n->reference_full[e]));
    ks_numbers_free(n);
}

static void what_is_too_large_is_out_of_memory(void **state) {
    const ks_point point = point_of(KS_SHAPE_MAX, KS_SHAPE_MAX, KS_SHAPE_MAX);
    const ks_numbers_key key = ks_numbers_key_of(KS_TASK_ATTENTION, &point);
    ks_numbers *numbers = NULL;
    (void)state;
    assert_true(ks_numbers_peak_bytes(&key) == UINT64_MAX);
    assert_int_equal(ks_numbers_new(&key, best_isa(), &numbers), KS_NO_MEMORY);
    assert_null(numbers);
}

static void the_peak_is_no_less_than_what_is_held(void **state) {
    (void)state;
    for (int task = 0; task < KS_TASK_COUNT; task++) {
        ks_point point =
            task == KS_TASK_ATTENTION ? point_of(8, 64, 500) : point_of_bench(20, 30, 40);
        point.params[KS_P_dtype] = KS_F32;
        ks_numbers *n = numbers_of((ks_task)task, &point);
        assert_true(ks_numbers_peak_bytes(ks_numbers_key_get(n)) + sizeof *n >=
                    ks_numbers_bytes(n));
        ks_numbers_free(n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_key_holds_what_matters_and_nothing_else),
        cmocka_unit_test(gemm_tile_k_matters_to_ktile_scale_alone),
        cmocka_unit_test(inputs_are_the_generated_values_rounded),
        cmocka_unit_test(attention_is_its_definition_for_any_group),
        cmocka_unit_test(both_references_agree_where_nothing_is_rounded),
        cmocka_unit_test(every_bench_is_its_row_of_the_table),
        cmocka_unit_test(magnitudes_are_the_row_on_absolute_values),
        cmocka_unit_test(no_magnitude_is_below_its_value),
        cmocka_unit_test(plain_errs_by_about_a_unit),
        cmocka_unit_test(plain_depends_on_the_formats_of_scores_and_weights),
        cmocka_unit_test(plain_is_taken_literally_where_scores_overflow),
        cmocka_unit_test(large_scores_in_f32_leave_nothing_that_is_not_finite),
        cmocka_unit_test(the_peak_is_no_less_than_what_is_held),
        cmocka_unit_test(what_is_too_large_is_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
