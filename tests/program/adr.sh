# shellcheck shell=bash
# adr: tables of decision records, rebuilt from stored results; every way in which they rot.

# A sweep, its calibration, and a table of both variants over TILE; made once.
table() {
    mkdir -p calibration
    printf 'constants:\n  dispatch_fixed_cycles: {value: 40, unit: cycle, source: test}\n' >calibration/mine.yaml
    t_sweep
    echo 'calibration: mine' >>t.yaml
    cat >table.yaml <<'YAML'
table: record
about: a test
into: doc/record.md
results: [t.yaml]
gates:
  - {name: G1, text: opt3 over twice opt2,
     expr: "decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile > 2"}
  - {name: G2, text: opt2 ahead at TILE 16, when: "TILE == 16", unit: cycle,
     expr: "decode_opt2.total_cycles < decode_opt3.total_cycles"}
rows: {each: TILE, where: "kernel == decode_opt2"}
columns:
  - {name: total_cycles, title: opt2}
  - {expr: "decode_opt3.total_cycles / total_cycles", title: opt2 over opt3}
findings:
  - {text: opt2 wins at small tiles., gates: [G1, G2]}
also:
  - {title: A2, why: the scheduler would have to know it, dispatch: [[3, 1], [6]]}
YAML
    expect 0 adr table.yaml
    says 'record: simulating 6 points of t.yaml'
    says 'record: 2 gates, 2 PASS'
}

page=doc/record.md

claim_a_table_says_gates_figures_provenance_and_how_to_make_it() {
    table
    grep -qF '| G1 | opt3 over twice opt2: `decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile > 2` | TILE=16 (nearest of 3) | 4.088 | ratio | > 2 | +104.4 % | not studied | PASS |' $page ||
        fail 'G1'
    grep -qF '| 139982.125 | cycle | < 163580.125 | +14.4 % |' $page || fail 'G2'
    grep -qF '| TILE | opt2 [cycle] | opt2 over opt3 |' $page || fail 'heads'
    grep -qF '|--:|--:|--:|' $page || fail 'numbers are set flush right'
    grep -qxF '| 64 | 59078.125 | 1.002 |' $page || fail 'row of TILE 64'
    grep -qxF -- '- opt2 wins at small tiles. (G1, G2)' $page || fail 'finding'
    grep -qF '| A2 | 2 | 108 | 86.75 |' $page || fail 'alternative'
    grep -qF 'calibration `calibration/mine.yaml`' $page || fail 'calibration'
    grep -qF 'dispatch_fixed_cycles 40 cycle, dispatch_cycles_per_byte 0.0625 cycle/byte' $page ||
        fail 'values of the calibration'
    grep -qF '6 points = 6 passed + 0 infeasible + 0 failed + 0 missing' $page || fail 'account'
    grep -qxF '*Regenerate:* `kernsweep adr table.yaml`' $page || fail 'regenerate'
    if grep -qE '20[0-9][0-9]-[01][0-9]' $page; then fail 'a date'; fi
    expect 0 adr table.yaml --check --inputs --verify
    says 'record: verified: 6 points simulated again, 0 differ'
}

claim_it_is_rebuilt_byte_for_byte_without_running() {
    table
    cp $page before.md
    expect 0 adr table.yaml
    says 'doc/record.md is as it was'
    says_not simulating
    same before.md $page
    rm -r doc
    expect 0 adr table.yaml -j 1
    tail -n +3 before.md >wanted.md
    tail -n +3 $page >found.md
    same wanted.md found.md
    expect 0 adr table.yaml --collect -j 3
    says 'is as it was'
}

