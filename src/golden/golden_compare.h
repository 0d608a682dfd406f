/* A point against its golden row: exact, cell by cell, as text. */
#ifndef KS_GOLDEN_GOLDEN_COMPARE_H
#define KS_GOLDEN_GOLDEN_COMPARE_H

#include "golden/golden_file.h"

/* `cells` of the point, as ks_golden_cells_print gives them with the golden's parts. `made`: what
 * the run makes of every point; where it makes no op_log, that of the golden is not compared.
 * On a mismatch *change says what moved. Asks nothing but its arguments: several threads at once.
 * KS_GOLDEN_new, KS_GOLDEN_match or KS_GOLDEN_mismatch. */
ks_golden_state ks_golden_compare(const ks_golden *golden, const char *key, const char *cells,
                                  size_t length, ks_golden_parts made, ks_change *change);

/* What a golden was made for, against what is asked of it now. True: not the same, so that no row
 * can be compared; `why` then says what, in words. */
bool ks_golden_is_stale(const ks_golden_head *golden, const ks_golden_head *now, ks_error *why);

#endif
