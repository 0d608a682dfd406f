# shellcheck shell=bash
# study: from a study file to its report folder.

# study NAME: writes NAME.yaml of a study of two constants; its lines from methods on come from
# standard input.
study() {
    {
        cat <<END
study: $1
about: a test
base: "G=8 TILE=64 d=128 S=256"
kernels: [decode_opt2, decode_opt3]
constants:
  - {name: dispatch_fixed_cycles, low: 0, high: 80, source: a test}
  - {name: dma_latency_cycles, low: 100, high: 400}
figures:
  - {name: ratio, expr: "decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile", gate: "> 2"}
  - {name: faster, expr: "decode_opt3.total_cycles / decode_opt2.total_cycles", gate: "> 9"}
END
        cat
    } >"$1.yaml"
}

some_methods() {
    cat <<END
methods:
  - oat: {}
  - centered: {steps: 2}
  - pairs: {levels: 5}
  - morris: {r: 4}
  - sobol: {N: 16, second_order: true}
  - filter: {N: 32}
END
}

claim_a_study_leaves_a_file_a_method_and_a_page() {
    some_methods | study t
    expect 0 study t.yaml
    says 'report: reports/t'
    for file in constants figures oat centered pairs morris sobol sobol-pairs filter robustness; do
        check_fields "reports/t/$file.csv"
        grep -qE "^\| $file.csv \|" reports/t/study.md || fail "no columns of $file.csv on the page"
    done
    is_json reports/t/run.json
    grep -q '| ratio | .* | 4.0880579 | 3389/829 | > 2 | pass |' reports/t/study.md || fail "no base figure"
    equal "$(grep '^## ' reports/t/study.md | head -n 3 | paste -sd,)" \
        "## Constants and ranges,## Figures at the base,## Does each gate survive"
    [ ! -e reports/t.part ] || fail "reports/t.part is left"
}

claim_the_folder_before_is_kept_once() {
    some_methods | study t
    expect 0 study t.yaml -o out
    expect 0 study t.yaml -o out
    for file in out/*; do
        [ "$file" = out/run.json ] || same "$file" "out.prev/${file#out/}"
    done
}

claim_any_number_of_threads_writes_the_same_bytes() {
    some_methods | study t
    expect 0 study t.yaml -o one -j 1
    expect 0 study t.yaml -o many -j 7
    for file in one/*; do
        [ "$file" = one/run.json ] || same "$file" "many/${file#one/}"
    done
    grep -qF '"threads": 7' many/run.json || fail "run.json does not say the threads"
}

claim_a_gate_that_does_not_hold_is_1_with_gate_alone() {
    echo 'methods: [oat: {}]' | study t
    expect 0 study t.yaml -o out
    says 'gates: 1 that do not hold'
    expect 1 study t.yaml -o out --gate
    sed -i 's/> 9/< 9/' t.yaml
    expect 0 study t.yaml -o out --gate -q
    [ ! -s out.txt ] || fail "-q says something"
}

claim_what_is_wrong_with_a_study_is_2_and_leaves_nothing() {
    echo 'methods: [sobol: {N: 100}]' | study t
    refused "t.yaml:11:22: found '100' for N, expected a power of two" study t.yaml
    echo 'methods: [oat: {}, grid: {levels: 1000}]' | study t
    sed -i '7a\  - {name: queue_depth, low: 1, high: 8}' t.yaml
    refused 't.yaml:12:20: found 1000 levels for 3 constants, expected 1048576 calibrations' study t.yaml
    echo 'methods: [oat: {}, certificate: {box: 0}]' | study t
    refused "t.yaml:11:39: found '0' for box" study t.yaml
    sed -i 's/, gate: .*}/}/; s/box: 0/box: 1/' t.yaml
    refused 't.yaml:11:20: found no gate' study t.yaml
    sed -i '/^methods/d' t.yaml
    refused 'found no methods' study t.yaml
    refused 'no.yaml' study no.yaml
    refused 'found 0 arguments' study
    [ ! -e reports ] || fail "something is left in reports"
}

claim_an_unfinished_folder_is_refused() {
    echo 'methods: [oat: {}]' | study t
    mkdir -p out.part
    refused "'out.part' is there" study t.yaml -o out
    [ -d out.part ] || fail "it took out.part away"
}

claim_an_interrupted_study_is_3_and_leaves_nothing() {
    echo 'methods: [grid: {levels: 1000}]' | study t
    sed -i 's/S=256/S=65536/' t.yaml
    begin study t.yaml -o out -j 2
    await out.part
    kill -INT "$pid"
    end_of "$pid" 10
    equal "$code" 3
    says interrupted
    [ ! -e out ] && [ ! -e out.part ] || fail "something is left"
}

claim_a_range_may_stand_in_the_calibration_file() {
    echo 'methods: [oat: {}]' | study t
    sed -i 's/  - {name: dma_latency_cycles.*/  - dma_latency_cycles/; s/^kernels.*/&\ncalibration: board/' t.yaml
    mkdir calibration
    echo 'constants: {dma_latency_cycles: {value: 310, low: 280, high: 350, unit: cycle, source: "measured, board 3"}}' \
        >calibration/board.yaml
    expect 0 study t.yaml -o out
    equal "$(grep '^dma_latency' out/constants.csv)" 'dma_latency_cycles,cycle,280,310,350,,"measured, board 3"'
    equal "$(awk -F, '$2 == "dma_latency_cycles" { print $4, $5, $6 }' out/oat.csv | sort -u)" '280 310 350'
    sed -i 's/, low: 280, high: 350//' calibration/board.yaml
    refused 'found no range of dma_latency_cycles' study t.yaml
}

