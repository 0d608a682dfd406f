#include "device/plan.h"

#include "device/engine.h"

/* Stages of one point are kept in memory; more than this (some 10 GiB) is out of memory. */
#define STAGE_LIMIT (UINT64_C(1) << 26)
#define NO_STAGE UINT32_MAX

typedef struct builder {
    const ks_command *command;
    const ks_machine *machine;
    ks_plan *plan;
    ks_stage *stages;
    uint32_t *deps;
    uint32_t count, dep_count;
    bool is_overflow;

    /* The gemm of a composite, and the loop's counters. */
    uint32_t gemm;
    const ks_handle *a, *b, *out;
    uint64_t m_count, n_count, k_count; /* tiles along each dimension */
    uint32_t k_op_count, out_op_count, post_op_count;
    uint32_t last_pre;         /* stage, or NO_STAGE */
    uint32_t *fetches, *gemms; /* by step t */
    uint32_t *stores;          /* by output tile o */
} builder;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t count_of_tiles(uint64_t extent, uint64_t tile) {
    return extent / tile + (extent % tile != 0);
}

/* A product of extents and an element size, checked against 2^63. */
static uint64_t product(builder *b, uint64_t x, uint64_t y, uint64_t z) {
    const ks_wide xy = (ks_wide)x * y;
    if (xy >= KS_TICKS_LIMIT || xy * z >= KS_TICKS_LIMIT) {
        b->is_overflow = true;
        return 0;
    }
    return (uint64_t)(xy * z);
}

static void add_total(builder *b, uint64_t *total, uint64_t figure) {
    if (figure >= KS_TICKS_LIMIT - *total)
        b->is_overflow = true;
    else
        *total += figure;
}

static ks_stage *add_stage(builder *b, ks_stage stage) {
    stage.first_dep = b->dep_count;
    stage.work.server = stage.server;
    b->stages[b->count] = stage;
    return &b->stages[b->count++];
}

static void add_dep(builder *b, uint32_t on) {
    if (on == NO_STAGE) return;
    b->deps[b->dep_count++] = on;
    b->stages[b->count - 1].dep_count++;
}

/* ---- ops on whole tensors ---- */

static const struct {
    ks_row_kind kind;
    ks_phase primitive_phase;
} whole_rows[KS_SERVER_COUNT] = {
    [KS_SERVER_DMA_RD] = {KS_ROW_DMA_READ, KS_PHASE_dma},
    [KS_SERVER_DMA_WR] = {KS_ROW_DMA_WRITE, KS_PHASE_dma},
    [KS_SERVER_GEMM] = {KS_ROW_GEMM, KS_PHASE_prim},
    [KS_SERVER_MATH] = {KS_ROW_MATH, KS_PHASE_prim},
};

static void add_whole(builder *b, uint32_t index, ks_phase phase) {
    const ks_op *op = &b->command->ops[index];
    const ks_server server = ks_op_engine(op->kind);
    ks_stage stage = {.role = KS_STAGE_WHOLE,
                      .kind = whole_rows[server].kind,
                      .phase = phase,
                      .server = server,
                      .op = index,
                      .m = KS_NO_INDEX,
                      .n = KS_NO_INDEX,
                      .k = KS_NO_INDEX};
    if (server == KS_SERVER_MATH) {
        stage.elements = ks_op_elements(op);
        stage.work = (ks_work){.op = op->kind, .size = {stage.elements}};
        add_total(b, &b->plan->math_elements, stage.elements);
    } else if (server == KS_SERVER_GEMM) {
        stage.elements = product(b, op->m, op->n, op->k);
        stage.work = (ks_work){.size = {op->m, op->n, op->k}};
        add_total(b, &b->plan->macs, stage.elements);
    } else { /* a load or store is one row on the wire */
        const bool is_read = server == KS_SERVER_DMA_RD;
        stage.bytes = ks_handle_bytes(op->out);
        stage.work = (ks_work){.size = {1, stage.bytes}};
        add_total(b, is_read ? &b->plan->read_bytes : &b->plan->write_bytes, stage.bytes);
    }
    add_stage(b, stage);
}

/* ---- the tile loop ---- */

typedef struct tile {
    uint64_t m, n, k, mt, nt, kt, step, out_tile;
} tile;

static ks_stage loop_stage(const builder *b, const tile *at, ks_stage_role role, ks_row_kind kind,
                           ks_server server) {
    return (ks_stage){.role = role,
                      .kind = kind,
                      .phase = KS_PHASE_loop,
                      .server = server,
                      .op = b->gemm,
                      .m = at->m,
                      .n = at->n,
                      .k = at->k,
                      .mt = at->mt,
                      .nt = at->nt,
                      .kt = at->kt,
                      .row = at->m * b->machine->tile_m,
                      .col = at->n * b->machine->tile_n,
                      .depth = at->k * b->machine->tile_k,
                      .step = at->step,
                      .out_tile = at->out_tile};
}

