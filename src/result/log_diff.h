/* How one op_log departs from another: what `diff` tells, and what stands beside a failing point.
 * "Expected" is the first of the two logs, "got" the second. Texts live as long as the logs and
 * the arena of the comparison. */
#ifndef KS_RESULT_LOG_DIFF_H
#define KS_RESULT_LOG_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row in words; a text that the row does not have is "". */
typedef struct ks_log_line {
    uint64_t seq, cmd;
    const char *stage, *server, *kind, *op, *phase;
    const char *m, *n, *k;
    const char *start, *end; /* cycles */
    const char *bytes, *elements, *reads, *writes;
} ks_log_line;

typedef enum ks_log_change {
    KS_LOG_SAME, /* the logs are equal */
    KS_LOG_WORK, /* the same stage does something else: op, tile, bytes, elements, server, ... */
    KS_LOG_OPERANDS, /* the same work on other operands */
    KS_LOG_SERVICE,  /* starts as expected, takes another time */
    KS_LOG_PAUSE,    /* only WAIT and STALL rows differ */
    KS_LOG_MISSING,  /* an expected row is not there */
    KS_LOG_EXTRA,    /* a row that was not expected */
    KS_LOG_START,    /* starts at another time */
    KS_LOG_ORDER     /* starts together with others as expected, but stands elsewhere among them */
} ks_log_change;

enum { KS_LOG_FIELDS = 14, KS_LOG_CONTEXT = 4, KS_LOG_MARKS = 5 };

typedef struct ks_log_field {
    const char *name, *expected, *got;
} ks_log_field;

/* What let a row start: the row that ended then. */
typedef struct ks_log_starter {
    bool is_there;        /* false: nothing in the log ended then */
    const char *relation; /* what it is to the row; "" when is_there is false */
    ks_log_line row;
} ks_log_starter;

/* How much later (got minus expected, ticks) a row ends. */
typedef struct ks_log_mark {
    uint64_t seq; /* in the expected log */
    int64_t late_ticks;
} ks_log_mark;

typedef struct ks_log_diff {
    ks_log_change change;
    uint64_t row_counts[2];           /* expected, got */
    uint64_t changed, missing, extra; /* rows */

    /* The first divergence: in time, and a cause before what it moved. */
    bool has_expected, has_got;
    ks_log_line expected, got;
    ks_log_field fields[KS_LOG_FIELDS]; /* that differ, without seq */
    size_t field_count;
    bool is_pause_ahead; /* WAIT or STALL rows in front of it differ: they last until later */

    ks_log_starter starters[2]; /* of the expected row, of the got one */
    bool has_blocker;           /* START: what held the server at the expected start */
    ks_log_line blocker;

    /* SERVICE, WORK: the same server, over the rows that both logs have. */
    uint64_t server_rows, server_rows_changed;
    int64_t server_least_ticks, server_most_ticks; /* change of their service */
    int64_t service_ticks[2];                      /* of the row */

    /* Rows around it, in the log that has it: got, or expected when got lacks it. */
    ks_log_line before[KS_LOG_CONTEXT], after[KS_LOG_CONTEXT];
    size_t before_count, after_count;

    ks_log_mark marks[KS_LOG_MARKS]; /* rows that both have, from the divergence to the end */
    size_t mark_count;
    ks_log_mark most_late;                                        /* the largest of all in size */
    bool is_drift_constant, is_drift_growing, is_drift_shrinking; /* over all of them; or none */
    uint64_t total_ticks[2];                                      /* the last end */
} ks_log_diff;

#endif
