#include "device/core.h"
#include "device/engine.h"

enum { FIRST_RING = 16 };

void *ks_core_take(ks_core *core, size_t count, size_t item_bytes) {
    void *piece = ks_arena_take(core->arena, count, item_bytes);
    if (!piece && !core->status) core->status = KS_NO_MEMORY;
    return piece;
}

static uint32_t power_of_two_from(uint64_t count) {
    uint32_t room = 1;
    while (room < count) room *= 2;
    return room;
}

static void prepare_servers(ks_core *core) {
    static const ks_resource resources[KS_SERVER_LANES] = {
        [KS_LANE_DMA_RD] = KS_RESOURCE_dma_rd, [KS_LANE_DMA_WR] = KS_RESOURCE_dma_wr,
        [KS_LANE_FETCH] = KS_RESOURCE_fetch,   [KS_LANE_STORE] = KS_RESOURCE_store,
        [KS_LANE_GEMM] = KS_RESOURCE_gemm,     [KS_LANE_MATH] = KS_RESOURCE_math,
    };
    ks_task_ref *ready = ks_core_take(core, FIRST_RING * KS_SERVER_LANES, sizeof *ready);
    for (int i = 0; ready && i < KS_SERVER_LANES; i++) {
        ks_server_state *server = &core->servers[i];
        server->resource = resources[i];
        server->ready = ready + i * FIRST_RING;
        server->mask = FIRST_RING - 1;
        server->instant = KS_NEVER;
        server->mark = &server->marks[0];
        server->last = &server->marks[1];
        server->marks[0].is_occupancy = server->marks[1].is_occupancy = i < KS_DMA_LANES;
    }
    for (int i = 0; i < KS_DMA_LANES; i++) {
        core->latencies[i].mask = FIRST_RING - 1;
        core->latencies[i].entries =
            ks_core_take(core, FIRST_RING, sizeof *core->latencies[i].entries);
    }
    core->pending[0].time = KS_NEVER;
    core->next = core->pending;
    core->idle = (1u << KS_SERVER_LANES) - 1;
}

static void prepare(ks_core *core) {
    const uint64_t most_places = (uint64_t)core->script->command_count + 1;
    const uint64_t depth = core->script->machine->queue_depth;
    prepare_servers(core);
    core->place_count = depth < most_places ? depth : most_places;
    core->arrived_mask = power_of_two_from(core->place_count) - 1;
    core->arrived = ks_core_take(core, core->arrived_mask + 1, sizeof *core->arrived);
    core->in_flight = ks_core_take(core, core->place_count, sizeof(ks_launch *));
    core->free = ks_core_take(core, core->script->template_count, sizeof(ks_launch *));
    core->is_complete = ks_core_take(core, core->script->command_count, sizeof *core->is_complete);
    core->cpu.dispatch_end = core->cpu.waited_at = KS_NEVER;
    core->closed = KS_NO_COMMAND;
    if (core->script->loop.left_out) core->forward = ks_forward_new(core);
    core->open_event = SIZE_MAX;
}

/* ---- figures ---- */

static bool set_sum(uint64_t *figure, ks_wide sum) {
    *figure = (uint64_t)sum;
    return sum < KS_TICKS_LIMIT;
}

/* What does not depend on the order of things: every command is launched once. */
static bool sum_commands(const ks_script *script, ks_timeline *t) {
    ks_wide busy[KS_SERVER_COUNT] = {0}, read = 0, written = 0, macs = 0, elements = 0;
    for (uint32_t i = 0; i < script->template_count; i++) {
        const ks_template *template = script->templates[i];
        const ks_wide uses = template->use_count; /* below 2^64, and figures below 2^63 */
        for (int s = 0; s < KS_SERVER_COUNT; s++) busy[s] += uses * template->busy_ticks[s];
        busy[KS_SERVER_CPU] += uses * template->dispatch_ticks;
        read += uses * template->plan.read_bytes;
        written += uses * template->plan.write_bytes;
        macs += uses * template->plan.macs;
        elements += uses * template->plan.math_elements;
    }
    bool is_fine = set_sum(&t->read_bytes, read);
    is_fine &= set_sum(&t->write_bytes, written);
    is_fine &= set_sum(&t->macs, macs);
    is_fine &= set_sum(&t->math_elements, elements);
    for (int s = 0; s < KS_SERVER_COUNT; s++) is_fine &= set_sum(&t->busy_ticks[s], busy[s]);
    return is_fine;
}

/* The last instant of a run is the last completion. */
static void set_path(const ks_core *core, ks_timeline *t) {
    const ks_mark *last = NULL;
    for (uint32_t i = 0; i < core->finished_count; i++)
        last = ks_mark_first(last, core->finished[i].mark);
    if (!last) return; /* a program without commands */
    t->total_ticks = core->now;
    t->last = (ks_cause){.is_set = true,
                         .cmd = ks_order_cmd(last->order),
                         .stage = (int64_t)(last->order & UINT32_MAX) - 1};
    for (int r = 0; r < KS_RESOURCE_COUNT; r++) t->path_ticks[r] = last->path.ticks[r];
}

ks_status ks_script_run(const ks_script *script, ks_arena *arena, const ks_event_sink *sink,
                        ks_timeline *timeline) {
    *timeline = (ks_timeline){0};
    if (!sum_commands(script, timeline)) return KS_INPUT;
    ks_core *core = ks_arena_take(arena, 1, sizeof *core); /* too large for a small stack */
    if (!core) return KS_NO_MEMORY;
    *core = (ks_core){.script = script,
                      .instructions = script->instructions,
                      .instruction_count = script->instruction_count,
                      .arena = arena,
                      .timeline = timeline,
                      .sink = sink};
    if (sink && script->loop.left_out) KS_BUG("events of tiles that are left out");
    prepare(core);
    const ks_forward *forward = core->forward;
    if (!core->status) ks_core_run(core);
    if (sink) ks_event_end(core);
    if (core->status) return core->status;
    if (core->cpu.mode != KS_CPU_DONE) KS_BUG("the machine stands still before the program's end");
    set_path(core, timeline);
    return forward ? ks_forward_end(forward, script, timeline) : KS_OK;
}

ks_status ks_timeline_run(const ks_program *program, const ks_machine *machine, ks_arena *arena,
                          const ks_event_sink *sink, ks_timeline *timeline) {
    ks_script script;
    ks_status status = ks_script_build(program, machine, arena, &script);
    if (!status) status = ks_script_time(&script, machine);
    return status ? status : ks_script_run(&script, arena, sink, timeline);
}
