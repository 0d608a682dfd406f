#include "data/replay_memory.h"

#include <stdlib.h>
#include <string.h>

#include "data/numbers.h"
#include "data/replay_buffers.h"

enum { ALIGNMENT = 64, POISON = 0xff, REGIONS = KS_MAX_TENSORS + 1 };

/* A stretch of HBM or TCM. Inputs are the shared ones and are never written. */
typedef struct region {
    const char *name;
    ks_space space;
    uint64_t addr, bytes;
    const unsigned char *data;
    unsigned char *writable; /* NULL: an input */
} region;

struct ks_memory {
    region regions[REGIONS];
    uint32_t region_count;
    ks_buffers *buffers;
    ks_bytes unwritten; /* poison, for reads of buffers that nobody wrote */
    uint64_t tile_m, tile_n;
};

bool ks_bytes_resize(ks_bytes *bytes, uint64_t length) {
    if (length > bytes->capacity) {
        if (length > SIZE_MAX / 4) return false;
        const uint64_t wanted = (length + length / 2 + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
        unsigned char *data = aligned_alloc(ALIGNMENT, wanted);
        if (!data) return false;
        free(bytes->data);
        bytes->data = data;
        bytes->capacity = wanted;
    }
    bytes->length = length;
    bytes->borrowed = NULL;
    return true;
}

void ks_bytes_free(ks_bytes *bytes) {
    free(bytes->data);
    *bytes = (ks_bytes){0};
}

uint64_t ks_opb_offset_of_b(uint64_t a_bytes) {
    return (a_bytes + KS_OPB_SLACK - 1) / KS_OPB_SLACK * KS_OPB_SLACK;
}

static bool add_owned(ks_memory *memory, const char *name, ks_space space, uint64_t addr,
                      uint64_t bytes) {
    ks_bytes made = {0};
    if (!ks_bytes_resize(&made, bytes ? bytes : 1)) return false;
    memset(made.data, POISON, made.capacity);
    memory->regions[memory->region_count++] =
        (region){name, space, addr, bytes, made.data, made.data};
    return true;
}

static bool add_regions(ks_memory *memory, const ks_numbers *numbers, uint64_t tcm_bytes) {
    for (uint32_t t = 0; t < numbers->layout.count; t++) {
        const ks_tensor *tensor = &numbers->layout.tensors[t];
        const uint64_t bytes = tensor->rows * tensor->cols * ks_dtype_bytes(tensor->dtype);
        if (!tensor->is_output)
            memory->regions[memory->region_count++] =
                (region){tensor->name, KS_HBM, tensor->addr, bytes, numbers->inputs[t], NULL};
        else if (!add_owned(memory, tensor->name, KS_HBM, tensor->addr, bytes))
            return false;
    }
    return add_owned(memory, "tcm", KS_TCM, 0, tcm_bytes);
}

ks_memory *ks_memory_new(const ks_numbers *numbers, uint64_t tcm_bytes,
                         const ks_calibration *calibration) {
    ks_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    memory->tile_m = ks_whole_of(calibration, KS_C_gemm_tile_m);
    memory->tile_n = ks_whole_of(calibration, KS_C_gemm_tile_n);
    memory->buffers = ks_buffers_new();
    if (memory->buffers && add_regions(memory, numbers, tcm_bytes)) return memory;
    ks_memory_free(memory);
    return NULL;
}

void ks_memory_free(ks_memory *memory) {
    if (!memory) return;
    for (uint32_t i = 0; i < memory->region_count; i++) free(memory->regions[i].writable);
    ks_buffers_free(memory->buffers);
    ks_bytes_free(&memory->unwritten);
    free(memory);
}

void ks_memory_release(ks_memory *memory, const ks_command *command) {
    ks_buffers_release(memory->buffers, command);
}

/* A rectangle without handle is f32: acc. */
uint64_t ks_access_item_bytes(const ks_access *access) {
    return access->handle ? ks_dtype_bytes(access->handle->dtype) : sizeof(float);
}

static bool is_buffer(ks_space space) { return space != KS_HBM && space != KS_TCM; }

/* Bytes from the rectangle's first element to behind its last. */
static uint64_t span(const ks_access *access, uint64_t stride_bytes) {
    if (!access->rows || !access->cols) return 0;
    return (access->rows - 1) * stride_bytes + access->cols * ks_access_item_bytes(access);
}

static ks_status find_region(const ks_memory *memory, const ks_access *access, const region **found,
                             ks_error *error) {
    const ks_range *range = &access->range;
    if (!access->handle) return ks_fail(error, KS_FAILED, "a rectangle of memory has no handle");
    const uint64_t item_bytes = ks_access_item_bytes(access);
    const uint64_t stride_bytes = access->handle->cols * item_bytes;
    const uint64_t bytes = span(access, stride_bytes);
    if (range->bytes != access->rows * access->cols * item_bytes || range->addr % item_bytes)
        return ks_fail(error, KS_FAILED, "%s:0x%llx+%llu is not a rectangle of %s elements",
                       ks_space_name(range->space), (unsigned long long)range->addr,
                       (unsigned long long)range->bytes, ks_dtype_name(access->handle->dtype));
    for (uint32_t i = 0; i < memory->region_count; i++) {
        const region *r = &memory->regions[i];
        *found = r;
        if (r->space == range->space && range->addr >= r->addr && bytes <= r->bytes &&
            range->addr - r->addr <= r->bytes - bytes)
            return KS_OK;
    }
    return ks_fail(error, KS_FAILED, "%s:0x%llx+%llu lies outside %s", ks_space_name(range->space),
                   (unsigned long long)range->addr, (unsigned long long)bytes,
                   range->space == KS_TCM ? "the allocated TCM" : "the tensors of the layout");
}

static ks_status read_buffer(ks_memory *memory, const ks_toucher *who, const ks_access *access,
                             ks_view *view, ks_error *error) {
    const ks_range *range = &access->range;
    ks_bytes *buffer = ks_buffers_find(memory->buffers, who->command, range->space, range->addr);
    if (!buffer)
        return ks_fail(error, KS_FAILED, "no buffer %s:0x%llx", ks_space_name(range->space),
                       (unsigned long long)range->addr);
    const uint64_t row_bytes = access->cols * ks_access_item_bytes(access);
    if (range->space != KS_OPB && range->bytes != access->rows * row_bytes)
        return ks_fail(error, KS_FAILED, "bytes of %s:0x%llx", ks_space_name(range->space),
                       (unsigned long long)range->addr);
    const uint64_t bytes = range->bytes + (range->space == KS_OPB ? KS_OPB_SLACK : 0);
    *view = (ks_view){.data = buffer->data, .stride_bytes = row_bytes};
    if (buffer->borrowed && buffer->length == bytes) {
        view->data = buffer->borrowed;
        view->stride_bytes = buffer->borrowed_stride_bytes;
        return KS_OK;
    }
    if (buffer->length >= bytes && !buffer->borrowed) return KS_OK;
    if (!ks_bytes_resize(&memory->unwritten, bytes)) return KS_NO_MEMORY;
    memset(memory->unwritten.data, POISON, bytes);
    const unsigned char *held = buffer->borrowed ? NULL : buffer->data;
    if (held) memcpy(memory->unwritten.data, held, buffer->length < bytes ? buffer->length : bytes);
    view->data = memory->unwritten.data;
    return KS_OK;
}

ks_status ks_memory_read(ks_memory *memory, const ks_toucher *who, const ks_access *access,
                         ks_view *view, ks_error *error) {
    if (is_buffer(access->range.space)) return read_buffer(memory, who, access, view, error);
    const region *found = NULL;
    const ks_status status = find_region(memory, access, &found, error);
    if (status) return status;
    view->data = found->data + (access->range.addr - found->addr);
    view->stride_bytes = access->handle->cols * ks_access_item_bytes(access);
    view->is_input = !found->writable;
    return KS_OK;
}

static void copy_rows(unsigned char *to, uint64_t stride_bytes, const unsigned char *packed,
                      uint64_t rows, uint64_t row_bytes) {
    for (uint64_t i = 0; i < rows; i++)
        memcpy(to + i * stride_bytes, packed + i * row_bytes, row_bytes);
}

static ks_status write_region(ks_memory *memory, const ks_access *access, const ks_bytes *bytes,
                              ks_error *error) {
    const region *found = NULL;
    const ks_status status = find_region(memory, access, &found, error);
    if (status) return status;
    if (!found->writable) return ks_fail(error, KS_FAILED, "the input %s is written", found->name);
    const uint64_t item_bytes = ks_access_item_bytes(access);
    copy_rows(found->writable + (access->range.addr - found->addr),
              access->handle->cols * item_bytes, bytes->data, access->rows,
              access->cols * item_bytes);
    return KS_OK;
}

/* True when post-loop ops work on the whole output, staged in wst:0x0. */
static bool is_whole_output_staged(const ks_command *command) {
    const int gemm = ks_command_gemm_index(command);
    for (uint32_t i = gemm < 0 ? command->op_count : (uint32_t)gemm + 1; i < command->op_count; i++)
        if (command->ops[i].scope == KS_SCOPE_KERNEL) return true;
    return false;
}

/* A STORE's tile at its place in the whole output. */
static ks_status write_staged_tile(ks_memory *memory, const ks_toucher *who,
                                   const ks_access *access, const ks_bytes *bytes,
                                   ks_error *error) {
    const ks_handle *whole = access->handle;
    const uint64_t row = who->m * memory->tile_m, col = who->n * memory->tile_n;
    if (row + access->rows > whole->rows || col + access->cols > whole->cols)
        return ks_fail(error, KS_FAILED, "the tile lies outside the staged output");
    ks_bytes *buffer = ks_buffers_find(memory->buffers, who->command, KS_WST, 0);
    if (!buffer) return KS_NO_MEMORY;
    if (!buffer->length) {
        if (!ks_bytes_resize(buffer, ks_handle_bytes(whole))) return KS_NO_MEMORY;
        memset(buffer->data, POISON, buffer->length);
    }
    const uint64_t item_bytes = ks_access_item_bytes(access);
    copy_rows(buffer->data + (row * whole->cols + col) * item_bytes, whole->cols * item_bytes,
              bytes->data, access->rows, access->cols * item_bytes);
    return KS_OK;
}

ks_status ks_memory_write(ks_memory *memory, const ks_toucher *who, const ks_access *access,
                          ks_bytes *bytes, ks_error *error) {
    const ks_range *range = &access->range;
    if (!is_buffer(range->space)) return write_region(memory, access, bytes, error);
    if (range->space == KS_WST && who->m != KS_NO_INDEX && access->handle &&
        is_whole_output_staged(who->command))
        return write_staged_tile(memory, who, access, bytes, error);
    ks_bytes *buffer = ks_buffers_find(memory->buffers, who->command, range->space, range->addr);
    if (!buffer)
        return ks_fail(error, KS_FAILED, "no buffer %s:0x%llx", ks_space_name(range->space),
                       (unsigned long long)range->addr);
    const ks_bytes old = *buffer;
    *buffer = *bytes;
    *bytes = old;
    return KS_OK;
}
