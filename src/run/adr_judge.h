/* What stored results say of a table file's gates, rows and sentences. */
#ifndef KS_RUN_ADR_JUDGE_H
#define KS_RUN_ADR_JUDGE_H

#include "result/adr.h"
#include "run/adr_inputs.h"
#include "run/adr_robust.h"
#include "run/adr_rows.h"
#include "sweep/adr_file.h"

typedef struct ks_adr_stored {
    ks_adr_rows rows;
    ks_adr_inputs inputs;
    ks_adr_robust robust; /* empty where the table names no study */
    ks_digest digest;     /* of the rows' bytes */
} ks_adr_stored;

void ks_adr_stored_free(ks_adr_stored *stored); /* all zero is fine */

/* Fills `block`, which is freed by the caller whatever the status. KS_INPUT: a table
 * without rows, a column without a value in any row, a figure of a study that a gate is not. The adr and what is stored must outlive the block. */
KS_CHECKED ks_status ks_adr_judge(const ks_adr *adr, const ks_adr_stored *stored,
                                  ks_adr_block *block, ks_error *error);

#endif
