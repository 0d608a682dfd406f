#include "op_log/resolve.h"

enum { ACC_BYTES = 4 }; /* accumulators are f32 */

static ks_access access_of(ks_space space, uint64_t addr, uint64_t rows, uint64_t cols,
                           uint64_t element_bytes, const ks_handle *handle) {
    return (ks_access){{space, addr, rows * cols * element_bytes}, rows, cols, handle};
}

static ks_access whole(const ks_handle *h) {
    return access_of(h->space, h->addr, h->rows, h->cols, ks_dtype_bytes(h->dtype), h);
}

/* rows x cols at (row, col) of a matrix in HBM or TCM. */
static ks_access tile_of(const ks_handle *h, uint64_t row, uint64_t col, uint64_t rows,
                         uint64_t cols) {
    const uint64_t bytes = ks_dtype_bytes(h->dtype);
    return access_of(h->space, h->addr + (row * h->cols + col) * bytes, rows, cols, bytes, h);
}

static ks_access packed(ks_space space, uint64_t addr, uint64_t rows, uint64_t cols,
                        const ks_handle *h) {
    return access_of(space, addr, rows, cols, ks_dtype_bytes(h->dtype), h);
}

static void add_read(ks_op_row *row, ks_access access) { row->reads[row->read_count++] = access; }

static void set_write(ks_op_row *row, ks_access access) {
    row->write = access;
    row->write_count = 1;
}

/* What a loop stage needs to place its tiles. */
typedef struct place {
    const ks_plan *plan;
    const ks_stage *stage;
    const ks_op *gemm;
    const ks_handle *a, *b, *out;
    uint64_t row, col, depth; /* first element along m, n, k */
} place;

static bool is_b_turned(const place *p) { return p->gemm->is_b_transposed; }

static ks_access tile_a(const place *p) {
    return tile_of(p->a, p->row, p->depth, p->stage->mt, p->stage->kt);
}

static ks_access tile_b(const place *p) {
    return is_b_turned(p) ? tile_of(p->b, p->col, p->depth, p->stage->nt, p->stage->kt)
                          : tile_of(p->b, p->depth, p->col, p->stage->kt, p->stage->nt);
}

static ks_access staged(const place *p, ks_access tile, uint64_t side) {
    const uint64_t slot = 2 * (p->stage->step % p->plan->stream_buffers) + side;
    return packed(KS_STG, slot, tile.rows, tile.cols, tile.handle);
}

static ks_access operand_buffer(const place *p) {
    ks_access both = {0};
    both.range.space = KS_OPB;
    both.range.addr = p->stage->step % p->plan->operand_buffers;
    both.range.bytes = tile_a(p).range.bytes + tile_b(p).range.bytes;
    return both;
}

static ks_access accumulator(const place *p) {
    return access_of(KS_ACC, p->stage->out_tile % p->plan->acc_buffers, p->stage->mt, p->stage->nt,
                     ACC_BYTES, NULL);
}

static ks_access out_tile(const place *p) {
    return tile_of(p->out, p->row, p->col, p->stage->mt, p->stage->nt);
}

static ks_access staged_out(const place *p) {
    return packed(KS_WST, p->stage->out_tile, p->stage->mt, p->stage->nt, p->out);
}

/* With post-loop ops and an HBM output: all of it in write staging. */
static ks_access staged_whole(const place *p) {
    return packed(KS_WST, 0, p->out->rows, p->out->cols, p->out);
}

/* An operand with one row or one column broadcasts. */
static ks_access other_tile(const place *p, const ks_handle *h) {
    const bool is_row = h->rows == 1, is_col = h->cols == 1;
    return tile_of(h, is_row ? 0 : p->row, is_col ? 0 : p->col, is_row ? 1 : p->stage->mt,
                   is_col ? 1 : p->stage->nt);
}

/* ---- by role ---- */

static void fill_whole(const place *p, ks_op_row *row) {
    const ks_op *op = row->op;
    const bool is_post = p->stage->phase == KS_PHASE_post;
    const bool is_in_staging = is_post && p->out->space == KS_HBM;
    if (is_post) add_read(row, is_in_staging ? staged_whole(p) : whole(op->out));
    for (uint32_t i = 0; i < op->operand_count; i++) add_read(row, whole(op->operands[i].handle));
    if (op->out) set_write(row, is_in_staging ? staged_whole(p) : whole(op->out));
}

static void fill_read_a(const place *p, ks_op_row *row) {
    add_read(row, tile_a(p));
    set_write(row, staged(p, tile_a(p), 0));
}

static void fill_read_b(const place *p, ks_op_row *row) {
    add_read(row, tile_b(p));
    set_write(row, staged(p, tile_b(p), 1));
}

