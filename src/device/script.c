#include "device/script.h"

#include <string.h>

#include "device/script_loop.h"
#include "device/script_template.h"

/* Those that a plan depends on, and queue_depth, which the length of the loop depends on. */
static void list_constants(const ks_machine *m, uint64_t constants[8]) {
    const uint64_t list[8] = {m->tile_m,
                              m->tile_n,
                              m->tile_k,
                              m->stream_buffers,
                              m->operand_buffers,
                              m->acc_buffers,
                              m->is_streaming_in_prologue,
                              m->queue_depth};
    memcpy(constants, list, sizeof list);
}

/* ---- hazards ---- */

static bool is_same_list(const ks_range *a, uint32_t a_count, const ks_range *b, uint32_t b_count) {
    if (a_count != b_count) return false;
    for (uint32_t i = 0; i < a_count; i++)
        if (a[i].space != b[i].space || a[i].addr != b[i].addr || a[i].bytes != b[i].bytes)
            return false;
    return true;
}

/* Ranges of the command that matter: an HBM range that no composite writes meets nothing. */
typedef struct ranges {
    uint32_t read_count;
    ks_range *reads;
} ranges;

typedef struct hazard_builder {
    ks_script *script;
    ks_arena *arena;
    const ks_command **samples; /* by class */
    ranges *ranges;             /* by class */
    ks_range written;           /* HBM from the first to the last byte that a composite writes */
} hazard_builder;

static void widen(ks_range *all, const ks_range *range) {
    const uint64_t end = range->addr + range->bytes, all_end = all->addr + all->bytes;
    if (all->bytes == 0) {
        *all = *range;
        return;
    }
    if (range->addr < all->addr) all->addr = range->addr;
    all->bytes = (end > all_end ? end : all_end) - all->addr;
}

static void find_written(hazard_builder *b) {
    const ks_program *program = b->script->program;
    b->written = (ks_range){.space = KS_HBM};
    for (uint32_t c = 0; c < program->command_count; c++) {
        const ks_command *command = program->commands[c];
        for (uint32_t i = 0; command->is_composite && i < command->write_count; i++)
            if (command->writes[i].space == KS_HBM) widen(&b->written, &command->writes[i]);
    }
}

static uint32_t list_reads(const hazard_builder *b, const ks_command *command, ks_range *reads) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < command->read_count; i++) {
        const ks_range *read = &command->reads[i];
        if (read->space != KS_HBM || ks_range_overlaps(read, &b->written)) reads[count++] = *read;
    }
    return count;
}

static ks_status add_class(hazard_builder *b, const ks_command *command, const ranges *made) {
    ks_script *s = b->script;
    b->samples = ks_room_grow(b->arena, b->samples, s->hazard_count, sizeof *b->samples);
    b->ranges = ks_room_grow(b->arena, b->ranges, s->hazard_count, sizeof *b->ranges);
    if (!b->samples || !b->ranges) return KS_NO_MEMORY;
    ranges *slot = &b->ranges[s->hazard_count];
    slot->read_count = made->read_count;
    slot->reads = ks_arena_take(b->arena, made->read_count, sizeof *slot->reads);
    if (!slot->reads) return KS_NO_MEMORY;
    memcpy(slot->reads, made->reads, made->read_count * sizeof *made->reads);
    b->samples[s->hazard_count++] = command;
    return KS_OK;
}

static ks_status classify(hazard_builder *b, const ks_command *command, ranges *scratch) {
    ks_script *s = b->script;
    scratch->read_count = list_reads(b, command, scratch->reads);
    uint32_t at = s->hazard_count;
    while (at-- > 0) {
        const ks_command *sample = b->samples[at];
        if (is_same_list(sample->writes, sample->write_count, command->writes,
                         command->write_count) &&
            is_same_list(b->ranges[at].reads, b->ranges[at].read_count, scratch->reads,
                         scratch->read_count))
            break;
    }
    const bool is_new = at == UINT32_MAX;
    s->orders[command->index].hazard = is_new ? s->hazard_count : at;
    return is_new ? add_class(b, command, scratch) : KS_OK;
}

static ks_status add_hazards(ks_script *s, ks_arena *arena) {
    hazard_builder b = {.script = s, .arena = arena};
    uint32_t most_reads = 0;
    for (uint32_t c = 0; c < s->program->command_count; c++)
        if (s->program->commands[c]->read_count > most_reads)
            most_reads = s->program->commands[c]->read_count;
    ranges scratch = {0, ks_arena_take(arena, most_reads, sizeof(ks_range))};
    if (!scratch.reads) return KS_NO_MEMORY;
    find_written(&b);
    for (uint32_t c = 0; c < s->program->command_count; c++) {
        if (!s->program->commands[c]->is_composite) continue;
        const ks_status status = classify(&b, s->program->commands[c], &scratch);
        if (status) return status;
    }
    s->hazards = ks_arena_take(arena, s->hazard_count, s->hazard_count);
    if (!s->hazards) return KS_NO_MEMORY;
    for (uint32_t x = 0; x < s->hazard_count; x++)
        for (uint32_t y = 0; y < s->hazard_count; y++)
            s->hazards[(size_t)x * s->hazard_count + y] =
                ks_command_conflicts(b.samples[x], b.samples[y]);
    return KS_OK;
}

