/* A table file of a decision record: which results, which gates, which rows and columns, what
 * follows from them. Read strictly: what is not known is an error. */
#ifndef KS_SWEEP_ADR_FILE_H
#define KS_SWEEP_ADR_FILE_H

#include "sweep/sweep_file.h"

/* A sweep file to run, or a report folder to read. */
typedef struct ks_adr_path {
    const char *text;
    ks_place place;
} ks_adr_path;

/* What a gate is besides its question. */
typedef struct ks_adr_gate {
    const char *text;   /* the claim, for a person; "" when not said */
    const char *unit;   /* of both its sides; "ratio" when not said */
    const char *figure; /* of a study: its robustness; "" when not said */
} ks_adr_gate;

/* How a number is shown. */
typedef enum ks_adr_form {
    KS_ADR_PLAIN,   /* as it is stored; of an expression four digits, all of a unit `cycle` */
    KS_ADR_DIGITS,  /* `places` significant digits */
    KS_ADR_DECIMALS /* `places` digits behind the point */
} ks_adr_form;

typedef struct ks_adr_column {
    const char *title, *unit; /* unit NULL: not said */
    size_t column;            /* of the options' columns, where expr is NULL */
    const ks_expr *expr;      /* a FIGURE; of columns alone: those of the row */
    ks_adr_form form;
    unsigned places;
    ks_place place;
} ks_adr_column;

typedef struct ks_adr_table {
    const char *title;   /* "" when not said */
    const ks_name *each; /* what tells its rows apart, in the order of its first columns */
    size_t each_count;
    const ks_expr *where; /* NULL: every result */
    const ks_adr_column *columns;
    size_t column_count;
    ks_place place;
} ks_adr_table;

/* A sentence, and the gates (by index) that carry it. */
typedef struct ks_adr_finding {
    const char *text;
    const size_t *gates;
    size_t gate_count;
} ks_adr_finding;

/* An alternative that cannot run here: why, and what dispatching it would cost. */
typedef struct ks_adr_also {
    const char *title, *why;
    const uint64_t *handles; /* op by op: operands and out */
    const size_t *op_counts; /* by command: ops */
    size_t command_count;    /* 0: no dispatch is known */
} ks_adr_also;

typedef struct ks_adr {
    const char *file, *name, *about;
    const char *into; /* Markdown file */
    const ks_adr_path *results, *studies;
    size_t result_count, study_count;
    const ks_gate *gates;
    const ks_adr_gate *gate_facts; /* by gate */
    size_t gate_count;
    const ks_adr_table *tables;
    size_t table_count;
    const ks_adr_finding *findings;
    size_t finding_count;
    const ks_adr_also *alsos;
    size_t also_count;
    const ks_kernel_table *kernels;
} ks_adr;

/* `columns` of the options: what gates and columns may name. Kernels and columns must outlive it. */
KS_CHECKED ks_status ks_adr_read(const char *path, const ks_kernel_table *kernels,
                                 const ks_sweep_options *options, ks_adr **out, ks_error *error);
KS_CHECKED ks_status ks_adr_parse(const char *file, const char *bytes, size_t length,
                                  const ks_kernel_table *kernels, const ks_sweep_options *options,
                                  ks_adr **out, ks_error *error);
void ks_adr_free(ks_adr *adr); /* NULL is fine */

#endif
