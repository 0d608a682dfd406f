#include "data/numbers.h"

#include <stdlib.h>

#include "data/numeric.h"
#include "data/reference.h"

enum { BLOCK_BYTES = 1 << 16 };

ks_numbers_key ks_numbers_key_of(ks_task task, const ks_point *point) {
    const bool is_attention = task == KS_TASK_ATTENTION;
    ks_numbers_key key = {.task = task};
    for (int p = 0; p < KS_PARAM_COUNT; p++)
        if (ks_task_shapes(task) >> p & 1 && p != KS_P_TILE) key.params[p] = point->params[p];
    key.params[KS_P_dtype] = point->params[KS_P_dtype];
    if (is_attention) key.params[KS_P_score] = point->params[KS_P_score];
    if (is_attention) key.params[KS_P_p_dtype] = point->params[KS_P_p_dtype];
    key.params[KS_P_dist] = point->params[KS_P_dist];
    key.params[KS_P_seed] = point->params[KS_P_seed];
    if (task == KS_TASK_GEMM_KTILE_SCALE)
        key.gemm_tile_k = ks_whole_of(&point->calibration, KS_C_gemm_tile_k);
    return key;
}

bool ks_numbers_key_equal(const ks_numbers_key *a, const ks_numbers_key *b) {
    for (int p = 0; p < KS_PARAM_COUNT; p++)
        if (a->params[p] != b->params[p]) return false;
    return a->task == b->task && a->gemm_tile_k == b->gemm_tile_k;
}

const ks_numbers_key *ks_numbers_key_get(const ks_numbers *numbers) { return &numbers->key; }
const ks_layout *ks_numbers_layout(const ks_numbers *numbers) { return &numbers->layout; }
uint64_t ks_numbers_bytes(const ks_numbers *numbers) { return numbers->held_bytes; }
const double *ks_numbers_reference(const ks_numbers *numbers) { return numbers->reference; }

const double *ks_numbers_reference_full(const ks_numbers *numbers) {
    return numbers->reference_full;
}

double ks_numbers_plain_max_abs_err(const ks_numbers *numbers) {
    return numbers->plain_max_abs_err;
}

const void *ks_numbers_input(const ks_numbers *numbers, uint32_t tensor) {
    return numbers->inputs[tensor];
}

static uint64_t elements(const ks_tensor *tensor) { return tensor->rows * tensor->cols; }

static ks_layout layout_of(const ks_numbers_key *key) {
    ks_point point = {.params = {0}};
    memcpy(point.params, key->params, sizeof point.params);
    return ks_task_layout(key->task, &point);
}

/* Per element: an input raw, as float and (of a bench) as double; solutions and scratch of OUT's
 * size. Attention's scores on top: 8 query rows side by side. */
uint64_t ks_numbers_peak_bytes(const ks_numbers_key *key) {
    enum { INPUT_BYTES = 4 + 4, BENCH_BYTES = 8, OUT_BYTES = 5 * 8, SCORE_BYTES = 8 * 8 };
    const bool is_attention = key->task == KS_TASK_ATTENTION;
    const uint64_t limit = UINT64_C(1) << 32; /* elements of a tensor; 2^38 bytes and more */
    const ks_layout layout = layout_of(key);
    uint64_t bytes = is_attention ? key->params[KS_P_S] * SCORE_BYTES : 0;
    for (uint32_t t = 0; t < layout.count; t++) {
        const ks_tensor *tensor = &layout.tensors[t];
        const uint64_t per_input = INPUT_BYTES + (is_attention ? 0 : BENCH_BYTES);
        if (elements(tensor) > limit) return UINT64_MAX;
        bytes += elements(tensor) * (tensor->is_output ? OUT_BYTES : per_input);
    }
    return bytes;
}

static void *hold(ks_numbers *numbers, uint64_t count, size_t item_bytes) {
    numbers->held_bytes += count * item_bytes;
    return ks_arena_take(numbers->arena, count, item_bytes);
}

