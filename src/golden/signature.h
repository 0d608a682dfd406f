/* What points that fail for one cause have in common. */
#ifndef KS_GOLDEN_SIGNATURE_H
#define KS_GOLDEN_SIGNATURE_H

#include "result/record.h"

/* Appends a text that is equal for two failing points exactly when they count as one cause: the
 * verdict, the reason without its numbers, the invariants, the rule that expected otherwise. Of a
 * point that differs from its golden the columns that moved and stand furthest up: work, then what
 * servers and PE_CPU take for it (with the direction), then numbers; all else follows from them.
 * When none of those moved, the kernel and the direction of its cycles. */
void ks_signature_print(ks_text *out, const ks_record *record);

/* The same for a person: `error op_over_cap`, `invariants dma_bytes|order are broken`. */
void ks_signature_say(ks_text *out, const ks_record *record);

/* Of a record with a change: what moved, without a word of goldens. */
void ks_change_say(ks_text *out, const ks_record *record);

/* The columns that moved and stand furthest up, bit by ks_column: all else follows; 0: times alone. */
uint64_t ks_change_root(const ks_change *change);

/* Got minus golden. false: one of the two has no such cell. */
bool ks_change_ticks(const ks_record *record, ks_column column, int64_t *ticks);

#endif
