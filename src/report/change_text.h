/* What moved from a point's golden, in words. */
#ifndef KS_REPORT_CHANGE_TEXT_H
#define KS_REPORT_CHANGE_TEXT_H

#include "base/text.h"
#include "result/change.h"

/* `golden: pass; total_cycles 100 -> 101; and 3 more; op_log first in rows 64 to 127`: the golden's
 * verdict and reason, the first cells that moved from its values to the row's. No line end. */
void ks_change_print(ks_text *out, const ks_change *change, const ks_row *row);

#endif
