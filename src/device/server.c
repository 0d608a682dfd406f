/* The engines: one stage at a time each, first ready first served. */
#include "device/run.h"

static bool is_before(const ks_ready *a, const ks_ready *b) {
    if (a->ready_ticks != b->ready_ticks) return a->ready_ticks < b->ready_ticks;
    if (a->instance->command->index != b->instance->command->index)
        return a->instance->command->index < b->instance->command->index;
    return a->stage < b->stage;
}

/* Time does not run back, so a new entry passes only others of this instant. */
void ks_server_add_ready(ks_run *run, ks_instance *instance, uint32_t stage) {
    ks_queue *ready = &run->servers[instance->template->plan.stages[stage].server].ready;
    const ks_ready entry = {run->now, instance, stage};
    if (!ks_queue_add(run, ready)) return;
    size_t place = ready->count - 1;
    for (; place > 0; place--) {
        const ks_ready *before = ks_queue_at(ready, place - 1);
        if (!is_before(&entry, before)) break;
        *(ks_ready *)ks_queue_at(ready, place) = *before;
    }
    *(ks_ready *)ks_queue_at(ready, place) = entry;
}

static void note_completed(ks_run *run, const ks_instance *instance, uint32_t stage) {
    if (run->completed_count == run->completed_room) {
        const uint64_t room = run->completed_room ? 2 * run->completed_room : 8;
        ks_candidate *completed = ks_run_take(run, room, sizeof *completed);
        bool *is_composite = ks_run_take(run, room, sizeof *is_composite);
        if (!completed || !is_composite) return;
        for (uint64_t i = 0; i < run->completed_count; i++) {
            completed[i] = run->completed[i];
            is_composite[i] = run->is_completed_composite[i];
        }
        run->completed = completed;
        run->is_completed_composite = is_composite;
        run->completed_room = room;
    }
    run->completed[run->completed_count] = ks_candidate_of_stage(run, instance, stage);
    run->is_completed_composite[run->completed_count++] = instance->command->is_composite;
}

static void complete_command(ks_run *run, ks_instance *instance, uint32_t stage) {
    note_completed(run, instance, stage);
    if (run->status) return;
    const ks_candidate *last = &run->completed[run->completed_count - 1];
    if (run->now > run->timeline->total_ticks || !run->timeline->last.is_set ||
        last->cause.cmd < run->timeline->last.cmd) {
        run->timeline->last = last->cause;
        for (int r = 0; r < KS_RESOURCE_COUNT; r++)
            run->timeline->path_ticks[r] = last->path.ticks[r];
    }
    run->timeline->total_ticks = run->now;
    run->is_complete[instance->command->index] = true;
    if (instance->command->is_composite) ks_scheduler_complete(run, instance);
    ks_instance_free(instance);
}

static void complete_stage(ks_run *run, ks_instance *instance, uint32_t stage) {
    const ks_plan *plan = &instance->template->plan;
    const ks_stage *s = &plan->stages[stage];
    for (uint32_t i = 0; i < s->next_count; i++) {
        const uint32_t next = plan->nexts[s->first_next + i];
        if (--instance->stages[next].missing == 0) ks_server_add_ready(run, instance, next);
    }
    if (--instance->remaining == 0) complete_command(run, instance, stage);
}

void ks_server_complete_all(ks_run *run) {
    for (int i = KS_SERVER_CPU + 1; i < KS_SERVER_COUNT; i++) {
        ks_server_state *server = &run->servers[i];
        if (server->is_busy && server->occupied_end == run->now) server->is_busy = false;
        while (server->in_service.count && !run->status) {
            const ks_in_service done = *(ks_in_service *)ks_queue_at(&server->in_service, 0);
            if (done.end != run->now) break;
            ks_queue_drop(&server->in_service);
            complete_stage(run, done.instance, done.stage);
        }
    }
}

/* Of the rows that ended at this instant, the one that the critical path takes. */
static ks_candidate cause_of(const ks_run *run, const ks_server_state *server,
                             const ks_ready *ready) {
    const ks_instance *instance = ready->instance;
    const ks_plan *plan = &instance->template->plan;
    const ks_stage *stage = &plan->stages[ready->stage];
    ks_candidate best = {0};
    for (uint32_t i = 0; i < stage->dep_count; i++) {
        const uint32_t dep = plan->deps[stage->first_dep + i];
        if (instance->stages[dep].end != run->now) continue;
        const ks_candidate offered = ks_candidate_of_stage(run, instance, dep);
        ks_candidate_offer(&best, &offered);
    }
    if (instance->start_ticks == run->now) ks_candidate_offer(&best, &instance->start);
    /* Last: with no latency the same row's completion is the one to name. */
    if (server->occupied_end == run->now) ks_candidate_offer(&best, &server->previous);
    return best;
}

static void start_stage(ks_run *run, ks_server_state *server, const ks_ready *ready) {
    ks_instance *instance = ready->instance;
    const ks_plan *plan = &instance->template->plan;
    const ks_stage *stage = &plan->stages[ready->stage];
    ks_stage_state *state = &instance->stages[ready->stage];
    const bool is_dma = stage->server == KS_SERVER_DMA_RD || stage->server == KS_SERVER_DMA_WR;
    const uint64_t latency = is_dma ? run->machine->dma_latency_ticks : 0;
    const ks_candidate cause = cause_of(run, server, ready);

    state->path = cause.path;
    server->is_busy = true;
    server->occupied_end = run->now + stage->service_ticks; /* both below 2^63 */
    state->end = server->occupied_end + latency;
    if (server->occupied_end >= KS_TICKS_LIMIT || latency >= KS_TICKS_LIMIT - server->occupied_end)
        run->status = KS_INPUT;
    server->previous = ks_candidate_of_stage(run, instance, ready->stage);
    server->previous.cause.is_occupancy = is_dma;
    server->previous.path.ticks[KS_RESOURCE_dma_lat] -= latency;
    run->timeline->busy_ticks[stage->server] += stage->service_ticks;
    ks_in_service *slot = ks_queue_add(run, &server->in_service);
    if (slot) *slot = (ks_in_service){state->end, instance, ready->stage};
    ks_event_add(run, &(ks_event){.kind = stage->kind,
                                  .cmd = instance->command->index,
                                  .stage = ready->stage,
                                  .command = instance->command,
                                  .plan = plan,
                                  .start = run->now,
                                  .occupied_end = server->occupied_end,
                                  .end = state->end,
                                  .cause = cause.cause});
}

void ks_server_start_all(ks_run *run) {
    for (int i = KS_SERVER_CPU + 1; i < KS_SERVER_COUNT && !run->status; i++) {
        ks_server_state *server = &run->servers[i];
        if (server->is_busy || !server->ready.count) continue;
        const ks_ready ready = *(ks_ready *)ks_queue_at(&server->ready, 0);
        ks_queue_drop(&server->ready);
        start_stage(run, server, &ready);
    }
}
