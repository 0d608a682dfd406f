/* The result block of a decision record, ready to be shown: texts as they are, numbers exact. */
#ifndef KS_RESULT_ADR_H
#define KS_RESULT_ADR_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/exact.h"
#include "base/text.h"

typedef enum ks_shown_form {
    KS_SHOWN_TEXT,
    KS_SHOWN_EXACT,   /* as the shortest decimal; six digits where there is none */
    KS_SHOWN_DIGITS,  /* `places` significant digits */
    KS_SHOWN_DECIMALS /* `places` digits behind the point */
} ks_shown_form;

typedef struct ks_shown {
    ks_shown_form form;
    unsigned places;
    ks_exact value;
    const char *text; /* of KS_SHOWN_TEXT */
} ks_shown;

typedef enum ks_adr_result {
    KS_ADR_PASS,
    KS_ADR_UNDECIDED,  /* holds at the base; of its box a study found no answer */
    KS_ADR_FRAGILE,    /* holds, but not in the whole box of a study */
    KS_ADR_FAIL,       /* some group does not hold */
    KS_ADR_INCOMPLETE, /* a point is missing or failed, or a side has no value */
    KS_ADR_RESULT_COUNT
} ks_adr_result;
const char *ks_adr_result_name(ks_adr_result result);
bool ks_adr_result_holds(ks_adr_result result); /* the three PASSes */

/* A gate, shown by the group that is nearest to its threshold. */
typedef struct ks_adr_gate_line {
    const char *name, *text, *question;
    const char *group; /* `TILE=16`; "" when there is one group alone */
    size_t group_count;
    bool has_sides;
    ks_shown value, limit;
    const char *op, *unit;
    bool has_margin;
    ks_exact margin_percent; /* above 0: on the side where it holds */
    const char *robust;      /* what a study says; "" when none was asked */
    ks_adr_result result;
    const char *why; /* of INCOMPLETE */
} ks_adr_gate_line;

/* One group of a gate, all of which are kept in a file beside the page. */
typedef struct ks_adr_group {
    const char *gate, *group, *op;
    bool has_sides;
    ks_exact value, limit;
    ks_adr_result result;
} ks_adr_group;

typedef struct ks_adr_head {
    const char *title, *unit; /* unit "": none */
    bool is_number;
} ks_adr_head;

typedef struct ks_adr_grid {
    const char *title; /* "": none */
    const ks_adr_head *heads;
    size_t column_count, row_count;
    ks_shown *cells; /* row by row */
} ks_adr_grid;

typedef struct ks_adr_sentence {
    const char *text;
    const char *gates; /* `G1, G2` */
    ks_adr_result result;
} ks_adr_sentence;

typedef struct ks_adr_other {
    const char *title, *why;
    bool has_dispatch;
    uint64_t command_count, byte_count, ticks; /* a tile */
} ks_adr_other;

typedef struct ks_adr_value {
    const char *name, *value, *unit;
} ks_adr_value;

typedef struct ks_adr_calibration {
    const char *file;   /* "": the model's defaults */
    const char *digest; /* hex, of the values */
    const ks_adr_value *values;
    size_t value_count;
} ks_adr_calibration;

typedef struct ks_adr_source {
    const char *name;   /* as the table file has it */
    const char *file;   /* the sweep file */
    const char *digest; /* hex, of its bytes */
    const char *mode;
    const char *commit; /* of a report folder: what ran it; else "" */
    const char *limits; /* of a report folder: the options that ran another grid; else "" */
    const char *red;    /* of a report folder whose run ended red: its exit code; else "" */
    uint64_t planned, held, infeasible, failed;
    uint64_t unlogged;  /* passed without the op_log of their mode: invariants were not checked */
    size_t calibration; /* index */
} ks_adr_source;

typedef struct ks_adr_study {
    const char *name;   /* as the table file has it */
    const char *file;   /* the study file */
    const char *digest; /* hex, of its bytes */
} ks_adr_study;

typedef struct ks_adr_block {
    ks_arena *arena;
    const char *name, *about, *file; /* file: the table file */
    const char *program;
    ks_digest results; /* of the stored results' bytes */
    ks_adr_gate_line *gates;
    size_t gate_count;
    ks_adr_group *groups; /* by gate, in the order asked; on the heap */
    size_t group_count;
    ks_adr_grid *grids;
    size_t grid_count;
    ks_adr_sentence *sentences;
    size_t sentence_count;
    ks_adr_other *others;
    size_t other_count;
    ks_adr_source *sources;
    size_t source_count;
    ks_adr_calibration *calibrations;
    size_t calibration_count;
    ks_adr_study *studies;
    size_t study_count;
    bool is_whole; /* no point is missing or failed, and every run was of its whole sweep */
} ks_adr_block;

void ks_adr_block_free(ks_adr_block *block); /* all zero is fine */
/* The worst of its gates, in the order FAIL, INCOMPLETE, PASS; INCOMPLETE where it is not whole. */
ks_adr_result ks_adr_block_result(const ks_adr_block *block);

#endif
