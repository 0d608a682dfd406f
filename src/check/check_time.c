/* causal, no_stream_in_prologue and fifo: what must have ended before a stage starts. */
#include <inttypes.h>

#include "check/check_state.h"

/* ---- the rows' order ---- */

static ks_place place_of(const ks_op_row *row) {
    const bool is_stage = row->stage != KS_CPU_STAGE;
    return (ks_place){.start = row->start,
                      .is_stage = is_stage,
                      .cmd = row->cmd,
                      .index = is_stage ? (uint64_t)row->stage
                                        : (uint64_t)row->kind << 32 | row->segment};
}

static bool is_before(const ks_place *a, const ks_place *b) {
    if (a->start != b->start) return a->start < b->start;
    if (a->is_stage != b->is_stage) return b->is_stage;
    if (a->cmd != b->cmd) return a->cmd < b->cmd;
    return a->index < b->index;
}

void ks_ask_order(ks_check *check, const ks_op_row *row) {
    const ks_place place = place_of(row);
    if (row->end < row->start)
        ks_check_blame(check, KS_INVARIANT_causal, row, "ends at %s before it starts at %s",
                       KS_CYCLES(row->end), KS_CYCLES(row->start));
    else if (row->occupied_end < row->start || row->occupied_end > row->end)
        ks_check_blame(check, KS_INVARIANT_causal, row,
                       "runs from %s to %s, but its occupancy ends at %s", KS_CYCLES(row->start),
                       KS_CYCLES(row->end), KS_CYCLES(row->occupied_end));
    if (check->has_rows && row->start <= check->place.start && is_before(&place, &check->place))
        ks_check_blame(check, KS_INVARIANT_causal, row,
                       "starts at %s but comes after row %" PRIu64 " (cmd %" PRIu32
                       "), which starts at %s; rows go by start, command, stage",
                       KS_CYCLES(row->start), check->place_seq, check->place.cmd,
                       KS_CYCLES(check->place.start));
    check->place = place;
    check->place_seq = row->seq;
}

/* ---- causal ---- */

void ks_ask_dispatched(ks_check *check, const ks_live *live, const ks_op_row *row) {
    if (!live->has_dispatch)
        ks_check_blame(check, KS_INVARIANT_causal, row,
                       "starts at %s, but its command has no DISPATCH row yet",
                       KS_CYCLES(row->start));
    else if (!live->is_dispatched)
        ks_check_blame(check, KS_INVARIANT_causal, row,
                       "starts at %s, but row %" PRIu64 " is not its command's last DISPATCH",
                       KS_CYCLES(row->start), live->dispatch.seq);
    else if (row->start < live->dispatch.end)
        ks_check_blame(check, KS_INVARIANT_causal, row,
                       "starts at %s before its DISPATCH, row %" PRIu64 ", ended at %s",
                       KS_CYCLES(row->start), live->dispatch.seq, KS_CYCLES(live->dispatch.end));
}

static bool has_ended(const ks_live *live, uint32_t stage, uint64_t at) {
    return stage < live->shape->stage_count && live->seen[stage].end <= at;
}

static void blame_dep(ks_check *check, const ks_live *live, const ks_op_row *row, uint32_t dep) {
    const bool is_known = dep < live->shape->stage_count;
    const ks_seen *seen = is_known ? &live->seen[dep] : NULL;
    if (!seen || seen->end == KS_CHECK_UNSEEN)
        ks_check_blame(
            check, KS_INVARIANT_causal, row,
            "starts at %s, but stage %" PRIu32 " (%s), which it waits for, has no row yet",
            KS_CYCLES(row->start), dep,
            is_known ? ks_check_kind_name((ks_row_kind)live->shape->stages[dep].kind) : "unknown");
    else
        ks_check_blame(check, KS_INVARIANT_causal, row,
                       "starts at %s before row %" PRIu64 " (stage %" PRIu32
                       "), which it waits for, ended at %s",
                       KS_CYCLES(row->start), seen->seq, dep, KS_CYCLES(seen->end));
}

