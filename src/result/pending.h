/* What a bless would change, in groups that have one cause; for a person to decide on. */
#ifndef KS_RESULT_PENDING_H
#define KS_RESULT_PENDING_H

#include "result/row.h"

typedef enum ks_pending_kind {
    KS_PENDING_CHANGED,
    KS_PENDING_NEW, /* the golden has no such line */
    KS_PENDING_GONE /* no point of the sweep any more */
} ks_pending_kind;
enum { KS_PENDING_KINDS = KS_PENDING_GONE + 1 };

/* By how much a figure moves over the lines of a group that have it before and after. */
typedef struct ks_pending_spread {
    uint64_t up, down, same;
    int64_t least, median, most; /* ticks; 0 without lines */
} ks_pending_spread;

typedef struct ks_pending_group {
    ks_pending_kind kind;
    const char *what; /* happens to them, in words */
    uint64_t count;   /* lines */
    const char *first_key;
    const char *where; /* the condition of --where for which they are points; "" or NULL: all */
    uint64_t inside;   /* observed points for which it holds: `count` when it is exact */
    ks_pending_spread dispatch, total;
} ks_pending_group;

#endif
