/* The text of goldens: which cells a line has, and how lines are sealed. bless writes goldens, a run
 * writes what it observed in the same form, with who made it; docs in golden_file.h. */
#ifndef KS_GOLDEN_GOLDEN_FORM_H
#define KS_GOLDEN_GOLDEN_FORM_H

#include "base/digest.h"
#include "op_log/log_blocks.h"
#include "result/record.h"

/* What there is of a point, besides verdict, reason and the figures of its dispatch. */
typedef struct ks_golden_parts {
    bool has_times, has_numbers; /* modes timing and data; mode data */
    bool has_log, has_blocks;    /* an op_log's digest; those of its blocks too */
} ks_golden_parts;

/* The figures that are pinned, bit by ks_column: all but total_ns, which is total_cycles again. */
uint64_t ks_golden_columns(ks_golden_parts parts);

/* The cells of a line before those that seal it: `KEY,verdict,reason,figure,...[,blocks]`. The
 * verdict is the row's. `blocks` NULL: that cell is empty. */
void ks_golden_cells_print(ks_text *out, ks_golden_parts parts, const ks_record *record,
                           const ks_log_blocks *blocks);

/* What the first line says. Texts are the giver's. */
typedef struct ks_golden_head {
    const char *model;    /* KS_MODEL_VERSION */
    const char *sweep;    /* its name */
    const char *defaults; /* as ks_defaults_print gives them */
    ks_golden_parts parts;
    const char *origin; /* of what a run observed: words of the writer, without `,` `"` and line
                           ends; NULL: a golden */
} ks_golden_head;

enum { KS_GOLDEN_HEAD_CELLS = 8 }; /* of the first line, before the empty ones and the check */

/* A golden on its way: head and text must outlive it. Each line is sealed by a check of its own,
 * so that a changed one shows; the last line counts them and seals their KEYs, in order, so that a
 * lost, doubled or moved one does. Blessing other rows changes other lines: two branches merge. */
typedef struct ks_golden_writer {
    const ks_golden_head *head;
    uint64_t line_count;
    ks_digest keys; /* of the KEYs so far */
} ks_golden_writer;

/* The first line and the names of the columns. */
ks_golden_writer ks_golden_begin(ks_text *out, const ks_golden_head *head);
/* A line from its cells. `is_red`: of what a run observed. */
void ks_golden_line_print(ks_text *out, ks_golden_writer *writer, const char *cells, size_t length,
                          bool is_red);
/* The last line: that the file is whole. */
void ks_golden_end(ks_text *out, const ks_golden_writer *writer);

enum { KS_GOLDEN_CHECK = 9 }; /* 8 hex digits and NUL */
/* Of a line up to and with the comma before its check; of the last one with the KEYs, else NULL. */
void ks_golden_check_of(char hex[KS_GOLDEN_CHECK], const char *text, size_t length,
                        const ks_digest *keys);
/* Takes the next KEY into the digest, which begins as all 0. */
void ks_golden_seal_key(ks_digest *keys, const char *key, size_t length);

/* The name of cell `index` of a line, the check included; NULL past the last. */
const char *ks_golden_cell_name(const ks_golden_head *head, size_t index);
/* Which column it is; KS_COLUMN_COUNT: none. */
ks_column ks_golden_cell_column(ks_golden_parts parts, size_t index);
enum { KS_GOLDEN_FIRST_FIGURE = 3 }; /* cells before it: KEY, verdict, reason */

/* "dispatch", "timing", "data"; "none", "digest", "blocks". */
const char *ks_golden_mode_name(ks_golden_parts parts);
const char *ks_golden_log_name(ks_golden_parts parts);

#endif
