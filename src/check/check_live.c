/* Commands in flight: their state is begun by their first row and used again after their last. */
#include <string.h>

#include "check/check_state.h"

static ks_live *take(ks_check *check, ks_shape *shape) {
    ks_live *live = shape->free;
    if (live) {
        shape->free = live->next_free;
        ks_seen *seen = live->seen;
        *live = (ks_live){.seen = seen};
    } else {
        live = ks_arena_take(check->arena, 1, sizeof *live);
        if (!live) return NULL;
        live->seen = ks_arena_take(check->arena, shape->stage_count, sizeof *live->seen);
        if (!live->seen) return NULL;
    }
    memset(live->seen, 0xff, shape->stage_count * sizeof *live->seen); /* KS_CHECK_UNSEEN */
    return live;
}

/* Commands are dispatched in order, so the place is nearly always the end. */
static void link_in(ks_check *check, ks_live *live) {
    ks_live *before = check->rw_last;
    while (before && before->command->index > live->command->index) before = before->before;
    live->before = before;
    live->after = before ? before->after : check->rw_first;
    *(live->after ? &live->after->before : &check->rw_last) = live;
    *(before ? &before->after : &check->rw_first) = live;
}

static ks_live *begin(ks_check *check, const ks_command *command) {
    ks_shape *shape = ks_shape_of(check, command);
    ks_live *live = shape ? take(check, shape) : NULL;
    if (!live) return NULL;
    live->command = command;
    live->shape = shape;
    live->missing = shape->stage_count;
    live->pre_missing = shape->gemm < 0 ? 0 : shape->pre_count;
    if (command->is_composite && command->rw_count) link_in(check, live);
    return live;
}

ks_status ks_live_of(ks_check *check, uint32_t cmd, ks_live **live) {
    *live = check->lives[cmd];
    if (*live == &check->done) *live = NULL;
    if (check->lives[cmd]) return KS_OK;
    *live = check->lives[cmd] = begin(check, check->program->commands[cmd]);
    return *live ? KS_OK : KS_NO_MEMORY;
}

void ks_live_free(ks_live *live) {
    live->next_free = live->shape->free;
    live->shape->free = live;
}

void ks_live_unlink(ks_check *check, ks_live *live) {
    *(live->before ? &live->before->after : &check->rw_first) = live->after;
    *(live->after ? &live->after->before : &check->rw_last) = live->before;
}

void ks_live_settle(ks_check *check, ks_live *live) {
    if (live->missing || !live->is_dispatched || live->is_complete) return;
    live->is_complete = true;
    check->lives[live->command->index] = &check->done;
    ks_ask_moves(check, live);
    /* fifo still needs to know when one with rw_handles ends; it frees it then. */
    if (!live->command->is_composite || !live->command->rw_count) ks_live_free(live);
}
