/* Inside of a run: the machine's state. Seen by device/ only.
 *
 * Time is the instant `now`; everything that will end is in `pending`, at most one end of each lane:
 * the six servers, the completions of the two DMA servers (a FIFO: their latency is constant),
 * PE_CPU. It is sorted, the next one last: few ends are under way and new ones are mostly near, so
 * putting one in moves one or two, by branches that a processor learns where a cascade of minima
 * would make it wait. Else nothing is sorted but what becomes ready within one instant.
 * Invariants between two instants:
 *  - pending[0] is never: what is put in stops there;
 *  - `idle` has the servers without an end, `waiting` those whose ready queue is not empty; no server
 *    is in both;
 *  - a ready queue is in order of (ready time, command, stage);
 *  - `missing` of a launch counts, by step, the dependencies that are not complete;
 *  - a composite holds a place from arrival to completion, as one of `arrived` or of `in_flight`.
 *
 * The critical path is carried forward. A mark is a row with the path to its end, split by
 * resource; a stage that starts takes the path of the mark that let it start, and adds its service.
 * Such marks are always those of rows that end at this very instant: no history is kept. */
#ifndef KS_DEVICE_CORE_H
#define KS_DEVICE_CORE_H

#include "device/script.h"
#include "device/timeline.h"

#define KS_NEVER UINT64_MAX

/* Ticks by resource from the start of the point. */
typedef struct ks_path {
    uint64_t ticks[KS_RESOURCE_COUNT];
    uint64_t origin; /* fast-forward: where it stood at the last boundary */
} ks_path;

/* `order` puts (command, stage) in one number; PE_CPU's rows stand before the stages. */
typedef struct ks_mark {
    ks_path path;
    uint64_t order;
    uint32_t segment;  /* of a DISPATCH */
    bool is_occupancy; /* the end of a DMA stage's occupancy, not its completion */
} ks_mark;

#define KS_ORDER_BITS 32
static inline uint64_t ks_order_of(uint32_t cmd, int64_t stage) {
    return ((uint64_t)cmd << KS_ORDER_BITS) + (uint64_t)(stage + 1);
}
static inline uint32_t ks_order_cmd(uint64_t order) { return (uint32_t)(order >> KS_ORDER_BITS); }

/* A started command. Its memory goes back to its template's list when it is complete. */
typedef struct ks_launch {
    struct ks_launch *next_free;
    const ks_template *template;
    uint64_t order; /* of its stage 0 */
    uint64_t start_ticks;
    const ks_mark *start; /* what let it start; lives as long as that instant */
    uint64_t missing[];   /* by step, a byte each */
} ks_launch;

static inline uint32_t ks_launch_cmd(const ks_launch *launch) {
    return ks_order_cmd(launch->order);
}

typedef struct ks_task_ref {
    ks_launch *launch;
    const ks_step *step;
} ks_task_ref;

typedef struct ks_server_state {
    /* Ready stages: a ring of a power of two. */
    ks_task_ref *ready;
    uint32_t mask, first, end;
    uint32_t instant_first; /* where the entries begin that became ready... */
    uint64_t instant;       /* ...at this instant */
    ks_task_ref serving;    /* while it is not idle */
    ks_mark *mark;          /* of the stage in service, at the end of its occupancy... */
    ks_mark *last;          /* ...and of the one before it */
    ks_resource resource;
    ks_mark marks[2];
} ks_server_state;

/* DMA stages between the end of their occupancy and their completion: a ring of a power of two. */
typedef struct ks_latency_entry {
    ks_task_ref task;
    uint64_t end;
    ks_mark mark; /* at its completion */
} ks_latency_entry;

typedef struct ks_latency {
    ks_latency_entry *entries;
    uint32_t mask, first, end;
} ks_latency;