claim_the_records_that_come_with_the_program_are_what_their_results_give() {
    cd "$SOURCE" || fail "no $SOURCE"
    code=0
    "$KERNSWEEP" adr sweeps/*.table.yaml --check --inputs >"$OLDPWD/out.txt" 2>&1 || code=$?
    cd "$OLDPWD" || fail "no $OLDPWD"
    [ "$code" = 0 ] || fail "exit code $code"
    says 'adr-0065: '
    says_not FAIL
}

# The three ways to rot, one red each, and each its own.
claim_an_edited_digit_is_a_hand_edit() {
    table
    sed -i 's/| 59078.125 |/| 59078.126 |/' $page
    expect 1 adr table.yaml --check
    says 'hand edit'
    says '  found    | 64 | 59078.126 | 1.002 |'
    says '  expected | 64 | 59078.125 | 1.002 |'
    grep -qE 'doc/record.md:[0-9]+: hand edit' out.txt || fail 'no line'
    says_not stale
    says_not missing
    cp $page edited.md
    expect 1 adr table.yaml
    says 'hand edit'
    same edited.md $page
    expect 0 adr table.yaml --force
    expect 0 adr table.yaml --check
}

claim_a_changed_calibration_value_is_stale_not_wrong() {
    table
    sed -i 's/value: 40/value: 39/' calibration/mine.yaml
    expect 0 adr table.yaml --check
    expect 1 adr table.yaml --check --inputs
    says "stale: calibration changed: dispatch_fixed_cycles is '39', was '40' (t.yaml)"
    says_not 'hand edit'
    says_not missing
    expect 0 adr table.yaml
    says 'simulating 6 points'
    grep -qF 'dispatch_fixed_cycles 39 cycle' $page || fail 'the new value'
    expect 0 adr table.yaml --check --inputs
}

claim_a_comment_in_the_calibration_changes_nothing() {
    table
    echo '# measured again' >>calibration/mine.yaml
    expect 0 adr table.yaml --check --inputs
}

claim_a_deleted_result_is_missing_and_never_passes() {
    table
    sed -i '/kernel=decode_opt3 G=8 TILE=64 /d' doc/record.results.csv
    expect 1 adr table.yaml --check
    says 'missing: doc/record.results.csv holds 5 of 6 points of t.yaml'
    says '  kernel=decode_opt3 G=8 TILE=64 d=128 S=4096'
    says_not 'hand edit'
    says_not stale
    rm doc/record.results.csv
    expect 1 adr table.yaml --check
    says 'missing: doc/record.results.csv'
    # what was read from a folder that is gone cannot be had again
    expect 0 run t.yaml -o reports/t
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    expect 0 adr table.yaml
    cp doc/record.results.csv whole.csv
    mv reports gone
    sed -i '/kernel=decode_opt3 G=8 TILE=64 /d' doc/record.results.csv
    expect 3 adr table.yaml
    says 'missing: doc/record.results.csv holds 5 of 6 points of reports/t'
    grep -qF 'INCOMPLETE: a point of the table is missing or failed' $page || fail 'INCOMPLETE'
    if grep -qF '| PASS' $page; then fail 'PASS in a table with a hole'; fi
    grep -qxF -- '- **not known:** opt2 wins at small tiles. (G1, G2)' $page || fail 'finding'
    expect 3 adr table.yaml --check
    mv gone reports
    expect 0 adr table.yaml
    same whole.csv doc/record.results.csv
}

claim_only_what_is_not_stored_is_simulated() {
    table
    study
    expect 0 adr table.yaml
    cp -r doc whole
    sed -i '/TILE=64 /d' doc/record.results.csv
    expect 0 adr table.yaml
    says 'record: simulating 2 of 6 points of t.yaml'
    says_not 'running the study'
    diff -r whole doc || fail 'other results'
    # another study: the points stand; another sweep: the study stands
    sed -i 's/low: 10/low: 11/' ratio.yaml
    expect 0 adr table.yaml
    says 'record: running the study ratio.yaml'
    says_not simulating
    sed 's/^sweep: t.ci/sweep: more.ci/; s/4096/2048/' t.yaml >more.yaml
    sed -i 's/^results: .*/results: [t.yaml, more.yaml]/; s/each: TILE/each: [TILE, S]/' table.yaml
    expect 0 adr table.yaml
    says 'record: simulating 6 points of more.yaml'
    says_not 'of t.yaml'
    says_not 'running the study'
    sed -i 's/2048/1024/' more.yaml
    expect 0 adr table.yaml
    says 'stale: sweep changed: more.yaml'
    says 'record: simulating 6 points of more.yaml'
    says_not 'of t.yaml'
    expect 0 adr table.yaml --check --inputs --verify
    # another program: nothing stands
    sed -i 's/program,kernsweep .*,/program,kernsweep 0.0,/' doc/record.inputs.csv
    reseal doc/record.inputs.csv
    expect 0 adr table.yaml
    says 'simulating 6 points of t.yaml'
    says 'simulating 6 points of more.yaml'
    says 'running the study'
}

