#include "run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { BUFFER_BYTES = 1 << 18 }; /* a write(2) costs as much as formatting ten rows */

static char *join(const char *a, const char *b) {
    ks_text text = {0};
    ks_text_add_string(&text, a);
    ks_text_add_string(&text, b);
    if (text.has_failed) ks_text_free(&text);
    return text.data;
}

static ks_status make_parent(const char *path, ks_error *error) {
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return KS_OK;
    char *parent = strndup(path, (size_t)(slash - path));
    const ks_status status =
        parent ? ks_folder_make(parent, error) : ks_fail(error, KS_NO_MEMORY, "out of memory");
    free(parent);
    return status;
}

static bool is_empty(const char *path) {
    DIR *entries = opendir(path);
    int count = 0;
    for (const struct dirent *e; entries && (e = readdir(entries));)
        count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    if (entries) closedir(entries);
    return entries && !count;
}

/* What the end of a run takes away may only be what a run left: nobody's files are lost to a
 * mistyped -o. */
static ks_status check_replaceable(const char *path, ks_error *error) {
    if (!ks_path_exists(path)) return KS_OK;
    if (!ks_path_is_folder(path))
        return ks_fail(error, KS_IO, "'%s' exists and is not a folder", path);
    char *mark = join(path, "/run.json");
    if (!mark) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const bool is_report = ks_path_exists(mark) || is_empty(path);
    free(mark);
    return is_report ? KS_OK
                     : ks_fail(error, KS_INPUT,
                               "found files in '%s' but no run.json, expected a report folder, "
                               "an empty one or none: a run would take its place",
                               path);
}

ks_status ks_folder_begin(ks_folder *folder, const char *path, ks_error *error) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    *folder = (ks_folder){.final = strndup(path, length)};
    if (folder->final) {
        folder->part = join(folder->final, ".part");
        folder->previous = join(folder->final, ".prev");
    }
    if (!folder->part || !folder->previous) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const char *slash = strrchr(folder->final, '/');
    const char *last = slash ? slash + 1 : folder->final;
    if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
        return ks_fail(error, KS_INPUT,
                       "found '%s', expected a report folder with a name of its own", path);
    ks_status status = check_replaceable(folder->final, error);
    if (!status) status = check_replaceable(folder->previous, error);
    if (!status) status = make_parent(folder->final, error);
    if (status) return status;
    if (mkdir(folder->part, 0777) == 0) return KS_OK;
    if (errno == EEXIST)
        return ks_fail(
            error, KS_INPUT,
            "'%s' is there: a run that did not finish, or one that is going on. Two ways out: "
            "go on with it (--resume, not built yet), or remove that folder",
            folder->part);
    return ks_fail(error, KS_IO, "cannot make the folder '%s': %s", folder->part, strerror(errno));
}

ks_status ks_folder_end(ks_folder *folder, ks_error *error) {
    ks_status status = KS_OK;
    if (ks_path_exists(folder->final)) {
        status = ks_path_remove(folder->previous, error);
        if (!status) status = ks_path_rename(folder->final, folder->previous, error);
    }
    if (!status) status = ks_path_rename(folder->part, folder->final, error);
    return status;
}

void ks_folder_free(ks_folder *folder) {
    free(folder->final);
    free(folder->part);
    free(folder->previous);
    *folder = (ks_folder){0};
}

FILE *ks_folder_create(const ks_folder *folder, const char *name, ks_error *error) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s", folder->part, name);
    FILE *file = path.has_failed ? NULL : fopen(path.data, "wb");
    if (!file)
        ks_fail(error, KS_IO, "cannot make '%s/%s': %s", folder->part, name, strerror(errno));
    else
        setvbuf(file, NULL, _IOFBF, BUFFER_BYTES); /* without memory for it: the usual buffer */
    ks_text_free(&path);
    return file;
}
