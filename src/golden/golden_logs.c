#include "golden/golden_logs.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/text_map.h"
#include "golden/log_file.h"

void ks_golden_id_of(char id[KS_GOLDEN_ID], const char *key) {
    char hex[KS_DIGEST_HEX];
    const ks_digest digest = ks_digest_of(key, strlen(key));
    ks_digest_print(hex, &digest);
    memcpy(id, hex, KS_GOLDEN_ID - 1);
    id[KS_GOLDEN_ID - 1] = '\0';
}

static ks_status compare_bytes(const char *path, const ks_text *bytes, const ks_digest *expected,
                               const ks_golden *golden, const ks_golden_line *line,
                               ks_error *error) {
    const ks_digest found = ks_digest_of(ks_text_string(bytes), bytes->length);
    if (memcmp(&found, expected, sizeof found) == 0) return KS_OK;
    if (bytes->length && memchr(bytes->data, '\r', bytes->length))
        return ks_fail(error, KS_INPUT,
                       "%s: found CR in the line ends, expected LF alone (was it checked out or "
                       "saved with CRLF?)",
                       path);
    return ks_fail(error, KS_INPUT,
                   "%s: found other bytes than %s:%zu pins for %s: it was changed or cut since "
                   "`kernsweep` wrote it",
                   path, ks_golden_path(golden), line->line, line->key);
}

ks_status ks_golden_log_check(const char *folder, const ks_golden *golden, size_t index,
                              bool *has_file, ks_error *error) {
    const ks_golden_line line = ks_golden_at(golden, index);
    char id[KS_GOLDEN_ID];
    ks_row row;
    ks_log_blocks blocks;
    ks_text path = {0}, bytes = {0};
    ks_golden_row_of(golden, index, &row, &blocks);
    *has_file = false;
    if (!ks_row_has(&row, KS_COL_oplog_xxh128)) return KS_OK;
    ks_golden_id_of(id, line.key);
    ks_text_add_format(&path, "%s/oplog/%s.csv", folder, id);
    ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
    *has_file = !status && ks_path_exists(path.data);
    if (*has_file) {
        status = ks_file_read(path.data, KS_LOG_FILE_LIMIT, &bytes, error);
        if (!status)
            status = compare_bytes(path.data, &bytes, &row.figures[KS_COL_oplog_xxh128].digest,
                                   golden, &line, error);
    }
    ks_text_free(&path);
    ks_text_free(&bytes);
    return status;
}

static bool pins_log(const ks_golden *golden, size_t index) {
    ks_row row;
    ks_log_blocks blocks;
    ks_golden_row_of(golden, index, &row, &blocks);
    return ks_row_has(&row, KS_COL_oplog_xxh128);
}

ks_status ks_golden_logs_check(const char *folder, const ks_golden *golden, ks_error *error) {
    for (size_t i = 0; i < ks_golden_count(golden); i++) {
        const ks_golden_line line = ks_golden_at(golden, i);
        char id[KS_GOLDEN_ID];
        bool has_file;
        const ks_status status = ks_golden_log_check(folder, golden, i, &has_file, error);
        if (status) return status;
        if (has_file || !pins_log(golden, i)) continue;
        ks_golden_id_of(id, line.key);
        return ks_fail(error, KS_INPUT,
                       "%s/oplog/%s.csv: found no such file, expected the op_log of %s", folder, id,
                       line.key);
    }
    return KS_OK;
}

/* Names of the files that the lines pin. NULL: out of memory. */
static ks_text_map *names_of(const ks_golden *golden) {
    ks_text_map *names = ks_text_map_new();
    for (size_t i = 0; names && i < ks_golden_count(golden); i++) {
        char name[KS_GOLDEN_ID + 4];
        if (!pins_log(golden, i)) continue;
        ks_golden_id_of(name, ks_golden_at(golden, i).key);
        memcpy(name + KS_GOLDEN_ID - 1, ".csv", 5);
        if (ks_text_map_add(names, name) != KS_TEXT_MAP_NONE) continue;
        ks_text_map_free(names);
        return NULL;
    }
    return names;
}

static bool is_log_name(const char *name) {
    return strspn(name, "0123456789abcdef") == KS_GOLDEN_ID - 1 &&
           strcmp(name + KS_GOLDEN_ID - 1, ".csv") == 0;
}

ks_status ks_golden_logs_orphans(const char *folder, const ks_golden *golden, void *self,
                                 void (*take)(void *self, const char *name), ks_error *error) {
    ks_text path = {0};
    ks_text_map *names = names_of(golden);
    ks_text_add_format(&path, "%s/oplog", folder);
    ks_status status = KS_OK;
    DIR *entries = path.has_failed || !names ? NULL : opendir(path.data);
    if (path.has_failed || !names)
        status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    else if (!entries && errno != ENOENT)
        status =
            ks_fail(error, KS_IO, "cannot open the folder '%s': %s", path.data, strerror(errno));
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (is_log_name(entry->d_name) &&
            ks_text_map_find(names, entry->d_name) == KS_TEXT_MAP_NONE)
            take(self, entry->d_name);
    }
    if (entries) closedir(entries);
    ks_text_map_free(names);
    ks_text_free(&path);
    return status;
}
