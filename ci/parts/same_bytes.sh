# Sourced by ci/test. The same sweep, other compilers, optimisation, instruction sets and thread
# counts: all files of the report folder but run.json are the same bytes. (aarch64:
# ci/long/arm64.sh.)
# shellcheck shell=bash

bytes_folder=.build/bytes

# sweep_into NAME PRESET THREADS SWEEP: the reports lie in NAME/out, wherever that is the same text.
sweep_into() {
    local folder=$bytes_folder/$1
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && "../../$2/kernsweep" run "../../../$4" -o out -j "$3" --golden ignore -q) \
        >"$folder/log.txt" 2>&1 && return 0
    tail -n 20 "$folder/log.txt"
    return 1
}

same_as_reference() {
    sweep_into "$1" "$2" "$3" "$4" || return 1
    [ -s "$bytes_folder/$1/out/points.csv" ] || { echo "no points.csv"; return 1; }
    diff -r --brief --exclude=run.json "$bytes_folder/reference/out" "$bytes_folder/$1/out"
}

# Numbers are part of what is compared: every point that passed has the digest of its results.
has_numbers() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["verdict"] == "pass" { if ($at["out_xxh128"] ~ /^[0-9a-f]+$/) n++; else bad++ }
        END { print n + 0, "points with numbers,", bad + 0, "without"; exit !(n > 0 && !bad) }' \
        "$bytes_folder/reference/out/points.csv"
}

# What this machine runs of the sets that the program was compiled for.
# instruction_sets SWEEP
instruction_sets() {
    local set
    for set in plain x86-64 x86-64-v3 x86-64-v4; do
        if KS_ISA=$set .build/dev/kernsweep list "$1" >/dev/null 2>&1; then echo "$set"; fi
    done
}

part_same_bytes() {
    local sweep preset set sets sweeps=(sweeps/*.smoke.yaml)
    local presets=(dev gcc-O0 release clang-O0 clang v3)
    if [ ! -x .build/dev/kernsweep ]; then
        [ ! -e src/cli/main.c ] || return 1
        echo "no program yet: nothing to compare"
        return 0
    fi
    [ -e "${sweeps[0]}" ] || { echo "no sweeps/*.smoke.yaml to compare"; return 1; }
    for preset in "${presets[@]}"; do build "$preset" kernsweep || return 1; done
    mapfile -t sets < <(instruction_sets "${sweeps[0]}")
    echo "instruction sets of this machine: ${sets[*]}"

    for sweep in "${sweeps[@]}"; do
        claim "$sweep runs" sweep_into reference dev 1 "$sweep"
        claim "$sweep has numbers" has_numbers
        claim "$sweep, 3 threads" same_as_reference threads dev 3 "$sweep"
        for preset in "${presets[@]}"; do
            for set in "${sets[@]}"; do
                KS_ISA=$set claim "$sweep, $preset, $set" same_as_reference other "$preset" 2 "$sweep"
            done
        done
    done
}
