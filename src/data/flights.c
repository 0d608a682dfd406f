#include "data/flights.h"

#include <stdlib.h>

static bool ends_before(const ks_flight *a, const ks_flight *b) {
    if (a->end != b->end) return a->end < b->end;
    if (a->cmd != b->cmd) return a->cmd < b->cmd;
    return a->stage < b->stage;
}

ks_flight *ks_flight_take(ks_flights *flights, const ks_op_row *row) {
    ks_flight *f = flights->spare;
    if (f)
        flights->spare = f->next_spare;
    else
        f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->end = row->end;
    f->cmd = row->cmd;
    f->stage = row->stage;
    f->is_last_of_command = row->is_last_of_command;
    f->who = (ks_toucher){row->command, row->m, row->n};
    f->write = row->write;
    return f;
}

void ks_flight_give(ks_flights *flights, ks_flight *flight) {
    flight->next_spare = flights->spare;
    flights->spare = flight;
}

bool ks_flight_start(ks_flights *flights, ks_flight *flight) {
    if (flights->count == flights->capacity) {
        const uint64_t capacity = flights->capacity ? 2 * flights->capacity : 16;
        ks_flight **heap = realloc(flights->heap, capacity * sizeof(ks_flight *));
        if (!heap) return false;
        flights->heap = heap;
        flights->capacity = capacity;
    }
    uint64_t at = flights->count++;
    for (; at && ends_before(flight, flights->heap[(at - 1) / 2]); at = (at - 1) / 2)
        flights->heap[at] = flights->heap[(at - 1) / 2];
    flights->heap[at] = flight;
    return true;
}

ks_flight *ks_flight_land(ks_flights *flights, uint64_t ticks) {
    if (!flights->count || flights->heap[0]->end > ticks) return NULL;
    ks_flight **heap = flights->heap, *first = heap[0];
    const uint64_t count = --flights->count;
    const ks_flight *last = heap[count];
    uint64_t at = 0;
    for (uint64_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && ends_before(heap[child + 1], heap[child])) child++;
        if (!ends_before(heap[child], last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = heap[count];
    return first;
}

static void flight_free(ks_flight *f) {
    ks_bytes_free(&f->result);
    free(f);
}

void ks_flights_free(ks_flights *flights) {
    for (uint64_t i = 0; i < flights->count; i++) flight_free(flights->heap[i]);
    while (flights->spare) {
        ks_flight *next = flights->spare->next_spare;
        flight_free(flights->spare);
        flights->spare = next;
    }
    free(flights->heap);
    *flights = (ks_flights){0};
}
