/* Mutations of what comes before and after an op_log: the program, figures, OUT, the row. */
#include <stdio.h>
#include <string.h>

#include "selftest/trial.h"

/* ---- programs ---- */

/* A command's copy with room for one op more, in the place of the first that has a prologue. */
static ks_command *own_command(ks_program *program, ks_arena *arena, ks_op **ops) {
    uint32_t at = 0;
    while (at < program->command_count && ks_command_gemm_index(program->commands[at]) <= 0) at++;
    if (at == program->command_count) return NULL;
    const ks_command *old = program->commands[at];
    const ks_command **commands = ks_arena_take(arena, program->command_count, sizeof *commands);
    ks_command *own = ks_arena_take(arena, 1, sizeof *own);
    *ops = ks_arena_take(arena, old->op_count + 1, sizeof **ops);
    if (!commands || !own || !*ops) return NULL;
    memcpy(commands, program->commands, program->command_count * sizeof *commands);
    memcpy(*ops, old->ops, old->op_count * sizeof **ops);
    *own = *old;
    own->ops = *ops;
    commands[at] = own;
    program->commands = commands;
    return own;
}

static void add_gemm(int which, ks_program *program, ks_arena *arena) {
    ks_op *ops;
    ks_command *own = own_command(program, arena, &ops);
    (void)which;
    if (!own) return;
    ops[own->op_count] = ops[ks_command_gemm_index(own)];
    ops[own->op_count++].scope = KS_SCOPE_OUTPUT_TILE;
}

static void move_to_hbm(int which, ks_program *program, ks_arena *arena) {
    ks_op *ops;
    ks_handle *handle = ks_arena_take(arena, 1, sizeof *handle);
    (void)which;
    if (!handle || !own_command(program, arena, &ops)) return;
    *handle = *ops[0].operands[0].handle;
    handle->space = KS_HBM;
    ops[0].operands[0].handle = handle;
}

/* ---- figures ---- */

static void shorten_total(int which, ks_timeline *timeline) {
    timeline->total_ticks -= (uint64_t)which;
}

static void lengthen_busy(int which, ks_timeline *timeline) { timeline->busy_ticks[which]++; }

/* ---- OUT ---- */

enum { AS_NAN, AS_INFINITE, AS_FAR };

static void spoil_out(int which, float *out, uint64_t count) {
    float *last = &out[count - 1];
    if (which == AS_NAN) *last = __builtin_nanf("");
    if (which == AS_INFINITE) *last = __builtin_inff();
    if (which == AS_FAR) *last += 1;
}

/* ---- rows ---- */

static void flip_digest(int which, ks_row *row) {
    ((unsigned char *)&row->figures[which].digest)[0] ^= 1;
}

static void shrink(int which, ks_row *row) { row->figures[which].count /= 4; }

static void lose(int which, ks_row *row) { row->has &= ~(UINT64_C(1) << which); }

static void judge_as(int which, ks_row *row) { row->verdict = (ks_verdict)which; }

#define ROW(point, function, choice) .spoil = {.key = point, .row = function, .which = choice}

static const ks_trial trials[] = {
    {"a composite has two GEMMs", .spoil = {.key = KS_POINT_LINEAR, .program = add_gemm}, .code = 1,
     .keys = {KS_POINT_LINEAR}, .invariant = "gemm_count", .also = "numeric"},
    {"an operand of a prologue lies in HBM",
     .spoil = {.key = KS_POINT_LINEAR, .program = move_to_hbm}, .code = 1,
     .keys = {KS_POINT_LINEAR}, .invariant = "tcm_only", .also = "numeric"},
    {"total_cycles is a tick too small",
     .spoil = {.key = KS_POINT_GEMM, .timeline = shorten_total, .which = 1}, .code = 1,
     .keys = {KS_POINT_GEMM}, .invariant = "bound"},
    {"a server was busy a tick longer than its rows say",
     .spoil = {.key = KS_POINT_GEMM, .timeline = lengthen_busy, .which = KS_SERVER_MATH}, .code = 1,
     .keys = {KS_POINT_GEMM}, .invariant = "bound"},
    {"an element of OUT is NaN", .spoil = {.key = KS_POINT_GEMM, .out = spoil_out, .which = AS_NAN},
     .code = 1, .keys = {KS_POINT_GEMM}, .invariant = "numeric", .says = "not finite"},
    {"an element of OUT is infinite",
     .spoil = {.key = KS_POINT_OPT2, .out = spoil_out, .which = AS_INFINITE}, .code = 1,
     .keys = {KS_POINT_OPT2}, .invariant = "numeric", .says = "not finite"},
    {"an element of OUT is out of tolerance",
     .spoil = {.key = KS_POINT_OPT2, .out = spoil_out, .which = AS_FAR}, .code = 1,
     .keys = {KS_POINT_OPT2}, .invariant = "numeric", .says = "tolerance err="},
    {"a twin's results are other bits", ROW(KS_POINT_OPT3, flip_digest, KS_COL_out_xxh128),
     .code = 1, .keys = {KS_POINT_OPT3}, .gate = "twins"},
    {"a twin has no results", ROW(KS_POINT_OPT3, lose, KS_COL_out_xxh128), .code = 1,
     .keys = {KS_POINT_OPT3}, .gate = "twins"},
    {"a gate's figure is a quarter of what it was",
     ROW(KS_POINT_OPT3, shrink, KS_COL_dispatch_cycles_per_tile), .code = 1,
     .keys = {KS_POINT_OPT3}, .gate = "ratio"},
    {"a gate's figure is missing", ROW(KS_POINT_OPT3, lose, KS_COL_dispatch_cycles_per_tile),
     .code = 1, .keys = {KS_POINT_OPT3}, .gate = "ratio"},
    {"a point is in doubt", ROW(KS_POINT_GEMM, judge_as, KS_VERDICT_doubt), .code = 1,
     .keys = {KS_POINT_GEMM}, .verdict = "doubt"},
    {"a point is an error", ROW(KS_POINT_GEMM, judge_as, KS_VERDICT_error), .code = 1,
     .keys = {KS_POINT_GEMM}, .verdict = "error"},
    {"a point crashed", ROW(KS_POINT_GEMM, judge_as, KS_VERDICT_crash), .code = 3,
     .keys = {KS_POINT_GEMM}, .verdict = "crash"},
    {"a point ran out of time", ROW(KS_POINT_GEMM, judge_as, KS_VERDICT_timeout), .code = 3,
     .keys = {KS_POINT_GEMM}, .verdict = "timeout"},
    {"a point did not run", ROW(KS_POINT_GEMM, judge_as, KS_VERDICT_not_run), .code = 1,
     .keys = {KS_POINT_GEMM}, .verdict = "not_run"},
    {"a point that cannot run passes", ROW(KS_POINT_LARGE2, judge_as, KS_VERDICT_pass), .code = 1,
     .keys = {KS_POINT_LARGE2}, .verdict = "xpass"},
};

ks_trials ks_trials_of_results(void) {
    return (ks_trials){trials, sizeof trials / sizeof trials[0]};
}
