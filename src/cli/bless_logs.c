#include "cli/bless_logs.h"

#include <string.h>

#include "base/file.h"
#include "golden/golden_write.h"
#include "golden/log_file.h"

/* Whether line `index` has its op_log already. */
static bool has_log(const ks_bless_logs *l, size_t index) {
    bool has_file;
    ks_row row;
    ks_log_blocks blocks;
    ks_golden_row_of(l->next, index, &row, &blocks);
    if (!ks_row_has(&row, KS_COL_oplog_xxh128)) return true;
    return ks_golden_log_check(l->folder, l->next, index, &has_file, NULL) == KS_OK && has_file;
}

static void count_one(void *self, const char *name) {
    (void)name;
    ++*(uint64_t *)self;
}

ks_status ks_bless_logs_count(const ks_bless_logs *l, uint64_t *missing, uint64_t *orphans,
                              ks_error *error) {
    *missing = *orphans = 0;
    for (size_t i = 0; i < ks_golden_count(l->next); i++) *missing += !has_log(l, i);
    return ks_golden_logs_orphans(l->folder, l->next, orphans, count_one, error);
}

static ks_status bring(const ks_bless_logs *l, size_t index, ks_error *error) {
    const ks_golden_line line = ks_golden_at(l->next, index);
    char id[KS_GOLDEN_ID];
    ks_row row;
    ks_log_blocks blocks;
    ks_text path = {0}, bytes = {0}, folder = {0}, name = {0};
    ks_golden_row_of(l->next, index, &row, &blocks);
    ks_golden_id_of(id, line.key);
    ks_text_add_format(&path, "%s/oplog/%s.csv", l->report, id);
    ks_text_add_format(&folder, "%s/oplog", l->folder);
    ks_text_add_format(&name, "%s.csv", id);
    ks_status status = path.has_failed || folder.has_failed || name.has_failed
                           ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                           : ks_file_read_stored(path.data, KS_LOG_FILE_LIMIT, &bytes, error);
    const ks_digest found = ks_digest_of(ks_text_string(&bytes), bytes.length);
    if (!status && memcmp(&found, &row.figures[KS_COL_oplog_xxh128].digest, sizeof found) != 0)
        status =
            ks_fail(error, KS_INPUT, "%s: found another op_log than the golden will pin for %s",
                    path.data, line.key);
    if (!status) status = ks_folder_make(folder.data, error);
    if (!status) status = ks_golden_replace(folder.data, name.data, &bytes, error);
    ks_text_free(&path);
    ks_text_free(&bytes);
    ks_text_free(&folder);
    ks_text_free(&name);
    return status;
}

ks_status ks_bless_logs_write(const ks_bless_logs *l, ks_error *error) {
    ks_status status = KS_OK;
    for (size_t i = 0; i < ks_golden_count(l->next) && !status; i++)
        if (!has_log(l, i)) status = bring(l, i, error);
    return status;
}

typedef struct pruner {
    const ks_bless_logs *logs;
    ks_status status;
    ks_error *error;
} pruner;

static void prune_one(void *self, const char *name) {
    pruner *p = self;
    ks_text path = {0};
    ks_text_add_format(&path, "%s/oplog/%s", p->logs->folder, name);
    if (!p->status)
        p->status = path.has_failed ? ks_fail(p->error, KS_NO_MEMORY, "out of memory")
                                    : ks_path_remove(path.data, p->error);
    ks_text_free(&path);
}

ks_status ks_bless_logs_prune(const ks_bless_logs *l, ks_error *error) {
    pruner p = {l, KS_OK, error};
    const ks_status status = ks_golden_logs_orphans(l->folder, l->next, &p, prune_one, error);
    return status ? status : p.status;
}
