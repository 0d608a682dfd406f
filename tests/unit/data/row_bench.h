/* A bench that makes op_log rows by hand, one stage after the other, and replays them. Its loops
 * follow MODEL.md sections 6 and 8; nothing in it computes a value. */
#ifndef KS_TEST_DATA_ROW_BENCH_H
#define KS_TEST_DATA_ROW_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "data/data.h"
#include "data/numeric.h"

#define UNUSED __attribute__((unused))

enum { CYCLE = 10000 };

typedef struct bench {
    ks_arena *arena;
    ks_point point;
    ks_numbers *numbers;
    ks_program program;
    ks_replay *replay;
    uint64_t now; /* ticks; every stage takes a cycle */
    uint64_t tcm_end;
    uint32_t commands;
    ks_status status; /* of the last row */
    ks_digest digest;
    bool is_dry; /* rows are only collected */
    ks_op_row *rows;
    size_t row_count, row_capacity;
} bench;

UNUSED static const ks_isa *best_isa(void) {
    const ks_isa *isa = NULL;
    assert_int_equal(ks_isa_choose(NULL, &isa, NULL), KS_OK);
    return isa;
}

UNUSED static ks_point point_of(uint64_t g, uint64_t d, uint64_t s) {
    ks_point point = ks_point_default();
    point.params[KS_P_G] = g;
    point.params[KS_P_d] = d;
    point.params[KS_P_S] = s;
    point.params[KS_P_TILE] = s;
    return point;
}

UNUSED static ks_point point_of_bench(uint64_t m, uint64_t k, uint64_t n) {
    ks_point point = ks_point_default();
    point.params[KS_P_M] = m;
    point.params[KS_P_K] = k;
    point.params[KS_P_N] = n;
    return point;
}

UNUSED static void set_dtypes(ks_point *point, ks_dtype dtype, ks_dtype score, ks_dtype p_dtype) {
    point->params[KS_P_dtype] = dtype;
    point->params[KS_P_score] = score;
    point->params[KS_P_p_dtype] = p_dtype;
}

UNUSED static bench bench_open(ks_task task, ks_point point, uint64_t tcm_bytes) {
    bench b = {.point = point, .arena = ks_arena_new(1 << 16)};
    const ks_numbers_key key = ks_numbers_key_of(task, &point);
    assert_int_equal(ks_numbers_new(&key, best_isa(), &b.numbers), KS_OK);
    b.program.tcm_peak_bytes = tcm_bytes;
    return b;
}

/* Once program and calibration are settled. */
static void bench_start(bench *b) {
    if (b->replay || b->is_dry) return;
    b->replay = ks_replay_new(b->numbers, &b->program, &b->point.calibration);
    assert_non_null(b->replay);
}

UNUSED static void bench_close(bench *b) {
    ks_replay_free(b->replay);
    ks_numbers_free(b->numbers);
    ks_arena_free(b->arena);
}

UNUSED static ks_handle *tcm_at(bench *b, uint64_t addr, uint64_t rows, uint64_t cols,
                                ks_dtype dtype) {
    ks_handle *h = ks_arena_take(b->arena, 1, sizeof *h);
    *h = (ks_handle){.addr = addr, .rows = rows, .cols = cols, .space = KS_TCM};
    h->dtype = dtype;
    h->pinned = true;
    h->pending = KS_NO_COMMAND;
    return h;
}

UNUSED static ks_handle *tcm(bench *b, uint64_t rows, uint64_t cols, ks_dtype dtype) {
    ks_handle *h = tcm_at(b, b->tcm_end, rows, cols, dtype);
    b->tcm_end = (b->tcm_end + ks_handle_bytes(h) + 63) / 64 * 64;
    return h;
}

/* Rows first .. first + rows of a tensor of the layout. */
UNUSED static ks_handle *hbm_rows(bench *b, const char *name, uint64_t first, uint64_t rows) {
    const ks_tensor *t = ks_layout_find(ks_numbers_layout(b->numbers), name);
    ks_handle *h = ks_arena_take(b->arena, 1, sizeof *h);
    *h = (ks_handle){.rows = rows, .cols = t->cols, .space = KS_HBM, .dtype = t->dtype};
    h->addr = t->addr + first * t->cols * ks_dtype_bytes(t->dtype);
    h->pending = KS_NO_COMMAND;
    return h;
}

