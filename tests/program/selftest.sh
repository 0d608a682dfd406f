# selftest: does it prove what it says?
# shellcheck shell=bash

claim_every_mutation_is_caught_and_named() {
    mkdir tmp
    export TMPDIR=$PWD/tmp
    expect 0 selftest -v
    count=$(sed -n 's|^gate: \([0-9]*\)/\1 mutations caught$|\1|p' out.txt)
    [ -n "$count" ] || fail "no account"
    [ "$count" -ge 100 ] || fail "$count mutations"
    equal "$(grep -c '^caught  ' out.txt)" "$count"
    equal "$(grep '^caught' out.txt | sort | uniq | wc -l)" "$count"
    for invariant in gemm_count no_stream_in_prologue fifo dma_iff_streamed writeback tcm_only size_cap \
        exclusive causal conservation bound numeric; do
        grep -q "^caught .*, $invariant, exit 1\$" out.txt || fail "no mutation for $invariant"
    done
    for state in new mismatch; do
        grep -q "^caught .*, golden $state, exit " out.txt || fail "no mutation for golden $state"
    done
    equal "$(ls -A tmp)" ""
}

claim_it_takes_no_sweep_and_no_other_option() {
    refused "found 1 arguments" selftest t.yaml
    refused "no option '--where'" selftest --where "TILE == 16"
}

claim_it_says_where_it_cannot_work() {
    export TMPDIR=$PWD/missing
    expect 3 selftest
    says "cannot make the folder '$PWD/missing/kernsweep-selftest."
}
