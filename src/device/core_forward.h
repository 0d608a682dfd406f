/* Inside of the fast-forward. Seen by device/core_*.c only. */
#ifndef KS_DEVICE_CORE_FORWARD_H
#define KS_DEVICE_CORE_FORWARD_H

#include "device/core.h"

enum { KS_KEPT_SNAPSHOTS = 4 };

/* The machine at a boundary. */
typedef struct ks_snapshot {
    uint64_t tile; /* that was closed, counted from the loop's, with those passed over */
    uint64_t ticks, stall_ticks, wait_ticks;
    uint64_t dispatch_left; /* 0: PE_CPU is not dispatching */
    uint32_t lowest;        /* command in hand */
    uint64_t *words;
    ks_path *paths; /* of the marks under way; origin: 1 + place in the snapshot before it, or 0 */
    size_t word_count, word_room, mark_count, mark_room;
} ks_snapshot;

struct ks_forward {
    uint64_t left;   /* tiles still left out */
    uint64_t passed; /* tiles skipped, or moved back over */
    uint64_t skipped_ticks, skipped_stall, skipped_wait;
    ks_way way;
    ks_snapshot snapshots[KS_KEPT_SNAPSHOTS]; /* a ring */
    uint64_t snapshot_count;                  /* in all; those that can be compared: */
    uint64_t comparable;                      /* the last ones */
    ks_mark **marks;                          /* under way, as in the last snapshot */
    size_t mark_room;

    /* Drift. */
    uint64_t last_turn; /* start or completion of a composite */
    /* Since the last boundary: no composite started at its arrival; ticks by which all arrivals may
     * come earlier before one meets a turn. */
    bool is_quiet;
    uint64_t room;
};

/* core_snapshot.c */
/* The machine after this instant, its marks listed in forward->marks; false: status is set. */
bool ks_snapshot_take(ks_core *core, ks_snapshot *snapshot);
bool ks_snapshot_is_same(const ks_snapshot *a, const ks_snapshot *b); /* in every word */
/* The numbers of all that is under way, as in the last snapshot, moved on by so many equal tiles, or
 * back where it is negative. */
void ks_snapshot_move(ks_core *core, int64_t tiles);

/* core_drift.c */
void ks_drift_begin(ks_forward *forward); /* of a stretch */
/* Tiles like the one from a to b in which PE_CPU gains what it gained there. */
uint64_t ks_drift_tiles(const ks_core *core, const ks_snapshot *a, const ks_snapshot *b);

#endif
