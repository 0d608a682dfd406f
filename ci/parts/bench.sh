# Sourced by ci/test. What ci/bench runs still runs: every part once, whatever its figures.
# shellcheck shell=bash

part_bench() {
    local program programs=()
    build dev bench || return 1
    for program in .build/dev/bench/bench_*; do
        [ -x "$program" ] && programs+=("$program")
    done
    [ "${#programs[@]}" -gt 0 ] || { echo "no programs of tests/bench"; return 1; }
    for program in "${programs[@]}"; do
        claim "$(basename "$program") runs" run_once "$program"
    done
}

run_once() {
    "$1" --once >"$log_folder/$(basename "$1").txt" 2>&1 && return 0
    tail -n 20 "$log_folder/$(basename "$1").txt"
    return 1
}
