/* Robustness of gates: study files that are run, report folders of studies that are read. */
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/file.h"
#include "cli/adr.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/table_print.h"
#include "run/report_folder.h"
#include "run/runner.h"
#include "study/study_run.h"
#include "study/subject_columns.h"

static const char LINES[] = "lines"; /* of robustness.csv: how many */

static ks_status read_study(const char *file, ks_study **study, ks_error *error) {
    const ks_study_options columns = ks_study_columns();
    return ks_study_read(file, &ks_kernels, &columns, study, error);
}

/* ---- study files ---- */

/* A table of a study as its folder would have it; nothing where there is no such table. */
static void print_table(const ks_tables *tables, const char *name, ks_text *csv) {
    for (size_t i = 0; i < tables->count; i++)
        if (strcmp(tables->items[i]->name, name) == 0) ks_table_print_csv(csv, tables->items[i]);
}

static ks_status run_study(const ks_adr_work *w, const ks_study *study, ks_text *csv,
                           ks_text *planes, ks_error *error) {
    const ks_study_run_options options = {
        w->options->threads ? w->options->threads : ks_run_threads(), &ks_is_stopped};
    ks_study_outcome outcome = {0};
    ks_status status = ks_study_refuse(study, error);
    if (!status) status = ks_study_run(study, &options, &outcome, error);
    if (!status) {
        print_table(&outcome.tables, "robustness", csv);
        print_table(&outcome.tables, "half-planes", planes);
        if (csv->has_failed || planes->has_failed)
            status = ks_fail(error, KS_NO_MEMORY, "out of memory");
        else if (csv->length == 0)
            status = ks_fail(error, KS_INPUT, "%s: found no gate in the study, expected some",
                             study->file);
    }
    ks_study_outcome_free(&outcome);
    return status;
}

/* Both tables of a study; `planes` may be empty. */
static ks_status take_tables(ks_adr_robust *robust, const char *source, const ks_text *csv,
                             const ks_text *planes, ks_error *error) {
    ks_status status =
        ks_adr_robust_take(robust, source, source, ks_text_string(csv), csv->length, error);
    if (!status && planes->length)
        status =
            ks_adr_robust_take_planes(robust, source, source, planes->data, planes->length, error);
    return status;
}

static ks_status run_and_take(const ks_adr_work *w, const ks_study *study, const char *source,
                              ks_adr_robust *robust, ks_error *error) {
    ks_text csv = {0}, planes = {0};
    ks_status status = run_study(w, study, &csv, &planes, error);
    if (!status) status = take_tables(robust, source, &csv, &planes, error);
    ks_text_free(&csv);
    ks_text_free(&planes);
    return status;
}

static ks_status take_file(ks_adr_work *w, const char *file, ks_error *error) {
    ks_study *study;
    ks_status status = read_study(file, &study, error);
    if (status) return status;
    ks_adr_inputs_add_study(&w->stored.inputs, file, study);
    if (!w->options->is_quiet) printf("%s: running the study %s\n", w->adr->name, file);
    status = run_and_take(w, study, file, &w->stored.robust, error);
    ks_study_free(study);
    return status;
}

/* ---- report folders ---- */

/* The study file of a folder, if it and its calibration are what the folder was made from. */
static ks_status open_folder(const char *folder, const ks_tree *json, ks_study **study,
                             ks_error *error) {
    const char *file = ks_report_folder_text(json, "file");
    const ks_tree *digests = ks_tree_find(json, "digests");
    const char *digest = ks_report_folder_text(digests, "study"),
               *had = ks_report_folder_text(digests, "calibration");
    *study = NULL;
    if (!file || !digest)
        return ks_fail(error, KS_INPUT,
                       "%s: found no study in its run.json, expected the report "
                       "folder of a study",
                       folder);
    const ks_status status = read_study(file, study, error);
    if (status) return status;
    if (!ks_report_folder_is_digest(digest, &(*study)->digest))
        return ks_fail(error, KS_FAILED,
                       "%s: stale: study changed: %s is not the file that it was "
                       "made from; run it again",
                       folder, file);
    const bool has = (*study)->calibration_path != NULL;
    if (has == (had != NULL) &&
        (!has || ks_report_folder_is_digest(had, &(*study)->calibration_digest)))
        return KS_OK;
    return ks_fail(error, KS_FAILED,
                   "%s: stale: calibration changed: it was made from other "
                   "values; run it again",
                   folder);
}

static ks_status take_files(ks_adr_work *w, const ks_report_folder *report, const ks_study *study,
                            ks_error *error) {
    const char *folder = report->path;
    ks_text csv = {0}, planes = {0};
    ks_adr_inputs_add_study(&w->stored.inputs, folder, study);
    ks_status status = ks_report_folder_read(report, "robustness.csv", &csv, error);
    if (!status && ks_report_folder_text(ks_tree_find(report->json, "lines"), "half-planes.csv"))
        status = ks_report_folder_read(report, "half-planes.csv", &planes, error);
    if (!status) status = take_tables(&w->stored.robust, folder, &csv, &planes, error);
    ks_text_free(&csv);
    ks_text_free(&planes);
    return status;
}

