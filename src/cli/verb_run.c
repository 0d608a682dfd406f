/* run: read every sweep first, then run them one after the other; one verdict, one exit code. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/file.h"
#include "base/program_digest.h"
#include "cli/golden_use.h"
#include "cli/progress.h"
#include "cli/run_reports.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/account.h"
#include "report/csv.h"
#include "report/run_json.h"
#include "report/run_words.h"
#include "run/sweep_run.h"

typedef struct planned_sweep {
    ks_sweep *sweep;
    ks_grid *grid;
    ks_grid_count *count;
    ks_text folder_path;
    ks_folder folder;
    ks_run_facts facts;
    char started[32];
    bool has_begun, is_folder_whole;
    ks_golden_use *golden;
    const ks_digest *program; /* of its file */
    ks_digest points;         /* of points.csv */

    /* While it runs. */
    const ks_options *options;
    ks_progress_line progress;
    ks_run_reports *reports;
    bool is_reported; /* they got to their end */
} planned_sweep;

static const ks_formats formats = {
    .points_header = ks_points_csv_header,
    .points_line = ks_points_csv_line,
    .gates_header = ks_gates_csv_header,
    .gates_line = ks_gates_csv_line,
    .winners_header = ks_winners_csv_header,
    .winners_line = ks_winners_csv_line,
};

/* ---- reading ---- */

static ks_oplog_mode oplog_of(const planned_sweep *p) {
    if (p->sweep->mode == KS_MODE_DISPATCH) return KS_OPLOG_NONE;
    for (int m = KS_OPLOG_NONE; m <= KS_OPLOG_FULL && p->options->oplog; m++)
        if (strcmp(p->options->oplog, ks_oplog_mode_name((ks_oplog_mode)m)) == 0)
            return (ks_oplog_mode)m;
    return p->sweep->oplog;
}

static ks_status plan_sweep(const ks_options *options, const char *file, planned_sweep *p,
                            ks_error *error) {
    ks_sweep_options sweep_options = {
        .sets = options->sets, .set_count = options->set_count, .where = options->where};
    p->options = options;
    sweep_options.column_count = ks_gate_columns(&sweep_options.columns);
    ks_status status = ks_sweep_read(file, &ks_kernels, &sweep_options, &p->sweep, error);
    if (!status) status = ks_grid_new(p->sweep, options->max_points, &p->grid, error);
    if (!status) status = ks_grid_count_new(p->grid, &p->count, error);
    if (!status)
        status = ks_golden_use_new(p->sweep, p->grid, oplog_of(p), options, &p->golden, error);
    return status;
}

static const char *base_folder(const ks_options *options) {
    return options->output ? options->output : "reports";
}

static ks_status choose_folder(const ks_options *options, planned_sweep *p, ks_error *error) {
    if (options->argument_count == 1 && options->output)
        ks_text_add_string(&p->folder_path, options->output);
    else
        ks_text_add_format(&p->folder_path, "%s/%s", base_folder(options), p->sweep->name);
    return p->folder_path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

static ks_status plan_all(const ks_options *options, planned_sweep *sweeps, ks_digest *program,
                          ks_error *error) {
    const ks_status known = ks_program_digest(program, error);
    if (known) return known;
    for (size_t i = 0; i < options->argument_count; i++) {
        ks_status status = plan_sweep(options, options->arguments[i], &sweeps[i], error);
        if (!status) status = choose_folder(options, &sweeps[i], error);
        sweeps[i].program = program;
        if (status) return status;
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(sweeps[k].sweep->name, sweeps[i].sweep->name) == 0)
                return ks_fail(error, KS_INPUT, "%s: the sweep '%s' is already in %s",
                               options->arguments[i], sweeps[i].sweep->name, options->arguments[k]);
    }
    return KS_OK;
}

/* ---- running ---- */

static ks_status take_point(void *self, const ks_record *record) {
    return ks_run_reports_point(((planned_sweep *)self)->reports, record);
}

static ks_status take_gate(void *self, const ks_gate_line *line) {
    return ks_run_reports_gate(((planned_sweep *)self)->reports, line);
}

