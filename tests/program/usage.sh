# What is wrong with the input or the command line: exit code 2, a place, nothing written.
# shellcheck shell=bash disable=SC2317

# axis VALUES: exit code of a list of a sweep with TILE: VALUES; its values in $keys.
axis() {
    sweep a <<END
golden: none
axes:
  kernel: [decode_opt2]
  TILE: $1
set: {S: 64, d: 128, G: 8}
END
    ks list a.yaml --points
    keys=$(sed -n 's/.*TILE=\([0-9]*\).*/\1/p' out.txt | paste -sd ' ')
}

claim_ranges_keep_their_step_and_hit_their_end_only_if_it_fits() {
    axis '{range: [10, 80, 15]}' && equal "$code: $keys" "0: 10 25 40 55 70"
    axis '{range: [10, 70, 15]}' && equal "$code: $keys" "0: 10 25 40 55 70"
    axis '{range: [10, 10, 1]}' && equal "$code: $keys" "0: 10"
    axis '{linspace: [10, 80, 2]}' && equal "$code: $keys" "0: 10 80"
    axis '{pow2: [16, 100]}' && equal "$code: $keys" "0: 16 32 64"
}

claim_ranges_that_make_no_sense_are_refused_at_their_place() {
    while read -r place values; do
        axis "$values"
        equal "$code" 2
        says "a.yaml:6:$place: found"
    done <<'END'
26 {range: [80, 10, -10]}
26 {range: [10, 80, 0]}
22 {range: [80, 10, 10]}
29 {linspace: [10, 80, 1]}
17 {range: [1, 2]}
17 {pow2: [3, 12]}
9 []
END
}

claim_a_number_is_read_whole_or_refused() {
    for value in 12abc y7 0x10 1e3 +5 5. .5 1_000 99999999999999999999 -1 NaN inf 1e999 '"5 "' '~' \
        true $'\xef\xbc\x95' 0 1073741825 16.5; do
        axis "[$value]"
        equal "$value: $code" "$value: 2"
        says "a.yaml:6:10: found"
    done
    for value in 16 016 16.0 '"16"' 16.0000; do
        axis "[$value]"
        equal "$value: $code $keys" "$value: 0 16"
    done
}

claim_numbers_of_options_are_read_whole_or_refused() {
    t_sweep
    for option in '-j 4x' '-j 0' '-j -1' '-j 1e1' '--max-points 1e6' '--max-points 0' '--timeout 5m' \
        '--shard 1/2x' '--set TILE=12abc' '--set TILE=' '--memory x'; do
        # shellcheck disable=SC2086
        expect 2 run t.yaml -o out $option
    done
    [ ! -e out ] && [ ! -e out.part ] || fail "something was written"
}

claim_a_shape_of_0_is_refused_in_a_key_and_in_a_sweep() {
    for name in G TILE d S; do
        key="kernel=decode_opt2"
        for n in G TILE d S; do if [ $n = $name ]; then key="$key $n=0"; else key="$key $n=8"; fi; done
        refused "found '0' for $name" show "$key"
        t_sweep
        refused "found '0' for $name" run t.yaml -o out --set $name=0
    done
    refused "found '0' for M" show "kernel=gemm M=0 K=1 N=1"
}

claim_a_key_that_is_wrong_is_refused_at_its_place() {
    refused "KEY:1:" show ''
    refused "KEY:1:8: found 'decode_opt4'" show 'kernel=decode_opt4 G=8 TILE=8 d=8 S=8'
    refused "KEY:1:20: found 'TILES'" show 'kernel=decode_opt2 TILES=8 G=8 d=8 S=8'
    refused "G" show 'kernel=decode_opt2 G=8 TILE=8 d=8 S=8 G=4'
    refused "S" show 'kernel=decode_opt2 G=8 TILE=8 d=8'
    refused "model" show 'kernel=decode_opt2 model=llama3-8b TILE=8 S=8'
    refused "M" show 'kernel=decode_opt2 G=8 TILE=8 d=8 S=8 M=1'
}

claim_line_ends_of_another_system_are_named() {
    t_sweep
    sed 's/$/\r/' t.yaml >crlf.yaml
    refused "line ends" run crlf.yaml -o out
    refused "crlf.yaml:1:" list crlf.yaml
}

