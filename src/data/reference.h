/* Solutions of a problem that know neither tiles nor op_log and share no code with the replay but
 * the conversions and the turning of matrices. Every sum runs in ascending index; results are
 * row-major like OUT. */
#ifndef KS_DATA_REFERENCE_H
#define KS_DATA_REFERENCE_H

#include "base/arena.h"
#include "data/numbers.h"

/* ---- attention in float64, fed with pieces of K, then of V ---- */

enum { KS_PIECE_ROWS = 128 }; /* most rows of a piece */

/* Some query rows of one problem. */
typedef struct ks_attention {
    const ks_isa *isa;
    uint64_t rows, length, d; /* query rows, S, d */
    double *q;                /* d x rows: queries side by side, as those of a group are alike */
    double *scores;           /* S x rows; weights later */
    double *most;             /* rows */
    double *sums;             /* rows */
    double *part;             /* a part of a piece as float64 */
    double *out;              /* rows x d */
} ks_attention;

/* `q`: rows x d. `out` is the caller's; the rest is scratch's. False: out of memory. */
KS_CHECKED bool ks_attention_begin(ks_attention *a, const float *q, double *out, ks_arena *scratch);
/* Rows first .. first + count - 1 of K, of V. */
void ks_attention_keys(const ks_attention *a, const float *k, uint64_t first, uint64_t count);
void ks_attention_weigh(const ks_attention *a); /* after the last key */
void ks_attention_values(const ks_attention *a, const float *v, uint64_t first, uint64_t count);
void ks_attention_end(const ks_attention *a);

/* Plain attention in the formats given, the yardstick of twice_plain, on numbers->inputs. Taken
 * literally: a row of scores that are all -inf, or that holds +inf, is NaN. False: out of memory. */
KS_CHECKED bool ks_plain_attention(const ks_numbers *numbers, ks_dtype score, ks_dtype p_dtype,
                                   ks_arena *scratch, float *out);

/* ---- benches ---- */

/* Inputs are float32 values by place in the layout; entry of OUT unused. */
typedef struct ks_problem {
    const ks_numbers_key *key;
    const ks_layout *layout;
    const ks_isa *isa;
    const float *inputs[KS_MAX_TENSORS];
    ks_arena *scratch;
} ks_problem;

/* MODEL.md's table row of the bench in float64, and the same row on absolute values with the
 * maxima, exponentials and 1/sqrt of the true ones. False: out of memory. */
KS_CHECKED bool ks_reference_bench(const ks_problem *problem, double *out);
KS_CHECKED bool ks_reference_bench_magnitude(const ks_problem *problem, double *magnitude);

#endif
