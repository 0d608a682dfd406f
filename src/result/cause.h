/* Failing points that fail for the same reason, as reports tell them. Texts are the giver's. */
#ifndef KS_RESULT_CAUSE_H
#define KS_RESULT_CAUSE_H

#include "result/record.h"

/* How a figure moved over the points of a cause, in ticks: got minus golden. */
typedef struct ks_cause_move {
    uint64_t points; /* that have it on both sides; 0: nothing else here means anything */
    int64_t least_ticks, most_ticks;
} ks_cause_move;

typedef struct ks_failure_cause {
    const char *what; /* goes wrong, in words */
    const char *why;  /* of the sweep's rule that expected otherwise; "" */
    uint64_t points;
    const char *where; /* the condition of --where for which they run; "": every point */
    uint64_t inside;   /* points that ran for which it holds: `points` when it is exact */
    ks_cause_move total, dispatch; /* cycles, of those that differ from their golden */
    uint64_t columns;              /* bit by ks_column: that moved on any of them */

    /* The member that is the least work. */
    uint64_t index;  /* in the sweep's full grid */
    const char *key; /* its KEY */
    const char *detail;
    const ks_row *row;
    const ks_change *change;       /* NULL: none */
    const char *show, *reproducer; /* commands: of this member, of all of them; "" */
    const char *first; /* lines: the first row that moved, as far as anything tells; "" */
} ks_failure_cause;

typedef struct ks_cause_list {
    const ks_failure_cause *causes; /* the largest first */
    size_t count;
    uint64_t more_points; /* of causes beyond the limit */
} ks_cause_list;

#endif
