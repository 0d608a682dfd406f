# shellcheck shell=bash
# diff: two op_logs, two report folders, a report folder and a golden.

point='kernel=decode_opt2 G=2 TILE=4 d=8 S=8'

log() {
    expect 0 show "$1" --oplog
    cp out.txt "$2"
}

claim_equal_logs_are_0() {
    log "$point" a.csv
    cp a.csv b.csv
    expect 0 diff a.csv b.csv
    says 'equal: 59 rows'
}

claim_a_one_cycle_change_is_1_and_told_in_fewer_than_25_lines() {
    log "$point" a.csv
    log "$point math_startup_cycles=9" b.csv
    expect 1 diff a.csv b.csv
    says 'first divergence, its service changed: row 4: MATH fill on math'
    says 'of the rows of math 25 in 25 changed, by +1 cycles'
    says 'last end: 1727.875 -> 1747.875 cycles, +20'
    [ "$(wc -l <out.txt)" -lt 25 ] || fail "$(wc -l <out.txt) lines"
}

claim_a_log_on_the_left_is_what_is_expected() {
    log "$point" a.csv
    log "$point math_startup_cycles=9" b.csv
    expect 1 diff b.csv a.csv
    says 'end      expected 93.125, got 92.125'
}

claim_a_divergence_is_json() {
    log "$point" a.csv
    log "$point policy=rw_aware" b.csv
    expect 1 diff a.csv b.csv --json
    is_json out.txt
    says '"change": "start"'
    expect 0 diff a.csv a.csv --json
    is_json out.txt
    says '"change": "same"'
}

claim_what_cannot_be_compared_is_2() {
    log "$point" a.csv
    refused 'b.csv: found no such file' diff a.csv b.csv
    refused 'expected A B' diff a.csv
    refused 'expected A B' diff a.csv a.csv a.csv
    head -c 510 a.csv >cut.csv
    refused 'the last line does not end with LF' diff a.csv cut.csv
    sed 's/$/\r/' a.csv >crlf.csv
    refused 'line ends' diff crlf.csv a.csv
    sed 5d a.csv >lost.csv
    refused 'lost.csv:5:1: found seq' diff a.csv lost.csv
    echo text >text.csv
    refused "expected two op_logs" diff a.csv text.csv
    : >empty.csv
    refused "expected two op_logs" diff empty.csv a.csv
}
