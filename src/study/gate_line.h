/* A gate of the study along one of its constants, as a line whose pieces are proved: what a constant
 * does to a result column is known, or every value is looked at. */
#ifndef KS_STUDY_GATE_LINE_H
#define KS_STUDY_GATE_LINE_H

#include "run/probe.h"
#include "study/gate_form.h"
#include "study/line.h"

/* What a constant does to a column of a point, from least to most. */
typedef enum ks_effect {
    KS_EFFECT_NONE,
    KS_EFFECT_LINEAR,   /* dispatch costs: exactly linear */
    KS_EFFECT_SERVICES, /* steps where a service of an engine does */
    KS_EFFECT_ORDER,    /* linear while the order of instants stays */
    KS_EFFECT_UNKNOWN   /* every value stands for itself */
} ks_effect;
ks_effect ks_effect_of(ks_constant constant, ks_column column);

typedef struct ks_gate_line ks_gate_line;

/* Moves `constant` (index in the study) of a calibration. NULL: out of memory. */
ks_gate_line *ks_gate_line_new(ks_subject *subject, size_t figure, size_t constant,
                               const uint64_t *calibration);
void ks_gate_line_free(ks_gate_line *line); /* NULL is fine */
/* The largest effect on any side. */
ks_effect ks_gate_line_effect(const ks_gate_line *line);
/* From low to high, which are values of the constant. */
ks_line ks_gate_line_over(ks_gate_line *line, uint64_t low, uint64_t high);

#endif
