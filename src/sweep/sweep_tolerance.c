#include <string.h>

#include "sweep/quote.h"
#include "sweep/sweep_reader.h"

#define TWICE_PLAIN "twice_plain"

/* `digits`, `digits.digits`, either followed by `e`, an optional sign and one or two digits. */
static bool parse_limit(const char *text, size_t length, double *out) {
    const char *mark = memchr(text, 'e', length);
    const size_t head = mark ? (size_t)(mark - text) : length;
    const char *digits = mark ? mark + 1 : text + length;
    const bool is_negative = mark && *digits == '-';
    uint64_t exponent = 0;
    if (mark && (*digits == '-' || *digits == '+')) digits++;
    const size_t digit_count = (size_t)(text + length - digits);
    if (mark && (digit_count > 2 || !ks_u64_parse(digits, digit_count, &exponent))) return false;
    ks_exact value, ten = ks_exact_of_u64(10);
    if (!ks_exact_parse(text, head, &value)) return false;
    for (uint64_t i = 0; i < exponent; i++) {
        ks_exact next = is_negative ? ks_exact_div(&value, &ten) : ks_exact_mul(&value, &ten);
        ks_exact_free(&value);
        value = next;
    }
    *out = ks_exact_double(&value);
    ks_exact_free(&value);
    return true;
}

static ks_status read_limit(ks_sweep_reader *r, const ks_tree *node, ks_limit *out) {
    char found[KS_QUOTE_MAX];
    if (node->kind == KS_TREE_SCALAR && strcmp(node->text, TWICE_PLAIN) == 0) {
        *out = (ks_limit){.is_twice_plain = true};
        return KS_OK;
    }
    *out = (ks_limit){0};
    if (node->kind == KS_TREE_SCALAR && parse_limit(node->text, node->length, &out->limit))
        return KS_OK;
    return ks_place_fail(r->error, &node->place,
                         "found %s for the tolerance of %s, expected " TWICE_PLAIN
                         " or a limit like 1e-5",
                         ks_tree_found(found, node), node->key);
}

/* 8-bit inputs are judged as f16, which OUT then is, unless they have a line of their own. */
static void follow_f16(ks_limit *limits) {
    for (int i = KS_WIDE_DTYPE_COUNT; i < KS_DTYPE_COUNT; i++) limits[i] = limits[KS_F16];
}

static ks_status read_limits(ks_sweep_reader *r, const ks_tree *map) {
    const char *names[KS_DTYPE_COUNT];
    for (int i = 0; i < KS_DTYPE_COUNT; i++) names[i] = ks_dtype_name((ks_dtype)i);
    ks_status status = ks_tree_expect_keys(map, "tolerance", names, KS_DTYPE_COUNT, "", r->error);
    const ks_tree *f16 = ks_tree_find(map, names[KS_F16]);
    if (status == KS_OK && f16) status = read_limit(r, f16, &r->sweep->tolerance[KS_F16]);
    follow_f16(r->sweep->tolerance);
    for (const ks_tree *node = map->first; node && status == KS_OK; node = node->next)
        for (int i = 0; i < KS_DTYPE_COUNT && status == KS_OK; i++)
            if (strcmp(names[i], node->key) == 0)
                status = read_limit(r, node, &r->sweep->tolerance[i]);
    return status;
}

/* The column that gives a name its values; NULL: it has its default alone. */
static const ks_axis_column *column_of(const ks_sweep *sweep, ks_name name, uint32_t *count) {
    for (size_t i = 0; i < sweep->axis_count; i++)
        for (size_t k = 0; k < sweep->axes[i].column_count; k++) {
            *count = sweep->axes[i].count;
            if (sweep->axes[i].columns[k].name == name) return &sweep->axes[i].columns[k];
        }
    return NULL;
}

/* The first kernel of the sweep that is attention, or that is not; NULL: none. */
static const ks_kernel *find_kernel(const ks_sweep *sweep, bool is_attention) {
    uint32_t count = 0;
    const ks_axis_column *column = column_of(sweep, KS_P_kernel, &count);
    for (uint32_t i = 0; column && i < count; i++) {
        const ks_kernel *kernel = &sweep->kernels->kernels[column->values[i]];
        if ((kernel->task == KS_TASK_ATTENTION) == is_attention) return kernel;
    }
    return NULL;
}

/* A dtype of the sweep that is judged by plain attention; KS_DTYPE_COUNT: none. */
static ks_dtype twice_plain_dtype(const ks_sweep *sweep) {
    uint32_t count = 0;
    const ks_axis_column *column = column_of(sweep, KS_P_dtype, &count);
    const uint64_t alone[] = {ks_param_of(&sweep->base, KS_P_dtype)};
    const uint64_t *values = column ? column->values : alone;
    for (uint32_t i = 0; i < (column ? count : 1); i++)
        if (sweep->tolerance[values[i]].is_twice_plain) return (ks_dtype)values[i];
    return KS_DTYPE_COUNT;
}

/* Plain attention accumulates in f32: it is no measure of a kernel that does not. */
static ks_status check_twice_plain(ks_sweep_reader *r) {
    const ks_sweep *sweep = r->sweep;
    uint32_t count = 0;
    const ks_axis_column *acc = column_of(sweep, KS_P_acc, &count);
    const ks_dtype dtype = twice_plain_dtype(sweep);
    if (sweep->mode != KS_MODE_DATA || !acc || dtype == KS_DTYPE_COUNT || !find_kernel(sweep, true))
        return KS_OK;
    for (uint32_t i = 0; i < count; i++)
        if (acc->values[i] != KS_F32)
            return ks_place_fail(r->error, &acc->place,
                                 "found acc %s with tolerance " TWICE_PLAIN
                                 " of %s, expected an absolute limit: `tolerance: {%s: 1e-2}`",
                                 ks_dtype_name((ks_dtype)acc->values[i]), ks_dtype_name(dtype),
                                 ks_dtype_name(dtype));
    return KS_OK;
}

static ks_status check_formats(ks_sweep_reader *r) {
    uint32_t count = 0;
    const ks_axis_column *dtype = column_of(r->sweep, KS_P_dtype, &count);
    const ks_kernel *bench = find_kernel(r->sweep, false);
    for (uint32_t i = 0; dtype && bench && i < count; i++)
        if (dtype->values[i] >= KS_WIDE_DTYPE_COUNT)
            return ks_place_fail(r->error, &dtype->place,
                                 "found dtype %s with kernel %s, expected f32, f16 or bf16: "
                                 "8-bit formats are for Q, K and V",
                                 ks_dtype_name((ks_dtype)dtype->values[i]), bench->name);
    return KS_OK;
}

ks_status ks_sweep_read_tolerance(ks_sweep_reader *r, const ks_tree *root) {
    const ks_tree *map = ks_tree_find(root, "tolerance");
    for (int i = 0; i < KS_DTYPE_COUNT; i++) r->sweep->tolerance[i].is_twice_plain = i != KS_F32;
    r->sweep->tolerance[KS_F32].limit = 1e-5;
    const ks_status status = map ? read_limits(r, map) : KS_OK;
    if (status) return status;
    const ks_status formats = check_formats(r);
    return formats ? formats : check_twice_plain(r);
}
