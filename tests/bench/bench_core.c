/* Part `core`: the event core, the op_log and whole points of the timing side. The reference is the
 * textbook loop of the tests; of a point whose tiles are skipped, full simulation. */
#include <string.h>

#include "bench/bench.h"
#include "device/script.h"
#include "kernels/kernels.h"
#include "op_log/log_writer.h"
#include "run/point_run.h"
#include "support/reference.h"
#include "sweep/key.h"

typedef struct run {
    ks_arena *arena, *scratch;
    ks_worker *worker;
    ks_log_writer *log;
    /* Of the present figure. */
    const char *key;
    ks_machine machine;
    ks_lowering lowering;
    ks_script script;
    ks_log_texts *texts;
    uint64_t records;
    ks_job job;
    ks_point point;
    ks_row row;
} run;

/* ---- the event core ---- */

static void run_script(void *self) {
    run *r = self;
    ks_timeline timeline;
    ks_arena_reset(r->scratch);
    bench_check(!ks_script_run(&r->script, r->scratch, NULL, &timeline), "a run failed");
}

static void run_reference(void *self) {
    run *r = self;
    ks_timeline timeline;
    ks_arena_reset(r->scratch);
    bench_check(!reference_run(&r->lowering.program, &r->machine, r->scratch, NULL, &timeline),
                "a run of the reference failed");
}

static uint64_t prepare(run *r, const char *key) {
    ks_point point;
    ks_error error;
    uint64_t stages = 0;
    ks_arena_reset(r->arena);
    bench_check(!ks_key_parse(key, &ks_kernels, &point, &error), "a KEY is wrong");
    r->machine = ks_machine_of(&point);
    ks_lower(&ks_kernels.kernels[ks_param_of(&point, KS_P_kernel)], &point, r->arena, &r->lowering);
    bench_check(!ks_script_build(&r->lowering.program, &r->machine, r->arena, &r->script) &&
                    !ks_script_time(&r->script, &r->machine),
                "a script cannot be made");
    for (uint32_t c = 0; c < r->lowering.program.command_count; c++)
        stages += r->script.orders[c].template->step_count;
    return stages;
}

static void time_core(bench *b, run *r) {
    static const struct {
        const char *figure, *key;
    } points[] = {
        {"opt2 TILE 16", "kernel=decode_opt2 G=8 TILE=16 d=128 S=4096"},
        {"opt2 TILE 64", "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096"},
        {"opt2 TILE 256", "kernel=decode_opt2 G=8 TILE=256 d=128 S=4096"},
        {"opt3 TILE 16", "kernel=decode_opt3 G=8 TILE=16 d=128 S=4096"},
        {"opt3 TILE 64", "kernel=decode_opt3 G=8 TILE=64 d=128 S=4096"},
        {"opt3 TILE 256", "kernel=decode_opt3 G=8 TILE=256 d=128 S=4096"},
    };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        bench_time(b, &(bench_task){.figure = points[i].figure,
                                    .item = "stage",
                                    .items = prepare(r, points[i].key),
                                    .run = run_script,
                                    .reference = run_reference,
                                    .floor = 40e6,
                                    .goal = 65e6,
                                    .self = r});
}

/* ---- points, from KEY to figures ---- */

static void run_point(void *self) {
    run *r = self;
    ks_point point;
    ks_error error;
    bench_check(!ks_key_parse(r->key, &ks_kernels, &point, &error) &&
                    !ks_point_run(r->worker, &r->job, &point, r->key, &r->row, &error) &&
                    r->row.verdict == KS_VERDICT_pass,
                "a point failed");
}

static ks_job job_of(ks_oplog_mode oplog) {
    return (ks_job){.kernels = &ks_kernels, .mode = KS_MODE_TIMING, .oplog = oplog};
}

static void run_log(void *self) {
    run *r = self;
    ks_timeline timeline;
    ks_digest digest;
    const ks_event_sink sink = {r->log, ks_log_writer_event};
    ks_arena_reset(r->scratch);
    ks_log_writer_begin(r->log, r->texts, NULL, NULL);
    bench_check(!ks_script_run(&r->script, r->scratch, &sink, &timeline) &&
                    !ks_log_writer_end(r->log, &digest, &r->records),
                "an op_log failed");
}

