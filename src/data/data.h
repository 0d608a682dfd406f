/* Data mode (MODEL.md section 9): the numbers of a problem, the replay of an op_log with them,
 * and the judgement of what came out.
 *
 *     isa     = ks_isa_choose(NULL)
 *     key     = ks_numbers_key_of(task, &point)
 *     numbers = ks_numbers_new(&key, isa)               may be kept and shared by many points
 *     replay  = ks_replay_new(numbers, program, &calibration)
 *     every row of the op_log: ks_replay_row(replay, row)    fits ks_op_sink.row
 *     ks_replay_finish(replay, &digest)
 *     errors  = ks_errors_of(numbers, ks_replay_out(replay))
 *     tolerance.plain_max_abs_err = ks_numbers_plain_max_abs_err(numbers, score, p_dtype)
 *     verdict = ks_judge(numbers, ks_replay_out(replay), tolerance)
 */
#ifndef KS_DATA_DATA_H
#define KS_DATA_DATA_H

#include "base/digest.h"
#include "contract/command.h"
#include "contract/task.h"
#include "op_log/op_log.h"

/* The loops of data mode for one instruction set; each gives the same bits. */
typedef struct ks_isa ks_isa;

/* The best that this machine runs; or the one named `wanted`, unless that is NULL or empty.
 * KS_INPUT: the name is unknown, or this machine does not run it. */
KS_CHECKED ks_status ks_isa_choose(const char *wanted, const ks_isa **out, ks_error *error);
const ks_isa *ks_isa_best(void);
const char *ks_isa_name(const ks_isa *isa);
const ks_isa *ks_isa_at(uint32_t index); /* all that were compiled, from 0; NULL behind the last */
bool ks_isa_runs_here(const ks_isa *isa);

/* False: this thread rounds another way than to nearest, or takes subnormals for 0, and data mode
 * would give wrong numbers. */
bool ks_float_environment_is_sound(void);

/* All that inputs and reference depend on: not the kernel, TILE, policy, formats other than dtype,
 * nor the calibration, but for gemm_tile_k of gemm_ktile_scale. What does not matter is 0, so equal
 * keys are equal member by member. */
typedef struct ks_numbers_key {
    ks_task task;
    uint64_t params[KS_PARAM_COUNT];
    uint64_t gemm_tile_k;
} ks_numbers_key;

ks_numbers_key ks_numbers_key_of(ks_task task, const ks_point *point);
bool ks_numbers_key_equal(const ks_numbers_key *a, const ks_numbers_key *b);

/* About what making the numbers takes at its peak, inputs and solutions included; UINT64_MAX when
 * that is beyond any machine (then ks_numbers_new does not try). */
uint64_t ks_numbers_peak_bytes(const ks_numbers_key *key);

/* Inputs and solutions of one problem: threads may share it. */
typedef struct ks_numbers ks_numbers;

/* `isa` NULL: the best. KS_NO_MEMORY is the only failure; *out is NULL then. */
KS_CHECKED ks_status ks_numbers_new(const ks_numbers_key *key, const ks_isa *isa, ks_numbers **out);
void ks_numbers_free(ks_numbers *numbers); /* NULL is fine */
const ks_numbers_key *ks_numbers_key_get(const ks_numbers *numbers);
const ks_layout *ks_numbers_layout(const ks_numbers *numbers); /* = ks_task_layout */
uint64_t ks_numbers_bytes(const ks_numbers *numbers);          /* memory that it holds */

/* float64 solutions, row-major like OUT (all of them as long as OUT has elements): on the
 * rounded inputs, and on the unrounded ones. */
const double *ks_numbers_reference(const ks_numbers *numbers);
const double *ks_numbers_reference_full(const ks_numbers *numbers);
/* Attention only: max_abs_err of plain attention with these formats of S and P; its non-finite
 * elements are left out. Worked out when it is first asked for. KS_NO_MEMORY. */
KS_CHECKED ks_status ks_numbers_plain_max_abs_err(ks_numbers *numbers, ks_dtype score,
                                                  ks_dtype p_dtype, double *out);

/* Raw bytes (in dtype) of the input at layout->tensors[tensor]; NULL for OUT. */
const void *ks_numbers_input(const ks_numbers *numbers, uint32_t tensor);

/* The generator. Element `index` of tensor number `tensor` (its place in the layout) comes from
 * (seed, tensor, index) alone.
 *
 *   mix(z)    = splitmix64's finaliser: z ^= z >> 30; z *= 0xbf58476d1ce4e5b9; z ^= z >> 27;
 *               z *= 0x94d049bb133111eb; z ^= z >> 31
 *   key       = mix(mix(seed + g) + 4 tensor + stream + 1),  g = 0x9e3779b97f4a7c15
 *   bits(i)   = mix(mix(key + g i) ^ key)                64 bits; stream 0, 1, 2
 *   N(0,1)    = one half of Box-Muller, all in float, + - * sqrt only: elements lie in blocks of
 *               32, and pair p = 16 (index / 32) + index % 16 makes two of them, the first where
 *               index % 32 < 16. MODEL.md has the operations. Largest magnitude 6.67.
 *   normal    = N of stream 0
 *   outlier   = N of stream 0 + 10 x N of stream 2 if the upper 53 bits of stream 1, bits(index),
 *               are below 9007199254740 = floor(0.001 x 2^53)
 *   uniform   = upper 24 bits of stream 0, bits(index), x 2^-23 - 1        exact
 *   large     = 512 x N of stream 0 for Q, K, A, X; else as normal */
