/* Measured constants of one machine, and what is known of their source; models and their heads. */
#ifndef KS_SWEEP_CALIBRATION_FILE_H
#define KS_SWEEP_CALIBRATION_FILE_H

#include "sweep/name.h"
#include "sweep/tree.h"

typedef struct ks_calibration_entry {
    bool is_given;   /* false: the rest is that of the default */
    bool has_bounds; /* low <= value <= high */
    uint64_t low, high;
    const char *unit, *source; /* NULL: not said */
    ks_place place;
} ks_calibration_entry;

typedef struct ks_calibration_file {
    ks_calibration values; /* defaults where the file says nothing */
    ks_calibration_entry entries[KS_CONSTANT_COUNT];
} ks_calibration_file;

/* What no file at all means. */
void ks_calibration_file_default(ks_calibration_file *out);
/* Texts live in the arena. */
KS_CHECKED ks_status ks_calibration_file_read(const char *path, ks_arena *arena,
                                              ks_calibration_file *out, ks_digest *digest,
                                              ks_error *error);

typedef struct ks_model {
    const char *label;
    uint64_t G, d;
} ks_model;

typedef struct ks_model_file {
    const ks_model *models;
    const char *const *labels; /* the same, for near matches */
    size_t count;
} ks_model_file;

KS_CHECKED ks_status ks_model_file_read(const char *path, ks_arena *arena, ks_model_file *out,
                                        ks_digest *digest, ks_error *error);

#endif
