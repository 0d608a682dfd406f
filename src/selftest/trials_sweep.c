/* Mutations of the sweep file and of the command line. */
#include "selftest/trial.h"

#define EDIT(from, to) .edits = {{KS_SWEEP_FILE, from, to}}

static const ks_trial trials[] = {
    {"a rule expects that a point fails, and it passes",
     EDIT("gates:\n", "  - {when: \"kernel == gemm\", why: it would}\ngates:\n"), .code = 1,
     .keys = {KS_POINT_GEMM}, .verdict = "xpass"},
    {"a rule expects that a point does not fit, and it runs",
     EDIT("gates:\n",
          "  - {when: \"kernel == gemm\", verdict: infeasible, why: it would}\ngates:\n"),
     .code = 1, .keys = {KS_POINT_GEMM}, .verdict = "xpass"},
    {"a tolerance is narrower than the errors",
     EDIT("gates:\n", "tolerance: {f16: 1e-12}\ngates:\n"), .code = 1,
     .keys = {KS_POINT_OPT2, KS_POINT_OPT3}, .invariant = "numeric", .says = "limit=1"},
    {"a gate is never asked", EDIT("_tile > 2\"", "_tile > 2\", when: \"TILE == 17\""), .code = 1,
     .gate = "ratio", .says = "no group was asked"},
    {"a gate compares the other way", EDIT("_tile > 2\"", "_tile < 2\""), .code = 1,
     .gate = "ratio"},
    {"a gate that holds is expected to fail", EDIT("_tile > 2\"", "_tile > 2\", expect: fail"),
     .code = 1, .says = "gate ratio"},
    {"nothing is selected", .words = {"--where", "TILE == 17"}, .code = 2,
     .says = "leaves nothing of"},
    {"only points that do not fit are selected", .words = {"--where", "TILE == 65536"}, .code = 1,
     .says = "0 pass"},
    {"a rule takes everything out",
     EDIT("expect:\n", "exclude:\n  - {when: \"1 == 1\", why: nothing}\nexpect:\n"), .code = 2,
     .says = "selftest.smoke.yaml:"},
    {"the sweep ends in the middle of its axes",
     EDIT("[decode_opt2, decode_opt3, gemm, gemm_chain, rmsnorm_linear]", "[decode_opt2, "),
     .code = 2, .says = "selftest.smoke.yaml:"},
    {"a key of the sweep is misspelt", EDIT("expect:", "expects:"), .code = 2,
     .says = "did you mean expect?"},
    {"a golden is asked for, and there is none", .golden = {.what = KS_SPOIL_GONE}, .code = 4,
     .says = "golden file: none"},
    {"a golden is required, and there is none", .golden = {.what = KS_SPOIL_GONE},
     .words = {"--golden", "require"}, .code = 1, .says = "there is no file"},
};

ks_trials ks_trials_of_sweeps(void) {
    return (ks_trials){trials, sizeof trials / sizeof trials[0]};
}