UNUSED static ks_handle *hbm(bench *b, const char *name) {
    return hbm_rows(b, name, 0, ks_layout_find(ks_numbers_layout(b->numbers), name)->rows);
}

static ks_access whole(const ks_handle *h) {
    return (ks_access){ks_handle_range(h), h->rows, h->cols, h};
}

static ks_access tile_of(const ks_handle *h, uint64_t row, uint64_t col, uint64_t rows,
                         uint64_t cols) {
    const uint64_t item = ks_dtype_bytes(h->dtype);
    const ks_range range = {h->space, h->addr + (row * h->cols + col) * item, rows * cols * item};
    return (ks_access){range, rows, cols, h};
}

static ks_access buffer(ks_space space, uint64_t index, const ks_handle *h, uint64_t rows,
                        uint64_t cols) {
    const uint64_t item = h ? ks_dtype_bytes(h->dtype) : sizeof(float);
    return (ks_access){{space, index, rows * cols * item}, rows, cols, h};
}

static void keep(bench *b, const ks_op_row *row) {
    if (b->row_count == b->row_capacity) {
        const size_t capacity = 2 * b->row_capacity + 64;
        ks_op_row *rows = ks_arena_take(b->arena, capacity, sizeof *rows);
        if (b->row_count) memcpy(rows, b->rows, b->row_count * sizeof *rows);
        b->rows = rows;
        b->row_capacity = capacity;
    }
    b->rows[b->row_count++] = *row;
}

/* The row, in its own cycle. */
static void emit(bench *b, ks_op_row row) {
    row.start = b->now;
    row.end = row.occupied_end = b->now += CYCLE;
    if (b->is_dry) {
        keep(b, &row);
        return;
    }
    bench_start(b);
    b->status = ks_replay_row(b->replay, &row);
}

static ks_op_row row_of(const ks_command *command, ks_row_kind kind, ks_phase phase,
                        const ks_op *op) {
    return (ks_op_row){.cmd = command->index,
                       .server = KS_SERVER_MATH, /* any but the cpu */
                       .kind = kind,
                       .phase = phase,
                       .op = op,
                       .m = KS_NO_INDEX,
                       .n = KS_NO_INDEX,
                       .k = KS_NO_INDEX,
                       .write_count = 1,
                       .command = command};
}

static ks_command *command_of(bench *b, const ks_op *ops, uint32_t count) {
    ks_command *command = ks_arena_take(b->arena, 1, sizeof *command);
    ks_op *own = ks_arena_take(b->arena, count, sizeof *own);
    memcpy(own, ops, count * sizeof *own);
    *command = (ks_command){.index = b->commands++, .op_count = count, .ops = own};
    command->is_data_op = true;
    return command;
}

/* A primitive: one stage on whole handles. `reads` ends with NULL. */
UNUSED static void primitive(bench *b, ks_op_kind kind, const ks_handle *out, float immediate,
                             const ks_handle *const *reads) {
    static const ks_row_kind kinds[KS_OP_COUNT] = {[KS_OP_load] = KS_ROW_DMA_READ,
                                                   [KS_OP_store] = KS_ROW_DMA_WRITE,
                                                   [KS_OP_gemm] = KS_ROW_GEMM};
    ks_op op = {.kind = kind, .out = out, .immediate = immediate};
    for (; reads[op.operand_count]; op.operand_count++)
        op.operands[op.operand_count].handle = reads[op.operand_count];
    const ks_command *command = command_of(b, &op, 1);
    ks_op_row row =
        row_of(command, kinds[kind] ? kinds[kind] : KS_ROW_MATH, KS_PHASE_prim, command->ops);
    for (; reads[row.read_count]; row.read_count++)
        row.reads[row.read_count] = whole(reads[row.read_count]);
    row.write = whole(out);
    row.is_last_of_command = true;
    emit(b, row);
}

#define READS(...) ((const ks_handle *const[]){__VA_ARGS__, NULL})
#define NO_READS ((const ks_handle *const[]){NULL})

/* A composite with a gemm head, ops in order: gemm first. */
typedef struct loop {
    bench *b;
    const ks_command *command;
    const ks_op *gemm;
    uint64_t tile_m, tile_n, tile_k;
    uint64_t mi, ni, ki, t, o;
    uint64_t mt, nt, kt;
    bool is_last;
} loop;

