#include "run/point_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check/check.h"
#include "op_log/resolve.h"
#include "run/plan_cache.h"
#include "run/point_data.h"
#include "run/point_figures.h"
#include "sweep/key.h"

enum { ARENA_BLOCK_BYTES = 1 << 20 };

struct ks_worker {
    ks_arena *arena;
    ks_log_writer *log;
    ks_log_blocks blocks;
    ks_point_data *data;
    ks_plan_cache *plans;

    /* Of the present point. */
    const ks_job *job;
    const ks_kernel *kernel;
    const ks_point *point;
    const ks_lowering *lowering;
    ks_machine machine;
    ks_dispatch_totals dispatch;
    ks_timeline timeline;
    bool is_whole; /* the program has no repeat count */
    bool has_program, has_timeline, has_log;
    ks_check *check;
    ks_op_log_feed feed;
    const ks_spoil *spoil; /* NULL: the point is not spoilt; else its own lowering and log */
    ks_lowering spoilt;
    ks_spoilt_log spoilt_log;
    FILE *log_file;
};

ks_worker *ks_worker_new(void) {
    ks_worker *worker = calloc(1, sizeof *worker);
    if (!worker) return NULL;
    worker->arena = ks_arena_new(ARENA_BLOCK_BYTES);
    worker->log = ks_log_writer_new();
    worker->data = ks_point_data_new();
    worker->plans = ks_plan_cache_new();
    if (worker->arena && worker->log && worker->data && worker->plans) return worker;
    ks_worker_free(worker);
    return NULL;
}

void ks_worker_free(ks_worker *worker) {
    if (!worker) return;
    ks_point_data_free(worker->data);
    ks_plan_cache_free(worker->plans);
    ks_log_writer_free(worker->log);
    ks_arena_free(worker->arena);
    free(worker);
}

const ks_program *ks_worker_program(const ks_worker *worker) {
    return worker->has_program ? &worker->lowering->program : NULL;
}

const ks_timeline *ks_worker_timeline(const ks_worker *worker) {
    return worker->has_timeline ? &worker->timeline : NULL;
}

const ks_numbers *ks_worker_numbers(const ks_worker *worker) {
    return ks_point_data_numbers(worker->data);
}

const float *ks_worker_out(const ks_worker *worker) { return ks_point_data_out(worker->data); }

const ks_log_blocks *ks_worker_blocks(const ks_worker *worker) {
    return worker->has_log ? &worker->blocks : NULL;
}

/* ---- verdicts ---- */

static ks_status say(ks_row *row, ks_verdict verdict, const char *format, ...) KS_PRINTF(3, 4);

/* Answers KS_FAILED: the point goes no further. */
static ks_status say(ks_row *row, ks_verdict verdict, const char *format, ...) {
    va_list args;
    va_start(args, format);
    row->verdict = verdict;
    vsnprintf(row->reason, sizeof row->reason, format, args);
    va_end(args);
    row->has = 0;
    snprintf(row->invariants, sizeof row->invariants, "skipped");
    return KS_FAILED;
}

static ks_status out_of_memory(ks_row *row) { return say(row, KS_VERDICT_crash, "out_of_memory"); }

/* ---- the steps ---- */

static bool makes_log(const ks_worker *w) {
    return w->job->oplog != KS_OPLOG_NONE && w->job->mode != KS_MODE_DISPATCH;
}

/* An op_log, numbers or a watcher need every row, so every tile. */
static bool needs_rows(const ks_worker *w) {
    return makes_log(w) || w->job->mode == KS_MODE_DATA || w->job->watcher.row || w->spoil;
}