claim_a_line_of_a_study_or_an_input_that_is_gone_is_no_better_result() {
    table
    study
    sed -i 's/dispatch_cycles_per_tile/total_cycles/g; s/gate: "> 2"/gate: "> 1"/' ratio.yaml
    sed -i 's/robust: dispatch, //; s/expr: "decode_opt2.total_cycles < decode_opt3.total_cycles"/expr: "decode_opt3.total_cycles \/ decode_opt2.total_cycles > 1"/' table.yaml
    expect 0 run t.yaml -o reports/t --where 'TILE == 16'
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    expect 3 adr table.yaml
    cp -r doc whole
    sed -i 2d doc/record.robustness.csv
    expect 1 adr table.yaml --check
    says 'missing: doc/record.robustness.csv does not hold every line of ratio.yaml'
    expect 3 adr table.yaml
    says 'running the study ratio.yaml'
    diff -r whole doc || fail 'the line is not back'
    for name in where set exit_code; do
        sed -i "/^reports.t,$name,/d" doc/record.inputs.csv
        expect 1 adr table.yaml --check
        says "found no $name of reports/t in the stored inputs"
        expect 1 adr table.yaml
        cp whole/* doc
    done
    expect 3 adr table.yaml --check --inputs
}

claim_a_folder_that_is_gone_stands_beside_a_sweep_that_changed() {
    table
    expect 0 run t.yaml -o reports/t
    sed 's/^sweep: t.ci/sweep: more.ci/; s/4096/2048/' t.yaml >more.yaml
    sed -i 's/^results: .*/results: [reports\/t, more.yaml]/; s/each: TILE/each: [TILE, S]/' table.yaml
    expect 0 adr table.yaml
    rm -r reports
    sed -i 's/2048/1024/' more.yaml
    expect 0 adr table.yaml
    says 'record: simulating 6 points of more.yaml'
    expect 0 adr table.yaml --check --inputs --verify
    refused "found 'reports/t', expected a sweep file or a report folder that is there" adr table.yaml --collect
}

# reseal FILE: as another program, or other inputs, would have stored it.
reseal() {
    "$(dirname "$JSON_CHECK")/reseal" "$1" >resealed.csv || fail "reseal $1"
    mv resealed.csv "$1"
}

claim_a_changed_result_is_told_from_a_hand_edit() {
    table
    sed -i 's/,59078\.125,/,59078.126,/' doc/record.results.csv
    reseal doc/record.results.csv
    expect 1 adr table.yaml --check
    says 'doc/record.results.csv: results changed: '
    says 'drift: the block is not what the stored results give'
    says_not 'hand edit'
    says_not edited
    expect 1 adr table.yaml --verify
    says 'kernel=decode_opt2 G=8 TILE=64 d=128 S=4096: total_cycles: stored 59078.126, simulated 59078.125'
    says '1 differ'
}

# edited FILE SED: one edited digit of what is stored is red with its line, and nothing is made of it.
edited() {
    local line
    cp -r doc sound
    sed -i "$2" "$1"
    line=$(cmp "sound/${1#doc/}" "$1" | grep -o '[0-9]*$' || true)
    [ -n "$line" ] || fail "$2 changes no line of $1"
    cp -r doc before
    for options in '' --check '--check --inputs' --verify; do
        # shellcheck disable=SC2086
        expect 1 adr table.yaml $options
        says "$1:$line: edited: found the check "
        says_not stale
        says_not missing
        says_not 'hand edit'
        diff -r before doc || fail 'something was written'
    done
    rm -r before doc
    mv sound doc
}

claim_an_edited_digit_of_a_stored_file_is_red_with_its_line() {
    table
    study
    expect 0 adr table.yaml
    edited doc/record.results.csv 's/,59078\.125,/,59078.126,/'
    edited doc/record.results.csv '3s/TILE=64/TILE=16/'
    edited doc/record.results.csv '2s/,pass,/,past,/'
    edited doc/record.results.csv '4s/[0-9]$/x/'
    edited doc/record.results.csv '1s/out_xxh128/out_xxh129/'
    edited doc/record.inputs.csv 's/,points,6,/,points,7,/'
    edited doc/record.inputs.csv 's/,dispatch_fixed_cycles,40,/,dispatch_fixed_cycles,41,/'
    edited doc/record.robustness.csv 's/,4\.088/,4.089/'
    edited doc/record.robustness.csv '2s/ 63 / 64 /'
    edited doc/record.robustness.csv '2s/,pass,/,proved-pass,/'
    expect 0 adr table.yaml --check --inputs --verify
    sed -i 's/$/\r/' doc/record.inputs.csv
    refused 'doc/record.inputs.csv:1: found CR' adr table.yaml --check
    sed -i 's/\r$//' doc/record.inputs.csv
    sed -i 's/,59078\.125,/,59078.126,/' doc/record.results.csv
    expect 1 adr table.yaml --verify
    says 'kernel=decode_opt2 G=8 TILE=64 d=128 S=4096: total_cycles: stored 59078.126, simulated 59078.125'
    expect 0 adr table.yaml --collect
    expect 0 adr table.yaml --check --inputs
}

