/* Part `heapq`: the same program in a plain event loop of Python (heapq_loop.py) and in the core, in
 * the same run: what a study costs where nobody wrote a core for it. Without python3 no figure. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/bench.h"
#include "device/dispatch.h"
#include "device/script.h"
#include "kernels/kernels.h"
#include "sweep/key.h"

#define KEY "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096"

typedef struct run {
    ks_arena *arena, *scratch;
    ks_machine machine;
    ks_lowering lowering;
    ks_script script;
    ks_timeline timeline;
    uint64_t stage_count;
} run;

static void run_core(void *self) {
    run *r = self;
    ks_arena_reset(r->scratch);
    bench_check(!ks_script_run(&r->script, r->scratch, NULL, &r->timeline), "the core fails");
}

/* ---- the program as text: what heapq_loop.py reads ---- */

static void write_hazards(FILE *out, const ks_program *program, uint32_t c) {
    const ks_command *own = program->commands[c];
    fprintf(out, "hazards");
    for (uint32_t e = 0; own->is_composite && e < c; e++)
        if (program->commands[e]->is_composite && ks_command_conflicts(program->commands[e], own))
            fprintf(out, " %u", e);
    fprintf(out, "\n");
}

static void write_command(FILE *out, run *r, uint32_t c) {
    const ks_command *command = r->lowering.program.commands[c];
    ks_plan plan;
    fprintf(out, "command %d", command->is_composite);
    for (uint32_t op = 0; op < command->op_count;) {
        const ks_segment segment = ks_segment_at(command, op, &r->machine);
        fprintf(out, " %llu", (unsigned long long)segment.ticks);
        op += segment.op_count;
    }
    fprintf(out, "\n");
    bench_check(!ks_plan_build(command, &r->machine, r->scratch, &plan), "a plan");
    for (uint32_t s = 0; s < plan.stage_count; s++) {
        const ks_stage *stage = &plan.stages[s];
        fprintf(out, "stage %d %llu", stage->server, (unsigned long long)stage->service_ticks);
        for (uint32_t d = 0; d < stage->dep_count; d++)
            fprintf(out, " %u", plan.deps[stage->first_dep + d]);
        fprintf(out, "\n");
    }
    r->stage_count += plan.stage_count;
    write_hazards(out, &r->lowering.program, c);
}

static void write_program(FILE *out, run *r) {
    const ks_program *program = &r->lowering.program;
    fprintf(out, "%llu %llu\n", (unsigned long long)r->machine.queue_depth,
            (unsigned long long)r->machine.dma_latency_ticks);
    for (uint32_t c = 0; c < program->command_count; c++) write_command(out, r, c);
    for (size_t i = 0; i < program->instruction_count; i++)
        fprintf(out, "instruction %d %u\n", program->instructions[i].kind == KS_WAIT,
                program->instructions[i].command);
}

/* ---- Python ---- */

/* Seconds of a run; 0: there is no Python. Its last end must be the core's. */
static double python_s(const char *path, int repetitions, uint64_t total_ticks) {
    char command[512], line[64];
    double seconds[BENCH_REPETITIONS];
    int count = 0;
    if (system("python3 -c '' >/dev/null 2>&1")) return 0;
    snprintf(command, sizeof command, "python3 " KS_SOURCE_DIR "/tests/bench/heapq_loop.py %s %d",
             path, repetitions);
    FILE *in = popen(command, "r");
    bench_check(in && fgets(line, sizeof line, in), "heapq_loop.py does not answer");
    bench_check(strtoull(line, NULL, 10) == total_ticks, "heapq_loop.py ends at another instant");
    while (count < repetitions && fgets(line, sizeof line, in)) seconds[count++] = atof(line);
    bench_check(pclose(in) == 0 && count == repetitions, "heapq_loop.py fails");
    return bench_median(seconds, count);
}

static void prepare(run *r, const char *path) {
    ks_point point;
    ks_error error;
    r->arena = ks_arena_new(1 << 20);
    r->scratch = ks_arena_new(1 << 20);
    bench_check(r->arena && r->scratch, "out of memory");
    bench_check(!ks_key_parse(KEY, &ks_kernels, &point, &error), "a KEY is wrong");
    r->machine = ks_machine_of(&point);
    ks_lower(&ks_kernels.kernels[ks_param_of(&point, KS_P_kernel)], &point, r->arena, &r->lowering);
    bench_check(!ks_script_build(&r->lowering.program, &r->machine, r->arena, &r->script) &&
                    !ks_script_time(&r->script, &r->machine),
                "a script cannot be made");
    FILE *out = fopen(path, "w");
    bench_check(out != NULL, "no file for the program");
    write_program(out, r);
    bench_check(fclose(out) == 0, "the program cannot be written");
}

int main(int argc, char **argv) {
    static run r;
    char path[] = "/tmp/kernsweep-bench-XXXXXX";
    bench *b = bench_begin("heapq", argc, argv);
    const int file = mkstemp(path);
    bench_check(file >= 0 && close(file) == 0, "no file for the program");
    prepare(&r, path);
    const double core = bench_time(b, &(bench_task){.figure = "opt2 TILE 64",
                                                    .item = "stage",
                                                    .items = r.stage_count,
                                                    .run = run_core,
                                                    .self = &r});
    const int repetitions = bench_repetitions(b) < 5 ? 1 : 5;
    const double before = bench_add_s();
    const double seconds = python_s(path, repetitions, r.timeline.total_ticks);
    if (seconds > 0) {
        const double cycles = seconds / (double)r.stage_count / ((before + bench_add_s()) / 2);
        bench_value(b, "the same with heapq in Python", "cycle/stage", cycles, 0, 0);
        bench_value(b, "core over heapq", "ratio", cycles / core, 0, 0);
    } else {
        printf("heapq: python3 is not installed\n");
    }
    unlink(path);
    ks_arena_free(r.arena);
    ks_arena_free(r.scratch);
    return bench_end(b);
}
