#include "data/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "data/reference.h"

enum { BLOCK_BYTES = 1 << 16, MOST_ROWS = 64 /* query rows solved at once */ };

ks_numbers_key ks_numbers_key_of(ks_task task, const ks_point *point) {
    ks_numbers_key key = {.task = task};
    for (int p = 0; p < KS_PARAM_COUNT; p++)
        if (ks_task_shapes(task) >> p & 1 && p != KS_P_TILE) key.params[p] = point->params[p];
    key.params[KS_P_dtype] = point->params[KS_P_dtype];
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

const void *ks_numbers_input(const ks_numbers *numbers, uint32_t tensor) {
    return numbers->inputs[tensor];
}

static uint64_t elements(const ks_tensor *tensor) { return tensor->rows * tensor->cols; }

static ks_layout layout_of(const ks_numbers_key *key) {
    ks_point point = {.params = {0}};
    memcpy(point.params, key->params, sizeof point.params);
    return ks_task_layout(key->task, &point);
}

/* An input: raw, and of a bench as float and as double; of OUT: solutions, scratch, copies. Attention's
 * scores, of up to MOST_ROWS query rows twice, come on top. */
uint64_t ks_numbers_peak_bytes(const ks_numbers_key *key) {
    enum { RAW_BYTES = 4, BENCH_BYTES = 4 + 8, OUT_BYTES = 5 * 8, SCORE_BYTES = 2 * 8 };
    const bool is_attention = key->task == KS_TASK_ATTENTION;
    const uint64_t limit = UINT64_C(1) << 32; /* elements of a tensor; 2^38 bytes and more */
    const ks_layout layout = layout_of(key);
    const uint64_t group = key->params[KS_P_G], rows = group < MOST_ROWS ? group : MOST_ROWS;
    uint64_t bytes = is_attention ? key->params[KS_P_S] * rows * SCORE_BYTES : 0;
    for (uint32_t t = 0; t < layout.count; t++) {
        const ks_tensor *tensor = &layout.tensors[t];
        const uint64_t per_input = RAW_BYTES + (is_attention ? 0 : BENCH_BYTES);
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
        const uint64_t bytes = elements(tensor) * ks_dtype_bytes(tensor->dtype);
        numbers->inputs[t] = ks_arena_take_unset(numbers->arena, bytes, 1);
        numbers->held_bytes += bytes;
        if (!numbers->inputs[t]) return false;
    }
    numbers->out_count = elements(&layout->tensors[numbers->out]);
    numbers->reference = hold(numbers, numbers->out_count, sizeof(double));
    numbers->reference_full = hold(numbers, numbers->out_count, sizeof(double));
    return numbers->reference && numbers->reference_full;
}

static void scale_values(float *values, uint64_t count, float factor) {
    for (uint64_t i = 0; factor != 1 && i < count; i++) values[i] *= factor;
}

void ks_numbers_take(const ks_numbers *numbers, uint32_t tensor, uint64_t first, uint64_t count,
                     float *values) {
    const ks_dtype dtype = numbers->layout.tensors[tensor].dtype;
    const unsigned char *raw = numbers->inputs[tensor];
    ks_to_floats(numbers->isa, values, raw + first * ks_dtype_bytes(dtype), dtype, count);
    scale_values(values, count, numbers->layout.tensors[tensor].scale);
}

static void generate(const ks_numbers *numbers, uint32_t tensor, uint64_t first, uint64_t count,
                     float *values) {
    ks_input_generate(&numbers->key, numbers->isa, tensor, first, count, values);
}

/* Into the raw inputs, and back: in place. */
static void round_values(ks_numbers *numbers, uint32_t tensor, uint64_t first, uint64_t count,
                         float *values) {
    const ks_dtype dtype = numbers->layout.tensors[tensor].dtype;
    const float scale = numbers->layout.tensors[tensor].scale;
    unsigned char *raw = numbers->inputs[tensor];
    scale_values(values, count, 1 / scale);
    numbers->isa->convert->round_floats[dtype](raw + first * ks_dtype_bytes(dtype), values, count);
    scale_values(values, count, scale);
}

/* ---- attention ---- */

typedef void take_piece(const ks_attention *a, const float *values, uint64_t first, uint64_t count);

/* K or V, piece by piece: unrounded to `full`, rounded to `rounded`. */
static void feed(ks_numbers *numbers, uint32_t tensor, take_piece *take, const ks_attention *full,
                 const ks_attention *rounded, float *piece) {
    const uint64_t d = full->d;
    for (uint64_t j = 0; j < full->length; j += KS_PIECE_ROWS) {
        const uint64_t left = full->length - j, count = left < KS_PIECE_ROWS ? left : KS_PIECE_ROWS;
        generate(numbers, tensor, j * d, count * d, piece);
        take(full, piece, j, count);
        round_values(numbers, tensor, j * d, count * d, piece);
        take(rounded, piece, j, count);
    }
}

/* Query rows from `first` on. */
static bool solve_rows(ks_numbers *numbers, uint64_t first, uint64_t rows, ks_arena *scratch) {
    const uint64_t length = numbers->key.params[KS_P_S], d = numbers->key.params[KS_P_d];
    ks_attention full = {.isa = numbers->isa, .rows = rows, .length = length, .d = d};
    ks_attention rounded = full;
    float *q = ks_arena_take(scratch, rows * d, sizeof *q);
    float *piece = ks_arena_take(scratch, KS_PIECE_ROWS * d, sizeof *piece);
    if (!q || !piece) return false;
    generate(numbers, 0, first * d, rows * d, q);
    if (!ks_attention_begin(&full, q, &numbers->reference_full[first * d], scratch)) return false;
    round_values(numbers, 0, first * d, rows * d, q);
    if (!ks_attention_begin(&rounded, q, &numbers->reference[first * d], scratch)) return false;
    feed(numbers, 1, ks_attention_keys, &full, &rounded, piece);
    ks_attention_weigh(&full);
    ks_attention_weigh(&rounded);
    feed(numbers, 2, ks_attention_values, &full, &rounded, piece);
    ks_attention_end(&full);
    ks_attention_end(&rounded);
    return true;
}

static bool solve_attention(ks_numbers *numbers, ks_arena *scratch) {
    const uint64_t group = numbers->key.params[KS_P_G];
    bool is_fine = true;
    for (uint64_t g = 0; g < group && is_fine; g += MOST_ROWS) {
        ks_arena_reset(scratch);
        is_fine = solve_rows(numbers, g, group - g < MOST_ROWS ? group - g : MOST_ROWS, scratch);
    }
    return is_fine;
}

/* ---- benches ---- */

static bool measure_magnitude(ks_numbers *numbers, const ks_problem *problem) {
    numbers->magnitude = hold(numbers, numbers->out_count, sizeof(double));
    return numbers->magnitude && ks_reference_bench_magnitude(problem, numbers->magnitude);
}

static bool solve_bench(ks_numbers *numbers, ks_arena *values, ks_arena *scratch) {
    ks_problem problem = {
        .key = &numbers->key, .layout = &numbers->layout, .isa = numbers->isa, .scratch = scratch};
    float *inputs[KS_MAX_TENSORS] = {NULL};
    for (uint32_t t = 0; t < numbers->layout.count; t++) {
        const uint64_t count = elements(&numbers->layout.tensors[t]);
        if (t == numbers->out) continue;
        problem.inputs[t] = inputs[t] = ks_arena_take(values, count, sizeof(float));
        if (!inputs[t]) return false;
        generate(numbers, t, 0, count, inputs[t]);
    }
    if (!ks_reference_bench(&problem, numbers->reference_full)) return false;
    ks_arena_reset(scratch);
    for (uint32_t t = 0; t < numbers->layout.count; t++)
        if (inputs[t])
            round_values(numbers, t, 0, elements(&numbers->layout.tensors[t]), inputs[t]);
    if (!ks_reference_bench(&problem, numbers->reference)) return false;
    ks_arena_reset(scratch);
    return measure_magnitude(numbers, &problem);
}

static bool solve(ks_numbers *numbers, ks_arena *values, ks_arena *scratch) {
    if (numbers->key.task == KS_TASK_ATTENTION) return solve_attention(numbers, scratch);
    return solve_bench(numbers, values, scratch);
}

ks_status ks_numbers_new(const ks_numbers_key *key, const ks_isa *isa, ks_numbers **out) {
    *out = NULL;
    if (ks_numbers_peak_bytes(key) == UINT64_MAX) return KS_NO_MEMORY;
    ks_numbers *numbers = calloc(1, sizeof *numbers);
    if (numbers && pthread_mutex_init(&numbers->plain_lock, NULL)) {
        free(numbers);
        numbers = NULL;
    }
    ks_arena *values = ks_arena_new(BLOCK_BYTES), *scratch = ks_arena_new(BLOCK_BYTES);
    bool is_made = false;
    if (!numbers || !values || !scratch) goto done;

    numbers->key = *key;
    numbers->isa = isa ? isa : ks_isa_best();
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
    pthread_mutex_destroy(&numbers->plain_lock);
    ks_arena_free(numbers->arena);
    free(numbers);
}

/* ---- plain attention ---- */

static bool measure_plain(ks_numbers *numbers, ks_dtype score, ks_dtype p_dtype) {
    ks_arena *scratch = ks_arena_new(BLOCK_BYTES);
    float *plain = scratch ? ks_arena_take(scratch, numbers->out_count, sizeof *plain) : NULL;
    const bool is_made = plain && ks_plain_attention(numbers, score, p_dtype, scratch, plain);
    if (is_made) {
        numbers->plain_max_abs_err[score][p_dtype] = ks_errors_of(numbers, plain).max_abs_err;
        numbers->has_plain[score][p_dtype] = true;
    }
    ks_arena_free(scratch);
    return is_made;
}

ks_status ks_numbers_plain_max_abs_err(ks_numbers *numbers, ks_dtype score, ks_dtype p_dtype,
                                       double *out) {
    pthread_mutex_lock(&numbers->plain_lock);
    const bool is_made =
        numbers->has_plain[score][p_dtype] || measure_plain(numbers, score, p_dtype);
    if (is_made) *out = numbers->plain_max_abs_err[score][p_dtype];
    pthread_mutex_unlock(&numbers->plain_lock);
    return is_made ? KS_OK : KS_NO_MEMORY;
}
