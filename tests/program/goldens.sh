# Goldens in a run: nothing that is wrong with one ends with exit code 0.
# shellcheck shell=bash disable=SC2317,SC2154

claim_a_golden_that_matches_is_0_and_says_how_many() {
    blessed_sweep
    says "golden: 20 match"
    says "golden file: golden/g.ci.csv, 20 rows"
    equal "$(column out/points.csv golden | sort -u)" match
    grep -qE '"golden": "[0-9a-f]{32}"' out/run.json || fail "no digest of the golden in run.json"
}

# ---- missing ----

claim_no_golden_is_4_and_1_where_it_is_required() {
    golden_sweep
    run_into 4 out g.yaml
    says "golden: 20 new"
    says "golden file: none at golden/g.ci.csv"
    says "golden: nothing was compared"
    run_into 1 out g.yaml --golden require
    says "--golden require, and 20 points have no golden: there is no file"
    run_into 0 out g.yaml --golden ignore
    equal "$(column out/points.csv golden | sort -u)" none
}

claim_a_point_that_the_golden_lacks_is_4_and_1_where_it_is_required() {
    blessed_sweep
    sed -i 's/S: \[64, /S: [64, 65, /' g.yaml
    run_into 4 out g.yaml
    says "20 match"
    run_into 1 out g.yaml --golden require
    says "points have no golden"
    run_into 0 out g.yaml --golden require --where "S != 65"
}

claim_a_run_that_compares_nothing_is_never_0() {
    blessed_sweep
    run_into 4 out g.yaml --set TILE=48
    says "golden: nothing was compared"
    equal "$(column out/points.csv golden | sort -u)" none
    refused "leaves nothing of 36 points" run g.yaml -o out --where "TILE == 17"
    code=0
    "$KERNSWEEP" run - -o out <g.yaml >out.txt 2>err.txt || code=$?
    equal "$code" 4
    says "standard input has none"
    mv "$golden" aside.csv
    run_into 4 out g.yaml
}

claim_a_golden_that_the_sweep_does_not_want_is_told() {
    blessed_sweep
    echo 'golden: none' >>g.yaml
    run_into 0 out g.yaml
    says "note: golden/g.ci.csv is there, but g.yaml:$(wc -l <g.yaml) says golden: none"
    grep -q '^note: golden/g.ci.csv is there' out/summary.md || fail "not in summary.md"
    mv "$golden" aside.csv
    run_into 0 out g.yaml
    says_not "note:"
}

# ---- orphans ----

claim_an_orphan_is_1_and_named_and_a_subset_makes_none() {
    blessed_sweep
    run_into 0 out g.yaml --where "TILE == 16"
    says "golden: 10 match"
    sed -i 's/TILE: \[16, 32, 65536\]/TILE: [16, 65536]/' g.yaml
    run_into 1 out g.yaml
    says "orphan: golden/g.ci.csv:8: kernel=decode_opt2 G=4 TILE=32 d=64 S=64 is no point of g.yaml"
    says "12 match; 8 orphan"
    run_into 1 out g.yaml --where "TILE == 16"
    says "10 match; 8 orphan"
    run_into 1 out g.yaml --set TILE=16
    says "10 match; 8 orphan"
    run_into 0 out g.yaml --golden ignore
}

claim_a_kernel_that_is_left_out_leaves_orphans() {
    blessed_sweep
    sed -i 's/kernel: \[decode_opt2, decode_opt3\]/kernel: [decode_opt2]/' g.yaml
    run_into 1 out g.yaml
    says "10 match; 10 orphan"
}

claim_another_calibration_orphans_every_row_and_says_so() {
    blessed_sweep
    mkdir calibration
    echo 'constants: {math_lanes: 32}' >calibration/slow.yaml
    echo 'calibration: slow' >>g.yaml
    run_into 1 out g.yaml
    says "no row of the golden is a point any more"
    says "and 10 more orphans"
}

claim_with_set_only_points_that_the_golden_has_are_compared() {
    blessed_sweep
    run_into 0 out g.yaml --set TILE=16,48
    says "golden: with --set only points that it has are compared: 10 of 22"
    run_into 1 out g.yaml --set TILE=16,48 --golden require
    run_into 0 out g.yaml --set seed=1
    says "compared: 20 of 20"
}

# ---- what moved ----

claim_a_figure_that_moved_is_1_and_the_line_that_it_prints_shows_it_again() {
    blessed_sweep
    forge 4 total_cycles 1234.5
    run_into 1 out g.yaml
    counted 1 fail
    says "golden: 19 match + 1 mismatch"
    says "fail, golden columns=1"
    says "golden: pass; total_cycles 1234.5 -> "
    equal "$(column out/points.csv reason | sort | uniq -c | sed 's/^ *//' | tail -n 1)" \
        "2 tcm_overflow end=1050240 tcm_bytes=1048576"
    equal "$(grep -c 'fail,golden columns=1,' out/points.csv)" 1
    line=$(grep -o "kernsweep run .*" out.txt | head -n 1)
    eval "expect 1 ${line#kernsweep }"
    says "golden columns=1"
    says "planned 1 "
}

