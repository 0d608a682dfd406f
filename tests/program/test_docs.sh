#!/usr/bin/env bash
# README, man page and completion say what the program does.
# usage: test_docs.sh SOURCE_FOLDER PROGRAM
# Every `console` block of README.md is run, in order, in a folder with a copy of sweeps/ and golden/, and must
# print what stands there; a line `...` stands for any lines, thread counts and seconds for any.
set -euo pipefail
export LC_ALL=C.UTF-8

source_folder=$(cd "$1" && pwd)
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
readme=$source_folder/README.md
page=$source_folder/src/cli/kernsweep.1
completion=$source_folder/ci/bash-completion/kernsweep

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    printf 'NOT OK  %s\n' "$*"
}

# claim TEXT COMMAND...
claim() {
    local text=$1
    shift
    if "$@"; then echo "ok      $text"; else fail "$text"; fi
}

# ---- README: commands and their output ----

# Lays out each block: FOLDER/N.in is its commands, FOLDER/N.expected what it should print. Blocks
# `yaml FILE` become files.
split_readme() {
    awk -v out="$1" -v tree="$2" '
        /^```/ && kind != "" { kind = ""; next }
        /^```console$/ { kind = "console"; count++; name = sprintf("%s/%02d", out, count)
                         printf "" > (name ".in"); printf "" > (name ".expected"); next }
        /^```yaml ./ { kind = "yaml"; name = tree "/" $2; printf "" > name; next }
        /^```/ { kind = "other"; next }
        kind == "yaml" { print > name }
        kind == "console" && /^\$ / { is_command = 1; print substr($0, 3) > (name ".in"); next }
        kind == "console" && /^> / && is_command { print substr($0, 3) > (name ".in"); next }
        kind == "console" { is_command = 0; print > (name ".expected") }
    ' "$readme"
}

# What may differ from machine to machine, made equal; blanks at ends of lines.
level() {
    sed -E 's/, [0-9]+ threads?, [0-9.]+ s$/, N threads, T s/; s/[[:space:]]+$//'
}

# same_output EXPECTED FOUND: line by line; `...` of EXPECTED takes as many lines as it must.
same_output() {
    awk '
        function matches(e, f) {
            while (e <= expected_count && expected[e] != "...") {
                if (f > found_count || expected[e] != found[f]) { worst = f > worst ? f : worst; return 0 }
                e++; f++
            }
            if (e > expected_count) return f > found_count
            for (; f <= found_count + 1; f++) if (matches(e + 1, f)) return 1
            return 0
        }
        NR == FNR { expected[++expected_count] = $0; next }
        { found[++found_count] = $0 }
        END { if (matches(1, 1)) exit 0; print "  found, line " worst ": " found[worst]; exit 1 }
    ' "$1" "$2"
}

run_blocks() {
    local block name
    mkdir "$work/blocks" "$work/tree"
    cp -r "$source_folder/sweeps" "$source_folder/golden" "$work/tree"
    split_readme "$work/blocks" "$work/tree"
    mkdir "$work/bin"
    ln -s "$program" "$work/bin/kernsweep"
    for block in "$work"/blocks/*.in; do
        name=${block%.in}
        (cd "$work/tree" && PATH=$work/bin:$PATH bash "$block") </dev/null >"$name.raw" 2>&1 || true
        level <"$name.raw" >"$name.found"
        level <"$name.expected" >"$name.level"
        claim "README: $(head -n 1 "$block" | cut -c -70)" same_output "$name.level" "$name.found"
    done
}

# ---- README: names ----

every_verb_is_told() {
    local verb status=0
    for verb in $verbs; do
        grep -qE "^\|.*\`${verb}[ \`]" "$readme" || { echo "  $verb is in no table"; status=1; }
    done
    return "$status"
}

# Tests and files that README names are there.
every_test_is_there() {
    local name status=0
    while read -r name; do
        [ -n "$(find "$source_folder/tests" -name "$name.*" -print -quit)" ] && continue
        echo "  there is no $name"
        status=1
    done < <(grep -oE '\btest_[a-z0-9_]+' "$readme" | sort -u)
    while read -r name; do
        grep -qE "(planted|ks_finding)\(${name#*:} " "$source_folder/tests/${name%%:*}" && continue
        echo "  there is no ${name#*:}"
        status=1
    done < <(grep -oE '\b(architecture|sanitizer_finds)_[a-z]+[a-z_]*' "$readme" | grep -v '_$' | sort -u |
        sed -e 's|^architecture_|architecture/CMakeLists.txt:|' -e 's|^sanitizer_finds_|CMakeLists.txt:|')
    return "$status"
}

every_file_is_there() {
    local name status=0
    while read -r name; do
        [ -e "$source_folder/$name" ] || { echo "  there is no $name"; status=1; }
    done < <(grep -oE '\b(src|ci|tests|sweeps)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' "$readme" |
        grep -vE 'NAME|FAMILY|ROOM|board3' | sort -u)
    return "$status"
}

every_room_is_told() {
    local room status=0
    while read -r room; do
        grep -qE "^\| ([a-z_]+, )*$room(, [a-z_]+)* \|" "$readme" || { echo "  no room $room"; status=1; }
    done < <(sed -n 's/^ks_room(\([a-z_]*\).*/\1/p' "$source_folder/src/CMakeLists.txt")
    return "$status"
}

