#include "device/script_template.h"

#include <string.h>

enum { FIRST_ROOM = 8 };

/* Arrays grow whenever their count is FIRST_ROOM times a power of two. */
void *ks_room_grow(ks_arena *arena, void *items, size_t count, size_t item_bytes) {
    const bool is_full = count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
    if (!is_full) return items;
    void *larger = ks_arena_take(arena, count ? 2 * count : FIRST_ROOM, item_bytes);
    if (larger && count) memcpy(larger, items, count * item_bytes);
    return larger;
}

static ks_status find_work(ks_script *script, const ks_work *work, ks_arena *arena,
                           uint32_t *index) {
    for (uint32_t i = script->work_count; i-- > 0;) /* the last one first: neighbours are alike */
        if (memcmp(&script->works[i], work, sizeof *work) == 0) {
            *index = i;
            return KS_OK;
        }
    script->works = ks_room_grow(arena, script->works, script->work_count, sizeof *script->works);
    if (!script->works) return KS_NO_MEMORY;
    script->works[script->work_count] = *work;
    *index = script->work_count++;
    return KS_OK;
}

static bool waits_for(const ks_plan *plan, uint32_t stage, uint32_t other) {
    const ks_stage *s = &plan->stages[stage];
    for (uint32_t i = 0; i < s->dep_count; i++)
        if (plan->deps[s->first_dep + i] == other) return true;
    return false;
}

/* Another dependency of the stage waits for `dep`. */
static bool is_implied(const ks_plan *plan, const ks_stage *stage, uint32_t dep) {
    for (uint32_t i = 0; i < stage->dep_count; i++)
        if (waits_for(plan, plan->deps[stage->first_dep + i], dep)) return true;
    return false;
}

/* The dependencies that count, into `deps`. The first post op waits for every STORE: its server
 * takes them in order of readiness, which is their order (GEMMs of a command are in order, and so
 * is every server behind them), so the last one ends last. */
static uint8_t add_deps(const ks_plan *plan, uint32_t index, uint32_t *deps) {
    const ks_stage *stage = &plan->stages[index];
    uint8_t count = 0;
    if (stage->dep_count && stage->role == KS_STAGE_WHOLE) {
        deps[count++] = plan->deps[stage->first_dep + stage->dep_count - 1];
        return count;
    }
    for (uint32_t i = 0; i < stage->dep_count; i++) {
        const uint32_t dep = plan->deps[stage->first_dep + i];
        if (!is_implied(plan, stage, dep)) deps[count++] = dep;
    }
    return count;
}

/* Turns "waits for" into "is waited for by". */
static void add_nexts(ks_template *t, uint32_t *nexts) {
    for (uint32_t s = 0; s < t->step_count; s++)
        for (uint32_t d = 0; d < t->steps[s].dep_count; d++)
            t->steps[t->steps[s].deps[d]].next_count++;
    for (uint32_t s = 0; s < t->step_count; s++) {
        t->steps[s].nexts = nexts;
        nexts += t->steps[s].next_count;
        t->steps[s].next_count = 0;
    }
    for (uint32_t s = 0; s < t->step_count; s++)
        for (uint32_t d = 0; d < t->steps[s].dep_count; d++) {
            ks_step *on = &t->steps[t->steps[s].deps[d]];
            ((uint32_t *)on->nexts)[on->next_count++] = s; /* ours until the template is built */
        }
}

static ks_status add_steps(ks_script *script, ks_template *t, ks_arena *arena) {
    const ks_plan *plan = &t->plan;
    enum { MOST_DEPS = 4 };
    uint32_t *deps = ks_arena_take(arena, MOST_DEPS * (size_t)t->step_count, sizeof *deps);
    uint32_t *nexts = ks_arena_take(arena, MOST_DEPS * (size_t)t->step_count, sizeof *nexts);
    uint32_t *roots = ks_arena_take(arena, t->step_count, sizeof *roots);
    t->steps = ks_arena_take(arena, t->step_count, sizeof *t->steps);
    t->missing = ks_arena_take(arena, ks_template_words(t), sizeof *t->missing);
    if (!deps || !nexts || !roots || !t->steps || !t->missing) return KS_NO_MEMORY;
    for (uint32_t s = 0; s < t->step_count; s++) {
        ks_step *step = &t->steps[s];
        *step = (ks_step){.index = s,
                          .deps = deps,
                          .lane = (uint8_t)(plan->stages[s].server - 1),
                          .dep_count = add_deps(plan, s, deps),
                          .is_last = s + 1 == t->step_count};
        deps += step->dep_count;
        ((uint8_t *)t->missing)[s] = step->dep_count;
        if (step->dep_count == 0) roots[t->root_count++] = s;
        const ks_status status = find_work(script, &plan->stages[s].work, arena, &step->work);
        if (status) return status;
    }
    t->roots = roots;
    add_nexts(t, nexts);
    return KS_OK;
}

ks_status ks_template_build(ks_script *script, const ks_command *command, const ks_machine *machine,
                            ks_arena *arena, ks_template *made) {
    made->sample = command;
    const ks_status status = ks_plan_shape(command, machine, arena, &made->plan);
    if (status) return status;
    made->step_count = made->plan.stage_count;
    made->segments = ks_arena_take(arena, command->op_count, sizeof *made->segments);
    return made->segments ? add_steps(script, made, arena) : KS_NO_MEMORY;
}