typedef enum ks_lane {
    KS_LANE_DMA_RD, /* lane of server s: s - 1 */
    KS_LANE_DMA_WR,
    KS_LANE_FETCH,
    KS_LANE_STORE,
    KS_LANE_GEMM,
    KS_LANE_MATH,
    KS_LANE_DMA_RD_DONE,
    KS_LANE_DMA_WR_DONE,
    KS_LANE_CPU, /* the last: PE_CPU acts after the completions of its instant */
    KS_LANE_COUNT
} ks_lane;
enum { KS_SERVER_LANES = KS_LANE_MATH + 1, KS_DMA_LANES = 2 };

typedef struct ks_end {
    uint64_t time, lane;
} ks_end;

typedef enum ks_cpu_mode {
    KS_CPU_NEXT,
    KS_CPU_DISPATCHING,
    KS_CPU_STALLED,
    KS_CPU_WAITING,
    KS_CPU_DONE
} ks_cpu_mode;

typedef struct ks_cpu {
    ks_cpu_mode mode;
    size_t next;            /* instruction */
    uint32_t command;       /* dispatched, held back or waited for */
    uint32_t segment_index; /* of the DISPATCH under way */
    uint64_t until;         /* its end */
    uint64_t since;         /* of the present STALL or WAIT */
    /* Of the DISPATCH under way at its end, and of the one before it; those without length, of
     * which an instant can hold any number, are kept apart. */
    ks_mark marks[2];
    uint32_t which;
    ks_mark *mark;           /* the one under way */
    const ks_mark *dispatch; /* the last one that ended... */
    uint64_t dispatch_end;   /* ...at this instant */
    const ks_mark *waited;   /* what a WAIT or STALL since then waited for... */
    uint64_t waited_at;      /* ...where that completed at this instant */
    ks_mark **empty;         /* marks of DISPATCH rows without length... */
    size_t empty_count, empty_room;
    uint64_t empty_at; /* ...of this instant */
} ks_cpu;

/* An arrived composite that has not started. */
typedef struct ks_arrival {
    uint32_t cmd;
    uint64_t instant;
    const ks_mark *start; /* its last DISPATCH, or what ended its STALL or WAIT; lives so long */
} ks_arrival;

/* A command that completed at this instant. */
typedef struct ks_finished {
    const ks_mark *mark; /* of its last stage */
    bool is_composite;
} ks_finished;

typedef struct ks_core {
    uint64_t now;
    ks_end pending[1 + KS_LANE_COUNT]; /* the first is KS_NEVER */
    ks_end *next;                      /* the last of them */
    uint32_t idle, waiting;            /* servers, by bit of their lane */
    bool is_due;                       /* PE_CPU and the scheduler have something to look at */
    /* The last row that ended on a lane, of those where one ended at this instant. KS_ENDED_MORE: on
     * PE_CPU's several did. */
    uint32_t ended_lanes;
    const ks_mark *ended[KS_LANE_COUNT];
    ks_status status; /* the first failure; ends the run */

    ks_server_state servers[KS_SERVER_LANES];
    ks_latency latencies[KS_DMA_LANES];

    ks_cpu cpu;
    bool *is_complete; /* by command */
    /* At most one stage of a server completes at an instant. */
    ks_finished finished[KS_SERVER_LANES];
    uint32_t finished_count;

    ks_arrival *arrived; /* a ring of a power of two, arrived_first its head */
    uint32_t arrived_mask, arrived_first, arrived_count;
    ks_launch **in_flight; /* composites, as they started */
    uint32_t in_flight_count;
    uint64_t place_count;
    bool has_verdict, has_hazard; /* strict_fifo: taken when the present head became it */

    const ks_script *script;
    const ks_instruction *instructions;
    size_t instruction_count;
    ks_launch **free; /* by template */
    ks_arena *arena;
    ks_timeline *timeline;

    struct ks_forward *forward; /* NULL: no tile is left out any more */
    uint32_t closed; /* command that closed an equal tile at this instant, or KS_NO_COMMAND */

    const ks_event_sink *sink; /* NULL: nobody is told */
    ks_event *events;          /* in order, as far as instants are over */
    size_t event_count, event_room;
    size_t instant_events; /* where those of this instant begin */
    size_t open_event;     /* a STALL or WAIT that has not ended, or SIZE_MAX */
} ks_core;

