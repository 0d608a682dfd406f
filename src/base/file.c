#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ks_status io_error(ks_error *error, const char *what, const char *path) {
    return ks_fail(error, KS_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

static const char *kind_of(mode_t mode) {
    static const struct {
        mode_t kind;
        const char *words;
    } kinds[] = {{S_IFREG, "a file"},  {S_IFDIR, "a folder"},  {S_IFLNK, "a link"},
                 {S_IFIFO, "a FIFO"},  {S_IFSOCK, "a socket"}, {S_IFCHR, "a device"},
                 {S_IFBLK, "a device"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((mode & S_IFMT) == kinds[i].kind) return kinds[i].words;
    return "something else";
}

const char *ks_path_kind(const char *path) {
    struct stat info;
    return lstat(path, &info) ? "nothing" : kind_of(info.st_mode);
}

ks_status ks_file_read(const char *path, size_t limit_bytes, ks_text *out, ks_error *error) {
    ks_status status = KS_OK;
    char piece[65536];
    const bool is_stdin = strcmp(path, "-") == 0;
    if (!is_stdin && ks_path_is_folder(path))
        return ks_fail(error, KS_INPUT, "found a folder '%s', expected a file", path);
    const size_t start = out->length;
    FILE *in = is_stdin ? stdin : fopen(path, "rb");
    if (!in) return io_error(error, "open", path);
    for (;;) {
        const size_t got = fread(piece, 1, sizeof piece, in);
        ks_text_add(out, piece, got);
        if (out->length - start > limit_bytes) {
            status = ks_fail(error, KS_INPUT, "'%s' is larger than %zu bytes", path, limit_bytes);
            goto done;
        }
        if (got < sizeof piece) break;
    }
    if (ferror(in)) status = io_error(error, "read", path);
    if (out->has_failed) status = ks_fail(error, KS_NO_MEMORY, "out of memory reading '%s'", path);

done:
    if (!is_stdin) fclose(in);
    return status;
}

ks_status ks_file_read_stored(const char *path, size_t limit_bytes, ks_text *out, ks_error *error) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return ks_fail(error, KS_INPUT, "found %s '%s', expected a file", kind_of(info.st_mode),
                       path);
    return ks_file_read(path, limit_bytes, out, error);
}

/* Keeps the first failure's errno. */
static void note_failure(bool has_failed, int *why) {
    if (has_failed && !*why) *why = errno ? errno : EIO;
}

int ks_file_close(FILE *file) {
    int why = 0;
    note_failure(ferror(file), &why);
    note_failure(fflush(file), &why);
    /* EINVAL and EROFS: pipes and devices that cannot be synced. */
    note_failure(fsync(fileno(file)) && errno != EINVAL && errno != EROFS, &why);
    note_failure(fclose(file), &why);
    if (why) errno = why;
    return why ? -1 : 0;
}

ks_status ks_file_write(const char *path, const char *bytes, size_t length, ks_error *error) {
    FILE *out = fopen(path, "wb");
    if (!out) return io_error(error, "open for writing", path);
    errno = 0;
    fwrite(bytes, 1, length, out); /* a short count shows in ferror */
    return ks_file_close(out) ? io_error(error, "write", path) : KS_OK;
}

bool ks_path_exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

bool ks_path_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool ks_path_is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

ks_status ks_folder_make(const char *path, ks_error *error) {
    char *copy = strdup(path);
    if (!copy) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0777); /* what is wrong with a parent shows in the last mkdir */
        *slash = '/';
    }
    errno = 0;
    mkdir(copy, 0777);
    const int why = errno;
    const bool is_usable = ks_path_is_folder(copy) && access(copy, W_OK | X_OK) == 0;
    free(copy);
    if (is_usable) return KS_OK;
    if (why == EEXIST)
        return ks_fail(error, KS_IO, "'%s' exists and is not a folder that can be written", path);
    errno = why ? why : EACCES;
    return io_error(error, "make the folder", path);
}

static ks_status remove_entries(const char *path, ks_error *error) {
    DIR *folder = opendir(path);
    if (!folder) return io_error(error, "open the folder", path);
    ks_status status = KS_OK;
    for (struct dirent *entry; status == KS_OK && (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        ks_text inner = {0};
        ks_text_add_format(&inner, "%s/%s", path, entry->d_name);
        status = inner.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                  : ks_path_remove(inner.data, error);
        ks_text_free(&inner);
    }
    closedir(folder);
    return status;
}

ks_status ks_path_remove(const char *path, ks_error *error) {
    struct stat info;
    if (lstat(path, &info)) return errno == ENOENT ? KS_OK : io_error(error, "look at", path);
    if (S_ISDIR(info.st_mode)) {
        const ks_status status = remove_entries(path, error);
        if (status) return status;
        return rmdir(path) ? io_error(error, "remove", path) : KS_OK;
    }
    return unlink(path) ? io_error(error, "remove", path) : KS_OK;
}

static void sync_parent(const char *path) {
    const char *slash = strrchr(path, '/');
    char *parent = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    const int folder = parent ? open(parent, O_RDONLY | O_DIRECTORY) : -1;
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(parent);
}

ks_status ks_path_rename(const char *from, const char *to, ks_error *error) {
    if (rename(from, to))
        return ks_fail(error, KS_IO, "cannot rename '%s' to '%s': %s", from, to, strerror(errno));
    sync_parent(to);
    return KS_OK;
}