claim_a_sweep_that_leaves_its_folder_by_its_name_is_refused() {
    t_sweep
    mkdir inner
    for name in ../../evil.ci /evil.ci evil/x.ci ..ci .ci '"=1+1.ci"' '"@x.ci"' 'a b.ci' evil; do
        sed "s|^sweep: .*|sweep: $name|" t.yaml >inner/n.yaml
        cp models.yaml inner
        (cd inner && refused "n.yaml:1:8: found" run n.yaml) || exit 1
    done
    equal "$(ls inner)" "$(printf '%s\n' err.txt models.yaml n.yaml out.txt)"
}

claim_a_name_set_twice_is_refused_with_both_places() {
    t_sweep
    { cat t.yaml; echo "set: {TILE: 64}"; } >two.yaml
    refused "two.yaml:10:1: found 'set' a second time" list two.yaml
    says "first at two.yaml:7:1"
    sed 's/^set: {/set: {TILE: 64, /' t.yaml >two.yaml
    refused "two.yaml:7:7: found TILE in set" list two.yaml
    says "first in axes at two.yaml:6:3"
    { cat t.yaml; printf 'zip:\n  - {TILE: [1], seed: [2]}\n'; } >two.yaml
    refused "two.yaml:11:6: found TILE in zip" list two.yaml
    sed 's/^set: {/set: {model: llama3-8b, /' t.yaml >two.yaml
    refused "two.yaml:7:" list two.yaml
    sed 's/^set: {.*/set: {<<: {G: 8}, S: 64, d: 128}/' t.yaml >two.yaml
    refused "two.yaml:7:7: found '<<'" list two.yaml
    refused "second --set" list t.yaml --set TILE=16 --set TILE=64
}

claim_yaml_beyond_the_plain_part_is_refused_with_advice() {
    t_sweep
    for line in 'set: &a {S: 64, d: 128, G: 8}' 'set: !x {S: 64, d: 128, G: 8}' 'set: *a'; do
        awk -v line="$line" '/^set:/ { $0 = line } { print }' t.yaml >y.yaml
        refused "put the expression in double quotes" list y.yaml
        says "y.yaml:7:6"
    done
    { cat t.yaml; echo ---; cat t.yaml; } >y.yaml
    refused "y.yaml:10:" list y.yaml
}

claim_rules_say_how_many_they_removed_and_nothing_aloud() {
    sweep r <<END
golden: none
mode: dispatch
axes:
  kernel: [decode_opt2, decode_opt3]
  model: [llama3-8b, qwen2.5-7b]
zip:
  - {TILE: [16, 64], S: [64, 128]}
exclude:
  - {when: "TILE == 16", why: in a zip}
  - {when: "G == 7", why: set by a model}
  - {when: "kernel == decode_opt2", why: a word}
  - {when: "S == 9", why: never}
END
    expect 0 list r.yaml
    says "grid: 8 points"
    says "removed 4 points: in a zip"
    says "removed 2 points: set by a model"
    says "removed 1 point: a word"
    says "removed 0 points: never - it matches nothing"
    says "= 1 planned"
    expect 0 run r.yaml -o out
    says "r.yaml:14: this exclude rule matches nothing"
}

claim_nothing_selected_is_2() {
    t_sweep
    expect 2 run t.yaml -o out --where 'TILE == 17'
    expect 2 run t.yaml -o out --set TILE=17 --where 'TILE == 16'
    printf 'exclude:\n  - {when: "S > 0", why: x}\n' >>t.yaml
    expect 2 run t.yaml -o out
    [ ! -e out ] && [ ! -e out.part ] || fail "something was written"
}

claim_a_grid_beyond_the_limit_is_refused_before_anything_runs() {
    t_sweep
    refused "6 points" run t.yaml -o out --max-points 5
    refused "expected at most 5" list t.yaml --max-points 5
    expect 0 run t.yaml -o out --max-points 6
    many huge 1
    refused "expected at most 10000000" list huge.yaml --set 'seed={range: [1, 1000000, 1]}' --set 'S={range: [1, 11, 1]}'
}

