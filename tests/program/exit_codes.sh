# Exit codes of run and show, one class after the other.
# shellcheck shell=bash disable=SC2317

claim_a_sweep_that_wants_no_golden_and_holds_is_0() {
    t_sweep
    run_into 0 out t.yaml
    says "verdict: exit 0, clean"
    counted 6 pass
}

claim_a_golden_that_is_wanted_and_missing_is_4() {
    t_sweep
    sed -i '/^golden:/d' t.yaml
    run_into 4 out t.yaml
    equal "$(cells out/points.csv golden)" "new new new new new new"
    run_into 0 ignored t.yaml --golden ignore
    equal "$(cells ignored/points.csv golden)" "none none none none none none"
}

claim_a_golden_that_is_required_of_a_sweep_that_wants_none_is_2() {
    t_sweep
    refused "t.yaml:3:9: found golden: none, and --golden require" run t.yaml -o out --golden require
    sed 's/^sweep: t/sweep: u/; /^golden:/d' t.yaml >u.yaml
    refused "t.yaml:3:9: found golden: none" run u.yaml t.yaml -o out --golden require
    [ ! -e out ] && [ ! -e out.part ] || fail "it ran"
    run_into 0 out t.yaml --golden check
}

# One check of the four is enough for `clean`; each is taken away and given back.
claim_a_run_that_compares_nothing_is_not_called_clean() {
    local bare="nothing failed, but no golden, gate, number or op_log was checked"
    many m 2
    run_into 0 out m.yaml
    says "verdict: exit 0, $bare"
    equal "$(head -n 1 out/summary.md)" "# m.ci: exit 0, $bare"
    sed 's/^sweep: m/sweep: timing/; s/^mode: .*/mode: timing/' m.yaml >timing.yaml
    expect 0 run timing.yaml m.yaml -o both -q
    equal "$(cat out.txt)" "verdict: exit 0, $bare in m.ci"
    run_into 0 out timing.yaml
    says "exit 0, clean"
    run_into 0 out timing.yaml --oplog none
    says "exit 0, $bare"
    sed 's/^mode: .*/mode: data/' m.yaml >data.yaml
    run_into 0 out data.yaml --oplog none
    says "exit 0, clean"
    { cat m.yaml; echo 'gates: [{name: few, expr: "decode_opt2.commands < 100"}]'; } >gate.yaml
    run_into 0 out gate.yaml
    says "exit 0, clean"
    sed 's/^sweep: m/sweep: g/; /^golden:/d' m.yaml >g.yaml
    run_into 4 out g.yaml
    bless g.yaml -o out
    run_into 0 out g.yaml
    says "exit 0, clean"
    run_into 0 out g.yaml --golden ignore
    says "exit 0, $bare"
}

