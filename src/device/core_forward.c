/* Tiles that are left out of a script: simulated in its loop, or skipped, exactly.
 *
 * A boundary is the instant at which the last composite of an equal tile (ks_loop), or of the tile
 * before the first of them, completes, after all four steps of that instant. What the machine does
 * from there on is decided by
 *  - per server the stage in service and its remaining time, the order of the ready stages, and
 *    the DMA completions under way with theirs (ready times do not matter: what becomes ready
 *    later sorts behind);
 *  - for each composite in flight the dependencies that are missing; the queue of arrived ones and
 *    the verdict on its head;
 *  - PE_CPU: place in the program, dispatching with how much left, stalled, or waiting for which;
 *  - the program from there on.
 * It is not decided by absolute time, by numbers of commands, by when queued composites arrived or
 * a STALL began. A snapshot is the former as words, times relative to the instant and commands and
 * instructions relative to the tile. Marks of the critical path decide nothing.
 *
 * Soundness. Let two boundaries p > 0 tiles apart have equal words, all commands in hand be of
 * equal tiles, and PE_CPU read none but equal tiles in between; let n x p tiles be left out. By induction
 * the machine of the whole program passes n more such stretches, of equal length, stall and wait,
 * before it reads what follows: every command, instruction and hazard it meets in one of them is
 * the last one's, moved on by p tiles (ks_loop_build compared them; durations follow from shapes;
 * commands that are not in the words are complete). Then it does what our machine does with the
 * tiles behind the loop. So the tiles are taken off the count, n x what a stretch took is added to
 * the sums (checked for overflow), and our machine's clock stays as it is. Equal tiles of the script
 * that PE_CPU has not read are passed over likewise, by moving the machine's numbers on.
 *
 * The critical path: each mark that is under way carries sums and, as `origin`, the mark of the
 * last boundary that it descends from. A stretch adds to the sums of mark i, over those of its
 * origin o(i), a difference d(i) that is the same in each: causes are chosen by relative order of
 * commands and by what ends together, which the words fix. So n stretches later mark i has d(i) +
 * d(o(i)) + ... over n links, on top of the sums of the last one.
 *
 * Drift. PE_CPU may gain a little on the engines in each tile, and no state repeats until its queue
 * is full. Let consecutive boundaries be equal in all words, PE_CPU dispatching at both with `gain`
 * ticks less to go at the second, and the tile consist of DISPATCHes of composites. If between them
 * it neither stalled nor waited, and no composite started at its arrival, then the engines did not
 * notice when anything arrived: it found its place free, it was no cause, and what its arrival
 * meets (the places, the queue, what is in flight for a verdict) only changes where a composite
 * starts or completes. So the next tiles pass alike as long as no arrival has come earlier by more
 * than its distance from the last such turn before it, and the DISPATCH under way still ends after
 * the boundary: k tiles, where k x gain is at most the least distance, and less than what is left of
 * the DISPATCH. Then what is left of it is k x gain less, and PE_CPU's path is the only one that
 * knows. (At the instant of a turn it arrives as after it: completions come before PE_CPU, and
 * what starts then does not start at its arrival.)
 *
 * Where nothing repeats, the loop is what makes the script long enough: at a boundary of its second
 * tile the machine's numbers are moved back by one tile, and a tile is taken off the count. */
#include "device/core_forward.h"
#include "device/engine.h"

#include <stdlib.h>
#include <string.h>

ks_forward *ks_forward_new(ks_core *core) {
    ks_forward *f = ks_core_take(core, 1, sizeof *f);
    if (!f) return NULL;
    f->left = core->script->loop.left_out;
    ks_drift_begin(f);
    return f;
}

static const ks_snapshot *snapshot_back(const ks_forward *f, uint64_t back) {
    return &f->snapshots[(f->snapshot_count - 1 - back) % KS_KEPT_SNAPSHOTS];
}

/* ---- the critical path over skipped stretches ---- */

/* From the snapshot `back` boundaries ago to the last one: mark i descends from origins[i]. */
typedef struct stretch {
    const ks_path *before, *after;
    size_t *origins;
    size_t count;
} stretch;

/* False: a mark descends from none; that is so in the first stretch of a program only. */
static bool find_origins(const ks_forward *f, uint64_t back, stretch *s) {
    for (size_t i = 0; i < s->count; i++) {
        uint64_t place = i + 1;
        for (uint64_t n = 0; n < back && place; n++)
            place = snapshot_back(f, n)->paths[place - 1].origin;
        if (!place) return false;
        s->origins[i] = place - 1;
    }
    return true;
}

/* What `times` links from mark i on add; i becomes the last of them. */
static void follow(const stretch *s, size_t *i, uint64_t links, uint64_t times, ks_path *sum) {
    for (; links > 0; links--) {
        const size_t origin = s->origins[*i];
        for (int r = 0; r < KS_RESOURCE_COUNT; r++)
            sum->ticks[r] += times * (s->after[*i].ticks[r] - s->before[origin].ticks[r]);
        *i = origin;
    }
}

/* Sums of mark i after so many more stretches. After `count` links the chain is in its cycle. */
static ks_path path_after(const stretch *s, size_t i, uint64_t stretches) {
    ks_path sum = {.origin = i + 1};
    const uint64_t lead = stretches < s->count ? stretches : s->count;
    follow(s, &i, lead, 1, &sum);
    if (stretches > lead) {
        uint64_t length = 1;
        for (size_t at = s->origins[i]; at != i; at = s->origins[at]) length++;
        follow(s, &i, length, (stretches - lead) / length, &sum);
        follow(s, &i, (stretches - lead) % length, 1, &sum);
    }
    for (int r = 0; r < KS_RESOURCE_COUNT; r++) sum.ticks[r] += s->after[i].ticks[r];
    return sum;
}

