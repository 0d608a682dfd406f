/* Where the results of a table file come from: sweeps that are run, report folders that are read. */
#ifndef KS_RUN_ADR_COLLECT_H
#define KS_RUN_ADR_COLLECT_H

#include "run/adr_inputs.h"
#include "run/adr_rows.h"
#include "run/runner.h"
#include "sweep/adr_file.h"

typedef struct ks_adr_collect_options {
    const ks_isa *isa; /* of mode data; NULL: the best of this machine */
    int threads;
    const atomic_int *is_stopped;
    /* Rows of sources whose inputs are still the same stand. NULL: none do. */
    const ks_adr_rows *rows;
    const ks_adr_inputs *inputs, *now; /* of those rows; as ks_adr_inputs_now gives them */
    void *self;
    /* So many points of so many are simulated. NULL: nobody asks. */
    void (*begin)(void *self, const char *source, uint64_t points, uint64_t of);
} ks_adr_collect_options;

/* Fills both from every source in turn, simulating what the options' rows do not have. KS_IO: interrupted, or a folder that is not whole;
 * KS_FAILED: a folder whose sweep or calibration is no longer what it was made from. */
KS_CHECKED ks_status ks_adr_collect(const ks_adr *adr, const ks_adr_collect_options *options,
                                    ks_adr_rows *rows, ks_adr_inputs *inputs, ks_error *error);

/* The inputs as they are now, without running. A source that `stored` knows as a report folder is
 * looked for by its sweep file: the folder need not be there. */
KS_CHECKED ks_status ks_adr_inputs_now(const ks_adr *adr, const ks_adr_inputs *stored,
                                       ks_adr_inputs *now, ks_error *error);

/* Appends the KEYs of a sweep's points that `rows` has not, one a line; nothing where the sweep
 * cannot be read. At most `most`. */
void ks_adr_list_missing(const ks_adr *adr, const ks_adr_inputs *stored, const char *source,
                         const ks_adr_rows *rows, size_t most, ks_text *out);

#endif