claim_every_group_of_every_gate_is_kept_exactly() {
    table
    grep -qxF 'G1,TILE=64,4.088057901085645,3389/829,>,2,2,PASS' doc/record.gates.csv || fail 'G1 at TILE 64'
    grep -qxF 'G2,TILE=16,139982.125,1119857/8,<,163580.125,1308641/8,PASS' doc/record.gates.csv ||
        fail 'G2'
    equal "$(wc -l <doc/record.gates.csv)" 5
    sed -i 's/3389/3390/' doc/record.gates.csv
    expect 1 adr table.yaml --check
    says 'doc/record.gates.csv:2: drift: it is not what the stored results give'
    says_not 'hand edit'
    rm doc/record.gates.csv
    expect 1 adr table.yaml --check
    says 'doc/record.gates.csv: drift: it is not there'
    expect 0 adr table.yaml
    expect 0 adr table.yaml --check
}

claim_a_changed_sweep_or_program_is_stale() {
    table
    sed -i 's/TILE: \[16, 64, 256\]/TILE: [16, 64]/' t.yaml
    expect 1 adr table.yaml --check --inputs
    says 'stale: sweep changed: t.yaml is not the file that the results were made from'
    sed -i 's/TILE: \[16, 64\]/TILE: [16, 64, 256]/' t.yaml
    expect 0 adr table.yaml --check --inputs
    sed -i 's/program,kernsweep .*,/program,kernsweep 0.0,/' doc/record.inputs.csv
    reseal doc/record.inputs.csv
    expect 1 adr table.yaml --check --inputs
    says "was 'kernsweep 0.0'"
}

claim_a_changed_table_file_is_drift() {
    table
    sed -i 's/> 2"/> 3"/' table.yaml
    expect 1 adr table.yaml --check
    says drift
    says_not 'hand edit'
    expect 0 adr table.yaml
    grep -qF '| > 3 | +36.3 % |' $page || fail 'the new threshold'
}

claim_a_gate_that_fails_is_1_and_its_finding_no_longer_true() {
    table
    sed -i 's/> 2"/> 5"/' table.yaml
    expect 1 adr table.yaml
    says 'G1 FAIL at TILE=16: 4.088 ratio > 5'
    grep -qF '| -18.2 % | not studied | FAIL |' $page || fail 'FAIL'
    grep -qxF -- '- **no longer true:** opt2 wins at small tiles. (G1, G2)' $page || fail 'finding'
    expect 1 adr table.yaml --check
    says 'record: 2 gates, 1 PASS, 1 FAIL'
}

claim_text_outside_of_the_markers_is_kept() {
    table
    { echo 'Before.'; cat $page; printf 'After, without a line feed'; } >with.md
    cp with.md $page
    expect 0 adr table.yaml
    same with.md $page
    sed -i 's/> 2"/> 3"/' table.yaml
    expect 0 adr table.yaml
    [ "$(head -n 1 $page)" = 'Before.' ] || fail 'what stood before'
    [ "$(tail -n 1 $page)" = 'After, without a line feed' ] || fail 'what stood after'
}

