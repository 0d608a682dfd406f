/* The first divergence of two op_logs, and what became of it. */
#ifndef KS_GOLDEN_LOG_DIFF_H
#define KS_GOLDEN_LOG_DIFF_H

#include "base/arena.h"
#include "golden/log_file.h"
#include "result/log_diff.h"

/* The divergence is the difference that comes first in time; at one instant a changed row before a
 * missing or extra one before a moved one; WAIT and STALL rows only when nothing else differs,
 * for they last until what comes later. Texts point into the logs and the arena.
 * KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_log_compare(const ks_log *expected, const ks_log *got, ks_arena *arena,
                                    ks_log_diff *diff);

/* Row `seq` in words. false: out of memory. */
bool ks_log_line_of(const ks_log *log, size_t seq, ks_arena *arena, ks_log_line *line);

#endif
