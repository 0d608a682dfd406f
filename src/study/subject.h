/* What is studied: the figures of a study as functions of its constants, and the gates on them. A
 * calibration is a value for each constant of the study, in its order, in ticks. */
#ifndef KS_STUDY_SUBJECT_H
#define KS_STUDY_SUBJECT_H

#include "base/exact.h"
#include "run/batch.h"
#include "study/line.h"
#include "study/response.h"
#include "sweep/study_file.h"

typedef struct ks_subject ks_subject;

/* A figure at one calibration. */
typedef struct ks_answer {
    bool has_value; /* false: a point has no figures there, or a division by zero */
    ks_exact value, limit;
    ks_gate_state gate; /* UNKNOWN without a gate or a value */
} ks_answer;
void ks_answers_free(ks_answer *answers, size_t count); /* what they own */

typedef struct ks_subject_options {
    int threads;
    const atomic_int *is_stopped; /* or NULL */
} ks_subject_options;

ks_subject *ks_subject_new(const ks_study *study,
                           const ks_subject_options *options); /* NULL if out of memory */
void ks_subject_free(ks_subject *subject);                     /* NULL is fine */

/* answers[i * figure_count + f] is figure f at calibration i; the caller frees them. On failure
 * there are none. */
KS_CHECKED ks_status ks_subject_ask(ks_subject *subject, const uint64_t *calibrations, size_t count,
                                    ks_answer *answers, ks_error *error);

/* The points that a calibration stands for: one for each different side of the figures. */
size_t ks_subject_point_count(const ks_subject *subject);
/* Point `index` at a calibration. */
ks_point ks_subject_point(const ks_subject *subject, size_t index, const uint64_t *calibration);
/* The point of a figure's side; sides of its limit follow those of the figure. */
size_t ks_subject_side_count(const ks_subject *subject, size_t figure);
size_t ks_subject_value_side_count(const ks_subject *subject,
                                   size_t figure); /* without the limit */
bool ks_subject_is_fixed(const ks_subject *subject, size_t index, ks_constant constant);
size_t ks_subject_side_point(const ks_subject *subject, size_t figure, size_t side);
size_t ks_subject_side_column(const ks_subject *subject, size_t figure, size_t side);
/* Of the last ask: a cell of point `index` at its calibration i; false: no figures there. Columns:
 * those that figures name, and of mode timing total_cycles and all crit_*. */
bool ks_subject_cell(const ks_subject *subject, size_t i, size_t index, ks_column column,
                     uint64_t *count);
/* Of the last ask: a side at its calibration i; false: no figures there. */
bool ks_subject_side_value(const ks_subject *subject, size_t i, size_t figure, size_t side,
                           ks_exact *value);
bool ks_subject_is_dispatch_only(const ks_subject *subject); /* no figure needs a timeline */

/* Outputs for sampling methods: every figure, then every gate as 0 or 1. */
ks_response ks_subject_response(ks_subject *subject);
size_t ks_subject_gate_count(const ks_subject *subject);
/* Name of an output for tables; `*figure` is the figure it hangs on. */
const char *ks_subject_output_name(const ks_subject *subject, size_t output, size_t *figure);

uint64_t ks_subject_asked(const ks_subject *subject); /* points */
uint64_t ks_subject_simulated(const ks_subject *subject);
const char *ks_subject_trouble(const ks_subject *subject);
const ks_study *ks_subject_study(const ks_subject *subject);

#endif
