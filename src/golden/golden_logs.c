#include "golden/golden_logs.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/text_map.h"
#include "golden/log_file.h"
#include "golden/points_file.h"

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
        status = ks_file_read_stored(path.data, KS_LOG_FILE_LIMIT, &bytes, error);
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

static void name_of(char name[KS_GOLDEN_ID + 4], const char *key) {
    ks_golden_id_of(name, key);
    memcpy(name + KS_GOLDEN_ID - 1, ".csv", 5);
}

/* Names of the files that the lines pin. NULL: out of memory. */
static ks_text_map *names_of(const ks_golden *golden) {
    ks_text_map *names = ks_text_map_new();
    for (size_t i = 0; names && i < ks_golden_count(golden); i++) {
        char name[KS_GOLDEN_ID + 4];
        if (!pins_log(golden, i)) continue;
        name_of(name, ks_golden_at(golden, i).key);
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

/* ---- files that no line has ---- */

typedef struct strays {
    const char *folder;
    const ks_golden *golden;
    ks_text_map *own;   /* files that its lines have */
    ks_text_map *names; /* files of FOLDER/oplog that no line of the golden has */
    ks_text_map *taken; /* of these, those that a line of another golden has */
    ks_error *error;
} strays;

static ks_status no_memory(const strays *s) {
    return ks_fail(s->error, KS_NO_MEMORY, "out of memory");
}

/* visit(s, NAME) for each entry of a folder; a missing one has none. */
static ks_status each_entry(strays *s, const char *path,
                            ks_status (*visit)(strays *s, const char *name)) {
    DIR *entries = opendir(path);
    if (!entries)
        return errno == ENOENT ? KS_OK
                               : ks_fail(s->error, KS_IO, "cannot open the folder '%s': %s", path,
                                         strerror(errno));
    ks_status status = KS_OK;
    for (struct dirent *entry; !status && (entry = readdir(entries));)
        status = visit(s, entry->d_name);
    closedir(entries);
    return status;
}

static ks_status take_stray(strays *s, const char *name) {
    if (!is_log_name(name) || ks_text_map_find(s->own, name) != KS_TEXT_MAP_NONE) return KS_OK;
    return ks_text_map_add(s->names, name) == KS_TEXT_MAP_NONE ? no_memory(s) : KS_OK;
}

/* A stray that another golden has must be what that one pins: then it is neither's to lose. */
static ks_status give_strays(strays *s, const ks_golden *other) {
    ks_status status = KS_OK;
    for (size_t i = 0; i < ks_golden_count(other) && !status; i++) {
        char name[KS_GOLDEN_ID + 4];
        bool has_file;
        name_of(name, ks_golden_at(other, i).key);
        if (!pins_log(other, i) || ks_text_map_find(s->names, name) == KS_TEXT_MAP_NONE) continue;
        status = ks_golden_log_check(s->folder, other, i, &has_file, s->error);
        if (!status && ks_text_map_add(s->taken, name) == KS_TEXT_MAP_NONE) status = no_memory(s);
    }
    return status;
}

/* Another golden of the folder; whatever else lies there is none of ours. */
static ks_status look_into(strays *s, const char *name) {
    const char *sweep = ks_golden_head_of(s->golden)->sweep;
    const size_t length = strlen(name), own = strlen(sweep);
    const bool is_own = length == own + 4 && memcmp(name, sweep, own) == 0;
    if (is_own || length <= 4 || strcmp(name + length - 4, ".csv") != 0) return KS_OK;
    ks_golden *other = NULL;
    ks_text path = {0}, bytes = {0};
    ks_text_add_format(&path, "%s/%s", s->folder, name);
    ks_status status = path.has_failed ? no_memory(s) : KS_OK;
    if (!status && ks_path_is_file(path.data))
        status = ks_file_read_stored(path.data, KS_GOLDEN_FILE_LIMIT, &bytes, s->error);
    if (!status && ks_points_is_golden(ks_text_string(&bytes), bytes.length)) {
        status = ks_golden_parse(path.data, bytes, KS_GOLDEN_BLESSED, &other, s->error);
        bytes = (ks_text){0}; /* taken over */
        if (!status) status = give_strays(s, other);
    }
    ks_golden_free(other);
    ks_text_free(&path);
    ks_text_free(&bytes);
    return status;
}

static ks_status find_strays(strays *s) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/oplog", s->folder);
    s->own = names_of(s->golden);
    s->names = ks_text_map_new();
    s->taken = ks_text_map_new();
    const bool is_fine = s->own && s->names && s->taken && !path.has_failed;
    ks_status status = is_fine ? each_entry(s, path.data, take_stray) : no_memory(s);
    if (!status && ks_text_map_count(s->names)) status = each_entry(s, s->folder, look_into);
    ks_text_free(&path);
    return status;
}

ks_status ks_golden_logs_orphans(const char *folder, const ks_golden *golden, void *self,
                                 void (*take)(void *self, const char *name), ks_error *error) {
    strays s = {.folder = folder, .golden = golden, .error = error};
    const ks_status status = find_strays(&s);
    for (size_t i = 0; !status && i < ks_text_map_count(s.names); i++)
        if (ks_text_map_find(s.taken, ks_text_map_at(s.names, i)) == KS_TEXT_MAP_NONE)
            take(self, ks_text_map_at(s.names, i));
    ks_text_map_free(s.own);
    ks_text_map_free(s.names);
    ks_text_map_free(s.taken);
    return status;
}