claim_a_folder_is_no_sweep() {
    t_sweep
    mkdir folder
    for name in . .. folder folder/; do
        refused "$name: found a folder, expected a YAML file" run "$name" -o out
        refused "$name: found a folder, expected a YAML file" list "$name"
    done
    [ ! -e out ] && [ ! -e out.part ] || fail "something was written"
}

claim_options_that_exclude_each_other_are_refused() {
    t_sweep
    refused "give one of them" list t.yaml --points --columns
    refused "give one of them" list --constants --columns
    refused "give one of them" list t.yaml --points --constants --json
    refused "found 't.yaml' beside --columns" list --columns t.yaml
    refused "found -q and -v" run t.yaml -q -v -o out
    [ ! -e out ] && [ ! -e out.part ] || fail "something was written"
}

claim_a_missing_file_is_2_and_named() {
    refused "missing.yaml" run missing.yaml
    refused "missing.yaml" list missing.yaml
    t_sweep
    echo "calibration: nowhere" >>t.yaml
    refused "nowhere" run t.yaml -o out
}

claim_what_is_not_built_yet_is_refused_and_says_so() {
    t_sweep
    for verb in 'report out' \
        'merge a b -o c' history; do
        # shellcheck disable=SC2086
        refused "not built yet" $verb
    done
    for option in '--shard 1/2' --resume '--baseline x' '--timeout 5' '--memory 100'; do
        # shellcheck disable=SC2086
        refused "not built yet" run t.yaml -o out $option
    done
    refused "not built yet" show 'kernel=gemm M=1 K=1 N=1' --trace perfetto
    [ ! -e out ] && [ ! -e out.part ] || fail "something was written"
}

claim_unknown_verbs_and_options_are_refused_with_a_near_match() {
    t_sweep
    refused "no verb"
    refused "did you mean 'run'?" runn t.yaml
    refused "did you mean '--fail-fast'?" run t.yaml --fail-fats
    refused "no option '-x'" run t.yaml -x
    refused "no option '--points'" run t.yaml --points
    refused "did you mean TILE?" run t.yaml --set TILES=16
    refused "TILE" run t.yaml --where "TILES == 16"
}

claim_the_same_sweep_twice_is_refused() {
    t_sweep
    cp t.yaml u.yaml
    refused "u.yaml: the sweep 't.ci' is already in t.yaml" run t.yaml u.yaml -o out
    mkdir other
    cp t.yaml models.yaml other
    refused "other/t.yaml: the sweep 't.ci' is already in t.yaml" run t.yaml other/t.yaml -o out
    sed 's/^sweep: t/sweep: T/' t.yaml >u.yaml # not on every file system two folders
    refused "u.yaml: the sweep 'T.ci' is already in t.yaml" run t.yaml u.yaml -o out
    [ ! -e out ] || fail "something was written"
}

# Beside t.ci of the same run, or of a run before, they would be one file or folder.
claim_a_sweep_is_not_called_what_a_report_calls_its_own() {
    t_sweep
    for name in t.ci.prev t.ci.part t.PREV summary.md Summary.MD junit.xml run.json index.html; do
        sed "s/^sweep: .*/sweep: $name/" t.yaml >u.yaml
        refused "u.yaml:1:8: found '$name' for sweep, expected a name that no report" run u.yaml t.yaml
        refused "u.yaml:1:8: found '$name' for sweep" list u.yaml
    done
    [ ! -e reports ] || fail "something was written"
    for name in t.previous t.part.ci prev.ci part.prev.ci summary.mdx run.json.ci; do
        sed "s/^sweep: .*/sweep: $name/" t.yaml >u.yaml
        expect 0 run u.yaml t.yaml -q
    done
}

claim_text_that_a_spreadsheet_would_run_cannot_reach_a_csv() {
    t_sweep
    for name in =1+1 -x +x @x '"a,b"' '"a\"b"' '"a\nb"'; do
        sed "s|name: ratio|name: $name|" t.yaml >g.yaml
        expect 2 run g.yaml -o out
    done
    sed 's|llama3-8b:|"=1+1":|' models.yaml >m.yaml
    mv m.yaml models.yaml
    cp t.yaml u.yaml
    sed -i "s|^set: .*|set: {model: \"=1+1\", S: 64}|" u.yaml
    expect 2 run u.yaml -o out
    [ ! -e out ] || fail "something was written"
}
