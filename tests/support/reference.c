#include "support/reference.h"

#include <stdlib.h>
#include <string.h>

#include "device/dispatch.h"
#include "support/reference_path.h"

/* Where a command is on its way. */
typedef enum state { UNSENT, QUEUED, STARTED, COMPLETE } state;

typedef struct job {
    const ks_command *command;
    ks_plan plan;
    state state;
    uint64_t started_at;
    reference_row **rows; /* by stage; NULL: not started */
} job;

typedef struct machine {
    const ks_program *program;
    const ks_machine *constants;
    ks_arena *arena;
    uint64_t now;
    bool is_overflow, is_out_of_memory;

    job *jobs;                 /* by command */
    uint32_t oldest, youngest; /* [oldest, youngest): those that are sent and not all complete */
    reference_row *serving[KS_SERVER_COUNT]; /* the last row of each server */
    reference_row *last_sent;                /* the last DISPATCH row */
    reference_history history;

    /* PE_CPU */
    size_t next;            /* instruction */
    reference_row *sending; /* the DISPATCH row under way... */
    uint32_t next_op;       /* ...and the op behind its segment */
    reference_row *held;    /* the STALL or WAIT row under way */
    bool has_verdict, has_hazard;
} machine;

#define NEVER UINT64_MAX

static void *take(machine *m, size_t count, size_t bytes) {
    void *piece = ks_arena_take(m->arena, count, bytes);
    if (!piece) m->is_out_of_memory = true;
    return piece;
}

/* The end of what begins now. */
static uint64_t after(machine *m, uint64_t from, uint64_t ticks) {
    if (ticks < KS_TICKS_LIMIT && from < KS_TICKS_LIMIT && from + ticks < KS_TICKS_LIMIT)
        return from + ticks;
    m->is_overflow = true;
    return from;
}

static reference_row *add_row(machine *m, ks_row_kind kind, uint32_t cmd, int64_t stage) {
    reference_row *row = reference_add(&m->history);
    row->event = (ks_event){.kind = kind,
                            .cmd = cmd,
                            .stage = stage,
                            .command = m->program->commands[cmd],
                            .plan = stage == KS_CPU_STAGE ? NULL : &m->jobs[cmd].plan,
                            .start = m->now,
                            .occupied_end = NEVER,
                            .end = NEVER};
    row->server = KS_SERVER_CPU;
    return row;
}

/* ---- 1: completions ---- */

static bool is_done(const job *j, uint32_t stage, uint64_t now) {
    return j->rows[stage] && j->rows[stage]->event.end <= now;
}

static void complete(machine *m) {
    for (uint32_t c = m->oldest; c < m->youngest; c++) {
        job *j = &m->jobs[c];
        if (j->state != STARTED) continue;
        reference_row *last = j->rows[j->plan.stage_count - 1];
        bool is_complete = true;
        for (uint32_t s = 0; s < j->plan.stage_count; s++) is_complete &= is_done(j, s, m->now);
        if (!is_complete) continue;
        j->state = COMPLETE;
        last->is_last_of_command = true;
    }
    while (m->oldest < m->youngest && m->jobs[m->oldest].state == COMPLETE) m->oldest++;
}

/* ---- 3: the scheduler ---- */

static bool is_composite(const job *j) { return j->command->is_composite; }

static uint64_t count_in_flight(const machine *m) {
    uint64_t count = 0;
    for (uint32_t c = m->oldest; c < m->youngest; c++)
        count += is_composite(&m->jobs[c]) && m->jobs[c].state == STARTED;
    return count;
}

static uint64_t count_places_taken(const machine *m) {
    uint64_t count = count_in_flight(m);
    for (uint32_t c = m->oldest; c < m->youngest; c++) count += m->jobs[c].state == QUEUED;
    return count;
}

static void start(machine *m, job *j) {
    j->state = STARTED;
    j->started_at = m->now;
}

/* In hazard with an earlier composite in flight, or (rw_aware) not complete. */
static bool has_hazard(const machine *m, const job *j, bool with_queued) {
    for (uint32_t c = m->oldest; c < j->command->index; c++) {
        const job *earlier = &m->jobs[c];
        const bool counts = earlier->state == STARTED || (with_queued && earlier->state == QUEUED);
        if (is_composite(earlier) && counts && ks_command_conflicts(earlier->command, j->command))
            return true;
    }
    return false;
}

static bool may_start(machine *m, const job *j, bool is_head) {
    switch (m->constants->policy) {
    case KS_POLICY_rw_aware: return !has_hazard(m, j, true);
    case KS_POLICY_serial: return is_head && count_in_flight(m) == 0;
    default: break;
    }
    if (!is_head) return false;
    if (!m->has_verdict) m->has_hazard = has_hazard(m, j, false);
    m->has_verdict = true;
    return !m->has_hazard || count_in_flight(m) == 0;
}

static bool schedule(machine *m) {
    bool has_started = false, is_head = true;
    for (uint32_t c = m->oldest; c < m->youngest; c++) {
        job *j = &m->jobs[c];
        if (j->state != QUEUED) continue;
        if (may_start(m, j, is_head)) {
            start(m, j);
            m->has_verdict = false; /* the next one in the queue is its head from now on */
            has_started = true;
        } else {
            is_head = false;
        }
    }
    return has_started;
}

