# list and show.
# shellcheck shell=bash disable=SC2317

mixed_sweep() {
    sweep mixed <<END
golden: none
mode: dispatch
axes:
  kernel: [decode_opt2, decode_opt3, gemm]
  model: [llama3-8b, mistral-7b, qwen2.5-7b]
  TILE: [16, 64, 256]
set: {S: 64, M: 1, K: 1, N: 1}
where: "TILE < 256 or kernel == decode_opt2"
exclude:
  - {when: "TILE == 16 and G == 7", why: a}
  - {when: "TILE == 16", why: b}
END
}

claim_the_arithmetic_of_list_adds_up() {
    mixed_sweep
    expect 0 list mixed.yaml
    awk '/^grid:/ { rest = $2 }
         /^  - [0-9]/ { rest -= $2 }
         /^  = / { exit rest != $2 }' out.txt || fail "grid minus what was removed is not what is planned"
    planned=$(sed -n 's/^  = \([0-9]*\) planned.*/\1/p' out.txt)
    excluded=$(sed -n 's/^  - \([0-9]*\) excluded.*/\1/p' out.txt)
    equal "$(sed -n 's/.* rule .* removed \([0-9]*\) points.*/\1/p' out.txt | paste -sd+ | bc_)" "$excluded"
    expect 0 list mixed.yaml --points
    equal "$(wc -l <out.txt)" "$planned"
    expect 0 list mixed.yaml --json
    is_json out.txt
    awk -F'[:,]' '/"grid"/ { grid = $2 }
                  /"(planned|not_where|not_option|excluded|not_applicable|duplicates)"/ { sum += $2; n++ }
                  END { exit !(n == 6 && sum == grid) }' out.txt || fail "the JSON does not add up"
    grep -q "\"planned\": $planned," out.txt || fail "the JSON plans another number"
    run_into 0 out mixed.yaml
    says "planned $planned ="
}

claim_verbose_list_adds_values_rules_gates_and_costs() {
    t_sweep
    printf 'exclude:\n  - {when: "TILE == 256 and kernel == decode_opt3", why: x}\n' >>t.yaml
    expect 0 list t.yaml
    says_not 'costs:'
    cp out.txt plain
    expect 0 list t.yaml -v
    head -n "$(wc -l <plain)" out.txt | cmp - plain || fail "-v does not only add"
    says '  TILE: 16 64 256'
    says '  exclude at line 11: TILE == 256 and kernel == decode_opt3'
    says '  gate ratio: decode_opt3.dispatch_cycles_per_tile / '
    says '  decode_opt2: 3 points, '
    says '  decode_opt3: 2 points, '
    says ": kernel=decode_opt2 G=8 TILE=16 d=128 S=4096"
}

# A sum of numbers and plus signs.
bc_() {
    echo $(($(cat)))
}

claim_the_keys_of_list_are_the_points_of_run_in_order() {
    t_sweep
    expect 0 list t.yaml --points
    cp out.txt keys
    expect 0 list t.yaml --points --json
    is_json out.txt
    sed -n 's/^  "\(.*\)",\{0,1\}$/\1/p' out.txt >json_keys
    same keys json_keys
    run_into 0 out t.yaml
    column out/points.csv id >ids
    while read -r key; do
        expect 0 show "$key"
        sed -n 's/^id \([0-9a-f]*\),.*/\1/p' out.txt
    done <keys >shown
    same ids shown
}

claim_constants_and_columns_are_listed_with_their_meanings() {
    expect 0 list --constants
    equal "$(wc -l <out.txt)" 45 # 17 parameters, 27 constants, a header
    says "ADR-0065"
    for row in '^clock_ghz +1\.25 +GHz +ADR-0065 ' '^dispatch_cycles_per_byte +0\.0625 ' '^gemm_rule +mac ' \
        '^dma_latency_cycles +250 +cycle +assumption ' '^seed +1 '; do
        grep -qE "$row" out.txt || fail "no row like $row"
    done
    expect 0 list --columns
    awk '{ print $1 }' out.txt >listed
    many m 1
    run_into 0 out m.yaml
    head -n 1 out/points.csv | tr ',' '\n' | grep -vxE 'G|TILE|d|S|seed' >columns
    same columns listed
    expect 0 list --constants --json
    is_json out.txt
    expect 0 list --columns --json
    is_json out.txt
}

