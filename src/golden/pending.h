/* What a bless would change: what a run observed against the golden, line by line, in groups that
 * have one cause. */
#ifndef KS_GOLDEN_PENDING_H
#define KS_GOLDEN_PENDING_H

#include "golden/golden_file.h"
#include "result/pending.h"

enum { KS_NO_LINE = -1 };

typedef struct ks_pending_item {
    ks_pending_kind kind;
    long golden, observed; /* lines, or KS_NO_LINE */
    size_t group;
    bool has_dispatch, has_total;        /* in both lines */
    int64_t dispatch_ticks, total_ticks; /* observed minus blessed */
} ks_pending_item;

typedef struct ks_pending {
    ks_pending_item *items; /* in the order of the observed lines, then those that are gone */
    size_t count;
    ks_pending_group *groups; /* by first item; `what`, `where` are owned, KEYs the files' */
    size_t group_count;
    uint64_t unchanged;
} ks_pending; /* all zero: nothing */

/* `golden` NULL: there is none. Only lines whose KEY `is_asked` (NULL: every one) says yes to; what
 * was observed is a whole run, so a line that it does not have is gone. KS_NO_MEMORY is the only
 * failure. */
KS_CHECKED ks_status ks_pending_find(const ks_golden *golden, const ks_golden *observed,
                                     const void *self,
                                     bool (*is_asked)(const void *self, const char *key),
                                     ks_pending *out);
/* A copy of the text becomes the group's `where`. */
KS_CHECKED ks_status ks_pending_place(ks_pending *pending, size_t group, const char *where,
                                      uint64_t inside);
void ks_pending_free(ks_pending *pending);

/* The golden after a bless of group `cause` (from 0; KS_NO_LINE: of all): pending lines of it are the
 * observed ones, or gone; all others are as they were, to the byte, in the order of the observed.
 * One that is gone but stays keeps its place after the line that was before it. */
KS_CHECKED ks_status ks_pending_apply(const ks_pending *pending, const ks_golden *golden,
                                      const ks_golden *observed, const ks_golden_head *head,
                                      long cause, ks_text *out);

#endif