claim_errors_of_several_seeds_are_pooled_as_in_a_sweep() {
    sweep p <<'END'
golden: none
mode: data
axes:
  kernel: [decode_opt2]
  dtype: [f16, bf16]
  seed: [1, 2, 3]
set: {S: 128, d: 64, G: 4, TILE: 16}
gates:
  - {name: P1, expr: "decode_opt2.rmse_full < 1", pool: seed}
END
    cat >pooled.yaml <<'YAML'
table: pooled
into: doc/pooled.md
results: [p.yaml]
gates:
  - {name: P1, expr: "decode_opt2.rmse_full < 1", pool: seed}
rows: {each: [dtype, seed]}
columns: [{name: rmse_full}]
YAML
    expect 0 run p.yaml -o out
    expect 0 adr pooled.yaml
    equal "$(cut -d, -f1-3 doc/pooled.gates.csv | tail -n +2)" "$(cut -d, -f1-3 out/gates.csv | tail -n +2)"
    equal "$(tail -n +2 doc/pooled.gates.csv | wc -l)" 2
    sed -i 's/pool: seed/pool: TILE/' pooled.yaml
    refused "pooled.yaml:5:" adr pooled.yaml
    says "found 'TILE' for pool, expected seed"
    sed -i 's/pool: TILE/pool: seed/; s/rmse_full < 1/total_cycles < 1/' pooled.yaml
    refused 'found pool with total_cycles, expected figures of error' adr pooled.yaml
    sed -i 's/total_cycles < 1/rmse_full < 1/' pooled.yaml
    sed -i 's/seed: \[1, 2, 3\]/seed: [1]/; /^gates/,$d' p.yaml
    refused 'found pool: seed in the gate P1, expected results of several seeds' adr pooled.yaml
}

claim_two_tables_share_a_page() {
    table
    sed 's/^table: record/table: second/; s/> 2"/> 3"/' table.yaml >second.yaml
    refused 'found no block of table=second' adr second.yaml
    printf '\n<!-- kernsweep:begin table=second -->\n<!-- kernsweep:end -->\n' >>$page
    refused 'found a block of table=second, expected a table whose results' adr table.yaml --check
    expect 0 adr second.yaml
    expect 0 adr table.yaml second.yaml --check --inputs
    says 'second: 2 gates'
    sed -i 's/| > 3 |/| > 4 |/' $page
    expect 1 adr table.yaml second.yaml --check
}

# broken NAME SED: a page whose markers were broken by the script.
broken() {
    cp sound.md $page
    sed -i "$2" $page
    for options in '' --check '--check --inputs' --verify; do
        # shellcheck disable=SC2086
        refused "$1" adr table.yaml $options
        grep -qE 'doc/record.md:[0-9]+: ' err.txt || fail "no line in $(cat err.txt)"
    done
}

claim_broken_markers_are_2_with_their_line() {
    table
    cp $page sound.md
    broken 'found no end of the block of table=record' '/kernsweep:end/d'
    broken 'expected a begin marker before it' '/kernsweep:begin/d'
    broken 'found a begin marker inside of the block' '/kernsweep:begin/p'
    broken 'found an end marker' '/kernsweep:end/p'
    broken 'found a second block of table=record' \
        '$a <!-- kernsweep:begin table=record -->\n<!-- kernsweep:end -->'
    broken 'found a begin marker' 's/kernsweep:begin table=record/kernsweep:begin/'
    broken 'found a begin marker' 's/ block=[0-9a-f]*//'
    broken 'found a marker' 's/^<!-- kernsweep:end/x &/'
    broken 'found CR in the line ends' 's/$/\r/'
    echo 'no markers' >$page
    refused 'found no block of table=record' adr table.yaml --check
    rm $page
    refused 'found no such file' adr table.yaml --check
}

claim_results_come_from_a_report_folder_too() {
    table
    expect 0 run t.yaml -o reports/t
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    cp $page swept.md
    expect 0 adr table.yaml --collect
    says_not simulating
    grep -qF 'read from `reports/t`, run by git' $page || fail 'the commit of the run'
    grep '^| ' swept.md >wanted.txt
    grep '^| ' $page >found.txt
    same wanted.txt found.txt
    rm -r reports
    expect 0 adr table.yaml --check --inputs
    sed -i 's/value: 40/value: 39/' calibration/mine.yaml
    expect 1 adr table.yaml --check --inputs
    says 'stale: calibration changed'
    refused "found 'reports/t', expected a sweep file or a report folder" adr table.yaml
}

claim_a_folder_of_a_sweep_from_standard_input_is_refused() {
    table
    sed '/^calibration/d' t.yaml >plain.yaml
    expect 0 run - -o reports/t <plain.yaml
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    refused 'reports/t/run.json: found a sweep from standard input' adr table.yaml --collect <plain.yaml
    expect 0 run t.yaml -o reports/t
    expect 0 adr table.yaml
}

claim_a_report_folder_of_other_inputs_is_stale() {
    table
    expect 0 run t.yaml -o reports/t
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    sed -i 's/value: 40/value: 39/' calibration/mine.yaml
    expect 1 adr table.yaml --collect
    says 'reports/t: stale: calibration changed'
    sed -i 's/value: 39/value: 40/' calibration/mine.yaml
    echo '# a comment' >>t.yaml
    expect 1 adr table.yaml --collect
    says 'reports/t: stale: sweep changed'
}

