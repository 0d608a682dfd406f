# Sweep files and what the command line changes about them.
# shellcheck shell=bash disable=SC2317

claim_several_sweeps_have_a_folder_each_and_one_verdict() {
    t_sweep
    sed 's/^sweep: t/sweep: u/' t.yaml >u.yaml
    sed 's/^sweep: t/sweep: v/' t.yaml >v.yaml
    "$KERNSWEEP" run t.yaml - v.yaml -o out <u.yaml >out.txt 2>err.txt || fail "exit code $?"
    check_accounts
    equal "$(grep -c '^verdict:' out.txt)" 1
    for name in t u v; do check_folder out/$name.ci; done
    same_reports out/t.ci out/u.ci
    is_json out/run.json
    equal "$(grep -c '"sweep": "[tuv].ci"' out/run.json)" 3
    expect 0 run t.yaml u.yaml
    check_folder reports/u.ci
    is_json reports/run.json
}

claim_standard_input_reads_models_and_calibration_from_sweeps() {
    mkdir sweeps
    cp "$SOURCE/sweeps/models.yaml" sweeps
    cp -r "$SOURCE/sweeps/calibration" sweeps
    sed 's/mode: data/mode: timing/; /twins/d' "$SOURCE/sweeps/decode.smoke.yaml" |
        "$KERNSWEEP" run - -o out --golden ignore >out.txt 2>err.txt || fail "exit code $?"
    check_folder out
}

claim_set_replaces_an_axis_in_its_place() {
    t_sweep
    run_into 0 out t.yaml --set TILE=64,16
    equal "$(cells out/points.csv TILE)" "64 16 64 16"
    run_into 0 out t.yaml --set 'TILE={pow2: [16, 64]}'
    equal "$(cells out/points.csv TILE)" "16 32 64 16 32 64"
    run_into 0 out t.yaml --set TILE=64
    equal "$(cells out/points.csv kernel)" "decode_opt2 decode_opt3"
}

claim_set_replaces_a_constant_and_adds_a_name() {
    t_sweep
    run_into 0 out t.yaml --set S=64,128 --set TILE=16
    equal "$(cells out/points.csv S)" "64 128 64 128"
    run_into 0 out t.yaml --set dispatch_fixed_cycles=40,80.5 --set policy=serial --set TILE=16
    equal "$(cells out/points.csv dispatch_fixed_cycles)" "40 80.5 40 80.5"
    equal "$(cells out/points.csv policy)" "serial serial serial serial"
    head -n 1 out/points.csv | grep -q '^id,verdict,reason,model,kernel,G,TILE,d,S,policy,dispatch_fixed_cycles,tiles,' ||
        fail "columns stand in another order"
}

claim_set_takes_a_model_and_refuses_what_it_would_set_twice() {
    t_sweep
    ks run t.yaml -o out --set model=llama3-8b
    case $code in
    0) equal "$(cells out/points.csv G | tr ' ' '\n' | sort -u)" 4 ;;
    2) ;;
    *) fail "exit code $code" ;;
    esac
    many m 1
    sed -i 's/d: 128, G: 8, //' m.yaml
    run_into 0 out m.yaml --set model=llama3-8b,llama3-70b
    equal "$(cells out/points.csv model)" "llama3-8b llama3-70b"
    equal "$(cells out/points.csv G)" "4 8"
}

claim_the_same_name_in_two_sets_is_refused() {
    t_sweep
    refused "second --set" run t.yaml -o out --set TILE=16 --set S=1 --set TILE=64
    [ ! -e out ] || fail "something was written"
}

claim_where_takes_a_subset_and_keeps_rows_and_columns() {
    t_sweep
    run_into 0 all t.yaml
    run_into 0 some t.yaml --where "TILE == 64 or (TILE > 64 and kernel == decode_opt3)"
    equal "$(cells some/points.csv TILE)" "64 64 256"
    equal "$(grep -cxFf some/points.csv all/points.csv)" 4
    equal "$(cells some/gates.csv group)" "TILE=64"
    says "2 not asked"
}

