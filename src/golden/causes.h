/* Failing points grouped by cause, in bounded memory. Use: take every failing point; end; see every
 * point that ran; look at every point that ran; list. */
#ifndef KS_GOLDEN_CAUSES_H
#define KS_GOLDEN_CAUSES_H

#include "golden/region.h"
#include "result/cause.h"

typedef struct ks_causes ks_causes;

enum { KS_CAUSES_KEPT = 64 };

/* Axes are the caller's and must outlive it. NULL: out of memory. */
ks_causes *ks_causes_new(const ks_region_axes *axes);
void ks_causes_free(ks_causes *causes); /* NULL is fine */

/* A failing point in grid order, with its step on each axis; of a cause the member of least work is
 * kept, the first of several. Causes beyond KS_CAUSES_KEPT are counted by their points. */
KS_CHECKED ks_status ks_causes_take(ks_causes *causes, const ks_record *record,
                                    const uint32_t *steps, double work);
uint64_t ks_causes_points(const ks_causes *causes); /* taken */

void ks_causes_see(ks_causes *causes, const uint32_t *steps);
void ks_causes_look(ks_causes *causes, const uint32_t *steps);

/* The largest first, of several the first met. Texts are those of `causes`. */
KS_CHECKED ks_status ks_causes_list(ks_causes *causes, ks_cause_list *list);

/* The commands that show the cause at `number` of the list. */
KS_CHECKED ks_status ks_causes_reproduce(ks_causes *causes, size_t number, const char *show,
                                         const char *all);

/* What is known of the first row that moved: lines. */
KS_CHECKED ks_status ks_causes_tell_first(ks_causes *causes, size_t number, const char *lines);

#endif