static uint64_t part(uint64_t whole_extent, uint64_t tile, uint64_t index) {
    const uint64_t left = whole_extent - tile * index;
    return left < tile ? left : tile;
}

static ks_op_row loop_row(const loop *l, ks_row_kind kind) {
    ks_op_row row = row_of(l->command, kind, KS_PHASE_loop, l->gemm);
    row.m = l->mi;
    row.n = l->ni;
    row.k = l->ki;
    row.mt = l->mt;
    row.nt = l->nt;
    row.kt = l->kt;
    return row;
}

static ks_access tile_of_a(const loop *l) {
    return tile_of(l->gemm->operands[0].handle, l->mi * l->tile_m, l->ki * l->tile_k, l->mt, l->kt);
}

static ks_access tile_of_b(const loop *l) {
    const ks_handle *h = l->gemm->operands[1].handle;
    const uint64_t n = l->ni * l->tile_n, k = l->ki * l->tile_k;
    return l->gemm->is_b_transposed ? tile_of(h, n, k, l->nt, l->kt)
                                    : tile_of(h, k, n, l->kt, l->nt);
}

/* The tile where FETCH finds it: staged first when it streams. */
static ks_access stream(const loop *l, ks_access tile, uint64_t which) {
    if (tile.range.space == KS_TCM) return tile;
    const uint64_t slot = 2 * (l->t % 4) + which;
    ks_op_row row = loop_row(l, KS_ROW_DMA_READ);
    row.read_count = 1;
    row.reads[0] = tile;
    row.write = buffer(KS_STG, slot, tile.handle, tile.rows, tile.cols);
    emit(l->b, row);
    return row.write;
}

/* ktile and otile ops: acc and the tile of every operand. */
static void tile_op(const loop *l, const ks_op *op) {
    ks_op_row row = loop_row(l, KS_ROW_MATH);
    row.phase = op->scope == KS_SCOPE_K_TILE ? KS_PHASE_ktile : KS_PHASE_otile;
    row.op = op;
    row.reads[row.read_count++] = row.write = buffer(KS_ACC, l->o % 2, NULL, l->mt, l->nt);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const ks_handle *h = op->operands[i].handle;
        const bool has_rows = h->rows > 1 || l->mt == 1, has_cols = h->cols > 1 || l->nt == 1;
        row.reads[row.read_count++] =
            tile_of(h, h->rows > 1 ? l->mi * l->tile_m : 0, h->cols > 1 ? l->ni * l->tile_n : 0,
                    has_rows ? l->mt : 1, has_cols ? l->nt : 1);
    }
    emit(l->b, row);
}

static void step(loop *l) {
    const ks_access a = stream(l, tile_of_a(l), 0), b = stream(l, tile_of_b(l), 1);
    ks_op_row row = loop_row(l, KS_ROW_FETCH);
    row.read_count = 2;
    row.reads[0] = a;
    row.reads[1] = b;
    row.write = (ks_access){{KS_OPB, l->t % 2, a.range.bytes + b.range.bytes}, 1, 0, NULL};
    emit(l->b, row);
    const ks_access tiles = row.write;
    row = loop_row(l, KS_ROW_GEMM);
    row.read_count = 1;
    row.reads[0] = tiles;
    row.write = buffer(KS_ACC, l->o % 2, NULL, l->mt, l->nt);
    emit(l->b, row);
    for (uint32_t i = 1; i < l->command->op_count; i++)
        if (l->command->ops[i].scope == KS_SCOPE_K_TILE) tile_op(l, &l->command->ops[i]);
    l->t++;
}

static bool has_post(const ks_command *command) {
    return command->ops[command->op_count - 1].scope == KS_SCOPE_KERNEL && command->op_count > 1;
}

static void leave_tile(loop *l) {
    const ks_handle *out = l->gemm->out;
    const ks_access target = tile_of(out, l->mi * l->tile_m, l->ni * l->tile_n, l->mt, l->nt);
    for (uint32_t i = 1; i < l->command->op_count; i++)
        if (l->command->ops[i].scope == KS_SCOPE_OUTPUT_TILE) tile_op(l, &l->command->ops[i]);
    ks_op_row row = loop_row(l, KS_ROW_STORE);
    row.read_count = 1;
    row.reads[0] = buffer(KS_ACC, l->o % 2, NULL, l->mt, l->nt);
    row.write = out->space == KS_TCM ? target : buffer(KS_WST, l->o, out, l->mt, l->nt);
    row.is_last_of_command = l->is_last && out->space == KS_TCM && !has_post(l->command);
    emit(l->b, row);
    if (out->space == KS_HBM && !has_post(l->command)) {
        const ks_access staged = row.write;
        row = loop_row(l, KS_ROW_DMA_WRITE);
        row.read_count = 1;
        row.reads[0] = staged;
        row.write = target;
        row.is_last_of_command = l->is_last;
        emit(l->b, row);
    }
    l->o++;
}

