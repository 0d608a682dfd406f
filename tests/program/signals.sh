# Signals: what is done is kept, the exit code says that it is not all.
# shellcheck shell=bash disable=SC2317

stopped_by() {
    long_sweep
    begin run long.yaml -o out
    await out.part
    sleep 0.3
    kill "-$1" "$pid"
    end_of "$pid" 5
    equal "$1: exit code $code" "$1: exit code 3"
    says "verdict: exit 3, incomplete"
    says "out.part"
    check_accounts
    [ ! -e out ] || fail "kept as a finished run"
    [ -d out.part ] || fail "out.part is gone"
    [ ! -e out.part/run.json ] || is_json out.part/run.json
    expect 2 run long.yaml -o out
}

claim_an_interrupt_ends_with_3_and_keeps_the_part() { stopped_by INT; }
claim_a_termination_ends_with_3_and_keeps_the_part() { stopped_by TERM; }
claim_a_hang_up_ends_with_3_and_keeps_the_part() { stopped_by HUP; }

claim_a_second_signal_ends_the_process_by_itself() {
    : >err.txt
    sweep slow <<END
golden: none
axes:
  kernel: [decode_opt1]
  TILE: [1]
set: {S: 4194304, d: 128, G: 8}
END
    for signal in INT TERM; do
        rm -rf out.part
        begin run slow.yaml -o out
        await out.part
        sleep 0.3
        kill "-$signal" "$pid"
        sleep 0.3
        kill "-$signal" "$pid"
        end_of "$pid" 2
        case $signal in INT) want=130 ;; TERM) want=143 ;; esac
        equal "$signal: $code" "$signal: $want"
        [ -d out.part ] && [ ! -e out ] || fail "what it leaves"
    done
}

# Nor does what an earlier run left say that all is well.
claim_the_next_sweep_does_not_begin_after_an_interrupt() {
    long_sweep
    t_sweep
    mkdir out
    touch out/summary.md out/junit.xml out/run.json
    begin run long.yaml t.yaml -o out
    await out/long.ci.part
    sleep 0.3
    kill -INT "$pid"
    end_of "$pid" 5
    equal "$code" 3
    equal "$(ls out)" long.ci.part
}

claim_list_ends_at_the_first_interrupt() {
    many big 900000
    begin list big.yaml --set 'S={range: [1, 11, 1]}' --points
    sleep 0.3
    kill -INT "$pid"
    end_of "$pid" 2
    case $code in 3 | 130) ;; *) fail "exit code $code" ;; esac
}

claim_show_ends_at_the_first_interrupt() {
    begin show 'kernel=decode_opt1 G=8 TILE=1 d=128 S=4194304'
    sleep 0.3
    kill -INT "$pid"
    end_of "$pid" 2
    case $code in 3 | 130) ;; *) fail "exit code $code" ;; esac
}

# As under nohup.
claim_a_hang_up_that_is_ignored_stays_ignored() {
    long_sweep
    trap '' HUP
    begin run long.yaml -o out
    trap - HUP
    await out.part
    sleep 0.3
    kill -HUP "$pid"
    sleep 0.5
    kill -0 "$pid" 2>/dev/null || fail "ended by it"
    kill -TERM "$pid"
    end_of "$pid" 5
    equal "$code" 3
}
