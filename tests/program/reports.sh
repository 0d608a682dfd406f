# junit.xml, summary.md, failures/: the same figures as the account, and valid whatever the names.
# shellcheck shell=bash disable=SC2317

# Every outcome: passes, fails, infeasible, expected to fail, expected and passing, errors.
all_outcomes() {
    sweep all <<'END'
golden: none
mode: data
axes:
  kernel: [decode_opt2, decode_opt3]
  TILE: [16, 65536]
  max_composite_logical_bytes: [39, 1024]
  dist: [normal, large]
  S: [64, 100]
set: {d: 16, G: 2}
expect:
  - {when: "dist == large and S == 64", why: "known <&> \"bug\" ]]>"}
gates:
  - {name: ratio, expr: "decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile > 5", when: "dist == normal and S == 100 and max_composite_logical_bytes == 1024 and TILE == 16"}
END
}

claim_junit_counts_what_the_account_counts() {
    all_outcomes
    run_into 1 out all.yaml
    count() { xml out/junit.xml "string(//testsuite[@name='all.ci']/@$1)"; }
    planned=$(sed -nE 's/^points: planned ([0-9]+) .*/\1/p' out.txt)
    equal "$(count tests)" "$planned"
    equal "$(xml out/junit.xml "count(//testsuite[@name='all.ci']/testcase)")" "$planned"
    verdicts() { column out/points.csv verdict | grep -cxE "$1" || true; }
    equal "$(count failures)" "$(xml out/junit.xml "count(//testsuite[@name='all.ci']//failure)")"
    equal "$(count errors)" "$(xml out/junit.xml "count(//testsuite[@name='all.ci']//error)")"
    equal "$(count skipped)" "$(xml out/junit.xml "count(//testsuite[@name='all.ci']//skipped)")"
    equal "$(count errors)" "$(verdicts error)"
    equal "$(xml out/junit.xml "count(//testsuite[@name='all.ci']/testcase[not(*)])")" "$(verdicts pass)"
    red=$(sed -nE 's/^red in all.ci: ([0-9]+) points,.*/\1/p' out.txt)
    equal "$(($(count failures) + $(count errors)))" "$red"
    equal "$(xml out/junit.xml "string(//testsuite[@name='all.ci gates']/@tests)")" 1
    equal "$(xml out/junit.xml "string(//testsuite[@name='all.ci gates']/@failures)")" 1
}

claim_a_failure_in_junit_has_the_command_that_reproduces_it() {
    all_outcomes
    run_into 1 out all.yaml
    xml out/junit.xml "string(//failure[contains(@message, 'nonfinite')])" >text
    grep -q "kernsweep show 'kernel=decode_opt2 G=2 TILE=16 d=16 S=100 dist=large' --tensors tensors" text ||
        fail "no command in junit.xml"
    xml out/junit.xml "string(//skipped[contains(@message, 'xfail')]/@message)" >text
    grep -qF 'xfail: nonfinite' text || fail "no reason"
    grep -qF '(known <&> "bug" ]]>)' text || fail "the rule's words are other ones: $(cat text)"
}

# CASES: control characters, U+FFFE, a lone surrogate, bytes that are not UTF-8, the end of CDATA.
claim_junit_is_xml_whatever_the_names() {
    all_outcomes
    for name in 'a b' "it's" '"q"' 'a<b>&c]]>' $'new\nline' ünï $'inv\xff' $'esc\x1b[31m' $'\xed\xa0\x80' \
        $'\xef\xbf\xbe' -dash; do
        cp all.yaml "./$name.yaml"
        ks run -o "./out" --set dist=large --set S=100 --where 'TILE == 16' -- "$name.yaml"
        equal "$name: $code" "$name: 1"
        check_folder ./out
        rm -r out
    done
    for why in '\e[31m' '\x01' '\u0085' '\uFFFE' '\0'; do
        sed "s/why: .*}/why: \"a${why}b\"}/" all.yaml >why.yaml
        ks run why.yaml -o out
        [ "$code" = 2 ] || check_folder out # refused, or harmless
        rm -rf out
    done
}

claim_passing_points_above_ten_thousand_are_counted() {
    many m 10300
    run_into 0 out m.yaml
    equal "$(xml out/junit.xml 'string(//testsuite/@tests)')" 10300
    equal "$(xml out/junit.xml 'count(//testcase)')" 10001
    equal "$(xml out/junit.xml 'string(//testcase[last()]/@name)')" "300 more passed"
}

claim_reports_are_the_same_for_any_number_of_threads() {
    all_outcomes
    run_into 1 a all.yaml -j 1
    run_into 1 b all.yaml -j 8
    rm a/run.json b/run.json
    diff -r a b >differences || fail "$(head -n 5 differences)"
}

claim_several_sweeps_have_one_junit_and_one_summary() {
    t_sweep
    all_outcomes
    expect 1 run t.yaml all.yaml
    is_xml reports/junit.xml
    equal "$(xml reports/junit.xml 'count(//testsuite)')" 4 # each with its gates
    equal "$(xml reports/junit.xml 'string(//testsuite[1]/@name)')" t.ci
    equal "$(head -n 1 reports/summary.md)" "# 2 sweeps: exit 1, a check failed"
    grep -qx '## t.ci: exit 0, clean' reports/summary.md || fail "no t.ci"
    grep -qx '## all.ci: exit 1, a check failed' reports/summary.md || fail "no all.ci"
}

claim_a_summary_says_the_account_the_causes_and_why() {
    all_outcomes
    run_into 1 out all.yaml
    equal "$(head -n 1 out/summary.md)" "# all.ci: exit 1, a check failed"
    grep -qxF "$(grep '^points: planned' out.txt)" out/summary.md || fail "no account"
    grep -q '^### 1\. ' out/summary.md || fail "no cause"
    grep -qF '   the rule says: known <&> "bug" ]]>' out/summary.md || fail "no why"
    grep -q 'gate ratio at ' out/summary.md || fail "no gate"
    ! grep -qE '[0-9] s$|threads' out/summary.md || fail "a clock reading"
    t_sweep
    run_into 0 clean t.yaml
    equal "$(head -n 1 clean/summary.md)" "# t.ci: exit 0, clean"
    ! grep -q 'Red' clean/summary.md || fail "red where nothing is"
}

claim_failures_hold_the_op_log_the_difference_and_the_command() {
    all_outcomes
    run_into 1 out all.yaml --where 'TILE == 16 and S == 100'
    id=$(awk -F, '$2 == "fail" { print $1; exit }' out/points.csv)
    equal "$(ls "out/failures/$id" | paste -sd ' ')" "diff.txt op_log.csv reproduce.sh"
    grep -q '^verdict: fail, nonfinite count=' "out/failures/$id/diff.txt" || fail "no verdict"
    key=$(sed -n 's/^point: //p' "out/failures/$id/diff.txt")
    cp "out/failures/$id/op_log.csv" kept.csv
    expect 0 show "$key" --oplog
    same out.txt kept.csv
    eval "$(sed -n 's/^kernsweep/expect 1/p' "out/failures/$id/reproduce.sh")"
    says nonfinite
}

claim_failures_have_a_cap_that_is_counted_and_each_cause_its_smallest() {
    many m 300
    cat >>m.yaml <<END
expect:
  - {when: "seed == 299", why: late}
  - {when: "seed < 200", why: many}
END
    run_into 1 out m.yaml
    equal "$(find out/failures -mindepth 1 -maxdepth 1 | wc -l)" 20
    says "failures/ holds 20 red points, and 180 more are not stored."
    grep -qF "failures/ holds 20 red points, and 180 more are not stored." out/summary.md || fail "not in summary.md"
    grep -lq 'the rule says: late' out/failures/*/diff.txt || fail "no point of the small cause"
    [ -z "$(find out/failures -name op_log.csv)" ] || fail "an op_log in mode dispatch"
    run_into 0 clean m.yaml --where 'seed > 299'
    [ ! -e clean/failures ] || fail "failures where nothing failed"
}

claim_fail_fast_counts_what_did_not_run_in_junit_too() {
    many m 3000
    printf 'expect:\n  - {when: "seed == 50", why: x}\n' >>m.yaml
    expect 1 run m.yaml -o out --fail-fast
    is_xml out/junit.xml
    equal "$(xml out/junit.xml 'string(//testsuite/@tests)')" 3000
    ran=$(($(wc -l <out/points.csv) - 1))
    equal "$(xml out/junit.xml 'string(//testsuite/@skipped)')" $((3000 - ran))
}

# What rules say reaches summary and junit, escaped, and never a cell.
claim_every_why_of_a_rule_reaches_summary_and_junit() {
    all_outcomes
    printf 'exclude:\n  - {when: "S == 64 and TILE == 65536", why: %s}\n' "'a, \"b\" =c <d>'" >>all.yaml
    run_into 1 out all.yaml
    xfail=$(column out/points.csv verdict | grep -cx xfail)
    grep -qF -- "- $xfail points xfail, as a rule expects: known \\<\\&\\> \"bug\" \\]\\]\\>" out/summary.md ||
        fail "no xfail: $(grep '^- ' out/summary.md)"
    grep -qF -- '- 8 points excluded: a, "b" =c \<d\>' out/summary.md || fail "no exclude"
    equal "$(xml out/junit.xml 'string(//property[@name="excluded 8 points"]/@value)')" 'a, "b" =c <d>'
    ! grep -q '=c' out/*.csv || fail "a why in a cell"
}

# A report is read by somebody who does not know where the run was: goldens are those of the project,
# and the same bytes wherever it was started. What is printed can be opened from here.
claim_a_report_names_a_golden_by_its_place_in_the_project() {
    local hostile=$'it\'s `a` <b> \033[1m\n# project'
    mkdir -p home/sweeps
    cd home
    blessed_sweep
    mv g.yaml models.yaml sweeps
    sed -i 's/TILE: \[16, 32, 65536\]/TILE: [16, 65536]/' sweeps/g.yaml
    run_into 1 out sweeps/g.yaml
    grep -q '^  orphan: golden/g.ci.csv:8: .* is no point of sweeps/g.yaml$' out/summary.md ||
        fail "no orphan"
    cd ..
    run_into 1 out home/sweeps/g.yaml
    says "orphan: home/golden/g.ci.csv:8: "
    same out/summary.md home/out/summary.md
    same out/junit.xml home/out/junit.xml
    (cd home/sweeps && run_into 1 out g.yaml && says "orphan: ./../golden/g.ci.csv:8: ") || exit 1
    grep -q '^golden file: golden/g.ci.csv, 20 rows' home/sweeps/out/summary.md || fail "another name"
    mv home "$hostile"
    run_into 1 again "$PWD/$hostile/sweeps/g.yaml"
    same again/summary.md out/summary.md
    same again/junit.xml out/junit.xml
}
