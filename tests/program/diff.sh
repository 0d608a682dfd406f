# shellcheck shell=bash
# diff: two op_logs, two report folders, a report folder and a golden.

point='kernel=decode_opt2 G=2 TILE=4 d=8 S=8'

log() {
    expect 0 show "$1" --oplog
    cp out.txt "$2"
}

claim_equal_logs_are_0() {
    log "$point" a.csv
    cp a.csv b.csv
    expect 0 diff a.csv b.csv
    says 'equal: 59 rows'
}

claim_a_one_cycle_change_is_1_and_told_in_fewer_than_25_lines() {
    log "$point" a.csv
    log "$point math_startup_cycles=9" b.csv
    expect 1 diff a.csv b.csv
    says 'first divergence, its service changed: row 4: MATH fill on math'
    says 'of the rows of math 25 in 25 changed, by +1 cycles'
    says 'last end: 1727.875 -> 1747.875 cycles, +20'
    [ "$(wc -l <out.txt)" -lt 25 ] || fail "$(wc -l <out.txt) lines"
}

claim_a_log_on_the_left_is_what_is_expected() {
    log "$point" a.csv
    log "$point math_startup_cycles=9" b.csv
    expect 1 diff b.csv a.csv
    says 'end      expected 93.125, got 92.125'
}

claim_a_divergence_is_json() {
    log "$point" a.csv
    log "$point policy=rw_aware" b.csv
    expect 1 diff a.csv b.csv --json
    is_json out.txt
    says '"change": "start"'
    expect 0 diff a.csv a.csv --json
    is_json out.txt
    says '"change": "same"'
}

claim_what_cannot_be_compared_is_2() {
    log "$point" a.csv
    refused 'b.csv: found no such file' diff a.csv b.csv
    refused 'expected A B' diff a.csv
    refused 'expected A B' diff a.csv a.csv a.csv
    head -c 510 a.csv >cut.csv
    refused 'the last line does not end with LF' diff a.csv cut.csv
    sed 's/$/\r/' a.csv >crlf.csv
    refused 'line ends' diff crlf.csv a.csv
    sed 5d a.csv >lost.csv
    refused 'lost.csv:5:1: found seq' diff a.csv lost.csv
    echo text >text.csv
    refused "expected two op_logs" diff a.csv text.csv
    : >empty.csv
    refused "expected two op_logs" diff empty.csv a.csv
}

# ---- report folders ----

# as_if_changed FROM IDS TO: the report FROM, of a sweep run with --set math_startup_cycles=9, as if
# the program had that start-up by itself: without that column, with the ids of the report IDS.
as_if_changed() {
    mkdir -p "$3/oplog"
    awk -F, -v OFS=, 'NR == FNR { ids[FNR] = $1; next }
        FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "math_startup_cycles") drop = i }
        { old = $1; $1 = ids[FNR]; line = ""
          for (i = 1; i <= NF; i++) if (i != drop) line = line (line == "" ? "" : OFS) $i
          print line
          if (FNR > 1) print old, ids[FNR] >"pairs" }' "$2/points.csv" "$1/points.csv" >"$3/points.csv"
    while IFS=, read -r old new; do
        if [ -e "$1/oplog/$old.csv" ]; then cp "$1/oplog/$old.csv" "$3/oplog/$new.csv"; fi
    done <pairs
    cp "$1/run.json" "$3"
}

two_reports() {
    t_sweep
    run_into 0 old t.yaml
    run_into 0 nine t.yaml --set math_startup_cycles=9 --oplog full
    as_if_changed nine old new
}

claim_equal_reports_are_0() {
    t_sweep
    run_into 0 a t.yaml
    run_into 0 b t.yaml -j 1
    expect 0 diff a b
    says "points: 6 left, 6 right: 6 same, 0 changed, 0 only left, 0 only right"
    says_not "first divergence"
}

claim_a_one_cycle_change_is_told_by_its_first_row_and_its_cause() {
    two_reports
    expect 1 diff old new
    says "point: kernel=decode_opt2 G=8 TILE=256 d=128 S=4096"
    says "first divergence, its service changed: row 4: MATH fill on math, cmd 1 stage 0"
    says "it takes 10 cycles instead of 9; of the rows of math"
    says "  6 points: the same work takes more busy_math; smallest kernel=decode_opt2 G=8 TILE=256 d=128 S=4096"
    says "points: 6 left, 6 right: 0 same, 6 changed, 0 only left, 0 only right"
    grep -qE '^  busy_math +6 points, \+[0-9]+ to \+[0-9]+$' out.txt || fail "no line of busy_math"
    grep -qE '^  decode_opt3 +1\.00[0-9]+ over 3 points, 3 changed$' out.txt || fail "no mean of decode_opt3"
    lines=$(sed -n '/^point:/,/^moved/p' out.txt | wc -l)
    [ "$lines" -le 25 ] || fail "$lines lines" # with the heading of what comes after
}

