/* Where `diff` gets whole op_logs from: files that runs and goldens left, or this program. */
#ifndef KS_CLI_DIFF_LOGS_H
#define KS_CLI_DIFF_LOGS_H

#include "base/text.h"
#include "cli/options.h"
#include "golden/points_file.h"

/* An op_log that is the one of a row: its digest is the row's. */
typedef struct ks_found_log {
    bool is_there;
    ks_text bytes;
    ks_text origin; /* the file, or "this program" */
} ks_found_log;

void ks_found_log_free(ks_found_log *log);

/* Looks under FOLDER and AGAINST (NULL: none) for oplog/ID.csv, failures/ID/op_log.csv and ID.csv,
 * then simulates the KEY with this program. Not found: is_there is false. KS_IO, KS_NO_MEMORY. */
KS_CHECKED ks_status ks_log_find(const ks_options *options, const char *folder, const char *against,
                                 const ks_points_line *point, const ks_row *row, ks_found_log *out,
                                 ks_error *error);

/* The op_log that this program makes; none (is_there false) of a point that does not run. */
KS_CHECKED ks_status ks_log_simulate(const ks_options *options, const char *key, ks_found_log *out,
                                     ks_error *error);

/* The folder of a file, "." where its path has none. */
void ks_folder_of_file(ks_text *out, const char *path);

#endif
