/* What is stored beside the page: read, made from sweeps, folders and studies, written. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/csv_seal.h"
#include "base/decimal.h"
#include "base/file.h"
#include "cli/adr.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"

enum { MOST_STORED_BYTES = 1 << 28 };

static ks_status no_memory(ks_error *error) {
    return ks_fail(error, KS_NO_MEMORY, "out of memory");
}

/* ---- files ---- */

ks_status ks_adr_write_whole(const char *path, const char *bytes, size_t length, ks_error *error) {
    ks_text part = {0};
    ks_text_add_format(&part, "%s.part", path);
    ks_status status =
        part.has_failed ? no_memory(error) : ks_file_write(part.data, bytes, length, error);
    if (!status) status = ks_path_rename(part.data, path, error);
    if (status && !part.has_failed && ks_path_remove(part.data, NULL))
        fprintf(stderr, "kernsweep: '%s' is left\n", part.data);
    ks_text_free(&part);
    return status;
}

ks_status ks_adr_make_folder_of(const char *path, ks_error *error) {
    const char *slash = strrchr(path, '/');
    ks_text folder = {0};
    if (!slash || slash == path) return KS_OK;
    ks_text_add(&folder, path, (size_t)(slash - path));
    const ks_status status =
        folder.has_failed ? no_memory(error) : ks_folder_make(folder.data, error);
    ks_text_free(&folder);
    return status;
}

/* ---- reading ---- */

bool ks_adr_is_stored(const ks_adr_work *w) {
    return ks_path_exists(w->rows_path.data) && ks_path_exists(w->inputs_path.data) &&
           (w->adr->study_count == 0 || ks_path_exists(w->robust_path.data));
}

/* The rows of a stored file without their checks; `digest` (NULL: nobody asks) is of its bytes. */
static ks_status read_sealed(ks_adr_work *w, const char *path, ks_text *csv, ks_digest *digest,
                             ks_error *error) {
    ks_text bytes = {0};
    const ks_status status = ks_file_read(path, MOST_STORED_BYTES, &bytes, error);
    if (!status) ks_csv_unseal(csv, path, ks_text_string(&bytes), bytes.length, &w->edits);
    if (digest) *digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    ks_text_free(&bytes);
    return !status && (csv->has_failed || w->edits.has_failed) ? no_memory(error) : status;
}

static ks_status load_rows(ks_adr_work *w, ks_error *error) {
    const char *path = w->rows_path.data;
    ks_text csv = {0};
    ks_status status = ks_adr_rows_begin(&w->stored.rows, &ks_kernels) ? KS_OK : no_memory(error);
    if (!status) status = read_sealed(w, path, &csv, &w->stored.digest, error);
    if (!status)
        status = ks_adr_rows_parse(&w->stored.rows, path, ks_text_string(&csv), csv.length, error);
    ks_text_free(&csv);
    return status;
}

static ks_status load_inputs(ks_adr_work *w, ks_error *error) {
    const char *path = w->inputs_path.data;
    ks_text csv = {0};
    ks_status status = read_sealed(w, path, &csv, NULL, error);
    if (!status)
        status =
            ks_adr_inputs_parse(&w->stored.inputs, path, ks_text_string(&csv), csv.length, error);
    ks_text_free(&csv);
    return status;
}

static ks_status load_robust(ks_adr_work *w, ks_error *error) {
    const char *path = w->robust_path.data;
    ks_text csv = {0};
    if (w->adr->study_count == 0) return KS_OK;
    ks_status status = read_sealed(w, path, &csv, NULL, error);
    if (!status)
        status =
            ks_adr_robust_parse(&w->stored.robust, path, ks_text_string(&csv), csv.length, error);
    ks_text_free(&csv);
    return status;
}

/* An edit may make a row unreadable: then it is the edit that is wrong, not the row. */
ks_status ks_adr_load(ks_adr_work *w, ks_error *error) {
    static ks_status (*const parts[])(ks_adr_work *, ks_error *) = {load_rows, load_inputs,
                                                                    load_robust};
    ks_status status = KS_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++)
        status = parts[i](w, error);
    fputs(ks_text_string(&w->edits), stdout);
    return status == KS_INPUT && w->edits.length ? KS_FAILED : status;
}

static void say_begin(void *self, const char *source, uint64_t points, uint64_t of) {
    const ks_adr_work *w = self;
    if (w->options->is_quiet) return;
    printf("%s: simulating %" PRIu64, w->adr->name, points);
    if (points < of) printf(" of %" PRIu64, of);
    printf(" points of %s\n", source);
}

