/* The host side (compiler analog): a kernel's calls become a program of flat commands.
 *
 * A ks_tl is the TLContext of one point. Its first failure sticks: every later call does nothing
 * and returns a handle that must not be looked at, so a kernel reads as its call sequence and the
 * caller asks once, with ks_tl_finish. All memory is the arena's. */
#ifndef KS_HOST_HOST_H
#define KS_HOST_HOST_H

#include "base/arena.h"
#include "contract/command.h"
#include "contract/task.h"

typedef struct ks_tl ks_tl;
typedef struct ks_recipe ks_recipe;

/* A kernel: its host calls for one point. One per file in kernels/. */
typedef struct ks_kernel {
    const char *name;
    ks_task task; /* what it computes; fixes its shapes and its HBM layout */
    void (*lower)(ks_tl *tl, const ks_point *point, const ks_layout *layout);
    uint64_t least_s_buffers; /* buffers of S that it needs; 0 or 1: any number will do */
} ks_kernel;

typedef struct ks_kernel_table {
    const ks_kernel *kernels;
    size_t count;
} ks_kernel_table;

/* Index in the table, or -1. */
int ks_kernel_find(const ks_kernel_table *table, const char *name);

/* ---- tensors ---- */

/* A tensor in HBM. Emits nothing. */
const ks_handle *ks_tl_ref(ks_tl *tl, uint64_t addr, uint64_t rows, uint64_t cols, ks_dtype dtype);
/* DMA read into TCM; the handle is pending on it. */
const ks_handle *ks_tl_load(ks_tl *tl, uint64_t addr, uint64_t rows, uint64_t cols, ks_dtype dtype);
/* DMA write of a TCM tensor to HBM. */
void ks_tl_store(ks_tl *tl, const ks_handle *handle, uint64_t addr);
/* TCM, 64-byte aligned; scratch of the innermost open scope, else persistent for the kernel. */
const ks_handle *ks_tl_alloc(ks_tl *tl, uint64_t rows, uint64_t cols, ks_dtype dtype);
/* rows x cols at the base of `buffer`, which must be large enough; row stride = cols. */
const ks_handle *ks_tl_view(ks_tl *tl, const ks_handle *buffer, uint64_t rows, uint64_t cols);
/* Short forms over an HBM tensor of the layout: rows [first, first + rows) of it. */
const ks_handle *ks_tl_ref_tensor(ks_tl *tl, const ks_tensor *tensor);
const ks_handle *ks_tl_ref_rows(ks_tl *tl, const ks_tensor *tensor, uint64_t first, uint64_t rows);
const ks_handle *ks_tl_load_tensor(ks_tl *tl, const ks_tensor *tensor);

/* scratch_scope: what is allocated inside is gone at its end. Nestable. */
void ks_tl_scope_begin(ks_tl *tl);
void ks_tl_scope_end(ks_tl *tl);

/* Commands issued in between belong to context tile `index`. Opens and closes a scratch scope.
 *
 *     for (j = 0; j < tile_count; j = ks_tl_tile_after(tl, j)) {
 *         ks_tl_tile_begin(tl, j);
 *         ...
 *         ks_tl_tile_end(tl);
 *     }
 *
 * A short lowering leaves an even number of tiles out of the middle. So what is issued for tile j
 * may depend on j by the tile's width, its addresses in HBM and j mod 2, and by nothing else. */
void ks_tl_tile_begin(ks_tl *tl, uint64_t index);
void ks_tl_tile_end(ks_tl *tl);
uint64_t ks_tl_tile_after(const ks_tl *tl, uint64_t index);

/* ---- primitives: one op, one stage ---- */

/* out = a b: TCM scratch, m x n in a's dtype. */
const ks_handle *ks_tl_dot(ks_tl *tl, const ks_handle *a, const ks_handle *b);
void ks_tl_fill(ks_tl *tl, const ks_handle *out, float value);

/* A MATH op with explicit operands; NULL where it takes fewer. The first has the shape of `out`
 * (of a reduction: `out` is one column); further ones may have one row or one column. */
