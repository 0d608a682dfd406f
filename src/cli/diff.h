/* The parts of verb `diff`. KS_OK: equal; KS_FAILED: differences, printed; else an error. */
#ifndef KS_CLI_DIFF_H
#define KS_CLI_DIFF_H

#include "base/text.h"
#include "cli/options.h"

typedef enum ks_diff_kind {
    KS_DIFF_LOG,
    KS_DIFF_FOLDER, /* a report folder: with points.csv */
    KS_DIFF_GOLDEN,
    KS_DIFF_OTHER
} ks_diff_kind;

ks_diff_kind ks_diff_kind_of(const char *path);

/* Report folders and goldens. */
KS_CHECKED ks_status ks_diff_points(const ks_options *options, ks_error *error);

/* Prints what was found to standard output. */
KS_CHECKED ks_status ks_diff_show(const ks_text *out, ks_error *error);

#endif
