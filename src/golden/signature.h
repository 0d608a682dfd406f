/* What points that fail for one cause have in common. */
#ifndef KS_GOLDEN_SIGNATURE_H
#define KS_GOLDEN_SIGNATURE_H

#include "result/record.h"

/* Appends a text that is equal for two failing points exactly when they count as one cause: of a
 * point that differs from its golden the kernel, the columns that moved and the direction of its
 * cycles; else the verdict, the reason without its numbers, the invariants, and the rule. */
void ks_signature_print(ks_text *out, const ks_record *record);

/* The same for a person: `error op_over_cap`, `invariants dma_bytes|order are broken`. */
void ks_signature_say(ks_text *out, const ks_record *record);

/* Got minus golden. false: one of the two has no such cell. */
bool ks_change_ticks(const ks_record *record, ks_column column, int64_t *ticks);

#endif
