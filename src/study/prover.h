/* Does a gate hold all over a box of calibrations? Proofs by parts of the box on which its figure is
 * known to be linear, a part's answer being that of its corners. */
#ifndef KS_STUDY_PROVER_H
#define KS_STUDY_PROVER_H

#include "study/subject.h"

/* An interval of values for each constant of the study, in ticks. */
typedef struct ks_box {
    uint64_t low[KS_CONSTANT_COUNT], high[KS_CONSTANT_COUNT];
} ks_box;

typedef enum ks_proof_verdict {
    KS_PROVED_PASS,
    KS_PROVED_FAIL,
    KS_MIXED,     /* it holds at one calibration of the box and fails at another */
    KS_UNDECIDED, /* somewhere there is no answer */
    KS_SAMPLED /* the same at every calibration that was tried, with no proof within the budget */
} ks_proof_verdict;
/* "proved-pass", ... */
const char *ks_proof_verdict_name(ks_proof_verdict verdict);

typedef struct ks_proof {
    ks_proof_verdict verdict;
    const char *method;                /* of a proof, or what was tried */
    double passed_share, failed_share; /* of the box's calibrations, as far as proved */
    uint64_t visits;                   /* parts of the box that were looked at */
    uint64_t tried[3];                 /* calibrations of the sample, by ks_gate_state */
    bool has_witness[3];               /* by ks_gate_state: a calibration with that answer */
    uint64_t witness[3][KS_CONSTANT_COUNT];
    bool has_worst;        /* of those tried, the one with the least margin */
    ks_exact worst_margin; /* figure less limit; below 0: it fails. Owned */
    uint64_t worst[KS_CONSTANT_COUNT];
} ks_proof;
void ks_proof_free(ks_proof *proof);

typedef struct ks_prover ks_prover; /* of one gate */

ks_prover *ks_prover_new(ks_subject *subject, size_t figure); /* NULL: out of memory */
void ks_prover_free(ks_prover *prover);                       /* NULL is fine */

/* Tries every corner (of at most 10 constants) and `samples` calibrations; then, where all answer
 * alike, looks for a proof with at most `budget` visits. */
KS_CHECKED ks_status ks_prover_ask(ks_prover *prover, const ks_box *box, uint64_t samples,
                                   uint64_t seed, uint64_t budget, ks_proof *out, ks_error *error);

#endif
