/* Whole files and folders. Every writer checks ferror, fflush, fsync and fclose, all four. */
#ifndef KS_BASE_FILE_H
#define KS_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "base/text.h"

/* Appends the whole of `path` ("-": standard input) to `out`. Files over `limit_bytes` are
 * refused with KS_INPUT, and so are folders; what cannot be read is KS_IO with errno's words. */
KS_CHECKED ks_status ks_file_read(const char *path, size_t limit_bytes, ks_text *out,
                                  ks_error *error);

/* The same of what can only be a stored file: a FIFO, on which to wait for ever, or a device is
 * KS_INPUT too. */
KS_CHECKED ks_status ks_file_read_stored(const char *path, size_t limit_bytes, ks_text *out,
                                         ks_error *error);

/* ferror, fflush, fsync, fclose: 0 when every one succeeded. The file is closed in any case. */
int ks_file_close(FILE *file);

/* Writes `length` bytes to a new or emptied file. */
KS_CHECKED ks_status ks_file_write(const char *path, const char *bytes, size_t length,
                                   ks_error *error);

bool ks_path_exists(const char *path);
bool ks_path_is_folder(const char *path);
bool ks_path_is_file(const char *path); /* with bytes of its own: no FIFO, no device */
/* `a link`, `a FIFO`, ...: what is there, links not followed; `nothing`. */
const char *ks_path_kind(const char *path);
/* The folder and all that is missing above it. KS_IO when it is not usable. */
KS_CHECKED ks_status ks_folder_make(const char *path, ks_error *error);
/* A file, or a folder with all it holds; symbolic links are removed, never followed.
 * A missing path is fine. */
KS_CHECKED ks_status ks_path_remove(const char *path, ks_error *error);
/* rename(2) and fsync of the folder that holds `to`. */
KS_CHECKED ks_status ks_path_rename(const char *from, const char *to, ks_error *error);

#endif
