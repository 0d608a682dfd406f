/* A repeat count as a stretch of equal tiles: the tile before the repeat, the repeated tile and the
 * one after it are compared, then the repeated one is put in as often as PE_CPU can run ahead. */
#include "device/script_loop.h"

#include <string.h>

/* The program around the repeat, and the script that is made. */
typedef struct builder {
    ks_script *script;
    const ks_repeat *repeat;
    uint32_t tile_commands;
    size_t tile_instructions;
    uint64_t copies; /* tiles that are put in; even: tiles alternate between two buffers */
    ks_order *orders;
    ks_instruction *instructions;
    size_t instruction_count;
} builder;

/* ---- equal tiles ---- */

/* The tile that begins there is like the one before it. */
static bool is_like_last(const builder *b, uint32_t command, size_t instruction) {
    const ks_order *orders = &b->script->orders[command];
    const ks_instruction *list = &b->script->program->instructions[instruction];
    for (uint32_t c = 0; c < b->tile_commands; c++)
        if (orders[c].template != (orders - b->tile_commands)[c].template) return false;
    for (size_t i = 0; i < b->tile_instructions; i++) {
        const ks_instruction *last = &(list - b->tile_instructions)[i];
        if (list[i].kind != last->kind || list[i].command != last->command + b->tile_commands)
            return false;
    }
    return true;
}

static uint32_t class_of(const builder *b, uint32_t command) {
    return b->script->orders[command].hazard;
}

static bool is_composite(const builder *b, uint32_t command) {
    return b->script->orders[command].template->sample->is_composite;
}

/* Two composites conflict where the same two of the next tile do: `next` of a class is the class
 * of the same composite one tile on. */
static bool are_hazards_equal(const builder *b, uint32_t first, uint32_t end, uint32_t *next) {
    const ks_script *s = b->script;
    for (uint32_t c = first; c < end; c++) {
        if (!is_composite(b, c)) continue;
        const uint32_t on = class_of(b, c + b->tile_commands);
        if (next[class_of(b, c)] != UINT32_MAX && next[class_of(b, c)] != on) return false;
        if (c < first + b->tile_commands && class_of(b, c) != class_of(b, c + 2 * b->tile_commands))
            return false;
        next[class_of(b, c)] = on;
    }
    for (uint32_t x = 0; x < s->hazard_count; x++)
        for (uint32_t y = 0; y < s->hazard_count; y++)
            if (next[x] != UINT32_MAX && next[y] != UINT32_MAX &&
                s->hazards[(size_t)x * s->hazard_count + y] !=
                    s->hazards[(size_t)next[x] * s->hazard_count + next[y]])
                return false;
    return true;
}

static bool are_tiles_equal(const builder *b, ks_arena *arena, ks_status *status) {
    const ks_repeat *r = b->repeat;
    const uint32_t after = r->first_command + b->tile_commands;
    uint32_t *next = ks_arena_take(arena, b->script->hazard_count, sizeof *next);
    if (!next) *status = KS_NO_MEMORY;
    if (!next || !r->command_count || r->first_command < b->tile_commands ||
        r->first_instruction < b->tile_instructions ||
        after + b->tile_commands > b->script->program->command_count)
        return false;
    memset(next, 0xff, b->script->hazard_count * sizeof *next);
    return is_like_last(b, r->first_command, r->first_instruction) &&
           is_like_last(b, after, r->first_instruction + b->tile_instructions) &&
           are_hazards_equal(b, r->first_command - b->tile_commands, after, next);
}

/* ---- the script's commands and instructions ---- */

/* At a boundary of the second equal tile the machine is moved back by one (core_forward.c); PE_CPU
 * is then at most as far ahead as it has places, and one command and one tile more. */
static uint64_t copies_for(const builder *b, const ks_machine *machine) {
    uint64_t composites = 0;
    for (uint32_t c = 0; c < b->tile_commands; c++)
        composites += is_composite(b, b->repeat->first_command + c);
    if (composites == 0) return b->repeat->count; /* no boundaries */
    const uint64_t ahead = machine->queue_depth / composites + 4;
    const uint64_t copies = ahead + (ahead & 1);
    return copies < b->repeat->count ? copies : b->repeat->count;
}

static void put_orders(builder *b) {
    ks_script *s = b->script;
    const uint32_t end = b->repeat->first_command + b->tile_commands;
    const uint32_t more = (uint32_t)b->copies * b->tile_commands;
    memcpy(b->orders, s->orders, end * sizeof *b->orders);
    for (uint32_t c = end; c < end + more; c++) b->orders[c] = b->orders[c - 2 * b->tile_commands];
    memcpy(b->orders + end + more, s->orders + end, (s->command_count - end) * sizeof *b->orders);
    s->orders = b->orders;
    s->command_count += more;
}

static void put_instruction(builder *b, ks_instruction_kind kind, uint32_t command) {
    b->instructions[b->instruction_count++] = (ks_instruction){kind, command};
}

