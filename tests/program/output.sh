# Report folders, standard output, and what happens when they cannot be written.
# shellcheck shell=bash disable=SC2317

claim_reports_lie_under_reports_by_default() {
    t_sweep
    expect 0 run t.yaml
    check_folder reports/t.ci
    says "report: reports/t.ci"
}

claim_a_finished_folder_becomes_the_previous_one() {
    t_sweep
    run_into 0 out t.yaml
    cp -r out first
    run_into 0 out t.yaml --where 'TILE == 16'
    diff -r out.prev first >/dev/null || fail "out.prev is not the first run"
    run_into 0 out t.yaml --where 'TILE == 64'
    equal "$(cells out.prev/points.csv TILE)" "16 16"
    equal "$(cells out/points.csv TILE)" "64 64"
}

claim_an_unfinished_run_is_refused_and_not_touched() {
    t_sweep
    run_into 0 out t.yaml
    mkdir out.part
    echo half >out.part/points.csv
    before=$(listing .)
    (cd . && "$KERNSWEEP" run t.yaml -o out >/dev/null 2>message) && fail "not refused"
    equal "$(grep -c -- --resume message)" 1
    says_there message "out.part"
    rm message
    equal "$(listing .)" "$before"
    expect 2 run t.yaml -o out
}

says_there() {
    grep -qF -- "$2" "$1" || fail "$1 does not say '$2'"
}

claim_a_folder_that_cannot_be_used_is_3_before_any_point_runs() {
    many m 2000
    sed -i 's/mode: dispatch/mode: timing/; s/S: 64/S: 20000/' m.yaml # three minutes, if it ran
    echo mine >file
    for folder in file file/x /proc/x /dev/null/x; do
        start=$SECONDS
        expect 3 run m.yaml -o "$folder"
        [ $((SECONDS - start)) -lt 5 ] || fail "it took $((SECONDS - start)) s"
        says_there err.txt "${folder%/x}"
    done
    equal "$(cat file)" mine
}

claim_a_folder_that_cannot_be_renamed_is_3_before_any_point_runs() {
    many m 2000
    sed -i 's/mode: dispatch/mode: timing/; s/S: 64/S: 20000/' m.yaml
    mkdir inner
    cd inner
    for folder in . ./ ..; do
        code=0
        timeout -s KILL 5 "$KERNSWEEP" run ../m.yaml -o "$folder" >out.txt 2>err.txt || code=$?
        case $code in 2 | 3) ;; *) fail "-o $folder: exit code $code" ;; esac
    done
}

# One verdict for all: what is wrong with any of them is said before the first one runs.
claim_no_sweep_runs_when_the_folder_of_another_cannot_be_used() {
    t_sweep
    sed 's/^sweep: t/sweep: u/' t.yaml >u.yaml
    mkdir -p part/u.ci.part file
    echo mine >file/u.ci
    expect 2 run t.yaml u.yaml -o part
    says part/u.ci.part
    equal "$(ls part)" u.ci.part
    expect 3 run t.yaml u.yaml -o file
    says file/u.ci
    equal "$(ls file)" u.ci
}

claim_an_account_is_that_of_the_sweep_or_not_printed() {
    t_sweep
    echo mine >file
    expect 3 run t.yaml -o file
    says_not "planned 0"
}

claim_names_of_folders_and_files_may_be_anything() {
    t_sweep
    for name in 'a b' "it's" '"q"' $'new\nline' ünï $'inv\xff' -dash "$(printf 'x%.0s' {1..240})"; do
        cp t.yaml "./$name.yaml"
        ks run -o "./$name/deep" -- "$name.yaml"
        equal "$name: $code" "$name: 0"
        check_folder "./$name/deep"
        is_json "./$name/deep/run.json"
    done
    run_into 0 out.part.x t.yaml
}

claim_nothing_is_written_outside_of_the_folder() {
    t_sweep
    mkdir box
    cp t.yaml models.yaml box
    before=$(listing box)
    (cd box && "$KERNSWEEP" run t.yaml -o ../elsewhere/out >../out.txt 2>../err.txt)
    equal "$(listing box)" "$before"
    equal "$(ls -A elsewhere)" out
    equal "$(ls -A elsewhere/out | sort)" "$(printf '%s\n' gates.csv junit.xml points.csv run.json summary.md winners.csv)"
}

claim_full_op_logs_lie_in_the_folder_and_are_what_their_digests_say() {
    t_sweep
    run_into 0 hash t.yaml --where 'TILE >= 64'
    run_into 0 full t.yaml --where 'TILE >= 64' --oplog full
    same_reports hash full
    equal "$(ls full/oplog | wc -l)" 4
    for id in $(column full/points.csv id); do
        [ -s "full/oplog/$id.csv" ] || fail "no op_log $id"
        records=$(awk -F, -v id="$id" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "oplog_records") at = i }
                                       $1 == id { print $at }' full/points.csv)
        equal "$(($(wc -l <"full/oplog/$id.csv") - 1))" "$records"
    done
}

