# With little address space, stack or file size. Not with sanitizers: they reserve terabytes, need
# more stack, and keep their own memory in a file.
# shellcheck shell=bash disable=SC2317

# 30 axes of two values.
bomb() {
    {
        printf 'sweep: bomb.ci\nabout: x\ngolden: none\naxes:\n  kernel: [decode_opt2, decode_opt3]\n'
        for name in G TILE d S; do echo "  $name: [8, 16]"; done
        echo '  dtype: [f16, bf16]'
        echo '  policy: [serial, rw_aware]'
        echo '  s_buffers: [1, 2]'
        echo '  stream_in_prologue: [0, 1]'
        echo '  seed: [1, 2]'
        for name in clock_ghz dispatch_fixed_cycles dispatch_cycles_per_byte max_composite_logical_bytes \
            op_header_bytes operand_bytes queue_depth tcm_bytes stream_buffers operand_buffers acc_buffers \
            dma_bytes_per_cycle dma_latency_cycles dma_burst_bytes fetch_bytes_per_cycle \
            store_bytes_per_cycle gemm_rows gemm_cols gemm_fill_cycles gemm_tile_m; do
            echo "  $name: [1, 2]"
        done
    } >bomb.yaml
    equal "$(grep -c '\[' bomb.yaml)" 30
}

claim_a_grid_of_2_to_the_30_is_refused_at_once_in_little_memory() {
    bomb
    for verb in list run; do
        start=$(date +%s%N)
        (ulimit -v 524288 && refused "1073741824 points" $verb bomb.yaml) || exit 1
        [ $(($(date +%s%N) - start)) -lt 1000000000 ] || fail "$verb took more than a second"
    done
    [ ! -e reports ] || fail "something was written"
}

claim_a_grid_whose_size_overflows_is_refused() {
    bomb
    for name in G TILE d S seed; do sed -i "s/^  $name: .*/  $name: {range: [1, 1000000, 1]}/" bomb.yaml; done
    (ulimit -v 1048576 && refused "points" list bomb.yaml --max-points 9223372036854775807) || exit 1
}

claim_a_grid_within_the_limit_takes_little_memory() {
    many m 1000000
    (ulimit -v 300000 && expect 0 list m.yaml) || exit 1
    many m 20000
    (ulimit -v 300000 && run_into 0 out m.yaml -j 2) || exit 1
}

claim_memory_that_runs_out_in_a_point_is_3() {
    many m 1
    sed -i 's/mode: dispatch/mode: timing/; s/S: 64/S: 4194304/; s/TILE: 16/TILE: 1/' m.yaml
    (ulimit -v 200000 && expect 3 run m.yaml -o out -j 1) || exit 1
    says out_of_memory
}

claim_a_file_that_may_not_grow_is_3_and_leaves_the_finished_run() {
    many m 5000
    run_into 0 out m.yaml --where 'seed < 5'
    before=$(listing out)
    (ulimit -f 64 && expect 3 run m.yaml -o out && says "File too large") || exit 1
    equal "$(listing out)" "$before"
    [ -d out.part ] || fail "out.part is gone"
}

claim_a_full_op_log_that_may_not_grow_is_3() {
    t_sweep
    (ulimit -f 64 && expect 3 run t.yaml -o out --oplog full) || exit 1
    [ ! -e out ] || fail "kept as a finished run"
}

claim_small_stacks_of_threads_are_enough() {
    run_into 0 ref "$SOURCE/sweeps/decode.smoke.yaml" --golden ignore
    for size in 16k 64k; do
        (export OMP_STACKSIZE=$size && run_into 0 "s$size" "$SOURCE/sweeps/decode.smoke.yaml" --golden ignore -j 8) || exit 1
        same_reports ref "s$size"
    done
}

claim_a_golden_that_cannot_be_written_leaves_the_old_one() {
    blessed_run
    forge 3 busy_math 1
    run_into 1 out g.yaml
    cp "$golden" before.csv
    code=$(ulimit -f 0; "$KERNSWEEP" bless g.yaml -o out --reason x --yes >/dev/null 2>&1 || echo $?)
    equal "$code" 3
    same before.csv "$golden"
    equal "$(ls -A golden)" "$(printf 'REASONS.md\ng.ci.csv')"
}

claim_a_table_that_may_not_grow_is_3_and_keeps_what_was_there() {
    # shellcheck source=/dev/null
    source "$SOURCE/tests/program/adr.sh" # table
    table
    cp -r doc before
    sed -i 's/> 2"/> 3"/' table.yaml
    (ulimit -f 0 && expect 3 adr table.yaml) || exit 1
    diff -r before doc || fail 'what was there has changed'
}
