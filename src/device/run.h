/* Inside of a timeline's run: the machine's state. Seen by device/ only.
 *
 * Invariants between two instants: a server is idle only if its ready queue is empty; ready queues
 * are in order of (ready time, command, stage); a composite holds a place from arrival to
 * completion, as one of `arrived` or of `in_flight`. */
#ifndef KS_DEVICE_RUN_H
#define KS_DEVICE_RUN_H

#include "device/dispatch.h"
#include "device/timeline.h"

/* Ticks by resource along the critical path up to some instant. */
typedef struct ks_path {
    uint64_t ticks[KS_RESOURCE_COUNT];
} ks_path;

/* A row that ended at the present instant, and the path to that end. */
typedef struct ks_candidate {
    ks_cause cause;
    ks_path path;
} ks_candidate;

typedef struct ks_stage_state {
    uint64_t end;
    ks_path path;     /* up to its start */
    uint32_t missing; /* dependencies not met */
} ks_stage_state;

/* A started command. Its memory goes back to its template when the command is complete. */
typedef struct ks_instance {
    struct ks_instance *next_free;
    struct ks_template *template;
    const ks_command *command;
    uint32_t remaining; /* stages not complete */
    uint64_t start_ticks;
    ks_candidate start; /* what let it start, where that ended at start_ticks */
    ks_stage_state *stages;
} ks_instance;

/* One plan for all commands of one shape. */
typedef struct ks_template {
    struct ks_template *next;
    const ks_command *sample;
    ks_plan plan;
    ks_instance *free;
} ks_template;

typedef struct ks_ready {
    uint64_t ready_ticks;
    ks_instance *instance;
    uint32_t stage;
} ks_ready;

typedef struct ks_in_service {
    uint64_t end; /* completion */
    ks_instance *instance;
    uint32_t stage;
} ks_in_service;

/* A first-in first-out queue in the arena; items are removed from the front only. */
typedef struct ks_queue {
    char *items;
    size_t item_bytes, first, count, capacity; /* capacity: a power of two, or 0 */
} ks_queue;

typedef struct ks_server_state {
    bool is_busy;
    uint64_t occupied_end;
    ks_candidate previous; /* the last stage it served, as seen at occupied_end */
    ks_queue ready;        /* ks_ready */
    ks_queue in_service;   /* ks_in_service, in order of completion; DMA: several */
} ks_server_state;

typedef enum ks_cpu_mode {
    KS_CPU_NEXT,
    KS_CPU_DISPATCHING,
    KS_CPU_STALLED,
    KS_CPU_WAITING,
    KS_CPU_DONE
} ks_cpu_mode;

/* An arrived composite that has not started. */
typedef struct ks_arrival {
    const ks_command *command;
    ks_candidate start;     /* its last DISPATCH, or what ended its STALL or WAIT */
    uint64_t start_instant; /* the instant at which `start` holds */
} ks_arrival;

typedef struct ks_cpu {
    ks_cpu_mode mode;
    size_t next;         /* instruction */
    uint32_t command;    /* dispatched, held back or waited for */
    uint64_t since, end; /* of the present DISPATCH, STALL or WAIT */
    ks_segment segment;
    uint32_t segment_index;
    ks_candidate dispatch; /* the last DISPATCH row, at its end... */
    uint64_t dispatch_end;
    ks_path segment_path; /* ...and up to the start of the present one */
    ks_candidate waited;  /* what a WAIT or STALL since then waited for... */
    uint64_t waited_at;   /* ...where that completed at this instant */
} ks_cpu;

typedef struct ks_run {
    const ks_program *program;
    const ks_machine *machine;
    ks_arena *arena;
    ks_timeline *timeline;
    uint64_t now;
    ks_status status; /* the first failure; ends the run */

    ks_template *templates;
    bool *is_complete;                        /* by command */
    ks_server_state servers[KS_SERVER_COUNT]; /* KS_SERVER_CPU is not used */
    ks_cpu cpu;

    ks_arrival *arrived; /* queue_depth places, or as many as there are composites */
    ks_instance **in_flight;
    uint64_t place_count, arrived_count, in_flight_count;
    bool has_verdict, has_hazard; /* strict_fifo: taken when the present head became it */

    ks_candidate *completed; /* commands that completed at this instant, by their last stage */
    bool *is_completed_composite;
    uint64_t completed_count, completed_room;

    const ks_event_sink *sink;
    ks_queue waiting_events; /* ks_event: sorted, behind an open one */
    ks_event *instant_events;
    size_t instant_count, instant_room;
    bool is_open; /* the front of waiting_events is a STALL or WAIT that has not ended */
} ks_run;

void *ks_run_take(ks_run *run, size_t count, size_t item_bytes); /* NULL: run->status is set */

/* queue.c */
void *ks_queue_at(const ks_queue *queue, size_t index);
void *ks_queue_add(ks_run *run, ks_queue *queue); /* NULL: out of memory */
void ks_queue_drop(ks_queue *queue);

/* cause.c */
/* Keeps the smaller (cmd, stage) of *best and what is offered. */
void ks_candidate_offer(ks_candidate *best, const ks_candidate *offered);
/* The candidate that a completed stage is. */
ks_candidate ks_candidate_of_stage(const ks_run *run, const ks_instance *instance, uint32_t stage);

/* instance.c */
ks_instance *ks_instance_new(ks_run *run, const ks_command *command);
void ks_instance_free(ks_instance *instance);

/* server.c */
void ks_server_add_ready(ks_run *run, ks_instance *instance, uint32_t stage);
void ks_server_complete_all(ks_run *run); /* step 1 of an instant */
void ks_server_start_all(ks_run *run);    /* step 4 */

/* scheduler.c */
bool ks_scheduler_has_place(const ks_run *run);
void ks_scheduler_arrive(ks_run *run, const ks_arrival *arrival);
bool ks_scheduler_act(ks_run *run); /* step 3; true when something started */
void ks_scheduler_complete(ks_run *run, const ks_instance *instance);
/* Gives every stage without dependencies to its server. */
void ks_command_start(ks_run *run, const ks_command *command, const ks_candidate *start);

/* cpu.c */
bool ks_cpu_act(ks_run *run); /* step 2; true when something changed */

/* event_order.c: events in (start, cpu first, cmd, stage) order, open ones held back. */
void ks_event_add(ks_run *run, const ks_event *event);
void ks_event_close(ks_run *run, uint64_t end); /* the open STALL or WAIT has ended */
void ks_event_end_instant(ks_run *run);

#endif
