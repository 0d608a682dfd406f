/* What a stage must touch, by MODEL.md sections 6 and 8: derived from the command, not the log. */
#include "check/check_state.h"

enum { ACC_BYTES = 4 }; /* accumulators are f32 */

/* A loop stage's place. */
typedef struct loop {
    const ks_check *check;
    const ks_live *live;
    const ks_due *due;
    const ks_op *gemm;
    uint64_t row, col, depth; /* its tile's first element along m, n, k */
} loop;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static ks_range tile(const ks_handle *h, uint64_t row, uint64_t col, uint64_t rows, uint64_t cols) {
    const uint64_t bytes = ks_dtype_bytes(h->dtype);
    return (ks_range){h->space, h->addr + (row * h->cols + col) * bytes, rows * cols * bytes};
}

static ks_range operand_tile(const loop *l, const ks_touch *t, int side) {
    const ks_handle *h = l->gemm->operands[side].handle;
    if (side == 0) return tile(h, l->row, l->depth, t->mt, t->kt);
    return l->gemm->is_b_transposed ? tile(h, l->col, l->depth, t->nt, t->kt)
                                    : tile(h, l->depth, l->col, t->kt, t->nt);
}

static ks_range accumulator(uint32_t slot, const ks_touch *t) {
    return (ks_range){KS_ACC, slot, t->mt * t->nt * ACC_BYTES};
}

static void add_read(ks_touch *t, ks_range range) { t->reads[t->read_count++] = range; }

static void set_write(ks_touch *t, ks_range range) {
    t->write = range;
    t->has_write = true;
}

/* ---- by role ---- */

static void read_tile(const loop *l, ks_touch *t, int side) {
    const ks_range from = operand_tile(l, t, side);
    add_read(t, from);
    set_write(t, (ks_range){KS_STG, l->due->slot_out, from.bytes});
    t->bytes = from.bytes;
}

static void touch_read_a(const loop *l, ks_touch *t) { read_tile(l, t, 0); }
static void touch_read_b(const loop *l, ks_touch *t) { read_tile(l, t, 1); }

static void touch_fetch(const loop *l, ks_touch *t) {
    for (int side = 0; side < 2; side++) {
        ks_range from = operand_tile(l, t, side);
        t->bytes += from.bytes;
        if (l->live->shape->has_stream[side])
            from = (ks_range){KS_STG, l->due->slot_in + (uint64_t)side, from.bytes};
        add_read(t, from);
    }
    set_write(t, (ks_range){KS_OPB, l->due->slot_out, t->bytes});
}

static void touch_gemm(const loop *l, ks_touch *t) {
    const uint64_t both = operand_tile(l, t, 0).bytes + operand_tile(l, t, 1).bytes;
    add_read(t, (ks_range){KS_OPB, l->due->slot_in, both});
    set_write(t, accumulator(l->due->slot_out, t));
    t->elements = t->mt * t->nt * t->kt;
}

/* An operand with one row or one column broadcasts. */
static void touch_tile_math(const loop *l, ks_touch *t) {
    const ks_op *op = &l->live->command->ops[l->due->op];
    add_read(t, accumulator(l->due->slot_in, t));
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const ks_handle *h = op->operands[i].handle;
        const bool has_rows = h->rows > 1, has_cols = h->cols > 1;
        add_read(t, tile(h, has_rows ? l->row : 0, has_cols ? l->col : 0, has_rows ? t->mt : 1,
                         has_cols ? t->nt : 1));
    }
    set_write(t, accumulator(l->due->slot_out, t));
    t->elements = t->mt * t->nt;
}

static ks_range staged_tile(const loop *l, uint32_t slot, const ks_touch *t) {
    return (ks_range){KS_WST, slot, t->mt * t->nt * ks_dtype_bytes(l->gemm->out->dtype)};
}

static void touch_store(const loop *l, ks_touch *t) {
    const ks_range staged = staged_tile(l, l->due->slot_out, t);
    add_read(t, accumulator(l->due->slot_in, t));
    set_write(t, l->live->shape->has_write ? staged
                                           : tile(l->gemm->out, l->row, l->col, t->mt, t->nt));
    t->bytes = staged.bytes;
}

static void touch_write_tile(const loop *l, ks_touch *t) {
    add_read(t, staged_tile(l, l->due->slot_in, t));
    set_write(t, tile(l->gemm->out, l->row, l->col, t->mt, t->nt));
    t->bytes = t->write.bytes;
}

static void touch_write_whole(const loop *l, ks_touch *t) {
    t->bytes = ks_handle_bytes(l->gemm->out);
    add_read(t, (ks_range){KS_WST, 0, t->bytes});
    set_write(t, ks_handle_range(l->gemm->out));
}

/* An op on whole tensors. A post-loop op reads the output first; in write staging if out is hbm. */
static void touch_whole(const loop *l, ks_touch *t) {
    const ks_op *op = &l->live->command->ops[l->due->op];
    const bool is_post = l->due->phase == KS_PHASE_post;
    ks_range out = op->out ? ks_handle_range(op->out) : (ks_range){0};
    if (is_post && l->live->shape->has_write) out = (ks_range){KS_WST, 0, out.bytes};
    if (is_post) add_read(t, out);
    for (uint32_t i = 0; i < op->operand_count; i++)
        add_read(t, ks_handle_range(op->operands[i].handle));
    if (op->out) set_write(t, out);

    if (l->due->kind == KS_ROW_MATH) t->elements = ks_op_elements(op);
    if (l->due->kind == KS_ROW_GEMM) t->elements = op->m * op->n * op->k;
    if (l->due->kind == KS_ROW_DMA_READ || l->due->kind == KS_ROW_DMA_WRITE) t->bytes = out.bytes;
}

static void (*const touches[])(const loop *, ks_touch *) = {
    [KS_ROLE_WHOLE] = touch_whole,
    [KS_ROLE_READ_A] = touch_read_a,
    [KS_ROLE_READ_B] = touch_read_b,
    [KS_ROLE_FETCH] = touch_fetch,
    [KS_ROLE_GEMM] = touch_gemm,
    [KS_ROLE_TILE_MATH] = touch_tile_math,
    [KS_ROLE_STORE] = touch_store,
    [KS_ROLE_WRITE_TILE] = touch_write_tile,
    [KS_ROLE_WRITE_WHOLE] = touch_write_whole,
};

static void place_tile(loop *l, ks_touch *t) {
    const ks_check *c = l->check;
    /* STORE, DMA_WRITE and OUTPUT_TILE ops come with the last K tile. */
    const bool has_k = l->due->k != KS_CHECK_NO_TILE;
    l->row = l->due->m * c->tile_m;
    l->col = l->due->n * c->tile_n;
    l->depth = (has_k ? l->due->k : l->live->shape->k_count - 1) * c->tile_k;
    t->mt = smaller(c->tile_m, l->gemm->m - l->row);
    t->nt = smaller(c->tile_n, l->gemm->n - l->col);
    t->kt = smaller(c->tile_k, l->gemm->k - l->depth);
}

void ks_touch_of(const ks_check *check, const ks_live *live, const ks_due *due, ks_touch *touch) {
    loop l = {.check = check, .live = live, .due = due};
    if (live->shape->gemm >= 0) l.gemm = &live->command->ops[live->shape->gemm];
    touch->bytes = touch->elements = touch->mt = touch->nt = touch->kt = 0;
    touch->read_count = 0;
    touch->has_write = false;
    touch->is_last = due == &live->shape->stages[live->shape->stage_count - 1];
    if (due->m != KS_CHECK_NO_TILE) place_tile(&l, touch);
    touches[due->role](&l, touch);
}
