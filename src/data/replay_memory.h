/* What the replay's stages read and write: HBM, TCM, and the buffers of composites in flight. */
#ifndef KS_DATA_REPLAY_MEMORY_H
#define KS_DATA_REPLAY_MEMORY_H

#include "data/data.h"

/* A piece of memory that grows. Owned by whoever holds the struct; or, until it is resized, a
 * rectangle that somebody else owns and nobody changes. */
typedef struct ks_bytes {
    unsigned char *data; /* aligned to 64 bytes; NULL while capacity is 0 */
    uint64_t length, capacity;
    const unsigned char *borrowed; /* NULL: none */
    uint64_t borrowed_stride_bytes;
} ks_bytes;

/* Sets the length; what was there is lost when it has to grow. False: out of memory. */
KS_CHECKED bool ks_bytes_resize(ks_bytes *bytes, uint64_t length);
void ks_bytes_free(ks_bytes *bytes);

/* An operand buffer holds its b tile aligned, so it is up to KS_OPB_SLACK longer than its range. */
enum { KS_OPB_SLACK = 64 };
uint64_t ks_opb_offset_of_b(uint64_t a_bytes);

typedef struct ks_memory ks_memory;

ks_memory *ks_memory_new(const ks_numbers *numbers, uint64_t tcm_bytes,
                         const ks_calibration *calibration); /* NULL if out of memory */
void ks_memory_free(ks_memory *memory);                      /* NULL is fine */

/* Rows of a rectangle lie stride_bytes apart. */
typedef struct ks_view {
    const unsigned char *data;
    uint64_t stride_bytes;
    bool is_input; /* nobody writes there: it holds as long as the memory does */
} ks_view;

/* Who touches memory: buffers are those of `command`; m, n say where in a whole output that is
 * staged for post-loop ops (wst) a tile belongs. */
typedef struct ks_toucher {
    const ks_command *command;
    uint64_t m, n;
} ks_toucher;

uint64_t ks_access_item_bytes(const ks_access *access); /* of a rectangle that is no opb */

/* A view that holds until the next call. A buffer, or a part of one, that nobody wrote reads as
 * NaN. KS_FAILED: outside HBM's tensors or TCM's peak. */
KS_CHECKED ks_status ks_memory_read(ks_memory *memory, const ks_toucher *who,
                                    const ks_access *access, ks_view *view, ks_error *error);

/* Stores a packed rectangle; takes bytes' memory in exchange for some other. KS_FAILED as above,
 * or the target is an input. */
KS_CHECKED ks_status ks_memory_write(ks_memory *memory, const ks_toucher *who,
                                     const ks_access *access, ks_bytes *bytes, ks_error *error);

/* The command's buffers are gone. */
void ks_memory_release(ks_memory *memory, const ks_command *command);

#endif
