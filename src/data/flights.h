/* Stages that have started and not ended: what they found at their start is written at their end,
 * ends before starts, both in order of (command, stage). */
#ifndef KS_DATA_FLIGHTS_H
#define KS_DATA_FLIGHTS_H

#include "data/replay_memory.h"

typedef struct ks_flight {
    struct ks_flight *next_spare;
    uint64_t end; /* ticks */
    uint32_t cmd;
    int64_t stage;
    bool is_last_of_command;
    ks_toucher who;
    ks_access write;
    ks_bytes result; /* keeps its memory from flight to flight */
} ks_flight;

typedef struct ks_flights {
    ks_flight **heap; /* the first to end on top */
    uint64_t count, capacity;
    ks_flight *spare;
} ks_flights; /* all 0: none */

/* A flight of the row, its result still to be filled in. NULL if out of memory. */
ks_flight *ks_flight_take(ks_flights *flights, const ks_op_row *row);
KS_CHECKED bool ks_flight_start(ks_flights *flights, ks_flight *flight); /* false: out of memory */
/* The next that ends at or before `ticks`, taken out; NULL: none. To be given back. */
ks_flight *ks_flight_land(ks_flights *flights, uint64_t ticks);
void ks_flight_give(ks_flights *flights, ks_flight *flight);
void ks_flights_free(ks_flights *flights);

#endif
