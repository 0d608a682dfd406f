/* One point looked at closely, for proofs about its neighbours in the calibration.
 *
 * Time in the simulator is never computed with but by adding services, and never asked for but which
 * of two instants comes first. So as long as no service changes and the order of all instants
 * stays, the timeline is the same but for its times; and these are then linear in the two dispatch
 * constants: an instant moves by one for each DISPATCH row on the way to it and by one for each
 * byte of these. */
#ifndef KS_RUN_PROBE_H
#define KS_RUN_PROBE_H

#include "base/status.h"
#include "contract/point.h"
#include "host/host.h"

typedef struct ks_probe ks_probe; /* of one thread */

ks_probe *ks_probe_new(const ks_kernel_table *kernels); /* NULL if out of memory */
void ks_probe_free(ks_probe *probe);                    /* NULL is fine */

/* total_cycles of a point, and how it moves while the order of instants stays. */
typedef struct ks_probed {
    bool has_figures;
    uint64_t total_ticks;
    uint64_t path_segments, path_bytes; /* DISPATCH rows on the critical path, and their bytes */
} ks_probed;

/* Simulates the point in full. */
KS_CHECKED ks_status ks_probe_run(ks_probe *probe, const ks_point *point, ks_probed *out,
                                  ks_error *error);

/* Of the point that ran last: how often dispatch_fixed_cycles may change by `fixed_ticks` and
 * dispatch_cycles_per_byte by `byte_ticks`, both at once, with the order of instants as it is.
 * UINT64_MAX: for ever. Two instants that are one now but would part: 0. */
uint64_t ks_probe_reach(const ks_probe *probe, int64_t fixed_ticks, int64_t byte_ticks);

/* Of both constants: an interval each. */
typedef struct ks_dispatch_box {
    uint64_t fixed_low, fixed_high, byte_low, byte_high; /* ticks */
} ks_dispatch_box;

/* Whether the order of instants of the point that ran last stays all over the box, which it lies in. */
bool ks_probe_holds(const ks_probe *probe, const ks_dispatch_box *box);

/* Whether all services (dispatch left aside) are the same at both points, which differ in nothing
 * but constants that are decimals. A service that is not below 2^63 makes them differ. */
KS_CHECKED ks_status ks_probe_same_services(ks_probe *probe, const ks_point *a, const ks_point *b,
                                            bool *is_same, ks_error *error);

#endif