typedef struct ks_math {
    ks_op_kind kind;
    const ks_handle *out;
    const ks_handle *operands[3];
    float immediate;
} ks_math;

void ks_tl_math(ks_tl *tl, const ks_math *math);

/* ---- composites ---- */

/* An op or recipe by name with named operands, as kernels write it. */
typedef struct ks_call {
    const char *op;
    ks_scope scope; /* epilogue only */
    uint32_t operand_count;
    ks_operand operands[KS_MAX_OPERANDS];
    float immediate;        /* scale */
    bool has_primary_dtype; /* recipe: the primary output's dtype is given, */
    ks_dtype primary_dtype; /* not taken from the operand that the recipe names */
} ks_call;

typedef struct ks_composite {
    const ks_call *prologue; /* recipes */
    size_t prologue_count;
    const char *op;         /* "gemm", "math" (the ops in `math`), or NULL: prologue alone */
    const ks_handle *a, *b; /* gemm; a NULL: the recipe's primary output */
    bool is_b_transposed;   /* b is stored n x k */
    const ks_math *math;
    size_t math_count;
    const ks_handle *out;     /* NULL: out_addr, else TCM scratch in a's dtype */
    const uint64_t *out_addr; /* HBM address: short for out = ref on the output's shape */
    const ks_call *epilogue;
    size_t epilogue_count;
} ks_composite;

/* Returns the output handle, pending. A MATH-only composite's is its last op's out, or the primary
 * output where it is a prologue alone. */
const ks_handle *ks_tl_composite(ks_tl *tl, const ks_composite *composite);
/* The legacy form composite(op = gemm, a, b, epilogue = [...]): lowers to the same flat ops. */
const ks_handle *ks_tl_composite_legacy(ks_tl *tl, const ks_handle *a, const ks_handle *b,
                                        const ks_handle *out, const ks_call *epilogue,
                                        size_t epilogue_count);

/* WAIT for the command that produces `handle`; nothing where none is pending. */
void ks_tl_wait(ks_tl *tl, const ks_handle *handle);
/* WAIT after every command from here on (the blocking baseline). */
void ks_tl_block_always(ks_tl *tl);

/* The final value of this TCM tensor is part of the point's result, in the order of calls. */
void ks_tl_result(ks_tl *tl, const ks_handle *handle);

bool ks_tl_has_failed(const ks_tl *tl);

/* ---- the caller's side ---- */

typedef enum ks_lowering_verdict {
    KS_LOWERED,
    KS_LOWERING_TCM_OVERFLOW, /* the first allocation that did not fit ended at `end` */
    KS_LOWERING_REFUSED,      /* a validation error: the kernel is wrong; `error` says why */
    KS_LOWERING_NO_MEMORY
} ks_lowering_verdict;

typedef struct ks_lowering {
    ks_lowering_verdict verdict;
    uint64_t end, tcm_bytes;
    ks_error error;
    ks_program program;
} ks_lowering;

/* NULL if out of memory. `acc` is the format of a recipe's accumulators. */
ks_tl *ks_tl_new(ks_arena *arena, uint64_t tcm_bytes, ks_dtype acc);
/* Recipes other than the product's, for tests. */
void ks_tl_use_recipes(ks_tl *tl, const ks_recipe *recipes, size_t count);
/* A decode's number of context tiles, each with commands of its own; unset: a bench. */
void ks_tl_set_tile_count(ks_tl *tl, uint64_t count);
/* Before the tile count is set: a decode's program leaves out tiles and has a repeat count. */
void ks_tl_be_short(ks_tl *tl);
/* Adds the final WAITs and gives the program, or what went wrong. */
void ks_tl_finish(ks_tl *tl, ks_lowering *lowering);

/* All of the above for one kernel and point. */
void ks_lower(const ks_kernel *kernel, const ks_point *point, ks_arena *arena,
              ks_lowering *lowering);
/* The same with a repeat count where there are more than a few tiles: costs the same for any
 * number of them. Everything but `program` is as ks_lower has it. */
void ks_lower_short(const ks_kernel *kernel, const ks_point *point, ks_arena *arena,
                    ks_lowering *lowering);

#endif
