#include <string.h>

#include "device/run.h"

void *ks_run_take(ks_run *run, size_t count, size_t item_bytes) {
    void *piece = ks_arena_take(run->arena, count, item_bytes);
    if (!piece && !run->status) run->status = KS_NO_MEMORY;
    return piece;
}

void *ks_queue_at(const ks_queue *queue, size_t index) {
    return queue->items + ((queue->first + index) & (queue->capacity - 1)) * queue->item_bytes;
}

static bool grow(ks_run *run, ks_queue *queue) {
    const size_t capacity = queue->capacity ? 2 * queue->capacity : 16;
    char *items = ks_run_take(run, capacity, queue->item_bytes);
    if (!items) return false;
    for (size_t i = 0; i < queue->count; i++)
        memcpy(items + i * queue->item_bytes, ks_queue_at(queue, i), queue->item_bytes);
    queue->items = items;
    queue->first = 0;
    queue->capacity = capacity;
    return true;
}

void *ks_queue_add(ks_run *run, ks_queue *queue) {
    if (queue->count == queue->capacity && !grow(run, queue)) return NULL;
    return ks_queue_at(queue, queue->count++);
}

void ks_queue_drop(ks_queue *queue) {
    queue->first = (queue->first + 1) & (queue->capacity - 1);
    queue->count--;
}
