/* show: one point in depth. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/json.h"
#include "report/path.h"
#include "report/program.h"
#include "run/plan_print.h"
#include "run/point_run.h"
#include "sweep/key.h"

enum { PATH_ENDS = 8, OUT_PIECE_BYTES = 1 << 16 };

typedef struct showing {
    const ks_options *options;
    ks_point point;
    const ks_kernel *kernel;
    ks_text key;
    ks_worker *worker;
    ks_row row;
    ks_error detail;
    ks_path_log *path;
    ks_text log; /* rows on their way to standard output */
} showing;

static bool prints_detail(const ks_options *o) {
    return o->shows_commands || o->shows_plan || o->shows_oplog;
}

static ks_status flush_log(showing *s) {
    if (s->log.has_failed) return KS_NO_MEMORY;
    fwrite(s->log.data, 1, s->log.length, stdout);
    ks_text_clear(&s->log);
    return ferror(stdout) ? KS_IO : KS_OK; /* the reader went away, or the disk is full */
}

static ks_status take_row(void *self, const ks_op_row *row) {
    showing *s = self;
    if (!s->options->shows_oplog) return ks_path_log_row(s->path, row);
    ks_op_row_print(&s->log, row);
    return s->log.length >= OUT_PIECE_BYTES ? flush_log(s) : KS_OK;
}

/* ---- the summary ---- */

static void print_text(const showing *s, const ks_path_step *steps, size_t count) {
    ks_text cell = {0};
    printf("%s\nid %s, verdict %s", ks_text_string(&s->key), s->row.id,
           ks_verdict_name(s->row.verdict));
    if (s->row.reason[0]) printf(": %s", s->row.reason);
    printf("\ninvariants %s\n", s->row.invariants);
    if (s->detail.text[0]) printf("%s\n", s->detail.text);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        if (!ks_row_has(&s->row, (ks_column)c)) continue;
        ks_text_clear(&cell);
        ks_row_print_cell(&cell, &s->row, (ks_column)c);
        printf("  %-26s %s %s\n", ks_column_describe((ks_column)c)->name, ks_text_string(&cell),
               ks_column_describe((ks_column)c)->unit);
    }
    ks_text_free(&cell);
    if (count) printf("critical path: %zu steps\n", count);
    for (size_t i = 0; i < count; i++) {
        const ks_path_step *step = &steps[i];
        if (!s->options->is_verbose && i == PATH_ENDS && count > 2 * PATH_ENDS) {
            printf("  ... %zu steps more; -v prints them all\n", count - 2 * PATH_ENDS);
            i = count - PATH_ENDS - 1;
            continue;
        }
        char start[KS_DECIMAL_TEXT_MAX], share[KS_DECIMAL_TEXT_MAX], latency[KS_DECIMAL_TEXT_MAX];
        ks_decimal_print(start, step->start);
        ks_decimal_print(share, step->occupied_ticks);
        ks_decimal_print(latency, step->latency_ticks);
        printf("  at %s: row %" PRIu64 ", cmd %" PRIu32 " stage %" PRId64
               ", %s %s on %s, %s cycles",
               start, step->seq, step->cmd, step->stage, ks_row_kind_name(step->kind),
               ks_op_name(step->op), ks_server_name(step->server), share);
        printf(step->latency_ticks ? " + %s of latency\n" : "\n", latency);
    }
}

static void put_cell(ks_json *json, const ks_row *row, ks_column column) {
    ks_text cell = {0};
    const ks_column_kind kind = ks_column_describe(column)->kind;
    ks_json_key(json, ks_column_describe(column)->name);
    ks_row_print_cell(&cell, row, column);
    if (kind == KS_WORD || kind == KS_DIGEST)
        ks_json_string(json, ks_text_string(&cell));
    else if (kind == KS_REAL)
        ks_json_double(json, row->figures[column].real);
    else if (kind == KS_CYCLES)
        ks_json_decimal(json, row->figures[column].count);
    else
        ks_json_u64(json, row->figures[column].count);
    ks_text_free(&cell);
}

static void put_step(ks_json *json, const ks_path_step *step) {
    ks_json_begin(json, '{');
    ks_json_put_u64(json, "seq", step->seq);
    ks_json_put_u64(json, "cmd", step->cmd);
    ks_json_put_string(json, "kind", ks_row_kind_name(step->kind));
    ks_json_put_string(json, "op", ks_op_name(step->op));
    ks_json_put_string(json, "server", ks_server_name(step->server));
    ks_json_key(json, "start");
    ks_json_decimal(json, step->start);
    ks_json_key(json, "cycles");
    ks_json_decimal(json, step->occupied_ticks);
    ks_json_key(json, "latency_cycles");
    ks_json_decimal(json, step->latency_ticks);
    ks_json_end(json, '}');
}

static void print_json(const showing *s, const ks_path_step *steps, size_t count) {
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '{');
    ks_json_put_string(&json, "key", ks_text_string(&s->key));
    ks_json_put_string(&json, "id", s->row.id);
    ks_json_put_string(&json, "verdict", ks_verdict_name(s->row.verdict));
    ks_json_put_string(&json, "reason", s->row.reason);
    ks_json_put_string(&json, "invariants", s->row.invariants);
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (ks_row_has(&s->row, (ks_column)c)) put_cell(&json, &s->row, (ks_column)c);
    ks_json_key(&json, "critical_path");
    ks_json_begin(&json, '[');
    for (size_t i = 0; i < count; i++) put_step(&json, &steps[i]);
    ks_json_end(&json, ']');
    ks_json_end(&json, '}');
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
}