static ks_status lower(ks_worker *w, ks_row *row) {
    const uint64_t have = ks_param_of(w->point, KS_P_s_buffers);
    const ks_layout layout = ks_task_layout(w->kernel->task, w->point);
    if (have < w->kernel->least_s_buffers)
        return say(row, KS_VERDICT_infeasible, "s_buffers have=%" PRIu64 " need=%" PRIu64, have,
                   w->kernel->least_s_buffers);
    if (layout.is_too_far)
        return say(row, KS_VERDICT_error, "hbm_layout end=%" PRIu64 " limit=%" PRIu64, layout.end,
                   KS_HBM_LIMIT);
    w->lowering = ks_plan_cache_lower(w->plans, w->kernel, w->point, !w->is_whole);
    if (!w->lowering) return out_of_memory(row);
    switch (w->lowering->verdict) {
    case KS_LOWERED: break;
    case KS_LOWERING_TCM_OVERFLOW:
        return say(row, KS_VERDICT_infeasible, "tcm_overflow end=%" PRIu64 " tcm_bytes=%" PRIu64,
                   w->lowering->end, w->lowering->tcm_bytes);
    case KS_LOWERING_REFUSED: KS_BUG("%s: %s", w->kernel->name, w->lowering->error.text);
    case KS_LOWERING_NO_MEMORY: return out_of_memory(row);
    }
    w->has_program = true;
    if (w->spoil) w->lowering = ks_spoil_lowering(w->spoil, w->lowering, &w->spoilt, w->arena);
    return KS_OK;
}

static ks_status count_dispatch(ks_worker *w, ks_row *row) {
    uint64_t op_bytes;
    switch (ks_dispatch_total(&w->lowering->program, &w->machine, &w->dispatch, &op_bytes)) {
    case KS_DISPATCHABLE: break;
    case KS_DISPATCH_OP_OVER_CAP:
        return say(row, KS_VERDICT_error, "op_over_cap bytes=%" PRIu64 " cap=%" PRIu64, op_bytes,
                   w->machine.segment_cap_bytes);
    case KS_DISPATCH_OVERFLOW: return say(row, KS_VERDICT_error, "overflow");
    }
    ks_figures_of_dispatch(row, &w->lowering->program, &w->dispatch);
    return KS_OK;
}

/* Without an op_log the checks are told the segments, so that size_cap is asked all the same. */
static void check_segments(ks_worker *w) {
    const ks_program *program = &w->lowering->program;
    for (uint32_t c = 0; c < program->command_count; c++)
        for (uint32_t op = 0; op < program->commands[c]->op_count;) {
            const ks_segment segment = ks_segment_at(program->commands[c], op, &w->machine);
            ks_check_segment(w->check, c, op, segment.bytes);
            op += segment.op_count;
        }
}

static ks_status take_row(void *worker, const ks_op_row *row) {
    ks_worker *w = worker;
    ks_status status = makes_log(w) ? ks_check_row(w->check, row) : KS_OK;
    if (!status && ks_point_data_is_on(w->data)) status = ks_point_data_row(w->data, row);
    if (!status && w->job->watcher.row) status = w->job->watcher.row(w->job->watcher.self, row);
    return status;
}

static ks_status take_event(void *worker, const ks_event *event) {
    ks_worker *w = worker;
    const ks_status status = makes_log(w) ? ks_log_writer_event(w->log, event) : KS_OK;
    return status ? status : ks_op_log_take(&w->feed, event);
}

static ks_status open_log(ks_worker *w, const char *id) {
    if (!makes_log(w)) return KS_OK;
    ks_log_texts *texts = ks_plan_cache_texts(w->plans);
    if (!texts) return KS_NO_MEMORY;
    if (w->job->oplog == KS_OPLOG_FULL && w->job->oplog_folder) {
        ks_text path = {0};
        ks_text_add_format(&path, "%s/%s.csv", w->job->oplog_folder, id);
        w->log_file = path.has_failed ? NULL : fopen(path.data, "wb");
        ks_text_free(&path);
        if (!w->log_file) return KS_IO;
    }
    ks_log_writer_begin(w->log, texts, w->log_file, &w->blocks);
    return KS_OK;
}