claim_a_key_in_any_order_and_any_spelling_is_the_same_point() {
    expect 0 show 'kernel=decode_opt2 G=8 TILE=256 d=128 S=4096'
    cp out.txt ref
    for key in 'S=4096 d=128 TILE=256 G=8 kernel=decode_opt2' \
        'kernel=decode_opt2 G=08 TILE=256.0 d=128 S=4096 seed=1 dtype=f16 policy=strict_fifo' \
        '  kernel=decode_opt2   G=8 TILE=256 d=128 S=4096 score=f16 p_dtype=f16 clock_ghz=1.2500 '; do
        expect 0 show "$key"
        same ref out.txt
    done
    head -n 1 ref | grep -qx 'kernel=decode_opt2 G=8 TILE=256 d=128 S=4096' || fail "the KEY that it prints"
}

claim_the_figures_of_the_model_page_are_shown() {
    while read -r total key; do
        expect 0 show "$key"
        grep -qE "^  total_cycles +$total cycle" out.txt || fail "$key: not $total cycles"
    done <<'END'
350849.5 kernel=decode_opt1 G=8 TILE=16 d=128 S=4096
139982.125 kernel=decode_opt2 G=8 TILE=16 d=128 S=4096
59205.125 kernel=decode_opt3 G=8 TILE=64 d=128 S=4096
44627.125 kernel=decode_a1 G=8 TILE=256 d=128 S=4096
37247.125 kernel=decode_a1 G=8 TILE=256 d=128 S=4096 policy=rw_aware
END
}

claim_every_form_of_show_for_every_kernel() {
    for key in 'kernel=decode_opt1 G=4 TILE=16 d=32 S=33' 'kernel=decode_opt2 G=4 TILE=16 d=32 S=33' \
        'kernel=decode_opt3 G=4 TILE=16 d=32 S=33' 'kernel=decode_a1 G=4 TILE=16 d=32 S=33' \
        'kernel=gemm M=3 K=5 N=7' 'kernel=gemm_bias_relu M=3 K=5 N=7' 'kernel=gemm_ktile_scale M=3 K=5 N=7' \
        'kernel=gemm_chain M=3 K=5 N=7' 'kernel=gemm_postnorm M=3 K=5 N=7' 'kernel=math_chain M=3 N=7' \
        'kernel=rmsnorm_linear M=3 K=5 N=7'; do
        expect 0 show "$key"
        says "verdict pass"
        expect 0 show "$key" --commands
        says DISPATCH
        says WAIT
        expect 0 show "$key" --plan
        says " stages"
        expect 0 show "$key" --oplog
        equal "$(head -n 1 out.txt)" "seq,cmd,stage,server,kind,op,phase,m,n,k,start,end,bytes,elements,reads,writes"
        check_fields out.txt
        expect 0 show "$key" --json
        is_json out.txt
        expect 0 show "$key" -v
    done
}

claim_show_in_json_is_json_for_points_that_do_not_run_too() {
    for key in 'kernel=decode_opt2 G=8 TILE=65536 d=128 S=64' \
        'kernel=decode_opt2 G=8 TILE=16 d=128 S=64 max_composite_logical_bytes=1' \
        'kernel=decode_opt2 G=1 TILE=1 d=1 S=1 dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0 dma_latency_cycles=0'; do
        ks show "$key" --json
        is_json out.txt
        grep -q '"critical_path": \[' out.txt || fail "no critical path"
    done
}