claim_every_column_is_compared() {
    blessed_sweep
    cp "$golden" blessed.csv
    local name value
    for name in $(sed -n 2p blessed.csv | tr , ' '); do
        value=7
        case $name in
            KEY | check) continue ;;
            verdict) value=fail ;;
            reason) value="x=1" ;;
            oplog_xxh128) value=00000000000000000000000000000000 ;;
            oplog_records) continue ;; # blocks tell how many they are
            bound_by) value=fetch ;;
            blocks) value=$(sed -n 4p blessed.csv | awk -F, '{ print $(NF - 1) }' | tr '0-9a-f' '1-9a-f0') ;;
        esac
        cp blessed.csv "$golden"
        forge 4 "$name" "$value"
        expect 1 run g.yaml -o "out.$name"
        counted 1 fail
        says "fail, golden columns=1"
    done
}

claim_a_changed_op_log_is_placed_by_its_blocks() {
    blessed_sweep
    local blocks
    blocks=$(sed -n 4p "$golden" | awk -F, '{ print $(NF - 1) }')
    [ ${#blocks} -ge 8 ] || fail "one block: $blocks"
    forge 4 blocks "${blocks:0:4}$(tr '0-9a-f' '1-9a-f0' <<<"${blocks:4:4}")${blocks:8}"
    run_into 1 out g.yaml
    says "op_log first in rows 64 to 127"
}

claim_a_point_that_the_golden_says_runs_is_red_when_it_is_infeasible() {
    blessed_sweep
    local line
    line=$(grep -n 'TILE=65536' "$golden" | head -n 1 | cut -d : -f 1)
    forge "$line" verdict pass
    run_into 1 out g.yaml
    counted 2 infeasible
    counted 0 fail
    says "infeasible, tcm_overflow"
    says "19 match + 1 mismatch"
    cat >>g.yaml <<END
expect:
  - {when: "TILE == 65536", verdict: infeasible, why: too large}
END
    run_into 1 out g.yaml # no rule excuses it
}

claim_a_point_that_the_golden_says_is_infeasible_is_red_when_it_runs() {
    blessed_sweep
    forge 4 verdict infeasible
    run_into 1 out g.yaml
    counted 1 fail
    says "golden: infeasible"
}

claim_an_infeasible_point_is_pinned_with_its_numbers() {
    blessed_sweep
    grep -q 'TILE=65536 d=64 S=64,infeasible,tcm_overflow end=1050240 tcm_bytes=1048576,,' "$golden" ||
        fail "no such row"
    local line
    line=$(grep -n 'TILE=65536' "$golden" | head -n 1 | cut -d : -f 1)
    forge "$line" reason "tcm_overflow end=1050177 tcm_bytes=1048576"
    run_into 1 out g.yaml
    says "19 match + 1 mismatch"
}

claim_a_rule_that_expects_failure_does_not_excuse_a_golden() {
    sweep g <<END
mode: data
axes:
  kernel: [decode_opt2]
  dist: [normal, large]
set: {S: 64, d: 16, G: 2, TILE: 16}
expect:
  - {when: "dist == large", why: beyond f16}
END
    run_into 4 out g.yaml
    bless g.yaml -o out
    run_into 0 out g.yaml
    equal "$(cells out/points.csv verdict)" "pass xfail"
    forge 4 nonfinite 1
    run_into 1 out g.yaml
    equal "$(cells out/points.csv verdict)" "pass fail"
    equal "$(cells out/points.csv golden)" "match mismatch"
}

claim_256_and_512_points_that_moved_are_1() {
    for count in 256 512; do
        sweep g <<END
mode: dispatch
axes:
  kernel: [decode_opt2]
  seed: {range: [1, $count, 1]}
set: {S: 64, d: 128, G: 8, TILE: 16}
END
        rm -rf golden out
        run_into 4 out g.yaml
        bless g.yaml -o out
        run_into 0 out g.yaml
        local header
        header=$(sed -n 2p "$golden")
        "$(dirname "$JSON_CHECK")/forge_golden" "$golden" all commands 7 >forged.csv || fail forge
        mv forged.csv "$golden"
        equal "$(sed -n 2p "$golden")" "$header"
        run_into 1 out g.yaml
        counted "$count" fail
        says "golden: $count mismatch"
        says "red in g.ci: $count points, 1 cause"
    done
}

claim_without_op_logs_all_else_is_compared_and_it_is_said() {
    blessed_sweep
    run_into 0 out g.yaml --oplog none
    says "golden: op_logs are not compared, this run makes none"
    says "golden: 20 match"
    forge 4 busy_math 1
    run_into 1 out g.yaml --oplog none
}

# ---- stale ----

claim_a_golden_of_another_mode_is_stale_and_1() {
    blessed_sweep
    echo 'mode: dispatch' >>g.yaml
    run_into 1 out g.yaml
    says "stale: golden/g.ci.csv:1: its mode changed: it was blessed with 'timing', now it is 'dispatch'"
    says "golden: 20 new; stale"
}

claim_a_golden_of_other_defaults_is_stale_and_says_which() {
    blessed_sweep
    # As a program with another default would have written the first line.
    "$(dirname "$JSON_CHECK")/forge_golden" "$golden" defaults math_startup_cycles=8 \
        math_startup_cycles=9 >forged.csv || fail forge
    mv forged.csv "$golden"
    run_into 1 out g.yaml
    says "the defaults of the model changed: it was blessed with 'math_startup_cycles=9', this program has 'math_startup_cycles=8'"
    says_not "orphan"
    says_not "mismatch"
}

claim_the_golden_of_another_sweep_is_2() {
    blessed_sweep
    sed 's/^sweep: g/sweep: h/' g.yaml >h.yaml
    cp "$golden" golden/h.ci.csv
    refused "golden/h.ci.csv:1: found the golden of 'g.ci', expected that of 'h.ci'" run h.yaml -o out
}
