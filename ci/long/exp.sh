# Sourced by `ci/nightly --long`. exp of every finite float is correctly rounded.
# shellcheck shell=bash

long_exp() {
    build release exp_every_float || return 1
    claim "exp of every finite float" .build/release/long/exp_every_float
}
