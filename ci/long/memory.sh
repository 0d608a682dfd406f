# Sourced by ci/nightly --long. Ten million points stay below 256 MiB of resident memory, whatever
# the reports hold; the reports take some 3 GB while a run goes on.
# shellcheck shell=bash

memory_folder=.build/nightly/memory

# ten_million MODE: two kernels, a gate that needs both of every group.
ten_million() {
    local kib
    rm -rf "$memory_folder"
    mkdir -p "$memory_folder"
    cat >"$memory_folder/plane.yaml" <<END
sweep: plane.nightly
about: many points, each with next to nothing to do
$1
golden: none
axes:
  kernel: [gemm, gemm_chain]
  dispatch_fixed_cycles: {range: [1, 50, 1]}
  dma_latency_cycles: {range: [1, 100, 1]}
  dma_bytes_per_cycle: {range: [1, 1000, 1]}
set: {M: 1, K: 1, N: 1}
gates:
  - {name: more, expr: "gemm_chain.dispatch_cycles > gemm.dispatch_cycles"}
END
    .build/release/tests/program/resident "$memory_folder/kib.txt" .build/release/kernsweep run \
        "$memory_folder/plane.yaml" -o "$memory_folder/out" -q || return 1
    rm -rf "$memory_folder/out"
    kib=$(cat "$memory_folder/kib.txt")
    echo "resident memory: $((kib / 1024)) MiB"
    [ "$kib" -lt $((256 * 1024)) ]
}

long_memory() {
    build release || return 1
    claim "10,000,000 points, mode dispatch" ten_million 'mode: dispatch'
    claim "10,000,000 points, mode timing without op_log" ten_million $'mode: timing\noplog: none'
}
