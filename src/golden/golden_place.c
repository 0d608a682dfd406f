#include "golden/golden_place.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Length of the last name of a path without its closing slashes; `path` is moved to it. */
static size_t last_name(const char **path) {
    size_t length = strlen(*path);
    while (length > 1 && (*path)[length - 1] == '/') length--;
    size_t start = length;
    while (start > 0 && (*path)[start - 1] != '/') start--;
    *path += start;
    return length - start;
}

static bool is_called_sweeps(const char *path) {
    const size_t length = last_name(&path);
    return length == 6 && memcmp(path, "sweeps", 6) == 0;
}

/* The absolute path, its `.` and `..` taken out by the letter. False: it cannot be known. */
static bool make_absolute(const char *path, ks_text *out) {
    char here[PATH_MAX];
    ks_text whole = {0};
    if (path[0] != '/' && !getcwd(here, sizeof here)) return false;
    ks_text_add_format(&whole, "%s/%s", path[0] == '/' ? "" : here, path);
    for (const char *at = ks_text_string(&whole); *at;) {
        at += strspn(at, "/");
        const size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (out->length && out->data[--out->length] != '/') {
            }
        } else if (length && !(length == 1 && *at == '.')) {
            ks_text_add_char(out, '/');
            ks_text_add(out, at, length);
        }
        at += length;
    }
    ks_text_add(out, "", 0); /* ends it with NUL where `..` has cut it */
    const bool is_fine = !whole.has_failed && !out->has_failed;
    ks_text_free(&whole);
    return is_fine;
}

void ks_golden_folder_of(ks_text *out, const char *sweep_file) {
    const char *slash = strrchr(sweep_file, '/');
    ks_text folder = {0}, real = {0};
    ks_text_add(&folder, slash ? sweep_file : ".",
                !slash || slash == sweep_file ? 1 : (size_t)(slash - sweep_file));
    const char *path = ks_text_string(&folder), *name = path;
    const size_t length = last_name(&name);
    const bool is_dots = *name == '.' && (length == 1 || (length == 2 && name[1] == '.'));
    if (is_dots && make_absolute(path, &real) && is_called_sweeps(ks_text_string(&real)))
        ks_text_add_format(out, "%s/../golden", path);
    else if (is_called_sweeps(path))
        ks_text_add_format(out, "%.*sgolden", (int)(name - path), path);
    else if (!slash)
        ks_text_add_string(out, "golden");
    else
        ks_text_add_format(out, "%s%sgolden", path, path[strlen(path) - 1] == '/' ? "" : "/");
    if (folder.has_failed) out->has_failed = true;
    ks_text_free(&folder);
    ks_text_free(&real);
}

static ks_status check_is(const char *path, bool wants_folder, ks_error *error) {
    struct stat info;
    if (lstat(path, &info)) {
        if (errno == ENOENT) return KS_OK;
        return ks_fail(error, errno == ENAMETOOLONG ? KS_INPUT : KS_IO, "cannot look at '%s': %s",
                       path, strerror(errno));
    }
    if (wants_folder ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode)) return KS_OK;
    return ks_fail(error, KS_INPUT, "'%s' is %s, expected a %s: goldens lie in one place only",
                   path, ks_path_kind(path), wants_folder ? "folder" : "file");
}

static ks_status check_inside(const char *folder, const char *name, bool wants_folder,
                              ks_error *error) {
    ks_text path = {0};
    ks_text_add_format(&path, "%s/%s", folder, name);
    const ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                             : check_is(path.data, wants_folder, error);
    ks_text_free(&path);
    return status;
}

/* Two sweeps must not share a file where letter case is not told apart. */
static ks_status check_case(const char *folder, const char *file_name, ks_error *error) {
    DIR *entries = opendir(folder);
    ks_status status = KS_OK;
    if (!entries) {
        if (errno == ENOENT) return KS_OK;
        return ks_fail(error, KS_IO, "cannot open the folder '%s': %s", folder, strerror(errno));
    }
    for (struct dirent *entry; !status && (entry = readdir(entries));)
        if (strcasecmp(entry->d_name, file_name) == 0 && strcmp(entry->d_name, file_name) != 0)
            status =
                ks_fail(error, KS_INPUT,
                        "found '%s/%s', which differs from '%s' in letter case alone; expected "
                        "names that any file system tells apart",
                        folder, entry->d_name, file_name);
    closedir(entries);
    return status;
}

ks_status ks_golden_place_look(const char *folder, const char *sweep, ks_error *error) {
    ks_text name = {0};
    ks_text_add_format(&name, "%s.csv", sweep);
    ks_status status = name.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                       : check_is(folder, true, error);
    if (!status) status = check_inside(folder, name.data, false, error);
    if (!status) status = check_inside(folder, "oplog", true, error);
    ks_text_free(&name);
    return status;
}

ks_status ks_golden_place_check(const char *folder, const char *sweep, ks_error *error) {
    ks_text name = {0};
    if (strchr(sweep, '/'))
        return ks_fail(error, KS_INPUT, "found the sweep name '%s', expected one without '/'",
                       sweep);
    ks_text_add_format(&name, "%s.csv", sweep);
    ks_status status = name.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                       : ks_golden_place_look(folder, sweep, error);
    if (!status) status = check_inside(folder, "REASONS.md", false, error);
    if (!status) status = check_case(folder, name.data, error);
    ks_text_free(&name);
    return status;
}
