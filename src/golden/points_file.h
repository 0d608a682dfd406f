/* Points with their figures, read back: points.csv of a report folder, or a golden. */
#ifndef KS_GOLDEN_POINTS_FILE_H
#define KS_GOLDEN_POINTS_FILE_H

#include "base/status.h"
#include "result/change.h"

typedef struct ks_points ks_points;

enum { KS_POINTS_FILE_LIMIT = 1 << 30 };

/* points.csv, read strictly: KS_INPUT with PATH:LINE where it is not one. KS_IO, KS_NO_MEMORY. */
KS_CHECKED ks_status ks_points_read(const char *path, ks_points **out, ks_error *error);
KS_CHECKED ks_status ks_points_of_golden(const char *path, ks_points **out, ks_error *error);
void ks_points_free(ks_points *points); /* NULL is fine */

/* True when the bytes begin as points.csv, or as a golden. */
bool ks_points_is_csv(const char *bytes, size_t length);
bool ks_points_is_golden(const char *bytes, size_t length);

size_t ks_points_count(const ks_points *points);
bool ks_points_have_own_verdicts(const ks_points *points); /* a golden: before any rule */
uint64_t ks_points_columns(const ks_points *points); /* bit by ks_column: some point has a value */

/* Texts are those of `points`. */
typedef struct ks_points_line {
    const char *id;
    const char *key; /* `kernel=... NAME=VALUE ...`: a KEY, of points.csv in full: with defaults */
    const char *kernel;
} ks_points_line;
ks_points_line ks_points_at(const ks_points *points, size_t index);
bool ks_points_find(const ks_points *points, const char *id, size_t *index);

/* Verdict, reason, figures and invariants. A verdict that only a golden gave (`golden columns=N`)
 * is taken back. */
void ks_points_row(const ks_points *points, size_t index, ks_row *row);
/* Of a golden that digests op_logs by block: where the op_log of this text first differs from that
 * of the line. False: no block does, or it has none. Fills the change's block_... */
bool ks_points_find_block(const ks_points *points, size_t index, const char *log, size_t length,
                          ks_change *change);

#endif