/* ---- 2: PE_CPU ---- */

static void send(machine *m, uint32_t cmd, uint32_t first_op, uint32_t number) {
    const ks_segment segment = ks_segment_at(m->program->commands[cmd], first_op, m->constants);
    reference_row *row = add_row(m, KS_ROW_DISPATCH, cmd, KS_CPU_STAGE);
    m->youngest = cmd + 1;
    m->next_op = first_op + segment.op_count;
    row->event.segment = number;
    row->event.first_op = first_op;
    row->event.bytes = segment.bytes;
    row->event.end = row->event.occupied_end = after(m, m->now, segment.ticks);
    row->instruction = m->next;
    row->previous = m->last_sent;
    row->is_last_of_command = m->next_op == m->program->commands[cmd]->op_count;
    m->sending = m->last_sent = row;
}

static void hold(machine *m, ks_row_kind kind, uint32_t cmd) {
    m->held = add_row(m, kind, cmd, KS_CPU_STAGE);
    m->held->instruction = m->next;
}

static void release(machine *m) {
    m->held->event.end = m->held->event.occupied_end = m->now;
    m->held = NULL;
}

static bool has_place(const machine *m) {
    return count_places_taken(m) < m->constants->queue_depth;
}

static void arrive(machine *m, job *j) {
    j->state = QUEUED;
    m->next++;
}

/* What the present instruction does at this instant; false: it needs time. */
static bool act_dispatch(machine *m, uint32_t cmd) {
    job *j = &m->jobs[cmd];
    if (m->held) {
        if (!has_place(m)) return false;
        release(m);
        arrive(m, j);
        return true;
    }
    if (!m->sending) {
        send(m, cmd, 0, 0);
        return true;
    }
    if (m->sending->event.end != m->now) return false;
    if (m->next_op < j->command->op_count) {
        send(m, cmd, m->next_op, m->sending->event.segment + 1);
        return true;
    }
    m->sending = NULL;
    if (!is_composite(j)) {
        start(m, j);
        m->next++;
    } else if (has_place(m)) {
        arrive(m, j);
    } else {
        hold(m, KS_ROW_STALL, cmd);
    }
    return true;
}

static bool act_wait(machine *m, uint32_t cmd) {
    const bool is_over = m->jobs[cmd].state == COMPLETE;
    if (!is_over && m->held) return false;
    if (!is_over) hold(m, KS_ROW_WAIT, cmd);
    if (is_over && m->held) release(m);
    if (is_over) m->next++;
    return true;
}

static bool act(machine *m) {
    bool has_changed = false, goes_on = true;
    while (goes_on && !m->is_overflow && m->next < m->program->instruction_count) {
        const ks_instruction *i = &m->program->instructions[m->next];
        goes_on = i->kind == KS_WAIT ? act_wait(m, i->command) : act_dispatch(m, i->command);
        has_changed |= goes_on;
    }
    return has_changed;
}

/* ---- 4: the servers ---- */

/* The instant at which a stage became ready; NEVER while a dependency is not met. */
static uint64_t ready_at(const machine *m, const job *j, uint32_t stage) {
    const ks_stage *s = &j->plan.stages[stage];
    uint64_t at = j->started_at;
    for (uint32_t d = 0; d < s->dep_count; d++) {
        const uint32_t dep = j->plan.deps[s->first_dep + d];
        if (!is_done(j, dep, m->now)) return NEVER;
        if (j->rows[dep]->event.end > at) at = j->rows[dep]->event.end;
    }
    return at;
}

static bool is_busy(const machine *m, ks_server server) {
    return m->serving[server] && m->serving[server]->event.occupied_end > m->now;
}

static bool is_dma(ks_server server) {
    return server == KS_SERVER_DMA_RD || server == KS_SERVER_DMA_WR;
}

static void serve(machine *m, job *j, uint32_t stage) {
    const ks_stage *s = &j->plan.stages[stage];
    reference_row *row = add_row(m, s->kind, j->command->index, stage);
    row->server = s->server;
    row->previous = m->serving[s->server];
    row->is_first_instant = m->now == j->started_at;
    row->event.occupied_end = after(m, m->now, s->service_ticks);
    row->event.end =
        after(m, row->event.occupied_end, is_dma(s->server) ? m->constants->dma_latency_ticks : 0);
    j->rows[stage] = row;
    m->serving[s->server] = row;
}

static void take_next(machine *m, ks_server server) {
    job *best = NULL;
    uint32_t best_stage = 0;
    uint64_t best_ready = NEVER;
    for (uint32_t c = m->oldest; c < m->youngest; c++) {
        job *j = &m->jobs[c];
        for (uint32_t s = 0; j->state == STARTED && s < j->plan.stage_count; s++) {
            if (j->plan.stages[s].server != server || j->rows[s]) continue;
            const uint64_t ready = ready_at(m, j, s);
            if (ready >= best_ready) continue; /* of equals the first: commands, stages ascend */
            best = j;
            best_stage = s;
            best_ready = ready;
        }
    }
    if (best) serve(m, best, best_stage);
}

