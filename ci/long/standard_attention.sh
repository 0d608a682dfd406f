# Sourced by `ci/nightly --long`. What standard attention's roundings cost on the inputs of
# sweeps/outlier.nightly.yaml.
# shellcheck shell=bash

long_standard_attention() {
    build release standard_attention || return 1
    claim "each rounding of standard attention costs" .build/release/long/standard_attention
}
