#include "golden/golden_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

/* The lock is on the folder itself: it leaves no file, and ends with the process. */
ks_status ks_golden_lock(const char *folder, int *lock, ks_error *error) {
    *lock = -1;
    const ks_status status = ks_folder_make(folder, error);
    if (status) return status;
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        *lock = fd;
        return KS_OK;
    }
    const int why = errno;
    if (fd >= 0) close(fd);
    if (fd >= 0 && why == EWOULDBLOCK)
        return ks_fail(error, KS_IO, "'%s' is locked: another bless is at work", folder);
    return ks_fail(error, KS_IO, "cannot lock '%s': %s", folder, strerror(why));
}

void ks_golden_unlock(int lock) {
    if (lock >= 0) close(lock);
}

ks_status ks_golden_replace(const char *folder, const char *name, const ks_text *bytes,
                            ks_error *error) {
    ks_text to = {0}, beside = {0};
    ks_text_add_format(&to, "%s/%s", folder, name);
    ks_text_add_format(&beside, "%s/.%s.new", folder, name);
    ks_status status = to.has_failed || beside.has_failed || bytes->has_failed
                           ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                           : ks_path_remove(beside.data, error);
    const bool is_begun = !status;
    if (!status) status = ks_file_write(beside.data, ks_text_string(bytes), bytes->length, error);
    if (!status) status = ks_path_rename(beside.data, to.data, error);
    if (status && is_begun) unlink(beside.data); /* what failed first is what matters */
    ks_text_free(&to);
    ks_text_free(&beside);
    return status;
}