claim_columns_are_what_is_swept_set_or_calibrated() {
    many m 1
    run_into 0 out m.yaml
    head -n 1 out/points.csv | grep -q '^id,verdict,reason,model,kernel,G,TILE,d,S,seed,tiles,commands,' ||
        fail "columns"
    cat >machine.yaml <<END
constants: {dma_latency_cycles: {value: 300, low: 250, high: 400, source: "measured"}, math_lanes: 64}
END
    mkdir -p calibration
    cp machine.yaml calibration
    echo "calibration: machine" >>m.yaml
    run_into 0 out m.yaml
    head -n 1 out/points.csv | grep -q ',seed,dma_latency_cycles,tiles,' || fail "calibrated columns"
    equal "$(cells out/points.csv dma_latency_cycles)" 300
    expect 0 list m.yaml --points
    says "dma_latency_cycles=300"
    says_not math_lanes
}

claim_labels_of_models_with_the_same_heads_are_joined() {
    many m 1
    sed -i 's/d: 128, G: 8, //; s/kernel: .*/kernel: [decode_opt2]\n  model: [llama3-8b, llama3-70b, mistral-7b]/' m.yaml
    run_into 0 out m.yaml
    equal "$(cells out/points.csv model)" "llama3-8b|mistral-7b llama3-70b"
    expect 0 list m.yaml
    says "- 1 duplicates"
}

claim_shapes_that_a_kernel_does_not_take_are_left_out_and_counted() {
    many m 1
    run_into 0 out m.yaml --set kernel=decode_opt2,gemm --set M=1,2 --set K=3 --set N=4
    equal "$(cells out/points.csv kernel)" "decode_opt2 gemm gemm"
    equal "$(cells out/points.csv M)" " 1 2"
    equal "$(cells out/points.csv TILE)" "16  "
    expect 0 list m.yaml --set kernel=decode_opt2,gemm --set M=1,2 --set K=3 --set N=4
    says "- 1 not applicable"
    refused "N" run m.yaml -o out --set kernel=gemm --set M=1 --set K=3
}

