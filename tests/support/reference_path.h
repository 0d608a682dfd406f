/* The rows of a reference run, and the critical path walked back over them (MODEL.md section 7). */
#ifndef KS_TEST_SUPPORT_REFERENCE_PATH_H
#define KS_TEST_SUPPORT_REFERENCE_PATH_H

#include "device/timeline.h"

typedef struct reference_row {
    ks_event event;
    ks_server server;
    size_t instruction;             /* of PE_CPU rows: the instruction that it belongs to */
    struct reference_row *previous; /* of a stage: the one before it on its server, or NULL */
    bool is_first_instant;          /* of a stage: it starts when its command does */
    bool is_last_of_command;        /* of a stage: its end is its command's completion */
} reference_row;

typedef struct reference_history {
    const ks_program *program;
    const ks_machine *machine;
    size_t count, room;
    reference_row **rows;   /* as they began; after reference_sort in op_log order */
    reference_row **by_end; /* after reference_sort: by end */
    size_t *sent_by;        /* by command: the instruction that dispatches it... */
    size_t *waited_by;      /* ...and the first that waits for it, or SIZE_MAX */
} reference_history;

/* A row that lives until reference_free. */
reference_row *reference_add(reference_history *history);
void reference_sort(reference_history *history);
void reference_free(reference_history *history);

/* The row that let `row` start; NULL: nothing ended then. */
const reference_row *reference_cause(const reference_history *history, const reference_row *row,
                                     bool *is_occupancy);

/* The row whose end is that of the run; NULL: no stage ran. */
const reference_row *reference_last(const reference_history *history);

/* Splits the time up to the end of `last` over the resources. */
void reference_walk(const reference_history *history, const reference_row *last,
                    uint64_t path_ticks[KS_RESOURCE_COUNT]);

#endif
