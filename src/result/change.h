/* What comparing a point with its golden found. A value without pointers. */
#ifndef KS_RESULT_CHANGE_H
#define KS_RESULT_CHANGE_H

#include "result/row.h"

typedef struct ks_change {
    bool is_verdict, is_reason; /* these cells moved */
    uint64_t columns;           /* bit by ks_column: cells that moved, came or went */
    ks_row was;                 /* the golden's verdict, reason and figures; no id, no invariants */

    /* Of the op_log's digests by block: where it first differs. Rows from 0, the header apart. */
    bool has_block; /* false: both are equal, or one of the two has no blocks */
    uint64_t block; /* index of the first block that differs... */
    uint64_t block_row, block_row_count; /* ...and the rows that it may differ in */
} ks_change;

static inline bool ks_change_has(const ks_change *change, ks_column column) {
    return change->columns >> column & 1;
}

/* Cells that moved: what `golden columns=N` counts. 0: as the golden has it. */
static inline int ks_change_count(const ks_change *change) {
    return change->is_verdict + change->is_reason + __builtin_popcountll(change->columns);
}

#endif
