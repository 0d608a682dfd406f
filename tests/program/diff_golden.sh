# diff of a golden and a report folder; what a run says of points that differ from their golden.
# shellcheck shell=bash disable=SC2317,SC2154

# An op_log that is not the one that this program makes: other digits of its first block's digest.
forge_first_block() {
    local blocks
    blocks=$(sed -n "${1}p" "$golden" | awk -F, '{ print $(NF - 1) }')
    forge "$1" blocks "$(tr '0-9a-f' '1-9a-f0' <<<"${blocks:0:4}")${blocks:4}"
}

# Beside the golden, the op_log of a small point as it was when MATH took a cycle less.
anchor_of() {
    sweep anchor <<END
golden: oplog
oplog: full
axes:
  kernel: [decode_opt2]
set: {S: 20, d: 16, G: 2, TILE: 16}
END
    expect 4 run anchor.yaml -o anchors
    bless anchor.yaml -o anchors
    local id
    id=$(column anchors/points.csv id)
    [ -s "golden/oplog/$id.csv" ] || fail "no golden/oplog/$id.csv"
    expect 0 show 'kernel=decode_opt2 G=2 TILE=16 d=16 S=20 math_startup_cycles=7' --oplog
    cp out.txt "golden/oplog/$id.csv"
}

# A point of decode_opt2 whose golden has another busy_math and another op_log.
spoil_one() {
    local line
    line=$(grep -n 'kernel=decode_opt2' "$golden" | head -n 1 | cut -d: -f1)
    forge "$line" busy_math 1
    forge "$line" oplog_xxh128 00000000000000000000000000000000
    forge_first_block "$line"
}

claim_a_report_that_is_as_its_golden_is_0() {
    blessed_sweep
    expect 0 diff "$golden" out
    says "20 same, 0 changed, 0 only left, 0 only right"
    expect 0 diff out "$golden"
    expect 0 diff "$golden" out --json
    is_json out.txt
}

claim_points_that_a_run_left_out_are_only_left() {
    blessed_sweep
    run_into 0 part g.yaml --where 'TILE == 16'
    expect 1 diff "$golden" part
    says "10 same, 0 changed, 10 only left, 0 only right"
}

claim_a_figure_that_moved_is_told_with_its_block() {
    blessed_sweep
    spoil_one
    run_into 1 out g.yaml
    expect 1 diff "$golden" out
    key=$(grep 'kernel=decode_opt2' "$golden" | head -n 1 | cut -d, -f1)
    says "point: $key"
    grep -qE '^  busy_math +expected 1, got [0-9.]+, \+[0-9.]+$' out.txt || fail "no busy_math"
    says "first divergence: in the op_log's block 0, rows 0 to 63; all rows before are equal. It begins, now:"
    says "          0  0.-1      cpu     DISPATCH  load"
    says "  1 point: the same work takes more busy_math; smallest $key"
    says "not compared, for one side has them nowhere: total_ns"
    [ "$(sed -n '/^point:/,/^moved/p' out.txt | wc -l)" -le 25 ] || fail "more than a screen"
}

claim_an_anchor_says_which_row_moved_first() {
    blessed_sweep
    anchor_of
    spoil_one
    run_into 1 out g.yaml
    says "   anchor: kernel=decode_opt2 G=2 TILE=16 d=16 S=20"
    says "   first divergence, its service changed: row 4: MATH fill on math, cmd 1 stage 0"
    says "compare: kernsweep diff 'golden/g.ci.csv' 'out'"
    grep -lq 'first divergence, its service changed' out/failures/*/diff.txt || fail "not in diff.txt"
    grep -qF 'first divergence, its service changed' out/summary.md || fail "not in summary.md"
    eval "$(sed -n 's/^compare: kernsweep/expect 1/p' out.txt)"
    says "anchor of the same kernel and policy: kernel=decode_opt2 G=2 TILE=16 d=16 S=20"
    says "it takes 9 cycles instead of 8; of the rows of math"
    [ "$(sed -n '/^point:/,/^moved/p' out.txt | wc -l)" -le 25 ] || fail "more than a screen"
}

claim_an_anchor_that_cannot_be_read_is_said_and_fails_nothing_more() {
    blessed_sweep
    anchor_of
    spoil_one
    for file in golden/oplog/*.csv; do sed -i 3d "$file"; done
    run_into 1 out g.yaml
    says "kernsweep: no anchor was asked: golden/oplog/"
    says "compare: kernsweep diff 'golden/g.ci.csv' 'out'"
}

# 20 points, a figure of service of every one: one cause, not twenty.
claim_a_change_of_one_service_is_one_cause() {
    blessed_sweep
    sed -i 's/, 65536\]/]/' g.yaml
    run_into 1 out g.yaml
    bless g.yaml -o out --prune
    forge all busy_math 1
    run_into 1 out g.yaml
    says ", 1 cause"
    says "1. differs from its golden: the same work takes more busy_math"
    expect 1 diff "$golden" out
    equal "$(grep -cE '^  [0-9]+ points?: ' out.txt)" 1
}

claim_what_is_red_about_a_golden_is_in_junit_and_summary() {
    blessed_sweep
    sed -i 's/TILE: \[16, 32, 65536\]/TILE: [16, 65536]/' g.yaml
    run_into 1 out g.yaml
    equal "$(xml out/junit.xml 'count(//testcase[@name="the run as a whole"]/error)')" 1
    xml out/junit.xml 'string(//error)' >text
    grep -q 'orphan: golden/g.ci.csv' text || fail "no orphan in junit.xml"
    grep -q 'orphan: golden/g.ci.csv' out/summary.md || fail "no orphan in summary.md"
}

claim_a_golden_that_is_damaged_is_2() {
    blessed_sweep
    sed -i '4s/,pass,/,fail,/' "$golden"
    refused "golden/g.ci.csv:4:" diff "$golden" out
    refused "golden/g.ci.csv:4:" diff out "$golden"
}
