#include "cli/diff_anchor.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text_map.h"
#include "golden/golden_file.h"
#include "kernels/kernels.h"
#include "sweep/key.h"

void ks_anchor_free(ks_anchor *a) {
    ks_text_free(&a->key);
    ks_log_free(&a->logs[0]);
    ks_log_free(&a->logs[1]);
    ks_arena_free(a->arena);
    *a = (ks_anchor){.is_there = false};
}

typedef struct golden_name {
    char name[256];
    off_t bytes;
} golden_name;

typedef struct search {
    const char *folder;
    ks_point wanted;
    ks_text_map *logs; /* ids of FOLDER/oplog */
    size_t met;        /* of them, in goldens */
    golden_name *names;
    size_t name_count;
    uint64_t least_rows;
    ks_anchor *found;
    ks_text log_path;
    ks_error *error;
} search;

static ks_status no_memory(const search *s) {
    return ks_fail(s->error, KS_NO_MEMORY, "out of memory");
}

static bool is_alike(const ks_point *a, const ks_point *b) {
    return ks_param_of(a, KS_P_kernel) == ks_param_of(b, KS_P_kernel) &&
           ks_param_of(a, KS_P_policy) == ks_param_of(b, KS_P_policy);
}

static bool comes_before(const search *s, uint64_t rows, const char *key) {
    if (!s->found->is_there || rows != s->least_rows)
        return !s->found->is_there || rows < s->least_rows;
    return strcmp(key, ks_text_string(&s->found->key)) < 0;
}

/* ---- the folder ---- */

/* take(s, path, name) for every NAME.csv of a folder; none where there is no folder. */
static ks_status each_csv(search *s, const char *folder,
                          ks_status (*take)(search *, const char *path, const char *name)) {
    DIR *dir = opendir(folder);
    if (!dir)
        return errno == ENOENT ? KS_OK
                               : ks_fail(s->error, KS_IO, "cannot open the folder '%s': %s", folder,
                                         strerror(errno));
    ks_status status = KS_OK;
    for (struct dirent *entry; !status && (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length <= 4 || strcmp(entry->d_name + length - 4, ".csv") != 0) continue;
        ks_text path = {0};
        ks_text_add_format(&path, "%s/%s", folder, entry->d_name);
        status = path.has_failed ? no_memory(s) : take(s, path.data, entry->d_name);
        ks_text_free(&path);
    }
    closedir(dir);
    return status;
}

static ks_status take_log(search *s, const char *path, const char *name) {
    char id[KS_KEY_ID] = "";
    (void)path;
    if (strlen(name) == KS_KEY_ID - 1 + 4) memcpy(id, name, KS_KEY_ID - 1);
    return *id && ks_text_map_add(s->logs, id) == KS_TEXT_MAP_NONE ? no_memory(s) : KS_OK;
}

static ks_status take_golden(search *s, const char *path, const char *name) {
    char begin[64];
    struct stat info;
    if (stat(path, &info) || !S_ISREG(info.st_mode)) return KS_OK;
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file) fclose(file);
    if (!ks_points_is_golden(begin, length)) return KS_OK;
    golden_name *names = realloc(s->names, (s->name_count + 1) * sizeof *names);
    if (!names) return no_memory(s);
    s->names = names;
    golden_name *taken = &s->names[s->name_count++];
    snprintf(taken->name, sizeof taken->name, "%s", name);
    taken->bytes = info.st_size;
    return KS_OK;
}

static int compare_names(const void *left, const void *right) {
    const golden_name *a = left, *b = right;
    if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* ---- its goldens ---- */

static ks_status take_line(search *s, const char *id, const char *key, uint64_t rows) {
    ks_point point;
    const ks_status status = ks_key_parse(key, &ks_kernels, &point, s->error);
    if (status || !is_alike(&point, &s->wanted) || !comes_before(s, rows, key)) return status;
    s->found->is_there = true;
    s->least_rows = rows;
    ks_text_clear(&s->found->key);
    ks_text_add_string(&s->found->key, key);
    ks_text_clear(&s->log_path);
    ks_text_add_format(&s->log_path, "%s/oplog/%s.csv", s->folder, id);
    return s->found->key.has_failed || s->log_path.has_failed ? no_memory(s) : KS_OK;
}

static ks_status look_at_line(search *s, const ks_golden *golden, size_t index) {
    const char *key = ks_golden_at(golden, index).key;
    char id[KS_KEY_ID];
    ks_row row;
    ks_log_blocks blocks;
    ks_key_id(id, key);
    if (ks_text_map_find(s->logs, id) == KS_TEXT_MAP_NONE) return KS_OK;
    s->met++;
    ks_golden_row_of(golden, index, &row, &blocks);
    if (!ks_row_has(&row, KS_COL_oplog_records)) return KS_OK;
    return take_line(s, id, key, row.figures[KS_COL_oplog_records].count);
}

static ks_status look_at_golden(search *s, const char *name) {
    ks_golden *golden = NULL;
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s", s->folder, name);
    ks_status status = path.has_failed
                           ? no_memory(s)
                           : ks_golden_read(path.data, KS_GOLDEN_BLESSED, &golden, s->error);
    for (size_t i = 0; !status && i < ks_golden_count(golden); i++)
        status = look_at_line(s, golden, i);
    ks_golden_free(golden);
    ks_text_free(&path);
    return status;
}

/* The smallest goldens first, until the points of all op_logs are known. */
static ks_status look_in_folder(search *s) {
    ks_text logs = {0};
    ks_text_add_format(&logs, "%s/oplog", s->folder);
    ks_status status = logs.has_failed ? no_memory(s) : each_csv(s, logs.data, take_log);
    const size_t wanted = ks_text_map_count(s->logs);
    if (!status && wanted) status = each_csv(s, s->folder, take_golden);
    if (s->name_count) qsort(s->names, s->name_count, sizeof s->names[0], compare_names);
    for (size_t i = 0; !status && i < s->name_count && s->met < wanted; i++)
        status = look_at_golden(s, s->names[i].name);
    ks_text_free(&logs);
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
    s.logs = ks_text_map_new();
    ks_status status = s.logs ? ks_key_parse(key, &ks_kernels, &s.wanted, error) : no_memory(&s);
    if (!status) status = look_in_folder(&s);
    if (!status && out->is_there) status = compare(&s, options);
    ks_text_map_free(s.logs);
    free(s.names);
    ks_text_free(&s.log_path);
    return status;
}
