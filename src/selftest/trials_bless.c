/* Mutations of what bless reads: it must refuse, and leave the golden as it is. */
#include "selftest/trial.h"

#define OBSERVED(...) .observed = {__VA_ARGS__}

static const ks_trial trials[] = {
    {"a run is blessed in CI", .call = KS_CALL_BLESS_IN_CI, .code = 2, .says = "CI=1"},
    {"a run without its last point is blessed", .call = KS_CALL_BLESS,
     OBSERVED(.what = KS_SPOIL_LOSE, .key = KS_POINT_LINEAR), .code = 2,
     .says = "points before, expected"},
    {"a run that was cut short is blessed", .call = KS_CALL_BLESS, OBSERVED(.what = KS_SPOIL_END),
     .code = 2, .says = "cut short"},
    {"a run with another figure is blessed", .call = KS_CALL_BLESS,
     OBSERVED(.what = KS_SPOIL_CELL, .key = KS_POINT_GEMM, .from = "total_cycles", .to = "1000"),
     .code = 2, .says = "found the check"},
    {"a run with another figure and its seal is blessed", .call = KS_CALL_BLESS,
     OBSERVED(.is_sealed = true, .what = KS_SPOIL_CELL, .key = KS_POINT_GEMM,
              .from = "total_cycles", .to = "1000"),
     .code = 2, .says = "found the digest of another observed.csv"},
    {"a run of a part is blessed", .call = KS_CALL_BLESS,
     OBSERVED(.what = KS_SPOIL_REPLACE, .from = "points=whole", .to = "points=where"), .code = 2,
     .says = "observed.csv:1"},
    {"a run of another build is blessed", .call = KS_CALL_BLESS,
     .edits = {{"kept/run.json", "\"program_digest\": \"", "\"program_digest\": \"0"}}, .code = 2,
     .says = "another build"},
    {"a run of another sweep file is blessed", .call = KS_CALL_BLESS,
     .edits = {{KS_SWEEP_FILE, "about: what", "about: that"}}, .code = 2,
     .says = "as the file is now"},
    {"rows of a golden would vanish", .call = KS_CALL_BLESS,
     .golden = {.is_sealed = true,
                .what = KS_SPOIL_CELL,
                .key = KS_POINT_GEMM,
                .from = "KEY",
                .to = "kernel=gemm M=18 K=130 N=65"},
     .code = 2, .says = "would vanish"},
    {"a damaged golden is blessed over", .call = KS_CALL_BLESS,
     .golden = {.what = KS_SPOIL_FLIP, .number = 50}, .code = 2, .says = "selftest.smoke.csv:"},
};

ks_trials ks_trials_of_blesses(void) {
    return (ks_trials){trials, sizeof trials / sizeof trials[0]};
}
