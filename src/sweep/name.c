#include "sweep/name.h"

#include <string.h>

#include "base/near.h"
#include "sweep/quote.h"

static ks_constant constant_of(ks_name name) { return (ks_constant)(name - KS_NAME_CONSTANTS); }
static bool is_constant(ks_name name) { return name >= KS_NAME_CONSTANTS && name < KS_NAME_COUNT; }

const char *ks_name_text(ks_name name) {
    if (name == KS_NAME_MODEL) return "model";
    return is_constant(name) ? ks_constant_describe(constant_of(name))->name
                             : ks_param_describe((ks_param)name)->name;
}

ks_name ks_name_find(const char *text, size_t length) {
    for (ks_name name = 0; name < KS_NAME_ALL; name++) {
        const char *known = ks_name_text(name);
        if (strncmp(known, text, length) == 0 && known[length] == '\0') return name;
    }
    return KS_NAME_NONE;
}

const char *ks_name_near(const char *text) {
    const char *names[KS_NAME_ALL];
    for (ks_name name = 0; name < KS_NAME_ALL; name++) names[name] = ks_name_text(name);
    const char *near = ks_near(text, names, KS_NAME_ALL);
    /* Any letter is one edit away from any other: only its other case is meant. */
    const bool is_other_case =
        near && strlen(near) == strlen(text) && (near[0] ^ text[0]) == ('a' ^ 'A');
    return strlen(text) > 1 || is_other_case ? near : NULL;
}

ks_names ks_kernel_names(const ks_kernel *kernel) {
    const ks_names all = KS_NAME_BIT(KS_NAME_COUNT) - 1;
    return (all & ~KS_NAMES_SHAPES) | ks_task_shapes(kernel->task);
}

uint64_t ks_point_get(const ks_point *point, ks_name name) {
    return is_constant(name) ? point->calibration.values[constant_of(name)] : point->params[name];
}

void ks_point_set(ks_point *point, ks_name name, uint64_t value) {
    if (is_constant(name))
        point->calibration.values[constant_of(name)] = value;
    else
        point->params[name] = value;
}

void ks_point_follow(ks_point *point, ks_names set) {
    const ks_dtype dtype = (ks_dtype)ks_param_of(point, KS_P_dtype);
    if (!(set & KS_NAME_BIT(KS_P_score))) point->params[KS_P_score] = ks_dtype_wide(dtype);
    if (!(set & KS_NAME_BIT(KS_P_p_dtype))) point->params[KS_P_p_dtype] = point->params[KS_P_score];
}

static const char *dtype_word(size_t i) { return ks_dtype_name((ks_dtype)i); }
static const char *policy_word(size_t i) { return ks_policy_name((ks_policy)i); }
static const char *dist_word(size_t i) { return ks_dist_name((ks_dist)i); }
static const char *rule_word(size_t i) { return ks_gemm_rule_name((ks_gemm_rule)i); }

/* How values of a class are spelt. No word function: a number from `least` to `most`. */
typedef struct spelling {
    const char *(*word)(size_t index);
    size_t word_count;
    const char *expected;
    uint64_t least, most;
} spelling;

static const spelling spellings[] = {
    [KS_PARAM_KERNEL] = {.expected = "a kernel"},
    [KS_PARAM_SHAPE] = {.expected = "an integer from 1 to 1073741824",
                        .least = 1,
                        .most = KS_SHAPE_MAX},
    [KS_PARAM_DTYPE] = {.word = dtype_word, .word_count = KS_DTYPE_COUNT},
    [KS_PARAM_WIDE_DTYPE] = {.word = dtype_word, .word_count = KS_WIDE_DTYPE_COUNT},
    [KS_PARAM_POLICY] = {.word = policy_word, .word_count = KS_POLICY_COUNT},
    [KS_PARAM_COUNT_1_2] = {.expected = "1 or 2", .least = 1, .most = 2},
    [KS_PARAM_FLAG] = {.expected = "0 or 1", .least = 0, .most = 1},
    [KS_PARAM_DIST] = {.word = dist_word, .word_count = KS_DIST_COUNT},
    [KS_PARAM_SEED] = {.expected = "an integer from 0 to 18446744073709551615", .most = UINT64_MAX},
};
static const spelling rule_spelling = {.word = rule_word, .word_count = KS_RULE_COUNT};
static const spelling decimal_spelling = {0};

static const spelling *spelling_of(ks_name name) {
    if (!is_constant(name)) return &spellings[ks_param_describe((ks_param)name)->value_class];
    const bool is_rule = ks_constant_describe(constant_of(name))->value_class == KS_GEMM_RULE_NAME;
    return is_rule ? &rule_spelling : &decimal_spelling;
}

