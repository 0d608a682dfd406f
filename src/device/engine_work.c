/* The service of any stage, by its server. */
#include "device/machine.h"

static uint64_t dma(const ks_machine *m, const ks_work *w) {
    return ks_dma_occupancy_ticks(m, w->size[0], w->size[1]);
}

static uint64_t fetch(const ks_machine *m, const ks_work *w) {
    return ks_fetch_ticks(m, w->size[0]);
}

static uint64_t store(const ks_machine *m, const ks_work *w) {
    return ks_store_ticks(m, w->size[0]);
}

static uint64_t gemm(const ks_machine *m, const ks_work *w) {
    return ks_gemm_ticks(m, w->size[0], w->size[1], w->size[2]);
}

static uint64_t math(const ks_machine *m, const ks_work *w) {
    return ks_math_ticks(m, (ks_op_kind)w->op, w->size[0]);
}

uint64_t ks_work_ticks(const ks_machine *machine, const ks_work *work) {
    static uint64_t (*const by_server[KS_SERVER_COUNT])(const ks_machine *, const ks_work *) = {
        [KS_SERVER_DMA_RD] = dma,  [KS_SERVER_DMA_WR] = dma, [KS_SERVER_FETCH] = fetch,
        [KS_SERVER_STORE] = store, [KS_SERVER_GEMM] = gemm,  [KS_SERVER_MATH] = math,
    };
    return by_server[work->server](machine, work);
}
