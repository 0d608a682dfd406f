/* Of the rows that ended at this instant, the one that the critical path takes (MODEL.md section
 * 7): dependencies of the stage, what let its command start, its server's previous stage; of these
 * the smallest (command, stage). Of one row's completion and occupancy the completion. */
#include "device/core.h"

static uint32_t completion_lane(const ks_step *step) {
    return step->lane < KS_DMA_LANES ? KS_LANE_DMA_RD_DONE + step->lane : step->lane;
}

const ks_mark *ks_cause_of_stage(const ks_core *core, const ks_launch *launch,
                                 const ks_step *step) {
    const ks_step *steps = step - step->index;
    const ks_mark *best = NULL;
    for (uint32_t i = 0; i < step->dep_count; i++) {
        const uint32_t dep = step->deps[i], lane = completion_lane(&steps[dep]);
        if (ks_core_has_ended(core, lane) && core->ended[lane]->order == launch->order + dep)
            best = ks_mark_first(best, core->ended[lane]);
    }
    if (launch->start_ticks == core->now) best = ks_mark_first(best, launch->start);
    if (ks_core_has_ended(core, step->lane)) best = ks_mark_first(best, core->ended[step->lane]);
    if (!best) KS_BUG("a stage starts though nothing ended");
    return best;
}