# restricted OPTIONS: the folder of such a run, whatever it holds, decides nothing.
restricted() {
    rm -rf reports
    expect 0 run t.yaml -o reports/t "$@"
    expect 3 adr table.yaml --collect
    says "incomplete: reports/t was run with $said, expected a run of the whole t.yaml"
    says 'record: 2 gates, 2 INCOMPLETE'
    grep -qF "INCOMPLETE: reports/t was run with $said |" $page || fail 'the gates'
    grep -qF "**not the whole sweep:** run with \`$said\`" $page || fail 'the provenance'
    if grep -qF '| PASS' $page; then fail 'PASS'; fi
    expect 3 adr table.yaml
    expect 3 adr table.yaml --check --inputs
}

claim_a_folder_of_a_run_of_another_grid_than_its_sweep_decides_nothing() {
    table
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    said="--where 'TILE <= 64'" restricted --where 'TILE <= 64'
    said="--set 'TILE=16,64'" restricted --set TILE=16,64
    said="--where 'TILE > 1' --set 'S=4096' --set 'd=128'" restricted --set S=4096 --where 'TILE > 1' --set d=128
    expect 0 run t.yaml -o reports/t -j 1 --max-points 6
    expect 0 adr table.yaml --collect
    says 'record: 2 gates, 2 PASS'
    says_not incomplete
}

claim_a_folder_of_a_red_run_is_red_though_its_points_passed() {
    table
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    sed -i 's/> 2"/> 20"/' t.yaml
    expect 1 run t.yaml -o reports/t
    expect 1 adr table.yaml --collect
    says 'red: the run of reports/t ended with exit code 1'
    grep -qF '**its run ended red:** exit code 1' $page || fail 'the page'
    expect 1 adr table.yaml --check --inputs
    # 4, points without a golden that is wanted, is not red
    sed -i 's/> 20"/> 2"/; /^golden: none/d' t.yaml
    expect 4 run t.yaml -o reports/t
    expect 0 adr table.yaml --collect
    says_not 'red: '
}

claim_a_page_says_whose_invariants_were_not_checked() {
    table
    if grep -q 'invariants were not checked' $page; then fail 'they were'; fi
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    expect 0 run t.yaml -o reports/t --oplog none
    expect 0 adr table.yaml --collect
    grep -qF '6 points = 6 passed + 0 infeasible + 0 failed + 0 missing; 6 without op_log: invariants were not checked; read from' $page ||
        fail 'not said of a folder'
    sed -i 's/^results: .*/results: [t.yaml]/' table.yaml
    echo 'oplog: none' >>t.yaml
    expect 0 adr table.yaml --collect
    grep -qF '6 without op_log: invariants were not checked' $page || fail 'not said of a sweep'
}

# every_digit FILE: each line of a folder's file with one digit changed is red with that line.
every_digit() {
    local line count=0
    cp "$1" sound.txt
    for ((line = 1; line <= $(wc -l <sound.txt); line++)); do
        sed "${line}s/[0-8]\([^0-9]*\)\$/9\1/" sound.txt >"$1"
        cmp -s sound.txt "$1" && continue
        count=$((count + 1))
        expect 1 adr table.yaml --collect
        says "$1:$line: edited: "
    done
    cp sound.txt "$1"
    [ "$count" -ge "$2" ] || fail "$1 has $count lines with digits, expected $2"
}

claim_an_edited_digit_of_a_run_that_is_read_is_red_with_its_line() {
    table
    expect 0 run t.yaml -o reports/t
    sed -i 's/^results: .*/results: [reports\/t]/' table.yaml
    expect 0 adr table.yaml --collect
    cp -r doc before
    every_digit reports/t/run.json 40
    cp reports/t/points.csv sound.csv
    sed -i 's/,59078\.125,/,59078.126,/' reports/t/points.csv
    expect 1 adr table.yaml --collect
    says 'reports/t/points.csv:3: edited: kernel=decode_opt2 G=8 TILE=64 d=128 S=4096: total_cycles: stored 59078.126, simulated 59078.125'
    sed '4s/,decode_opt2,8,256,/,decode_opt2,8,512,/' sound.csv >reports/t/points.csv
    expect 1 adr table.yaml --collect
    says 'reports/t/points.csv:4: field 1: found id'
    sed '2s/ok$/skipped/' sound.csv >reports/t/points.csv
    expect 1 adr table.yaml --collect
    says 'reports/t/points.csv:1: edited: found other bytes than the run wrote'
    diff -r before doc || fail 'something was written'
    cp sound.csv reports/t/points.csv
    expect 0 adr table.yaml --collect
    sed -i '/line_checks/d' reports/t/run.json
    refused 'reports/t/run.json: found no line_checks' adr table.yaml --collect
}