/* Stages that the model has it wait for. */
static bool are_due_deps_met(ks_check *check, const ks_live *live, const ks_op_row *row,
                             const ks_due *due) {
    const bool is_after_stores = due->dep_count == KS_CHECK_ALL_STORES;
    const uint64_t count =
        is_after_stores ? (uint64_t)live->shape->m_count * live->shape->n_count : due->dep_count;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t dep = is_after_stores ? ks_shape_store(live->shape, i) : due->deps[i];
        if (has_ended(live, dep, row->start)) continue;
        blame_dep(check, live, row, dep);
        return false;
    }
    return true;
}

/* And those that the row names. One violation a row. */
void ks_ask_deps(ks_check *check, const ks_live *live, const ks_op_row *row, const ks_due *due) {
    if (!are_due_deps_met(check, live, row, due)) return;
    /* A DMA_READ's wait for the prologue is no_stream_in_prologue's. */
    const uint32_t excepted =
        due->kind == KS_ROW_DMA_READ ? live->shape->pre_count - 1 : UINT32_MAX;
    for (uint32_t i = 0; i < row->dep_count; i++) {
        if (has_ended(live, row->deps[i], row->start) || row->deps[i] == excepted) continue;
        blame_dep(check, live, row, row->deps[i]);
        return;
    }
}

/* ---- no_stream_in_prologue ---- */

void ks_ask_prologue(ks_check *check, const ks_live *live, const ks_op_row *row) {
    if (!check->is_prologue_closed || live->shape->gemm <= 0) return;
    if (live->pre_missing)
        ks_check_blame(check, KS_INVARIANT_no_stream_in_prologue, row,
                       "starts at %s while %" PRIu32 " of the %" PRIu32
                       " ops before the gemm have no row yet",
                       KS_CYCLES(row->start), live->pre_missing, live->shape->pre_count);
    else if (row->start < live->pre.end)
        ks_check_blame(check, KS_INVARIANT_no_stream_in_prologue, row,
                       "starts at %s before row %" PRIu64 " of the prologue ended at %s",
                       KS_CYCLES(row->start), live->pre.seq, KS_CYCLES(live->pre.end));
}

/* ---- fifo ---- */

static bool shares(const ks_command *a, const ks_command *b) {
    for (uint32_t i = 0; i < a->rw_count; i++)
        for (uint32_t k = 0; k < b->rw_count; k++) {
            const ks_range x = ks_handle_range(a->rw_handles[i]),
                           y = ks_handle_range(b->rw_handles[k]);
            if (ks_range_overlaps(&x, &y)) return true;
        }
    return false;
}

static void blame_fifo(ks_check *check, const ks_live *earlier, const ks_op_row *row) {
    const uint32_t cmd = earlier->command->index;
    if (earlier->missing)
        ks_check_blame(check, KS_INVARIANT_fifo, row,
                       "starts at %s while cmd %" PRIu32 ", which shares an rw_handle, has %" PRIu32
                       " of %" PRIu32 " stages left",
                       KS_CYCLES(row->start), cmd, earlier->missing, earlier->shape->stage_count);
    else
        ks_check_blame(check, KS_INVARIANT_fifo, row,
                       "starts at %s while row %" PRIu64 " of cmd %" PRIu32
                       ", which shares an rw_handle, ends at %s",
                       KS_CYCLES(row->start), earlier->last.seq, cmd, KS_CYCLES(earlier->last.end));
}

/* With a composite's first stage: every earlier one that shares has ended, and so is left behind by
 * all its later stages too. */
void ks_ask_fifo(ks_check *check, ks_live *live, const ks_op_row *row) {
    if (live->has_started) return;
    live->has_started = true;
    if (!live->command->is_composite || !live->command->rw_count) return;
    for (ks_live *e = check->rw_first, *next; e != live; e = next) {
        next = e->after;
        if (e->missing || e->last.end > row->start) {
            if (shares(e->command, live->command)) blame_fifo(check, e, row);
        } else if (e->is_complete) {
            ks_live_unlink(check, e);
            ks_live_free(e);
        }
    }
}
