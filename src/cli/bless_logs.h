/* The op_logs that a bless brings along, for sweeps that say `golden: oplog`. */
#ifndef KS_CLI_BLESS_LOGS_H
#define KS_CLI_BLESS_LOGS_H

#include "golden/golden_logs.h"

typedef struct ks_bless_logs {
    const char *folder;    /* of goldens */
    const char *report;    /* of the run: REPORT/oplog has its op_logs */
    const ks_golden *next; /* as it will be */
} ks_bless_logs;

/* How many op_logs of `next` are not there, or not as it pins them; how many files it does not pin. */
KS_CHECKED ks_status ks_bless_logs_count(const ks_bless_logs *logs, uint64_t *missing,
                                         uint64_t *orphans, ks_error *error);
/* Brings those that are missing, from the run: KS_INPUT where it has another one. */
KS_CHECKED ks_status ks_bless_logs_write(const ks_bless_logs *logs, ks_error *error);
/* Takes out files that `next` does not pin. */
KS_CHECKED ks_status ks_bless_logs_prune(const ks_bless_logs *logs, ks_error *error);

#endif
