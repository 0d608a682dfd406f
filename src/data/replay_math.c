#include "data/replay_math.h"

static const uint8_t operand_counts[KS_OP_COUNT] = {
    [KS_OP_scale] = 1,     [KS_OP_relu] = 1,   [KS_OP_add] = 2,        [KS_OP_cast] = 1,
    [KS_OP_copy] = 1,      [KS_OP_rmax] = 1,   [KS_OP_max_elem] = 2,   [KS_OP_exp_diff] = 2,
    [KS_OP_rsum] = 1,      [KS_OP_fma] = 3,    [KS_OP_mul_bcast] = 2,  [KS_OP_mul_elem] = 2,
    [KS_OP_div_bcast] = 2, [KS_OP_rsumsq] = 1, [KS_OP_rsqrt_mean] = 1, [KS_OP_rmsnorm] = 1,
};

static bool fits(const ks_tile *tile, const ks_tile *out, bool is_reduction) {
    if (is_reduction) return tile->rows == out->rows && out->cols == 1 && tile->cols > 0;
    return (tile->rows == out->rows || tile->rows == 1) &&
           (tile->cols == out->cols || tile->cols == 1);
}

static ks_status check(const ks_isa *isa, const ks_op *op, const ks_tile *reads, uint32_t count,
                       const ks_tile *out, ks_error *error) {
    const bool is_reduction = isa->math->reductions[op->kind];
    const uint32_t wanted = operand_counts[op->kind];
    if (!is_reduction && !isa->math->row_ops[op->kind])
        return ks_fail(error, KS_FAILED, "%s is no MATH op", ks_op_name(op->kind));
    if (count != wanted)
        return ks_fail(error, KS_FAILED, "%s reads %u operands, not %u", ks_op_name(op->kind),
                       wanted, count);
    for (uint32_t i = 0; i < count; i++)
        if (!fits(&reads[i], out, is_reduction))
            return ks_fail(error, KS_FAILED, "shape of %s's operand %u", ks_op_name(op->kind), i);
    return KS_OK;
}

/* Row `row` of the operand; where its only column repeats, a full row of it in `spare`. */
static const float *operand_row(const ks_tile *tile, uint64_t row, uint64_t cols, float *spare) {
    const float *values = &tile->values[tile->rows == 1 ? 0 : row * tile->cols];
    if (tile->cols >= cols) return values;
    for (uint64_t j = 0; j < cols; j++) spare[j] = values[0];
    return spare;
}

/* Nothing repeats and nothing is summed along a row: all rows are as one. */
static bool is_flat(const ks_op *op, const ks_tile *reads, uint32_t count, const ks_tile *out) {
    if (op->kind == KS_OP_rmsnorm) return false;
    for (uint32_t i = 0; i < count; i++)
        if (reads[i].rows != out->rows || reads[i].cols != out->cols) return false;
    return true;
}

static void run_rows(ks_row_op *run, const ks_op *op, const ks_tile *reads, uint32_t count,
                     ks_tile *out, float *spare) {
    const float *in[KS_MAX_READS] = {NULL};
    const bool flat = is_flat(op, reads, count, out);
    const uint64_t rows = flat ? 1 : out->rows, cols = flat ? out->rows * out->cols : out->cols;
    for (uint64_t i = 0; i < rows; i++) {
        for (uint32_t o = 0; o < count; o++)
            in[o] = flat ? reads[o].values : operand_row(&reads[o], i, cols, &spare[o * cols]);
        run(&out->values[i * cols], in, cols, op->immediate);
    }
}

ks_status ks_math_run(const ks_isa *isa, const ks_op *op, const ks_tile *reads, uint32_t count,
                      ks_tile *out, float *spare, ks_error *error) {
    const ks_status status = check(isa, op, reads, count, out, error);
    if (status) return status;
    ks_reduction *reduce = isa->math->reductions[op->kind];
    if (reduce)
        reduce(out->values, reads[0].values, out->rows, reads[0].cols);
    else
        run_rows(isa->math->row_ops[op->kind], op, reads, count, out, spare);
    return KS_OK;
}
