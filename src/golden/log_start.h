/* Why a row of a stored op_log started when it did: the row that ended at that instant. The log
 * has no dependencies in it, so this reads what the rows write and read, and whose they are. */
#ifndef KS_GOLDEN_LOG_START_H
#define KS_GOLDEN_LOG_START_H

#include "golden/log_file.h"
#include "golden/log_match.h"

typedef struct ks_log_start {
    size_t seq;           /* KS_LOG_NO_ROW: nothing in the log ended then */
    const char *relation; /* static words: "its server was freed by", ... */
} ks_log_start;

/* The likeliest of the rows that ended when `seq` started: what it reads from, its server's
 * previous stage, its dispatch, its command, another command, in this order. */
ks_log_start ks_log_start_of(const ks_log *log, size_t seq);

/* The row that held the server of `row` at `ticks`; KS_LOG_NO_ROW: it was idle. Rows of the same
 * command and stage are passed over. */
size_t ks_log_holder(const ks_log *log, const ks_log_row *row, uint64_t ticks);

#endif
