# Sourced by run and mutate.
# shellcheck shell=bash
set -euo pipefail

# not_caught TEXT: the mutation was not seen as it must be.
not_caught() {
    echo "NOT CAUGHT  $name: $1"
    exit 1
}

# unsound TEXT: the .mutant file or what it is to change is wrong, so that nothing was proved.
unsound() {
    echo "UNSOUND  $name: $1"
    exit 1
}

# ---- the .mutant file: edits (file, find, replace), and what is to turn red ----

# read_mutant FILE: edits into files[], finds[], replaces[]; expectations into checks[], arguments[],
# wheres[], gates[] and $also.
read_mutant() {
    local line number=0 state=lines text=
    files=() finds=() replaces=() checks=() arguments=() wheres=() gates=() also=
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        case "$state:$line" in
            lines:"#"* | lines:) ;;
            lines:"file "*) files+=("${line#file }") ;;
            lines:find) state=find text= ;;
            find:replace) finds+=("${text%$'\n'}") state=replace text= ;;
            replace:end) replaces+=("${text%$'\n'}") state=lines ;;
            find:* | replace:*) text+=$line$'\n' ;;
            lines:"red "*) read_expectation "${line#red }" ;;
            lines:"also "*) also=${line#also } ;;
            lines:"gates "*) read -ra gates <<<"${line#gates }" ;;
            *) unsound "$1:$number: found '$line', expected file, find, red, also, gates or a comment" ;;
        esac
    done <"$1"
    [ "$state" = lines ] || unsound "$1: an edit is not closed by 'end'"
    [ "${#files[@]}" -gt 0 ] && [ "${#files[@]}" = "${#finds[@]}" ] || unsound "$1: as many 'file' as 'find'"
    [ $((${#checks[@]} + ${#gates[@]})) -gt 0 ] || unsound "$1: nothing is expected to turn red"
    by=$(printf '%s\n' "${checks[@]}" "${gates[@]/#/gate }" | grep -v '^$' | sort -u | paste -sd ',' | sed 's/,/, /g')
    expected_code=0
    for line in "${checks[@]}" ${gates[@]+gate}; do [ "$line" = golden ] || expected_code=1; done
}

# `CHECK [COLUMN...] [where EXPR]`: CHECK is the id of an invariant, golden (each named column moves) or
# verdict (the one that the points get).
read_expectation() {
    local head=${1%% where *} where=
    [ "$head" = "$1" ] || where=${1#* where }
    checks+=("${head%% *}")
    arguments+=("$(sed 's/^[^ ]* *//' <<<"$head")")
    wheres+=("$where")
}

# write_expected WORK: a line for each check of each point that is to turn red.
write_expected() {
    local i matching=$mine/matching.txt
    for i in "${!checks[@]}"; do
        if [ -n "${wheres[i]}" ]; then
            "$1/base/kernsweep" list "$here/mutants.smoke.yaml" --points --where "${wheres[i]}" >"$matching" ||
                unsound "no point matches '${wheres[i]}'"
        else
            cp "$1/keys.txt" "$matching"
        fi
        awk -v check="${checks[i]}" -v args="${arguments[i]}" '{ print check "\t" args "\t" $0 }' "$matching"
    done
}

# ---- building ----

# count_of TEXT PART: how often PART stands in TEXT.
count_of() {
    local rest=$1 count=0
    while [[ $rest == *"$2"* ]]; do
        rest=${rest#*"$2"}
        count=$((count + 1))
    done
    echo "$count"
}

# apply_edits FOLDER: the changed sources, below FOLDER under their own names; their names in changed[].
apply_edits() {
    local i text count file
    changed=()
    for i in "${!files[@]}"; do
        file=$1/${files[i]#src/}
        if [ ! -e "$file" ]; then
            [ -e "$KS_SOURCE/${files[i]}" ] || unsound "there is no ${files[i]}"
            mkdir -p "$(dirname "$file")"
            cp "$KS_SOURCE/${files[i]}" "$file"
            changed+=("${files[i]}")
        fi
        text=$(<"$file")
        count=$(count_of "$text" "${finds[i]}")
        [ "$count" = 1 ] || unsound "the text to change is $count times in ${files[i]}: ${finds[i]}"
        printf '%s\n' "${text/"${finds[i]}"/"${replaces[i]}"}" >"$file"
    done
}

# compile_as OBJECT SOURCE COMMAND MINE: COMMAND, which makes OBJECT in the build's folder, from another
# source, quickly, into MINE.
compile_as() {
    local object=$1 source=$2 command=$3 mine=$4
    command=${command//"$object"/"$mine"}
    command=${command%% -c *}
    eval "$command -O0 -g0 -w -c '$source'" || unsound "$source does not compile"
}

# link_with FOLDER SOURCE...: FOLDER/kernsweep, the mutation tests' program with these sources (src/...)
# taken from FOLDER/src.
link_with() {
    local into=$1 source command object mine link
    shift
    link=$(tail -n 1 "$KS_WORK/commands.txt")
    cd "$KS_BUILD"
    for source in "$@"; do
        local found=0
        while IFS= read -r command; do
            object=$(sed 's/.* -o \([^ ]*\) -c .*/\1/' <<<"$command")
            mine=$into/$(tr / _ <<<"$object")
            compile_as "$object" "$into/$source" "$command" "$mine"
            link=${link/" $object "/" $mine "}
            found=1
        done < <(grep -F -- " -c $KS_SOURCE/$source" "$KS_WORK/commands.txt")
        [ "$found" = 1 ] || unsound "$source is not compiled into the program"
    done
    link=${link/" $KS_TABLE "/" $KS_WORK/kernels.o "}
    link=${link/" -o kernsweep "/" -o $into/kernsweep "}
    eval "$link" || unsound "does not link"
    cd - >/dev/null
}

run_sweep() {
    "$1" run "$here/mutants.smoke.yaml" -o "$2" -j 1 --progress none -q
}
