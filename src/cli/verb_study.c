/* study: which constants a figure hangs on, and whether the gates on it survive other ones. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/line_checks.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/study_page.h"
#include "report/table_print.h"
#include "run/folder.h"
#include "run/runner.h"
#include "study/study_run.h"
#include "study/subject_columns.h"
#include "sweep/key.h"

typedef struct study_job {
    const ks_options *options;
    ks_study *study;
    ks_study_outcome outcome;
    ks_folder folder;
    ks_text path, base, kernels;
    ks_text robustness, half_planes; /* line checks */
    ks_study_facts facts;
    char started[32];
} study_job;

static bool has_gates(const ks_study *study) {
    for (size_t f = 0; f < study->figure_count; f++)
        if (study->figures[f].op) return true;
    return false;
}

static ks_status plan(study_job *job, ks_error *error) {
    const ks_study_options columns = ks_study_columns();
    ks_status status =
        ks_study_read(job->options->arguments[0], &ks_kernels, &columns, &job->study, error);
    if (!status) status = ks_study_refuse(job->study, error);
    if (!status && job->options->asks_gates && !has_gates(job->study))
        status =
            ks_fail(error, KS_INPUT, "%s: found no figure with a gate, expected one for --gate",
                    job->study->file);
    if (status) return status;
    if (job->options->output)
        ks_text_add_string(&job->path, job->options->output);
    else
        ks_text_add_format(&job->path, "reports/%s", job->study->name);
    for (size_t i = 0; i < job->study->kernel_count; i++)
        ks_text_add_format(&job->kernels, "%s%s", i ? " " : "",
                           ks_kernels.kernels[job->study->kernels[i]].name);
    ks_key_print_part(&job->base, &ks_kernels, &job->study->base);
    return job->path.has_failed || job->kernels.has_failed || job->base.has_failed
               ? ks_fail(error, KS_NO_MEMORY, "out of memory")
               : KS_OK;
}

static void state_facts(study_job *job, int threads) {
    const ks_study *s = job->study;
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(job->started, sizeof job->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    job->facts = (ks_study_facts){
        .name = s->name,
        .file = s->file,
        .about = s->about,
        .base = ks_text_string(&job->base),
        .kernels = ks_text_string(&job->kernels),
        .study_digest = &s->digest,
        .calibration_digest = s->calibration_path ? &s->calibration_digest : NULL,
        .calibration_file = s->calibration_path,
        .asks_gates = job->options->asks_gates,
        .threads = threads,
        .started = job->started,
    };
}

static ks_status write_text(const study_job *job, const char *name, const ks_text *text,
                            ks_error *error) {
    if (text->has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    FILE *file = ks_folder_create(&job->folder, name, error);
    if (!file) return KS_IO;
    const bool is_written = fwrite(text->data, 1, text->length, file) == text->length;
    if (ks_file_close(file) == 0 && is_written) return KS_OK;
    return ks_fail(error, KS_IO, "cannot write %s/%s", job->folder.part, name);
}

/* What adr reads of the folder tells of its edited lines. */
static void note_lines(study_job *job, const char *name, const ks_text *csv) {
    const bool is_planes = strcmp(name, "half-planes") == 0;
    ks_text *checks = is_planes ? &job->half_planes : &job->robustness;
    if (!is_planes && strcmp(name, "robustness") != 0) return;
    ks_line_checks_add(checks, ks_text_string(csv), csv->length);
    *(is_planes ? &job->facts.half_planes : &job->facts.robustness) = ks_text_string(checks);
}

static ks_status write_tables(study_job *job, ks_error *error) {
    ks_status status = KS_OK;
    ks_text text = {0}, name = {0};
    for (size_t i = 0; i < job->outcome.tables.count && !status; i++) {
        const ks_table *table = job->outcome.tables.items[i];
        if (!table->is_file) continue;
        ks_text_clear(&text);
        ks_text_clear(&name);
        ks_table_print_csv(&text, table);
        note_lines(job, table->name, &text);
        ks_text_add_format(&name, "%s.csv", table->name);
        status = write_text(job, ks_text_string(&name), &text, error);
    }
    ks_text_clear(&text);
    ks_study_page_print(&text, &job->facts, &job->outcome.tables);
    if (!status) status = write_text(job, "study.md", &text, error);
    ks_text_clear(&text);
    ks_study_json_print(&text, &job->facts);
    text.has_failed |= job->robustness.has_failed || job->half_planes.has_failed;
    if (!status) status = write_text(job, "run.json", &text, error);
    ks_text_free(&text);
    ks_text_free(&name);
    return status;
}

static ks_status run_study(study_job *job, int threads, ks_error *error) {
    const ks_study_run_options options = {threads, &ks_is_stopped};
    const double begun = ks_clock_seconds();
    state_facts(job, threads);
    ks_status status = ks_study_run(job->study, &options, &job->outcome, error);
    if (status) return status;
    job->facts.wall_seconds = ks_clock_seconds() - begun;
    job->facts.asked = job->outcome.asked;
    job->facts.simulated = job->outcome.simulated;
    job->facts.gates_failed = job->outcome.gates_failed;
    job->facts.exit_code = job->options->asks_gates && job->outcome.gates_failed ? 1 : 0;
    return write_tables(job, error);
}

/* Nothing is in the folder before the study has come to its end. */
static ks_status run_in_folder(study_job *job, int threads, ks_error *error) {
    ks_status status = ks_folder_begin(&job->folder, ks_text_string(&job->path), error);
    if (status) return status;
    status = run_study(job, threads, error);
    if (!status) return ks_folder_end(&job->folder, error);
    if (ks_path_remove(job->folder.part, NULL))
        fprintf(stderr, "kernsweep: '%s' is left\n", job->folder.part);
    return status;
}

static void print_summary(const study_job *job) {
    const ks_study_facts *f = &job->facts;
    if (job->options->asks_gates) fputs(ks_text_string(&job->outcome.red_gates), stdout);
    if (job->options->asks_gates && job->options->is_quiet && job->outcome.red_gates.length &&
        job->outcome.trouble.length)
        printf("without figures: %s\n", ks_text_string(&job->outcome.trouble));
    if (job->options->is_quiet) return;
    printf("%s: %" PRIu64 " points asked, %" PRIu64 " simulated, %d threads, %.1f s\n", f->name,
           f->asked, f->simulated, f->threads, f->wall_seconds);
    if (job->outcome.trouble.length)
        printf("without figures: %s\n", ks_text_string(&job->outcome.trouble));
    printf("gates: %zu that do not hold, or are not proved over their box\n", f->gates_failed);
    printf("report: %s\n", ks_text_string(&job->path));
}

int ks_verb_study(const ks_options *options) {
    study_job job = {.options = options};
    ks_error error = {{0}};
    const int threads = options->threads ? options->threads : ks_run_threads();
    ks_status status = plan(&job, &error);
    if (!status) status = run_in_folder(&job, threads, &error);
    if (!status) print_summary(&job);
    const int code = status ? ks_say_error(status, &error) : job.facts.exit_code;
    ks_study_outcome_free(&job.outcome);
    ks_study_free(job.study);
    ks_folder_free(&job.folder);
    ks_text_free(&job.path);
    ks_text_free(&job.base);
    ks_text_free(&job.kernels);
    ks_text_free(&job.robustness);
    ks_text_free(&job.half_planes);
    return code;
}
