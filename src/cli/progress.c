#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double TERMINAL_SECONDS = 0.2, PLAIN_SECONDS = 10;

double ks_clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ks_progress_line ks_progress_begin(ks_progress_mode mode, const char *sweep) {
    const double now = ks_clock_seconds();
    return (ks_progress_line){.mode = mode,
                              .is_terminal = mode == KS_PROGRESS_AUTO && isatty(STDERR_FILENO),
                              .started = now,
                              .shown = now,
                              .sweep = sweep};
}

void ks_progress_show(ks_progress_line *line, uint64_t ran, uint64_t planned, uint64_t red) {
    if (line->mode == KS_PROGRESS_NONE) return;
    const double now = ks_clock_seconds();
    if (now - line->shown < (line->is_terminal ? TERMINAL_SECONDS : PLAIN_SECONDS)) return;
    line->shown = now;
    const double rate = (double)ran / (now - line->started);
    fprintf(stderr,
            "%s%s: %" PRIu64 " of %" PRIu64 " points, %" PRIu64
            " red, %.0f points/s, %.0f s left%s",
            line->is_terminal ? "\r\033[K" : "", line->sweep, ran, planned, red, rate,
            rate > 0 ? (double)(planned - ran) / rate : 0, line->is_terminal ? "" : "\n");
    line->has_line = true;
}

void ks_progress_end(ks_progress_line *line) {
    if (line->has_line && line->is_terminal) fputs("\r\033[K", stderr);
    line->has_line = false;
}