static ks_status close_log(ks_worker *w, ks_status status, ks_row *row) {
    ks_digest digest;
    uint64_t row_count;
    if (!status && makes_log(w)) status = ks_log_writer_end(w->log, &digest, &row_count);
    if (w->log_file && ks_file_close(w->log_file) && !status) status = KS_IO;
    w->log_file = NULL;
    if (status || !makes_log(w)) return status;
    if (w->spoil) ks_spoilt_log_take(&w->spoilt_log, &digest, &row_count, &w->blocks);
    w->has_log = true;
    ks_row_set_count(row, KS_COL_oplog_records, row_count);
    ks_row_set_digest(row, KS_COL_oplog_xxh128, &digest);
    return KS_OK;
}

static ks_status run_script(ks_worker *w, const ks_event_sink *sink) {
    const ks_script *script;
    const ks_status status = ks_plan_cache_script(w->plans, &w->machine, &script);
    return status ? status : ks_script_run(script, w->arena, sink, &w->timeline);
}

/* Rows that mode data wants once more go to nobody else. */
static ks_status settle_data(ks_worker *w) {
    bool wants_rows;
    const ks_status status = ks_point_data_settle(w->data, &wants_rows);
    if (status || !wants_rows) return status;
    ks_op_log_feed feed = {0, {w->data, ks_point_data_row}};
    return run_script(w, &(ks_event_sink){&feed, ks_op_log_take});
}

static ks_status simulate(ks_worker *w, ks_row *row) {
    static const ks_row_path paths[KS_WAY_COUNT] = {[KS_WAY_FULL] = KS_PATH_full,
                                                    [KS_WAY_FORWARD] = KS_PATH_forward,
                                                    [KS_WAY_DRIFT] = KS_PATH_drift};
    w->feed = (ks_op_log_feed){0, {w, take_row}};
    const ks_event_sink sink = {w, take_event};
    ks_status status = open_log(w, row->id);
    if (!status && w->spoil)
        status = ks_spoil_run(w->spoil, &w->lowering->program, &w->machine, w->arena, &w->feed.sink,
                              &w->timeline, &w->spoilt_log);
    else if (!status)
        status = run_script(w, needs_rows(w) ? &sink : NULL);
    status = close_log(w, status, row);
    if (!status && ks_point_data_is_on(w->data)) status = settle_data(w);
    if (status == KS_INPUT) return say(row, KS_VERDICT_error, "overflow");
    if (status == KS_NO_MEMORY) return out_of_memory(row);
    if (status) return status;
    if (!ks_figures_of_timeline(row, w->point, &w->machine, &w->timeline))
        return say(row, KS_VERDICT_error, "overflow");
    w->has_timeline = true;
    row->path = paths[w->timeline.way];
    ks_check_figures(w->check, w->timeline.total_ticks, w->timeline.busy_ticks, w->dispatch.ticks);
    return KS_OK;
}

/* ---- judgement ---- */

static ks_status judge_numbers(ks_worker *w, ks_row *row, ks_error *detail) {
    ks_data_result result;
    const char *fault;
    if (ks_point_data_end(w->data, w->arena, &result, &fault)) return out_of_memory(row);
    if (*fault) {
        say(row, KS_VERDICT_fail, "replay");
        ks_fail(detail, KS_FAILED, "the op_log cannot be replayed: %s", fault);
        ks_check_numeric(w->check, false, detail->text);
        return KS_OK;
    }
    ks_row_set_digest(row, KS_COL_out_xxh128, &result.out_xxh128);
    ks_figures_of_errors(row, &result.errors);
    ks_figures_judge(row, &result.judgement, detail);
    ks_check_numeric(w->check, row->verdict == KS_VERDICT_pass || row->verdict == KS_VERDICT_doubt,
                     detail->text);
    return KS_OK;
}

static ks_check_feed feed_of(const ks_worker *w) {
    if (w->job->mode == KS_MODE_DISPATCH) return KS_CHECK_DISPATCH;
    if (!makes_log(w)) return KS_CHECK_TIMELINE;
    return w->job->mode == KS_MODE_DATA ? KS_CHECK_DATA : KS_CHECK_OP_LOG;
}

/* The first violation other than that of the numbers, which has its own reason. */
static const char *first_violation(const ks_check_result *result) {
    for (int i = 0; i < KS_INVARIANT_numeric; i++)
        if (result->texts[i]) return result->texts[i];
    return "";
}

