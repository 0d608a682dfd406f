/* What PE_CPU pays for a command: segments of consecutive ops (MODEL.md section 4). */
#ifndef KS_DEVICE_DISPATCH_H
#define KS_DEVICE_DISPATCH_H

#include "base/status.h"
#include "contract/command.h"
#include "device/machine.h"

typedef struct ks_segment {
    uint32_t first_op, op_count;
    uint64_t bytes; /* logical */
    uint64_t ticks;
} ks_segment;

/* The segment that begins at `first_op`: as many ops as fit under the cap, at least one.
 * first_op < command->op_count. Ticks are UINT64_MAX when not below 2^63. */
ks_segment ks_segment_at(const ks_command *command, uint32_t first_op, const ks_machine *machine);

typedef struct ks_dispatch_totals {
    uint64_t command_count, composite_count;
    uint64_t logical_bytes;
    uint64_t ticks;      /* over all commands */
    uint64_t tile_ticks; /* over the commands that belong to a tile; of a bench, over all */
} ks_dispatch_totals;

typedef enum ks_dispatch_verdict {
    KS_DISPATCHABLE,
    KS_DISPATCH_OP_OVER_CAP, /* `op_bytes` of the first such op */
    KS_DISPATCH_OVERFLOW
} ks_dispatch_verdict;

ks_dispatch_verdict ks_dispatch_total(const ks_program *program, const ks_machine *machine,
                                      ks_dispatch_totals *totals, uint64_t *op_bytes);

#endif
