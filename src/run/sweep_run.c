#include "run/sweep_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/data_cache.h"

typedef struct sweep_run {
    const ks_sweep_run_options *options;
    const ks_sweep *sweep;
    FILE *points, *gates_file, *winners_file, *observed;
    ks_gates *gates;
    ks_winners *winners;
    ks_text line, winner;
    ks_digester *digester; /* of points.csv */
    int why;               /* errno of a row that could not be written; or 0 */
} sweep_run;

static ks_status put(FILE *file, const char *bytes, size_t length) {
    return fwrite(bytes, 1, length, file) == length ? KS_OK : KS_IO;
}

static ks_status put_points(const sweep_run *run, const char *bytes, size_t length) {
    ks_digester_add(run->digester, bytes, length);
    return put(run->points, bytes, length);
}

static void format(const void *self, const ks_record *record, ks_text *line) {
    const sweep_run *run = self;
    run->options->formats->points_line(line, record);
}

static ks_golden_state compare(const void *self, const ks_record *record,
                               const ks_log_blocks *blocks, ks_text *cells, ks_change *change) {
    const ks_golden_hooks *golden = ((const sweep_run *)self)->options->golden;
    return golden->compare(golden->self, record, blocks, cells, change);
}

static ks_status put_line(sweep_run *run, FILE *file) {
    const ks_status status = run->line.has_failed
                                 ? KS_NO_MEMORY
                                 : put(file, ks_text_string(&run->line), run->line.length);
    ks_text_clear(&run->line);
    return status;
}

static ks_status take(void *self, const ks_record *record, const ks_text *line) {
    sweep_run *run = self;
    const ks_golden_hooks *golden = run->options->golden;
    ks_status status = run->options->point(run->options->self, record);
    if (!status) status = put_points(run, line->data, line->length);
    if (!status && golden) {
        ks_text_clear(&run->line);
        golden->observed_line(golden->self, record, &run->line);
        status = put_line(run, run->observed);
    }
    if (status == KS_IO) run->why = errno; /* of this thread, which need not be the one to say it */
    return status;
}

static ks_status take_index(void *self, uint64_t index, const ks_point *point, const char *label,
                            const ks_row *row, bool does_not_run) {
    sweep_run *run = self;
    const ks_status status = ks_gates_take(run->gates, index, point, label, row, does_not_run);
    if (status || !row) return status;
    return ks_winners_take(run->winners, index, point, row);
}

static void progress(void *self, const ks_progress *done) {
    const sweep_run *run = self;
    if (run->options->progress) run->options->progress(run->options->self, done);
}

static ks_status take_gate(void *self, const ks_gate_line *line) {
    sweep_run *run = self;
    const ks_status status = run->options->gate(run->options->self, line);
    if (status) return status;
    ks_text_clear(&run->line);
    run->options->formats->gates_line(&run->line, line);
    return put(run->gates_file, run->line.data, run->line.length);
}

static ks_status take_winner(void *self, const ks_winner_line *line) {
    sweep_run *run = self;
    ks_text_clear(&run->winner);
    run->options->formats->winners_line(&run->winner, line);
    const ks_status status = put(run->winners_file, run->winner.data, run->winner.length);
    if (status) run->why = errno;
    return status;
}

static ks_status write_headers(sweep_run *run, const ks_grid *grid) {
    const ks_formats *formats = run->options->formats;
    ks_text params = {0};
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (name != KS_P_kernel && ks_grid_shows(grid, name))
            ks_text_add_format(&params, ",%s", ks_name_text(name));
    formats->points_header(&run->line, ks_text_string(&params));
    ks_status status = run->line.has_failed
                           ? KS_NO_MEMORY
                           : put_points(run, ks_text_string(&run->line), run->line.length);
    ks_text_clear(&run->line);
    const ks_golden_hooks *golden = run->options->golden;
    if (golden) golden->observed_begin(golden->self, &run->line);
    if (!status && golden) status = put_line(run, run->observed);
    if (!status)
        status = put(run->gates_file, formats->gates_header, strlen(formats->gates_header));
    if (!status)
        status = put(run->winners_file, formats->winners_header, strlen(formats->winners_header));
    ks_text_free(&params);
    return status;
}

static ks_status open_files(sweep_run *run, const ks_folder *folder, ks_error *error) {
    run->points = ks_folder_create(folder, "points.csv", error);
    if (run->points) run->gates_file = ks_folder_create(folder, "gates.csv", error);
    if (run->gates_file) run->winners_file = ks_folder_create(folder, "winners.csv", error);
    if (run->winners_file && run->options->golden)
        run->observed = ks_folder_create(folder, "observed.csv", error);
    return run->winners_file && (run->observed || !run->options->golden) ? KS_OK : KS_IO;
}

/* A file that cannot be closed cleanly is an error, unless there was one before. */
static ks_status close_files(sweep_run *run, ks_status status, ks_error *error) {
    FILE *const files[] = {run->points, run->gates_file, run->winners_file, run->observed};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] && ks_file_close(files[i]) && (status == KS_OK || status == KS_FAILED))
            status = ks_fail(error, KS_IO, "cannot write the report: %s", strerror(errno));
    return status;
}