claim_points_without_figures_are_told() {
    echo 'methods: [oat: {}]' | study t
    sed -i 's/{name: dma_latency_cycles.*/{name: tcm_bytes, low: 1000, high: 1048576}/' t.yaml
    expect 0 study t.yaml -o out
    says 'without figures: kernel=decode_opt3 G=8 TILE=64 d=128 S=256 tcm_bytes=1000: infeasible tcm_overflow'
    equal "$(awk -F, '$2 == "tcm_bytes" { print $7 "," $11 }' out/oat.csv | sort -u)" ",unknown"
}

claim_flips_are_exact_and_the_same_on_any_number_of_threads() {
    echo 'methods: [flips: {}]' | study t
    sed -i 's/> 9/> 1/; s/low: 0, high: 80/low: 0, high: 20/; s/^kernels.*/&\ncalibration: c/' t.yaml
    mkdir calibration
    echo 'constants: {dispatch_fixed_cycles: 10, dispatch_cycles_per_byte: 0.0625}' >calibration/c.yaml
    expect 0 study t.yaml -o one -j 1
    expect 0 study t.yaml -o many -j 3
    same one/flips.csv many/flips.csv
    equal "$(grep '^ratio,> 2,dispatch_fixed' one/flips.csv | cut -d, -f4-6,8-12)" \
        "10,3.9375,63/16,3.9375,3.9376,fail,pass,closed form"
    equal "$(grep -c 'every order of instants' one/flips.csv)" 1
    grep -q '^faster,.*every service,100,400,' one/flips.csv || fail "dma_latency_cycles is not walked to its ends"
    equal "$(grep '^ratio' one/robustness.csv | cut -d, -f10,11)" "dispatch_fixed_cycles,3.9375"
}

claim_boundaries_are_polylines_and_the_same_on_any_number_of_threads() {
    echo 'methods: [boundary: {levels: 5}]' | study t
    sed -i 's/> 9/> 1/; s/dma_latency_cycles, low: 100, high: 400/dispatch_cycles_per_byte, low: 0.04, high: 1/' t.yaml
    expect 0 study t.yaml -o one -j 1
    expect 0 study t.yaml -o many -j 3
    for file in boundaries boundary-lines boundary-vertices; do
        check_fields "one/$file.csv"
        same "one/$file.csv" "many/$file.csv"
        grep -qE "^\| $file.csv \|" one/study.md || fail "no columns of $file.csv on the page"
    done
    equal "$(grep '^ratio' one/boundaries.csv)" \
        "ratio,> 2,dispatch_fixed_cycles,dispatch_cycles_per_byte,all flips,1,8,10,10"
    equal "$(grep '^ratio' one/boundary-vertices.csv | cut -d, -f5-8,10,13-15 | head -n 1)" \
        "1,open,2.52,0.04,63/25,fail,pass,closed form"
}

claim_a_certificate_that_is_not_proved_is_1_with_gate_alone() {
    printf 'methods:\n  - certificate: {box: 10}\n  - whatif: {}\n' | study t
    sed -i '/name: faster/d' t.yaml
    expect 0 study t.yaml -o out --gate
    equal "$(cells out/robustness.csv verdict)" proved-pass
    check_fields out/whatif.csv
    check_fields out/whatif-figures.csv
    sed -i 's/box: 10/box: 95/' t.yaml
    expect 1 study t.yaml -o out --gate
    says 'gate ratio > 2: mixed over +-95 % of every constant, expected a proof'
    equal "$(cells out/robustness.csv verdict)" mixed
    expect 0 study t.yaml -o out
    # The worst calibration is one that can be run.
    key=$(column out/certificate.csv worst_corner | cut -d'|' -f1)
    expect 0 show "$key"
    says 'dispatch_cycles_per_tile'
}

claim_the_shipped_studies_are_read() {
    cp -r "$SOURCE/sweeps" .
    for file in sweeps/studies/*.yaml; do
        sed '/^methods:/,$d' "$file" >"sweeps/studies/t.yaml"
        echo 'methods: [oat: {}]' >>"sweeps/studies/t.yaml"
        expect 0 study sweeps/studies/t.yaml -o out
    done
}

claim_gate_says_which_gate_is_red_and_why_though_quiet() {
    echo 'methods: [oat: {}]' | study t
    expect 1 study t.yaml -o out --gate -q
    says 'gate faster > 9: does not hold at the base'
    says_not 'gate ratio'
    sed -i 's/gate: "> 9"/gate: "> decode_opt2{TILE=65536}.total_cycles"/' t.yaml
    expect 1 study t.yaml -o out --gate -q
    says 'gate faster > decode_opt2{TILE=65536}.total_cycles: no answer, a figure that it needs is missing at the base'
    says 'without figures: kernel=decode_opt2 G=8 TILE=65536'
    sed -i 's/, gate: .*}/}/' t.yaml
    refused 't.yaml: found no figure with a gate, expected one for --gate' study t.yaml --gate
}
