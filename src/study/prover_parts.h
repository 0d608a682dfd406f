/* Inside of a prover: dividing a box into parts. For prover*.c alone. */
#ifndef KS_STUDY_PROVER_PARTS_H
#define KS_STUDY_PROVER_PARTS_H

#include "run/probe.h"
#include "study/gate_line.h"
#include "study/prover.h"

enum { KS_PART_CORNERS = 4 };

struct ks_prover {
    ks_subject *subject;
    const ks_study *study;
    size_t figure;
    ks_gate_form form;
    ks_effect effects[KS_CONSTANT_COUNT]; /* on the figure, by constant of the study */
    size_t fixed, byte; /* the two dispatch constants; constant_count: not studied */
    ks_probe **probes;  /* by point */
    ks_probed *probed;  /* of the last look */
    ks_answer *answers; /* room for the corners of a part */
    ks_proof *proof;    /* that is being made */
    uint64_t budget;
};

/* A calibration's answer becomes a witness, or the worst. */
void ks_prover_note(ks_prover *prover, const uint64_t *calibration, const ks_answer *answer);
/* total_cycles: a side whose times hang on the order of instants. */
bool ks_prover_has_order(const ks_prover *prover, size_t side);

/* Asks the first `count` corners of the part (1: its low one; KS_PART_CORNERS: all, with dispatch
 * costs moved): the answers stand in prover->answers, to be freed, and are noted. KS_BUG where
 * total_cycles is not what prover->probed says. */
KS_CHECKED ks_status ks_prover_ask_corners(ks_prover *prover, const ks_box *box, size_t count,
                                           ks_error *error);
/* Whether the corners asked last answer for all between: num and den are linear there. */
bool ks_prover_is_answered(const ks_prover *prover, ks_gate_state *state);

/* True: every calibration of the box has one answer, which a witness shows. False: the budget ran
 * out, or there are witnesses of two. */
KS_CHECKED ks_status ks_prover_divide(ks_prover *prover, const ks_box *box, bool *is_proved,
                                      ks_error *error);

#endif
