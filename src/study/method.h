/* What methods share: the study under way, and how a method says what it found. Seen by study/
 * only. */
#ifndef KS_STUDY_METHOD_H
#define KS_STUDY_METHOD_H

#include "result/table.h"
#include "study/lattice.h"
#include "study/subject.h"

#define KS_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct ks_method_context {
    const ks_study *study;
    ks_subject *subject;
    ks_tables *tables;
    ks_answer *base; /* by figure: at the base calibration */
    ks_error *error;
} ks_method_context;

typedef ks_status ks_method(ks_method_context *context, const ks_study_method *method);
ks_method ks_method_oat, ks_method_elasticity;                                 /* method_oat.c */
ks_method ks_method_centered, ks_method_grid, ks_method_pairs, ks_method_list; /* method_grid.c */
ks_method ks_method_morris, ks_method_sobol, ks_method_filter; /* method_sampled.c */

/* KS_INPUT, said with its place, where the method cannot be carried out on this study. */
typedef ks_status ks_method_check(const ks_study *study, const ks_study_method *method,
                                  ks_error *error);
ks_method_check ks_check_centered, ks_check_grid, ks_check_pairs;
ks_method_check ks_check_morris, ks_check_sobol, ks_check_filter;

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

/* A new table of the report. NULL: out of memory, and said. */
ks_table *ks_method_table(ks_method_context *context, const char *name, const char *title,
                          const ks_table_column *columns, size_t column_count);

const char *ks_study_constant_name(const ks_study_constant *constant);
/* The figure, or nothing where it has no value. */
void ks_table_answer(ks_table *table, const ks_answer *answer);
/* pass, fail, unknown; nothing where the figure has no gate. */
void ks_table_gate(ks_table *table, const ks_study_figure *figure, const ks_answer *answer);

#endif
