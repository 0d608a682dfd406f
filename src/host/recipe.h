/* Recipes: fixed chains of MATH ops that a prologue names. Data only; the device never sees them.
 * A new recipe is an entry of the table in recipe_table.c. */
#ifndef KS_HOST_RECIPE_H
#define KS_HOST_RECIPE_H

#include <stddef.h>

#include "contract/op.h"

enum { KS_RECIPE_TENSORS = 8, KS_RECIPE_STEPS = 12 };

typedef enum ks_recipe_access { KS_RECIPE_R, KS_RECIPE_RW } ks_recipe_access;

/* Shapes are two letters, rows and cols: '1' is one, any other letter is a dimension that must
 * have the same value wherever it stands. */
typedef struct ks_recipe_operand {
    const char *name;
    ks_recipe_access access;
    const char *shape;
} ks_recipe_operand;

/* Scratch in order of allocation. Format: that of the operand `like`, or the point's acc. */
typedef struct ks_recipe_scratch {
    const char *name;
    const char *shape;
    const char *like; /* NULL: acc */
} ks_recipe_scratch;

typedef struct ks_recipe_step {
    ks_op_kind kind;
    const char *operands[3]; /* names of operands or scratch */
    const char *out;
    char count; /* dimension whose length is the op's immediate, or 0 */
} ks_recipe_step;

struct ks_recipe {
    const char *name;
    const char *primary;   /* scratch that a head without `a` binds, or NULL */
    const char *transform; /* of the primary output's shape: only "identity" is built */
    const char *alignment; /* only "single_shot" is built */
    ks_recipe_operand operands[KS_MAX_OPERANDS + 1]; /* ended by a NULL name */
    ks_recipe_scratch scratch[KS_RECIPE_TENSORS + 1];
    ks_recipe_step steps[KS_RECIPE_STEPS + 1]; /* ended by a NULL out */
};

typedef struct ks_recipe ks_recipe;

extern const ks_recipe ks_recipes[];
extern const size_t ks_recipe_count;

const ks_recipe *ks_recipe_find(const ks_recipe *recipes, size_t count, const char *name);

#endif
