# bless: the only writer of goldens, and when it refuses.
# shellcheck shell=bash disable=SC2317,SC2154

claim_bless_writes_the_golden_the_reason_and_nothing_else() {
    run_sweep
    expect 0 bless g.yaml -o out --reason "because of |this|" --yes
    says "cause 1: 4 rows, decode_opt2: not in the golden yet"
    says "blessed: golden/g.ci.csv"
    equal "$(ls -A golden)" "$(printf 'REASONS.md\ng.ci.csv')"
    grep -qxF "because of |this|" golden/REASONS.md || fail "no reason"
    equal "$(sed -n 2p "$golden" | cut -d, -f 1-3)" "KEY,verdict,reason"
    equal "$(tail -n 1 "$golden" | cut -d, -f 1-2)" "end,8"
    ! grep -q '"\|'$'\r' "$golden" || fail "quotes or CR in the golden"
    run_into 0 out g.yaml
}

claim_the_same_run_gives_the_same_golden_and_a_second_bless_does_nothing() {
    run_sweep
    bless_it
    cp -r golden first
    bless_it
    says "nothing to bless"
    same golden/g.ci.csv first/g.ci.csv
    same golden/REASONS.md first/REASONS.md
    rm -r golden
    run_into 4 out g.yaml -j 1
    bless_it
    same golden/g.ci.csv first/g.ci.csv
}

claim_a_dry_run_writes_nothing_and_needs_no_reason() {
    run_sweep
    expect 0 bless g.yaml -o out --dry-run
    says "would bless: 0 rows change, 8 are new, 0 go"
    [ ! -e golden ] || fail "something was written"
}

claim_a_reason_is_needed_and_is_one_line() {
    run_sweep
    refused "found no --reason" bless g.yaml -o out --yes
    refused "found nothing" bless g.yaml -o out --yes --reason ""
    refused "found nothing" bless g.yaml -o out --yes --reason "  "
    refused "line end" bless g.yaml -o out --yes --reason $'a\nb'
    [ ! -e golden ] || fail "something was written"
}

claim_without_a_terminal_yes_must_be_said() {
    run_sweep
    refused "--yes" bless g.yaml -o out --reason "a test" </dev/null
    [ ! -e "$golden" ] || fail "something was written"
}

claim_bless_asks_on_a_terminal() {
    command -v script >/dev/null || fail "no program script"
    run_sweep
    printf 'n\n' | script -qec "'$KERNSWEEP' bless g.yaml -o out --reason x" /dev/null >out.txt || code=$?
    says "bless? [y/N]"
    [ ! -e "$golden" ] || fail "blessed though the answer is no"
    printf 'y\n' | script -qec "'$KERNSWEEP' bless g.yaml -o out --reason x" /dev/null >out.txt
    [ -s "$golden" ] || fail "not blessed though the answer is yes"
}

claim_bless_refuses_under_ci() {
    run_sweep
    for ci in true 1 yes TRUE github; do
        CI=$ci refused "the environment says CI=$ci" bless g.yaml -o out --reason x --yes
        [ ! -e golden ] || fail "something was written"
    done
    for ci in '' 0 false False FALSE; do
        rm -rf golden
        CI=$ci expect 0 bless g.yaml -o out --reason x --yes
        [ -s "$golden" ] || fail "CI='$ci': nothing was written"
    done
}

claim_bless_refuses_a_run_that_is_not_whole() {
    run_sweep
    rm -r out
    refused "found no out/observed.csv" bless g.yaml -o out --reason x --yes
    run_into 4 out g.yaml --where "TILE == 16"
    refused "found 'points=where', expected 'points=whole'" bless g.yaml -o out --reason x --yes
    run_into 4 out g.yaml --set TILE=16
    refused "found 'points=set', expected 'points=whole'" bless g.yaml -o out --reason x --yes
    run_into 4 out g.yaml --oplog none
    refused "found 'op_logs=none', expected 'op_logs=made'" bless g.yaml -o out --reason x --yes
    run_into 4 out g.yaml
    sed -i '$d' out/observed.csv
    refused "found the end of the file, expected the line 'end'" bless g.yaml -o out --reason x --yes
    [ ! -e golden ] || fail "something was written"
}

claim_bless_refuses_a_run_that_was_cut_short() {
    run_sweep
    rm -r out
    sed -i 's/S: \[64, 100\]/S: [64, 100], seed: {range: [1, 50, 1]}/; s/S: \[64/S: [64/' g.yaml
    sed -i 's/  S: \[64, 100\], seed: \(.*\)/  S: [64, 100]\n  seed: \1/' g.yaml
    printf 'expect:\n  - {when: "seed == 3", why: x}\n' >>g.yaml
    expect 1 run g.yaml -o out --fail-fast
    says "not_run"
    refused "expected the line 'end'" bless g.yaml -o out --reason x --yes
}

