# Files of goldens: damaged ones, whole op_logs beside them, those that come with the program.
# shellcheck shell=bash disable=SC2317,SC2154

# ---- damage: exit code 2, before anything runs ----

# damaged TEXT: the golden as it is now is refused, with TEXT.
damaged() {
    refused "$1" run g.yaml -o damaged
    [ ! -e damaged ] && [ ! -e damaged.part ] || fail "it ran"
}

claim_a_damaged_golden_is_2_and_its_place_is_named() {
    blessed_sweep
    cp "$golden" blessed.csv
    : >"$golden"
    damaged "$golden: found an empty file"
    sed '$d' blessed.csv >"$golden"
    damaged "$golden:23: found the end of the file, expected the line 'end': it was cut short"
    head -c -5 blessed.csv >"$golden"
    damaged "cut short"
    sed '7d' blessed.csv >"$golden"
    damaged "$golden:22: field 2: found 19 points before, expected '20'"
    sed '7p' blessed.csv >"$golden"
    damaged "$golden:8: field 1: this KEY is already in line 7"
    sed '7{h;d};8G' blessed.csv >"$golden"
    damaged "one was lost, doubled or moved"
    sed 's/$/\r/' blessed.csv >"$golden"
    damaged "$golden:1: found CR in the line ends, expected LF alone"
    sed '5s/$/\r/' blessed.csv >"$golden"
    damaged "$golden:5: found CR in the line ends"
    { printf '\xef\xbb\xbf'; cat blessed.csv; } >"$golden"
    damaged "$golden:1: found a byte order mark"
    sed '2s/,busy_math//' blessed.csv >"$golden"
    damaged "$golden:2: found 34 fields, expected 35"
    cut -d, -f 1-16,18- blessed.csv >"$golden"
    damaged "$golden:1: field 34: found the check"
    sed '2s/busy_gemm,busy_math/busy_math,busy_gemm/' blessed.csv >"$golden"
    damaged "$golden:2: field 17: found column 'busy_math', expected 'busy_gemm'"
    sed '2s/busy_math/busy_maths/' blessed.csv >"$golden"
    damaged "found column 'busy_maths', expected 'busy_math'"
    sed '5s/,pass,/,fail,/' blessed.csv >"$golden"
    damaged "$golden:5: field 35: found the check"
    { cat blessed.csv; echo; } >"$golden"
    damaged "$golden:24: found an empty line"
    sed '1s/golden 1/golden 2/' blessed.csv >"$golden"
    damaged "found format 2, expected 1"
    cp blessed.csv "$golden"
    run_into 0 out g.yaml
}

claim_a_quote_left_open_is_2() {
    blessed_sweep
    cp "$golden" blessed.csv
    sed '$s/,\([0-9a-f]*\)$/,"\1/' blessed.csv >"$golden"
    damaged "found the end of the file in a quoted field"
    sed '7s/,pass,/,"pass,/' blessed.csv >"$golden"
    damaged "$golden:7: "
    sed '7s/,pass,/,"pass",/' blessed.csv >"$golden"
    damaged "$golden:7: found a quote"
}

# As many places as fit into a moment; ci/nightly --long tries every byte.
claim_a_flipped_byte_is_never_0() {
    blessed_sweep
    cp "$golden" blessed.csv
    size=$(stat -c %s blessed.csv)
    for ((at = 3; at < size; at += size / 60)); do
        flip "$at" 1
        expect_not_0 "$at"
    done
}

flip() { # OFFSET MASK
    cp blessed.csv "$golden"
    local byte
    byte=$(od -An -tu1 -j "$1" -N 1 blessed.csv)
    # shellcheck disable=SC2059
    printf "\\x$(printf %x $((byte ^ $2)))" | dd of="$golden" bs=1 seek="$1" conv=notrunc status=none
}

expect_not_0() {
    ks run g.yaml -o flipped -q
    [ "$code" != 0 ] || fail "byte $1 flipped: exit code 0"
    rm -rf flipped flipped.prev
}

# ---- what is no file: never "no golden", and never waited for ----

claim_a_golden_that_is_no_file_is_2() {
    blessed_sweep
    mv "$golden" kept.csv
    mkfifo "$golden"
    damaged "'$golden' is a FIFO, expected a file"
    rm "$golden"
    ln -s nowhere "$golden"
    damaged "'$golden' is a link"
    ln -sf ../kept.csv "$golden"
    damaged "'$golden' is a link"
    rm "$golden"
    mkdir "$golden"
    damaged "'$golden' is a folder"
    rmdir "$golden"
    ln -s /dev/null "$golden"
    damaged "'$golden' is a link"
    mv golden aside
    ln -s aside golden
    damaged "'golden' is a link, expected a folder"
    rm golden
    echo >golden
    damaged "'golden' is a file, expected a folder"
    rm golden
    run_into 4 out g.yaml
    run_into 0 out g.yaml --golden ignore
}

