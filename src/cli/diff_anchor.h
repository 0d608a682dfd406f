/* What a golden folder's anchors say: small points whose whole op_logs lie under FOLDER/oplog. */
#ifndef KS_CLI_DIFF_ANCHOR_H
#define KS_CLI_DIFF_ANCHOR_H

#include "cli/diff_logs.h"
#include "golden/log_diff.h"

typedef struct ks_anchor {
    bool is_there;
    ks_text key;
    ks_log_diff diff; /* of the stored op_log, and the one that this program makes */

    ks_log logs[2];
    ks_arena *arena;
} ks_anchor; /* all zero is none */

void ks_anchor_free(ks_anchor *anchor);

/* The anchor of the same kernel and policy with the fewest rows, the first KEY of several. None:
 * is_there is false. KS_INPUT: a golden or an op_log in the folder cannot be read as one. */
KS_CHECKED ks_status ks_anchor_find(const ks_options *options, const char *folder, const char *key,
                                    ks_anchor *out, ks_error *error);

#endif
