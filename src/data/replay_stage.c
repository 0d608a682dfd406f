#include "data/replay_stage.h"

#include <stdlib.h>
#include <string.h>

#include "data/replay_math.h"

struct ks_stage_room {
    const ks_isa *isa;
    ks_bytes reads[KS_MAX_READS];
    ks_bytes out, spare, b, stored;
};

ks_stage_room *ks_stage_room_new(const ks_isa *isa) {
    ks_stage_room *room = calloc(1, sizeof *room);
    if (room) room->isa = isa;
    return room;
}

void ks_stage_room_free(ks_stage_room *room) {
    if (!room) return;
    for (int i = 0; i < KS_MAX_READS; i++) ks_bytes_free(&room->reads[i]);
    ks_bytes_free(&room->out);
    ks_bytes_free(&room->spare);
    ks_bytes_free(&room->b);
    ks_bytes_free(&room->stored);
    free(room);
}

/* The stage at hand. */
typedef struct stage {
    ks_stage_room *room;
    ks_memory *memory;
    const ks_op_row *row;
    ks_toucher who;
    ks_bytes *result;
    ks_error *error;
} stage;

static ks_status view_of(const stage *s, const ks_access *access, ks_view *view) {
    return ks_memory_read(s->memory, &s->who, access, view, s->error);
}

static float *floats(ks_bytes *bytes, uint64_t count) {
    return ks_bytes_resize(bytes, count * sizeof(float)) ? (float *)(void *)bytes->data : NULL;
}

enum { LINE = 64 };

/* Rows are short, mostly whole lines: a call for each would cost more than what it copies. */
static void pack_rows(unsigned char *packed, const ks_view *view, uint64_t rows,
                      uint64_t row_bytes) {
    const uint64_t whole = row_bytes / LINE * LINE;
    for (uint64_t i = 0; i < rows; i++) {
        unsigned char *to = packed + i * row_bytes;
        const unsigned char *from = view->data + i * view->stride_bytes;
        for (uint64_t j = 0; j < whole; j += LINE) memcpy(to + j, from + j, LINE);
        if (whole < row_bytes) memcpy(to + whole, from + whole, row_bytes - whole);
    }
}

static ks_status pack(const stage *s, const ks_access *access, unsigned char *packed) {
    ks_view view = {0};
    const ks_status status = view_of(s, access, &view);
    if (status) return status;
    const uint64_t row_bytes = access->cols * ks_access_item_bytes(access);
    if (view.stride_bytes == row_bytes)
        memcpy(packed, view.data, access->rows * row_bytes);
    else
        pack_rows(packed, &view, access->rows, row_bytes);
    return KS_OK;
}

static ks_status read_floats(const stage *s, const ks_access *access, ks_bytes *into,
                             ks_tile *tile) {
    ks_view view = {0};
    const ks_status status = view_of(s, access, &view);
    if (status) return status;
    *tile = (ks_tile){floats(into, access->rows * access->cols), access->rows, access->cols};
    if (!tile->values) return KS_NO_MEMORY;
    const ks_dtype dtype = access->handle ? access->handle->dtype : KS_F32;
    for (uint64_t i = 0; i < access->rows; i++)
        ks_to_floats(s->room->isa, &tile->values[i * access->cols],
                     view.data + i * view.stride_bytes, dtype, access->cols);
    return KS_OK;
}

/* The result in the format of what is written: rounded once, f32 where that is acc. */
static ks_status round_result(const stage *s, const float *values) {
    const ks_access *write = &s->row->write;
    const uint64_t count = write->rows * write->cols;
    if (!ks_bytes_resize(s->result, count * ks_access_item_bytes(write))) return KS_NO_MEMORY;
    ks_from_floats(s->room->isa, s->result->data, write->handle ? write->handle->dtype : KS_F32,
                   values, count);
    return KS_OK;
}

/* Some stages later these rows are fetched; inputs are larger than what is near. */
static void prefetch(const ks_view *view, uint64_t rows, uint64_t row_bytes) {
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < row_bytes; j += LINE)
            __builtin_prefetch(view->data + i * view->stride_bytes + j);
}