claim_without_op_logs_other_cells_are_the_same_and_invariants_skipped() {
    t_sweep
    run_into 0 hash t.yaml
    run_into 0 none t.yaml --oplog none
    says "invariants: not all asked on 6 points"
    equal "$(cells none/points.csv invariants | tr ' ' '\n' | sort -u)" skipped
    equal "$(cells none/points.csv oplog_xxh128 | tr -d ' ')" ""
    for column in total_cycles crit_math tcm_peak_bytes; do
        equal "$(cells none/points.csv $column)" "$(cells hash/points.csv $column)"
    done
    same hash/gates.csv none/gates.csv
    same hash/winners.csv none/winners.csv
}

# ---- standard output ----

big_list() {
    many big 300000
}

claim_a_full_disk_is_3_for_whatever_is_printed() {
    [ -c /dev/full ] || fail "no /dev/full on this machine"
    t_sweep
    big_list
    key='kernel=decode_opt2 G=8 TILE=16 d=128 S=1000'
    local code=0
    full() {
        code=0
        "$KERNSWEEP" "$@" >/dev/full 2>err.txt || code=$?
        [ "$code" = 3 ] || fail "$*: exit code $code"
        grep -q "No space left" err.txt || fail "$*: does not say why"
    }
    : >out.txt
    full list t.yaml
    full list t.yaml --points
    full list big.yaml --points
    full list t.yaml --json
    full list --columns
    full list --constants
    full show "$key"
    full show "$key" --oplog
    full show "$key" --commands
    full show "$key" --json
    full run t.yaml -o out
    full --help
    full --version
}

claim_a_reader_that_goes_away_is_no_error() {
    t_sweep
    big_list
    key='kernel=decode_opt2 G=8 TILE=16 d=128 S=4096'
    : >out.txt
    away() {
        local first codes
        { first=$({ "$KERNSWEEP" "$@" 2>err.txt; echo $? >code.txt; } | head -n 1); } || true
        codes=$(cat code.txt)
        [ -n "$first" ] || fail "$*: no first line"
        [ "$codes" = 0 ] || fail "$*: exit code $codes"
        [ ! -s err.txt ] || fail "$*: says something"
    }
    away list big.yaml --points
    away list big.yaml --points --json
    away show "$key" --oplog
    away show "$key" --commands
    away show "$key" --json
    away show "$key" -v
    away list t.yaml
}

claim_a_reader_that_was_never_there_is_no_error() {
    t_sweep
    for _ in 1 2 3 4 5; do
        { "$KERNSWEEP" show 'kernel=decode_opt2 G=8 TILE=16 d=128 S=4096' --oplog 2>err.txt || echo $? >code.txt; } | true
        [ ! -e code.txt ] || fail "exit code $(cat code.txt)"
        [ ! -s err.txt ] || fail "says something"
    done
    { "$KERNSWEEP" run t.yaml -o out --progress none 2>err.txt || echo $? >code.txt; } | true
    [ ! -e code.txt ] || fail "run: exit code $(cat code.txt)"
    check_folder out
}

claim_closed_standard_files_change_no_report() {
    t_sweep
    run_into 0 ref t.yaml
    "$KERNSWEEP" run t.yaml -o in -q <&- >out.txt 2>err.txt || fail "closed stdin"
    "$KERNSWEEP" run t.yaml -o err -q 2>&- >out.txt || fail "closed stderr"
    code=0
    "$KERNSWEEP" run t.yaml -o all >&- 2>&- <&- || code=$?
    equal "closed stdout: $code" "closed stdout: 3" # its account could not be written
    for folder in in err all; do same_reports ref $folder; done
}

claim_a_sweep_from_a_closed_standard_input_is_refused() {
    code=0
    "$KERNSWEEP" run - -o out <&- >out.txt 2>err.txt || code=$?
    case $code in 2 | 3) ;; *) fail "exit code $code" ;; esac
    [ -s err.txt ] || fail "says nothing"
    [ ! -e out ] && [ ! -e out.part ] || fail "something was written"
}

claim_help_and_version_are_0_and_name_every_verb() {
    expect 0 --help
    for verb in run list show bless diff study adr report merge history selftest; do says "  $verb "; done
    says "exit codes:"
    for verb in run list show; do
        expect 0 $verb --help
        says "usage: kernsweep $verb"
        says_not "not built yet"
    done
    for option in --output --threads --set --where --max-points --fail-fast --oplog --golden --exact \
        --progress --quiet --verbose; do
        expect 0 run --help
        says "$option"
    done
    expect 0 --version
    says "kernsweep "
    says "commit "
    says "compiler "
    equal "$(wc -l <out.txt)" 3
}