claim_bless_refuses_a_run_of_other_inputs() {
    run_sweep
    echo "# a comment" >>g.yaml
    refused "found 'sweep=" bless g.yaml -o out --reason x --yes
    run_into 4 out g.yaml
    sed -i 's/^sweep: g/sweep: h/' g.yaml
    refused "found a run of 'g.ci', expected one of 'h.ci'" bless g.yaml -o out --reason x --yes
    mkdir calibration
    echo 'constants: {math_lanes: 32}' >calibration/slow.yaml
    echo 'calibration: slow' >>g.yaml
    run_into 4 out g.yaml
    echo 'constants: {math_lanes: 16}' >calibration/slow.yaml
    refused "found 'calibration=" bless g.yaml -o out --reason x --yes
    [ ! -e golden ] || fail "something was written"
}

claim_bless_refuses_a_run_of_another_build() {
    run_sweep
    cp "$KERNSWEEP" other
    printf ' ' >>other
    CI='' ./other run g.yaml -o out >out.txt 2>err.txt || code=$?
    equal "$code" 4
    refused "found a run of another build of kernsweep" bless g.yaml -o out --reason x --yes
    run_into 4 out g.yaml
    cp out/observed.csv kept.csv
    run_into 4 other.out g.yaml --set S=64
    cp out/run.json kept.json
    cp other.out/run.json out/run.json
    refused "found the digest of another observed.csv" bless g.yaml -o out --reason x --yes
    rm out/run.json
    refused "found no out/run.json" bless g.yaml -o out --reason x --yes
    cp kept.json out/run.json
    bless_it
}

claim_bless_refuses_points_that_are_red_by_themselves() {
    sweep g <<END
mode: data
axes:
  kernel: [decode_opt2]
  dist: [normal, large]
set: {S: 64, d: 16, G: 2, TILE: 16}
END
    unset CI
    run_into 1 out g.yaml
    unchanged "1 points are red by themselves" --yes
    printf 'expect:\n  - {when: "dist == normal", why: x}\n' >>g.yaml
    run_into 1 out g.yaml
    unchanged "2 points are red by themselves" --yes
    sed -i 's/dist == normal/dist == large/' g.yaml
    run_into 4 out g.yaml
    bless_it
    run_into 0 out g.yaml
}

claim_bless_refuses_where_nothing_is_wanted() {
    t_sweep
    unset CI
    run_into 0 out t.yaml
    refused "golden: none" bless t.yaml -o out --reason x --yes
    refused "standard input" bless - -o out --reason x --yes <t.yaml
}

# ---- what changes ----

claim_changes_are_shown_by_cause_with_their_consequences() {
    blessed_run
    forge 3 total_cycles 1000
    forge 4 total_cycles 1001
    forge 7 busy_math 1
    run_into 1 out g.yaml
    expect 0 bless g.yaml -o out --dry-run
    says "cause 1: 2 rows, differs from its golden: "
    says "  2 points with kernel == decode_opt2 and TILE == 16"
    says "  dispatch_cycles: as before"
    says "  total_cycles: 2 up; least +1"
    says "cause 2: 1 row, differs from its golden: "
    says "  1 point with kernel == decode_opt3 and TILE == 16 and S == 64"
    says "  first: kernel=decode_opt3 G=4 TILE=16 d=64 S=64"
    says "would bless: 3 rows change, 0 are new, 0 go; 5 asked rows are as they were"
    bless_it
    run_into 0 out g.yaml
    grep -q "2 rows, differs from its golden: .*; total_cycles 2 up" golden/REASONS.md ||
        fail "no such reason"
}

# Lines of the golden that differ from those of `before`.
changed_lines() {
    diff before.csv "$golden" | sed -n 's/^> //p'
}

