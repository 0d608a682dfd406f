/* points.csv of a report folder, if it is what its run wrote. */
#ifndef KS_RUN_ADR_POINTS_H
#define KS_RUN_ADR_POINTS_H

#include "run/adr_collect.h"

typedef struct ks_adr_points_source {
    const char *name, *path; /* of the folder, as the table file has it; of points.csv */
    const char *digest;      /* of points.csv, hex, as run.json has it */
    const char *mode;        /* of the run */
} ks_adr_points_source;

/* KS_FAILED: points.csv is not what the run wrote; its points are simulated to find the line. */
KS_CHECKED ks_status ks_adr_points_take(ks_adr_rows *rows, const ks_adr_points_source *source,
                                        const ks_adr_collect_options *options, ks_error *error);

#endif