static ks_status make_oplog_folder(const ks_folder *folder, ks_text *path, ks_error *error) {
    ks_text_add_format(path, "%s/oplog", folder->part);
    if (path->has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    return ks_folder_make(path->data, error);
}

static void note_shares(ks_account *account, ks_data_counts counts) {
    account->shares[KS_SHARE_numbers_made] = counts.numbers_made;
    account->shares[KS_SHARE_numbers_shared] = counts.numbers_shared;
    account->shares[KS_SHARE_results_made] = counts.results_made;
    account->shares[KS_SHARE_results_shared] = counts.results_shared;
}

/* Whether points have twins that differ in the machine or the policy alone. */
static bool varies_machine(const ks_sweep *sweep) {
    for (size_t i = 0; i < sweep->axis_count; i++)
        for (size_t c = 0; sweep->axes[i].count > 1 && c < sweep->axes[i].column_count; c++) {
            const ks_name name = sweep->axes[i].columns[c].name;
            if (name >= KS_NAME_CONSTANTS || name == KS_P_policy || name == KS_P_stream_in_prologue)
                return true;
        }
    return false;
}

static ks_status run_points(sweep_run *run, const ks_grid *grid, uint64_t planned,
                            const char *oplog_folder, ks_account *account, ks_error *error) {
    const ks_sweep_run_options *o = run->options;
    ks_job job = {.kernels = o->kernels,
                  .isa = o->isa,
                  .mode = run->sweep->mode,
                  .oplog = o->oplog,
                  .is_exact_full = o->is_exact_full,
                  .shares_results = varies_machine(run->sweep),
                  .oplog_folder = oplog_folder,
                  .spoil = o->spoil};
    if (job.mode == KS_MODE_DATA && !(job.cache = ks_data_cache_new(o->cache_bytes)))
        return KS_NO_MEMORY;
    for (int i = 0; i < KS_DTYPE_COUNT; i++) {
        const ks_limit *limit = &run->sweep->tolerance[i];
        job.tolerance[i] =
            (ks_tolerance){limit->is_twice_plain ? KS_TOLERANCE_TWICE_PLAIN : KS_TOLERANCE_ABSOLUTE,
                           limit->limit, 0};
    }
    const ks_run_options options = {.job = &job,
                                    .threads = o->threads,
                                    .is_fail_fast = o->is_fail_fast,
                                    .is_stopped = o->is_stopped,
                                    .self = run,
                                    .compare = o->golden ? compare : NULL,
                                    .format = format,
                                    .take = take,
                                    .take_index = take_index,
                                    .progress = progress};
    ks_status status = ks_run(run->sweep, grid, &options, planned, account, error);
    if (job.cache) note_shares(account, ks_data_cache_counts(job.cache));
    ks_data_cache_free(job.cache);
    if (status && status != KS_FAILED) return status;
    if (!status && o->golden) { /* every point is there */
        ks_text_clear(&run->line);
        o->golden->observed_end(o->golden->self, &run->line);
        if (put_line(run, run->observed)) return KS_IO;
    }
    const ks_status after = ks_gates_ask(run->gates, account, run, take_gate);
    return after ? after : ks_winners_end(run->winners) ? KS_IO : status;
}

ks_status ks_sweep_run(const ks_sweep *sweep, const ks_grid *grid, uint64_t planned,
                       const ks_folder *folder, const ks_sweep_run_options *options,
                       ks_account *account, ks_error *error) {
    sweep_run run = {.options = options, .sweep = sweep};
    ks_text oplog_folder = {0};
    *account = (ks_account){.planned = planned, .verdicts = {[KS_VERDICT_not_run] = planned}};
    run.gates = ks_gates_of_grid(sweep, grid);
    run.winners = ks_winners_new(sweep, grid, &run, take_winner);
    run.digester = ks_digester_new();
    error->text[0] = '\0';
    ks_status status = run.gates && run.winners && run.digester ? KS_OK : KS_NO_MEMORY;
    if (!status) status = open_files(&run, folder, error);
    if (!status) status = write_headers(&run, grid);
    if (!status && options->oplog == KS_OPLOG_FULL)
        status = make_oplog_folder(folder, &oplog_folder, error);
    if (!status && options->is_left_out) status = KS_FAILED;
    if (!status) status = run_points(&run, grid, planned, oplog_folder.data, account, error);
    if (run.digester) *options->points_digest = ks_digester_end(run.digester);
    status = close_files(&run, status, error);
    if (status == KS_IO && !error->text[0])
        ks_fail(error, status, "cannot write the report: %s", strerror(run.why ? run.why : errno));
    if (status == KS_NO_MEMORY && !error->text[0]) ks_fail(error, status, "out of memory");
    ks_text_free(&run.line);
    ks_text_free(&run.winner);
    ks_text_free(&oplog_folder);
    ks_gates_free(run.gates);
    ks_winners_free(run.winners);
    ks_digester_free(run.digester);
    return status;
}