claim_an_edited_digit_of_a_study_that_is_read_is_red_with_its_line() {
    table
    study
    expect 0 study ratio.yaml -o reports/ratio
    sed 's/ratio.yaml/reports\/ratio/' table.yaml >folder.yaml
    expect 0 adr table.yaml
    mv folder.yaml table.yaml
    expect 0 adr table.yaml
    says 'stale: results changed: reports/ratio is not among the stored results'
    expect 0 adr table.yaml --check --inputs
    every_digit reports/ratio/run.json 12
    every_digit reports/ratio/robustness.csv 1
    every_digit reports/ratio/half-planes.csv 1
    expect 0 adr table.yaml --collect
}

claim_a_failed_point_makes_the_table_incomplete_and_red() {
    table
    sed -i '0,/,pass,/s//,fail,/' doc/record.results.csv
    reseal doc/record.results.csv
    expect 3 adr table.yaml
    grep -qF '6 points = 5 passed + 0 infeasible + 1 failed + 0 missing' $page || fail 'account'
    if grep -qF '| PASS' $page; then fail 'PASS in a table with a failed point'; fi
}

# A study of the gates of the table, at TILE 16.
study() {
    cat >ratio.yaml <<'YAML'
study: ratio
base: "G=8 TILE=16 d=128 S=4096"
calibration: mine
kernels: [decode_opt2, decode_opt3]
constants: [{name: dispatch_fixed_cycles, low: 10, high: 80, source: test}]
figures:
  - {name: dispatch, expr: "decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile", gate: "> 2"}
methods: [{flips: {}}]
YAML
    sed -i 's/^gates:/study: [ratio.yaml]\ngates:/; s/name: G1,/name: G1, robust: dispatch,/' table.yaml
}

claim_robustness_comes_from_a_study_and_is_stored() {
    table
    study
    expect 0 adr table.yaml
    says 'record: running the study ratio.yaml'
    grep -qF '| +104.4 % | holds exactly where dispatch_fixed_cycles > 63 dispatch_cycles_per_byte; from 1 to 5 over all calibrations | PASS |' $page ||
        fail 'what the study says'
    grep -qF -- '- robustness of gates: study `ratio.yaml` xxh128' $page || fail 'provenance'
    grep -q '^ratio.yaml,dispatch,> 2,4.088' doc/record.robustness.csv || fail 'what is stored'
    expect 0 adr table.yaml --check --inputs --verify
    sed -i 's/low: 10/low: 11/' ratio.yaml
    expect 1 adr table.yaml --check --inputs
    says 'stale: study changed: ratio.yaml is not the file that the results were made from'
    sed -i 's/low: 11/low: 10/' ratio.yaml
    sed -i 's/,dispatch,> 2,4.088[0-9]*,2,pass,base,base,/&12.5/' doc/record.robustness.csv
    reseal doc/record.robustness.csv
    expect 1 adr table.yaml --check
    says 'drift'
    expect 1 adr table.yaml --verify
    says 'record: the studies do not give doc/record.robustness.csv again'
    rm doc/record.robustness.csv
    expect 1 adr table.yaml --check
    says missing
}

claim_a_gate_that_flips_in_a_range_is_fragile_and_its_finding_says_so() {
    table
    study
    sed -i 's/dispatch_cycles_per_tile/total_cycles/g' ratio.yaml
    sed -i 's/gate: "> 2"/gate: "> 1"/' ratio.yaml
    sed -i 's/name: G1, robust: dispatch,/name: G1,/; s/name: G2, text: opt2 ahead at TILE 16, .*/name: G2, robust: dispatch, text: opt2 ahead at TILE 16, when: "TILE == 16",/' table.yaml
    sed -i 's/expr: "decode_opt2.total_cycles < decode_opt3.total_cycles"/expr: "decode_opt3.total_cycles \/ decode_opt2.total_cycles > 1"/' table.yaml
    expect 0 adr table.yaml
    says 'record: 2 gates, 1 PASS, 1 PASS (fragile)'
    grep -qF '| +16.9 % | not over its ranges; nearest flip at dispatch_fixed_cycles 24.6666 (-38.3 %) | PASS (fragile) |' $page ||
        fail 'where it flips'
    grep -qxF -- '- opt2 wins at small tiles. (G1, G2; fragile)' $page || fail 'finding'
}