/* The tile after the repeat means equal tiles by distance. */
static void put_next_tile(builder *b, size_t from) {
    const uint32_t first = b->repeat->first_command - b->tile_commands;
    const uint32_t more = (uint32_t)b->copies * b->tile_commands;
    for (size_t i = from; i < from + b->tile_instructions; i++) {
        const ks_instruction *in = &b->script->program->instructions[i];
        put_instruction(b, in->kind, in->command + (in->command >= first ? more : 0));
    }
}

static bool waits_for_repeat(const builder *b, size_t i) {
    const ks_program *p = b->script->program;
    return i < p->instruction_count && p->instructions[i].kind == KS_WAIT &&
           p->instructions[i].command - b->repeat->first_command < b->tile_commands;
}

/* After that, a WAIT for a command of the repeated tile is one for each time it comes; WAITs are
 * in the order of commands. */
static void put_rest(builder *b, size_t from) {
    const ks_program *p = b->script->program;
    const uint32_t end = b->repeat->first_command + b->tile_commands;
    const uint32_t more = (uint32_t)b->copies * b->tile_commands;
    for (size_t i = from, next; i < p->instruction_count; i = next) {
        for (next = i; waits_for_repeat(b, next);) next++;
        for (uint32_t moved = 0; next > i && moved <= more; moved += b->tile_commands)
            for (size_t k = i; k < next; k++)
                put_instruction(b, KS_WAIT, p->instructions[k].command + moved);
        if (next > i) continue;
        const ks_instruction *in = &p->instructions[next++];
        put_instruction(b, in->kind, in->command + (in->command >= end ? more : 0));
    }
}

/* Room of put_rest: WAITs for the repeated tile that it multiplies. */
static uint64_t count_waits(const builder *b) {
    uint64_t count = 0;
    for (size_t i = 0; i < b->script->program->instruction_count; i++)
        count += waits_for_repeat(b, i);
    return count;
}

static void put_instructions(builder *b) {
    ks_script *s = b->script;
    const size_t end = b->repeat->first_instruction + b->tile_instructions;
    memcpy(b->instructions, s->instructions, end * sizeof *b->instructions);
    b->instruction_count = end;
    for (size_t i = 0; i < b->copies * b->tile_instructions; i++) {
        const ks_instruction *last = &b->instructions[b->instruction_count - b->tile_instructions];
        put_instruction(b, last->kind, last->command + b->tile_commands);
    }
    put_next_tile(b, end);
    put_rest(b, end + b->tile_instructions);
    s->instructions = b->instructions;
    s->instruction_count = b->instruction_count;
}

static bool make_room(builder *b, ks_arena *arena) {
    const ks_program *p = b->script->program;
    const uint64_t commands = p->command_count + b->copies * b->tile_commands;
    const uint64_t instructions =
        p->instruction_count + b->copies * (b->tile_instructions + count_waits(b));
    if (commands >= UINT32_MAX || instructions >= UINT32_MAX) return false;
    b->orders = ks_arena_take(arena, commands, sizeof *b->orders);
    b->instructions = ks_arena_take(arena, instructions, sizeof *b->instructions);
    return b->orders && b->instructions;
}

static void set_loop(const builder *b) {
    ks_script *s = b->script;
    ks_loop *loop = &s->loop;
    *loop = (ks_loop){.left_out = b->repeat->count - b->copies,
                      .first_command = b->repeat->first_command - b->tile_commands,
                      .command_count = b->tile_commands,
                      .first_instruction = b->repeat->first_instruction - b->tile_instructions,
                      .instruction_count = b->tile_instructions,
                      .is_composites_only = true};
    const size_t tiles = 3 + b->copies;
    loop->end_instruction = loop->first_instruction + tiles * b->tile_instructions;
    uint32_t last = 0;
    for (uint32_t c = 0; c < b->tile_commands; c++) {
        if (is_composite(b, loop->first_command + c))
            last = c;
        else
            loop->is_composites_only = false;
    }
    for (size_t i = 0; i < b->tile_instructions; i++)
        loop->is_composites_only &=
            s->instructions[loop->first_instruction + i].kind == KS_DISPATCH;
    if (!loop->left_out) return;
    for (size_t t = 0; t < tiles; t++)
        b->orders[loop->first_command + t * b->tile_commands + last].closes_tile = true;
    /* The tile before them ends alike, if not more. */
    if (last + 1 == b->tile_commands && is_composite(b, loop->first_command - 1))
        b->orders[loop->first_command - 1].closes_tile = true;
}

ks_status ks_loop_build(ks_script *script, const ks_machine *machine, ks_arena *arena) {
    const ks_repeat *repeat = &script->program->repeat;
    builder b = {.script = script,
                 .repeat = repeat,
                 .tile_commands = repeat->command_count,
                 .tile_instructions = repeat->instruction_count};
    ks_status status = KS_FAILED;
    if (!are_tiles_equal(&b, arena, &status)) return status;
    b.copies = copies_for(&b, machine);
    if (!make_room(&b, arena)) return KS_NO_MEMORY;
    put_orders(&b);
    put_instructions(&b);
    set_loop(&b);
    return KS_OK;
}
