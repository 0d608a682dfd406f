#include "cli/diff_logs.h"

#include <string.h>

#include "base/file.h"
#include "golden/log_file.h"
#include "kernels/kernels.h"
#include "run/point_run.h"
#include "sweep/key.h"

enum { MOST_ROWS = 4000000 }; /* that are simulated */

void ks_found_log_free(ks_found_log *log) {
    ks_text_free(&log->bytes);
    ks_text_free(&log->origin);
    log->is_there = false;
}

void ks_folder_of_file(ks_text *out, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash)
        ks_text_add(out, path, slash == path ? 1 : (size_t)(slash - path));
    else
        ks_text_add_char(out, '.');
}

static bool is_of(const ks_text *bytes, const ks_row *row) {
    const ks_digest digest = ks_digest_of(ks_text_string(bytes), bytes->length);
    return memcmp(&digest, &row->figures[KS_COL_oplog_xxh128].digest, sizeof digest) == 0;
}

/* A file that is there and is another log is passed over. */
static ks_status look_in_file(const ks_text *path, const ks_row *row, ks_found_log *out,
                              ks_error *error) {
    if (path->has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (out->is_there || !ks_path_exists(path->data) || ks_path_is_folder(path->data)) return KS_OK;
    ks_text_clear(&out->bytes);
    const ks_status status = ks_file_read_stored(path->data, KS_LOG_FILE_LIMIT, &out->bytes, error);
    if (status) return status;
    out->is_there = is_of(&out->bytes, row);
    if (out->is_there) ks_text_add_string(&out->origin, path->data);
    return KS_OK;
}

static ks_status look_in_folder(const char *folder, const char *id, const ks_row *row,
                                ks_found_log *out, ks_error *error) {
    static const char *const forms[][2] = {
        {"/oplog/", ".csv"}, {"/failures/", "/op_log.csv"}, {"/", ".csv"}};
    ks_status status = KS_OK;
    for (size_t i = 0; folder && i < sizeof forms / sizeof forms[0] && !status; i++) {
        ks_text path = {0};
        ks_text_add_format(&path, "%s%s%s%s", folder, forms[i][0], id, forms[i][1]);
        status = look_in_file(&path, row, out, error);
        ks_text_free(&path);
    }
    return status;
}

static ks_status take_row(void *self, const ks_op_row *row) {
    ks_text *bytes = self;
    ks_op_row_print(bytes, row);
    if (row->seq >= MOST_ROWS) return KS_FAILED;
    return bytes->has_failed ? KS_NO_MEMORY : KS_OK;
}

ks_status ks_log_simulate(const ks_options *options, const char *key, ks_found_log *out,
                          ks_error *error) {
    ks_point point;
    ks_row row;
    ks_error detail = {{0}};
    ks_worker *worker = ks_worker_new();
    ks_text_clear(&out->bytes);
    ks_text_add_string(&out->bytes, KS_OP_LOG_HEADER);
    const ks_job job = {.kernels = &ks_kernels,
                        .isa = options->isa,
                        .mode = KS_MODE_TIMING,
                        .oplog = KS_OPLOG_HASH,
                        .watcher = {&out->bytes, take_row}};
    ks_status status = worker ? ks_key_parse(key, &ks_kernels, &point, error) : KS_NO_MEMORY;
    if (!status) status = ks_point_run(worker, &job, &point, key, &row, &detail);
    if (status == KS_NO_MEMORY) ks_fail(error, status, "out of memory");
    out->is_there = !status && ks_row_has(&row, KS_COL_oplog_xxh128);
    if (status == KS_FAILED) status = KS_OK; /* too long */
    if (out->is_there) ks_text_add_string(&out->origin, "this program");
    ks_worker_free(worker);
    return status;
}

ks_status ks_log_find(const ks_options *options, const char *folder, const char *against,
                      const ks_points_line *point, const ks_row *row, ks_found_log *out,
                      ks_error *error) {
    *out = (ks_found_log){0};
    if (!ks_row_has(row, KS_COL_oplog_xxh128)) return KS_OK;
    ks_status status = look_in_folder(folder, point->id, row, out, error);
    if (!status) status = look_in_folder(against, point->id, row, out, error);
    if (status || out->is_there) return status;
    status = ks_log_simulate(options, point->key, out, error);
    if (!out->is_there || is_of(&out->bytes, row)) return status;
    ks_found_log_free(out);
    return status;
}
