/* A study file while it is read; for study_*.c alone. */
#ifndef KS_SWEEP_STUDY_READER_H
#define KS_SWEEP_STUDY_READER_H

#include "sweep/reader.h"
#include "sweep/study_file.h"

/* What a ks_study is inside. The sweep in it is no sweep: it holds what studies and sweeps are read
 * alike with (calibration, kernels, expressions). */
typedef struct ks_study_box {
    ks_study study; /* first: the caller's pointer */
    ks_sweep_box *common;
} ks_study_box;

typedef struct ks_study_reader {
    ks_study *study;
    ks_sweep_reader common;
    const ks_study_options *options;
} ks_study_reader;

ks_status ks_study_read_constants(ks_study_reader *r, const ks_tree *root);
ks_status ks_study_read_figures(ks_study_reader *r, const ks_tree *root);
ks_status ks_study_read_methods(ks_study_reader *r, const ks_tree *root);

/* One value of a constant. */
ks_status ks_study_read_value(ks_study_reader *r, const ks_tree *node, ks_constant constant,
                              uint64_t *value);
/* low and high of a map, both or neither; low < high. */
ks_status ks_study_read_range(ks_study_reader *r, const ks_tree *map, ks_constant constant,
                              bool *is_given, uint64_t *low, uint64_t *high);
/* A constant of the study by its name; the count of them where it is none. */
size_t ks_study_find(const ks_study *study, const char *name);

#endif