/* ---- the loop ---- */

static void look_at(const machine *m, uint64_t end, uint64_t *next) {
    if (end > m->now && end < *next) *next = end;
}

static uint64_t next_instant(const machine *m) {
    uint64_t next = NEVER;
    if (m->sending) look_at(m, m->sending->event.end, &next);
    for (uint32_t c = m->oldest; c < m->youngest; c++) {
        const job *j = &m->jobs[c];
        for (uint32_t s = 0; s < j->plan.stage_count; s++) {
            if (!j->rows[s]) continue;
            look_at(m, j->rows[s]->event.occupied_end, &next);
            look_at(m, j->rows[s]->event.end, &next);
        }
    }
    return next;
}

static void run(machine *m) {
    while (m->now != NEVER && !m->is_overflow && !m->is_out_of_memory) {
        complete(m);
        bool is_moving = true;
        while (is_moving) {
            is_moving = act(m);
            is_moving = schedule(m) || is_moving;
        }
        for (int s = KS_SERVER_CPU + 1; s < KS_SERVER_COUNT; s++)
            if (!is_busy(m, (ks_server)s)) take_next(m, (ks_server)s);
        m->now = next_instant(m);
    }
}

/* ---- before and after ---- */

static ks_status prepare(machine *m) {
    const uint32_t count = m->program->command_count;
    m->jobs = take(m, count, sizeof *m->jobs);
    for (uint32_t c = 0; !m->is_out_of_memory && c < count; c++) {
        job *j = &m->jobs[c];
        j->command = m->program->commands[c];
        const ks_status status = ks_plan_build(j->command, m->constants, m->arena, &j->plan);
        if (status) return status;
        j->rows = take(m, j->plan.stage_count, sizeof(reference_row *));
    }
    return m->is_out_of_memory ? KS_NO_MEMORY : KS_OK;
}

static bool add(uint64_t *total, uint64_t figure) {
    *total += figure;
    return figure < KS_TICKS_LIMIT && *total < KS_TICKS_LIMIT;
}

static bool sum_rows(const machine *m, ks_timeline *t) {
    bool is_fine = true;
    for (size_t i = 0; i < m->history.count; i++) {
        const reference_row *row = m->history.rows[i];
        const uint64_t ticks = row->event.occupied_end - row->event.start;
        if (row->event.kind == KS_ROW_STALL)
            t->stall_ticks += ticks;
        else if (row->event.kind == KS_ROW_WAIT)
            t->wait_ticks += ticks;
        else
            is_fine &= add(&t->busy_ticks[row->server], ticks);
    }
    for (uint32_t c = 0; c < m->program->command_count; c++) {
        const ks_plan *plan = &m->jobs[c].plan;
        is_fine &= add(&t->read_bytes, plan->read_bytes);
        is_fine &= add(&t->write_bytes, plan->write_bytes);
        is_fine &= add(&t->macs, plan->macs);
        is_fine &= add(&t->math_elements, plan->math_elements);
    }
    return is_fine;
}

static ks_cause cause_of(const machine *m, const reference_row *row) {
    bool is_occupancy;
    const reference_row *by = reference_cause(&m->history, row, &is_occupancy);
    if (!by) return (ks_cause){0};
    return (ks_cause){true, is_occupancy, by->event.cmd, by->event.segment, by->event.stage};
}

static ks_status tell(const machine *m, const ks_event_sink *sink) {
    for (size_t i = 0; sink && i < m->history.count; i++) {
        reference_row *row = m->history.rows[i];
        if (row->event.kind != KS_ROW_STALL && row->event.kind != KS_ROW_WAIT)
            row->event.cause = cause_of(m, row);
        const ks_status status = sink->event(sink->self, &row->event);
        if (status) return status;
    }
    return KS_OK;
}

static ks_status report(machine *m, const ks_event_sink *sink, ks_timeline *timeline) {
    reference_sort(&m->history);
    if (!sum_rows(m, timeline)) return KS_INPUT;
    const reference_row *last = reference_last(&m->history);
    if (last) {
        timeline->total_ticks = last->event.end;
        timeline->last = (ks_cause){true, false, last->event.cmd, 0, last->event.stage};
        reference_walk(&m->history, last, timeline->path_ticks);
    }
    return tell(m, sink);
}

ks_status reference_run(const ks_program *program, const ks_machine *constants, ks_arena *arena,
                        const ks_event_sink *sink, ks_timeline *timeline) {
    machine m = {.program = program, .constants = constants, .arena = arena};
    m.history.program = program;
    m.history.machine = constants;
    *timeline = (ks_timeline){0};
    ks_status status = prepare(&m);
    if (!status) {
        run(&m);
        status = m.is_overflow        ? KS_INPUT
                 : m.is_out_of_memory ? KS_NO_MEMORY
                                      : report(&m, sink, timeline);
    }
    reference_free(&m.history);
    return status;
}
