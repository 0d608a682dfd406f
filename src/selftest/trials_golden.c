/* Mutations of goldens, and what only a golden can see. */
#include "selftest/row_spoils.h"
#include "selftest/trial.h"

#define GOLDEN(...) .golden = {.is_sealed = true, __VA_ARGS__}
#define DAMAGE(...) .golden = {__VA_ARGS__}

/* The golden says otherwise of one point. */
#define MOVED(point) .code = 1, .keys = {point}, .golden_cell = "mismatch"

static void nudge_figure(int which, ks_row *row) { row->figures[which].count++; }

#define FIGURE(column) .spoil = {.key = KS_POINT_GEMM, .row = nudge_figure, .which = column}
#define CELL(point, column, value) \
    GOLDEN(.what = KS_SPOIL_CELL, .key = point, .from = column, .to = value)
#define NUDGE(point, column) GOLDEN(.what = KS_SPOIL_NUDGE, .key = point, .from = column)

static const ks_trial trials[] = {
    /* What moves only a digest or a figure. */
    {"a WAIT ends a tick later", .spoil = {.key = KS_POINT_OPT2, .rows = ks_lengthen_wait},
     MOVED(KS_POINT_OPT2)},
    {"total_cycles is a tick larger", FIGURE(KS_COL_total_cycles), MOVED(KS_POINT_GEMM)},
    {"the critical path leads elsewhere", FIGURE(KS_COL_crit_gemm), MOVED(KS_POINT_GEMM)},
    {"an op_log has a row more", FIGURE(KS_COL_oplog_records), MOVED(KS_POINT_GEMM)},

    /* What another program would have blessed. */
    {"a golden says that a point fails", CELL(KS_POINT_GEMM, "verdict", "fail"),
     MOVED(KS_POINT_GEMM)},
    {"a golden says that a point does not fit", CELL(KS_POINT_GEMM, "verdict", "infeasible"),
     MOVED(KS_POINT_GEMM)},
    {"a golden says that a point fits", CELL(KS_POINT_LARGE2, "verdict", "pass"),
     MOVED(KS_POINT_LARGE2), .verdict = "infeasible"},
    {"a golden has another number in a reason", NUDGE(KS_POINT_LARGE2, "reason"),
     MOVED(KS_POINT_LARGE2), .verdict = "infeasible"},
    {"a golden has another count", NUDGE(KS_POINT_GEMM, "macs"), MOVED(KS_POINT_GEMM)},
    {"a golden has another number of cycles", NUDGE(KS_POINT_GEMM, "total_cycles"),
     MOVED(KS_POINT_GEMM)},
    {"a golden has another error", CELL(KS_POINT_OPT2, "rmse", "0.5"), MOVED(KS_POINT_OPT2)},
    {"a golden has another word", CELL(KS_POINT_GEMM, "bound_by", "store"), MOVED(KS_POINT_GEMM)},
    {"a golden has another digest of OUT", NUDGE(KS_POINT_GEMM, "out_xxh128"),
     MOVED(KS_POINT_GEMM)},
    {"a golden has another digest of the op_log", NUDGE(KS_POINT_GEMM, "oplog_xxh128"),
     MOVED(KS_POINT_GEMM)},
    {"a golden has another digest of a block", NUDGE(KS_POINT_GEMM, "blocks"),
     MOVED(KS_POINT_GEMM)},
    {"a golden's cell is empty", CELL(KS_POINT_GEMM, "total_cycles", ""), MOVED(KS_POINT_GEMM)},
    {"a golden lacks a point", GOLDEN(.what = KS_SPOIL_LOSE, .key = KS_POINT_GEMM), .code = 4,
     .keys = {KS_POINT_GEMM}, .verdict = "pass", .golden_cell = "new"},
    {"a golden lacks a point, and is required", GOLDEN(.what = KS_SPOIL_LOSE, .key = KS_POINT_GEMM),
     .words = {"--golden", "require"}, .code = 1, .keys = {KS_POINT_GEMM}, .verdict = "pass",
     .golden_cell = "new", .says = "--golden require, and 1 points have no golden"},
    {"a golden has a row that is no point",
     CELL(KS_POINT_GEMM, "KEY", "kernel=gemm M=18 K=130 N=65"), .code = 1, .keys = {KS_POINT_GEMM},
     .verdict = "pass", .golden_cell = "new", .says = "orphan"},
    {"a point of a golden is taken out of the sweep",
     .edits = {{KS_SWEEP_FILE, "gemm_chain, ", ""}}, .code = 1, .says = "orphan"},
    {"a golden is of other defaults",
     GOLDEN(.what = KS_SPOIL_DEFAULT, .from = "math_startup_cycles=8",
            .to = "math_startup_cycles=9"),
     .code = 1, .says = "stale"},
    {"a golden is of another model", GOLDEN(.what = KS_SPOIL_HEAD, .number = 1, .to = "model 0"),
     .code = 1, .says = "stale"},
    {"a sweep makes less than its golden holds",
     .edits = {{KS_SWEEP_FILE, "mode: data", "mode: timing"},
               {KS_SWEEP_FILE, "  - {name: twins, twin: [decode_opt2, decode_opt3]}\n", ""}},
     .code = 1, .says = "stale"},
    {"a golden is of another sweep", GOLDEN(.what = KS_SPOIL_HEAD, .number = 2, .to = "other.ci"),
     .code = 2, .says = "found the golden of 'other.ci'"},
    {"a golden is of another format",
     GOLDEN(.what = KS_SPOIL_HEAD, .number = 0, .to = "kernsweep golden 2"), .code = 2,
     .says = "found format 2"},
    {"a golden has a row twice, in order", GOLDEN(.what = KS_SPOIL_DOUBLE, .key = KS_POINT_GEMM),
     .code = 2, .says = "already in line"},

    /* What nobody would. */
    {"a golden's row is changed by hand",
     DAMAGE(.what = KS_SPOIL_CELL, .key = KS_POINT_GEMM, .from = "total_cycles", .to = "1000"),
     .code = 2, .says = "found the check"},
    {"a golden's row is deleted by hand", DAMAGE(.what = KS_SPOIL_LOSE, .key = KS_POINT_GEMM),
     .code = 2, .says = "points before, expected"},
    {"a golden's row is doubled by hand", DAMAGE(.what = KS_SPOIL_DOUBLE, .key = KS_POINT_GEMM),
     .code = 2, .says = "already in line"},
    {"two rows of a golden change places", DAMAGE(.what = KS_SPOIL_SWAP, .key = KS_POINT_GEMM),
     .code = 2, .says = "lost, doubled or moved"},
    {"a golden has lost its last line", DAMAGE(.what = KS_SPOIL_END), .code = 2,
     .says = "cut short"},
    {"a golden ends in the middle of a row", DAMAGE(.what = KS_SPOIL_CUT, .number = 100), .code = 2,
     .says = "selftest.smoke.csv:"},
    {"a golden is empty", DAMAGE(.what = KS_SPOIL_EMPTY), .code = 2, .says = "empty file"},
    {"a byte at the begin of a golden is flipped", DAMAGE(.what = KS_SPOIL_FLIP, .number = 0),
     .code = 2, .says = "selftest.smoke.csv:1"},
    {"a byte in the middle of a golden is flipped", DAMAGE(.what = KS_SPOIL_FLIP, .number = 50),
     .code = 2, .says = "selftest.smoke.csv:"},
    {"a byte at the end of a golden is flipped", DAMAGE(.what = KS_SPOIL_FLIP, .number = 99),
     .code = 2, .says = "selftest.smoke.csv:"},
    {"a golden's lines end with CR LF",
     DAMAGE(.what = KS_SPOIL_REPLACE, .from = "\n", .to = "\r\n"), .code = 2, .says = "found CR"},
    {"a golden lacks a column", DAMAGE(.what = KS_SPOIL_REPLACE, .from = ",macs,", .to = ","),
     .code = 2, .says = "selftest.smoke.csv:2"},
    {"a golden's columns are named otherwise",
     DAMAGE(.what = KS_SPOIL_REPLACE, .from = ",macs,", .to = ",mac,"), .code = 2,
     .says = "found column 'mac'"},
    {"a cell of a golden stands in quotes",
     DAMAGE(.what = KS_SPOIL_REPLACE, .from = ",infeasible,", .to = ",\"infeasible\","), .code = 2,
     .says = "found a quote"},
    {"a quote in a golden is left open",
     DAMAGE(.what = KS_SPOIL_REPLACE, .from = "end,", .to = "end,\""), .code = 2, .says = "quote"},
};

ks_trials ks_trials_of_goldens(void) {
    return (ks_trials){trials, sizeof trials / sizeof trials[0]};
}
