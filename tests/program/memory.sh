# Resident memory of a run. Not with sanitizers: they keep what is freed.
# shellcheck shell=bash disable=SC2317

# plane POINTS MODE: two kernels, a gate that needs both of every group, winners of every group.
plane() {
    cat >plane.yaml <<END
sweep: plane.ci
about: many points, each with next to nothing to do
$2
golden: none
axes:
  kernel: [gemm, gemm_chain]
  dma_latency_cycles: {range: [1, 100, 1]}
  dma_bytes_per_cycle: {range: [1, $(($1 / 200)), 1]}
set: {M: 1, K: 1, N: 1}
gates:
  - {name: more, expr: "gemm_chain.dispatch_cycles > gemm.dispatch_cycles"}
END
}

# resident_of POINTS MODE: KiB that the run had at most.
resident_of() {
    plane "$1" "$2"
    rm -rf out
    "$(dirname "$JSON_CHECK")/resident" kib.txt "$KERNSWEEP" run plane.yaml -o out -j 2 -q >out.txt 2>err.txt ||
        fail "a run of $1 points fails"
    equal "$(wc -l <out/points.csv)" $(($1 + 1))
    equal "$(wc -l <out/gates.csv)" $(($1 / 2 + 1))
    cat kib.txt
}

# Of a hundred thousand points no more may stay than a hundredth of what ten million may: 256 MiB,
# less what the program has in any case. With 10,000 all windows are in use.
claim_memory_hardly_grows_with_the_grid() {
    for mode in 'mode: dispatch' $'mode: timing\noplog: none'; do
        few=$(resident_of 10000 "$mode")
        many=$(resident_of 100000 "$mode")
        [ "$many" -lt 65536 ] || fail "$mode: $many KiB"
        [ $((many - few)) -lt 4096 ] || fail "$mode: 10,000 points take $few KiB, 100,000 $many KiB"
    done
}
