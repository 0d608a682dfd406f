/* Staging, operand, accumulator and write-staging buffers: a set per composite in flight. */
#ifndef KS_DATA_REPLAY_BUFFERS_H
#define KS_DATA_REPLAY_BUFFERS_H

#include "data/replay_memory.h"

typedef struct ks_buffers ks_buffers;

ks_buffers *ks_buffers_new(void); /* NULL if out of memory */
void ks_buffers_free(ks_buffers *buffers);

/* Buffer number `index` of `space` in the command's own set; empty (length 0) until it is
 * written. Valid until the next call. NULL: out of memory or an absurd index. */
ks_bytes *ks_buffers_find(ks_buffers *buffers, const ks_command *command, ks_space space,
                          uint64_t index);

void ks_buffers_release(ks_buffers *buffers, const ks_command *command);

#endif
