/* What decides the machine's future, as words; core_forward.c says what that is. */
#include <string.h>

#include "device/core_forward.h"

enum { FIRST_ROOM = 64 };

/* Array of `count` items with room for `more` of them; NULL: status is set. */
static void *room_for(ks_core *core, void *items, size_t count, size_t more, size_t *room,
                      size_t item_bytes) {
    if (count + more <= *room) return items;
    size_t larger = *room ? *room : FIRST_ROOM;
    while (larger < count + more) larger *= 2;
    void *made = ks_core_take(core, larger, item_bytes);
    if (made && count) memcpy(made, items, count * item_bytes);
    if (made) *room = larger;
    return made;
}

typedef struct taker {
    ks_core *core;
    ks_snapshot *s;
    uint64_t first_command; /* of the closed tile, modulo 2^64 */
    uint64_t first_instruction;
} taker;

static bool make_room(taker *t, size_t words, size_t marks) {
    ks_snapshot *s = t->s;
    ks_forward *f = t->core->forward;
    s->words = room_for(t->core, s->words, s->word_count, words, &s->word_room, sizeof *s->words);
    s->paths = room_for(t->core, s->paths, s->mark_count, marks, &s->mark_room, sizeof *s->paths);
    f->marks = room_for(t->core, f->marks, s->mark_count, marks, &f->mark_room, sizeof *f->marks);
    return s->words && s->paths && f->marks;
}

static void add_word(taker *t, uint64_t word) { t->s->words[t->s->word_count++] = word; }

static void add_command(taker *t, uint32_t cmd) {
    if (cmd < t->s->lowest) t->s->lowest = cmd;
    add_word(t, cmd - t->first_command);
}

static void add_task(taker *t, const ks_task_ref *task) {
    add_command(t, ks_launch_cmd(task->launch));
    add_word(t, task->step->index);
}

/* Later marks that descend from it say so by its place. */
static void add_mark(taker *t, ks_mark *mark) {
    ks_snapshot *s = t->s;
    t->core->forward->marks[s->mark_count] = mark;
    s->paths[s->mark_count++] = mark->path;
    mark->path.origin = s->mark_count;
}

static bool add_server(taker *t, ks_lane lane) {
    ks_server_state *server = &t->core->servers[lane];
    const uint32_t ready = server->end - server->first;
    const bool is_idle = t->core->idle >> lane & 1;
    if (!make_room(t, 4 + 2 * (size_t)ready, 1)) return false;
    add_word(t, is_idle ? KS_NEVER : ks_core_end_of(t->core, lane)->time - t->core->now);
    if (!is_idle) {
        add_task(t, &server->serving);
        add_mark(t, server->mark);
    }
    add_word(t, ready);
    for (uint32_t i = server->first; i != server->end; i++)
        add_task(t, &server->ready[i & server->mask]);
    return true;
}

static bool add_latency(taker *t, const ks_latency *latency) {
    const uint32_t count = latency->end - latency->first;
    if (!make_room(t, 1 + 3 * (size_t)count, count)) return false;
    add_word(t, count);
    for (uint32_t i = latency->first; i != latency->end; i++) {
        ks_latency_entry *entry = &latency->entries[i & latency->mask];
        add_word(t, entry->end - t->core->now);
        add_task(t, &entry->task);
        add_mark(t, &entry->mark);
    }
    return true;
}

static bool add_scheduler(taker *t) {
    const ks_core *core = t->core;
    if (!make_room(t, 3 + core->arrived_count, 0)) return false;
    add_word(t, core->has_verdict ? 1u + core->has_hazard : 0u);
    add_word(t, core->arrived_count);
    for (uint32_t i = 0; i < core->arrived_count; i++)
        add_command(t, core->arrived[(core->arrived_first + i) & core->arrived_mask].cmd);
    add_word(t, core->in_flight_count);
    for (uint32_t i = 0; i < core->in_flight_count; i++) {
        const ks_launch *launch = core->in_flight[i];
        const uint32_t words = ks_template_words(launch->template);
        if (!make_room(t, 1 + words, 0)) return false;
        add_command(t, ks_launch_cmd(launch));
        for (uint32_t w = 0; w < words; w++) add_word(t, launch->missing[w]);
    }
    return true;
}