# Below some tcm_bytes nothing runs, so over that box there is no answer; over one of dispatch there is.
claim_a_gate_whose_study_is_undecided_never_reads_as_a_plain_pass() {
    table
    study
    sed -i 's/flips: {}/certificate: {box: ranges}/; s/dispatch_fixed_cycles, low: 10, high: 80/tcm_bytes, low: 4096, high: 1048576/' ratio.yaml
    expect 0 adr table.yaml
    says 'record: 2 gates, 1 PASS, 1 PASS (undecided)'
    grep -qE '^\| G1 .*undecided over the ranges .* \| PASS \(undecided\) \|$' $page || fail 'the gate'
    grep -qxF -- '- opt2 wins at small tiles. (G1, G2; undecided)' $page || fail 'finding'
    sed -i 's/tcm_bytes, low: 4096, high: 1048576/dispatch_fixed_cycles, low: 10, high: 80/' ratio.yaml
    expect 0 adr table.yaml
    says 'record: 2 gates, 2 PASS'
    grep -qE '^\| G1 .*proved-pass over the ranges .* \| PASS \|$' $page || fail 'the proof'
}

claim_a_folder_of_a_study_is_read_and_told_when_stale() {
    table
    study
    expect 0 study ratio.yaml -o reports/ratio
    sed -i 's/ratio.yaml/reports\/ratio/' table.yaml
    expect 0 adr table.yaml
    grep -qF 'study `ratio.yaml` xxh128' $page || fail 'the study file'
    grep -qF 'read from `reports/ratio`' $page || fail 'the folder'
    rm -r reports
    expect 0 adr table.yaml --check --inputs --verify
    expect 0 study ratio.yaml -o reports/ratio
    sed -i 's/value: 40/value: 39/' calibration/mine.yaml
    expect 1 adr table.yaml
    says 'reports/ratio: stale: calibration changed'
    sed -i 's/value: 39/value: 40/' calibration/mine.yaml
    expect 0 run t.yaml -o reports/t
    sed 's/reports\/ratio/reports\/t/' table.yaml >other.yaml
    refused 'found no study in its run.json' adr other.yaml --collect
}

claim_two_files_of_the_same_table_are_2_before_anything_is_written() {
    table
    cp table.yaml again.yaml
    sed -i 's/> 2"/> 3"/' again.yaml
    cp $page before.md
    refused "again.yaml: found the table 'record', expected another name or page: it is that of table.yaml" \
        adr table.yaml again.yaml
    same before.md $page
    sed -i 's/^into:.*/into: other\/record.md/' again.yaml
    expect 0 adr table.yaml again.yaml
    refused no.yaml adr again.yaml no.yaml
}

claim_an_interrupted_collection_is_3_and_writes_nothing() {
    long_sweep
    table
    sed -i 's/^results: .*/results: [long.yaml]/; s/TILE == 16"/TILE == 16 and S == 1"/' table.yaml
    cp -r doc before
    begin adr table.yaml --collect -j 1
    sleep 0.3
    kill -INT "$pid"
    end_of "$pid" 10
    equal "$code" 3
    diff -r before doc || fail 'something was written'
}

claim_options_that_do_not_go_together_are_2() {
    table
    refused '--inputs goes with --check' adr table.yaml --inputs
    refused 'write nothing' adr table.yaml --check --force
    refused 'write nothing' adr table.yaml --verify --collect
    refused 'found 0 arguments' adr
    refused 'no.yaml' adr no.yaml
    sed -i 's/^results: .*/results: [none.yaml]/' table.yaml
    refused "table.yaml:4:11: found 'none.yaml', expected a sweep file" adr table.yaml --collect
}

claim_a_page_that_cannot_be_written_is_3_and_stays_as_it_was() {
    table
    echo text >file
    sed -i 's/^into: .*/into: file\/record.md/' table.yaml
    expect 3 adr table.yaml
    equal "$(cat file)" text
    [ -z "$(find . -name '*.part')" ] || fail 'temporary files'
}
