/* A golden file, read strictly: what bless would not have written is refused with its place.
 *
 *   kernsweep golden 1,model 1,SWEEP,mode M,op_log L,defaults DIGEST,NAME=VALUE ...,,...,check
 *   KEY,verdict,reason,FIGURE...[,blocks],check
 *   ...a line a point, in grid order...
 *   end,COUNT,,...,check
 *
 * CSV with one number of fields, LF, nothing quoted. The file of what a run observed is the same,
 * with `kernsweep observed 1`, who made it in the first line, and a cell `red` before the check:
 * it is only whole with its last line. */
#ifndef KS_GOLDEN_GOLDEN_FILE_H
#define KS_GOLDEN_GOLDEN_FILE_H

#include "golden/golden_form.h"

typedef struct ks_golden ks_golden;

typedef enum ks_golden_kind { KS_GOLDEN_BLESSED, KS_GOLDEN_OBSERVED } ks_golden_kind;

#define KS_GOLDEN_FILE_LIMIT ((size_t)1 << 30)

/* KS_INPUT: not such a file, `PATH:LINE: ...` says where and what was expected; KS_IO: it cannot be
 * read; KS_NO_MEMORY. */
KS_CHECKED ks_status ks_golden_read(const char *path, ks_golden_kind kind, ks_golden **out,
                                    ks_error *error);
/* The same from memory; takes over `bytes`, whatever it returns. */
KS_CHECKED ks_status ks_golden_parse(const char *path, ks_text bytes, ks_golden_kind kind,
                                     ks_golden **out, ks_error *error);
void ks_golden_free(ks_golden *golden); /* NULL is fine */

const char *ks_golden_path(const ks_golden *golden);
const ks_golden_head *ks_golden_head_of(const ks_golden *golden);
const ks_digest *ks_golden_digest(const ks_golden *golden); /* of the file's bytes */

/* Lines of points, from 0. */
typedef struct ks_golden_line {
    const char *key;
    const char *cells; /* as ks_golden_cells_print gives them; not NUL-terminated */
    size_t length;
    size_t line; /* in the file, from 1 */
    bool is_red;
} ks_golden_line;

size_t ks_golden_count(const ks_golden *golden);
ks_golden_line ks_golden_at(const ks_golden *golden, size_t index);
bool ks_golden_find(const ks_golden *golden, const char *key, size_t *index);

/* Verdict, reason and figures of a line, and its blocks. */
void ks_golden_row_of(const ks_golden *golden, size_t index, ks_row *row, ks_log_blocks *blocks);

#endif