/* A tile on the wire: its rows as they lie in HBM; one row where it is as wide as its handle. */
static ks_work wire(builder *b, const ks_handle *handle, uint64_t rows, uint64_t cols) {
    const uint64_t row_bytes = cols * ks_dtype_bytes(handle->dtype);
    const bool is_one_row = cols == handle->cols;
    if (!is_one_row) return (ks_work){.size = {rows, row_bytes}};
    return (ks_work){.size = {1, product(b, rows, row_bytes, 1)}};
}

static uint32_t add_read(builder *b, const tile *at, bool is_a) {
    const ks_handle *handle = is_a ? b->a : b->b;
    if (handle->pinned) return NO_STAGE;
    const bool is_turned = !is_a && b->command->ops[b->gemm].is_b_transposed;
    const uint64_t rows = is_a ? at->mt : is_turned ? at->nt : at->kt;
    const uint64_t cols = is_a || is_turned ? at->kt : at->nt;
    ks_stage stage = loop_stage(b, at, is_a ? KS_STAGE_READ_A : KS_STAGE_READ_B, KS_ROW_DMA_READ,
                                KS_SERVER_DMA_RD);
    stage.bytes = product(b, rows, cols, ks_dtype_bytes(handle->dtype));
    stage.work = wire(b, handle, rows, cols);
    add_total(b, &b->plan->read_bytes, stage.bytes);
    add_stage(b, stage);
    /* Later steps hang on the prologue through FETCH(t - stream_buffers): services are at least
     * one cycle, so they cannot start at the instant at which the last pre op ends. */
    const uint64_t buffers = b->machine->stream_buffers;
    if (at->step >= buffers)
        add_dep(b, b->fetches[at->step - buffers]);
    else if (!b->machine->is_streaming_in_prologue)
        add_dep(b, b->last_pre);
    return b->count - 1;
}

static void add_fetch(builder *b, const tile *at, uint32_t read_a, uint32_t read_b) {
    ks_stage stage = loop_stage(b, at, KS_STAGE_FETCH, KS_ROW_FETCH, KS_SERVER_FETCH);
    const uint64_t a_bytes = product(b, at->mt, at->kt, ks_dtype_bytes(b->a->dtype));
    const uint64_t b_bytes = product(b, at->kt, at->nt, ks_dtype_bytes(b->b->dtype));
    add_total(b, &stage.bytes, a_bytes);
    add_total(b, &stage.bytes, b_bytes);
    stage.work = (ks_work){.size = {stage.bytes}};
    add_stage(b, stage);
    add_dep(b, read_a);
    add_dep(b, read_b);
    if (at->step >= b->machine->operand_buffers)
        add_dep(b, b->gemms[at->step - b->machine->operand_buffers]);
    else
        add_dep(b, b->last_pre);
    b->fetches[at->step] = b->count - 1;
}

static void add_gemm(builder *b, const tile *at, uint32_t last_of_previous_step) {
    const uint64_t buffers = b->machine->acc_buffers;
    ks_stage stage = loop_stage(b, at, KS_STAGE_GEMM, KS_ROW_GEMM, KS_SERVER_GEMM);
    stage.elements = product(b, at->mt, at->nt, at->kt);
    stage.work = (ks_work){.size = {at->mt, at->nt, at->kt}};
    add_total(b, &b->plan->macs, stage.elements);
    add_stage(b, stage);
    add_dep(b, b->fetches[at->step]);
    if (at->step) add_dep(b, b->gemms[at->step - 1]);
    if (at->k && b->k_op_count) add_dep(b, last_of_previous_step);
    if (!at->k && at->out_tile >= buffers) add_dep(b, b->stores[at->out_tile - buffers]);
    b->gemms[at->step] = b->count - 1;
}

/* The ops of one scope, in the ops' order, on the accumulator of a tile. */
static void add_tile_math(builder *b, const tile *at, ks_scope scope) {
    for (uint32_t i = b->gemm + 1; i < b->command->op_count; i++) {
        const ks_op *op = &b->command->ops[i];
        if (op->scope != scope) continue;
        ks_stage stage = loop_stage(b, at, KS_STAGE_TILE_MATH, KS_ROW_MATH, KS_SERVER_MATH);
        stage.phase = scope == KS_SCOPE_K_TILE ? KS_PHASE_ktile : KS_PHASE_otile;
        stage.op = i;
        if (scope == KS_SCOPE_OUTPUT_TILE) stage.k = KS_NO_INDEX;
        stage.elements = product(b, at->mt, at->nt, 1);
        stage.work = (ks_work){.op = op->kind, .size = {stage.elements}};
        add_total(b, &b->plan->math_elements, stage.elements);
        add_stage(b, stage);
        add_dep(b, b->count - 2);
    }
}

