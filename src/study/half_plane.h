/* Gates on dispatch costs in closed form: a half-plane of dispatch_fixed_cycles (F) and
 * dispatch_cycles_per_byte (R), and the range of the figure over all calibrations. */
#ifndef KS_STUDY_HALF_PLANE_H
#define KS_STUDY_HALF_PLANE_H

#include "study/gate_form.h"
#include "study/method.h"

/* num = fixed F + byte R + rest; den likewise. */
typedef struct ks_plane_sum {
    ks_exact fixed, byte, rest;
} ks_plane_sum;

typedef struct ks_half_plane {
    bool is_there;         /* every side is a dispatch cost or a count, and fixes neither F nor R */
    ks_plane_sum num, den; /* of the gate */
    ks_plane_sum value_num, value_den; /* of the figure */
} ks_half_plane;

/* From the figure at F = 1, R = 0, the other way round, and at both 0. */
KS_CHECKED ks_status ks_half_plane_of(const ks_study *study, size_t figure, ks_half_plane *out,
                                      ks_error *error);
void ks_half_plane_free(ks_half_plane *plane);
/* `dispatch_fixed_cycles > 63 dispatch_cycles_per_byte`; nothing where den has no one sign. */
void ks_half_plane_print(ks_text *out, const ks_half_plane *plane, const char *op);
/* Of the figure over all F and R that are not both 0; false: none, or without an end. */
bool ks_half_plane_range(const ks_half_plane *plane, ks_exact *low, ks_exact *high);

/* Of the figure at F and R, in ticks: per cent that it moves for one of F, and of R. Their sum is 0
 * where it is a ratio of costs (Euler). False: the figure is 0 or has no value there. */
bool ks_half_plane_elasticity(const ks_half_plane *plane, uint64_t fixed_ticks, uint64_t byte_ticks,
                              ks_exact *of_fixed, ks_exact *of_byte);

KS_CHECKED ks_status ks_half_planes_add_table(ks_method_context *context);

#endif