bool ks_name_words(ks_name name, const ks_kernel_table *kernels, ks_words *words) {
    const spelling *spelt = spelling_of(name);
    words->count = name == KS_P_kernel ? kernels->count : spelt->word_count;
    if (words->count > sizeof words->texts / sizeof words->texts[0]) KS_BUG("too many kernels");
    for (size_t i = 0; i < words->count; i++)
        words->texts[i] = name == KS_P_kernel ? kernels->kernels[i].name : spelt->word(i);
    return name == KS_P_kernel || spelt->word_count > 0;
}

const char *ks_value_word(ks_name name, const ks_kernel_table *kernels, uint64_t value) {
    if (name == KS_P_kernel) return kernels->kernels[value].name;
    const spelling *spelt = spelling_of(name);
    return spelt->word ? spelt->word(value) : NULL;
}

bool ks_name_is_whole(ks_name name) {
    if (!is_constant(name)) return true;
    const ks_constant_class class = ks_constant_describe(constant_of(name))->value_class;
    return class == KS_WHOLE_FROM_0 || class == KS_WHOLE_FROM_1;
}

const char *ks_value_refusal(ks_name name, uint64_t value) {
    if (is_constant(name)) return ks_constant_refusal(constant_of(name), value);
    const spelling *spelt = spelling_of(name);
    return value >= spelt->least && value <= spelt->most ? NULL : spelt->expected;
}

static ks_status parse_word(ks_name name, const ks_words *words, const char *text, size_t length,
                            uint64_t *value, ks_error *error) {
    char found[KS_QUOTE_MAX], word[64];
    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->texts[i], text, length) == 0 && words->texts[i][length] == '\0') {
            *value = i;
            return KS_OK;
        }
    ks_text list = {0};
    for (size_t i = 0; i < words->count; i++)
        ks_text_add_format(&list, "%s%s",
                           i == 0                 ? ""
                           : i + 1 < words->count ? ", "
                                                  : " or ",
                           words->texts[i]);
    ks_text_add(&list, "", 0);
    const size_t kept = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, text, kept);
    word[kept] = '\0';
    const char *near = ks_near(word, words->texts, words->count);
    ks_fail(error, KS_INPUT, "found %s for %s, expected %s%s%s%s", ks_quote(found, text, length),
            ks_name_text(name), ks_text_string(&list), near ? " (did you mean " : "",
            near ? near : "", near ? "?)" : "");
    ks_text_free(&list);
    return KS_INPUT;
}

/* `64.0` is 64. */
static size_t without_zero_fraction(const char *text, size_t length) {
    size_t n = length;
    while (n > 0 && text[n - 1] == '0') n--;
    const size_t zeros = length - n;
    const bool is_fraction = zeros >= 1 && zeros <= 4 && n > 1 && text[n - 1] == '.';
    return is_fraction ? n - 1 : length;
}

ks_status ks_number_parse(ks_name name, const char *text, size_t length, uint64_t *value,
                          ks_error *error) {
    char found[KS_QUOTE_MAX];
    if (is_constant(name)) {
        const ks_decimal_fault fault = ks_decimal_parse(text, length, value);
        if (fault == KS_DECIMAL_OK) return KS_OK;
        const char *expected = ks_constant_refusal(constant_of(name), 0);
        return ks_fail(error, KS_INPUT, "found %s for %s, expected %s; it %s",
                       ks_quote(found, text, length), ks_name_text(name),
                       expected                 ? expected
                       : ks_name_is_whole(name) ? "a whole number from 0"
                                                : "a decimal from 0",
                       ks_decimal_fault_text(fault));
    }
    if (ks_u64_parse(text, without_zero_fraction(text, length), value)) return KS_OK;
    return ks_fail(error, KS_INPUT, "found %s for %s, expected %s", ks_quote(found, text, length),
                   ks_name_text(name), spelling_of(name)->expected);
}

ks_status ks_value_parse(ks_name name, const ks_kernel_table *kernels, const char *text,
                         size_t length, uint64_t *value, ks_error *error) {
    char found[KS_QUOTE_MAX];
    ks_words words;
    if (ks_name_words(name, kernels, &words))
        return parse_word(name, &words, text, length, value, error);
    uint64_t number;
    const ks_status status = ks_number_parse(name, text, length, &number, error);
    if (status) return status;
    const char *expected = ks_value_refusal(name, number);
    if (expected)
        return ks_fail(error, KS_INPUT, "found %s for %s, expected %s",
                       ks_quote(found, text, length), ks_name_text(name), expected);
    *value = number;
    return KS_OK;
}

void ks_value_print(ks_text *out, ks_name name, const ks_kernel_table *kernels, uint64_t value) {
    const char *word = ks_value_word(name, kernels, value);
    if (word)
        ks_text_add_string(out, word);
    else if (is_constant(name))
        ks_text_add_decimal(out, value);
    else
        ks_text_add_u64(out, value);
}

ks_exact ks_value_number(ks_name name, uint64_t value) {
    return is_constant(name) ? ks_exact_of_ticks(value) : ks_exact_of_u64(value);
}
