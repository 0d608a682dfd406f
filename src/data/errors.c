#include "data/numbers.h"
#include "data/numeric.h"

static double absolute(double x) { return x < 0 ? -x : x; }

static double power_of_two(int exponent) {
    return ks_double_of_bits((uint64_t)(1023 + exponent) << 52);
}

/* Sign and magnitude as one line of integers; -0 and +0 are one place. */
static int64_t place(ks_dtype dtype, float x) {
    uint32_t bits = ks_bits32(x), sign = bits >> 31;
    bits &= 0x7fffffff;
    if (dtype == KS_F16) bits = ks_f16_of_float(ks_float_of_bits(bits));
    if (dtype == KS_BF16) bits >>= 16;
    return sign ? -(int64_t)bits : (int64_t)bits;
}

static uint64_t ulp_distance(ks_dtype dtype, float x, double reference) {
    const int64_t distance = place(dtype, x) - place(dtype, ks_round_double_to(dtype, reference));
    return (uint64_t)(distance < 0 ? -distance : distance);
}

typedef struct sums {
    double squares, squares_full;
} sums;

static void compare(const ks_numbers *numbers, uint64_t i, float value, ks_errors *errors,
                    sums *s) {
    const ks_dtype dtype = numbers->layout.tensors[numbers->out].dtype;
    const double reference = numbers->reference[i];
    const double err = absolute((double)value - reference);
    const double err_full = absolute((double)value - numbers->reference_full[i]);
    const double least = power_of_two(ks_dtype_normal_exponent(dtype));
    const double size = absolute(reference);
    const double rel = err / (size > least ? size : least);
    const uint64_t ulps = ulp_distance(dtype, value, reference);
    if (err > errors->max_abs_err) errors->max_abs_err = err;
    if (rel > errors->max_rel_err) errors->max_rel_err = rel;
    if (ulps > errors->max_ulp_err) errors->max_ulp_err = ulps;
    if (err_full > errors->max_abs_err_full) errors->max_abs_err_full = err_full;
    s->squares += err * err;
    s->squares_full += err_full * err_full;
    errors->compared++;
}

/* A reference can be non-finite only when its inputs are absurd; then there is nothing to say. */
static bool is_comparable(const ks_numbers *numbers, uint64_t i, float value) {
    return ks_is_finite((double)value) && ks_is_finite(numbers->reference[i]) &&
           ks_is_finite(numbers->reference_full[i]);
}

ks_errors ks_errors_of(const ks_numbers *numbers, const float *out) {
    ks_errors errors = {0};
    sums s = {0};
    for (uint64_t i = 0; i < numbers->out_count; i++) {
        if (is_comparable(numbers, i, out[i]))
            compare(numbers, i, out[i], &errors, &s);
        else
            errors.nonfinite++;
    }
    if (!errors.compared) return errors;
    errors.rmse = __builtin_sqrt(s.squares / (double)errors.compared);
    errors.rmse_full = __builtin_sqrt(s.squares_full / (double)errors.compared);
    return errors;
}

/* The limit of element i is base + per_unit x sizes[i]. */
typedef struct rule {
    double base, per_unit;
    const double *sizes;
} rule;

static double largest(const double *values, uint64_t count) {
    double most = 0;
    for (uint64_t i = 0; i < count; i++)
        if (absolute(values[i]) > most) most = absolute(values[i]);
    return most;
}

/* MODEL.md adds 2^-24 for f16, its smallest subnormal; the same for the others, without which a
 * softmax of `large` scores, right to the last bit, is red where its exponentials underflow. */
static double smallest_subnormal(ks_dtype dtype) {
    static const double table[KS_DTYPE_COUNT] = {
        [KS_F32] = 0x1p-149, [KS_F16] = 0x1p-24, [KS_BF16] = 0x1p-133};
    return table[dtype];
}

static rule rule_of_bench(const ks_numbers *numbers) {
    const ks_dtype dtype = numbers->layout.tensors[numbers->out].dtype;
    const uint64_t terms = numbers->key.params[KS_P_K] + numbers->key.params[KS_P_N];
    const double u = power_of_two(ks_dtype_unit_exponent(dtype));
    return (rule){.base = smallest_subnormal(dtype),
                  .per_unit = 4 * u + (double)terms * 0x1p-24,
                  .sizes = numbers->magnitude};
}

static rule rule_of(const ks_numbers *numbers, ks_tolerance tolerance) {
    if (numbers->key.task != KS_TASK_ATTENTION) return rule_of_bench(numbers);
    if (tolerance.kind == KS_TOLERANCE_ABSOLUTE)
        return (rule){tolerance.limit, tolerance.limit, numbers->reference};
    const ks_dtype dtype = numbers->layout.tensors[numbers->out].dtype;
    const double u = power_of_two(ks_dtype_unit_exponent(dtype));
    const double most = largest(numbers->reference, numbers->out_count);
    return (rule){2 * tolerance.plain_max_abs_err + u * most, 0, numbers->reference};
}

/* err / limit, with 0 / 0 as 0, and above 1 exactly where err is above limit. */
static double badness(double err, double limit) {
    if (err == 0) return 0;
    const double quotient = err / limit;
    if (err <= limit) return quotient;
    return quotient > 1 ? quotient : 1 + 0x1p-52;
}

ks_judgement ks_judge(const ks_numbers *numbers, const float *out, ks_tolerance tolerance) {
    const rule r = rule_of(numbers, tolerance);
    ks_judgement verdict = {.kind = KS_JUDGED_PASS};
    double worst = -1;
    for (uint64_t i = 0; i < numbers->out_count; i++) {
        if (!is_comparable(numbers, i, out[i])) {
            verdict.nonfinite++;
            continue;
        }
        const double err = absolute((double)out[i] - numbers->reference[i]);
        const double limit = r.base + r.per_unit * absolute(r.sizes[i]);
        if (badness(err, limit) <= worst) continue;
        worst = badness(err, limit);
        verdict.err = err;
        verdict.limit = limit;
        verdict.element = i;
    }
    const bool is_nothing = worst < 0 || largest(numbers->reference, numbers->out_count) == 0;
    verdict.kind = verdict.nonfinite ? KS_JUDGED_NONFINITE
                   : worst > 1       ? KS_JUDGED_TOLERANCE
                   : is_nothing      ? KS_JUDGED_NOTHING
                                     : KS_JUDGED_PASS;
    return verdict;
}
