/* A prologue call becomes flat MATH ops: operands checked, scratch allocated, names resolved. */
#include <inttypes.h>
#include <string.h>

#include "base/near.h"
#include "host/tl.h"

enum { DIMENSIONS = 128 }; /* by letter */

typedef struct expansion {
    ks_tl *tl;
    const ks_recipe *recipe;
    const ks_call *call;
    uint64_t lengths[DIMENSIONS]; /* 0: not known yet; lengths['1'] = 1 */
    const ks_handle *operands[KS_MAX_OPERANDS];
    const ks_handle *scratch[KS_RECIPE_TENSORS];
} expansion;

static const ks_recipe *find_recipe(ks_tl *tl, const char *name) {
    const ks_recipe *recipe = ks_recipe_find(tl->recipes, tl->recipe_count, name);
    if (recipe) return recipe;
    const char *names[32];
    size_t count = 0;
    for (; count < tl->recipe_count && count < 32; count++) names[count] = tl->recipes[count].name;
    const char *near = ks_near(name, names, count);
    ks_tl_refuse(tl, "%s: unknown recipe%s%s%s", name, near ? " (did you mean '" : "",
                 near ? near : "", near ? "'?)" : "");
    return NULL;
}

/* Which entries of the recipe table this lowering knows how to do. */
static bool is_built(ks_tl *tl, const ks_recipe *recipe) {
    if (strcmp(recipe->alignment, "single_shot") != 0)
        ks_tl_refuse(tl, "%s: tile alignment '%s' is not built, only single_shot", recipe->name,
                     recipe->alignment);
    else if (strcmp(recipe->transform, "identity") != 0)
        ks_tl_refuse(tl, "%s: primary output transform '%s' is not built, only identity",
                     recipe->name, recipe->transform);
    return !ks_tl_has_failed(tl);
}

static bool bind_dimension(expansion *x, const char *operand, char letter, uint64_t length) {
    uint64_t *known = &x->lengths[(unsigned char)letter];
    if (*known == 0) *known = length;
    if (*known == length) return true;
    ks_tl_refuse(x->tl, "%s: operand '%s' has length %" PRIu64 " where %" PRIu64 " is expected",
                 x->recipe->name, operand, length, *known);
    return false;
}

static bool bind_operand(expansion *x, uint32_t i) {
    const ks_recipe_operand *wanted = &x->recipe->operands[i];
    const char *recipe = x->recipe->name;
    for (uint32_t k = 0; k < x->call->operand_count; k++) {
        if (strcmp(x->call->operands[k].name, wanted->name) != 0) continue;
        if (x->operands[i]) {
            ks_tl_refuse(x->tl, "%s: operand '%s' is given twice", recipe, wanted->name);
            return false;
        }
        x->operands[i] = x->call->operands[k].handle;
    }
    const ks_handle *handle = x->operands[i];
    if (!handle) {
        ks_tl_refuse(x->tl, "%s: operand '%s' is missing", recipe, wanted->name);
        return false;
    }
    if (handle->space != KS_TCM) {
        ks_tl_refuse(x->tl, "%s: operand '%s' is in hbm; a recipe operand must be in tcm (D6.7)",
                     recipe, wanted->name);
        return false;
    }
    return bind_dimension(x, wanted->name, wanted->shape[0], handle->rows) &&
           bind_dimension(x, wanted->name, wanted->shape[1], handle->cols);
}

