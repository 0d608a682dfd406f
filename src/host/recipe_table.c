#include <string.h>

#include "host/recipe.h"

const ks_recipe ks_recipes[] = {
    {
        /* ADR-0065 D5: one step of online softmax. s is G x w, O is G x d. */
        .name = "softmax_merge",
        .primary = "P",
        .transform = "identity",
        .alignment = "single_shot",
        .operands = {{"s", KS_RECIPE_R, "gw"},
                     {"m", KS_RECIPE_RW, "g1"},
                     {"l", KS_RECIPE_RW, "g1"},
                     {"O", KS_RECIPE_RW, "gd"}},
        .scratch = {{"m_loc", "g1", NULL},
                    {"m_new", "g1", NULL},
                    {"corr", "g1", NULL},
                    {"P", "gw", "s"},
                    {"l_loc", "g1", NULL}},
        .steps = {{KS_OP_rmax, {"s"}, "m_loc", 0},
                  {KS_OP_max_elem, {"m", "m_loc"}, "m_new", 0},
                  {KS_OP_exp_diff, {"m", "m_new"}, "corr", 0},
                  {KS_OP_exp_diff, {"s", "m_new"}, "P", 0},
                  {KS_OP_rsum, {"P"}, "l_loc", 0},
                  {KS_OP_fma, {"l", "corr", "l_loc"}, "l", 0},
                  {KS_OP_mul_bcast, {"O", "corr"}, "O", 0},
                  {KS_OP_copy, {"m_new"}, "m", 0}},
    },
    {
        /* y = x / sqrt(mean(x^2) + 1e-6) * w, row by row. */
        .name = "rmsnorm",
        .primary = "Y",
        .transform = "identity",
        .alignment = "single_shot",
        .operands = {{"x", KS_RECIPE_R, "mk"}, {"w", KS_RECIPE_R, "1k"}},
        .scratch = {{"ss", "m1", NULL}, {"r", "m1", NULL}, {"Y", "mk", "x"}},
        .steps = {{KS_OP_rsumsq, {"x"}, "ss", 0},
                  {KS_OP_rsqrt_mean, {"ss"}, "r", 'k'},
                  {KS_OP_mul_bcast, {"x", "r"}, "Y", 0},
                  {KS_OP_mul_elem, {"Y", "w"}, "Y", 0}},
    },
};

const size_t ks_recipe_count = sizeof ks_recipes / sizeof ks_recipes[0];

const ks_recipe *ks_recipe_find(const ks_recipe *recipes, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(recipes[i].name, name) == 0) return &recipes[i];
    return NULL;
}
