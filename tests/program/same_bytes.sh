# The same sweep gives the same bytes, whatever threads, locale and environment.
# shellcheck shell=bash disable=SC2317

smoke() {
    run_into 0 "$1" "$SOURCE/sweeps/decode.smoke.yaml" --golden ignore "${@:2}"
}

claim_any_number_of_threads() {
    smoke ref -j 1
    for threads in 2 3 4 7 8 16 64; do
        smoke "j$threads" -j $threads
        same_reports ref "j$threads"
    done
}

claim_run_after_run() {
    smoke ref
    for i in 1 2 3; do
        smoke "r$i"
        same_reports ref "r$i"
    done
}

claim_any_number_of_threads_through_many_windows() {
    many m 5000
    printf 'gates:\n  - {name: g, expr: "decode_opt2.tiles == 4"}\n' >>m.yaml
    run_into 0 ref m.yaml -j 1 --set TILE=16,17
    for threads in 2 8; do
        run_into 1 "j$threads" m.yaml -j $threads --set TILE=16,64
    done
    same_reports j2 j8
    run_into 0 again m.yaml -j 8 --set TILE=16,17
    same_reports ref again
    equal "$(column again/points.csv id | sort -u | wc -l)" 10000
}

fractions() {
    sweep f <<END
golden: none
mode: data
axes:
  kernel: [decode_opt2, decode_opt3]
  dispatch_cycles_per_byte: {range: [0.5, 1.5, 0.25]}
set: {S: 100, d: 16, G: 8, TILE: 16}
gates:
  - {name: g, expr: "decode_opt3.total_cycles > 0.5"}
END
}

claim_any_locale() {
    fractions
    LC_ALL=C run_into 0 ref f.yaml
    equal "$(cells ref/points.csv dispatch_cycles_per_byte)" "0.5 0.75 1 1.25 1.5 0.5 0.75 1 1.25 1.5"
    known=$(locale -a 2>/dev/null || true)
    tried=0
    for name in de_DE.UTF-8 tr_TR.UTF-8 de_DE.utf8 tr_TR.utf8 C.UTF-8 POSIX nonsense; do
        case $name in *_*) grep -qx "$name" <<<"$known" || continue ;; esac
        LC_ALL=$name run_into 0 "$name" f.yaml
        same_reports ref "$name"
        tried=$((tried + 1))
    done
    (unset LC_ALL LANG && run_into 0 unset f.yaml) || exit 1
    same_reports ref unset
    [ "$tried" -ge 3 ] || fail "tried $tried locales"
}

claim_any_environment() {
    smoke ref -j 8
    for setting in OMP_NUM_THREADS=0 OMP_NUM_THREADS=-1 OMP_NUM_THREADS=1 OMP_NUM_THREADS=10000 \
        OMP_DYNAMIC=true OMP_THREAD_LIMIT=1 OMP_SCHEDULE=static,3 OMP_NESTED=true OMP_PROC_BIND=true \
        TZ=Asia/Tokyo COLUMNS=1 NO_COLOR=1 HOME=/nowhere TERM=dumb CI=true; do
        (export "${setting?}" && smoke out -j 8) || exit 1
        same_reports ref out
    done
    (unset HOME PATH TERM USER && code=0 && "$KERNSWEEP" run "$SOURCE/sweeps/decode.smoke.yaml" \
        --golden ignore -q -o bare >out.txt 2>err.txt) || fail "a bare environment"
    same_reports ref bare
}

claim_any_instruction_set() {
    smoke ref
    tried=0
    for isa in plain x86-64 x86-64-v3 x86-64-v4; do
        KS_ISA=$isa ks run "$SOURCE/sweeps/decode.smoke.yaml" --golden ignore -o "$isa"
        [ "$code" -eq 0 ] || { equal "$code" 2 && says "KS_ISA: found '$isa'" && continue; }
        same_reports ref "$isa"
        tried=$((tried + 1))
    done
    [ "$tried" -ge 1 ] || fail "no instruction set ran"
}

claim_an_unknown_instruction_set_is_refused() {
    KS_ISA=avx9 ks list "$SOURCE/sweeps/decode.smoke.yaml"
    equal "$code" 2
    says "KS_ISA: found 'avx9', expected one of"
    KS_ISA='' ks list "$SOURCE/sweeps/decode.smoke.yaml"
    equal "$code" 0
}

claim_any_folder_to_start_from() {
    smoke ref
    mkdir -p deep/er
    (cd deep/er && run_into 0 ../../out "$SOURCE/sweeps/decode.smoke.yaml" --golden ignore) || exit 1
    same_reports ref out
}