static ks_status take_folder(ks_adr_work *w, const char *folder, ks_error *error) {
    ks_study *study = NULL;
    ks_report_folder report;
    ks_status status = ks_report_folder_open(&report, folder, error);
    if (!status) status = open_folder(folder, report.json, &study, error);
    if (!status) status = take_files(w, &report, study, error);
    ks_study_free(study);
    ks_report_folder_close(&report);
    return status;
}

/* ---- what is stored ---- */

static size_t count_lines(const ks_adr_robust *robust, const char *source) {
    size_t count = 0;
    for (size_t i = 0; i < robust->count; i++) count += strcmp(robust->items[i].study, source) == 0;
    return count;
}

/* A gate whose line is gone would read as not studied. */
static bool has_lines(const ks_adr_stored *stored, const char *source) {
    const char *lines = ks_adr_inputs_find(&stored->inputs, source, LINES);
    uint64_t count;
    return lines && ks_u64_parse(lines, strlen(lines), &count) &&
           count_lines(&stored->robust, source) == count;
}

bool ks_adr_lacks_lines(const ks_adr_work *w, ks_text *out) {
    bool lacks = false;
    for (size_t i = 0; i < w->adr->study_count; i++) {
        const char *source = w->adr->studies[i].text;
        if (has_lines(&w->stored, source)) continue;
        lacks = true;
        ks_text_add_format(out, "missing: %s does not hold every line of %s\n", w->robust_path.data,
                           source);
    }
    return lacks;
}

static void note_lines(ks_adr_work *w, const char *source) {
    ks_text count = {0};
    ks_text_add_u64(&count, count_lines(&w->stored.robust, source));
    ks_adr_inputs_add(&w->stored.inputs, source, LINES, ks_text_string(&count));
    w->stored.inputs.has_failed |= count.has_failed;
    ks_text_free(&count);
}

static ks_status copy_study(ks_adr_work *w, const ks_adr_stored *old, const char *source,
                            ks_error *error) {
    for (size_t i = 0; i < old->inputs.count; i++) {
        const ks_adr_input *input = &old->inputs.items[i];
        if (strcmp(input->source, source) == 0)
            ks_adr_inputs_add(&w->stored.inputs, source, input->name, input->value);
    }
    return ks_adr_robust_copy(&w->stored.robust, &old->robust, source, error);
}

static ks_status take_study(ks_adr_work *w, const ks_adr_path *path, ks_error *error) {
    if (!ks_path_exists(path->text))
        return ks_place_fail(error, &path->place,
                             "found '%s', expected a study file or the report folder of a study "
                             "that is there",
                             path->text);
    const ks_status status = ks_path_is_folder(path->text) ? take_folder(w, path->text, error)
                                                           : take_file(w, path->text, error);
    if (!status) note_lines(w, path->text);
    return status;
}

ks_status ks_adr_take_studies(ks_adr_work *w, const ks_adr_stored *old, const ks_adr_inputs *now,
                              ks_error *error) {
    for (size_t i = 0; i < w->adr->study_count; i++) {
        const ks_adr_path *path = &w->adr->studies[i];
        const bool stands = now && has_lines(old, path->text) &&
                            ks_adr_inputs_is_same(&old->inputs, now, path->text);
        const ks_status status =
            stands ? copy_study(w, old, path->text, error) : take_study(w, path, error);
        if (status) return status;
    }
    return w->stored.inputs.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

/* ---- against today ---- */

static const char *file_of(const ks_adr_work *w, const char *source) {
    const char *file = ks_adr_inputs_find(&w->stored.inputs, source, "file");
    return file ? file : source;
}

ks_status ks_adr_studies_now(const ks_adr_work *w, ks_adr_inputs *now, ks_error *error) {
    for (size_t i = 0; i < w->adr->study_count; i++) {
        const char *source = w->adr->studies[i].text;
        ks_study *study;
        if (!ks_adr_inputs_find(&w->stored.inputs, source, "file") && ks_path_is_folder(source)) {
            ks_adr_inputs_add(now, source, "study", ""); /* not read yet: it is new to the table */
            continue;
        }
        const ks_status status = read_study(file_of(w, source), &study, error);
        if (status) return status;
        ks_adr_inputs_add_study(now, source, study);
        ks_study_free(study);
    }
    return now->has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

static ks_status take_again(const ks_adr_work *w, const char *source, ks_adr_robust *robust,
                            ks_error *error) {
    ks_study *study;
    ks_status status = read_study(file_of(w, source), &study, error);
    if (!status) status = run_and_take(w, study, source, robust, error);
    ks_study_free(study);
    return status;
}

ks_status ks_adr_verify_studies(const ks_adr_work *w, bool *is_same, ks_error *error) {
    ks_adr_robust again = {0};
    ks_text stored = {0}, now = {0};
    ks_status status = KS_OK;
    for (size_t i = 0; i < w->adr->study_count && !status; i++)
        status = take_again(w, w->adr->studies[i].text, &again, error);
    if (!status) {
        ks_adr_robust_print(&stored, &w->stored.robust);
        ks_adr_robust_print(&now, &again);
        *is_same = strcmp(ks_text_string(&stored), ks_text_string(&now)) == 0;
        if (stored.has_failed || now.has_failed)
            status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    }
    ks_adr_robust_free(&again);
    ks_text_free(&stored);
    ks_text_free(&now);
    return status;
}
