#include "cli/failures.h"

#include <string.h>

#include "base/file.h"
#include "kernels/kernels.h"
#include "report/point_diff_text.h"
#include "sweep/key.h"

void ks_failures_free(ks_failures *f) {
    for (size_t i = 0; i < f->count; i++) {
        ks_text_free(&f->kept[i].key);
        ks_text_free(&f->kept[i].detail);
        ks_text_free(&f->kept[i].why);
        ks_text_free(&f->kept[i].show);
    }
    f->count = 0;
}

ks_status ks_failures_take(ks_failures *f, const ks_record *record, const char *show) {
    if (f->count == KS_FAILURES_KEPT) return KS_OK;
    const size_t i = f->count++;
    f->kept[i].row = *record->row;
    f->kept[i].has_change = record->change != NULL;
    if (record->change) f->kept[i].change = *record->change;
    ks_text_add_string(&f->kept[i].key, record->key);
    ks_text_add_string(&f->kept[i].detail, record->detail);
    ks_text_add_string(&f->kept[i].why, record->why);
    ks_text_add_string(&f->kept[i].show, show);
    const bool has_failed = f->kept[i].key.has_failed || f->kept[i].detail.has_failed ||
                            f->kept[i].why.has_failed || f->kept[i].show.has_failed;
    return has_failed ? KS_NO_MEMORY : KS_OK;
}

/* ---- writing ---- */

typedef struct writer {
    const char *folder; /* .../failures */
    const ks_job *job;
    ks_worker *worker;
    char ids[KS_FAILURES_KEPT][KS_KEY_ID];
    size_t count;
    uint64_t rows; /* of op_logs that are kept */
    ks_error *error;
} writer;

static bool is_there(const writer *w, const char *id) {
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->ids[i], id) == 0) return true;
    return false;
}

static ks_status write_text(const writer *w, const char *folder, const char *name,
                            const ks_text *text) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s", folder, name);
    const ks_status status =
        path.has_failed || text->has_failed
            ? ks_fail(w->error, KS_NO_MEMORY, "out of memory")
            : ks_file_write(path.data, ks_text_string(text), text->length, w->error);
    ks_text_free(&path);
    return status;
}

/* A long op_log is not kept: its point says how it is shown. */
static bool takes_log(writer *w, const ks_row *row) {
    if (w->job->mode == KS_MODE_DISPATCH) return false;
    if (!ks_row_has(row, KS_COL_oplog_records)) return true; /* not known: no op_log was made */
    const uint64_t rows = row->figures[KS_COL_oplog_records].count;
    if (rows > KS_FAILURES_ROWS - w->rows) return false;
    w->rows += rows;
    return true;
}

/* Makes the op_log again; the numbers are not computed for it. */
static ks_status write_log(const writer *w, const char *folder, const char *id, const char *key) {
    ks_job job = *w->job;
    ks_point point;
    ks_row row;
    ks_error detail = {{0}};
    ks_text made = {0}, name = {0};
    job.mode = KS_MODE_TIMING;
    job.oplog = KS_OPLOG_FULL;
    job.oplog_folder = folder;
    ks_status status = ks_key_parse(key, &ks_kernels, &point, w->error);
    if (!status) status = ks_point_run(w->worker, &job, &point, key, &row, &detail);
    ks_text_add_format(&made, "%s/%s.csv", folder, id);
    ks_text_add_format(&name, "%s/op_log.csv", folder);
    if (!status && (made.has_failed || name.has_failed)) status = KS_NO_MEMORY;
    if (!status && ks_path_exists(made.data))
        status = ks_path_rename(made.data, name.data, w->error);
    ks_text_free(&made);
    ks_text_free(&name);
    if (status == KS_IO && !w->error->text[0])
        ks_fail(w->error, status, "cannot write into '%s'", folder);
    return status;
}

static ks_status write_point(writer *w, const ks_record *record, const char *first,
                             const char *show) {
    ks_text folder = {0}, diff = {0}, script = {0};
    if (w->count == KS_FAILURES_KEPT || is_there(w, record->row->id)) return KS_OK;
    strcpy(w->ids[w->count++], record->row->id);
    ks_text_add_format(&folder, "%s/%s", w->folder, record->row->id);
    ks_point_diff_print(&diff, record);
    ks_text_add_string(&diff, first);
    ks_text_add_format(&script, "#!/bin/sh\n%s\n", show);
    ks_status status = folder.has_failed ? KS_NO_MEMORY : ks_folder_make(folder.data, w->error);
    if (!status && takes_log(w, record->row))
        status = write_log(w, folder.data, record->row->id, record->key);
    if (!status) status = write_text(w, folder.data, "diff.txt", &diff);
    if (!status) status = write_text(w, folder.data, "reproduce.sh", &script);
    ks_text_free(&folder);
    ks_text_free(&diff);
    ks_text_free(&script);
    return status;
}

static ks_status write_all(writer *w, const ks_failures *f, const ks_cause_list *causes) {
    ks_status status = KS_OK;
    for (size_t i = 0; i < causes->count && !status; i++) {
        const ks_failure_cause *c = &causes->causes[i];
        const ks_record record = {
            .row = c->row, .key = c->key, .detail = c->detail, .why = c->why, .change = c->change};
        status = write_point(w, &record, c->first, c->show);
    }
    for (size_t i = 0; i < f->count && !status; i++) {
        const ks_record record = {.row = &f->kept[i].row,
                                  .key = f->kept[i].key.data,
                                  .detail = ks_text_string(&f->kept[i].detail),
                                  .why = ks_text_string(&f->kept[i].why),
                                  .change = f->kept[i].has_change ? &f->kept[i].change : NULL};
        status = write_point(w, &record, "", ks_text_string(&f->kept[i].show));
    }
    return status;
}

ks_status ks_failures_write(const ks_failures *failures, const ks_cause_list *causes,
                            const ks_folder *folder, const ks_job *job, size_t *stored,
                            ks_error *error) {
    ks_text path = {0};
    *stored = 0;
    if (!failures->count) return KS_OK;
    ks_text_add_format(&path, "%s/failures", folder->part);
    writer w = {.folder = path.data, .job = job, .worker = ks_worker_new(), .error = error};
    ks_status status = w.worker && !path.has_failed ? KS_OK : KS_NO_MEMORY;
    if (!status) status = ks_folder_make(path.data, error);
    if (!status) status = write_all(&w, failures, causes);
    if (status == KS_NO_MEMORY && !error->text[0]) ks_fail(error, status, "out of memory");
    *stored = w.count;
    ks_worker_free(w.worker);
    ks_text_free(&path);
    return status;
}
