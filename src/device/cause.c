/* The critical path, carried forward: every stage in service knows the ticks by resource along
 * the path to its start, so no history is kept and no walk back is needed. */
#include "device/run.h"

void ks_candidate_offer(ks_candidate *best, const ks_candidate *offered) {
    const ks_cause *b = &best->cause, *o = &offered->cause;
    if (!o->is_set) return;
    if (!b->is_set || o->cmd < b->cmd || (o->cmd == b->cmd && o->stage < b->stage))
        *best = *offered;
}

static const ks_resource resource_of[KS_SERVER_COUNT] = {
    [KS_SERVER_CPU] = KS_RESOURCE_cpu,       [KS_SERVER_DMA_RD] = KS_RESOURCE_dma_rd,
    [KS_SERVER_DMA_WR] = KS_RESOURCE_dma_wr, [KS_SERVER_FETCH] = KS_RESOURCE_fetch,
    [KS_SERVER_STORE] = KS_RESOURCE_store,   [KS_SERVER_GEMM] = KS_RESOURCE_gemm,
    [KS_SERVER_MATH] = KS_RESOURCE_math,
};

ks_candidate ks_candidate_of_stage(const ks_run *run, const ks_instance *instance, uint32_t stage) {
    const ks_stage *s = &instance->template->plan.stages[stage];
    ks_candidate candidate = {
        .cause = {.is_set = true, .cmd = instance->command->index, .stage = stage},
        .path = instance->stages[stage].path};
    candidate.path.ticks[resource_of[s->server]] += s->service_ticks;
    if (s->server == KS_SERVER_DMA_RD || s->server == KS_SERVER_DMA_WR)
        candidate.path.ticks[KS_RESOURCE_dma_lat] += run->machine->dma_latency_ticks;
    return candidate;
}