static bool check_names(expansion *x) {
    const char *names[KS_MAX_OPERANDS];
    size_t count = 0;
    for (; x->recipe->operands[count].name; count++) names[count] = x->recipe->operands[count].name;
    for (uint32_t k = 0; k < x->call->operand_count; k++) {
        const char *given = x->call->operands[k].name;
        bool is_known = false;
        for (size_t i = 0; i < count; i++) is_known |= strcmp(given, names[i]) == 0;
        if (is_known) continue;
        const char *near = ks_near(given, names, count);
        ks_tl_refuse(x->tl, "%s: no operand is named '%s'%s%s%s", x->recipe->name, given,
                     near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
        return false;
    }
    return true;
}

/* What a recipe writes must not be another operand's bytes too. */
static bool check_access(expansion *x) {
    const ks_recipe_operand *operands = x->recipe->operands;
    for (uint32_t i = 0; operands[i].name; i++)
        for (uint32_t k = 0; operands[i].access == KS_RECIPE_RW && operands[k].name; k++) {
            const ks_range a = ks_handle_range(x->operands[i]), b = ks_handle_range(x->operands[k]);
            if (i == k || !ks_range_overlaps(&a, &b)) continue;
            ks_tl_refuse(x->tl, "%s: RW operand '%s' overlaps operand '%s'", x->recipe->name,
                         operands[i].name, operands[k].name);
            return false;
        }
    return true;
}

static const ks_handle *find_tensor(const expansion *x, const char *name) {
    for (uint32_t i = 0; x->recipe->operands[i].name; i++)
        if (strcmp(x->recipe->operands[i].name, name) == 0) return x->operands[i];
    for (uint32_t i = 0; x->recipe->scratch[i].name; i++)
        if (strcmp(x->recipe->scratch[i].name, name) == 0) return x->scratch[i];
    KS_BUG("recipe %s names '%s', which it does not have", x->recipe->name, name);
}

static void allocate_scratch(expansion *x) {
    for (uint32_t i = 0; x->recipe->scratch[i].name; i++) {
        const ks_recipe_scratch *s = &x->recipe->scratch[i];
        const bool is_primary = x->recipe->primary && strcmp(s->name, x->recipe->primary) == 0;
        ks_dtype dtype = s->like ? find_tensor(x, s->like)->dtype : x->tl->acc;
        if (is_primary && x->call->has_primary_dtype) dtype = x->call->primary_dtype;
        x->scratch[i] = ks_tl_alloc(x->tl, x->lengths[(unsigned char)s->shape[0]],
                                    x->lengths[(unsigned char)s->shape[1]], dtype);
    }
}

static void add_steps(expansion *x, ks_list *ops) {
    for (const ks_recipe_step *step = x->recipe->steps; step->out; step++) {
        ks_math math = {.kind = step->kind, .out = find_tensor(x, step->out)};
        for (int i = 0; i < 3 && step->operands[i]; i++)
            math.operands[i] = find_tensor(x, step->operands[i]);
        if (step->count) math.immediate = (float)x->lengths[(unsigned char)step->count];
        ks_op *op = ks_list_add(x->tl, ops, sizeof *op);
        if (!op || !ks_tl_math_op(x->tl, &math, step->operands, op)) return;
    }
}

static void add_rw_handles(expansion *x, ks_list *rw_handles) {
    for (uint32_t i = 0; x->recipe->operands[i].name; i++) {
        if (x->recipe->operands[i].access != KS_RECIPE_RW) continue;
        const ks_handle **slot = ks_list_add(x->tl, rw_handles, sizeof *slot);
        if (slot) *slot = x->operands[i];
    }
}

const ks_handle *ks_tl_expand(ks_tl *tl, const ks_call *call, ks_list *ops, ks_list *rw_handles) {
    expansion x = {.tl = tl, .call = call, .lengths = {['1'] = 1}};
    x.recipe = find_recipe(tl, call->op);
    if (!x.recipe || !is_built(tl, x.recipe) || !check_names(&x)) return NULL;
    for (uint32_t i = 0; x.recipe->operands[i].name; i++)
        if (!bind_operand(&x, i)) return NULL;
    if (!check_access(&x)) return NULL;
    allocate_scratch(&x);
    if (ks_tl_has_failed(tl)) return NULL;
    add_steps(&x, ops);
    add_rw_handles(&x, rw_handles);
    return x.recipe->primary ? find_tensor(&x, x.recipe->primary) : NULL;
}