claim_a_gate_that_fails_or_cannot_be_asked_is_1() {
    t_sweep
    sed 's/ > 2"/ > 5"/' t.yaml >no.yaml
    run_into 1 no no.yaml
    equal "$(cells no/gates.csv passed)" "no no no"
    says "gate ratio at TILE=16: 4.088057901085645 > 5 is no"
    run_into 1 doubt t.yaml --set dispatch_fixed_cycles=0 --set dispatch_cycles_per_byte=0
    equal "$(cells doubt/gates.csv passed)" "doubt doubt doubt"
    equal "$(cells doubt/gates.csv value)" "  "
    says_not nan
    ! grep -i nan doubt/*.csv || fail "nan in a CSV"
}

claim_a_gate_expected_to_fail_is_0_where_it_does_and_1_where_not() {
    t_sweep
    sed 's/ > 2"/ > 5", expect: fail, why: because/' t.yaml >no.yaml
    run_into 0 no no.yaml
    equal "$(cells no/gates.csv passed)" "no no no"
    sed 's/ > 2"/ > 2", expect: fail, why: because/' t.yaml >yes.yaml
    run_into 1 yes yes.yaml
    equal "$(cells yes/gates.csv passed)" "yes yes yes"
}

claim_a_gate_that_no_group_was_asked_is_1() {
    t_sweep
    sed -i 's/ > 2"/ > 2", when: "TILE == 17"/' t.yaml
    run_into 1 out t.yaml
    says "no group was asked"
}

large_sweep() {
    sweep large <<END
golden: none
mode: data
axes:
  kernel: [decode_opt2]
  dist: [normal, large]
set: {S: 64, d: 16, G: 2, TILE: 16}
$1
END
}

claim_a_point_that_fails_is_1_and_says_how_to_see_it() {
    large_sweep ""
    run_into 1 out large.yaml
    counted 1 pass
    counted 1 fail
    equal "$(cells out/points.csv verdict)" "pass fail"
    equal "$(cells out/points.csv invariants)" "ok numeric"
    [[ $(cells out/points.csv reason) =~ ^\ nonfinite\ count=[1-9][0-9]*$ ]] || fail "its reason"
    says "kernsweep show 'kernel=decode_opt2 G=2 TILE=16 d=16 S=64 dist=large'"
    says "verdict: exit 1"
    line=$(grep -o "kernsweep show .*" out.txt | head -n 1)
    eval "expect 1 ${line#kernsweep }"
    says nonfinite
}

# Beyond the tolerance of its sweep, which a KEY does not hold.
claim_the_line_that_a_failure_prints_reproduces_it() {
    large_sweep 'tolerance: {f16: 1e-9}'
    run_into 1 out large.yaml --where "dist == normal"
    says "tolerance err="
    line=$(grep -o "kernsweep [rs][uh].*" out.txt | head -n 1)
    [ -n "$line" ] || fail "no line that reproduces it"
    eval "expect 1 ${line#kernsweep }"
    says "tolerance err="
}

claim_a_point_that_fails_as_expected_is_0() {
    large_sweep 'expect:
  - {when: "dist == large", why: beyond f16}'
    run_into 0 out large.yaml
    equal "$(cells out/points.csv verdict)" "pass xfail"
}

claim_an_unexpected_pass_is_1() {
    large_sweep 'expect:
  - {when: "true_ == true_", why: x}'
    sed -i 's/true_ == true_/S == 64/' large.yaml
    run_into 1 out large.yaml
    equal "$(cells out/points.csv verdict)" "xpass xfail"
    says xpass
}

claim_an_error_is_1_unless_a_rule_expects_it() {
    t_sweep
    run_into 1 out t.yaml --set max_composite_logical_bytes=39,1024 --where "TILE == 16"
    equal "$(cells out/points.csv verdict)" "error pass error pass"
    says "op_over_cap bytes=40 cap=39"
    cat >>t.yaml <<END
expect:
  - {when: "max_composite_logical_bytes == 39", verdict: error, why: x}
END
    run_into 0 expected t.yaml --set max_composite_logical_bytes=39,1024 --where "TILE == 16"
    equal "$(cells expected/points.csv verdict)" "error pass error pass"
}

claim_infeasible_is_not_red_by_itself() {
    many m 1
    run_into 0 out m.yaml --set TILE=16,65536
    equal "$(cells out/points.csv verdict)" "pass infeasible"
    equal "$(cells out/points.csv reason)" " tcm_overflow end=1054848 tcm_bytes=1048576"
}

claim_a_run_in_which_nothing_ran_is_1() {
    many m 3
    run_into 1 out m.yaml --set TILE=65536
    counted 3 infeasible
    cat >>m.yaml <<END
expect:
  - {when: "TILE == 65536", verdict: infeasible, why: x}
END
    run_into 1 expected m.yaml --set TILE=65536
}

claim_an_infeasible_point_that_another_rule_sees_fail_is_1() {
    many m 1
    cat >>m.yaml <<END
expect:
  - {when: "TILE == 65536", verdict: doubt, why: x}
END
    run_into 1 out m.yaml --set TILE=16,65536
}

claim_failures_are_not_counted_into_the_exit_code() {
    for count in 255 256 257 512; do
        many "m$count" "$count"
        printf 'expect:\n  - {when: "S == 64", why: x}\n' >>"m$count.yaml"
        run_into 1 "out$count" "m$count.yaml"
        counted "$count" xpass
        says "red in m$count.ci: $count points, 1 cause"
        says "all $count points"
    done
}

claim_fail_fast_is_1_and_counts_what_it_did_not_run() {
    many m 3000
    printf 'expect:\n  - {when: "seed == 50", why: x}\n' >>m.yaml
    expect 1 run m.yaml -o out --fail-fast
    counted 1 xpass
    ran=$(($(wc -l <out/points.csv) - 1))
    [ "$ran" -ge 50 ] && [ "$ran" -lt 500 ] || fail "ran $ran points"
    counted $((3000 - ran)) not_run
}

# Red by a point or by a gate: sweeps after it do not run, are told and counted, and leave no older
# report in their place.
claim_fail_fast_ends_the_sweeps_that_follow() {
    t_sweep
    sed 's/^sweep: t/sweep: u/' t.yaml >u.yaml
    sed 's/^sweep: t/sweep: gate/; s/ > 2"/ > 5"/' t.yaml >gate.yaml
    many point 1
    printf 'expect:\n  - {when: "S == 64", why: x}\n' >>point.yaml
    expect 0 run t.yaml u.yaml -o out --fail-fast
    says "verdict: exit 0, clean"
    for red in gate point; do
        expect 1 run $red.yaml t.yaml u.yaml -o out
        says_not fail-fast
        expect 1 run t.yaml $red.yaml u.yaml -o out --fail-fast -q
        says "verdict: exit 1, a check failed; --fail-fast, not run: 1 of 3 sweeps, u.ci"
        expect 1 run $red.yaml t.yaml u.yaml -o out --fail-fast
        says "verdict: exit 1, a check failed; --fail-fast, not run: 2 of 3 sweeps, t.ci, u.ci"
        equal "$(grep -c 'planned 6 = 0 pass.* 6 not_run$' out.txt)" 2
        says_not "red in t.ci"
        check_folder out/u.ci
        equal "$(wc -l <out/u.ci/points.csv)" 1
        grep -qx '## u.ci: exit 1, not run: --fail-fast, and a sweep before it is red' out/summary.md ||
            fail "no u.ci in summary.md"
        equal "$(xml out/junit.xml 'string(//testsuite[@name="u.ci"]/@skipped)')" 6
    done
    sed '/^golden:/d' t.yaml >t4.yaml
    expect 4 run t4.yaml u.yaml -o out --fail-fast # a missing golden is no failure
    says "golden: 6 none"
    says_not "not run:"
}

claim_the_worst_of_several_sweeps_is_the_exit_code() {
    t_sweep
    sed 's/^sweep: t/sweep: u/; /^golden:/d' t.yaml >u.yaml
    sed 's/^sweep: t/sweep: v/; s/ > 2"/ > 5"/' t.yaml >v.yaml
    expect 0 run t.yaml -o a
    expect 4 run t.yaml u.yaml -o b
    expect 1 run u.yaml v.yaml t.yaml -o c
    expect 2 run t.yaml v.yaml missing.yaml -o d
    [ ! -e d ] || fail "ran though a sweep is wrong"
}

claim_quiet_says_what_is_red_and_the_verdict_only() {
    t_sweep
    expect 0 run t.yaml -o a -q
    equal "$(cat out.txt err.txt)" "verdict: exit 0, clean"
    sed -i 's/ > 2"/ > 5"/' t.yaml
    expect 1 run t.yaml -o a -q
    says "gate ratio at TILE=16"
    says "verdict: exit 1"
    says_not planned
}

claim_verbose_says_every_point_in_grid_order_and_every_gate() {
    t_sweep
    expect 0 list t.yaml --points
    cp out.txt keys
    expect 0 run t.yaml -o a -v -j 2
    sed -n 's/^pass \{7\}\(.*\): [0-9.]* cycles, bound by [a-z_]*$/\1/p' out.txt >said
    same keys said
    says "gate ratio at TILE=16: 4.088057901085645 > 2 is yes"
    says "verdict: exit 0"
    [ ! -s err.txt ] || fail "progress besides"
    expect 0 run t.yaml -o b -j 1
    says_not "pass       kernel"
    same_reports a b
    says ", 1 thread, "
    expect 0 run t.yaml -o c --where 'kernel == decode_opt2 and TILE == 16'
    says "points: planned 1 = 1 pass"
}

# The group's points, whatever else the sweep and the options ask for.
claim_the_line_that_a_red_gate_prints_asks_it_again() {
    t_sweep
    sed -i 's/ > 2"/ > 5"/' t.yaml
    expect 1 run t.yaml -o a --where "G == 8" --set policy=rw_aware
    line=$(grep -A 1 "gate ratio at TILE=64" out.txt | tail -n 1)
    case $line in *"--where \"(G == 8) and (TILE == 64)\""*) ;; *) fail "$line" ;; esac
    red=$(grep "gate ratio at TILE=64" out.txt)
    eval "expect 1 ${line#*kernsweep }"
    grep -qxF -- "$red" out.txt || fail "does not say it again"
    equal "$(cells reports/again/points.csv TILE)" "64 64"
    equal "$(cells reports/again/points.csv policy)" "rw_aware rw_aware"
    expect 1 run t.yaml -o b --where "policy == 'strict_fifo'"
    line=$(grep -A 1 "gate ratio at TILE=16" out.txt | tail -n 1)
    eval "expect 1 ${line#*kernsweep }"
    ks run - -o c <t.yaml
    says "kernsweep run - --where \"TILE == 16\" -o reports/again <SWEEP"
}

claim_show_of_an_infeasible_point_is_0_of_an_error_1() {
    expect 0 show 'kernel=decode_opt2 G=8 TILE=65536 d=128 S=64'
    says "infeasible: tcm_overflow end=1054848 tcm_bytes=1048576"
    expect 0 show 'kernel=decode_opt3 G=8 TILE=16 d=128 S=64 s_buffers=1' --oplog
    says "s_buffers have=1 need=2"
    expect 1 show 'kernel=decode_opt2 G=8 TILE=16 d=128 S=64 max_composite_logical_bytes=1'
    says "error: op_over_cap bytes=28 cap=1"
}

claim_a_gate_with_sides_beyond_any_double_does_not_end_in_a_signal() {
    t_sweep
    sides=decode_opt2.macs
    for _ in {1..79}; do sides="$sides * decode_opt2.macs"; done
    sed -i "s|expr: .*|expr: \"$sides > 1\"}|" t.yaml
    ks run t.yaml -o out
    [ "$code" -le 4 ] || fail "exit code $code"
    ! grep -iE 'inf|nan' out/gates.csv || fail "no number in gates.csv"
}
