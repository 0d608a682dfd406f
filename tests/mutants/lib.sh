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

# read_mutant FILE: edits into files[], finds[], replaces[]; expectations into hows[], checks[],
# arguments[], wheres[], gates[] and $also.
read_mutant() {
    local line number=0 state=lines text=
    files=() finds=() replaces=() hows=() checks=() arguments=() wheres=() gates=() also= is_blind=false
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        case "$state:$line" in
            lines:"#"* | lines:) ;;
            lines:"file "*) files+=("${line#file }") ;;
            lines:find) state=find text= ;;
            find:replace) finds+=("${text%$'\n'}") state=replace text= ;;
            replace:end) replaces+=("${text%$'\n'}") state=lines ;;
            find:* | replace:*) text+=$line$'\n' ;;
            lines:"red "* | lines:"some "*) read_expectation "${line%% *}" "${line#* }" ;;
            lines:blind) is_blind=true ;;
            lines:"also "*) also=${line#also } ;;
            lines:"gates "*) read -ra gates <<<"${line#gates }" ;;
            *) unsound "$1:$number: found '$line', expected file, find, red, some, also, gates, blind or a comment" ;;
        esac
    done <"$1"
    [ "$state" = lines ] || unsound "$1: an edit is not closed by 'end'"
    [ "${#files[@]}" -gt 0 ] && [ "${#files[@]}" = "${#finds[@]}" ] || unsound "$1: as many 'file' as 'find'"
    $is_blind || [ $((${#checks[@]} + ${#gates[@]})) -gt 0 ] || unsound "$1: nothing is expected to turn red"
}

# `red CHECK [COLUMN...] [where EXPR]`: CHECK is the id of an invariant, golden (each named column moves) or
# verdict (the one that the points get). With `some` in place of red the data decide which of these points
# turn red by it: at least one.
read_expectation() {
    local head=${2%% where *} where=
    [ "$head" = "$2" ] || where=${2#* where }
    hows+=("$1")
    checks+=("${head%% *}")
    [[ $head == *" "* ]] && arguments+=("${head#* }") || arguments+=("")
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
        sed "s/^/${hows[i]}\t$i\t${checks[i]}\t${arguments[i]}\t/" "$matching"
    done
}

# ---- building ----

# apply_edits FOLDER: the changed sources, below FOLDER under their own names; their names in changed[].
apply_edits() {
    local i text rest count file
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
        rest=${text//"${finds[i]}"/}
        count=$(((${#text} - ${#rest}) / ${#finds[i]}))
        [ "$count" = 1 ] || unsound "the text to change is $count times in ${files[i]}: ${finds[i]}"
        printf '%s\n' "${text/"${finds[i]}"/"${replaces[i]}"}" >"$file"
    done
}

# ---- checks that are blinded ----

# judge_blind FOLDER: `kernsweep selftest` of the program there must miss what the check sees.
judge_blind() {
    local code=0 missed
    (cd "$1" && TMPDIR=$KS_TMP ./kernsweep selftest) >"$1/log.txt" 2>&1 || code=$?
    [ "$code" = 1 ] || not_caught "selftest ends with $code, expected 1: $(tail -n 1 "$1/log.txt")"
    if grep -q 'nothing is proved' "$1/log.txt"; then
        echo "caught  $name: selftest says that nothing is proved"
        return
    fi
    missed=$(grep -c '^NOT CAUGHT' "$1/log.txt") || not_caught "selftest misses nothing: $(tail -n 1 "$1/log.txt")"
    echo "caught  $name: selftest misses $missed: $(sed -n 's/^NOT CAUGHT  \([^:]*\):.*/\1/p' "$1/log.txt" | head -n 1)"
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

# run_sweep PROGRAM REPORT: in a folder with the sweep, and its golden.
run_sweep() {
    "$1" run mutants.smoke.yaml -o "$2" -j 1 --progress none -q
}