ks_adr_collect_options ks_adr_collecting(ks_adr_work *w) {
    return (ks_adr_collect_options){.isa = w->options->isa,
                                    .threads = w->options->threads ? w->options->threads
                                                                   : ks_run_threads(),
                                    .is_stopped = &ks_is_stopped,
                                    .self = w,
                                    .begin = say_begin};
}

static ks_status write_sealed(const char *path, const ks_text *csv, ks_digest *digest,
                              ks_error *error) {
    ks_text bytes = {0};
    ks_csv_seal(&bytes, ks_text_string(csv), csv->length);
    if (digest) *digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    const ks_status status = csv->has_failed || bytes.has_failed
                                 ? no_memory(error)
                                 : ks_adr_write_whole(path, bytes.data, bytes.length, error);
    ks_text_free(&bytes);
    return status;
}

/* Inputs come last: without them nothing counts as stored. */
static ks_status store(ks_adr_work *w, ks_error *error) {
    ks_text csv = {0};
    ks_status status = ks_adr_make_folder_of(w->rows_path.data, error);
    ks_adr_rows_print(&csv, &w->stored.rows);
    if (!status) status = write_sealed(w->rows_path.data, &csv, &w->stored.digest, error);
    ks_text_clear(&csv);
    ks_adr_robust_print(&csv, &w->stored.robust);
    if (!status && w->adr->study_count)
        status = write_sealed(w->robust_path.data, &csv, NULL, error);
    ks_text_clear(&csv);
    ks_adr_inputs_print(&csv, &w->stored.inputs);
    if (!status) status = write_sealed(w->inputs_path.data, &csv, NULL, error);
    ks_text_free(&csv);
    return status;
}

/* `now` NULL: all of it anew; else what is stored stands where its inputs are still the same. */
static ks_status collect(ks_adr_work *w, const ks_adr_inputs *now, ks_error *error) {
    ks_adr_stored old = w->stored;
    ks_adr_collect_options options = ks_adr_collecting(w);
    w->stored = (ks_adr_stored){0};
    if (now) options.rows = &old.rows;
    options.inputs = &old.inputs;
    options.now = now;
    ks_status status = ks_adr_rows_begin(&w->stored.rows, &ks_kernels) ? KS_OK : no_memory(error);
    if (!status)
        status = ks_adr_collect(w->adr, &options, &w->stored.rows, &w->stored.inputs, error);
    if (!status) status = ks_adr_take_studies(w, &old, now, error);
    ks_adr_stored_free(&old);
    return status ? status : store(w, error);
}

/* A point of a sweep that is not stored can be simulated; one of a folder that is gone cannot. */
static bool lacks_points(const ks_adr_work *w) {
    for (size_t i = 0; i < w->adr->result_count; i++) {
        const char *source = w->adr->results[i].text;
        const char *points = ks_adr_inputs_find(&w->stored.inputs, source, "points");
        uint64_t planned = 0, held = 0;
        for (size_t k = 0; k < w->stored.rows.count; k++)
            held += strcmp(w->stored.rows.items[k].source, source) == 0;
        if (points && ks_u64_parse(points, strlen(points), &planned) && held < planned &&
            ks_path_exists(source))
            return true;
    }
    return false;
}

static ks_status renew(ks_adr_work *w, ks_error *error) {
    ks_adr_inputs now = {0};
    ks_text stale = {0};
    ks_status status = ks_adr_inputs_now(w->adr, &w->stored.inputs, &now, error);
    if (!status) status = ks_adr_studies_now(w, &now, error);
    const bool is_stale = !status && ks_adr_inputs_compare(&stale, &w->stored.inputs, &now) > 0;
    const bool lacks_lines = !status && ks_adr_lacks_lines(w, &stale);
    fputs(ks_text_string(&stale), stdout);
    if (!status && (is_stale || lacks_lines || lacks_points(w))) status = collect(w, &now, error);
    ks_adr_inputs_free(&now);
    ks_text_free(&stale);
    return status;
}

ks_status ks_adr_get_results(ks_adr_work *w, ks_error *error) {
    if (w->options->collects || !ks_adr_is_stored(w)) return collect(w, NULL, error);
    const ks_status status = ks_adr_load(w, error);
    if (status || !w->edits.length) return status ? status : renew(w, error);
    return ks_fail(error, KS_FAILED,
                   "%s: edited rows are no results; `kernsweep adr %s --collect` takes them anew",
                   w->adr->name, w->adr->file);
}
