/* A gate as num / den compared with 0: sums over the sides of its figure, then of its limit. */
#ifndef KS_STUDY_GATE_FORM_H
#define KS_STUDY_GATE_FORM_H

#include "study/subject.h"
#include "sweep/expr_quotient.h"

typedef struct ks_gate_form {
    bool is_quotient;  /* else the gate is of no such form: nothing below is there */
    ks_quotient gate;  /* figure less limit */
    ks_quotient value; /* the figure alone */
} ks_gate_form;

ks_gate_form ks_gate_form_of(const ks_subject *subject, size_t figure);
void ks_gate_form_free(ks_gate_form *form);

/* num and den of a quotient whose sides have these values. */
void ks_quotient_at(const ks_quotient *quotient, const ks_exact *sides, ks_exact *num,
                    ks_exact *den);
/* The same without the constants: of slopes. */
void ks_quotient_slope(const ks_quotient *quotient, const ks_exact *slopes, ks_exact *num,
                       ks_exact *den);

#endif
