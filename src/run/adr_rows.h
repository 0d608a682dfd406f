/* Results that a decision record rests on, as they are stored beside it: one row a point, every
 * figure exact, in the order of the sweeps. */
#ifndef KS_RUN_ADR_ROWS_H
#define KS_RUN_ADR_ROWS_H

#include "base/arena.h"
#include "result/record.h"
#include "sweep/name.h"

typedef struct ks_adr_row {
    const char *source; /* the sweep or folder that the table file names */
    const char *key, *label;
    ks_point point;
    ks_row row; /* without golden and invariants */
} ks_adr_row;

typedef struct ks_adr_rows {
    const ks_kernel_table *kernels;
    ks_arena *arena; /* of its texts */
    ks_adr_row *items;
    size_t count, room;
    struct ks_text_map *keys;
} ks_adr_rows;

/* False: out of memory. */
bool ks_adr_rows_begin(ks_adr_rows *rows, const ks_kernel_table *kernels);
void ks_adr_rows_free(ks_adr_rows *rows); /* all zero is fine */

/* KS_INPUT: a KEY that is there already. */
KS_CHECKED ks_status ks_adr_rows_add(ks_adr_rows *rows, const char *source, const char *key,
                                     const char *label, const ks_row *row, ks_error *error);

/* The stored form: a header line, then a line a row. Reading takes nothing that printing would
 * not have written. */
void ks_adr_rows_print(ks_text *out, const ks_adr_rows *rows);
KS_CHECKED ks_status ks_adr_rows_parse(ks_adr_rows *rows, const char *path, const char *bytes,
                                       size_t length, ks_error *error);
/* The points.csv of a report folder, as rows of `source`. */
KS_CHECKED ks_status ks_adr_rows_parse_points(ks_adr_rows *rows, const char *source,
                                              const char *path, const char *bytes, size_t length,
                                              ks_error *error);

/* NULL: no such KEY. */
const ks_adr_row *ks_adr_rows_find(const ks_adr_rows *rows, const char *key);

#endif