# ---- man page and completion ----

options_of() { "$program" "$@" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '-[-a-z]+' | sort -u; }

every_option_is_in_the_page() {
    local option status=0
    while read -r option; do
        sed 's/\\-/-/g' "$page" | grep -cE -- "(^|[^-a-z])$option([^-a-z]|\$)" >/dev/null && continue
        echo "  $option is not in the page"
        status=1
    done < <(options_of)
    return "$status"
}

every_verb_is_in_the_page() {
    local verb status=0
    for verb in $verbs; do
        grep -qE "^\.BI? $verb( |$)" "$page" || { echo "  $verb is not in the page"; status=1; }
    done
    return "$status"
}

page_is_clean() {
    command -v groff >/dev/null || { echo "        (no groff: apt-get install groff-base)"; return 1; }
    local said
    said=$(groff -ww -man -Tutf8 "$page" 2>&1 >/dev/null) || true
    [ -z "$said" ] || { echo "$said"; return 1; }
}

# completions WORD...: what is offered for the last one.
completions() {
    bash -c '
        source "$1"
        shift
        COMP_WORDS=(kernsweep "$@")
        COMP_CWORD=$#
        _kernsweep
        printf "%s\n" "${COMPREPLY[@]}"' _ "$completion" "$@" 2>/dev/null | sort -u
}

offers() {
    local expected=$1
    shift
    diff <(tr ' ' '\n' <<<"$expected" | sort -u) <(completions "$@")
}

completion_has_the_options_of() { diff <(options_of "$1") <(completions "$1" -); }

verbs=$("$program" --help | sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p')
built=$("$program" --help | sed -nE '/not built yet/d; s/^  ([a-z]+) +[^ ].*/\1/p' | tr '\n' ' ')

run_blocks
claim "README tells every verb" every_verb_is_told
claim "README names tests that are there" every_test_is_there
claim "README names files that are there" every_file_is_there
claim "README tells every room" every_room_is_told
claim "the man page has every verb" every_verb_is_in_the_page
claim "the man page has every option" every_option_is_in_the_page
claim "the man page has no mistakes that groff sees" page_is_clean
claim "completion offers the verbs that are built" offers "$built--help --version" ""
for verb in $built; do
    claim "completion of $verb offers its options" completion_has_the_options_of "$verb"
done
claim "completion knows the words of --oplog" offers "none hash full" run --oplog ""
claim "completion knows the words of --progress" offers "auto plain none" run --progress ""
claim "completion knows the words of --golden" offers "check ignore require" run --golden ""
claim "completion takes --oplog=" offers "hash" run --oplog = ha
cd "$source_folder"
claim "completion finds sweeps" offers "$(echo sweeps/decode.*.yaml)" run sweeps/decode.

[ "$failures" -eq 0 ] || { echo "$failures claims do not hold"; exit 1; }
