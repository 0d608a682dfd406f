# Sourced by ci/test. Skipped tiles and shared plans give the cells of full simulation; says how many
# points took which path. (A hundred times as many: ci/long/fast_paths.sh.)
# shellcheck shell=bash

part_fast_paths() {
    build dev test_paths || return 1
    claim "1,000 points, 10,000 calibrations, dispatch costs around the drift" show_paths \
        .build/dev/tests/test_paths 1000 10000 4 131072
}

show_paths() {
    local log=$log_folder/paths.txt
    if "$@" >"$log" 2>&1; then
        grep -v '^\[' "$log"
        return 0
    fi
    tail -n 30 "$log"
    return 1
}
