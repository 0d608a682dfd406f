/* Many items in order through several threads: they are taken a window at a time, run in any order
 * within it, and leave window by window. Three windows are under way: one is handed over and one
 * made ready while the points of a third run, so no thread waits for the last of a window. */
#ifndef KS_RUN_PIPELINE_H
#define KS_RUN_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { KS_PIPELINE_PLACES = 3 }; /* windows under way; a window keeps its place */

typedef struct ks_pipeline {
    uint64_t window_count;
    int threads;        /* from 1 */
    bool is_one_by_one; /* a window is handed over before the next is made ready */

    void *self;
    /* Makes the window ready: one at a time, in order, while others run or end. Returns how many
     * items it has. */
    size_t (*begin)(void *self, uint64_t window, int place);
    /* Several at once; items of a window are begun in order. */
    void (*run)(void *self, int thread, int place, size_t item);
    /* Every item has run: one at a time, in order, while others begin or run. */
    void (*end)(void *self, int place);
    /* True: no item is begun any more. Any thread may ask at any time. */
    bool (*is_over)(void *self);
} ks_pipeline;

/* `begun` and `ended` become how many windows were; after is_over the last begun, at most three, may
 * have run in part and are not ended. KS_NO_MEMORY, or KS_OK. */
KS_CHECKED ks_status ks_pipeline_run(const ks_pipeline *work, uint64_t *begun, uint64_t *ended);

#endif
