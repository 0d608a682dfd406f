# What a run says of its failures: causes, where they hold, and the commands that show them.
# shellcheck shell=bash disable=SC2317

# Errors at one cap, elements that are not finite at another: two causes.
two_causes() {
    sweep two <<END
golden: none
mode: data
axes:
  kernel: [decode_opt2, decode_opt3]
  TILE: [16, 32, 64]
  max_composite_logical_bytes: [39, 1024]
  dist: [normal, large]
set: {S: 64, d: 16, G: 2}
END
}

claim_each_cause_is_a_paragraph_with_its_region_and_its_smallest_point() {
    two_causes
    expect 1 run two.yaml -o out
    says "red in two.ci: 18 points, 2 causes"
    says "1. error op_over_cap"
    says "   12 points with max_composite_logical_bytes == 39"
    says "2. elements of OUT are not finite"
    says "   6 points with max_composite_logical_bytes == 1024 and dist == large"
    says "   smallest: kernel=decode_opt2 G=2 TILE=64 d=16 S=64 max_composite_logical_bytes=39: error, "
    [ "$(wc -l <out.txt)" -lt 20 ] || fail "$(wc -l <out.txt) lines"
}

claim_the_commands_of_a_cause_show_its_points_and_no_other() {
    two_causes
    expect 1 run two.yaml -o out --set TILE=16,48
    grep '^   kernsweep run' out.txt >commands
    equal "$(wc -l <commands)" 2
    eval "$(sed -n '1s/^ *kernsweep/expect 1/p' commands)"
    counted 8 error
    says "planned 8 ="
    eval "$(sed -n '2s/^ *kernsweep/expect 1/p' commands)"
    counted 4 fail
    says "planned 4 ="
    says "all 4 points"
    equal "$(cells reports/again/points.csv TILE)" "16 48 16 48"
}

claim_what_no_three_boxes_hold_says_how_much_its_bounds_hold() {
    many m 64
    sed -i '/^  seed:/d; s/^  kernel: .*/  kernel: [decode_opt2]\n  TILE: [1, 2, 4, 8, 16]\n  seed: [1, 2, 3, 4, 5]/' m.yaml
    sed -i 's/, TILE: 16//' m.yaml
    printf 'expect:\n  - {when: "(TILE == 1 and seed == 2) or (TILE == 2 and seed == 3) or (TILE == 4 and seed == 4) or (TILE == 8 and seed == 5)", why: x}\n' >>m.yaml
    expect 1 run m.yaml -o out
    says "red in m.ci: 4 points, 1 cause"
    says "4 of the 16 points with TILE <= 8 and seed >= 2"
}

claim_a_region_of_several_boxes_is_told_exactly() {
    two_causes
    sed -i 's/^  dist: .*/  dist: [large]/; s/\[39, 1024\]/[1024]/' two.yaml
    cat >>two.yaml <<END
exclude:
  - {when: "kernel == decode_opt3 and TILE == 64", why: x}
expect:
  - {when: "kernel == decode_opt2 and TILE == 16", why: a}
  - {when: "kernel == decode_opt3 and TILE == 32", why: b}
END
    expect 1 run two.yaml -o out
    says "red in two.ci: 3 points, 1 cause"
    # The excluded point is in no region: what ran is what counts.
    says "3 points with (kernel == decode_opt2 and TILE >= 32) or (kernel == decode_opt3 and TILE == 16)"
    condition=$(sed -nE 's/^   3 points with (.*)$/\1/p' out.txt)
    expect 0 list two.yaml --points --where "$condition"
    equal "$(wc -l <out.txt)" 3
}

# decode and bench side by side: a shape that a kernel does not take is in no condition.
claim_models_and_shapes_that_a_kernel_lacks_are_told() {
    sweep both <<END
golden: none
mode: dispatch
axes:
  kernel: [decode_opt2, gemm]
  model: [llama3-8b, llama3-70b, qwen2.5-7b]
  TILE: [16, 64]
  M: [8, 16]
set: {S: 64, K: 32, N: 32}
expect:
  - {when: "model == 'qwen2.5-7b' and TILE == 64", why: c}
  - {when: "M == 16", why: d}
END
    expect 1 run both.yaml -o out
    says "2 causes"
    says "1 point with kernel == decode_opt2 and model == 'qwen2.5-7b' and TILE == 64"
    says "1 point with kernel == gemm and M == 16"
    says "   the rule says: c"
    says "   the rule says: d"
}

claim_ten_causes_are_told_and_the_rest_is_counted() {
    many m 15
    echo "expect:" >>m.yaml
    for i in {1..15}; do echo "  - {when: \"seed == $i\", why: rule $i}" >>m.yaml; done
    expect 1 run m.yaml -o out
    says "red in m.ci: 15 points, 15 causes"
    says "   the rule says: rule 10"
    says_not "the rule says: rule 11"
    says "and 5 points of other causes"
}

claim_causes_are_the_same_for_any_number_of_threads() {
    two_causes
    ks run two.yaml -o a -j 1
    sed -n '/^red in/,/^report/p' out.txt | sed '/^report/d' >one
    ks run two.yaml -o b -j 8
    sed -n '/^red in/,/^report/p' out.txt | sed '/^report/d' >eight
    [ -s one ] || fail "nothing is red"
    same one eight
}

claim_after_fail_fast_a_region_speaks_of_what_ran() {
    many m 3000
    printf 'expect:\n  - {when: "seed >= 50", why: x}\n' >>m.yaml
    expect 1 run m.yaml -o out --fail-fast
    ran=$(($(wc -l <out/points.csv) - 1))
    says "$((ran - 49)) points with seed >= 50"
}

claim_three_groups_of_a_red_gate_are_told_and_the_rest_is_counted() {
    t_sweep
    sed -i 's/ > 2"/ > 5"/; s/TILE: .*/TILE: [16, 32, 64, 128, 256]/' t.yaml
    expect 1 run t.yaml -o out
    says "red in t.ci: 5 gate groups"
    says "gate ratio at TILE=64: "
    says_not "gate ratio at TILE=128"
    says "and 2 more groups where gate ratio is no"
}