claim_exact_is_the_same() {
    smoke ref
    smoke out --exact full
    same_reports ref out
}

# Tiles skipped and plans shared, in timing without op_log: dispatch costs around which PE_CPU's lead
# drifts, every policy, tails; and benches, which have no tiles.
claim_skipped_tiles_and_shared_plans_change_no_byte() {
    cat >long.ci.yaml <<'EOF'
sweep: long.ci
about: fast paths
mode: timing
oplog: none
axes:
  kernel: [decode_opt1, decode_opt2, decode_opt3, decode_a1, gemm_bias_relu, rmsnorm_linear]
  policy: [strict_fifo, rw_aware, serial]
  S: [100, 4096, 30001]
  dispatch_fixed_cycles: [40, 430, 439, 441]
set: {G: 8, TILE: 64, d: 128, M: 20, K: 300, N: 200}
golden: none
gates:
  - {name: time, expr: "decode_opt2.total_cycles > 0"}
EOF
    run_into 0 ref long.ci.yaml -j 1
    run_into 0 out long.ci.yaml --exact full
    same_reports ref out
    grep -q '"full": 168' out/run.json || fail "not every point was simulated in full"
    if grep -q '"\(forward\|drift\)": 0' ref/run.json; then fail "a fast path was not taken"; fi
}

# The first, one in the middle and the last: alone, the row is what it is in the full grid.
claim_a_point_alone_has_the_row_that_it_has_among_others() {
    smoke ref
    head -n 1 ref/points.csv >rows
    for where in "kernel == decode_opt1 and TILE == 16 and S == 64 and policy == strict_fifo" \
        "kernel == decode_opt3 and TILE == 64 and S == 150 and policy == rw_aware" \
        "kernel == decode_a1 and TILE == 256 and S == 257 and policy == serial"; do
        rm -rf one one.prev
        ks run "$SOURCE/sweeps/decode.smoke.yaml" --golden ignore -o one --where "$where"
        equal "$(wc -l <one/points.csv)" 2
        equal "$(head -n 1 one/points.csv)" "$(head -n 1 ref/points.csv)"
        equal "$(grep -cxF "$(tail -n 1 one/points.csv)" ref/points.csv)" 1
    done
}

claim_show_has_the_figures_of_the_row() {
    smoke ref
    key='kernel=decode_opt3 G=4 TILE=64 d=128 S=150 policy=rw_aware'
    expect 0 show "$key" --tensors tensors
    id=$(sed -n 's/^id \([0-9a-f]*\),.*/\1/p' out.txt)
    for name in total_cycles total_ns bound_by oplog_xxh128 out_xxh128 max_abs_err rmse nonfinite; do
        cell=$(awk -F, -v id="$id" -v name=$name 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
                                                 $1 == id { print $at }' ref/points.csv)
        [ -n "$cell" ] || fail "no $name of $id"
        grep -qE "^  $name +$cell( |\$)" out.txt || fail "$name is not $cell"
    done
}

claim_a_sweep_from_standard_input_is_the_same() {
    t_sweep
    run_into 0 ref t.yaml
    "$KERNSWEEP" run - -o out <t.yaml >out.txt 2>err.txt || fail "run -"
    same_reports ref out
}

shares() {
    sed -n "s/^ *\"$2\": \([0-9]*\),*\$/\1/p" "$1/run.json"
}

# Points that differ in machine and policy alone have equal numbers; most are taken from each other.
claim_whatever_is_shared() {
    sweep c <<END
golden: none
mode: data
axes:
  kernel: [decode_opt2, decode_opt3, decode_a1]
  TILE: [16, 64]
  policy: [strict_fifo, rw_aware, serial]
  dma_latency_cycles: [100, 250, 400]
  stream_in_prologue: [0, 1]
  gemm_tile_k: [32, 64]
set: {S: 150, d: 64, G: 4}
END
    run_into 0 ref c.yaml --cache 0 -j 1
    equal "$(shares ref numbers_shared) $(shares ref results_shared)" "0 0"
    equal "$(shares ref numbers_made)" 216
    for cache in 1 256; do
        for threads in 1 3; do
            run_into 0 out c.yaml --cache $cache -j $threads
            same_reports ref out
            [ "$(shares out results_shared)" -ge 100 ] || fail "$(shares out results_shared) results shared"
            equal "$(shares out numbers_made)" 1
        done
    done
    run_into 0 out c.yaml --exact full
    same_reports ref out
    equal "$(shares out results_shared)" 0
}
