#include "sweep/key.h"

#include <string.h>

#include "base/digest.h"
#include "base/digits.h"
#include "sweep/quote.h"
#include "sweep/tree.h"

/* Names whose value is not the default, or that have none. */
static ks_names spoken_names(const ks_point *point) {
    const ks_point defaults = ks_point_default();
    ks_names params = KS_NAMES_SHAPES | KS_NAME_BIT(KS_P_kernel), constants = 0;
    for (int i = 0; i < KS_PARAM_COUNT; i++)
        params |= (ks_names)(point->params[i] != defaults.params[i]) << i;
    for (int i = 0; i < KS_CONSTANT_COUNT; i++)
        constants |= (ks_names)(point->calibration.values[i] != defaults.calibration.values[i])
                     << i;
    /* These two follow another parameter. */
    params &= ~(KS_NAME_BIT(KS_P_score) | KS_NAME_BIT(KS_P_p_dtype));
    if (ks_param_of(point, KS_P_score) !=
        (uint64_t)ks_dtype_wide((ks_dtype)ks_param_of(point, KS_P_dtype)))
        params |= KS_NAME_BIT(KS_P_score);
    if (ks_param_of(point, KS_P_p_dtype) != ks_param_of(point, KS_P_score))
        params |= KS_NAME_BIT(KS_P_p_dtype);
    return params | constants << KS_NAME_CONSTANTS;
}

static void print_names(ks_text *out, const ks_kernel_table *kernels, const ks_point *point,
                        ks_names names) {
    bool is_first = true;
    for (ks_names left = spoken_names(point) & names; left; left &= left - 1) {
        const ks_name name = __builtin_ctzll(left);
        if (!is_first) ks_text_add_char(out, ' ');
        is_first = false;
        ks_text_add_string(out, ks_name_text(name));
        ks_text_add_char(out, '=');
        ks_value_print(out, name, kernels, ks_point_get(point, name));
    }
}

void ks_key_print(ks_text *out, const ks_kernel_table *kernels, const ks_point *point) {
    print_names(out, kernels, point,
                ks_kernel_names(&kernels->kernels[ks_param_of(point, KS_P_kernel)]));
}

void ks_key_print_part(ks_text *out, const ks_kernel_table *kernels, const ks_point *point) {
    ks_names names = (KS_NAME_BIT(KS_NAME_COUNT) - 1) & ~KS_NAME_BIT(KS_P_kernel);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (KS_NAMES_SHAPES & KS_NAME_BIT(name) && ks_point_get(point, name) == 0)
            names &= ~KS_NAME_BIT(name);
    print_names(out, kernels, point, names);
}

void ks_key_id(char id[KS_KEY_ID], const char *key) {
    const ks_digest digest = ks_digest_of(key, strlen(key));
    *ks_put_hex(id, digest.bytes, (KS_KEY_ID - 1) / 2) = '\0';
}

typedef struct reader {
    const char *text, *file;
    const ks_kernel_table *kernels;
    ks_point *point;
    ks_names names;
    size_t columns[KS_NAME_ALL]; /* where each name stands */
} reader;

static ks_place place_at(const reader *r, size_t offset) {
    return (ks_place){r->file, 1, offset + 1};
}

static ks_status unknown_name(const ks_place *place, const char *text, size_t length,
                              ks_error *error) {
    char found[KS_QUOTE_MAX];
    ks_text word = {0};
    ks_text_add(&word, text, length);
    const char *near = ks_name_near(ks_text_string(&word));
    ks_place_fail(error, place, "found %s, expected a parameter or a constant%s%s%s",
                  ks_quote(found, text, length), near ? " (did you mean " : "", near ? near : "",
                  near ? "?)" : "");
    ks_text_free(&word);
    return KS_INPUT;
}