# The left rows are made by this program, whose digests they have; the right ones lie in its folder.
claim_rows_that_nobody_has_are_said_to_be_missing() {
    two_reports
    mv new/oplog elsewhere
    expect 1 diff old new
    says "the rows of new are not stored"
    grep -qE '^  busy_math +expected [0-9.]+, got [0-9.]+, \+[0-9]+$' out.txt || fail "no cell"
    expect 1 diff old new --against elsewhere
    says "first divergence, its service changed: row 4"
    # A log that is not the one of the row is passed over.
    for file in elsewhere/*.csv; do sed -i '2s/load/LOAD/' "$file"; done
    expect 1 diff old new --against elsewhere
    says "the rows of new are not stored"
    refused "expected a folder" diff old new --against old/points.csv
    refused "expected a folder" diff old new --against nowhere
}

claim_points_of_one_side_are_counted_and_named() {
    t_sweep
    run_into 0 a t.yaml
    run_into 0 b t.yaml --where 'TILE >= 64'
    expect 1 diff a b
    says "points: 6 left, 4 right: 4 same, 0 changed, 2 only left, 0 only right"
    expect 1 diff b a --only-changed
    says "only right: kernel=decode_opt2 G=8 TILE=16 d=128 S=4096"
    says "only right: kernel=decode_opt3 G=8 TILE=16 d=128 S=4096"
    equal "$(wc -l <out.txt)" 3
}

claim_only_changed_is_a_line_a_changed_point() {
    two_reports
    expect 1 diff old new --only-changed
    equal "$(wc -l <out.txt)" 7
    grep -qE '^kernel=decode_opt2 G=8 TILE=16 d=128 S=4096: total_cycles [0-9.]+ -> [0-9.]+, [0-9]+ columns$' out.txt ||
        fail "no line of the first point"
    cp "$(find new/oplog -name '*.csv' | head -n 1)" log.csv
    refused "found two op_logs" diff log.csv log.csv --only-changed
}

claim_differences_of_reports_are_json() {
    two_reports
    expect 1 diff old new --json
    is_json out.txt
    says '"changed": 6'
    says '"first_divergence": {'
    says '"change": "service"'
    expect 1 diff old new --json --only-changed
    is_json out.txt
    equal "$(grep -c '"verdict_expected"' out.txt)" 6
    expect 0 diff old old --json
    is_json out.txt
}

claim_a_report_that_is_broken_is_2_with_its_place() {
    two_reports
    rm new/points.csv
    refused "expected two op_logs" diff old new
    cp old/points.csv new/points.csv
    expect 0 diff old new
    sed -i '3s/,pass,/,past,/' new/points.csv
    refused "new/points.csv:3: field 2: found 'past', expected a verdict" diff old new
    head -c 700 old/points.csv >new/points.csv
    refused "new/points.csv:" diff old new
    sed 's/$/\r/' old/points.csv >new/points.csv
    refused "new/points.csv:" diff old new
    refused "expected two op_logs" diff old t.yaml
}

claim_a_report_that_lost_lines_or_its_end_is_2_on_either_side() {
    t_sweep
    run_into 0 old t.yaml
    cp -r old new
    for lines in '$d' '2d' '3,$d' '2,$d'; do
        sed "$lines" old/points.csv >new/points.csv
        count=$(($(wc -l <new/points.csv) - 1))
        refused "new/points.csv: found $count points, expected 6 as run.json counts them" diff old new
        refused "new/points.csv: found $count points" diff new old --json
        refused "new/points.csv: found $count points" diff new new
    done
    cp old/points.csv new
    expect 0 diff old new
    rm new/run.json
    refused "found no 'new/run.json'" diff old new
    echo '{}' >new/run.json
    refused "new/run.json: found no account" diff old new
    many m 3000
    printf 'expect:\n  - {when: "seed == 1", why: x}\n' >>m.yaml
    expect 1 run m.yaml -o part --fail-fast # what did not run is counted apart
    expect 0 diff part part
}

claim_nothing_compared_is_never_0() {
    t_sweep
    sed 's/^sweep: t/sweep: u/; s/S: 4096/S: 64/' t.yaml >u.yaml
    sed 's/^sweep: t/sweep: red/; s/ > 2"/ > 5"/' t.yaml >red.yaml
    expect 1 run red.yaml t.yaml u.yaml -o none --fail-fast
    refused "found no point in 'none/t.ci' and none in 'none/u.ci'" diff none/t.ci none/u.ci
    refused "found no point" diff none/t.ci none/t.ci --json
    run_into 0 t t.yaml
    run_into 0 u u.yaml
    expect 1 diff t u
    says "0 same, 0 changed, 6 only left, 6 only right"
    says "no point is on both sides: nothing was compared"
    expect 1 diff t none/t.ci
    says "nothing was compared"
    expect 0 diff t t
    says_not "nothing was compared"
    log "$point" a.csv
    head -n 1 a.csv >head.csv
    refused "found no row in 'head.csv' and none in 'head.csv'" diff head.csv head.csv
    expect 1 diff a.csv head.csv
}

claim_names_of_folders_are_harmless() {
    t_sweep
    for name in 'a b' "it's" $'new\nline' $'inv\xff' -dash; do
        ks run t.yaml -o "./$name"
        expect 0 diff "./$name" "./$name"
        expect 0 diff --json -- "./$name" "./$name"
        is_json out.txt
    done
}