claim_why_and_other_free_text_never_reach_a_csv() {
    sweep w <<'END'
golden: none
mode: dispatch
axes:
  kernel: [decode_opt2]
  TILE: [16, 64, 65536]
set: {S: 64, d: 128, G: 8}
exclude:
  - {when: "TILE == 16", why: "FREE a, \"b\"\n=c"}
expect:
  - {when: "TILE == 65536", verdict: infeasible, why: "FREE @SUM(1), \"q\""}
  - {when: "TILE == 64", why: "FREE =1+1"}
gates:
  - {name: g, expr: "decode_opt2.tiles > 5", expect: fail, why: "FREE -x,y"}
END
    sed -i 's/^about: .*/about: "FREE, \\"about\\""/' w.yaml
    run_into 1 out w.yaml
    ! grep -l FREE out/*.csv || fail "free text in a CSV"
    says "FREE =1+1"
}

claim_every_shipped_sweep_can_be_listed() {
    for file in "$SOURCE"/sweeps/*.{smoke,ci,nightly}.yaml; do
        expect 0 list "$file"
        says " planned"
        expect 0 list "$file" --json
        is_json out.txt
    done
}

claim_run_json_says_what_was_run() {
    t_sweep
    run_into 0 out t.yaml --set TILE=16,64 --where 'TILE == 16' -j 2
    for text in '"sweep": "t.ci"' '"file": "t.yaml"' '"mode": "timing"' '"where": "TILE == 16"' \
        '"TILE=16,64"' '"threads": 2' '"complete": true' '"exit_code": 0' '"planned": 2' '"pass": 2' \
        '"calibration": null' '"schema_version": 1'; do
        grep -qF -- "$text" out/run.json || fail "run.json does not say $text"
    done
    xxh=$(grep -o '"sweep": "[0-9a-f]\{32\}"' out/run.json) || fail "no digest of the sweep"
    echo >>t.yaml
    run_into 0 out t.yaml
    ! grep -qF "$xxh" out/run.json || fail "the digest of another file"
}

claim_winners_are_the_best_of_each_group() {
    t_sweep
    run_into 0 out t.yaml --set S=64,4096
    equal "$(cells out/winners.csv group | tr ' ' '\n' | sort)" "$(printf 'S=4096\nS=64\n')"
    for s in 64 4096; do
        best=$(awk -F, -v s=$s 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "S") a = i; if ($i == "total_cycles") b = i } next }
                                $a == s && (!n++ || $b < least) { least = $b } END { print least }' out/points.csv)
        grep -q "^S=$s,.*,$best\$" out/winners.csv || fail "the best of S=$s is $best"
    done
}

claim_gates_whose_points_a_subset_leaves_out_are_not_asked() {
    t_sweep
    expect 0 run t.yaml -o out --where 'kernel == decode_opt2'
    says "3 not asked; 0 red"
}

# Reading K and V takes half of the bytes; the numbers are those of 8 bits, judged in f16.
claim_inputs_of_8_bits_run_end_to_end_over_seeds() {
    sweep f <<END
golden: none
mode: data
axes:
  kernel: [decode_opt1, decode_opt2, decode_opt3, decode_a1]
  dtype: [f16, e4m3fn, e5m2]
  seed: [1, 2]
set: {S: 150, d: 64, G: 4, TILE: 64}
gates:
  - {name: twins, twin: [decode_opt1, decode_opt2, decode_opt3, decode_a1]}
  - {name: half, expr: "decode_opt2{dtype=e4m3fn}.dma_bytes * 2 - decode_opt2{dtype=f16}.dma_bytes == 4 * 64 * 2"}
  - {name: coarse, expr: "decode_opt2{dtype=e4m3fn}.rmse_full > 4 * decode_opt2{dtype=f16}.rmse_full"}
  - {name: coarser, expr: "decode_opt2{dtype=e5m2}.rmse_full > decode_opt2{dtype=e4m3fn}.rmse_full"}
  - {name: as_exact, expr: "decode_opt2{dtype=e4m3fn}.rmse < 2 * decode_opt2{dtype=f16}.rmse"}
END
    run_into 0 out f.yaml
    equal "$(cells out/points.csv verdict | tr ' ' '\n' | sort -u)" pass
    equal "$(cells out/points.csv out_xxh128 | tr ' ' '\n' | sort -u | wc -l)" 6
    expect 0 show 'kernel=decode_opt2 G=4 TILE=64 d=64 S=150 dtype=e4m3fn' --commands
    grep -q 'div_bcast .* imm=0.015625 ' out.txt || fail "V's scale is not in div_bcast"
    grep -q 'scale .* imm=3.05175781e-05 ' out.txt || fail "the scales of Q and K are not in scale"
}

claim_formats_of_8_bits_are_for_q_k_and_v() {
    sweep f <<END
axes:
  kernel: [decode_opt2, gemm]
  dtype: [f16, e5m2]
set: {S: 150, d: 64, G: 4, TILE: 64, M: 4, K: 4, N: 4}
END
    expect 2 list f.yaml
    says "f.yaml:5:3: found dtype e5m2 with kernel gemm, expected f32, f16 or bf16: 8-bit formats are for Q, K and V"
    expect 2 show 'kernel=gemm M=4 K=4 N=4 dtype=e4m3fn'
    says "KEY:1:25: found dtype e4m3fn with kernel gemm, expected f32, f16 or bf16"
    for name in score acc p_dtype; do
        expect 2 show "kernel=decode_opt2 G=4 TILE=64 d=64 S=150 $name=e4m3fn"
        says "found 'e4m3fn' for $name, expected f32, f16 or bf16"
    done
}

claim_the_tolerance_of_f16_holds_for_8_bits_unless_they_have_their_own() {
    sweep f <<END
golden: none
mode: data
axes:
  dtype: [f16, e4m3fn]
set: {kernel: decode_opt2, S: 150, d: 64, G: 4, TILE: 64}
tolerance: {f16: 1e-9}
END
    run_into 1 out f.yaml
    equal "$(cells out/points.csv verdict)" "fail fail"
    sed -i 's/1e-9}/1e-9, e4m3fn: twice_plain}/' f.yaml
    run_into 1 out2 f.yaml
    equal "$(cells out2/points.csv verdict)" "fail pass"
}
