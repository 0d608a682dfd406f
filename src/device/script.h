/* A program as the event core runs it: one template for all commands of a shape, in flat arrays.
 *
 * A script depends on the program and on the constants that a plan depends on; ks_script_time sets
 * what the other constants of the machine decide. So points that differ only in those share it. */
#ifndef KS_DEVICE_SCRIPT_H
#define KS_DEVICE_SCRIPT_H

#include "device/dispatch.h"
#include "device/plan.h"
#include "device/timeline.h"

/* A stage. Of its plan's dependencies those that can be its last one: a dependency that another
 * one waits for ends at least a cycle before it, and is left out. */
typedef struct ks_step {
    uint64_t service_ticks;
    const uint32_t *nexts; /* steps of the same command that wait for it */
    const uint32_t *deps;  /* steps that it waits for */
    uint32_t next_count;
    uint32_t index; /* the stage's number */
    uint32_t work;  /* index in the script's works */
    uint8_t lane;   /* its ks_server - 1 */
    uint8_t dep_count;
    bool is_last; /* its completion completes the command */
} ks_step;

typedef struct ks_template {
    uint32_t index;
    uint64_t use_count; /* commands of the program that have this shape */
    const ks_command *sample;
    ks_plan plan; /* without services */
    uint32_t step_count, root_count, segment_count;
    ks_step *steps;
    const uint32_t *roots; /* steps that wait for nothing, ascending */
    uint64_t *missing;     /* dependencies by step, a byte each: what a launch begins with */
    ks_segment *segments;  /* room for one an op */
    uint64_t dispatch_ticks;
    uint64_t busy_ticks[KS_SERVER_COUNT]; /* of its steps */
} ks_template;

enum { KS_BYTES_A_WORD = sizeof(uint64_t) };
/* Words that hold the missing dependencies of a template's steps. */
static inline uint32_t ks_template_words(const ks_template *t) {
    return (t->step_count + KS_BYTES_A_WORD - 1) / KS_BYTES_A_WORD;
}

/* A command, by issue index. */
typedef struct ks_order {
    const ks_template *template;
    uint32_t hazard;  /* of a composite: those of one hazard class touch the same bytes */
    bool closes_tile; /* the last composite of an equal tile, or of the one before the first */
} ks_order;

/* Equal tiles in a row, in the middle of a program with a repeat count: as many as PE_CPU can have
 * in hand at once and some more, whatever the count. Equal means: tile by tile the same
 * instructions, templates and hazards, with the numbers of commands moved on. */
typedef struct ks_loop {
    uint64_t left_out; /* tiles of the program that are not in the script; 0: it is whole */
    uint32_t first_command, command_count; /* of the first of them; of each */
    size_t first_instruction, instruction_count;
    size_t end_instruction;  /* behind the last of them */
    bool is_composites_only; /* each instruction dispatches a composite */
} ks_loop;

typedef struct ks_script {
    const ks_program *program;
    uint32_t command_count; /* of the script: those of the program, and of the loop's tiles */
    size_t instruction_count;
    const ks_instruction *instructions;
    ks_loop loop;
    uint64_t script_constants[8];
    uint32_t template_count, work_count, hazard_count;
    ks_template **templates;
    ks_work *works; /* different ones */
    uint64_t *work_ticks;
    ks_order *orders;
    uint8_t *hazards;          /* hazard_count x hazard_count: do the classes conflict? */
    uint64_t latency_ticks;    /* of the machine that it was timed for */
    const ks_machine *machine; /* that one */
} ks_script;

/* Everything lives in the arena, and refers to the program. KS_OK; KS_NO_MEMORY; KS_INPUT: a figure
 * is not below 2^63; KS_FAILED: the tiles around the repeat are not equal: lower the program whole.
 * */
KS_CHECKED ks_status ks_script_build(const ks_program *program, const ks_machine *machine,
                                     ks_arena *arena, ks_script *script);

/* True when the script that was built for another machine is this one's too, once it is timed. */
bool ks_script_fits(const ks_script *script, const ks_machine *machine);

/* Services and segments of this machine, which must outlive the next run. KS_INPUT: one is not
 * below 2^63. */
KS_CHECKED ks_status ks_script_time(ks_script *script, const ks_machine *machine);

/* Runs a timed script. As ks_timeline_run, which does all of this for one program. With tiles left
 * out there is no sink, and it may answer KS_FAILED: PE_CPU ran out of the loop's tiles. */
KS_CHECKED ks_status ks_script_run(const ks_script *script, ks_arena *arena,
                                   const ks_event_sink *sink, ks_timeline *timeline);

static inline bool ks_script_conflict(const ks_script *script, uint32_t a, uint32_t b) {
    return script->hazards[(size_t)script->orders[a].hazard * script->hazard_count +
                           script->orders[b].hazard];
}

#endif
