/* The names of the sweep language, and the values that each takes: the parameters of a point,
 * then the constants, both in KEY order, then `model`, which stands for G and d. */
#ifndef KS_SWEEP_NAME_H
#define KS_SWEEP_NAME_H

#include "base/exact.h"
#include "base/text.h"
#include "contract/point.h"
#include "host/host.h"

/* A ks_param, KS_NAME_CONSTANTS + a ks_constant, or KS_NAME_MODEL. */
typedef int ks_name;
enum {
    KS_NAME_NONE = -1,
    KS_NAME_CONSTANTS = KS_PARAM_COUNT,
    KS_NAME_COUNT = KS_NAME_CONSTANTS + KS_CONSTANT_COUNT, /* of those that a KEY holds */
    KS_NAME_MODEL = KS_NAME_COUNT,
    KS_NAME_ALL
};

typedef uint64_t ks_names; /* a set of names */
#define KS_NAME_BIT(name) (UINT64_C(1) << (name))
#define KS_NAMES_SHAPES                                                                         \
    (KS_NAME_BIT(KS_P_G) | KS_NAME_BIT(KS_P_TILE) | KS_NAME_BIT(KS_P_d) | KS_NAME_BIT(KS_P_S) | \
     KS_NAME_BIT(KS_P_M) | KS_NAME_BIT(KS_P_K) | KS_NAME_BIT(KS_P_N))

const char *ks_name_text(ks_name name);
ks_name ks_name_find(const char *text, size_t length); /* KS_NAME_NONE: no such name */
const char *ks_name_near(const char *text);            /* NULL: nothing is near */

/* Names that the kernel's points have: all but model and the shapes that it does not take. */
ks_names ks_kernel_names(const ks_kernel *kernel);

/* A value of a name: what ks_point holds (constants in ticks, names of things as their index). */
uint64_t ks_point_get(const ks_point *point, ks_name name);
void ks_point_set(ks_point *point, ks_name name, uint64_t value);
/* Lets score follow dtype and p_dtype follow score where `set` does not name them. */
void ks_point_follow(ks_point *point, ks_names set);

/* The words that a name takes ("f16"), in the order of their values. */
typedef struct ks_words {
    const char *texts[64];
    size_t count;
} ks_words;
bool ks_name_words(ks_name name, const ks_kernel_table *kernels,
                   ks_words *words); /* false: numbers */
bool ks_name_is_whole(ks_name name); /* its numbers are integers */

/* Reads one value, canonical or not (`64.0`, `064`). On KS_INPUT `error` holds
 * "found X for NAME, expected Y (did you mean Z?)", without a place. */
KS_CHECKED ks_status ks_value_parse(ks_name name, const ks_kernel_table *kernels, const char *text,
                                    size_t length, uint64_t *value, ks_error *error);
/* The same for a number alone, whatever its size: a step. */
KS_CHECKED ks_status ks_number_parse(ks_name name, const char *text, size_t length, uint64_t *value,
                                     ks_error *error);
/* NULL when the number is a value of the name, else what was expected. */
const char *ks_value_refusal(ks_name name, uint64_t value);
void ks_value_print(ks_text *out, ks_name name, const ks_kernel_table *kernels, uint64_t value);
/* The word of a name with words; NULL for numbers. */
const char *ks_value_word(ks_name name, const ks_kernel_table *kernels, uint64_t value);
ks_exact ks_value_number(ks_name name, uint64_t value);

#endif
