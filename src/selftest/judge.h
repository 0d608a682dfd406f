/* Was a mutation caught as it must be? Seen by selftest/ only. */
#ifndef KS_SELFTEST_JUDGE_H
#define KS_SELFTEST_JUDGE_H

#include "base/text.h"
#include "selftest/report.h"
#include "selftest/trial.h"

/* What a trial came to. */
typedef struct ks_outcome {
    int code;
    const char *said;        /* all that the program said */
    const ks_report *report; /* NULL: it left none */
    bool has_golden_moved;   /* the golden is not as the trial made it */
} ks_outcome;

/* True: as expected, and `text` is what caught it. Else `text` is what was found and what was expected. */
bool ks_trial_judge(const ks_trial *trial, const ks_report *clean, const ks_outcome *outcome,
                    ks_text *text);

#endif