/* ---- templates ---- */

static ks_status template_of(ks_script *s, const ks_command *command, const ks_machine *machine,
                             ks_arena *arena, const ks_template **found) {
    for (uint32_t i = s->template_count; i-- > 0;)
        if (ks_plan_is_shared(s->templates[i]->sample, command)) {
            *found = s->templates[i];
            return KS_OK;
        }
    s->templates = ks_room_grow(arena, s->templates, s->template_count, sizeof *s->templates);
    ks_template *made = ks_arena_take(arena, 1, sizeof *made);
    if (!s->templates || !made) return KS_NO_MEMORY;
    made->index = s->template_count;
    *found = s->templates[s->template_count++] = made;
    return ks_template_build(s, command, machine, arena, made);
}

static void count_uses(ks_script *s) {
    const ks_loop *loop = &s->loop;
    for (uint32_t c = 0; c < s->command_count; c++)
        s->templates[s->orders[c].template->index]->use_count++;
    for (uint32_t c = 0; c < loop->command_count && loop->left_out; c++)
        s->templates[s->orders[loop->first_command + c].template->index]->use_count +=
            loop->left_out;
}

ks_status ks_script_build(const ks_program *program, const ks_machine *machine, ks_arena *arena,
                          ks_script *script) {
    *script = (ks_script){.program = program,
                          .command_count = program->command_count,
                          .instruction_count = program->instruction_count,
                          .instructions = program->instructions};
    list_constants(machine, script->script_constants);
    script->orders = ks_arena_take(arena, program->command_count, sizeof *script->orders);
    if (!script->orders) return KS_NO_MEMORY;
    for (uint32_t c = 0; c < program->command_count; c++) {
        const ks_status status =
            template_of(script, program->commands[c], machine, arena, &script->orders[c].template);
        if (status) return status;
    }
    script->work_ticks = ks_arena_take(arena, script->work_count, sizeof *script->work_ticks);
    ks_status status = script->work_ticks ? add_hazards(script, arena) : KS_NO_MEMORY;
    if (!status && program->repeat.count) status = ks_loop_build(script, machine, arena);
    if (!status) count_uses(script);
    return status;
}

bool ks_script_fits(const ks_script *script, const ks_machine *machine) {
    uint64_t constants[8];
    list_constants(machine, constants);
    return memcmp(constants, script->script_constants, sizeof constants) == 0;
}

/* ---- time ---- */

static void time_segments(ks_template *t, const ks_machine *machine) {
    t->segment_count = 0;
    t->dispatch_ticks = 0;
    for (uint32_t op = 0; op < t->sample->op_count;) {
        const ks_segment segment = ks_segment_at(t->sample, op, machine);
        t->segments[t->segment_count++] = segment;
        t->dispatch_ticks += segment.ticks;
        op += segment.op_count;
    }
}

static bool add_ticks(uint64_t *sum, uint64_t ticks) {
    *sum += ticks; /* both below 2^63 */
    return *sum < KS_TICKS_LIMIT;
}

/* False: the command's services on one server are not below 2^63. */
static bool time_steps(const ks_script *script, ks_template *t) {
    bool is_fine = true;
    memset(t->busy_ticks, 0, sizeof t->busy_ticks);
    for (uint32_t s = 0; s < t->step_count; s++) {
        ks_step *step = &t->steps[s];
        step->service_ticks = script->work_ticks[step->work];
        is_fine &= add_ticks(&t->busy_ticks[step->lane + 1], step->service_ticks);
    }
    return is_fine;
}

ks_status ks_script_time(ks_script *script, const ks_machine *machine) {
    bool is_fine = true;
    for (uint32_t w = 0; w < script->work_count; w++) {
        script->work_ticks[w] = ks_work_ticks(machine, &script->works[w]);
        is_fine &= script->work_ticks[w] < KS_TICKS_LIMIT;
    }
    if (!is_fine) return KS_INPUT;
    for (uint32_t i = 0; i < script->template_count; i++) {
        time_segments(script->templates[i], machine);
        is_fine &= time_steps(script, script->templates[i]);
    }
    script->machine = machine;
    script->latency_ticks = machine->dma_latency_ticks;
    return is_fine ? KS_OK : KS_INPUT;
}
