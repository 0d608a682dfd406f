# Sourced by ci/nightly --long. Skipped tiles and shared plans give the cells of full simulation: over
# 100,000 points, a million calibrations, and dispatch costs from 400 to 450 cycles in steps of 0.01
# with a million tokens of context.
# shellcheck shell=bash

long_fast_paths() {
    build release test_paths || return 1
    claim "100,000 points, 1,000,000 calibrations, 5,001 dispatch costs" \
        .build/release/tests/test_paths 100000 1000000 100 1048576
}
