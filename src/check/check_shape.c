/* The stages of a command as MODEL.md section 6 has them, once for all commands of one shape. */
#include "check/check_state.h"

#define STAGE_LIMIT (UINT64_C(1) << 26)

static uint64_t tiles(uint64_t extent, uint64_t tile) {
    return extent / tile + (extent % tile != 0);
}

/* ---- where a stage stands, counted ---- */

static uint32_t step_base(const ks_shape *s, uint64_t step) {
    return (uint32_t)(s->pre_count + step / s->k_count * s->tile_stages +
                      step % s->k_count * s->step_stages);
}

static uint32_t fetch_of(const ks_shape *s, uint64_t step) {
    return step_base(s, step) + s->has_stream[0] + s->has_stream[1];
}

static uint32_t gemm_of(const ks_shape *s, uint64_t step) { return fetch_of(s, step) + 1; }

uint32_t ks_shape_store(const ks_shape *shape, uint64_t out_tile) {
    return (uint32_t)(shape->pre_count + (out_tile + 1) * shape->tile_stages - 1 -
                      shape->has_tile_write);
}

/* ---- making the stages ---- */

typedef struct maker {
    const ks_check *check;
    const ks_command *command;
    ks_shape *shape;
    uint32_t count;
    uint64_t step, out_tile;
    uint32_t m, n, k;
} maker;

static ks_due *add(maker *mk, ks_check_role role, ks_row_kind kind, ks_phase phase, uint32_t op) {
    ks_due *due = &mk->shape->stages[mk->count++];
    *due = (ks_due){.role = (uint8_t)role,
                    .kind = (uint8_t)kind,
                    .phase = (uint8_t)phase,
                    .op = op,
                    .m = KS_CHECK_NO_TILE,
                    .n = KS_CHECK_NO_TILE,
                    .k = KS_CHECK_NO_TILE};
    return due;
}

static void add_dep(ks_due *due, uint32_t stage) { due->deps[due->dep_count++] = stage; }

static void add_dep_before(const maker *mk, ks_due *due) { add_dep(due, mk->count - 2); }

static void add_whole(maker *mk, uint32_t index, ks_phase phase) {
    static const struct {
        ks_row_kind kind;
        ks_phase primitive;
    } rules[KS_SERVER_COUNT] = {
        [KS_SERVER_DMA_RD] = {KS_ROW_DMA_READ, KS_PHASE_dma},
        [KS_SERVER_DMA_WR] = {KS_ROW_DMA_WRITE, KS_PHASE_dma},
        [KS_SERVER_GEMM] = {KS_ROW_GEMM, KS_PHASE_prim},
        [KS_SERVER_MATH] = {KS_ROW_MATH, KS_PHASE_prim},
    };
    const ks_server engine = ks_op_engine(mk->command->ops[index].kind);
    const ks_phase own = mk->command->is_composite ? phase : rules[engine].primitive;
    ks_due *due = add(mk, KS_ROLE_WHOLE, rules[engine].kind, own, index);
    if (index && phase != KS_PHASE_post) add_dep_before(mk, due);
}

static ks_due *add_loop(maker *mk, ks_check_role role, ks_row_kind kind, uint64_t in,
                        uint64_t out) {
    ks_due *due = add(mk, role, kind, KS_PHASE_loop, (uint32_t)mk->shape->gemm);
    due->m = mk->m;
    due->n = mk->n;
    due->k = mk->k;
    due->slot_in = (uint32_t)in;
    due->slot_out = (uint32_t)out;
    return due;
}

/* A read may come at any time after the prologue, which no_stream_in_prologue asks. */
static void add_read(maker *mk, uint32_t side, uint64_t staging) {
    if (!mk->shape->has_stream[side]) return;
    ks_due *due =
        add_loop(mk, side ? KS_ROLE_READ_B : KS_ROLE_READ_A, KS_ROW_DMA_READ, 0, staging + side);
    const uint64_t buffers = mk->check->stream_buffers;
    if (mk->step >= buffers) add_dep(due, fetch_of(mk->shape, mk->step - buffers));
}