static ks_status read_token(reader *r, size_t offset, size_t length, ks_error *error) {
    const char *token = r->text + offset;
    const ks_place place = place_at(r, offset);
    char found[KS_QUOTE_MAX];
    const char *equals = memchr(token, '=', length);
    if (!equals)
        return ks_place_fail(error, &place, "found %s, expected NAME=VALUE",
                             ks_quote(found, token, length));
    const size_t name_length = (size_t)(equals - token);
    const ks_name name = ks_name_find(token, name_length);
    if (name == KS_NAME_NONE) return unknown_name(&place, token, name_length, error);
    if (name == KS_NAME_MODEL)
        return ks_place_fail(error, &place,
                             "found model, expected G and d: a model is not part of a KEY");
    if (r->names & KS_NAME_BIT(name))
        return ks_place_fail(error, &place,
                             "found %s a second time, expected each name once (first at %s:1:%zu)",
                             ks_name_text(name), r->file, r->columns[name]);
    const ks_place value_place = place_at(r, offset + name_length + 1);
    ks_error why;
    uint64_t value;
    const ks_status status =
        ks_value_parse(name, r->kernels, equals + 1, length - name_length - 1, &value, &why);
    if (status) return ks_place_fail(error, &value_place, "%s", why.text);
    ks_point_set(r->point, name, value);
    r->names |= KS_NAME_BIT(name);
    r->columns[name] = offset + 1;
    return KS_OK;
}

static ks_status read_tokens(reader *r, ks_error *error) {
    for (size_t i = 0; r->text[i];) {
        const size_t length = strcspn(r->text + i, " ");
        const ks_status status = length ? read_token(r, i, length, error) : KS_OK;
        if (status) return status;
        i += length ? length : 1;
    }
    ks_point_follow(r->point, r->names);
    return KS_OK;
}

static void list_shapes(ks_text *out, ks_names shapes) {
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (shapes & KS_NAME_BIT(name))
            ks_text_add_format(out, "%s%s", out->length ? ", " : "", ks_name_text(name));
}

/* A kernel's shapes: each of them, no other. */
static ks_status check_shapes(const reader *r, ks_error *error) {
    const ks_kernel *kernel = &r->kernels->kernels[ks_param_of(r->point, KS_P_kernel)];
    const ks_names wanted = ks_task_shapes(kernel->task), given = r->names & KS_NAMES_SHAPES;
    if (wanted == given) return KS_OK;
    ks_text list = {0};
    list_shapes(&list, wanted);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++) {
        const ks_names bit = KS_NAME_BIT(name);
        if (!((wanted ^ given) & bit)) continue;
        const ks_place place = place_at(r, given & bit ? r->columns[name] - 1 : strlen(r->text));
        ks_place_fail(error, &place, "found %s%s, expected the shapes of %s: %s",
                      given & bit ? "" : "no ", ks_name_text(name), kernel->name,
                      ks_text_string(&list));
        break;
    }
    ks_text_free(&list);
    return KS_INPUT;
}

static ks_status check_formats(const reader *r, ks_error *error) {
    const ks_kernel *kernel = &r->kernels->kernels[ks_param_of(r->point, KS_P_kernel)];
    const ks_dtype dtype = (ks_dtype)ks_param_of(r->point, KS_P_dtype);
    if (kernel->task == KS_TASK_ATTENTION || dtype == ks_dtype_wide(dtype)) return KS_OK;
    const ks_place place = place_at(r, r->columns[KS_P_dtype] - 1);
    return ks_place_fail(error, &place,
                         "found dtype %s with kernel %s, expected f32, f16 or bf16: 8-bit formats "
                         "are for Q, K and V",
                         ks_dtype_name(dtype), kernel->name);
}

ks_status ks_key_parse_part(const char *text, const char *file, const ks_kernel_table *kernels,
                            const ks_calibration *base, ks_point *point, ks_names *names,
                            ks_error *error) {
    reader r = {.text = text, .file = file, .kernels = kernels, .point = point};
    *point = ks_point_default();
    point->calibration = *base;
    const ks_status status = read_tokens(&r, error);
    *names = r.names;
    return status;
}

ks_status ks_key_parse(const char *text, const ks_kernel_table *kernels, ks_point *point,
                       ks_error *error) {
    reader r = {.text = text, .file = "KEY", .kernels = kernels, .point = point};
    *point = ks_point_default();
    const ks_status status = read_tokens(&r, error);
    if (status) return status;
    const ks_place end = place_at(&r, strlen(text));
    if (!(r.names & KS_NAME_BIT(KS_P_kernel)))
        return ks_place_fail(error, &end, "found no kernel, expected kernel=NAME");
    const ks_status shapes = check_shapes(&r, error);
    return shapes ? shapes : check_formats(&r, error);
}
