# Where bless writes, and that it does so alone.
# shellcheck shell=bash disable=SC2317,SC2154

# ---- places ----

claim_names_cannot_leave_the_golden_folder() {
    run_sweep
    rm -r out
    mkdir inner
    cp models.yaml inner
    local before
    for name in ../../evil.ci ../evil.ci /evil.ci evil/x.ci ..ci 'a..ci' '.' ''; do
        sed "s|^sweep: .*|sweep: \"$name\"|" g.yaml >inner/e.yaml
        before=$(listing .)
        refused "expected FAMILY.TIER" run inner/e.yaml -o out
        refused "expected FAMILY.TIER" bless inner/e.yaml -o out --reason x --yes
        rm -f out.txt err.txt
        equal "$(listing .)" "$(grep -v 'out.txt\|err.txt' <<<"$before")"
    done
}

claim_a_link_is_not_written_through() {
    run_sweep
    mkdir elsewhere
    ln -s elsewhere golden
    unchanged "'golden' is a link" --yes
    rm golden
    mkdir golden
    ln -s ../elsewhere/g.csv "$golden"
    unchanged "'golden/g.ci.csv' is a link" --yes
    rm "$golden"
    mkdir "$golden"
    unchanged "expected a file" --yes
    rmdir "$golden"
    echo kept >elsewhere/reasons
    ln -s ../elsewhere/reasons golden/REASONS.md
    unchanged "'golden/REASONS.md' is a link" --yes
    [ "$(cat elsewhere/reasons)" = kept ] || fail "written outside"
}

claim_names_that_differ_in_letter_case_alone_do_not_share_a_folder() {
    blessed_run
    sed 's/^sweep: g/sweep: G/' g.yaml >h.yaml
    run_into 4 out.h h.yaml
    refused "letter case alone" bless h.yaml -o out.h --reason x --yes
    expect 2 run g.yaml h.yaml -o both
    says "is already in g.yaml"
}

claim_a_golden_lies_beside_the_folder_sweeps_or_beside_the_file() {
    run_sweep
    rm -r out
    mkdir sweeps
    mv g.yaml models.yaml sweeps
    run_into 4 out sweeps/g.yaml
    expect 0 bless sweeps/g.yaml -o out --reason x --yes
    [ -s golden/g.ci.csv ] || fail "not beside sweeps"
    (cd sweeps && run_into 0 ../out g.yaml) || exit 1
    mv sweeps mine
    run_into 4 out mine/g.yaml
    expect 0 bless mine/g.yaml -o out --reason x --yes
    [ -s mine/golden/g.ci.csv ] || fail "not beside the file"
    run_into 0 out mine/g.yaml
}

claim_the_default_report_folder_is_that_of_run() {
    run_sweep
    rm -r out
    expect 4 run g.yaml
    expect 0 bless g.yaml --reason x --yes
    expect 0 run g.yaml
}

# ---- one at a time ----

claim_two_at_once_leave_one_whole_golden() {
    run_sweep
    for _ in 1 2 3 4 5; do
        rm -rf golden
        pids=() codes=''
        for i in 1 2 3; do
            "$KERNSWEEP" bless g.yaml -o out --reason "try $i" --yes >"out.$i" 2>&1 &
            pids+=($!)
        done
        for pid in "${pids[@]}"; do
            code=0
            wait "$pid" || code=$?
            codes+=" $code"
        done
        [[ $codes == *0* ]] || fail "none was done:$codes"
        [[ ! $codes =~ [124-9] ]] || fail "exit codes$codes"
        equal "$(ls -A golden)" "$(printf 'REASONS.md\ng.ci.csv')"
        equal "$(grep -c '^try ' golden/REASONS.md)" 1
        run_into 0 "again" g.yaml
    done
}

claim_a_bless_waits_for_nobody() {
    run_sweep
    mkdir golden
    exec 9<golden
    flock 9
    expect 3 bless g.yaml -o out --reason x --yes
    says "'golden' is locked: another bless is at work"
    [ ! -e "$golden" ] || fail "something was written"
    exec 9<&-
    bless_it
}