claim_the_op_log_has_as_many_records_as_the_summary_says() {
    key='kernel=decode_opt3 G=8 TILE=16 d=128 S=500'
    expect 0 show "$key"
    records=$(awk '$1 == "oplog_records" { print $2 }' out.txt)
    expect 0 show "$key" --oplog
    equal "$(($(wc -l <out.txt) - 1))" "$records"
    awk -F, 'NR > 1 && $1 != NR - 2 { bad = 1 } END { exit bad }' out.txt || fail "seq is not 0, 1, 2, ..."
    cp out.txt log
    many m 1
    sed -i 's/mode: dispatch/mode: timing/; s/S: 64/S: 500/; s/decode_opt2/decode_opt3/' m.yaml
    run_into 0 out m.yaml --oplog full
    same log out/oplog/*.csv
}

claim_the_path_of_show_sums_to_the_total() {
    for key in 'kernel=decode_opt2 G=1 TILE=16 d=16 S=16' 'kernel=decode_opt3 G=8 TILE=64 d=128 S=500 policy=rw_aware'; do
        expect 0 show "$key" -v
        awk '$1 == "total_cycles" { total = $2 }
             /^  at / { for (i = 1; i <= NF; i++) { if ($i == "cycles") sum += $(i - 1)
                                                    if ($i == "latency") sum += $(i - 2) } }
             END { exit !(sum == total && total > 0) }' out.txt || fail "$key: the path does not sum to the total"
    done
}

size_of() {
    wc -c <"$1"
}

claim_tensors_have_their_sizes_and_stable_bytes() {
    key='kernel=decode_opt2 G=3 TILE=16 d=40 S=50'
    expect 0 show "$key" --tensors a
    equal "$(ls a | paste -sd ' ')" "K.bin OUT.bin Q.bin V.bin"
    equal "$(size_of a/Q.bin) $(size_of a/K.bin) $(size_of a/V.bin) $(size_of a/OUT.bin)" \
        "$((3 * 40 * 4)) $((50 * 40 * 4)) $((50 * 40 * 4)) $((3 * 40 * 4))"
    grep -qE '^  out_xxh128 +[0-9a-f]{32} ' out.txt || fail "no out_xxh128"
    expect 0 show "$key" --tensors b/deep
    diff -r a b/deep >/dev/null || fail "other bytes the second time"
    # A twin has the same inputs and the same OUT; another seed has not.
    expect 0 show 'kernel=decode_opt3 G=3 TILE=16 d=40 S=50' --tensors c
    diff -r a c >/dev/null || fail "a twin differs"
    expect 0 show "$key seed=2" --tensors d
    ! cmp -s a/Q.bin d/Q.bin || fail "another seed, the same Q"
}

claim_tensors_of_a_bench_are_its_hbm_inputs_by_name() {
    expect 0 show 'kernel=gemm M=3 K=5 N=7' --tensors gemm
    equal "$(ls gemm | paste -sd ' ')" "A.bin B.bin OUT.bin"
    equal "$(size_of gemm/A.bin) $(size_of gemm/B.bin) $(size_of gemm/OUT.bin)" "60 140 84"
    expect 0 show 'kernel=gemm_bias_relu M=3 K=5 N=7' --tensors bias
    equal "$(ls bias | paste -sd ' ')" "A.bin B.bin BIAS.bin OUT.bin"
    equal "$(size_of bias/BIAS.bin)" 28
    expect 0 show 'kernel=math_chain M=3 N=7' --tensors chain
    equal "$(ls chain | paste -sd ' ')" "OUT.bin X.bin"
    expect 0 show 'kernel=rmsnorm_linear M=3 K=5 N=7' --tensors norm
    equal "$(ls norm | paste -sd ' ')" "B.bin OUT.bin X.bin w.bin"
}

claim_that_there_are_no_tensors_of_a_point_that_does_not_run_is_said() {
    expect 0 show 'kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 tcm_bytes=1024' --tensors none
    says "no tensors are written to 'none': the point does not run"
    ! [ -e none ] || fail "a folder without tensors"
}

claim_inputs_are_unrounded_and_do_not_depend_on_the_format() {
    expect 0 show 'kernel=gemm M=3 K=5 N=7' --tensors f16
    expect 0 show 'kernel=gemm M=3 K=5 N=7 dtype=f32' --tensors f32
    same f16/A.bin f32/A.bin
    same f16/B.bin f32/B.bin
    ! cmp -s f16/OUT.bin f32/OUT.bin || fail "OUT does not depend on dtype"
}

claim_tensors_that_cannot_be_written_are_3() {
    echo mine >file
    expect 3 show 'kernel=gemm M=3 K=5 N=7' --tensors file
    expect 3 show 'kernel=gemm M=3 K=5 N=7' --tensors file/x
    equal "$(cat file)" mine
}

claim_a_point_of_more_than_32_bits_of_cycles_is_exact() {
    expect 0 show 'kernel=decode_opt2 G=1 TILE=1 d=1 S=1000 dispatch_fixed_cycles=100000000'
    total=$(awk '$1 == "total_cycles" { print $2 }' out.txt)
    dispatch=$(awk '$1 == "dispatch_cycles" { print $2 }' out.txt)
    equal "$dispatch" 200700023636.5 # 2007 commands of 100,000,000 cycles, and 378,184 bytes
    awk -v t="$total" -v d="$dispatch" 'BEGIN { exit !(t > d && t > 2 ^ 32) }' || fail "total $total"
}