/* Post-loop ops on the whole output, then its DMA_WRITE where it goes to HBM. */
static void post(loop *l) {
    const ks_handle *out = l->gemm->out;
    const bool is_staged = out->space == KS_HBM;
    const ks_access all = is_staged ? buffer(KS_WST, 0, out, out->rows, out->cols) : whole(out);
    for (uint32_t i = 1; i < l->command->op_count; i++) {
        const ks_op *op = &l->command->ops[i];
        if (op->scope != KS_SCOPE_KERNEL) continue;
        ks_op_row row = row_of(l->command, KS_ROW_MATH, KS_PHASE_post, op);
        row.read_count = 1;
        row.reads[0] = row.write = all;
        row.is_last_of_command = !is_staged && i + 1 == l->command->op_count;
        emit(l->b, row);
    }
    if (!is_staged || !has_post(l->command)) return;
    ks_op_row row = row_of(l->command, KS_ROW_DMA_WRITE, KS_PHASE_post, l->gemm);
    row.read_count = 1;
    row.reads[0] = all;
    row.write = whole(out);
    row.is_last_of_command = true;
    emit(l->b, row);
}

static uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/* gemm a b -> out with epilogue ops (their out and handles filled in by the caller). */
UNUSED static void composite(bench *b, const ks_handle *a, const ks_handle *bb, bool is_transposed,
                             const ks_handle *out, const ks_op *epilogue, uint32_t count) {
    ks_op ops[8] = {{.kind = KS_OP_gemm, .out = out, .operand_count = 2}};
    ops[0].operands[0] = (ks_operand){"a", a};
    ops[0].operands[1] = (ks_operand){"b", bb};
    ops[0].is_b_transposed = is_transposed;
    ops[0].m = out->rows;
    ops[0].n = out->cols;
    ops[0].k = a->cols;
    for (uint32_t i = 0; i < count; i++) {
        ops[1 + i] = epilogue[i];
        ops[1 + i].out = out;
    }
    loop l = {.b = b, .command = command_of(b, ops, 1 + count)};
    l.gemm = l.command->ops;
    l.tile_m = ks_whole_of(&b->point.calibration, KS_C_gemm_tile_m);
    l.tile_n = ks_whole_of(&b->point.calibration, KS_C_gemm_tile_n);
    l.tile_k = ks_whole_of(&b->point.calibration, KS_C_gemm_tile_k);
    const uint64_t ms = ceil_div(out->rows, l.tile_m), ns = ceil_div(out->cols, l.tile_n);
    const uint64_t ks = ceil_div(a->cols, l.tile_k);
    for (l.mi = 0; l.mi < ms; l.mi++)
        for (l.ni = 0; l.ni < ns; l.ni++) {
            l.mt = part(out->rows, l.tile_m, l.mi);
            l.nt = part(out->cols, l.tile_n, l.ni);
            for (l.ki = 0; l.ki < ks; l.ki++) {
                l.kt = part(a->cols, l.tile_k, l.ki);
                step(&l);
            }
            l.ki = ks - 1;
            l.is_last = l.mi + 1 == ms && l.ni + 1 == ns;
            leave_tile(&l);
        }
    post(&l);
}

UNUSED static ks_op epilogue_op(ks_op_kind kind, ks_scope scope, float immediate,
                                const ks_handle *other) {
    ks_op op = {.kind = kind, .scope = scope, .immediate = immediate};
    if (other) op.operands[op.operand_count++] = (ks_operand){"other", other};
    return op;
}

UNUSED static const float *bench_finish(bench *b) {
    b->is_dry = false;
    bench_start(b);
    if (b->status) fail_msg("%s", ks_replay_fault(b->replay));
    if (ks_replay_finish(b->replay, &b->digest)) fail_msg("%s", ks_replay_fault(b->replay));
    return ks_replay_out(b->replay);
}

#endif