static void add_write_back(builder *b, const tile *at) {
    ks_stage store = loop_stage(b, at, KS_STAGE_STORE, KS_ROW_STORE, KS_SERVER_STORE);
    store.k = KS_NO_INDEX;
    store.bytes = product(b, at->mt, at->nt, ks_dtype_bytes(b->out->dtype));
    store.work = (ks_work){.size = {store.bytes}};
    add_stage(b, store);
    add_dep(b, b->count - 2);
    b->stores[at->out_tile] = b->count - 1;
    if (b->out->space != KS_HBM || b->post_op_count) return;
    ks_stage write = loop_stage(b, at, KS_STAGE_WRITE_TILE, KS_ROW_DMA_WRITE, KS_SERVER_DMA_WR);
    write.k = KS_NO_INDEX;
    write.bytes = store.bytes;
    write.work = wire(b, b->out, at->mt, at->nt);
    add_total(b, &b->plan->write_bytes, write.bytes);
    add_stage(b, write);
    add_dep(b, b->count - 2);
}

static void add_loop(builder *b) {
    const ks_op *gemm = &b->command->ops[b->gemm];
    const ks_machine *mc = b->machine;
    tile at = {0};
    for (at.m = 0; at.m < b->m_count; at.m++) {
        at.mt = smaller(mc->tile_m, gemm->m - at.m * mc->tile_m);
        for (at.n = 0; at.n < b->n_count; at.n++, at.out_tile++) {
            at.nt = smaller(mc->tile_n, gemm->n - at.n * mc->tile_n);
            for (at.k = 0; at.k < b->k_count; at.k++, at.step++) {
                at.kt = smaller(mc->tile_k, gemm->k - at.k * mc->tile_k);
                const uint32_t previous = b->count - 1;
                const uint32_t read_a = add_read(b, &at, true);
                const uint32_t read_b = add_read(b, &at, false);
                add_fetch(b, &at, read_a, read_b);
                add_gemm(b, &at, previous);
                add_tile_math(b, &at, KS_SCOPE_K_TILE);
            }
            at.k = b->k_count - 1;
            add_tile_math(b, &at, KS_SCOPE_OUTPUT_TILE);
            add_write_back(b, &at);
        }
    }
}

/* ---- after the loop ---- */

static void add_post(builder *b) {
    bool is_first = true;
    for (uint32_t i = b->gemm + 1; i < b->command->op_count; i++) {
        if (b->command->ops[i].scope != KS_SCOPE_KERNEL) continue;
        add_whole(b, i, KS_PHASE_post);
        if (!is_first) add_dep(b, b->count - 2);
        for (uint64_t o = 0; is_first && o < b->m_count * b->n_count; o++) add_dep(b, b->stores[o]);
        is_first = false;
    }
    if (is_first || b->out->space != KS_HBM) return;
    ks_stage write = {.role = KS_STAGE_WRITE_WHOLE,
                      .kind = KS_ROW_DMA_WRITE,
                      .phase = KS_PHASE_post,
                      .server = KS_SERVER_DMA_WR,
                      .op = b->gemm,
                      .m = KS_NO_INDEX,
                      .n = KS_NO_INDEX,
                      .k = KS_NO_INDEX};
    write.bytes = ks_handle_bytes(b->out);
    write.work = (ks_work){.size = {1, write.bytes}};
    add_total(b, &b->plan->write_bytes, write.bytes);
    add_stage(b, write);
    add_dep(b, b->count - 2);
}

/* ---- the whole ---- */

static void look_at_ops(builder *b) {
    const int gemm = ks_command_gemm_index(b->command);
    b->gemm = gemm < 0 ? b->command->op_count : (uint32_t)gemm;
    if (gemm < 0) return;
    const ks_op *op = &b->command->ops[gemm];
    b->a = op->operands[0].handle;
    b->b = op->operands[1].handle;
    b->out = op->out;
    b->m_count = count_of_tiles(op->m, b->machine->tile_m);
    b->n_count = count_of_tiles(op->n, b->machine->tile_n);
    b->k_count = count_of_tiles(op->k, b->machine->tile_k);
    for (uint32_t i = b->gemm + 1; i < b->command->op_count; i++) {
        const ks_scope scope = b->command->ops[i].scope;
        b->k_op_count += scope == KS_SCOPE_K_TILE;
        b->out_op_count += scope == KS_SCOPE_OUTPUT_TILE;
        b->post_op_count += scope == KS_SCOPE_KERNEL;
    }
}