static void add_fetch(maker *mk, uint64_t staging, uint64_t operands) {
    const ks_shape *s = mk->shape;
    const uint32_t reads = (uint32_t)s->has_stream[0] + s->has_stream[1];
    ks_due *due = add_loop(mk, KS_ROLE_FETCH, KS_ROW_FETCH, staging, operands);
    for (uint32_t i = 0; i < reads; i++) add_dep(due, mk->count - 2 - i);
    const uint64_t buffers = mk->check->operand_buffers;
    if (mk->step >= buffers)
        add_dep(due, gemm_of(s, mk->step - buffers));
    else if (s->pre_count)
        add_dep(due, s->pre_count - 1);
}

static void add_gemm(maker *mk, uint64_t operands, uint64_t accumulator) {
    const ks_shape *s = mk->shape;
    const uint64_t buffers = mk->check->acc_buffers;
    ks_due *due = add_loop(mk, KS_ROLE_GEMM, KS_ROW_GEMM, operands, accumulator);
    add_dep_before(mk, due);
    if (mk->step) add_dep(due, gemm_of(s, mk->step - 1));
    /* The previous step's last K_TILE op; without one it is that step's GEMM once more. */
    if (mk->k) add_dep(due, step_base(s, mk->step) - 1);
    if (!mk->k && mk->out_tile >= buffers) add_dep(due, ks_shape_store(s, mk->out_tile - buffers));
}

static void add_tile_math(maker *mk, ks_scope scope, uint64_t accumulator) {
    for (uint32_t i = (uint32_t)mk->shape->gemm + 1; i < mk->command->op_count; i++) {
        if (mk->command->ops[i].scope != scope) continue;
        ks_due *due = add_loop(mk, KS_ROLE_TILE_MATH, KS_ROW_MATH, accumulator, accumulator);
        due->phase = scope == KS_SCOPE_K_TILE ? KS_PHASE_ktile : KS_PHASE_otile;
        due->op = i;
        add_dep_before(mk, due);
    }
}

static void add_step(maker *mk, uint64_t accumulator) {
    const ks_check *c = mk->check;
    const uint64_t staging = 2 * (mk->step % c->stream_buffers);
    const uint64_t operands = mk->step % c->operand_buffers;
    add_read(mk, 0, staging);
    add_read(mk, 1, staging);
    add_fetch(mk, staging, operands);
    add_gemm(mk, operands, accumulator);
    add_tile_math(mk, KS_SCOPE_K_TILE, accumulator);
    mk->step++;
}

static void add_out_tile(maker *mk) {
    const uint64_t accumulator = mk->out_tile % mk->check->acc_buffers;
    for (mk->k = 0; mk->k < mk->shape->k_count; mk->k++) add_step(mk, accumulator);
    mk->k = KS_CHECK_NO_TILE;
    add_tile_math(mk, KS_SCOPE_OUTPUT_TILE, accumulator);
    ks_due *store = add_loop(mk, KS_ROLE_STORE, KS_ROW_STORE, accumulator, mk->out_tile);
    add_dep_before(mk, store);
    if (mk->shape->has_tile_write) {
        ks_due *write = add_loop(mk, KS_ROLE_WRITE_TILE, KS_ROW_DMA_WRITE, mk->out_tile, 0);
        add_dep_before(mk, write);
    }
    mk->out_tile++;
}

static void add_post(maker *mk) {
    bool is_first = true;
    for (uint32_t i = (uint32_t)mk->shape->gemm + 1; i < mk->command->op_count; i++) {
        if (mk->command->ops[i].scope != KS_SCOPE_KERNEL) continue;
        add_whole(mk, i, KS_PHASE_post);
        ks_due *due = &mk->shape->stages[mk->count - 1];
        if (is_first)
            due->dep_count = KS_CHECK_ALL_STORES;
        else
            add_dep_before(mk, due);
        is_first = false;
    }
    if (is_first || !mk->shape->has_write) return;
    ks_due *write =
        add(mk, KS_ROLE_WRITE_WHOLE, KS_ROW_DMA_WRITE, KS_PHASE_post, (uint32_t)mk->shape->gemm);
    add_dep_before(mk, write);
}