claim_a_bless_of_a_subset_leaves_all_other_rows_byte_equal() {
    blessed_run
    cp "$golden" good.csv
    forge all busy_math 1
    run_into 1 out g.yaml
    cp "$golden" before.csv
    bless_it --where "TILE == 16"
    says "4 rows change"
    equal "$(changed_lines | grep -c 'TILE=16 ')" 4
    equal "$(changed_lines | wc -l)" 4
    equal "$(diff good.csv "$golden" | sed -n 's/^> //p' | grep -c 'TILE=32 ')" 4
    run_into 1 out g.yaml
    counted 4 fail
    forge 5 macs 1
    run_into 1 out g.yaml
    cp "$golden" before.csv
    expect 0 bless g.yaml -o out --dry-run
    says "  3 points with "
    says "  1 point with kernel == decode_opt2 and TILE == 32 and S == 64"
    cause=$(sed -n 's/^cause \([12]\): 1 row, .*/\1/p' out.txt)
    bless_it --cause "$cause"
    equal "$(changed_lines | grep -c 'kernel=decode_opt2 G=4 TILE=32 d=64 S=64,')" 1
    equal "$(changed_lines | wc -l)" 1
    refused "--cause: found 7, expected 1 to 1:" bless g.yaml -o out --reason x --yes --cause 7
    run_into 1 out g.yaml
    bless_it
    same good.csv "$golden"
    refused "--cause: found 1, but nothing changes" bless g.yaml -o out --reason x --yes --cause 1
}

claim_a_cause_that_is_not_there_names_those_that_are() {
    run_sweep
    refused "--cause: found 3, expected 1 to 2:" bless g.yaml -o out --reason x --yes --cause 3
    [ ! -e "$golden" ] || fail "blessed"
    refused "  1: 4 rows, decode_opt2: not in the golden yet" bless g.yaml -o out --dry-run --cause 3
    says "  2: 4 rows, decode_opt3: not in the golden yet"
    expect 0 bless g.yaml -o out --dry-run --cause 2
}

# It is no part of a golden: told before the question, kept with the reason, and red afterwards.
claim_a_red_gate_is_told_and_stays_red() {
    run_sweep
    echo 'gates: [{name: few, expr: "decode_opt2.commands < 1"}]' >>g.yaml
    run_into 1 out g.yaml
    expect 0 bless g.yaml -o out --dry-run
    says "note: 4 gate groups of the run are red, and no bless makes a gate green"
    bless_it
    says "note: 4 gate groups of the run are red"
    grep -qx -- '- 4 gate groups of the run are red, and no bless makes a gate green' \
        golden/REASONS.md || fail "not in REASONS.md"
    run_into 1 out g.yaml
    says "golden: 8 match"
    bless_it
    says "note: 4 gate groups"
    sed -i 's/commands < 1/commands > 1/' g.yaml
    run_into 0 out g.yaml
    bless_it
    says_not "note:"
}

claim_new_rows_of_a_subset_stand_in_grid_order_between_rows_that_stay() {
    blessed_run
    cp "$golden" before.csv
    sed -i 's/TILE: \[16, 32\]/TILE: [16, 24, 32, 48]/' g.yaml
    run_into 4 out g.yaml
    bless_it --where "TILE == 24"
    equal "$(changed_lines | grep -c 'TILE=24 ')" 4
    equal "$(changed_lines | grep -vc 'TILE=24 \|^end,')" 0
    equal "$(sed -n 's/.* \(TILE=[0-9]*\) .*/\1/p' "$golden" | uniq | head -n 3 | xargs)" "TILE=16 TILE=24 TILE=32"
    run_into 4 out g.yaml
    says "12 match"
    refused "leaves nothing" bless g.yaml -o out --reason x --yes --where "TILE == 17"
}

claim_rows_vanish_only_with_prune() {
    blessed_run
    cp "$golden" before.csv
    sed -i 's/TILE: \[16, 32\]/TILE: [16]/' g.yaml
    run_into 1 out g.yaml
    says "4 orphan"
    unchanged "4 rows of golden/g.ci.csv would vanish" --yes
    unchanged "--prune takes out every orphan" --yes --prune --where "TILE == 16"
    unchanged "--prune takes out every orphan" --yes --prune --cause 1
    forge 3 busy_math 1
    run_into 1 out g.yaml
    bless_it --where "TILE == 16" # others stay as they are, orphans too
    same before.csv "$golden"
    bless_it --prune
    equal "$(grep -c TILE=32 "$golden" || true)" 0
    run_into 0 out g.yaml
}

claim_a_stale_golden_is_blessed_as_a_whole() {
    blessed_run
    "$(dirname "$JSON_CHECK")/forge_golden" "$golden" defaults math_startup_cycles=8 \
        math_startup_cycles=9 >forged.csv || fail forge
    mv forged.csv "$golden"
    run_into 1 out g.yaml
    unchanged "All of its rows are blessed together" --yes --where "TILE == 16"
    bless_it
    says "stale: the defaults of the model changed"
    run_into 0 out g.yaml
    sed -i 's/^axes:/mode: data\naxes:/' g.yaml
    run_into 1 out g.yaml
    bless_it
    run_into 0 out g.yaml
}

claim_bless_refuses_a_damaged_golden() {
    blessed_run
    sed -i '$d' "$golden"
    unchanged "expected the line 'end'" --yes
}