/* Room for every stage and dependency: at most 4 stages and 9 dependencies a step and 3 a tile. */
static ks_status make_room(builder *b, ks_arena *arena) {
    const ks_wide out_tiles = (ks_wide)b->m_count * b->n_count;
    const ks_wide steps = out_tiles < STAGE_LIMIT ? out_tiles * b->k_count : STAGE_LIMIT;
    const ks_wide stages =
        b->command->op_count + 1 + steps * (4 + b->k_op_count) + out_tiles * (2 + b->out_op_count);
    if (stages >= STAGE_LIMIT) return KS_NO_MEMORY;
    const size_t deps = (size_t)(2 * stages + 5 * steps + out_tiles);
    b->stages = ks_arena_take(arena, (size_t)stages, sizeof *b->stages);
    b->deps = ks_arena_take(arena, deps, sizeof *b->deps);
    b->fetches = ks_arena_take(arena, (size_t)steps, sizeof *b->fetches);
    b->gemms = ks_arena_take(arena, (size_t)steps, sizeof *b->gemms);
    b->stores = ks_arena_take(arena, (size_t)out_tiles, sizeof *b->stores);
    return b->stages && b->deps && b->fetches && b->gemms && b->stores ? KS_OK : KS_NO_MEMORY;
}

/* Turns "waits for" into "is waited for by". */
static ks_status add_nexts(builder *b, ks_arena *arena) {
    uint32_t *nexts = ks_arena_take(arena, b->dep_count, sizeof *nexts);
    if (!nexts) return KS_NO_MEMORY;
    for (uint32_t d = 0; d < b->dep_count; d++) b->stages[b->deps[d]].next_count++;
    uint32_t first = 0;
    for (uint32_t s = 0; s < b->count; s++) {
        b->stages[s].first_next = first;
        first += b->stages[s].next_count;
        b->stages[s].next_count = 0;
    }
    for (uint32_t s = 0; s < b->count; s++)
        for (uint32_t d = 0; d < b->stages[s].dep_count; d++) {
            ks_stage *on = &b->stages[b->deps[b->stages[s].first_dep + d]];
            nexts[on->first_next + on->next_count++] = s;
        }
    b->plan->nexts = nexts;
    return KS_OK;
}

ks_status ks_plan_shape(const ks_command *command, const ks_machine *machine, ks_arena *arena,
                        ks_plan *plan) {
    builder b = {.command = command, .machine = machine, .plan = plan, .last_pre = NO_STAGE};
    *plan = (ks_plan){.stream_buffers = machine->stream_buffers,
                      .operand_buffers = machine->operand_buffers,
                      .acc_buffers = machine->acc_buffers};
    look_at_ops(&b);
    ks_status status = make_room(&b, arena);
    if (status) return status;
    for (uint32_t i = 0; i < b.gemm; i++) {
        const ks_phase phase = b.gemm < command->op_count ? KS_PHASE_pre : KS_PHASE_single;
        const ks_server server = ks_op_engine(command->ops[i].kind);
        add_whole(&b, i, command->is_composite ? phase : whole_rows[server].primitive_phase);
        if (i) add_dep(&b, b.count - 2);
        b.last_pre = b.count - 1;
    }
    if (b.gemm < command->op_count && command->is_composite) {
        add_loop(&b);
        add_post(&b);
    } else if (b.gemm < command->op_count) {
        add_whole(&b, b.gemm, KS_PHASE_prim);
    }
    if (b.is_overflow) return KS_INPUT;
    plan->stage_count = b.count;
    plan->stages = b.stages;
    plan->deps = b.deps;
    return add_nexts(&b, arena);
}

ks_status ks_plan_build(const ks_command *command, const ks_machine *machine, ks_arena *arena,
                        ks_plan *plan) {
    const ks_status status = ks_plan_shape(command, machine, arena, plan);
    if (status) return status;
    ks_stage *stages = (ks_stage *)plan->stages; /* ours, and nobody has seen them */
    for (uint32_t s = 0; s < plan->stage_count; s++) {
        stages[s].service_ticks = ks_work_ticks(machine, &stages[s].work);
        if (stages[s].service_ticks == UINT64_MAX) return KS_INPUT;
    }
    return KS_OK;
}
