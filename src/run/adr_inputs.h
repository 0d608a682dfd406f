/* What results were made from: sweep files, calibrations, models, the program. Kept beside them, so
 * that stale ones are told apart from wrong ones. */
#ifndef KS_RUN_ADR_INPUTS_H
#define KS_RUN_ADR_INPUTS_H

#include "base/arena.h"
#include "sweep/grid.h"
#include "sweep/study_file.h"

/* `source` is what the table file names; "" of the program. */
typedef struct ks_adr_input {
    const char *source, *name, *value;
} ks_adr_input;

typedef struct ks_adr_inputs {
    ks_arena *arena;
    ks_adr_input *items;
    size_t count, room;
    bool has_failed; /* out of memory */
} ks_adr_inputs;

void ks_adr_inputs_free(ks_adr_inputs *inputs); /* all zero is an empty list */
void ks_adr_inputs_add(ks_adr_inputs *inputs, const char *source, const char *name,
                       const char *value);
/* NULL: it is not there. */
const char *ks_adr_inputs_find(const ks_adr_inputs *inputs, const char *source, const char *name);

void ks_adr_inputs_add_program(ks_adr_inputs *inputs);
/* file, sweep, mode, points, `model NAME` of each that it uses, calibration_file, calibration, every
 * constant. */
void ks_adr_inputs_add_sweep(ks_adr_inputs *inputs, const char *source, const ks_sweep *sweep,
                             uint64_t point_count);
/* file, study, calibration_file, calibration, every constant. */
void ks_adr_inputs_add_study(ks_adr_inputs *inputs, const char *source, const ks_study *study);

/* `source,name,value` with a header line. */
void ks_adr_inputs_print(ks_text *out, const ks_adr_inputs *inputs);
KS_CHECKED ks_status ks_adr_inputs_parse(ks_adr_inputs *inputs, const char *path, const char *bytes,
                                         size_t length, ks_error *error);

/* The program and all inputs of this source are the same. */
bool ks_adr_inputs_is_same(const ks_adr_inputs *stored, const ks_adr_inputs *now,
                           const char *source);
/* Appends `stale: WHAT changed: ...` for each that differs; how many. */
size_t ks_adr_inputs_compare(ks_text *out, const ks_adr_inputs *stored, const ks_adr_inputs *now);

#endif