static void show_progress(void *self, const ks_progress *progress) {
    planned_sweep *p = self;
    ks_progress_show(&p->progress, progress->ran, progress->planned, progress->red);
}

/* With -v a line a point is progress enough, unless it is asked for. */
static ks_progress_mode progress_mode(const ks_options *options) {
    const bool has_lines = options->is_verbose && options->progress == KS_PROGRESS_AUTO;
    return options->is_quiet || has_lines ? KS_PROGRESS_NONE : options->progress;
}

static void state_facts(planned_sweep *p, int threads) {
    static const ks_digest none;
    const ks_sweep *s = p->sweep;
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(p->started, sizeof p->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    p->facts = (ks_run_facts){
        .sweep = s->name,
        .file = s->file,
        .mode = ks_mode_name(s->mode),
        .oplog = ks_oplog_mode_name(oplog_of(p)),
        .where = p->options->where,
        .sets = p->options->sets,
        .set_count = p->options->set_count,
        .sweep_digest = &s->digest,
        .calibration_digest = s->calibration_path ? &s->calibration_digest : NULL,
        .models_digest = memcmp(&s->models_digest, &none, sizeof none) ? &s->models_digest : NULL,
        .golden_digest = ks_golden_use_digest(p->golden),
        .program_digest = p->program,
        .calibration_file = s->calibration_path,
        .threads = threads,
        .started = p->started,
    };
}

static ks_status write_json(const char *folder, const ks_run_facts *facts, size_t count,
                            int exit_code, ks_error *error) {
    ks_text path = {0}, json = {0};
    ks_text_add_format(&path, "%s/run.json", folder);
    ks_run_json_print(&json, facts, count, exit_code);
    const ks_status status = path.has_failed || json.has_failed
                                 ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                 : ks_file_write(path.data, json.data, json.length, error);
    ks_text_free(&path);
    ks_text_free(&json);
    return status;
}

static void add_silent_rules(ks_text *out, const planned_sweep *p) {
    if (p->options->where) return; /* fewer points, so less to match */
    for (size_t i = 0; i < p->sweep->exclude_count; i++)
        if (!p->count->excludes[i].matched)
            ks_text_add_format(out, "note: %s:%zu: this exclude rule matches nothing\n",
                               p->sweep->file, p->sweep->excludes[i].place.line);
    for (size_t i = 0; i < p->sweep->expect_count; i++)
        if (!p->count->expects[i].matched)
            ks_text_add_format(out, "note: %s:%zu: this expect rule matches nothing\n",
                               p->sweep->file, p->sweep->expects[i].place.line);
}

static ks_status end_reports(planned_sweep *p, ks_error *error) {
    const ks_job job = {.kernels = &ks_kernels,
                        .isa = p->options->isa,
                        .mode = p->sweep->mode,
                        .is_exact_full = p->options->is_exact_full};
    ks_text notes = {0}, red = {0}, golden = {0}, words = {0};
    ks_golden_use_print(p->golden, &p->facts.account, &notes);
    ks_golden_use_print_red(p->golden, &p->facts.account, &red);
    ks_text_add_string(&notes, ks_text_string(&red));
    add_silent_rules(&notes, p);
    ks_golden_use_shorten(p->golden, &notes);
    ks_golden_use_shorten(p->golden, &red);
    ks_run_words_print(&words, &p->facts, 1, p->facts.exit_code);
    if (ks_golden_use_digest(p->golden)) ks_golden_path_of(&golden, p->sweep);
    const ks_run_end end = {.account = &p->facts.account,
                            .exit_code = p->facts.exit_code,
                            .verdict = ks_text_string(&words),
                            .notes = ks_text_string(&notes),
                            .golden = ks_text_string(&golden),
                            .red = ks_text_string(&red),
                            .job = &job};
    const bool has_failed =
        notes.has_failed || red.has_failed || golden.has_failed || words.has_failed;
    const ks_status status = has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                        : ks_run_reports_end(p->reports, &end, error);
    p->is_reported = !status;
    ks_text_free(&notes);
    ks_text_free(&red);
    ks_text_free(&golden);
    ks_text_free(&words);
    return status;
}

static uint64_t planned_points(const planned_sweep *p) { return p->count->cells[KS_CELL_RUN]; }

/* Runs into a folder that has begun, and ends it unless the run was cut short. */
static ks_status run_in_folder(planned_sweep *p, const ks_folder *folder, int threads,
                               ks_error *error) {
    const ks_sweep_run_options options = {.kernels = &ks_kernels,
                                          .isa = p->options->isa,
                                          .spoil = p->options->spoil,
                                          .cache_bytes = p->options->cache_mib << 20,
                                          .formats = &formats,
                                          .threads = threads,
                                          .is_fail_fast = p->options->is_fail_fast,
                                          .is_left_out = p->facts.is_left_out,
                                          .golden = ks_golden_use_hooks(p->golden),
                                          .oplog = oplog_of(p),
                                          .is_exact_full = p->options->is_exact_full,
                                          .is_stopped = &ks_is_stopped,
                                          .points_digest = &p->points,
                                          .self = p,
                                          .point = take_point,
                                          .gate = take_gate,
                                          .progress = show_progress};
    const double begun = ks_clock_seconds();
    p->has_begun = true;
    p->progress = ks_progress_begin(progress_mode(p->options), p->sweep->name);
    ks_status status =
        ks_run_reports_new(p->sweep, p->grid, p->count, p->options, folder, &p->reports, error);
    if (!status)
        status = ks_sweep_run(p->sweep, p->grid, planned_points(p), folder, &options,
                              &p->facts.account, error);
    ks_progress_end(&p->progress);
    p->facts.wall_seconds = ks_clock_seconds() - begun;
    p->facts.is_complete = status == KS_OK;
    if (!p->facts.is_left_out) ks_golden_use_settle(p->golden, &p->facts.account);
    if (p->facts.is_complete) p->facts.points_digest = &p->points;
    p->facts.observed_digest = ks_golden_use_observed(p->golden);
    p->facts.exit_code = ks_account_exit_code(&p->facts.account);
    if (!status || status == KS_FAILED) {
        const ks_status after = end_reports(p, error);
        if (after) status = after;
    }
    if (status && status != KS_FAILED) {
        p->facts.exit_code = ks_worst_code(p->facts.exit_code, status == KS_INPUT ? 2 : 3);
        return status;
    }
    return write_json(folder->part, &p->facts, 1, p->facts.exit_code, error);
}

static ks_status run_sweep(planned_sweep *p, int threads, bool is_left_out, ks_error *error) {
    state_facts(p, threads);
    p->facts.is_left_out = is_left_out;
    ks_status status = run_in_folder(p, &p->folder, threads, error);
    if (!status) status = ks_folder_end(&p->folder, error);
    p->is_folder_whole = !status;
    if (status == KS_IO)
        fprintf(stderr, "kernsweep: what is done is kept in '%s'\n", p->folder.part);
    return status;
}

/* Every folder is there before any sweep runs, or none is left behind. */
static void drop_unused_folders(planned_sweep *sweeps, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!sweeps[i].has_begun && ks_path_remove(sweeps[i].folder.part, NULL))
            fprintf(stderr, "kernsweep: '%s' is left\n", sweeps[i].folder.part);
}