static bool add_cpu(taker *t) {
    ks_core *core = t->core;
    const ks_cpu *cpu = &core->cpu;
    const bool is_dispatching = cpu->mode == KS_CPU_DISPATCHING;
    if (!make_room(t, 4, 1)) return false;
    add_word(t, cpu->mode);
    add_word(t, cpu->next - t->first_instruction);
    add_command(t, cpu->command);
    add_word(t, is_dispatching ? cpu->segment_index : 0);
    if (is_dispatching) add_mark(t, cpu->mark);
    t->s->dispatch_left = is_dispatching ? cpu->until - core->now : 0;
    return true;
}

bool ks_snapshot_take(ks_core *core, ks_snapshot *s) {
    const ks_loop *loop = &core->script->loop;
    const ks_cpu *cpu = &core->cpu;
    /* From 0, the tile before the loop's first. */
    const uint64_t tile =
        (core->closed + loop->command_count - loop->first_command) / loop->command_count;
    taker t = {.core = core,
               .s = s,
               .first_command = loop->first_command + (tile - 1) * loop->command_count,
               .first_instruction = loop->first_instruction + (tile - 1) * loop->instruction_count};
    s->tile = tile + core->forward->passed;
    s->ticks = core->now;
    s->stall_ticks = core->timeline->stall_ticks;
    s->wait_ticks = core->timeline->wait_ticks;
    if (cpu->mode == KS_CPU_STALLED) s->stall_ticks += core->now - cpu->since;
    if (cpu->mode == KS_CPU_WAITING) s->wait_ticks += core->now - cpu->since;
    s->lowest = UINT32_MAX;
    s->word_count = s->mark_count = 0;
    for (int lane = 0; lane < KS_SERVER_LANES; lane++)
        if (!add_server(&t, (ks_lane)lane)) return false;
    for (int i = 0; i < KS_DMA_LANES; i++)
        if (!add_latency(&t, &core->latencies[i])) return false;
    return add_scheduler(&t) && add_cpu(&t);
}

bool ks_snapshot_is_same(const ks_snapshot *a, const ks_snapshot *b) {
    return a->word_count == b->word_count &&
           memcmp(a->words, b->words, a->word_count * sizeof *a->words) == 0;
}

/* ---- moving ---- */

/* A primitive has one stage, so its launch is met once; composites are in flight. */
static void move_task(const ks_task_ref *task, uint64_t by) {
    if (!task->launch->template->sample->is_composite) task->launch->order += by;
}

static void move_stages(ks_core *core, uint64_t by) {
    for (int lane = 0; lane < KS_SERVER_LANES; lane++) {
        ks_server_state *server = &core->servers[lane];
        if (!(core->idle >> lane & 1)) move_task(&server->serving, by);
        for (uint32_t i = server->first; i != server->end; i++)
            move_task(&server->ready[i & server->mask], by);
    }
    for (int k = 0; k < KS_DMA_LANES; k++) {
        const ks_latency *latency = &core->latencies[k];
        for (uint32_t i = latency->first; i != latency->end; i++)
            move_task(&latency->entries[i & latency->mask].task, by);
    }
    for (uint32_t i = 0; i < core->in_flight_count; i++) core->in_flight[i]->order += by;
}

/* Commands before those in hand are complete, later ones are not. */
static void move_complete(ks_core *core, int64_t commands) {
    const uint32_t first = core->script->loop.first_command;
    const size_t by = (size_t)(commands < 0 ? -commands : commands);
    const size_t kept = core->script->command_count - first - by;
    bool *from = core->is_complete + first, *to = from;
    *(commands < 0 ? &from : &to) += by;
    memmove(to, from, kept * sizeof *to);
    if (commands < 0)
        memset(to + kept, false, by * sizeof *to);
    else
        memset(from, true, by * sizeof *from);
}

void ks_snapshot_move(ks_core *core, int64_t tiles) {
    const ks_loop *loop = &core->script->loop;
    const ks_forward *f = core->forward;
    const int64_t commands = tiles * loop->command_count;
    const uint64_t by = (uint64_t)commands << KS_ORDER_BITS;
    const size_t marks = f->snapshots[(f->snapshot_count - 1) % KS_KEPT_SNAPSHOTS].mark_count;
    for (size_t i = 0; i < marks; i++) f->marks[i]->order += by;
    move_stages(core, by);
    for (uint32_t i = 0; i < core->arrived_count; i++)
        core->arrived[(core->arrived_first + i) & core->arrived_mask].cmd += (uint32_t)commands;
    core->cpu.command += (uint32_t)commands;
    core->cpu.next += (size_t)(tiles * (int64_t)loop->instruction_count);
    move_complete(core, commands);
}