#define KS_ENDED_MORE (UINT32_C(1) << 31)
static inline bool ks_core_has_ended(const ks_core *core, uint32_t lane) {
    return core->ended_lanes >> lane & 1;
}

/* The lane has no end yet. */
static inline void ks_core_add_end(ks_core *core, uint64_t time, uint64_t lane) {
    ks_end *at = ++core->next;
    for (; at[-1].time < time; at--) *at = at[-1];
    *at = (ks_end){time, lane};
}

/* The lane's end; it has one. */
static inline ks_end *ks_core_end_of(ks_core *core, uint64_t lane) {
    ks_end *at = &core->pending[1];
    while (at->lane != lane) at++;
    return at;
}

static inline void ks_core_take_end(ks_core *core, uint64_t lane) {
    const ks_end *last = core->next--;
    for (ks_end *at = ks_core_end_of(core, lane); at != last; at++) *at = at[1];
}

void *ks_core_take(ks_core *core, size_t count, size_t item_bytes); /* NULL: status is set */

/* core.c */
void ks_core_run(ks_core *core);
/* The command starts now: what waits for nothing becomes ready. */
ks_launch *ks_core_launch(ks_core *core, uint32_t cmd, const ks_mark *start);

/* core_cpu.c: step 2 */
void ks_cpu_act(ks_core *core);

/* core_scheduler.c */
bool ks_scheduler_has_place(const ks_core *core);
void ks_scheduler_arrive(ks_core *core, const ks_arrival *arrival);
void ks_scheduler_act(ks_core *core); /* step 3 */
void ks_scheduler_complete(ks_core *core, const ks_launch *launch);

/* core_forward.c: tiles that are left out, while core->forward is set. As status KS_FAILED: PE_CPU
 * ran out of the loop's tiles. */
typedef struct ks_forward ks_forward;
ks_forward *ks_forward_new(ks_core *core); /* NULL: status is set */
void ks_forward_boundary(ks_core *core);   /* after the instant at which core->closed completed */
/* Adds their part of the figures. KS_FAILED likewise. */
KS_CHECKED ks_status ks_forward_end(const ks_forward *forward, const ks_script *script,
                                    ks_timeline *timeline);

/* core_drift.c: told of composites, while core->forward is set. */
void ks_forward_arrive(ks_core *core); /* before it is in the queue */
void ks_forward_start(ks_core *core, uint64_t arrived_at);
void ks_forward_complete(ks_core *core, uint32_t cmd);

/* core_cause.c */
/* The smaller (command, stage) of the two; either may be NULL. */
static inline const ks_mark *ks_mark_first(const ks_mark *a, const ks_mark *b) {
    if (!a || !b) return a ? a : b;
    return b->order < a->order ? b : a;
}
/* What let the stage start, where several rows ended at this instant. */
const ks_mark *ks_cause_of_stage(const ks_core *core, const ks_launch *launch, const ks_step *step);

enum { KS_EVENT_BATCH = 64 };
/* core_events.c: events in (start, cpu first, cmd, stage) order, open ones held back. */
void ks_event_stage(ks_core *core, const ks_launch *launch, const ks_step *step,
                    uint64_t occupied_end, const ks_mark *cause);
void ks_event_dispatch(ks_core *core, const ks_segment *segment, uint64_t end,
                       const ks_mark *cause);
void ks_event_open(ks_core *core, ks_row_kind kind); /* STALL or WAIT of cpu.command */
void ks_event_close(ks_core *core);                  /* the open one has ended */
void ks_event_pass_on(ks_core *core);                /* a batch, to the sink */
static inline void ks_event_end_instant(ks_core *core) {
    if (core->event_count >= KS_EVENT_BATCH && core->open_event == SIZE_MAX) ks_event_pass_on(core);
    core->instant_events = core->event_count;
}
void ks_event_end(ks_core *core); /* passes the rest on */

#endif