static ks_status begin_folders(planned_sweep *sweeps, size_t count, ks_error *error) {
    for (size_t i = 0; i < count; i++) {
        const ks_status status =
            ks_folder_begin(&sweeps[i].folder, sweeps[i].folder_path.data, error);
        if (!status) continue;
        drop_unused_folders(sweeps, i);
        return status;
    }
    return KS_OK;
}

/* ---- the summary ---- */

static void print_sweep(const planned_sweep *p) {
    ks_text out = {0};
    if (!p->options->is_quiet) {
        ks_text_add_format(&out, "%s: mode %s, op_log %s, ", p->sweep->name, p->facts.mode,
                           p->facts.oplog);
        ks_text_add_count(&out, (uint64_t)p->facts.threads, "thread");
        ks_text_add_format(&out, ", %.1f s\n", p->facts.wall_seconds);
        ks_account_print(&out, &p->facts.account);
        if (p->options->is_verbose) ks_paths_print(&out, &p->facts.account);
        ks_golden_use_print(p->golden, &p->facts.account, &out);
        add_silent_rules(&out, p);
    }
    ks_text red = {0};
    ks_golden_use_print_red(p->golden, &p->facts.account, &red);
    if (red.length)
        ks_text_add_format(&out, "red about the golden of %s:\n%s", p->sweep->name,
                           ks_text_string(&red));
    ks_text_free(&red);
    if (p->is_reported) ks_run_reports_print(&out, p->reports);
    if (!p->options->is_quiet && p->is_folder_whole)
        ks_text_add_format(&out, "report: %s\n", ks_text_string(&p->folder_path));
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
}

