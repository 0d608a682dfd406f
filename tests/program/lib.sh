# Sourced by `run`, before a script with claims. A claim that comes to its end holds.
# shellcheck shell=bash

# fail MESSAGE: the claim does not hold; shows what the program said last.
fail() {
    echo "NOT OK: $*"
    for file in out.txt err.txt; do
        [ -s "$file" ] || continue
        echo "--- $file"
        tail -n 40 "$file" | cut -c -400
    done
    exit 1
}

# ks ARGUMENTS: runs the program; what it says is in out.txt and err.txt, its exit code in $code.
ks() {
    code=0
    "$KERNSWEEP" "$@" >out.txt 2>err.txt || code=$?
}

# expect CODE ARGUMENTS: runs the program; it must end with CODE.
expect() {
    local want=$1
    shift
    ks "$@"
    [ "$code" = "$want" ] || fail "kernsweep $*: exit code $code, expected $want"
    check_accounts
}

# says TEXT: the last run said it, on whichever of the two.
says() {
    grep -qF -- "$1" out.txt || grep -qF -- "$1" err.txt || fail "does not say '$1'"
}

says_not() {
    if grep -qF -- "$1" out.txt || grep -qF -- "$1" err.txt; then fail "says '$1'"; fi
}

# refused TEXT ARGUMENTS: exit code 2, with TEXT in what it says.
refused() {
    local text=$1
    shift
    expect 2 "$@"
    says "$text"
}

# Every account that a run printed adds up.
check_accounts() {
    awk '/^points: planned/ {
             sum = 0
             for (i = 5; i <= NF; i++) if ($i ~ /^[0-9]+$/) sum += $i
             if (sum != $3) { print; bad = 1 }
         }
         END { exit bad }' out.txt || fail "an account does not add up"
}

# counted NUMBER WHAT: so it stands in the account of the last run.
counted() {
    grep -qE "[=+] $1 $2( |;|\$)" out.txt || fail "does not count $1 $2"
}

# run_into CODE FOLDER ARGUMENTS: a run that gets to its end, and the folder that it leaves.
run_into() {
    local want=$1 folder=$2
    shift 2
    expect "$want" run "$@" -o "$folder"
    check_folder "$folder"
}

check_folder() {
    local file
    [ ! -e "$1.part" ] || fail "$1.part is left"
    for file in points.csv gates.csv winners.csv run.json junit.xml summary.md; do
        [ -s "$1/$file" ] || fail "no $1/$file"
    done
    for file in points gates winners; do check_fields "$1/$file.csv"; done
    [ -z "$(find "$1" -name '*.tmp*' -o -name '*.part')" ] || fail "temporary files in $1"
    is_json "$1/run.json"
    is_xml "$1/junit.xml"
}

# No cell of a test's sweep needs quotes, so fields are what commas part.
check_fields() {
    awk -F, 'NR == 1 { fields = NF } NF != fields { bad = 1 } /"/ { bad = 1 } END { exit bad }' "$1" ||
        fail "$1: rows with other fields than the header"
    [ -z "$(tail -c 1 "$1")" ] || fail "$1 does not end with a line feed"
}

is_xml() {
    command -v xmllint >/dev/null || fail "no xmllint (apt-get install libxml2-utils)"
    xmllint --noout --nonet "$1" || fail "$1 is not XML"
}

# xml FILE XPATH: what the expression gives.
xml() {
    xmllint --nonet --xpath "$2" "$1" || fail "$1: $2"
}

is_json() {
    "$JSON_CHECK" <"$1" || fail "$1 is not JSON"
}

same() {
    cmp "$1" "$2" || fail "$1 and $2 differ"
}

same_reports() {
    local file
    for file in points.csv gates.csv winners.csv; do same "$1/$file" "$2/$file"; done
}

# column FILE NAME: its cells, a line each.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i
                                    if (!at) exit 1
                                    next }
                          { print $at }' "$1" || fail "$1 has no column $2"
}

# cells FILE NAME: the same on one line.
cells() {
    column "$1" "$2" | paste -sd ' '
}

equal() {
    [ "$1" = "$2" ] || fail "found '$1', expected '$2'"
}

# What lies under a folder, with sizes and contents.
listing() {
    (cd "$1" && find . -type f -exec cksum {} + | sort -k 3)
    (cd "$1" && find . ! -type f | sort)
}