void ks_input_generate(const ks_numbers_key *key, const ks_isa *isa, uint32_t tensor,
                       uint64_t first, uint64_t count, float *values);

/* Simulated HBM (the layout's regions and nothing between them), TCM (tcm_peak_bytes) and the
 * buffers of every composite in flight, moved by op_log rows alone. A stage reads at its start
 * and writes at its end; memory that nobody wrote holds NaN. */
typedef struct ks_replay ks_replay;

/* Keeps `numbers` and `program`, which must outlive it. NULL if out of memory. */
ks_replay *ks_replay_new(const ks_numbers *numbers, const ks_program *program,
                         const ks_calibration *calibration);
void ks_replay_free(ks_replay *replay); /* NULL is fine */

/* Takes the next row; `replay` is a ks_replay (the shape of ks_op_sink.row). Rows of the cpu and
 * of commands that move no data are passed over. KS_FAILED: the row cannot be replayed (touches
 * TCM beyond the peak or HBM beyond the layout, writes an input, shapes do not fit, ...); the
 * replay is over, see ks_replay_fault. */
KS_CHECKED ks_status ks_replay_row(void *replay, const ks_op_row *row);

/* What made ks_replay_row or ks_replay_finish fail; "" when nothing did. */
const char *ks_replay_fault(const ks_replay *replay);

/* After the last row: ends what is in flight and reads the results: program->results in order
 * (m, l, O), then OUT, as little-endian bytes with canonical NaNs. */
KS_CHECKED ks_status ks_replay_finish(ks_replay *replay, ks_digest *out_xxh128);

/* OUT as float32, NaNs canonical. Valid from ks_replay_finish to ks_replay_free. */
const float *ks_replay_out(const ks_replay *replay);

/* Which values each stage finds, without the values: of two runs of one program, on equal numbers,
 * with equal traces, all results are equal bit by bit. Whatever could change a value changes the
 * trace: what is computed, and which write a read comes after; not the time itself. */
typedef struct ks_trace ks_trace;

/* Keeps `program`, which must outlive it. NULL if out of memory. */
ks_trace *ks_trace_new(const ks_layout *layout, const ks_program *program);
void ks_trace_free(ks_trace *trace); /* NULL is fine */
/* The next row, like ks_replay_row. KS_NO_MEMORY is the only failure. */
KS_CHECKED ks_status ks_trace_row(void *trace, const ks_op_row *row);
/* After the last row. `is_whole` false: some row cannot be replayed, and `flow` means nothing.
 * Immediates, formats and shapes of the program are not part of it. */
KS_CHECKED ks_status ks_trace_finish(ks_trace *trace, bool *is_whole, ks_digest *flow);

/* Non-finite elements are counted and left out of everything else; the figures are 0 when
 * nothing was compared. */
typedef struct ks_errors {
    double max_abs_err, max_rel_err, rmse;
    uint64_t max_ulp_err;
    double max_abs_err_full, rmse_full;
    uint64_t nonfinite;
    uint64_t compared; /* finite elements */
} ks_errors;

ks_errors ks_errors_of(const ks_numbers *numbers, const float *out);

typedef enum ks_tolerance_kind {
    KS_TOLERANCE_ABSOLUTE,
    KS_TOLERANCE_TWICE_PLAIN
} ks_tolerance_kind;

/* Of attention; a bench is judged by MODEL.md's rule on magnitudes whatever stands here. */
typedef struct ks_tolerance {
    ks_tolerance_kind kind;
    double limit;             /* of KS_TOLERANCE_ABSOLUTE: err <= limit + limit x |ref| */
    double plain_max_abs_err; /* of KS_TOLERANCE_TWICE_PLAIN: ks_numbers_plain_max_abs_err */
} ks_tolerance;

typedef enum ks_judgement_kind {
    KS_JUDGED_PASS,
    KS_JUDGED_NONFINITE, /* fail: `nonfinite count=N` */
    KS_JUDGED_TOLERANCE, /* fail: `tolerance err=E limit=L` */
    KS_JUDGED_NOTHING    /* doubt: the reference is all zero or nothing was compared */
} ks_judgement_kind;

typedef struct ks_judgement {
    ks_judgement_kind kind;
    uint64_t nonfinite;
    double err, limit; /* of the worst element: the largest err / limit, the first of equals */
    uint64_t element;  /* its index in OUT */
} ks_judgement;

ks_judgement ks_judge(const ks_numbers *numbers, const float *out, ks_tolerance tolerance);

#endif
