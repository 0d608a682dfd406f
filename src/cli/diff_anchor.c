#include "cli/diff_anchor.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "kernels/kernels.h"
#include "sweep/key.h"

void ks_anchor_free(ks_anchor *a) {
    ks_text_free(&a->key);
    ks_log_free(&a->logs[0]);
    ks_log_free(&a->logs[1]);
    ks_arena_free(a->arena);
    *a = (ks_anchor){.is_there = false};
}

typedef struct search {
    const char *folder;
    ks_point wanted;
    uint64_t least_rows;
    ks_anchor *found;
    ks_text log_path;
    ks_error *error;
} search;

static bool is_alike(const ks_point *a, const ks_point *b) {
    return ks_param_of(a, KS_P_kernel) == ks_param_of(b, KS_P_kernel) &&
           ks_param_of(a, KS_P_policy) == ks_param_of(b, KS_P_policy);
}

static bool comes_before(const search *s, uint64_t rows, const char *key) {
    if (!s->found->is_there || rows != s->least_rows)
        return !s->found->is_there || rows < s->least_rows;
    return strcmp(key, ks_text_string(&s->found->key)) < 0;
}

static ks_status look_at_line(search *s, const ks_points *points, size_t index) {
    const ks_points_line line = ks_points_at(points, index);
    ks_point point;
    ks_row row;
    ks_points_row(points, index, &row);
    if (!ks_row_has(&row, KS_COL_oplog_records)) return KS_OK;
    const uint64_t rows = row.figures[KS_COL_oplog_records].count;
    const ks_status status = ks_key_parse(line.key, &ks_kernels, &point, s->error);
    if (status || !is_alike(&point, &s->wanted) || !comes_before(s, rows, line.key)) return status;
    ks_text path = {0};
    ks_text_add_format(&path, "%s/oplog/%s.csv", s->folder, line.id);
    if (!path.has_failed && ks_path_exists(path.data)) {
        s->found->is_there = true;
        s->least_rows = rows;
        ks_text_clear(&s->found->key);
        ks_text_add_string(&s->found->key, line.key);
        ks_text_clear(&s->log_path);
        ks_text_add_string(&s->log_path, path.data);
    }
    const bool has_failed = path.has_failed || s->found->key.has_failed || s->log_path.has_failed;
    ks_text_free(&path);
    return has_failed ? ks_fail(s->error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

static bool is_golden(const char *path) {
    char begin[64];
    FILE *file = ks_path_is_folder(path) ? NULL : fopen(path, "rb");
    const size_t length = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file) fclose(file);
    return ks_points_is_golden(begin, length);
}

static ks_status look_at_file(search *s, const char *name) {
    ks_points *points = NULL;
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s", s->folder, name);
    ks_status status = path.has_failed ? ks_fail(s->error, KS_NO_MEMORY, "out of memory") : KS_OK;
    if (!status && is_golden(path.data)) {
        status = ks_points_of_golden(path.data, &points, s->error);
        for (size_t i = 0; !status && i < ks_points_count(points); i++)
            status = look_at_line(s, points, i);
    }
    ks_points_free(points);
    ks_text_free(&path);
    return status;
}

static ks_status look_in_folder(search *s) {
    DIR *folder = opendir(s->folder);
    if (!folder)
        return errno == ENOENT ? KS_OK
                               : ks_fail(s->error, KS_IO, "cannot open the folder '%s': %s",
                                         s->folder, strerror(errno));
    ks_status status = KS_OK;
    for (struct dirent *entry; !status && (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0)
            status = look_at_file(s, entry->d_name);
    }
    closedir(folder);
    return status;
}

static ks_status compare(search *s, const ks_options *options) {
    ks_anchor *a = s->found;
    ks_found_log now = {0};
    a->arena = ks_arena_new(1 << 12);
    ks_status status = a->arena ? ks_log_read(s->log_path.data, &a->logs[0], s->error)
                                : ks_fail(s->error, KS_NO_MEMORY, "out of memory");
    if (!status) status = ks_log_simulate(options, ks_text_string(&a->key), &now, s->error);
    if (!status && !now.is_there) {
        a->is_there = false; /* it does not run any more */
    } else if (!status) {
        status = ks_log_parse("this program's op_log", now.bytes, &a->logs[1], s->error);
        now.bytes = (ks_text){0};
        if (!status && ks_log_compare(&a->logs[0], &a->logs[1], a->arena, &a->diff))
            status = ks_fail(s->error, KS_NO_MEMORY, "out of memory");
    }
    ks_found_log_free(&now);
    return status;
}

ks_status ks_anchor_find(const ks_options *options, const char *folder, const char *key,
                         ks_anchor *out, ks_error *error) {
    search s = {.folder = folder, .found = out, .error = error};
    *out = (ks_anchor){.is_there = false};
    ks_status status = ks_key_parse(key, &ks_kernels, &s.wanted, error);
    if (!status) status = look_in_folder(&s);
    if (!status && out->is_there) status = compare(&s, options);
    ks_text_free(&s.log_path);
    return status;
}