static void print_summary(const showing *s) {
    const ks_path_step *steps = NULL;
    const size_t count = ks_worker_timeline(s->worker) ? ks_path_walk(s->path, &steps) : 0;
    if (s->options->is_json)
        print_json(s, steps, count);
    else
        print_text(s, steps, count);
}

static void print_program(const showing *s) {
    const ks_program *program = ks_worker_program(s->worker);
    ks_text out = {0};
    if (!program) return;
    if (s->options->shows_commands)
        ks_program_print(&out, program, ks_whole_of(&s->point.calibration, KS_C_op_header_bytes),
                         ks_whole_of(&s->point.calibration, KS_C_operand_bytes));
    if (s->options->shows_plan) ks_plans_print(&out, program, &s->point);
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
}

/* ---- tensors ---- */

static ks_status write_tensor(const char *folder, const char *name, const float *values,
                              uint64_t count, ks_error *error) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s.bin", folder, name);
    const ks_status status = ks_file_write(ks_text_string(&path), (const char *)values,
                                           (size_t)count * sizeof *values, error);
    ks_text_free(&path);
    return status;
}

static ks_status write_tensors(const showing *s, ks_error *error) {
    const char *folder = s->options->tensor_folder;
    const ks_layout layout = ks_task_layout(s->kernel->task, &s->point);
    const ks_numbers_key key = ks_numbers_key_of(s->kernel->task, &s->point);
    const float *out = ks_worker_out(s->worker);
    ks_arena *arena = ks_arena_new(1 << 16);
    ks_status status = arena ? ks_folder_make(folder, error) : KS_NO_MEMORY;
    for (uint32_t i = 0; i < layout.count && !status; i++) {
        const ks_tensor *tensor = &layout.tensors[i];
        const uint64_t count = tensor->rows * tensor->cols;
        if (tensor->is_output) {
            if (out) status = write_tensor(folder, tensor->name, out, count, error);
            continue;
        }
        float *values = ks_arena_take(arena, count, sizeof *values);
        if (!values) status = KS_NO_MEMORY;
        if (status) break;
        ks_input_generate(&key, s->options->isa, i, 0, count, values);
        status = write_tensor(folder, tensor->name, values, count, error);
        ks_arena_reset(arena);
    }
    ks_arena_free(arena);
    return status == KS_NO_MEMORY ? ks_fail(error, status, "out of memory") : status;
}

/* ---- the whole ---- */

static ks_status run(showing *s) {
    /* Without a golden or a sweep's tolerance the numbers are only shown: the widest limit. */
    ks_job job = {.kernels = &ks_kernels,
                  .isa = s->options->isa,
                  .mode = s->options->tensor_folder ? KS_MODE_DATA : KS_MODE_TIMING,
                  .oplog = KS_OPLOG_HASH,
                  .watcher = {s, take_row}};
    const bool has_f32_acc = ks_param_of(&s->point, KS_P_acc) == KS_F32;
    for (int i = 0; i < KS_DTYPE_COUNT; i++)
        job.tolerance[i] =
            i == KS_F32 || !has_f32_acc
                ? (ks_tolerance){KS_TOLERANCE_ABSOLUTE, has_f32_acc ? 1e-5 : HUGE_VAL, 0}
                : (ks_tolerance){.kind = KS_TOLERANCE_TWICE_PLAIN};
    return ks_point_run(s->worker, &job, &s->point, ks_text_string(&s->key), &s->row, &s->detail);
}

static ks_status show(showing *s, ks_error *error) {
    ks_status status = ks_key_parse(s->options->arguments[0], &ks_kernels, &s->point, error);
    if (status) return status;
    s->kernel = &ks_kernels.kernels[ks_param_of(&s->point, KS_P_kernel)];
    ks_key_print(&s->key, &ks_kernels, &s->point);
    s->worker = ks_worker_new();
    s->path = ks_path_log_new();
    if (!s->worker || !s->path) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (s->options->shows_oplog) ks_text_add_string(&s->log, KS_OP_LOG_HEADER);
    status = run(s);
    if (!status && s->options->shows_oplog && ks_worker_timeline(s->worker)) status = flush_log(s);
    /* ks_close_stdout tells a full disk from a closed pipe. */
    if (ferror(stdout)) return KS_OK;
    if (status) return ks_fail(error, status, "the point could not be run to its end");
    print_program(s);
    if (!prints_detail(s->options)) print_summary(s);
    if (prints_detail(s->options) && !ks_worker_timeline(s->worker))
        fprintf(stderr, "kernsweep: %s: %s\n", ks_verdict_name(s->row.verdict), s->row.reason);
    if (!s->options->tensor_folder) return KS_OK;
    if (ks_worker_timeline(s->worker)) return write_tensors(s, error);
    fprintf(stderr, "kernsweep: no tensors are written to '%s': the point does not run\n",
            s->options->tensor_folder);
    return KS_OK;
}

/* A point that fails its own checks is 1; one that cannot run shows why, and is 0 where that is
 * infeasible. */
static int code_of(const ks_row *row) {
    static const int codes[KS_VERDICT_COUNT] = {[KS_VERDICT_fail] = 1,
                                                [KS_VERDICT_error] = 1,
                                                [KS_VERDICT_doubt] = 1,
                                                [KS_VERDICT_crash] = 3};
    return codes[row->verdict];
}

int ks_verb_show(const ks_options *options) {
    showing s = {.options = options};
    ks_error error = {{0}};
    const ks_status status = show(&s, &error);
    ks_worker_free(s.worker);
    ks_path_log_free(s.path);
    ks_text_free(&s.key);
    ks_text_free(&s.log);
    return status ? ks_say_error(status, &error) : code_of(&s.row);
}