static void print_invariants(ks_row *row, uint32_t failed) {
    ks_text ids = {0};
    ks_invariants_print(&ids, failed);
    snprintf(row->invariants, sizeof row->invariants, "%s", ks_text_string(&ids));
    ks_text_free(&ids);
}

/* The numbers speak first; a broken invariant makes any point fail, and one that was not asked
 * though it was due leaves it in doubt. */
static ks_status judge(ks_worker *w, ks_row *row, ks_error *detail) {
    const ks_check_feed feed = feed_of(w);
    row->verdict = KS_VERDICT_pass;
    const ks_status status = ks_point_data_is_on(w->data) ? judge_numbers(w, row, detail) : KS_OK;
    if (status) return status;
    const ks_check_result *result = ks_check_finish(w->check);
    const uint32_t due = ks_check_due(w->point, feed);
    if (result->failed) {
        print_invariants(row, result->failed);
        if (row->verdict != KS_VERDICT_fail)
            snprintf(row->reason, sizeof row->reason, "invariant count=%d",
                     __builtin_popcount(result->failed));
        row->verdict = KS_VERDICT_fail;
        if (!detail->text[0]) ks_fail(detail, KS_FAILED, "%s", first_violation(result));
    } else if ((result->asked & due) != due) {
        row->verdict = KS_VERDICT_doubt;
        snprintf(row->reason, sizeof row->reason, "invariants_not_asked count=%d",
                 __builtin_popcount(due & ~result->asked));
        snprintf(row->invariants, sizeof row->invariants, "skipped");
    } else {
        snprintf(row->invariants, sizeof row->invariants, "%s",
                 feed == KS_CHECK_TIMELINE ? "skipped" : "ok");
    }
    return KS_OK;
}

static ks_status run_steps(ks_worker *w, ks_row *row, ks_error *detail) {
    ks_status status = lower(w, row);
    if (!status) status = count_dispatch(w, row);
    if (status) return status;
    w->check = ks_check_new(&w->lowering->program, w->point, w->arena);
    if (!w->check) return out_of_memory(row);
    if (!makes_log(w)) check_segments(w);
    if (w->job->mode != KS_MODE_DISPATCH) {
        if (w->job->mode == KS_MODE_DATA &&
            ks_point_data_begin(w->data, w->job, w->spoil, w->kernel, w->point,
                                &w->lowering->program))
            return out_of_memory(row);
        status = simulate(w, row);
        if (status) return status;
    }
    return judge(w, row, detail);
}

static void forget_point(ks_worker *w) {
    ks_point_data_forget(w->data);
    w->lowering = NULL;
    w->check = NULL;
    w->has_program = w->has_timeline = w->has_log = false;
    w->timeline = (ks_timeline){0};
    ks_arena_reset(w->arena);
}

ks_status ks_point_run(ks_worker *worker, const ks_job *job, const ks_point *point, const char *key,
                       ks_row *row, ks_error *detail) {
    forget_point(worker);
    worker->job = job;
    worker->point = point;
    worker->kernel = &job->kernels->kernels[ks_param_of(point, KS_P_kernel)];
    worker->machine = ks_machine_of(point);
    worker->spoil = job->spoil && strcmp(job->spoil->key, key) == 0 ? job->spoil : NULL;
    worker->is_whole = job->is_exact_full || needs_rows(worker);
    if (job->is_exact_full) ks_plan_cache_clear(worker->plans);
    *row = (ks_row){.verdict = KS_VERDICT_not_run};
    detail->text[0] = '\0';
    ks_key_id(row->id, key);
    ks_status status = run_steps(worker, row, detail);
    if (status == KS_FAILED && row->verdict == KS_VERDICT_not_run && !worker->is_whole) {
        worker->is_whole = true; /* the loop of the short program did not do */
        status = run_steps(worker, row, detail);
    }
    if (worker->spoil && worker->spoil->row) worker->spoil->row(worker->spoil->which, row);
    return status == KS_FAILED && row->verdict != KS_VERDICT_not_run ? KS_OK : status;
}