static void add_all(maker *mk) {
    ks_shape *s = mk->shape;
    for (uint32_t i = 0; i < s->pre_count; i++)
        add_whole(mk, i, s->gemm < 0 ? KS_PHASE_single : KS_PHASE_pre);
    if (s->gemm < 0) return;
    for (mk->m = 0; mk->m < s->m_count; mk->m++)
        for (mk->n = 0; mk->n < s->n_count; mk->n++) add_out_tile(mk);
    add_post(mk);
}

/* ---- counting them first ---- */

/* False when there are more than a machine could have run. */
static bool count_stages(const ks_check *check, const ks_command *command, ks_shape *s) {
    const int gemm = command->is_composite ? ks_command_gemm_index(command) : -1;
    s->gemm = gemm;
    s->pre_count = gemm < 0 ? command->op_count : (uint32_t)gemm;
    s->stage_count = s->pre_count;
    if (gemm < 0) return true;

    const ks_op *op = &command->ops[gemm];
    uint32_t by_scope[3] = {0};
    for (uint32_t i = (uint32_t)gemm + 1; i < command->op_count; i++)
        by_scope[command->ops[i].scope]++;
    const uint32_t post = by_scope[KS_SCOPE_KERNEL];
    for (int side = 0; side < 2; side++) s->has_stream[side] = !op->operands[side].handle->pinned;
    s->has_write = op->out->space == KS_HBM;
    const uint64_t m = tiles(op->m, check->tile_m), n = tiles(op->n, check->tile_n),
                   k = tiles(op->k, check->tile_k);
    if (m >= STAGE_LIMIT || n >= STAGE_LIMIT || k >= STAGE_LIMIT) return false;
    s->m_count = (uint32_t)m;
    s->n_count = (uint32_t)n;
    s->k_count = (uint32_t)k;
    s->step_stages = 2 + (uint32_t)s->has_stream[0] + s->has_stream[1] + by_scope[KS_SCOPE_K_TILE];
    s->has_tile_write = s->has_write && !post;
    const uint64_t tile =
        k * s->step_stages + by_scope[KS_SCOPE_OUTPUT_TILE] + 1 + s->has_tile_write;
    if (tile >= STAGE_LIMIT || m * n >= STAGE_LIMIT || m * n * tile >= STAGE_LIMIT) return false;
    s->tile_stages = (uint32_t)tile;
    s->stage_count += (uint32_t)(m * n * tile) + post + (s->has_write && post);
    return true;
}

static ks_shape *make(ks_check *check, const ks_command *command) {
    ks_shape *shape = ks_arena_take(check->arena, 1, sizeof *shape);
    if (!shape || !count_stages(check, command, shape)) return NULL;
    shape->sample = command;
    shape->stages = ks_arena_take(check->arena, shape->stage_count, sizeof *shape->stages);
    if (!shape->stages) return NULL;
    maker mk = {.check = check, .command = command, .shape = shape};
    add_all(&mk);
    shape->next = check->shapes;
    check->shapes = shape;
    return shape;
}

/* ---- finding them again ---- */

static bool is_same_op(const ks_op *a, const ks_op *b, bool is_head) {
    if (a->kind != b->kind || a->scope != b->scope) return false;
    if (!is_head) return true;
    return a->m == b->m && a->n == b->n && a->k == b->k && a->out->space == b->out->space &&
           a->operands[0].handle->pinned == b->operands[0].handle->pinned &&
           a->operands[1].handle->pinned == b->operands[1].handle->pinned;
}

static bool has_shape(const ks_shape *shape, const ks_command *command) {
    const ks_command *sample = shape->sample;
    if (sample->is_composite != command->is_composite || sample->op_count != command->op_count)
        return false;
    for (uint32_t i = 0; i < command->op_count; i++)
        if (!is_same_op(&sample->ops[i], &command->ops[i], shape->gemm == (int)i)) return false;
    return true;
}

ks_shape *ks_shape_of(ks_check *check, const ks_command *command) {
    for (ks_shape *s = check->shapes; s; s = s->next)
        if (has_shape(s, command)) return s;
    return make(check, command);
}
