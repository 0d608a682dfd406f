# Sourced by `ci/nightly --long`. No flipped byte of a golden of twenty points ends with exit code 0:
# three other values of every byte, each through the command line.
# shellcheck shell=bash

every_flipped_byte() {
    local build=$PWD/.build/release
    bash tests/program/run "$PWD/tests/program/golden_files.sh" long_no_flipped_byte_is_0 "$build/kernsweep" \
        "$PWD/.build/asan/tests/program/json_check" "$PWD" "$PWD/.build/long/goldens"
}

long_goldens() {
    claim "no flipped byte of a golden is exit code 0" every_flipped_byte
}