# As somebody who is not root: root may read everything.
claim_a_golden_that_cannot_be_read_is_3() {
    local as=()
    blessed_sweep
    if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid 65534 --clear-groups); fi
    "${as[@]}" test -x . || fail "the tests' folder is closed to others"
    mkdir -m 777 open
    cp "$KERNSWEEP" open/kernsweep
    for closed in "$golden" golden; do
        mode=$(stat -c %a "$closed")
        chmod 000 "$closed"
        code=0
        "${as[@]}" open/kernsweep run g.yaml -o open/out >out.txt 2>err.txt || code=$?
        chmod "$mode" "$closed"
        equal "$code" 3
        says "Permission denied"
        says "$golden"
        says_not "no golden"
    done
}

claim_what_lies_beside_a_golden_and_is_no_file_is_2() {
    blessed_anchor
    mkfifo fifo
    cp -r out kept
    for name in "$log" out/observed.csv out/run.json; do
        mv "$name" aside
        mv fifo "$name"
        if [ "$name" = "$log" ]; then
            refused "found a FIFO '$name', expected a file" run a.yaml -o again
        else
            CI='' refused "found a FIFO '$name', expected a file" bless a.yaml -o out --dry-run
        fi
        mv "$name" fifo
        mv aside "$name"
    done
    refused "fifo: found a FIFO, expected a file" diff "$golden" fifo
    mv out/points.csv aside
    mv fifo out/points.csv
    refused "found a FIFO 'out/points.csv'" diff out kept
    ln -s nowhere link
    refused "link: found a link, expected a file" diff link kept
}

# ---- sweeps that keep whole op_logs ----

anchor_sweep() {
    sweep a <<END
oplog: full
golden: oplog
axes:
  kernel: [decode_opt2, gemm]
set: {d: 16, G: 1, TILE: 16, S: 16, M: 4, K: 8, N: 8}
END
    golden=golden/a.ci.csv
}

