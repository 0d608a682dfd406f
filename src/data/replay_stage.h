/* What one stage does with the values that it finds at its start. */
#ifndef KS_DATA_REPLAY_STAGE_H
#define KS_DATA_REPLAY_STAGE_H

#include "data/isa.h"
#include "data/replay_memory.h"

typedef struct ks_stage_room ks_stage_room; /* scratch, kept from stage to stage */

/* Keeps `isa`. NULL if out of memory. */
ks_stage_room *ks_stage_room_new(const ks_isa *isa);
void ks_stage_room_free(ks_stage_room *room);

/* Reads and computes; `result` becomes the packed rectangle that row->write is to hold. */
KS_CHECKED ks_status ks_stage_run(ks_stage_room *room, ks_memory *memory, const ks_op_row *row,
                                  ks_bytes *result, ks_error *error);

#endif