/* ---- skipping ---- */

static bool add_skipped(uint64_t *sum, uint64_t each, uint64_t stretches) {
    const ks_wide total = *sum + (ks_wide)each * stretches;
    *sum = (uint64_t)total;
    return total < KS_TICKS_LIMIT;
}

/* Tiles that are left out first, then such of the script. */
static void pass_over(ks_core *core, uint64_t tiles) {
    ks_forward *f = core->forward;
    const uint64_t of_count = tiles < f->left ? tiles : f->left;
    f->left -= of_count;
    f->passed += of_count;
    if (tiles > of_count) ks_snapshot_move(core, (int64_t)(tiles - of_count));
}

/* So many stretches like the one from the snapshot `back` boundaries ago to the last one. */
static bool skip(ks_core *core, uint64_t back, uint64_t stretches) {
    ks_forward *f = core->forward;
    const ks_snapshot *a = snapshot_back(f, back), *b = snapshot_back(f, 0);
    stretch s = {a->paths, b->paths, ks_core_take(core, b->mark_count, sizeof *s.origins),
                 b->mark_count};
    if (!s.origins || !find_origins(f, back, &s)) return false;
    if (!add_skipped(&f->skipped_ticks, b->ticks - a->ticks, stretches) ||
        f->skipped_ticks >= KS_TICKS_LIMIT - core->now) {
        core->status = KS_INPUT;
        return false;
    }
    f->skipped_stall += stretches * (b->stall_ticks - a->stall_ticks); /* less than the ticks */
    f->skipped_wait += stretches * (b->wait_ticks - a->wait_ticks);
    for (size_t i = 0; i < s.count; i++) f->marks[i]->path = path_after(&s, i, stretches);
    f->comparable = 0;
    pass_over(core, stretches * (b->tile - a->tile));
    return true;
}

/* Equal tiles of the script that PE_CPU has not read. */
static uint64_t count_unread(const ks_core *core) {
    const ks_loop *loop = &core->script->loop;
    return (loop->end_instruction - core->cpu.next) / loop->instruction_count;
}

static bool skip_repeated(ks_core *core) {
    ks_forward *f = core->forward;
    const ks_snapshot *b = snapshot_back(f, 0);
    for (uint64_t back = 1; back < f->comparable; back++) {
        const ks_snapshot *a = snapshot_back(f, back);
        if (b->tile <= a->tile || a->dispatch_left != b->dispatch_left ||
            !ks_snapshot_is_same(a, b))
            continue;
        const uint64_t stretches = (f->left + count_unread(core)) / (b->tile - a->tile);
        if (stretches == 0 || !skip(core, back, stretches)) return false;
        if (f->way == KS_WAY_FULL) f->way = KS_WAY_FORWARD;
        return true;
    }
    return false;
}

static bool skip_drifting(ks_core *core) {
    ks_forward *f = core->forward;
    const ks_snapshot *a = snapshot_back(f, 1), *b = snapshot_back(f, 0);
    if (f->comparable < 2 || !ks_snapshot_is_same(a, b)) return false;
    const uint64_t gain = a->dispatch_left - b->dispatch_left, tiles = ks_drift_tiles(core, a, b);
    if (tiles == 0 || !skip(core, 1, tiles)) return false;
    core->cpu.until -= tiles * gain;
    ks_core_take_end(core, KS_LANE_CPU);
    ks_core_add_end(core, core->cpu.until, KS_LANE_CPU);
    f->way = KS_WAY_DRIFT;
    return true;
}

/* ---- boundaries ---- */

static bool take_snapshot(ks_core *core) {
    ks_forward *f = core->forward;
    f->comparable += f->comparable < KS_KEPT_SNAPSHOTS;
    return ks_snapshot_take(core, &f->snapshots[f->snapshot_count++ % KS_KEPT_SNAPSHOTS]);
}

/* In the loop's second tile or later, if no command in hand would leave the loop. */
static void move_back(ks_core *core) {
    const ks_loop *loop = &core->script->loop;
    ks_forward *f = core->forward;
    if (core->closed < loop->first_command + 2 * loop->command_count ||
        snapshot_back(f, 0)->lowest < loop->first_command + loop->command_count)
        return;
    ks_snapshot_move(core, -1);
    f->left--;
    f->passed++;
}

void ks_forward_boundary(ks_core *core) {
    ks_forward *f = core->forward;
    const ks_loop *loop = &core->script->loop;
    if (core->cpu.next > loop->end_instruction) {
        core->status = KS_FAILED;
    } else if (take_snapshot(core)) {
        if (snapshot_back(f, 0)->lowest < loop->first_command ||
            core->cpu.next < loop->first_instruction)
            f->comparable = 0; /* what follows is not of equal tiles only */
        if (skip_repeated(core) || skip_drifting(core)) {
            if (f->left) (void)take_snapshot(core); /* status says it */
        }
        if (f->left && !core->status) move_back(core);
    }
    ks_drift_begin(f);
    core->closed = KS_NO_COMMAND;
    if (f->left == 0) core->forward = NULL;
}

ks_status ks_forward_end(const ks_forward *f, const ks_script *script, ks_timeline *t) {
    if (f->left) return KS_FAILED; /* PE_CPU left the loop after its last boundary */
    if (f->skipped_ticks >= KS_TICKS_LIMIT - t->total_ticks) return KS_INPUT;
    t->total_ticks += f->skipped_ticks;
    t->stall_ticks += f->skipped_stall;
    t->wait_ticks += f->skipped_wait;
    t->last.cmd += (uint32_t)(f->passed * script->loop.command_count);
    t->way = f->way;
    return KS_OK;
}
