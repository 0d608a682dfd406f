/* Progress on standard error: a line that changes on a terminal, plain lines elsewhere. */
#ifndef KS_CLI_PROGRESS_H
#define KS_CLI_PROGRESS_H

#include "cli/options.h"

typedef struct ks_progress_line {
    ks_progress_mode mode;
    bool is_terminal, has_line;
    double started, shown; /* seconds, monotonic */
    const char *sweep;
} ks_progress_line;

double ks_clock_seconds(void);
ks_progress_line ks_progress_begin(ks_progress_mode mode, const char *sweep);
void ks_progress_show(ks_progress_line *line, uint64_t ran, uint64_t planned, uint64_t red);
void ks_progress_end(ks_progress_line *line); /* clears the changing line */

#endif
