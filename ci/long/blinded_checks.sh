# Sourced by `ci/nightly --long`. Each check is taken out in turn; `kernsweep selftest` of that program
# must miss what it saw.
# shellcheck shell=bash

long_blinded_checks() {
    claim "selftest misses every check that is taken out" \
        tests/mutants/run "$PWD" "$PWD/.build/release" "$PWD/.build/nightly/blind" --blind
}
