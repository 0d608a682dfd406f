/* What a bless would change, in words. */
#ifndef KS_REPORT_PENDING_TEXT_H
#define KS_REPORT_PENDING_TEXT_H

#include "base/text.h"
#include "result/pending.h"

/* How many rows, and what happens to them. */
void ks_pending_title_print(ks_text *out, const ks_pending_group *group);
/* A group and its consequences; `number` is what --cause takes. */
void ks_pending_group_print(ks_text *out, const ks_pending_group *group, size_t number);

/* An entry of REASONS.md: the reason, and each group that was blessed. */
void ks_reason_begin(ks_text *out, const char *sweep, const char *reason);
void ks_reason_group(ks_text *out, const ks_pending_group *group);

#endif
