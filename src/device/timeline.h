/* The machine in time: PE_CPU, the scheduler and the servers run a program (MODEL.md section 7). */
#ifndef KS_DEVICE_TIMELINE_H
#define KS_DEVICE_TIMELINE_H

#include "device/plan.h"

/* What ended at the instant at which something started, and let it start: the step of the
 * critical path's walk back. DISPATCH rows have stage KS_CPU_STAGE and a segment. */
typedef struct ks_cause {
    bool is_set;       /* false: nothing ended then (the start of the point) */
    bool is_occupancy; /* it was the end of a DMA stage's occupancy, not its completion */
    uint32_t cmd, segment;
    int64_t stage;
} ks_cause;

/* One row of the timeline, as the op_log needs it. */
typedef struct ks_event {
    ks_row_kind kind;
    uint32_t cmd;                      /* of STALL and WAIT: held back, waited for */
    int64_t stage;                     /* KS_CPU_STAGE for DISPATCH, STALL, WAIT */
    const ks_command *command;         /* of cmd */
    const ks_plan *plan;               /* of a stage */
    uint32_t segment, first_op;        /* of a DISPATCH */
    uint64_t bytes;                    /* of a DISPATCH: logical */
    uint64_t start, occupied_end, end; /* ticks */
    ks_cause cause;
} ks_event;

/* Takes the events in op_log order. Not KS_OK: the run ends with it. */
typedef struct ks_event_sink {
    void *self;
    ks_status (*event)(void *self, const ks_event *event);
} ks_event_sink;

/* How the figures came about; they are the same either way. */
typedef enum ks_way {
    KS_WAY_FULL,    /* every tile was simulated */
    KS_WAY_FORWARD, /* the machine's state repeated: tiles were skipped */
    KS_WAY_DRIFT,   /* it repeated but for PE_CPU's lead */
    KS_WAY_COUNT
} ks_way;

typedef struct ks_timeline {
    ks_way way;
    uint64_t total_ticks; /* completion of the last command */
    uint64_t stall_ticks, wait_ticks;
    uint64_t busy_ticks[KS_SERVER_COUNT];   /* occupancy; of the CPU its dispatching */
    uint64_t path_ticks[KS_RESOURCE_COUNT]; /* critical path; sums to total_ticks */
    ks_cause last;                          /* where the walk back begins */
    uint64_t read_bytes, write_bytes, macs, math_elements;
} ks_timeline;

/* sink may be NULL. Memory is the arena's. KS_OK; KS_INPUT: a figure is not below 2^63 (the point's
 * `overflow`); KS_NO_MEMORY; or what the sink returned. */
KS_CHECKED ks_status ks_timeline_run(const ks_program *program, const ks_machine *machine,
                                     ks_arena *arena, const ks_event_sink *sink,
                                     ks_timeline *timeline);

#endif
