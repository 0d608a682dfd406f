/* Solutions of a problem that know neither tiles nor op_log and share no code with the replay.
 * Inputs are float32 values by place in the layout (entry of OUT unused); results are row-major
 * like OUT. Every sum runs in ascending index. False: out of memory. */
#ifndef KS_DATA_REFERENCE_H
#define KS_DATA_REFERENCE_H

#include "base/arena.h"
#include "data/data.h"

typedef struct ks_problem {
    const ks_numbers_key *key;
    const ks_layout *layout;
    const float *inputs[KS_MAX_TENSORS];
    ks_arena *scratch;
} ks_problem;

KS_CHECKED bool ks_reference_attention(const ks_problem *problem, double *out);

/* MODEL.md's table row of the bench in float64, and the same row on absolute values with the
 * maxima, exponentials and 1/sqrt of the true ones. */
KS_CHECKED bool ks_reference_bench(const ks_problem *problem, double *out);
KS_CHECKED bool ks_reference_bench_magnitude(const ks_problem *problem, double *magnitude);

/* Plain attention in the point's formats, the yardstick of twice_plain. Taken literally: a row of
 * scores that are all -inf, or that holds +inf, is NaN. */
KS_CHECKED bool ks_plain_attention(const ks_problem *problem, float *out);

#endif
