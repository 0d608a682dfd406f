# Larger sweeps; ctest label slow.
# shellcheck shell=bash disable=SC2317

claim_the_sweeps_of_tier_ci_give_the_same_bytes_with_any_threads() {
    for name in decode.ci legacy.ci; do
        run_into 0 "$name.1" "$SOURCE/sweeps/$name.yaml" --golden ignore -j 1
        for threads in 2 8; do
            run_into 0 "$name.$threads" "$SOURCE/sweeps/$name.yaml" --golden ignore -j $threads
            same_reports "$name.1" "$name.$threads"
        done
    done
}

claim_the_shipped_sweeps_of_tier_ci_match_their_goldens() {
    for name in decode.ci legacy.ci; do
        run_into 0 "$name" "$SOURCE/sweeps/$name.yaml" --golden require
        says " match"
    done
}

claim_interrupts_at_any_moment_never_pass_for_a_whole_run() {
    long_sweep
    sed -i 's/20000, 1\]/60, 1]/; s/S: 20000/S: 5000/' long.yaml
    for i in {1..20}; do
        rm -rf out out.part
        begin run long.yaml -o out
        sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
        kill -INT "$pid" 2>/dev/null || true
        end_of "$pid" 5
        case $code in
        0) [ -d out ] && [ ! -e out.part ] || fail "$i: 0, but not whole" ;;
        3) [ ! -e out ] || fail "$i: 3, but kept as finished" ;;
        130) [ ! -e out ] || fail "$i: killed, but kept as finished" ;; # before it could listen
        *) fail "$i: exit code $code" ;;
        esac
    done
}

# Progress is said every ten seconds where no terminal is.
claim_progress_on_a_closed_standard_error_stays_out_of_the_report() {
    long_sweep
    sed -i 's/20000, 1\]/40, 1]/' long.yaml
    "$KERNSWEEP" run long.yaml -o out -j 2 --progress plain 2>&- >out.txt &
    pid=$!
    await out.part
    kill -STOP "$pid"
    sleep 10.5
    kill -CONT "$pid"
    end_of "$pid" 100
    equal "$code" 0
    check_folder out
}

# Byte for byte, from nothing but sweeps, calibration and the text around the blocks.
claim_the_record_of_adr_0065_is_collected_anew_to_the_same_bytes() {
    cp -r "$SOURCE/sweeps" .
    mkdir -p reports/adr
    cp "$SOURCE/reports/adr/adr-0065.md" reports/adr
    expect 0 adr sweeps/*.table.yaml --collect
    says 'adr-0065: simulating 112 points'
    (cd "$SOURCE/reports" && find adr -type f | sort) >wanted.txt
    (cd reports && find adr -type f | sort) >found.txt
    same wanted.txt found.txt
    while read -r file; do same "$SOURCE/reports/$file" "reports/$file"; done <wanted.txt
}
