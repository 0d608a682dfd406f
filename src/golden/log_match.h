/* Which row of one op_log is which row of the other: the same stage of the same command, or the
 * same PE_CPU row of it (the n-th of its kind where there are several). */
#ifndef KS_GOLDEN_LOG_MATCH_H
#define KS_GOLDEN_LOG_MATCH_H

#include "golden/log_file.h"

#define KS_LOG_NO_ROW SIZE_MAX

/* Of each row of a log the row of the other, or KS_LOG_NO_ROW. */
typedef struct ks_log_match {
    size_t *got_of, *expected_of; /* owned; by seq of the expected and of the got log */
} ks_log_match;

KS_CHECKED ks_status ks_log_match_rows(const ks_log *expected, const ks_log *got,
                                       ks_log_match *match);
void ks_log_match_free(ks_log_match *match);

#endif
