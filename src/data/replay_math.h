/* The replay's MATH ops on float tiles (MODEL.md section 9). */
#ifndef KS_DATA_REPLAY_MATH_H
#define KS_DATA_REPLAY_MATH_H

#include "data/isa.h"

/* Packed, row-major. */
typedef struct ks_tile {
    float *values;
    uint64_t rows, cols;
} ks_tile;

/* Fills `out`, whose shape is given, from the op's reads in the row's order. `spare` has room for
 * count x out->cols floats. An operand with one row or one column repeats. KS_FAILED: the kind is
 * no MATH op, or operands or shapes do not fit it. */
KS_CHECKED ks_status ks_math_run(const ks_isa *isa, const ks_op *op, const ks_tile *reads,
                                 uint32_t count, ks_tile *out, float *spare, ks_error *error);

#endif