blessed_anchor() {
    anchor_sweep
    run_into 4 out a.yaml
    bless a.yaml -o out
    run_into 0 out a.yaml
    log=$(ls golden/oplog/*.csv | head -n 1)
}

claim_whole_op_logs_are_kept_and_are_those_of_the_run() {
    blessed_anchor
    says "golden file: golden/a.ci.csv, 2 rows, with whole op_logs"
    equal "$(ls golden/oplog | xargs)" "$(ls out/oplog | xargs)"
    for file in golden/oplog/*; do same "$file" "out/oplog/$(basename "$file")"; done
    bless a.yaml -o out
    says "nothing to bless"
}

claim_a_kept_op_log_that_was_changed_lost_or_saved_otherwise_is_2() {
    blessed_anchor
    cp "$log" kept.csv
    sed -i 's/$/\r/' "$log"
    refused "$log: found CR in the line ends" run a.yaml -o out
    sed '2s/DISPATCH/STALL/' kept.csv >"$log"
    refused "$log: found other bytes than golden/a.ci.csv:" run a.yaml -o out
    head -c -1 kept.csv >"$log"
    refused "$log: found other bytes" run a.yaml -o out
    : >"$log"
    refused "$log: found other bytes" run a.yaml -o out
    rm "$log"
    refused "$log: found no such file" run a.yaml -o out
    bless a.yaml -o out
    says "op_logs to bring along: 1 file"
    same "$log" kept.csv
    run_into 0 out a.yaml
}

claim_a_kept_op_log_that_no_row_has_is_an_orphan() {
    blessed_anchor
    echo x >golden/oplog/0123456789abcdef.csv
    run_into 1 out a.yaml
    says "orphan: golden/oplog/0123456789abcdef.csv: no row of golden/a.ci.csv has this op_log"
    sed -i 's/kernel: \[decode_opt2, gemm\]/kernel: [decode_opt2]/' a.yaml
    run_into 1 out a.yaml
    says "2 orphan"
    bless a.yaml -o out --prune
    equal "$(ls golden/oplog | wc -l)" 1
    run_into 0 out a.yaml
}

# They share one folder of op_logs, and a point may be in both.
claim_two_sweeps_that_keep_op_logs_leave_each_other_alone() {
    blessed_anchor
    sed 's/^sweep: a/sweep: b/; s/kernel: .*/kernel: [decode_opt2, decode_opt3]/' a.yaml >b.yaml
    run_into 4 outb b.yaml
    bless b.yaml -o outb
    equal "$(ls golden/oplog | wc -l)" 3
    echo notes >golden/notes.csv
    mkdir golden/folder.csv
    mkfifo golden/fifo.csv
    run_into 0 out a.yaml
    run_into 0 outb b.yaml
    bless a.yaml -o out --prune
    says "nothing to bless"
    sed -i 's/kernel: .*/kernel: [gemm]/' a.yaml # opt2 stays, b has it
    run_into 1 out a.yaml
    says "1 match; 1 orphan"
    bless a.yaml -o out --prune
    equal "$(ls golden/oplog | wc -l)" 3
    run_into 0 out a.yaml
    run_into 0 outb b.yaml
    sed -i 's/kernel: .*/kernel: [decode_opt3]/' b.yaml # now nobody has it
    run_into 1 outb b.yaml
    says "1 match; 1 orphan"
    bless b.yaml -o outb --prune
    equal "$(ls golden/oplog | wc -l)" 2
    run_into 0 out a.yaml
    run_into 0 outb b.yaml
}

claim_an_op_log_of_another_golden_that_was_changed_is_2_and_not_pruned() {
    blessed_anchor
    sed 's/^sweep: a/sweep: b/; s/kernel: .*/kernel: [decode_opt3]/' a.yaml >b.yaml
    run_into 4 outb b.yaml
    bless b.yaml -o outb
    sed -i 's/DISPATCH/STALL/' "golden/oplog/$(ls outb/oplog)"
    refused "found other bytes than golden/b.ci.csv:3 pins" run a.yaml -o out
    CI='' refused "found other bytes" bless a.yaml -o out --prune --reason x --yes
    equal "$(ls golden/oplog | wc -l)" 3
    sed -i '4d' golden/b.ci.csv
    refused "golden/b.ci.csv:4: found the end of the file" run a.yaml -o out
}

claim_a_linked_folder_inside_of_the_golden_folder_is_not_written_through() {
    anchor_sweep
    run_into 4 out a.yaml
    mkdir golden elsewhere
    ln -s ../elsewhere golden/oplog
    CI='' refused "'golden/oplog' is a link" bless a.yaml -o out --reason x --yes
    [ -z "$(ls elsewhere)" ] || fail "written outside"
}

claim_keeping_op_logs_needs_them() {
    anchor_sweep
    sed -i 's/oplog: full/oplog: hash/' a.yaml
    refused "expected oplog: full" run a.yaml -o out
    sed -i 's/oplog: hash/mode: dispatch/' a.yaml
    refused "expected oplog: full" run a.yaml -o out
}

claim_a_sweep_saved_with_other_line_ends_is_2() {
    blessed_sweep
    sed -i 's/$/\r/' g.yaml
    refused "line ends" run g.yaml -o out
}

# ---- the goldens that come with the program ----

claim_the_shipped_smoke_sweeps_match_their_goldens() {
    for file in "$SOURCE"/sweeps/*.smoke.yaml; do
        run_into 0 "out.$(basename "$file" .yaml)" "$file" --golden require
        says " match"
    done
}

claim_every_shipped_sweep_that_wants_a_golden_has_it() {
    for file in "$SOURCE"/sweeps/*.{smoke,ci,nightly}.yaml; do
        if grep -q '^golden: none' "$file"; then continue; fi
        [ -s "$SOURCE/golden/$(basename "$file" .yaml).csv" ] || fail "no golden of $file"
    done
    for file in "$SOURCE"/golden/*.csv; do
        [ -e "$SOURCE/sweeps/$(basename "$file" .csv).yaml" ] || fail "no sweep of $file"
    done
    [ "$(du -sk "$SOURCE/golden" | cut -f 1)" -lt 6000 ] || fail "goldens have grown: $(du -sh "$SOURCE/golden")"
}

# For ci/nightly --long: three other values of each byte of a golden of 20 points.
long_no_flipped_byte_is_0() {
    blessed_sweep
    cp "$golden" blessed.csv
    local size at mask
    size=$(stat -c %s blessed.csv)
    for ((at = 0; at < size; at++)); do
        for mask in 1 2 32; do
            flip "$at" $mask
            expect_not_0 "$at"
        done
    done
    echo "$((3 * size)) flips of a golden of $size bytes, none with exit code 0"
}
