# Sourced by `ci/nightly --long`. Every proof of the tests is attacked by 10,000 random calibrations;
# ci/test spends 200 on each.
# shellcheck shell=bash

proofs_stand() {
    KS_ATTACKS=10000 .build/release/tests/test_prover
}

long_proofs() {
    build release || return 1
    claim "proofs of studies stand 10,000 attacks each" proofs_stand
}
