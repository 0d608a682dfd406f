/* A study from its file to its tables. */
#ifndef KS_STUDY_STUDY_RUN_H
#define KS_STUDY_STUDY_RUN_H

#include <stdatomic.h>

#include "result/table.h"
#include "sweep/study_file.h"

typedef struct ks_study_run_options {
    int threads;
    const atomic_int *is_stopped; /* or NULL */
} ks_study_run_options;

typedef struct ks_study_outcome {
    ks_tables tables;          /* owned */
    uint64_t asked, simulated; /* points; what was asked before is not simulated again */
    size_t gates_failed;       /* that do not hold at the base, or are not proved to pass over a box
                                  that the study asks a certificate for */
    ks_text red_gates;         /* a line each, of the same */
    ks_text trouble;           /* the first point without figures, in words; "" */
} ks_study_outcome;

/* KS_INPUT where a method is not built, or cannot be carried out on this study. */
KS_CHECKED ks_status ks_study_refuse(const ks_study *study, ks_error *error);
KS_CHECKED ks_status ks_study_run(const ks_study *study, const ks_study_run_options *options,
                                  ks_study_outcome *out, ks_error *error);
void ks_study_outcome_free(ks_study_outcome *outcome);

#endif
