#include "run/point_data.h"

#include <stdlib.h>
#include <string.h>

enum { OWN_CACHE_BYTES = 64 << 20 /* where the job has no cache */ };

struct ks_point_data {
    ks_data_cache *own;

    /* Of the present point. */
    const ks_job *job;
    const ks_spoil *spoil;
    const ks_kernel *kernel;
    const ks_point *point;
    const ks_program *program;
    ks_data_cache *cache;
    ks_numbers *numbers;
    ks_replay *replay;
    ks_trace *trace;
    ks_digest key;
    bool has_key, has_out;
    bool has_result; /* of a point before */
    ks_data_result result;
};

ks_point_data *ks_point_data_new(void) {
    ks_point_data *data = calloc(1, sizeof *data);
    if (!data) return NULL;
    data->own = ks_data_cache_new(OWN_CACHE_BYTES);
    if (data->own) return data;
    free(data);
    return NULL;
}

void ks_point_data_free(ks_point_data *data) {
    if (!data) return;
    ks_point_data_forget(data);
    ks_data_cache_free(data->own);
    free(data);
}

void ks_point_data_forget(ks_point_data *data) {
    ks_replay_free(data->replay);
    ks_trace_free(data->trace);
    if (data->cache) ks_data_cache_release(data->cache, data->numbers);
    *data = (ks_point_data){.own = data->own};
}

bool ks_point_data_is_on(const ks_point_data *data) { return data->job != NULL; }
const ks_numbers *ks_point_data_numbers(const ks_point_data *data) { return data->numbers; }

const float *ks_point_data_out(const ks_point_data *data) {
    return data->has_out ? ks_replay_out(data->replay) : NULL;
}

/* ---- keys ---- */

/* All on which the program and its results depend, but for the order in which it runs. */
static ks_digest key_of(const ks_point_data *data, const ks_digest *flow) {
    static const ks_constant tiles[] = {KS_C_gemm_tile_m, KS_C_gemm_tile_n, KS_C_gemm_tile_k};
    uint64_t words[KS_PARAM_COUNT + 3 + 2] = {0};
    for (int p = 0; p < KS_PARAM_COUNT; p++)
        if (p != KS_P_policy && p != KS_P_stream_in_prologue) words[p] = data->point->params[p];
    for (int i = 0; i < 3; i++)
        words[KS_PARAM_COUNT + i] = ks_whole_of(&data->point->calibration, tiles[i]);
    if (flow) memcpy(&words[KS_PARAM_COUNT + 3], flow->bytes, sizeof flow->bytes);
    return ks_digest_of(words, sizeof words);
}

/* ---- a point ---- */

static ks_status prepare_replay(ks_point_data *data) {
    const ks_numbers_key key = ks_numbers_key_of(data->kernel->task, data->point);
    data->numbers = ks_data_cache_numbers(data->cache, &key, data->job->isa);
    if (data->numbers)
        data->replay = ks_replay_new(data->numbers, data->program, &data->point->calibration);
    return data->replay ? KS_OK : KS_NO_MEMORY;
}

static bool shares_results(const ks_point_data *data) {
    return data->job->shares_results && !data->spoil && !data->job->is_exact_full &&
           ks_data_cache_keeps(data->cache);
}

ks_status ks_point_data_begin(ks_point_data *data, const ks_job *job, const ks_spoil *spoil,
                              const ks_kernel *kernel, const ks_point *point,
                              const ks_program *program) {
    data->job = job;
    data->spoil = spoil;
    data->kernel = kernel;
    data->point = point;
    data->program = program;
    data->cache = job->cache ? job->cache : data->own;
    if (!ks_float_environment_is_sound())
        KS_BUG("this thread does not round to nearest, or flushes subnormals to 0");
    if (!shares_results(data)) return prepare_replay(data);
    const ks_layout layout = ks_task_layout(kernel->task, point);
    data->trace = ks_trace_new(&layout, program);
    if (!data->trace) return KS_NO_MEMORY;
    /* Where a point like it has run, its result will do, unless things come in another order. */
    const ks_digest like = key_of(data, NULL);
    return ks_data_cache_knows(data->cache, &like) ? KS_OK : prepare_replay(data);
}

ks_status ks_point_data_row(void *self, const ks_op_row *row) {
    ks_point_data *data = self;
    ks_status status = data->trace ? ks_trace_row(data->trace, row) : KS_OK;
    /* A row that cannot be replayed ends the replay; ks_replay_fault says so at the end. */
    if (!status && data->replay && !*ks_replay_fault(data->replay) &&
        ks_replay_row(data->replay, row) == KS_NO_MEMORY)
        status = KS_NO_MEMORY;
    return status;
}

ks_status ks_point_data_settle(ks_point_data *data, bool *wants_rows) {
    ks_digest flow;
    *wants_rows = false;
    if (!data->trace) return KS_OK;
    ks_status status = ks_trace_finish(data->trace, &data->has_key, &flow);
    ks_trace_free(data->trace);
    data->trace = NULL;
    if (status) return status;
    data->key = key_of(data, &flow);
    data->has_result = !data->replay && data->has_key &&
                       ks_data_cache_find(data->cache, &data->key, &data->result);
    *wants_rows = !data->replay && !data->has_result;
    return *wants_rows ? prepare_replay(data) : KS_OK;
}

/* What twice_plain is twice of; a bench and an absolute limit need none. */
static ks_status measure_plain(ks_point_data *data, ks_tolerance *tolerance) {
    if (data->kernel->task != KS_TASK_ATTENTION || tolerance->kind != KS_TOLERANCE_TWICE_PLAIN)
        return KS_OK;
    return ks_numbers_plain_max_abs_err(
        data->numbers, (ks_dtype)ks_param_of(data->point, KS_P_score),
        (ks_dtype)ks_param_of(data->point, KS_P_p_dtype), &tolerance->plain_max_abs_err);
}

static void keep(ks_point_data *data) {
    if (!data->has_key) return;
    const ks_digest like = key_of(data, NULL);
    ks_data_cache_keep(data->cache, &data->key, &data->result);
    ks_data_cache_mark(data->cache, &like);
}

ks_status ks_point_data_end(ks_point_data *data, ks_arena *arena, ks_data_result *result,
                            const char **fault) {
    *fault = "";
    *result = data->result;
    if (data->has_result) return KS_OK;
    if (*ks_replay_fault(data->replay) ||
        ks_replay_finish(data->replay, &data->result.out_xxh128)) {
        *fault = ks_replay_fault(data->replay);
        return KS_OK;
    }
    data->has_out = true;
    const float *out = ks_spoil_out(data->spoil, data->numbers, ks_replay_out(data->replay), arena);
    ks_tolerance tolerance = data->job->tolerance[ks_param_of(data->point, KS_P_dtype)];
    if (!out || measure_plain(data, &tolerance)) return KS_NO_MEMORY;
    data->result.judgement = ks_judge(data->numbers, out, tolerance);
    data->result.errors = ks_errors_of(data->numbers, out);
    *result = data->result;
    keep(data);
    return KS_OK;
}