static bool take_memory(ks_numbers *numbers) {
    const ks_layout *layout = &numbers->layout;
    for (uint32_t t = 0; t < layout->count; t++) {
        const ks_tensor *tensor = &layout->tensors[t];
        if (tensor->is_output) numbers->out = t;
        if (tensor->is_output) continue;
        numbers->inputs[t] = hold(numbers, elements(tensor), ks_dtype_bytes(tensor->dtype));
        if (!numbers->inputs[t]) return false;
    }
    numbers->out_count = elements(&layout->tensors[numbers->out]);
    numbers->reference = hold(numbers, numbers->out_count, sizeof(double));
    numbers->reference_full = hold(numbers, numbers->out_count, sizeof(double));
    return numbers->reference && numbers->reference_full;
}

/* The float32 inputs, unrounded. `values` owns them: scratch is reset between solutions. */
static bool generate(const ks_numbers *numbers, ks_arena *values, float *inputs[KS_MAX_TENSORS]) {
    for (uint32_t t = 0; t < numbers->layout.count; t++) {
        const ks_tensor *tensor = &numbers->layout.tensors[t];
        if (tensor->is_output) continue;
        inputs[t] = ks_arena_take(values, elements(tensor), sizeof(float));
        if (!inputs[t]) return false;
        ks_input_generate(&numbers->key, t, 0, elements(tensor), inputs[t]);
    }
    return true;
}

/* In place, and into the raw inputs. */
static void round_inputs(ks_numbers *numbers, float *inputs[KS_MAX_TENSORS]) {
    for (uint32_t t = 0; t < numbers->layout.count; t++) {
        const ks_tensor *tensor = &numbers->layout.tensors[t];
        if (tensor->is_output) continue;
        ks_from_floats(numbers->inputs[t], tensor->dtype, inputs[t], elements(tensor));
        ks_to_floats(inputs[t], numbers->inputs[t], tensor->dtype, elements(tensor));
    }
}

static bool measure_plain(ks_numbers *numbers, const ks_problem *problem) {
    float *plain = ks_arena_take(problem->scratch, numbers->out_count, sizeof *plain);
    if (!plain || !ks_plain_attention(problem, plain)) return false;
    numbers->plain_max_abs_err = ks_errors_of(numbers, plain).max_abs_err;
    return true;
}

static bool measure_magnitude(ks_numbers *numbers, const ks_problem *problem) {
    numbers->magnitude = hold(numbers, numbers->out_count, sizeof(double));
    return numbers->magnitude && ks_reference_bench_magnitude(problem, numbers->magnitude);
}

static bool solve(ks_numbers *numbers, ks_arena *values, ks_arena *scratch) {
    const bool is_attention = numbers->key.task == KS_TASK_ATTENTION;
    bool (*const reference)(const ks_problem *, double *) =
        is_attention ? ks_reference_attention : ks_reference_bench;
    ks_problem problem = {.key = &numbers->key, .layout = &numbers->layout, .scratch = scratch};
    float *inputs[KS_MAX_TENSORS] = {NULL};
    if (!generate(numbers, values, inputs)) return false;
    for (int t = 0; t < KS_MAX_TENSORS; t++) problem.inputs[t] = inputs[t];
    if (!reference(&problem, numbers->reference_full)) return false;
    ks_arena_reset(scratch);
    round_inputs(numbers, inputs);
    if (!reference(&problem, numbers->reference)) return false;
    ks_arena_reset(scratch);
    return (is_attention ? measure_plain : measure_magnitude)(numbers, &problem);
}

ks_status ks_numbers_new(const ks_numbers_key *key, ks_numbers **out) {
    *out = NULL;
    if (ks_numbers_peak_bytes(key) == UINT64_MAX) return KS_NO_MEMORY;
    ks_numbers *numbers = calloc(1, sizeof *numbers);
    ks_arena *values = ks_arena_new(BLOCK_BYTES), *scratch = ks_arena_new(BLOCK_BYTES);
    bool is_made = false;
    if (!numbers || !values || !scratch) goto done;

    numbers->key = *key;
    numbers->layout = layout_of(key);
    numbers->held_bytes = sizeof *numbers;
    numbers->arena = ks_arena_new(BLOCK_BYTES);
    is_made = numbers->arena && take_memory(numbers) && solve(numbers, values, scratch);

done:
    ks_arena_free(values);
    ks_arena_free(scratch);
    if (!is_made) ks_numbers_free(numbers);
    *out = is_made ? numbers : NULL;
    return is_made ? KS_OK : KS_NO_MEMORY;
}

void ks_numbers_free(ks_numbers *numbers) {
    if (!numbers) return;
    ks_arena_free(numbers->arena);
    free(numbers);
}