/* DMA_READ, DMA_WRITE: the bytes as they are. */
static ks_status copy(const stage *s) {
    const ks_access *read = &s->row->reads[0], *write = &s->row->write;
    if (s->row->read_count != 1 || read->rows != write->rows || read->cols != write->cols ||
        ks_access_item_bytes(read) != ks_access_item_bytes(write))
        return ks_fail(s->error, KS_FAILED, "what is moved does not fit where it goes");
    ks_view view = {0};
    const ks_status status = view_of(s, read, &view);
    if (status) return status;
    /* What is staged of an input need not be copied to be there. */
    if (view.is_input && write->range.space == KS_STG) {
        s->result->length = read->range.bytes;
        s->result->borrowed = view.data;
        s->result->borrowed_stride_bytes = view.stride_bytes;
        prefetch(&view, read->rows, read->range.bytes / read->rows);
        return KS_OK;
    }
    if (!ks_bytes_resize(s->result, read->range.bytes)) return KS_NO_MEMORY;
    return pack(s, read, s->result->data);
}

static ks_status fetch(const stage *s) {
    const ks_access *a = &s->row->reads[0], *b = &s->row->reads[1];
    if (s->row->read_count != 2) return ks_fail(s->error, KS_FAILED, "a step has two tiles");
    const uint64_t bytes = a->range.bytes + b->range.bytes;
    if (bytes != s->row->write.range.bytes)
        return ks_fail(s->error, KS_FAILED, "the tiles do not fit the operand buffer");
    if (!ks_bytes_resize(s->result, bytes + KS_OPB_SLACK)) return KS_NO_MEMORY;
    const ks_status status = pack(s, a, s->result->data);
    if (status) return status;
    return pack(s, b, s->result->data + ks_opb_offset_of_b(a->range.bytes));
}

typedef struct product {
    uint64_t m, n, k;
    const float *a;
    const unsigned char *b; /* raw */
    uint64_t b_stride_bytes;
    ks_dtype b_dtype;
    float *sums; /* m x padded n */
} product;

/* b as the loops take it; NULL: out of memory. */
static float *take_b(const stage *s, const product *p) {
    const uint64_t stride = ks_gemm_padded(p->n);
    float *b = floats(&s->room->b, p->k * stride);
    for (uint64_t l = 0; b && l < p->k; l++) {
        ks_to_floats(s->room->isa, &b[l * stride], p->b + l * p->b_stride_bytes, p->b_dtype, p->n);
        for (uint64_t j = p->n; j < stride; j++) b[l * stride + j] = 0;
    }
    return b;
}

static float *take_transposed_b(const stage *s, const product *p) {
    float *b = floats(&s->room->b, p->k * ks_gemm_padded(p->n));
    float *stored = floats(&s->room->stored, p->k * p->n);
    if (!b || !stored) return NULL;
    for (uint64_t j = 0; j < p->n; j++)
        ks_to_floats(s->room->isa, &stored[j * p->k], p->b + j * p->b_stride_bytes, p->b_dtype,
                     p->k);
    s->room->isa->gemm->turn(b, stored, p->k, p->n);
    return b;
}

static ks_status multiply(const stage *s, const product *p) {
    float *b = s->row->op->is_b_transposed ? take_transposed_b(s, p) : take_b(s, p);
    if (!b) return KS_NO_MEMORY;
    s->room->isa->gemm->accumulate(p->sums, p->a, b, p->m, p->n, p->k);
    float *packed = p->sums;
    for (uint64_t i = 0; i < p->m && p->n != ks_gemm_padded(p->n); i++)
        memmove(&packed[i * p->n], &p->sums[i * ks_gemm_padded(p->n)], p->n * sizeof *packed);
    return round_result(s, packed);
}

/* m x padded n sums: 0, or what the accumulator holds after the first K tile. */
static ks_status begin_sums(const stage *s, product *p, bool is_first) {
    const uint64_t stride = ks_gemm_padded(p->n);
    p->sums = floats(&s->room->out, p->m * stride);
    if (!p->sums) return KS_NO_MEMORY;
    if (is_first || stride != p->n) memset(p->sums, 0, p->m * stride * sizeof *p->sums);
    if (is_first) return KS_OK;
    ks_view view = {0};
    const ks_status status = view_of(s, &s->row->write, &view);
    if (status) return status;
    for (uint64_t i = 0; i < p->m; i++)
        memcpy(&p->sums[i * stride], view.data + i * view.stride_bytes, p->n * sizeof *p->sums);
    return KS_OK;
}

static bool is_gemm(const ks_op *op) { return op->kind == KS_OP_gemm && op->operand_count >= 2; }

