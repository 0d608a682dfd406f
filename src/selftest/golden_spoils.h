/* Ways to spoil a golden. Seen by selftest/ only. */
#ifndef KS_SELFTEST_GOLDEN_SPOILS_H
#define KS_SELFTEST_GOLDEN_SPOILS_H

#include "base/text.h"
#include "selftest/trial.h"

/* Spoils the bytes of a golden, or of what a run observed. False: there is nothing to spoil, or out of
 * memory. */
bool ks_golden_spoil_apply(const ks_golden_spoil *spoil, ks_text *bytes);

#endif