static void fill_fetch(const place *p, ks_op_row *row) {
    add_read(row, p->a->pinned ? tile_a(p) : staged(p, tile_a(p), 0));
    add_read(row, p->b->pinned ? tile_b(p) : staged(p, tile_b(p), 1));
    set_write(row, operand_buffer(p));
}

static void fill_gemm(const place *p, ks_op_row *row) {
    add_read(row, operand_buffer(p));
    set_write(row, accumulator(p));
}

static void fill_tile_math(const place *p, ks_op_row *row) {
    add_read(row, accumulator(p));
    for (uint32_t i = 0; i < row->op->operand_count; i++)
        add_read(row, other_tile(p, row->op->operands[i].handle));
    set_write(row, accumulator(p));
}

static void fill_store(const place *p, ks_op_row *row) {
    add_read(row, accumulator(p));
    set_write(row, p->out->space == KS_HBM ? staged_out(p) : out_tile(p));
}

static void fill_write_tile(const place *p, ks_op_row *row) {
    add_read(row, staged_out(p));
    set_write(row, out_tile(p));
}

static void fill_write_whole(const place *p, ks_op_row *row) {
    add_read(row, staged_whole(p));
    set_write(row, whole(p->out));
}

static void (*const fills[])(const place *, ks_op_row *) = {
    [KS_STAGE_WHOLE] = fill_whole,
    [KS_STAGE_READ_A] = fill_read_a,
    [KS_STAGE_READ_B] = fill_read_b,
    [KS_STAGE_FETCH] = fill_fetch,
    [KS_STAGE_GEMM] = fill_gemm,
    [KS_STAGE_TILE_MATH] = fill_tile_math,
    [KS_STAGE_STORE] = fill_store,
    [KS_STAGE_WRITE_TILE] = fill_write_tile,
    [KS_STAGE_WRITE_WHOLE] = fill_write_whole,
};

static place place_of(const ks_event *event) {
    const ks_stage *stage = &event->plan->stages[event->stage];
    place p = {.plan = event->plan, .stage = stage};
    const int gemm = ks_command_gemm_index(event->command);
    if (gemm < 0) return p;
    p.gemm = &event->command->ops[gemm];
    p.a = p.gemm->operands[0].handle;
    p.b = p.gemm->operands[1].handle;
    p.out = p.gemm->out;
    p.row = stage->row;
    p.col = stage->col;
    p.depth = stage->depth;
    return p;
}

static void resolve_stage(const ks_event *event, ks_op_row *row) {
    const ks_stage *stage = &event->plan->stages[event->stage];
    const place p = place_of(event);
    row->server = stage->server;
    row->phase = stage->phase;
    row->op = &event->command->ops[stage->op];
    row->m = stage->m;
    row->n = stage->n;
    row->k = stage->k;
    row->bytes = stage->bytes;
    row->elements = stage->elements;
    row->mt = stage->mt;
    row->nt = stage->nt;
    row->kt = stage->kt;
    row->is_last_of_command = (uint64_t)event->stage + 1 == event->plan->stage_count;
    row->dep_count = stage->dep_count;
    row->deps = event->plan->deps + stage->first_dep;
    fills[stage->role](&p, row);
}

static void resolve_cpu(const ks_event *event, ks_op_row *row) {
    static const ks_phase phases[] = {[KS_ROW_DISPATCH] = KS_PHASE_dispatch,
                                      [KS_ROW_STALL] = KS_PHASE_stall,
                                      [KS_ROW_WAIT] = KS_PHASE_wait};
    row->server = KS_SERVER_CPU;
    row->phase = phases[event->kind];
    row->op = event->kind == KS_ROW_DISPATCH ? &event->command->ops[event->first_op] : NULL;
    row->bytes = event->bytes;
    row->segment = event->segment;
}

ks_status ks_op_log_take(void *feed, const ks_event *event) {
    ks_op_log_feed *self = feed;
    ks_op_row row = {.seq = self->row_count++,
                     .cmd = event->cmd,
                     .stage = event->stage,
                     .kind = event->kind,
                     .m = KS_NO_INDEX,
                     .n = KS_NO_INDEX,
                     .k = KS_NO_INDEX,
                     .start = event->start,
                     .end = event->end,
                     .occupied_end = event->occupied_end,
                     .command = event->command,
                     .has_cause = event->cause.is_set,
                     .is_cause_occupancy = event->cause.is_occupancy,
                     .cause_cmd = event->cause.cmd,
                     .cause_stage = event->cause.stage,
                     .cause_segment = event->cause.segment};
    if (event->stage == KS_CPU_STAGE)
        resolve_cpu(event, &row);
    else
        resolve_stage(event, &row);
    return self->sink.row ? self->sink.row(self->sink.self, &row) : KS_OK;
}
