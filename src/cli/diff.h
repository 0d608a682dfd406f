/* The parts of verb `diff`. KS_OK: equal; KS_FAILED: differences, printed; else an error. */
#ifndef KS_CLI_DIFF_H
#define KS_CLI_DIFF_H

#include "base/text.h"
#include "cli/options.h"

/* Prints what was found to standard output. */
KS_CHECKED ks_status ks_diff_show(const ks_text *out, ks_error *error);

#endif
