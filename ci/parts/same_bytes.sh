# Sourced by ci/test. The same sweep, other compilers, instruction sets and thread counts: all
# files of the report folder but run.json are the same bytes.
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

part_same_bytes() {
    local sweep sweeps=(sweeps/*.smoke.yaml)
    if [ ! -x .build/dev/kernsweep ]; then
        [ ! -e src/cli/main.c ] || return 1
        echo "no program yet: nothing to compare"
        return 0
    fi
    [ -e "${sweeps[0]}" ] || { echo "no sweeps/*.smoke.yaml to compare"; return 1; }
    build dev kernsweep && build clang kernsweep && build v3 kernsweep || return 1

    for sweep in "${sweeps[@]}"; do
        claim "$sweep runs" sweep_into reference dev 1 "$sweep"
        claim "$sweep, 3 threads" same_as_reference threads dev 3 "$sweep"
        claim "$sweep, clang" same_as_reference clang clang 2 "$sweep"
        claim "$sweep, gcc -O3 -march=x86-64-v3" same_as_reference v3 v3 2 "$sweep"
    done
}
