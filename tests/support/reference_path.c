#include "support/reference_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <cmocka.h>

reference_row *reference_add(reference_history *history) {
    if (history->count == history->room) {
        history->room = history->room ? 2 * history->room : 64;
        history->rows = realloc(history->rows, history->room * sizeof(reference_row *));
        assert_non_null(history->rows);
    }
    reference_row *row = calloc(1, sizeof *row);
    assert_non_null(row);
    return history->rows[history->count++] = row;
}

void reference_free(reference_history *history) {
    for (size_t i = 0; i < history->count; i++) free(history->rows[i]);
    free(history->rows);
    free(history->by_end);
    free(history->sent_by);
    free(history->waited_by);
    *history = (reference_history){0};
}

/* ---- orders ---- */

static int sign(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static const ks_event *event_of(const void *slot) {
    return &(*(reference_row *const *)slot)->event;
}

/* (start, PE_CPU first, cmd, stage or kind, segment); the row kinds are in the order asked for. */
static int in_log_order(const void *left, const void *right) {
    const ks_event *a = event_of(left), *b = event_of(right);
    const bool is_cpu_a = a->stage == KS_CPU_STAGE, is_cpu_b = b->stage == KS_CPU_STAGE;
    if (a->start != b->start) return sign(a->start, b->start);
    if (is_cpu_a != is_cpu_b) return is_cpu_a ? -1 : 1;
    if (a->cmd != b->cmd) return sign(a->cmd, b->cmd);
    if (!is_cpu_a) return sign((uint64_t)a->stage, (uint64_t)b->stage);
    if (a->kind != b->kind) return sign(a->kind, b->kind);
    return sign(a->segment, b->segment);
}

static int by_end(const void *left, const void *right) {
    return sign(event_of(left)->end, event_of(right)->end);
}

void reference_sort(reference_history *history) {
    const size_t count = history->count;
    const ks_program *program = history->program;
    history->by_end = malloc((count + 1) * sizeof(reference_row *));
    history->sent_by = calloc(program->command_count + 1u, sizeof(size_t));
    history->waited_by = malloc((program->command_count + 1u) * sizeof(size_t));
    assert_true(history->by_end && history->sent_by && history->waited_by);
    for (uint32_t c = 0; c < program->command_count; c++) history->waited_by[c] = SIZE_MAX;
    for (size_t i = program->instruction_count; i-- > 0;) {
        const ks_instruction *at = &program->instructions[i];
        (at->kind == KS_WAIT ? history->waited_by : history->sent_by)[at->command] = i;
    }
    for (size_t i = 0; i < count; i++) history->by_end[i] = history->rows[i];
    qsort(history->rows, count, sizeof(reference_row *), in_log_order);
    qsort(history->by_end, count, sizeof(reference_row *), by_end);
}

/* The first row of by_end that ends at `instant` or later. */
static size_t first_ending(const reference_history *history, uint64_t instant) {
    size_t low = 0, high = history->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (history->by_end[middle]->event.end < instant)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- candidates ---- */

static bool waits_for(const ks_event *stage, int64_t other) {
    const ks_stage *s = &stage->plan->stages[stage->stage];
    for (uint32_t i = 0; i < s->dep_count; i++)
        if (stage->plan->deps[s->first_dep + i] == other) return true;
    return false;
}

static bool stall_ended(const reference_history *history, size_t up_to, uint64_t instant) {
    for (size_t i = first_ending(history, instant); i < history->count; i++) {
        const reference_row *row = history->by_end[i];
        if (row->event.end != instant) return false;
        if (row->event.kind == KS_ROW_STALL && row->instruction <= up_to) return true;
    }
    return false;
}

/* PE_CPU had waited for `other` by the time it began instruction `sent_by`, and it ended just now.
 * `up_to`: the last instruction whose STALL counts. */
static bool was_waited_for(const reference_history *history, const reference_row *other,
                           size_t sent_by, size_t up_to, uint64_t instant) {
    if (!other->is_last_of_command) return false;
    if (history->waited_by[other->event.cmd] < sent_by) return true;
    return other->event.command->is_composite && stall_ended(history, up_to, instant);
}

/* `other` ended when `row` started: can it have let it start? */
static bool is_candidate(const reference_history *history, const reference_row *row,
                         const reference_row *other) {
    const ks_event *e = &row->event, *o = &other->event;
    if (e->kind == KS_ROW_DISPATCH)
        return (o->kind == KS_ROW_DISPATCH && other == row->previous) ||
               was_waited_for(history, other, row->instruction, row->instruction - 1, e->start);
    if (o->stage != KS_CPU_STAGE && o->cmd == e->cmd && waits_for(e, o->stage)) return true;
    if (!row->is_first_instant) return false;
    const size_t sent_by = history->sent_by[e->cmd];
    if (o->kind == KS_ROW_DISPATCH) return o->cmd == e->cmd && other->is_last_of_command;
    if (was_waited_for(history, other, sent_by, sent_by, e->start)) return true;
    if (!e->command->is_composite || !o->command->is_composite || o->cmd > e->cmd) return false;
    if (!other->is_last_of_command) return false;
    return history->machine->policy != KS_POLICY_rw_aware ||
           ks_command_conflicts(o->command, e->command);
}

static bool is_smaller(const ks_event *a, const ks_event *b) {
    return a->cmd < b->cmd || (a->cmd == b->cmd && a->stage < b->stage);
}

const reference_row *reference_cause(const reference_history *history, const reference_row *row,
                                     bool *is_occupancy) {
    const reference_row *best = NULL;
    const uint64_t instant = row->event.start;
    *is_occupancy = false;
    for (size_t i = first_ending(history, instant); i < history->count; i++) {
        const reference_row *other = history->by_end[i];
        if (other->event.end != instant) break;
        if (other == row || other->event.kind == KS_ROW_WAIT || other->event.kind == KS_ROW_STALL)
            continue;
        if (is_candidate(history, row, other) && (!best || is_smaller(&other->event, &best->event)))
            best = other;
    }
    const reference_row *before = row->previous; /* whose occupancy made room */
    if (row->event.stage != KS_CPU_STAGE && before && before->event.occupied_end == instant &&
        (!best || is_smaller(&before->event, &best->event))) {
        best = before;
        *is_occupancy = before->server == KS_SERVER_DMA_RD || before->server == KS_SERVER_DMA_WR;
    }
    return best;
}

/* ---- the walk ---- */

/* Of several that complete last the smallest (cmd, stage). */
const reference_row *reference_last(const reference_history *history) {
    const reference_row *last = NULL;
    for (size_t i = 0; i < history->count; i++) {
        const reference_row *row = history->rows[i];
        if (row->event.stage == KS_CPU_STAGE || !row->is_last_of_command) continue;
        if (!last || row->event.end > last->event.end ||
            (row->event.end == last->event.end && row->event.cmd < last->event.cmd))
            last = row;
    }
    return last;
}

void reference_walk(const reference_history *history, const reference_row *last,
                    uint64_t path_ticks[KS_RESOURCE_COUNT]) {
    static const ks_resource resource_of[KS_SERVER_COUNT] = {
        [KS_SERVER_CPU] = KS_RESOURCE_cpu,       [KS_SERVER_DMA_RD] = KS_RESOURCE_dma_rd,
        [KS_SERVER_DMA_WR] = KS_RESOURCE_dma_wr, [KS_SERVER_FETCH] = KS_RESOURCE_fetch,
        [KS_SERVER_STORE] = KS_RESOURCE_store,   [KS_SERVER_GEMM] = KS_RESOURCE_gemm,
        [KS_SERVER_MATH] = KS_RESOURCE_math,
    };
    for (int r = 0; r < KS_RESOURCE_COUNT; r++) path_ticks[r] = 0;
    bool is_occupancy = false;
    for (const reference_row *row = last; row;) {
        const ks_event *e = &row->event;
        path_ticks[resource_of[row->server]] += e->occupied_end - e->start;
        if (!is_occupancy) path_ticks[KS_RESOURCE_dma_lat] += e->end - e->occupied_end;
        row = reference_cause(history, row, &is_occupancy);
    }
}
