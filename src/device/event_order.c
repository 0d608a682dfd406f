#include <stdlib.h>

#include "device/run.h"

static int is_stage(const ks_event *event) { return event->stage != KS_CPU_STAGE; }

/* Within one command PE_CPU's rows go DISPATCH by segment, STALL, WAIT; the row kinds are in that
 * order. All events here start at the same instant. */
static int compare(const void *left, const void *right) {
    const ks_event *a = left, *b = right;
    if (is_stage(a) != is_stage(b)) return is_stage(a) - is_stage(b);
    if (a->cmd != b->cmd) return a->cmd < b->cmd ? -1 : 1;
    if (is_stage(a)) return a->stage < b->stage ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return a->segment < b->segment ? -1 : 1;
}

void ks_event_add(ks_run *run, const ks_event *event) {
    if (!run->sink) return;
    if (run->instant_count == run->instant_room) {
        const size_t room = run->instant_room ? 2 * run->instant_room : 16;
        ks_event *events = ks_run_take(run, room, sizeof *events);
        if (!events) return;
        for (size_t i = 0; i < run->instant_count; i++) events[i] = run->instant_events[i];
        run->instant_events = events;
        run->instant_room = room;
    }
    run->instant_events[run->instant_count++] = *event;
}

static bool is_open(const ks_event *event) { return event->end == UINT64_MAX; }

static void pass_on(ks_run *run) {
    while (run->waiting_events.count && !run->status) {
        const ks_event *event = ks_queue_at(&run->waiting_events, 0);
        if (is_open(event)) return;
        run->status = run->sink->event(run->sink->self, event);
        ks_queue_drop(&run->waiting_events);
    }
}

void ks_event_close(ks_run *run, uint64_t end) {
    if (!run->sink) return;
    for (size_t i = 0; i < run->waiting_events.count; i++) {
        ks_event *event = ks_queue_at(&run->waiting_events, i);
        if (!is_open(event)) continue;
        event->end = event->occupied_end = end;
        return;
    }
    KS_BUG("no STALL or WAIT is open");
}

void ks_event_end_instant(ks_run *run) {
    if (!run->sink || run->status) return;
    qsort(run->instant_events, run->instant_count, sizeof *run->instant_events, compare);
    for (size_t i = 0; i < run->instant_count; i++) {
        ks_event *slot = ks_queue_add(run, &run->waiting_events);
        if (!slot) return;
        *slot = run->instant_events[i];
    }
    run->instant_count = 0;
    pass_on(run);
}
