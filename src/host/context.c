#include <inttypes.h>
#include <string.h>

#include "host/tl.h"

enum { TCM_ALIGNMENT = 64 };

ks_tl *ks_tl_new(ks_arena *arena, uint64_t tcm_bytes, ks_dtype acc) {
    ks_tl *tl = ks_arena_take(arena, 1, sizeof *tl);
    if (!tl) return NULL;
    tl->arena = arena;
    tl->tcm_bytes = tcm_bytes;
    tl->acc = acc;
    tl->recipes = ks_recipes;
    tl->recipe_count = ks_recipe_count;
    tl->nowhere = (ks_handle){.pending = KS_NO_COMMAND, .rows = 1, .cols = 1, .pinned = true};
    tl->tile = KS_NO_TILE;
    return tl;
}

void ks_tl_use_recipes(ks_tl *tl, const ks_recipe *recipes, size_t count) {
    tl->recipes = recipes;
    tl->recipe_count = count;
}

bool ks_tl_has_failed(const ks_tl *tl) { return tl->verdict != KS_LOWERED; }

void ks_tl_refuse(ks_tl *tl, const char *format, ...) {
    if (ks_tl_has_failed(tl)) return;
    tl->verdict = KS_LOWERING_REFUSED;
    va_list args;
    va_start(args, format);
    ks_fail_v(&tl->error, KS_INPUT, format, args);
    va_end(args);
}

void *ks_tl_take(ks_tl *tl, size_t count, size_t item_bytes) {
    if (ks_tl_has_failed(tl)) return NULL;
    void *piece = ks_arena_take(tl->arena, count, item_bytes);
    if (!piece) tl->verdict = KS_LOWERING_NO_MEMORY;
    return piece;
}

void *ks_list_add(ks_tl *tl, ks_list *list, size_t item_bytes) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 8;
        void *items = ks_tl_take(tl, capacity, item_bytes);
        if (!items) return NULL;
        if (list->count) memcpy(items, list->items, list->count * item_bytes);
        list->items = items;
        list->capacity = capacity;
    }
    return memset((char *)list->items + item_bytes * list->count++, 0, item_bytes);
}

ks_handle *ks_tl_handle(ks_tl *tl, ks_space space, uint64_t addr, uint64_t rows, uint64_t cols,
                        ks_dtype dtype) {
    ks_handle *handle = ks_tl_take(tl, 1, sizeof *handle);
    if (!handle) return &tl->nowhere;
    *handle = (ks_handle){.id = tl->handle_count++,
                          .pending = KS_NO_COMMAND,
                          .addr = addr,
                          .rows = rows,
                          .cols = cols,
                          .space = space,
                          .dtype = dtype,
                          .pinned = space == KS_TCM};
    return handle;
}

const ks_handle *ks_tl_ref(ks_tl *tl, uint64_t addr, uint64_t rows, uint64_t cols, ks_dtype dtype) {
    return ks_tl_handle(tl, KS_HBM, addr, rows, cols, dtype);
}

const ks_handle *ks_tl_ref_tensor(ks_tl *tl, const ks_tensor *tensor) {
    return ks_tl_ref(tl, tensor->addr, tensor->rows, tensor->cols, tensor->dtype);
}

const ks_handle *ks_tl_ref_rows(ks_tl *tl, const ks_tensor *tensor, uint64_t first, uint64_t rows) {
    const uint64_t row_bytes = tensor->cols * ks_dtype_bytes(tensor->dtype);
    return ks_tl_ref(tl, tensor->addr + first * row_bytes, rows, tensor->cols, tensor->dtype);
}

const ks_handle *ks_tl_load_tensor(ks_tl *tl, const ks_tensor *tensor) {
    return ks_tl_load(tl, tensor->addr, tensor->rows, tensor->cols, tensor->dtype);
}

/* The sum cannot wrap: `top` is at most tcm_bytes, below 2^63 / 10^4, and shapes are at most 2^30. */
const ks_handle *ks_tl_alloc(ks_tl *tl, uint64_t rows, uint64_t cols, ks_dtype dtype) {
    if (ks_tl_has_failed(tl)) return &tl->nowhere;
    const uint64_t addr = (tl->top + TCM_ALIGNMENT - 1) / TCM_ALIGNMENT * TCM_ALIGNMENT;
    const uint64_t end = addr + rows * cols * ks_dtype_bytes(dtype);
    if (end > tl->tcm_bytes) {
        tl->verdict = KS_LOWERING_TCM_OVERFLOW;
        tl->overflow_end = end;
        return &tl->nowhere;
    }
    tl->top = end;
    if (end > tl->peak_bytes) tl->peak_bytes = end;
    return ks_tl_handle(tl, KS_TCM, addr, rows, cols, dtype);
}

const ks_handle *ks_tl_view(ks_tl *tl, const ks_handle *buffer, uint64_t rows, uint64_t cols) {
    if (rows * cols > ks_handle_elements(buffer))
        ks_tl_refuse(tl, "view: %" PRIu64 " x %" PRIu64 " is larger than its buffer", rows, cols);
    return ks_tl_handle(tl, buffer->space, buffer->addr, rows, cols, buffer->dtype);
}

void ks_tl_scope_begin(ks_tl *tl) {
    if (tl->scope_count == KS_TL_SCOPES) {
        ks_tl_refuse(tl, "scratch_scope: nested more than %d deep", KS_TL_SCOPES);
        return;
    }
    tl->scopes[tl->scope_count++] = tl->top;
}

void ks_tl_scope_end(ks_tl *tl) {
    if (tl->scope_count == 0) {
        ks_tl_refuse(tl, "scratch_scope: closed but not open");
        return;
    }
    tl->top = tl->scopes[--tl->scope_count];
}

/* ---- context tiles ---- */

/* Of a short lowering: what is before tile 1 and after tile 3 may be special (the first tile has no
 * work before it, the last may be narrow, and a pipeline issues one tile ahead). */
enum { REPEATED_TILE = 2, SHORT_TILES = 6 };

void ks_tl_tile_begin(ks_tl *tl, uint64_t index) {
    tl->tile = index;
    ks_tl_scope_begin(tl);
    if (!tl->repeat.count || index != REPEATED_TILE) return;
    tl->repeat.first_command = (uint32_t)tl->commands.count;
    tl->repeat.first_instruction = tl->instructions.count;
}

void ks_tl_tile_end(ks_tl *tl) {
    if (tl->repeat.count && tl->tile == REPEATED_TILE) {
        tl->repeat.command_count = (uint32_t)tl->commands.count - tl->repeat.first_command;
        tl->repeat.instruction_count = tl->instructions.count - tl->repeat.first_instruction;
    }
    ks_tl_scope_end(tl);
    tl->tile = KS_NO_TILE;
}

uint64_t ks_tl_tile_after(const ks_tl *tl, uint64_t index) {
    return index + 1 + (index == REPEATED_TILE ? tl->repeat.count : 0);
}

void ks_tl_set_tile_count(ks_tl *tl, uint64_t count) {
    tl->tile_count = count;
    tl->has_tile_count = true;
    if (tl->is_short && count > SHORT_TILES) tl->repeat.count = (count - SHORT_TILES) / 2 * 2;
}

void ks_tl_be_short(ks_tl *tl) { tl->is_short = true; }

void ks_tl_result(ks_tl *tl, const ks_handle *handle) {
    const ks_handle **slot = ks_list_add(tl, &tl->results, sizeof *slot);
    if (slot) *slot = handle;
}
