/* What methods share: the study under way, and how a method says what it found. Seen by study/
 * only. */
#ifndef KS_STUDY_METHOD_H
#define KS_STUDY_METHOD_H

#include "result/table.h"
#include "study/lattice.h"
#include "study/subject.h"

#define KS_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* What methods found about a gate, for its line in robustness.csv. */
typedef struct ks_gate_note {
    bool has_flip;
    size_t flip_constant;
    ks_exact flip_value; /* owned */
    double flip_percent;
} ks_gate_note;

/* What a certificate says of a gate: one line of robustness.csv. */
typedef struct ks_certificate_line {
    size_t figure;
    const char *verdict;
    ks_text method, box, worst_corner; /* owned */
    double radius_percent;             /* not finite: none */
} ks_certificate_line;

typedef struct ks_method_context {
    const ks_study *study;
    ks_subject *subject;
    ks_tables *tables;
    ks_answer *base;            /* by figure: at the base calibration */
    ks_gate_note *notes;        /* by figure */
    ks_certificate_line *lines; /* owned by the run */
    size_t line_count;
    size_t unproved; /* certificates that do not say proved-pass */
    ks_subject_options options;
    uint64_t asked, simulated; /* by subjects other than that of the context */
    ks_error *error;
} ks_method_context;

typedef ks_status ks_method(ks_method_context *context, const ks_study_method *method);
ks_method ks_method_oat, ks_method_elasticity;                                 /* method_oat.c */
ks_method ks_method_centered, ks_method_grid, ks_method_pairs, ks_method_list; /* method_grid.c */
ks_method ks_method_morris, ks_method_sobol, ks_method_filter; /* method_sampled.c */
ks_method ks_method_flips;                                     /* method_flips.c */
ks_method ks_method_boundary;                                  /* method_boundary.c */
ks_method ks_method_certificate;                               /* method_certificate.c */
ks_method ks_method_whatif;                                    /* method_whatif.c */

/* KS_INPUT, said with its place, where the method cannot be carried out on this study. */
typedef ks_status ks_method_check(const ks_study *study, const ks_study_method *method,
                                  ks_error *error);
ks_method_check ks_check_centered, ks_check_grid, ks_check_pairs;
ks_method_check ks_check_morris, ks_check_sobol, ks_check_filter;
ks_method_check ks_check_boundary;
ks_method_check ks_check_flips; /* flips and certificates: there is a gate */

/* Calibrations asked at once, with their answers. */
typedef struct ks_asked {
    uint64_t *calibrations; /* [i * constant_count + c] */
    ks_answer *answers;     /* [i * figure_count + f] */
    size_t count;
} ks_asked;

/* `count` calibrations, each the base. KS_NO_MEMORY is the only failure, and said. */
KS_CHECKED ks_status ks_asked_new(ks_method_context *context, size_t count, ks_asked *out);
KS_CHECKED ks_status ks_asked_answer(ks_method_context *context, ks_asked *asked);
void ks_asked_free(const ks_method_context *context, ks_asked *asked);
static inline const ks_answer *ks_asked_at(const ks_method_context *context, const ks_asked *asked,
                                           size_t i, size_t figure) {
    return &asked->answers[i * context->study->figure_count + figure];
}

/* body(self, subject, index) for every index below count, in parallel; each has a subject of its own.
 * The failure of the least index is the context's. */
KS_CHECKED ks_status ks_method_each(ks_method_context *context, size_t count, void *self,
                                    ks_status (*body)(void *self, ks_subject *subject, size_t index,
                                                      ks_error *error));

/* A new table of the report. NULL: out of memory, and said. */
ks_table *ks_method_table(ks_method_context *context, const char *name, const char *title,
                          const ks_table_column *columns, size_t column_count);

const char *ks_study_constant_name(const ks_study_constant *constant);
/* The figure, or nothing where it has no value. */
void ks_table_answer(ks_table *table, const ks_answer *answer);
/* pass, fail, unknown; nothing where the figure has no gate. */
void ks_table_gate(ks_table *table, const ks_study_figure *figure, const ks_answer *answer);

#endif