static void print_verdict(const ks_run_facts *runs, size_t count, int code) {
    ks_text words = {0};
    ks_run_words_print(&words, runs, count, code);
    printf("verdict: exit %d, %s\n", code, ks_text_string(&words));
    ks_text_free(&words);
}

static void free_sweeps(planned_sweep *sweeps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ks_golden_use_free(sweeps[i].golden);
        ks_grid_count_free(sweeps[i].count);
        ks_grid_free(sweeps[i].grid);
        ks_sweep_free(sweeps[i].sweep);
        ks_folder_free(&sweeps[i].folder);
        ks_text_free(&sweeps[i].folder_path);
        ks_run_reports_free(sweeps[i].reports);
    }
    free(sweeps);
}

static ks_status join_reports(const ks_options *options, const planned_sweep *sweeps,
                              const ks_run_facts *facts, size_t count, int code, ks_error *error) {
    const char *folders[KS_MAX_ARGUMENTS];
    ks_text headline = {0};
    for (size_t i = 0; i < count; i++) folders[i] = sweeps[i].folder_path.data;
    ks_text_add_format(&headline, "%zu sweeps: exit %d, ", count, code);
    ks_run_words_print(&headline, facts, count, code);
    const ks_status status =
        ks_run_reports_join(base_folder(options), folders, count, ks_text_string(&headline), error);
    ks_text_free(&headline);
    return status;
}

/* `facts` and `done`: of the sweeps that got to their end. */
static ks_status run_all(const ks_options *options, planned_sweep *sweeps, ks_run_facts *facts,
                         size_t *done, int *code, ks_error *error) {
    const size_t count = options->argument_count;
    const int threads = options->threads ? options->threads : ks_run_threads();
    ks_status status = begin_folders(sweeps, count, error);
    const bool has_folders = !status;
    if (!status && count > 1) status = ks_run_reports_clear(base_folder(options), error);
    for (; *done < count && !status; ++*done) {
        planned_sweep *p = &sweeps[*done];
        const bool is_left_out = options->is_fail_fast && (*code == 1 || *code == 3);
        status = run_sweep(p, threads, is_left_out, error);
        if (status && status != KS_IO) break;
        facts[*done] = p->facts;
        *code = ks_worst_code(*code, p->facts.exit_code);
        if (p->has_begun) print_sweep(p);
    }
    if (has_folders) drop_unused_folders(sweeps, count);
    if (!status && count > 1) status = write_json(base_folder(options), facts, count, *code, error);
    if (!status && count > 1) status = join_reports(options, sweeps, facts, count, *code, error);
    return status;
}

int ks_verb_run(const ks_options *options) {
    int code = 0;
    size_t done = 0;
    ks_error error = {{0}};
    ks_digest program;
    planned_sweep *sweeps = calloc(options->argument_count, sizeof *sweeps);
    ks_run_facts *facts = calloc(options->argument_count, sizeof *facts);
    ks_status status = KS_NO_MEMORY;
    if (sweeps && facts) status = plan_all(options, sweeps, &program, &error);
    if (!status) status = run_all(options, sweeps, facts, &done, &code, &error);
    if (status) code = ks_worst_code(code, ks_say_error(status, &error));
    if (status != KS_INPUT) print_verdict(facts, done, code);
    if (sweeps) free_sweeps(sweeps, options->argument_count);
    free(facts);
    return code;
}