/* A step of a tile loop: operand buffer to accumulator. */
static ks_status gemm_step(const stage *s) {
    const ks_op_row *row = s->row;
    const ks_dtype a_dtype = row->op->operands[0].handle->dtype;
    product p = {.m = row->mt, .n = row->nt, .k = row->kt};
    p.b_dtype = row->op->operands[1].handle->dtype;
    const uint64_t a_bytes = p.m * p.k * ks_dtype_bytes(a_dtype);
    const uint64_t b_bytes = p.k * p.n * ks_dtype_bytes(p.b_dtype);
    if (row->read_count != 1 || row->reads[0].range.bytes != a_bytes + b_bytes ||
        row->write.rows != p.m || row->write.cols != p.n || row->write.handle)
        return ks_fail(s->error, KS_FAILED, "the tiles do not fit the step");
    ks_status status = begin_sums(s, &p, row->k == 0);
    if (status) return status;
    ks_view view = {0};
    status = view_of(s, &row->reads[0], &view);
    if (status) return status;
    float *a = floats(&s->room->reads[0], p.m * p.k);
    if (!a) return KS_NO_MEMORY;
    ks_to_floats(s->room->isa, a, view.data, a_dtype, p.m * p.k);
    p.a = a;
    p.b = view.data + ks_opb_offset_of_b(a_bytes);
    p.b_stride_bytes = (row->op->is_b_transposed ? p.k : p.n) * ks_dtype_bytes(p.b_dtype);
    return multiply(s, &p);
}

/* The primitive: whole handles, rounded to the output's dtype. */
static ks_status gemm_whole(const stage *s) {
    const ks_op_row *row = s->row;
    const ks_access *b = &row->reads[1];
    ks_tile a = {NULL, 0, 0};
    if (row->read_count != 2 || !b->handle)
        return ks_fail(s->error, KS_FAILED, "a product has two operands");
    ks_status status = read_floats(s, &row->reads[0], &s->room->reads[0], &a);
    if (status) return status;
    product p = {.m = a.rows, .k = a.cols, .a = a.values, .b_dtype = b->handle->dtype};
    p.n = row->op->is_b_transposed ? b->rows : b->cols;
    if (p.k != (row->op->is_b_transposed ? b->cols : b->rows) || row->write.rows != p.m ||
        row->write.cols != p.n)
        return ks_fail(s->error, KS_FAILED, "shapes of the product");
    status = begin_sums(s, &p, true);
    if (status) return status;
    ks_view view = {0};
    status = view_of(s, b, &view);
    if (status) return status;
    p.b = view.data;
    p.b_stride_bytes = view.stride_bytes;
    return multiply(s, &p);
}

static ks_status gemm(const stage *s) {
    if (!is_gemm(s->row->op)) return ks_fail(s->error, KS_FAILED, "the op is no gemm");
    return s->row->phase == KS_PHASE_loop ? gemm_step(s) : gemm_whole(s);
}

static ks_status math(const stage *s) {
    const ks_op_row *row = s->row;
    ks_tile reads[KS_MAX_READS];
    for (uint32_t i = 0; i < row->read_count; i++) {
        const ks_status status = read_floats(s, &row->reads[i], &s->room->reads[i], &reads[i]);
        if (status) return status;
    }
    ks_tile out = {.rows = row->write.rows, .cols = row->write.cols};
    out.values = floats(&s->room->out, out.rows * out.cols);
    float *spare = floats(&s->room->spare, out.cols * (row->read_count + 1));
    if (!out.values || !spare) return KS_NO_MEMORY;
    const ks_status status =
        ks_math_run(s->room->isa, row->op, reads, row->read_count, &out, spare, s->error);
    return status ? status : round_result(s, out.values);
}

static ks_status store(const stage *s) {
    const ks_access *read = &s->row->reads[0], *write = &s->row->write;
    ks_tile sums = {NULL, 0, 0};
    if (s->row->read_count != 1 || read->rows != write->rows || read->cols != write->cols)
        return ks_fail(s->error, KS_FAILED, "what is stored does not fit where it goes");
    const ks_status status = read_floats(s, read, &s->room->reads[0], &sums);
    return status ? status : round_result(s, sums.values);
}

ks_status ks_stage_run(ks_stage_room *room, ks_memory *memory, const ks_op_row *row,
                       ks_bytes *result, ks_error *error) {
    static ks_status (*const stages[KS_ROW_KIND_COUNT])(const stage *) = {
        [KS_ROW_DMA_READ] = copy, [KS_ROW_DMA_WRITE] = copy, [KS_ROW_FETCH] = fetch,
        [KS_ROW_GEMM] = gemm,     [KS_ROW_MATH] = math,      [KS_ROW_STORE] = store,
    };
    const stage s = {room, memory, row, {row->command, row->m, row->n}, result, error};
    if (!stages[row->kind] || !row->op || row->write_count != 1 || row->read_count > KS_MAX_READS)
        return ks_fail(error, KS_FAILED, "the row is incomplete");
    return stages[row->kind](&s);
}