# sweep NAME: writes NAME.yaml of the sweep NAME.ci; its lines from axes on come from standard input.
sweep() {
    { printf 'sweep: %s.ci\nabout: a test\n' "$1"; cat; } >"$1.yaml"
    cp -f "$SOURCE/sweeps/models.yaml" .
}

# A small sweep with gates that hold, nothing red, no golden wanted.
t_sweep() {
    sweep t <<END
golden: none
axes:
  kernel: [decode_opt2, decode_opt3]
  TILE: [16, 64, 256]
set: {S: 4096, d: 128, G: 8}
gates:
  - {name: ratio, expr: "decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile > 2"}
END
}

# many NAME COUNT: a sweep of COUNT points in mode dispatch, a moment each.
many() {
    sweep "$1" <<END
golden: none
mode: dispatch
axes:
  kernel: [decode_opt2]
  seed: {range: [1, $2, 1]}
set: {S: 64, d: 128, G: 8, TILE: 16}
END
}

# A sweep that takes minutes, a tenth of a second a point.
long_sweep() {
    sweep long <<END
golden: none
axes:
  kernel: [decode_opt2]
  TILE: [16]
  seed: {range: [1, 20000, 1]}
set: {S: 20000, d: 128, G: 8}
END
}

# begin ARGUMENTS: starts the program behind us with signals as a terminal would give them; $pid.
begin() {
    set -m
    "$KERNSWEEP" "$@" >out.txt 2>err.txt &
    pid=$!
    set +m
}

# await FILE: at most ten seconds.
await() {
    local i
    for ((i = 0; i < 100; i++)); do
        [ ! -e "$1" ] || return 0
        sleep 0.1
    done
    fail "$1 does not come"
}

# end_of PID SECONDS: its exit code in $code; it must end in that time.
end_of() {
    local i
    for ((i = 0; i < 20 * $2; i++)); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    if kill -0 "$1" 2>/dev/null; then
        kill -9 "$1"
        fail "still there after $2 s"
    fi
    code=0
    wait "$1" 2>/dev/null || code=$?
}

# ---- goldens ----

golden=golden/g.ci.csv

# A sweep that wants a golden, of 20 points, two of them infeasible.
golden_sweep() {
    sweep g <<END
axes:
  kernel: [decode_opt2, decode_opt3]
  TILE: [16, 32, 65536]
  S: [64, 100, 128]
  policy: [strict_fifo, rw_aware]
set: {d: 64, G: 4}
exclude:
  - {when: "TILE == 65536 and (S != 64 or policy != strict_fifo)", why: one shows it}
  - {when: "TILE == 32 and S == 128", why: twenty are enough}
  - {when: "TILE == 16 and S == 128 and policy == rw_aware", why: twenty are enough}
END
}

# bless ARGUMENTS: must be done.
bless() {
    CI='' ks bless "$@" --reason "a test" --yes
    [ "$code" = 0 ] || fail "bless $*: exit code $code"
}

# The sweep, its golden, and the report folder out of a run that matches.
blessed_sweep() {
    golden_sweep
    run_into 4 out g.yaml
    bless g.yaml -o out
    run_into 0 out g.yaml
}

# forge LINE COLUMN VALUE: the golden as a program with other figures would have blessed it.
forge() {
    "$(dirname "$JSON_CHECK")/forge_golden" "$golden" "$@" >forged.csv || fail "forge $*"
    mv forged.csv "$golden"
}

# Eight points, none of them infeasible; a whole run of them in out, no golden yet.
run_sweep() {
    sweep g <<END
axes:
  kernel: [decode_opt2, decode_opt3]
  TILE: [16, 32]
  S: [64, 100]
set: {d: 64, G: 4}
END
    run_into 4 out g.yaml
    unset CI
}

bless_it() {
    expect 0 bless g.yaml -o out --reason "a test" --yes "$@"
}

blessed_run() {
    run_sweep
    bless_it
    run_into 0 out g.yaml
}

# unchanged TEXT ARGUMENTS: a bless that is refused with TEXT and changes nothing.
unchanged() {
    local text=$1 before
    shift
    before=$(listing .)
    refused "$text" bless g.yaml -o out --reason "a test" "$@"
    rm -f out.txt err.txt
    equal "$(listing .)" "$(grep -v 'out.txt\|err.txt' <<<"$before")"
}