/* Simulated, formatted, hashed; and a point with an op_log, where every row is checked too. */
static void time_log(bench *b, run *r, const char *figure, const char *point_figure,
                     const char *key) {
    prepare(r, key);
    r->texts = ks_log_texts_new(&r->lowering.program, r->arena);
    bench_check(r->texts, "out of memory");
    run_log(r);
    bench_task task = {.figure = figure,
                       .item = "record",
                       .items = r->records,
                       .run = run_log,
                       .floor = 20e6,
                       .goal = 40e6,
                       .self = r};
    bench_time(b, &task);
    r->key = key;
    r->job = job_of(KS_OPLOG_HASH);
    task.figure = point_figure;
    task.run = run_point;
    task.floor = task.goal = 0;
    bench_time(b, &task);
}

static double time_point(bench *b, run *r, const char *figure, const char *key) {
    r->key = key;
    r->job = job_of(KS_OPLOG_NONE);
    return bench_time(b, &(bench_task){.figure = figure,
                                       .item = "point",
                                       .items = 1,
                                       .run = run_point,
                                       .floor = 60e3,
                                       .goal = 200e3,
                                       .self = r});
}

static void time_points(bench *b, run *r) {
    time_log(b, r, "op_log with hash opt2 TILE 64", "checked point with op_log opt2 TILE 64",
             "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    time_log(b, r, "op_log with hash opt3 TILE 64", "checked point with op_log opt3 TILE 64",
             "kernel=decode_opt3 G=8 TILE=64 d=128 S=4096");
    const double near = time_point(b, r, "KEY to figures opt2 TILE 64 S=4096",
                                   "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096");
    time_point(b, r, "KEY to figures opt3 TILE 64 S=4096",
               "kernel=decode_opt3 G=8 TILE=64 d=128 S=4096");
    const double far = time_point(b, r, "KEY to figures opt2 TILE 64 S=1048576",
                                  "kernel=decode_opt2 G=8 TILE=64 d=128 S=1048576");
    bench_value(b, "S=1048576 over S=4096", "ratio", far / near, 1.5, 1.05);
}

/* ---- the worst point of a sweep ---- */

/* dispatch_fixed_cycles from 400 to 450 in steps of 0.01: around 439 PE_CPU's lead drifts. */
enum { FIRST_COST = 400 * 10000, LAST_COST = 450 * 10000, COST_STEP = 100 };

static void run_parsed(void *self) {
    run *r = self;
    ks_error error;
    bench_check(!ks_point_run(r->worker, &r->job, &r->point, "", &r->row, &error) &&
                    r->row.verdict == KS_VERDICT_pass,
                "a point failed");
}

/* A point is timed by the fastest of a few runs: each is too short for the clock's noise, and the
 * worst of thousands would be whichever was interrupted. */
static void time_drift(bench *b, run *r) {
    const int tries = bench_is_once(b) ? 1 : 7;
    double worst = 0, base = 0;
    r->job = job_of(KS_OPLOG_NONE);
    for (uint64_t cost = 0; cost <= LAST_COST; cost = cost ? cost + COST_STEP : FIRST_COST) {
        ks_error error;
        double best = 1e9;
        r->key = cost ? "kernel=decode_opt2 G=8 TILE=64 d=128 S=1048576"
                      : "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096";
        bench_check(!ks_key_parse(r->key, &ks_kernels, &r->point, &error), "a KEY is wrong");
        if (cost) r->point.calibration.values[KS_C_dispatch_fixed_cycles] = cost;
        run_parsed(r); /* lowers */
        for (int i = 0; i < tries; i++) {
            const double start = bench_wall_s();
            run_parsed(r);
            const double spent = bench_wall_s() - start;
            if (spent < best) best = spent;
        }
        if (!cost) base = best;
        if (cost && best > worst) worst = best;
    }
    bench_value(b, "worst of dispatch costs 400 to 450 over S=4096", "ratio", worst / base, 50, 12);
}

int main(int argc, char **argv) {
    static run r;
    bench *b = bench_begin("core", argc, argv);
    r.arena = ks_arena_new(1 << 20);
    r.scratch = ks_arena_new(1 << 20);
    r.worker = ks_worker_new();
    r.log = ks_log_writer_new();
    bench_check(r.arena && r.scratch && r.worker && r.log, "out of memory");
    time_core(b, &r);
    time_points(b, &r);
    time_drift(b, &r);
    ks_log_writer_free(r.log);
    ks_worker_free(r.worker);
    ks_arena_free(r.scratch);
    ks_arena_free(r.arena);
    return bench_end(b);
}
