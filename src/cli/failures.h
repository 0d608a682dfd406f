/* failures/ID/ of a report folder: of some failing points what there is to look at. */
#ifndef KS_CLI_FAILURES_H
#define KS_CLI_FAILURES_H

#include "result/cause.h"
#include "run/folder.h"
#include "run/runner.h"

enum { KS_FAILURES_KEPT = 20, KS_FAILURES_ROWS = 100000 /* of all op_logs kept */ };

/* Red points that are kept for failures/, the first in grid order; each cause's smallest comes
 * before them. All zero is none. */
typedef struct ks_failures {
    struct {
        ks_row row;
        ks_change change;
        bool has_change;
        ks_text key, detail, why, show;
    } kept[KS_FAILURES_KEPT];
    size_t count;
} ks_failures;

void ks_failures_free(ks_failures *failures);
KS_CHECKED ks_status ks_failures_take(ks_failures *failures, const ks_record *record,
                                      const char *show);

/* Writes FOLDER/failures/ID/ of at most KS_FAILURES_KEPT points: op_log.csv of a point that has
 * one (made again; KS_FAILURES_ROWS together), diff.txt, reproduce.sh. `*stored`: how many. */
KS_CHECKED ks_status ks_failures_write(const ks_failures *failures, const ks_cause_list *causes,
                                       const ks_folder *folder, const ks_job *job, size_t *stored,
                                       ks_error *error);

#endif
