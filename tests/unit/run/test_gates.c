/* Gates: which groups are asked, and what they answer. */
#include "run_bench.h"

#include "run/pool.h"

#define DISPATCH "mode: dispatch\n"
#define OPT23 "axes:\n  kernel: [decode_opt2, decode_opt3]\n"
#define RATIO "decode_opt3.dispatch_cycles_per_tile / decode_opt2.dispatch_cycles_per_tile"

/* Runs the sweep and compares every line of its gates: NAME [GROUP] VALUE OP LIMIT ANSWER. */
static ks_account expect_gates(const char *yaml, const char *lines) {
    bench_run *b = bench_run_all(yaml, 1);
    assert_string_equal(ks_text_string(&b->gates), lines);
    const ks_account account = b->account;
    bench_run_free(b);
    return account;
}

/* ---- groups ---- */

static void a_gate_is_asked_once_per_combination_of_the_axes_that_no_side_fixes(void **state) {
    (void)state;
    const ks_account account =
        expect_gates(DISPATCH OPT23 "  S: [64, 128]\n"
                                    "  TILE: [16, 64]\n"
                                    "set: {G: 8, d: 128}\n"
                                    "gates:\n"
                                    "  - {name: ratio, expr: \"" RATIO " > 2\"}\n",
                     "ratio [TILE=16 S=64] 4.088057901085645 > 2 yes\n"
                     "ratio [TILE=64 S=64] 4.088057901085645 > 2 yes\n"
                     "ratio [TILE=16 S=128] 4.088057901085645 > 2 yes\n"
                     "ratio [TILE=64 S=128] 4.088057901085645 > 2 yes\n");
    assert_int_equal(account.gate_groups[KS_GATE_yes], 4);
    assert_int_equal(account.gates_red, 0);
}

static void an_axis_that_a_side_fixes_is_not_part_of_the_group(void **state) {
    (void)state;
    expect_gates(
        DISPATCH OPT23
        "  S: [64, 128]\n"
        "  TILE: [16, 64]\n"
        "set: {G: 8, d: 128}\n"
        "gates:\n"
        "  - {name: g, expr: \"decode_opt3{TILE=16}.tiles > decode_opt2{TILE=64}.tiles\"}\n",
        "g [S=64] 4 > 1 yes\n"
        "g [S=128] 8 > 2 yes\n");
}

static void constants_zips_and_one_step_axes_make_groups_and_sets_do_not(void **state) {
    (void)state;
    expect_gates(DISPATCH OPT23 "  dispatch_fixed_cycles: [40.5]\n"
                                "zip:\n"
                                "  - {TILE: [16, 64], G: [8, 4]}\n"
                                "set: {S: 64, d: 128}\n"
                                "gates:\n"
                                "  - {name: g, expr: \"decode_opt3.tiles == decode_opt2.tiles\"}\n",
                 "g [G=8 TILE=16 dispatch_fixed_cycles=40.5] 4 == 4 yes\n"
                 "g [G=4 TILE=64 dispatch_fixed_cycles=40.5] 1 == 1 yes\n");
}

static void a_column_alone_is_asked_of_every_kernel(void **state) {
    (void)state;
    expect_gates(DISPATCH OPT23 "set: {G: 8, TILE: 16, S: 64, d: 128}\n"
                                "gates:\n"
                                "  - {name: g, expr: \"tiles == 4\"}\n",
                 "g [kernel=decode_opt2] 4 == 4 yes\n"
                 "g [kernel=decode_opt3] 4 == 4 yes\n");
}

static void a_model_in_a_side_fixes_its_heads_and_finds_joined_labels(void **state) {
    (void)state; /* llama3-8b and mistral-7b have the same heads and are one point */
    expect_gates(DISPATCH "axes:\n"
                          "  kernel: [decode_opt2]\n"
                          "  model: [llama3-8b, mistral-7b, llama3-70b]\n"
                          "  TILE: [16, 64]\n"
                          "set: {S: 64}\n"
                          "gates:\n"
                          "  - name: g\n"
                          "    expr: \"decode_opt2{model='mistral-7b'}.tcm_peak_bytes <\n"
                          "      decode_opt2{model='llama3-70b'}.tcm_peak_bytes\"\n"
                          "  - name: h\n"
                          "    expr: \"decode_opt2{model='llama3-8b'}.commands == 15\"\n",
                 "g [TILE=16] 4480 < 8832 yes\n"
                 "g [TILE=64] 5248 < 10368 yes\n"
                 "h [TILE=16] 15 == 15 yes\n"
                 "h [TILE=64] 9 == 15 no red\n");
}

static void copies_of_a_point_make_no_group_of_their_own(void **state) {
    (void)state; /* the benches take no S: 2 of 4 indices are not applicable */
    const ks_account account =
        expect_gates(DISPATCH "axes:\n"
                              "  kernel: [gemm, gemm_chain]\n"
                              "  S: [64, 128]\n"
                              "set: {M: 16, K: 64, N: 64}\n"
                              "gates:\n"
                              "  - {name: g, expr: \"gemm.commands < gemm_chain.commands\"}\n",
                     "g [] 1 < 2 yes\n");
    assert_int_equal(account.gates_not_asked, 0);
}

static void lines_come_by_gate_then_by_group_in_grid_order(void **state) {
    (void)state;
    expect_gates(DISPATCH OPT23 "  TILE: [64, 16]\n"
                                "set: {G: 8, S: 64, d: 128}\n"
                                "gates:\n"
                                "  - {name: z, expr: \"decode_opt2.tiles > 0\"}\n"
                                "  - {name: a, expr: \"decode_opt3.tiles > 0\"}\n",
                 "z [TILE=64] 1 > 0 yes\n"
                 "z [TILE=16] 4 > 0 yes\n"
                 "a [TILE=64] 1 > 0 yes\n"
                 "a [TILE=16] 4 > 0 yes\n");
}

/* A side that another side's fixed axis leaves open stands for several points: one of them must
 * not answer for the others. */
static void a_side_with_several_points_in_a_group_does_not_pass(void **state) {
    static const char yaml[] = HEAD DISPATCH OPT23
        "  TILE: [16, 64]\n"
        "set: {G: 8, S: 64, d: 128}\n"
        "gates:\n"
        "  - {name: g, expr: \"decode_opt3{TILE=16}.tiles > decode_opt2.tiles\"}\n";
    ks_sweep *sweep;
    ks_error error = {""};
    ks_sweep_options options = {0};
    (void)state;
    options.column_count = ks_gate_columns(&options.columns);
    if (ks_sweep_parse(FILE_NAME, yaml, strlen(yaml), &ks_kernels, &options, &sweep, &error))
        return;
    ks_sweep_free(sweep);
    bench_run *b = bench_run_all(yaml + strlen(HEAD), 1); /* not refused: then it is in doubt */
    assert_int_equal(b->account.gate_groups[KS_GATE_yes], 0);
    assert_int_equal(b->account.gate_groups[KS_GATE_no], 0);
    assert_int_equal(b->account.gates_red, 1);
    bench_run_free(b);
}

/* ---- when, expect ---- */

static void when_leaves_groups_out_without_a_count(void **state) {
    (void)state;
    const ks_account account = expect_gates(
        DISPATCH OPT23 "  TILE: [16, 64, 128]\n"
                       "set: {G: 8, S: 64, d: 128}\n"
                       "gates:\n"
                       "  - {name: g, expr: \"decode_opt2.tiles == 1\", when: \"TILE >= 64\"}\n",
        "g [TILE=64] 1 == 1 yes\n"
        "g [TILE=128] 1 == 1 yes\n");
    assert_int_equal(account.gates_not_asked, 0);
}

static void a_gate_expected_to_fail_is_strict_in_every_group(void **state) {
    (void)state;
    const ks_account account = expect_gates(
        DISPATCH OPT23 "  TILE: [16, 64, 65536]\n"
                       "set: {G: 8, S: 64, d: 128}\n"
                       "gates:\n"
                       "  - {name: g, expr: \"decode_opt2.tiles > 1\", expect: fail, why: a}\n",
        "g [TILE=16] 4 > 1 yes red\n" /* it holds, though it should not */
        "g [TILE=64] 1 > 1 no\n"
        "g [TILE=65536] > doubt red\n"); /* no value is no failure either */
    assert_int_equal(account.gates_red, 2);
}

/* ---- doubt, and what is not asked ---- */

static void zero_over_zero_is_doubt_and_has_no_sides(void **state) {
    (void)state;
    const ks_account account = expect_gates(
        DISPATCH OPT23 "set:\n"
                       "  {G: 8, TILE: 16, S: 64, d: 128, dispatch_fixed_cycles: 0,\n"
                       "   dispatch_cycles_per_byte: 0}\n"
                       "gates:\n"
                       "  - {name: over, expr: \"" RATIO " > 2\"}\n"
                       "  - {name: under, expr: \"" RATIO " <= 2\"}\n"
                       "  - {name: not_equal, expr: \"1 / decode_opt2.dispatch_cycles != 0\"}\n"
                       "  - {name: rest, expr: \"7 % decode_opt2.dispatch_cycles == 0\"}\n",
        "over [] > doubt red\n"
        "under [] <= doubt red\n"
        "not_equal [] != doubt red\n"
        "rest [] == doubt red\n");
    assert_int_equal(account.gate_groups[KS_GATE_doubt], 4);
}

static void a_side_without_a_value_is_doubt(void **state) {
    (void)state; /* of mode dispatch; of a point that nobody expects to be infeasible */
    expect_gates(DISPATCH OPT23 "  TILE: [16, 65536]\n"
                                "set: {G: 8, S: 64, d: 128}\n"
                                "gates:\n"
                                "  - {name: g, expr: \"decode_opt2.total_cycles > 0\"}\n"
                                "  - {name: h, expr: \"decode_opt2.tiles == decode_opt3.tiles\"}\n",
                 "g [TILE=16] > doubt red\n"
                 "g [TILE=65536] > doubt red\n"
                 "h [TILE=16] 4 == 4 yes\n"
                 "h [TILE=65536] == doubt red\n");
}

static void a_group_with_a_point_that_a_rule_takes_out_is_not_asked(void **state) {
    static const char *const rules[] = {
        "exclude:\n  - {when: \"TILE == 16 and kernel == decode_opt3\", why: a}\n",
        "where: \"TILE == 64 or kernel == decode_opt2\"\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml,
                           DISPATCH OPT23
                           "  TILE: [16, 64]\n"
                           "set: {G: 8, S: 64, d: 128}\n"
                           "%s"
                           "gates:\n"
                           "  - {name: g, expr: \"decode_opt2.tiles == decode_opt3.tiles\"}\n",
                           rules[i]);
        const ks_account account = expect_gates(yaml.data, "g [TILE=64] 1 == 1 yes\n");
        assert_int_equal(account.gates_not_asked, 1);
        assert_int_equal(account.gates_red, 0);
        ks_text_free(&yaml);
    }
}

static void a_group_with_an_expected_infeasible_point_is_not_asked(void **state) {
    (void)state;
    const ks_account account = expect_gates(
        DISPATCH OPT23 "  TILE: [64, 65536]\n"
                       "set: {G: 8, S: 64, d: 128}\n"
                       "expect:\n"
                       "  - {when: \"TILE == 65536\", verdict: infeasible, why: a}\n"
                       "gates:\n"
                       "  - {name: g, expr: \"decode_opt2.tiles == decode_opt3.tiles\"}\n",
        "g [TILE=64] 1 == 1 yes\n");
    assert_int_equal(account.gates_not_asked, 1);
    assert_int_equal(account.gates_red, 0);
}

static void a_group_with_an_expected_error_is_not_asked(void **state) {
    (void)state;
    const ks_account account = expect_gates(
        DISPATCH OPT23 "  max_composite_logical_bytes: [30, 1024]\n"
                       "set: {G: 8, S: 64, d: 128, TILE: 16}\n"
                       "expect:\n"
                       "  - {when: \"max_composite_logical_bytes == 30\", verdict: error, why: a}\n"
                       "gates:\n"
                       "  - {name: g, expr: \"decode_opt2.tiles == decode_opt3.tiles\"}\n",
        "g [max_composite_logical_bytes=1024] 4 == 4 yes\n");
    assert_int_equal(account.gates_not_asked, 1);
    assert_int_equal(account.gates_red, 0);
}

static void a_group_with_an_excluded_point_of_a_model_is_not_asked(void **state) {
    (void)state;
    const ks_account account =
        expect_gates(DISPATCH "axes:\n"
                              "  kernel: [decode_opt2]\n"
                              "  model: [llama3-8b, qwen2.5-7b]\n"
                              "  TILE: [16, 64]\n"
                              "set: {S: 64}\n"
                              "exclude:\n"
                              "  - {when: \"model == 'qwen2.5-7b' and TILE == 16\", why: a}\n"
                              "gates:\n"
                              "  - name: g\n"
                              "    expr: \"decode_opt2{model='llama3-8b'}.tiles ==\n"
                              "      decode_opt2{model='qwen2.5-7b'}.tiles\"\n",
                     "g [TILE=64] 1 == 1 yes\n");
    assert_int_equal(account.gates_not_asked, 1);
    assert_int_equal(account.gates_red, 0);
}

static void when_can_ask_the_model_of_a_group_whose_first_point_is_excluded(void **state) {
    (void)state;
    const ks_account account =
        expect_gates(DISPATCH OPT23 "  model: [llama3-8b, qwen2.5-7b]\n"
                                    "  TILE: [16, 64]\n"
                                    "set: {S: 64}\n"
                                    "exclude:\n"
                                    "  - {when: \"kernel == decode_opt2 and TILE == 16\", why: a}\n"
                                    "gates:\n"
                                    "  - name: g\n"
                                    "    expr: \"decode_opt2.tiles == decode_opt3.tiles\"\n"
                                    "    when: \"model == 'llama3-8b'\"\n",
                     "g [G=4 TILE=64 d=128] 1 == 1 yes\n");
    assert_int_equal(account.gates_not_asked, 1);
}

static void a_point_that_only_fails_as_expected_is_still_asked(void **state) {
    (void)state; /* xpass here: the rule says that it fails, not that it does not run */
    const ks_account account = expect_gates(
        DISPATCH OPT23 "set: {G: 8, S: 64, d: 128, TILE: 16}\n"
                       "expect:\n"
                       "  - {when: \"kernel == decode_opt3\", why: a}\n"
                       "gates:\n"
                       "  - {name: g, expr: \"decode_opt2.tiles == decode_opt3.tiles\"}\n",
        "g [] 4 == 4 yes\n");
    assert_int_equal(account.gates_not_asked, 0);
}

static void a_gate_that_is_never_asked_is_red(void **state) {
    static const char *const gates[] = {
        "{name: g, expr: \"decode_opt2.tiles > 0\", when: \"TILE == 32\"}",
        "{name: g, expr: \"decode_opt2{TILE=65536}.tiles > 0\"}",
        "{name: g, expr: \"decode_opt2{TILE=32}.tiles > 0\", expect: fail, why: a}",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(gates); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml,
                           DISPATCH OPT23
                           "  TILE: [64, 65536]\n"
                           "set: {G: 8, S: 64, d: 128}\n"
                           "expect:\n"
                           "  - {when: \"TILE == 65536\", verdict: infeasible, why: a}\n"
                           "gates:\n  - %s\n",
                           gates[i]);
        const ks_account account = expect_gates(yaml.data, "g [] > doubt red\n");
        assert_int_equal(account.gates_red, 1);
        assert_int_equal(account.gate_groups[KS_GATE_doubt], 1);
        ks_text_free(&yaml);
    }
}

/* ---- exactness ---- */

/* opt3 over opt2 is (10 F + 378 R) / (2 F + 378 R), 2 exactly where F = 63 R. */
static void the_dispatch_ratio_is_compared_exactly_at_its_edge(void **state) {
    (void)state;
    expect_gates(DISPATCH OPT23 "  dispatch_fixed_cycles: [3.9374, 3.9375, 3.9376]\n"
                                "set: {G: 8, S: 64, d: 128, TILE: 16}\n"
                                "gates:\n"
                                "  - {name: over, expr: \"" RATIO " > 2\", expect: fail, why: a,\n"
                                "     when: \"dispatch_fixed_cycles <= 3.9375\"}\n"
                                "  - {name: above, expr: \"" RATIO " > 2\",\n"
                                "     when: \"dispatch_fixed_cycles > 3.9375\"}\n"
                                "  - {name: least, expr: \"" RATIO " >= 2\"}\n"
                                "  - {name: equal, expr: \"" RATIO " == 2\"}\n",
                 "over [dispatch_fixed_cycles=3.9374] 1.9999809522600143 > 2 no\n"
                 "over [dispatch_fixed_cycles=3.9375] 2 > 2 no\n"
                 "above [dispatch_fixed_cycles=3.9376] 2.000019047498111 > 2 yes\n"
                 "least [dispatch_fixed_cycles=3.9374] 1.9999809522600143 >= 2 no red\n"
                 "least [dispatch_fixed_cycles=3.9375] 2 >= 2 yes\n"
                 "least [dispatch_fixed_cycles=3.9376] 2.000019047498111 >= 2 yes\n"
                 "equal [dispatch_fixed_cycles=3.9374] 1.9999809522600143 == 2 no red\n"
                 "equal [dispatch_fixed_cycles=3.9375] 2 == 2 yes\n"
                 "equal [dispatch_fixed_cycles=3.9376] 2.000019047498111 == 2 no red\n");
}

/* ---- rows made by hand ---- */

typedef void fill(const ks_point *point, ks_row *row);

/* Gives every point that runs the row that `fill_row` makes, and asks. */
static ks_account expect_gates_of_rows(const char *yaml, fill *fill_row, const char *lines) {
    bench_run *b = bench_run_new(yaml, 1);
    for (uint64_t i = 0; i < ks_grid_size(b->grid); i++) {
        ks_cell cell;
        ks_error error = {""};
        ks_row row = {0};
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        if (cell.status == KS_CELL_RUN) fill_row(&cell.point, &row);
        assert_int_equal(ks_gates_take(b->asked, i, &cell.point, "",
                                       cell.status == KS_CELL_RUN ? &row : NULL,
                                       cell.status == KS_CELL_EXCLUDED),
                         KS_OK);
    }
    bench_ask_gates(b);
    assert_string_equal(ks_text_string(&b->gates), lines);
    const ks_account account = b->account;
    bench_run_free(b);
    return account;
}

static bool is_kernel(const ks_point *point, const char *name) {
    return strcmp(ks_kernels.kernels[ks_param_of(point, KS_P_kernel)].name, name) == 0;
}

static void one_above_two_to_the_53(const ks_point *point, ks_row *row) {
    ks_row_set_count(row, KS_COL_macs,
                     (UINT64_C(1) << 53) + (is_kernel(point, "decode_opt3") ? 1 : 0));
    ks_row_set_real(row, KS_COL_rmse, 0.1);
}

static void figures_that_are_one_double_are_still_told_apart(void **state) {
    (void)state;
    expect_gates_of_rows(OPT23 "set: {G: 8, S: 64, d: 128, TILE: 16}\n"
                               "gates:\n"
                               "  - {name: less, expr: \"decode_opt2.macs < decode_opt3.macs\"}\n"
                               "  - {name: equal, expr: \"decode_opt2.macs == decode_opt3.macs\"}\n"
                               "  - {name: tenth, expr: \"decode_opt2.rmse == 0.1\"}\n",
                         one_above_two_to_the_53,
                         "less [] 9007199254740992 < 9007199254740992 yes\n"
                         "equal [] 9007199254740992 == 9007199254740992 no red\n"
                         "tenth [] 0.1 == 0.1 no red\n"); /* the double is above a tenth */
}

/* TILE 16: all alike; 32: one of them off; 64: three different ones; 128: one has none. */
static void twins(const ks_point *point, ks_row *row) {
    const uint64_t tile = ks_param_of(point, KS_P_TILE);
    const char *text = "alike";
    if (is_kernel(point, "decode_opt3") && tile >= 32) text = "off";
    if (is_kernel(point, "decode_a1") && tile >= 64) text = "off too";
    const ks_digest digest = ks_digest_of(text, strlen(text));
    if (tile == 128 && is_kernel(point, "decode_opt2")) return;
    ks_row_set_digest(row, KS_COL_out_xxh128, &digest);
}

static void a_twin_gate_counts_the_different_digests(void **state) {
    (void)state;
    const ks_account account = expect_gates_of_rows(
        "mode: data\n"
        "axes:\n"
        "  kernel: [decode_opt2, decode_opt3, decode_a1]\n"
        "  TILE: [16, 32, 64, 128]\n"
        "set: {G: 8, S: 64, d: 128}\n"
        "gates:\n"
        "  - {name: three, twin: [decode_opt2, decode_opt3, decode_a1]}\n"
        "  - {name: off, twin: [decode_opt2, decode_opt3], expect: fail, why: a, when: \"TILE == 32\"}\n",
        twins,
        "three [TILE=16] 1 == 1 yes\n"
        "three [TILE=32] 2 == 1 no red\n"
        "three [TILE=64] 3 == 1 no red\n"
        "three [TILE=128] == doubt red\n"
        "off [TILE=32] 2 == 1 no\n");
    assert_int_equal(account.gates_red, 3);
}

static void a_twin_gate_is_not_asked_where_a_twin_is_taken_out(void **state) {
    (void)state;
    const ks_account account =
        expect_gates_of_rows("mode: data\n" OPT23 "  TILE: [16, 32]\n"
                             "set: {G: 8, S: 64, d: 128}\n"
                             "exclude:\n"
                             "  - {when: \"kernel == decode_opt3 and TILE == 32\", why: a}\n"
                             "gates:\n"
                             "  - {name: twins, twin: [decode_opt2, decode_opt3]}\n",
                             twins, "twins [TILE=16] 1 == 1 yes\n");
    assert_int_equal(account.gates_not_asked, 1);
}

static ks_status add_line(void *self, const ks_gate_line *line) {
    bench_add_gate(self, line);
    return KS_OK;
}

/* Numbered from the grid, or by their texts where there is no grid. */
static void groups_are_the_same_with_a_grid_and_without(void **state) {
    static const char yaml[] =
        DISPATCH "axes:\n"
                 "  model: [llama3-8b, llama3-70b, mistral-7b]\n"
                 "  kernel: [decode_opt2, decode_opt3, gemm]\n"
                 "  TILE: [16, 64, 16, 65536]\n"
                 "  M: [1, 2]\n"
                 "zip:\n"
                 "  - {S: [64, 128, 64], seed: [1, 1, 2]}\n"
                 "set: {K: 3, N: 4}\n"
                 "exclude:\n"
                 "  - {when: \"model == 'llama3-8b' and kernel == decode_opt3\", why: a}\n"
                 "expect:\n"
                 "  - {when: \"TILE == 65536\", verdict: infeasible, why: a}\n"
                 "gates:\n"
                 "  - {name: ratio, expr: \"" RATIO " > G - 1\", when: \"S > 64\"}\n"
                 "  - {name: tiles, expr: \"decode_opt2{TILE=16}.tiles > 1\"}\n"
                 "  - {name: heads, expr: \"decode_opt2{model=mistral-7b}.tiles > "
                 "gemm{M=2}.tiles\"}\n";
    (void)state;
    bench_run *b = bench_run_all(yaml, 1);
    ks_gates *plain = ks_gates_new(b->sweep);
    ks_text lines = {0};
    ks_account account = {0};
    for (uint64_t i = 0; i < ks_grid_size(b->grid); i++) {
        ks_cell cell;
        ks_error error;
        ks_text labels = {0};
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        if (cell.status == KS_CELL_DUPLICATE || cell.status == KS_CELL_NOT_APPLICABLE) continue;
        const bool runs = cell.status == KS_CELL_RUN;
        ks_row row = {0};
        ks_worker *worker = ks_worker_new();
        if (runs) {
            assert_int_equal(ks_point_run(worker, &b->job, &cell.point, "", &row, &error), KS_OK);
            ks_grid_labels(b->grid, i, &labels);
        }
        const bool is_out = !runs || row.verdict == KS_VERDICT_infeasible;
        assert_int_equal(ks_gates_take(plain, 0, &cell.point,
                                       runs ? ks_text_string(&labels) : cell.label,
                                       runs ? &row : NULL, is_out),
                         KS_OK);
        ks_worker_free(worker);
        ks_text_free(&labels);
    }
    assert_int_equal(ks_gates_ask(plain, &account, &lines, add_line), KS_OK);
    assert_string_equal(ks_text_string(&b->gates), ks_text_string(&lines));
    assert_int_equal(b->account.gates_not_asked, account.gates_not_asked);
    assert_true(account.gates_not_asked > 0 && account.gate_groups[KS_GATE_yes] > 0);
    ks_gates_free(plain);
    ks_text_free(&lines);
    bench_run_free(b);
}

static ks_status refuse(void *self, const ks_gate_line *line) {
    (void)line;
    ++*(int *)self;
    return KS_IO;
}

static void asking_ends_with_the_status_of_who_takes_the_lines(void **state) {
    (void)state;
    bench_run *b = bench_run_new(DISPATCH OPT23 "  TILE: [16, 64]\n"
                                                "set: {G: 8, S: 64, d: 128}\n"
                                                "gates:\n"
                                                "  - {name: g, expr: \"decode_opt2.tiles > 0\"}\n"
                                                "  - {name: h, expr: \"decode_opt2.tiles > 0\"}\n",
                                 1);
    int count = 0;
    bench_run_go(b);
    assert_int_equal(ks_gates_ask(b->asked, &b->account, &count, refuse), KS_IO);
    assert_int_equal(count, 1);
    bench_run_free(b);
}

/* ---- pooled ---- */

static void pooled_roots_of_mean_squares_weigh_by_elements(void **state) {
    ks_pool pool = {0};
    (void)state;
    ks_pool_add(&pool, KS_COL_rmse_full, (ks_figure){.real = 3}, 10);
    ks_pool_add(&pool, KS_COL_rmse_full, (ks_figure){.real = 4}, 10);
    ks_pool_add(&pool, KS_COL_rmse_full, (ks_figure){.real = 5}, 0);
    assert_true(ks_pool_figure(&pool, KS_COL_rmse_full).real == __builtin_sqrt(12.5));
}

static void pooled_largest_errors_are_the_largest_and_counts_are_summed(void **state) {
    ks_pool errors = {0}, ulps = {0}, nonfinite = {0};
    (void)state;
    for (uint64_t i = 1; i < 4; i++) {
        ks_pool_add(&errors, KS_COL_max_abs_err, (ks_figure){.real = i == 2 ? 0.5 : 0.25}, 8);
        ks_pool_add(&ulps, KS_COL_max_ulp_err, (ks_figure){.count = i == 2 ? 9 : i}, 8);
        ks_pool_add(&nonfinite, KS_COL_nonfinite, (ks_figure){.count = i}, 8);
    }
    assert_true(ks_pool_figure(&errors, KS_COL_max_abs_err).real == 0.5);
    assert_int_equal(ks_pool_figure(&ulps, KS_COL_max_ulp_err).count, 9);
    assert_int_equal(ks_pool_figure(&nonfinite, KS_COL_nonfinite).count, 6);
}

/* Groups of a pooled gate know no seed; its figure lies between those of its seeds. */
#define POOLED "0.0001046749156738342" /* root of the mean of the squares of three rows' rmse */
static void a_gate_that_pools_seeds_is_asked_once_for_all_of_them(void **state) {
    (void)state;
    const ks_account account =
        expect_gates("mode: data\n"
                     "axes:\n"
                     "  S: [20, 30]\n"
                     "  seed: [1, 2, 3]\n"
                     "set: {kernel: decode_opt2, G: 2, d: 8, TILE: 16}\n"
                     "gates:\n"
                     "  - {name: finite, expr: \"decode_opt2.nonfinite == 0\", pool: seed}\n"
                     "  - {name: same, expr: \"decode_opt2.rmse == decode_opt2.rmse\", pool: seed, "
                     "when: \"S == 20\", expect: fail}\n",
                     "finite [S=20] 0 == 0 yes\n"
                     "finite [S=30] 0 == 0 yes\n"
                     "same [S=20] " POOLED " == " POOLED " yes red\n");
    assert_int_equal(account.gate_groups[KS_GATE_yes], 3);
}

static void gates_may_name_every_column_and_figures_are_no_texts(void **state) {
    const ks_expr_column *columns;
    (void)state;
    assert_int_equal(ks_gate_columns(&columns), KS_COLUMN_COUNT);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_column_info *info = ks_column_describe((ks_column)c);
        assert_string_equal(columns[c].name, info->name);
        assert_int_equal(columns[c].is_text, info->kind == KS_WORD || info->kind == KS_DIGEST);
        assert_int_equal(columns[c].can_pool, ks_column_can_pool((ks_column)c));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gate_is_asked_once_per_combination_of_the_axes_that_no_side_fixes),
        cmocka_unit_test(an_axis_that_a_side_fixes_is_not_part_of_the_group),
        cmocka_unit_test(constants_zips_and_one_step_axes_make_groups_and_sets_do_not),
        cmocka_unit_test(a_column_alone_is_asked_of_every_kernel),
        cmocka_unit_test(a_model_in_a_side_fixes_its_heads_and_finds_joined_labels),
        cmocka_unit_test(copies_of_a_point_make_no_group_of_their_own),
        cmocka_unit_test(lines_come_by_gate_then_by_group_in_grid_order),
        cmocka_unit_test(a_side_with_several_points_in_a_group_does_not_pass),
        cmocka_unit_test(when_leaves_groups_out_without_a_count),
        cmocka_unit_test(a_gate_expected_to_fail_is_strict_in_every_group),
        cmocka_unit_test(zero_over_zero_is_doubt_and_has_no_sides),
        cmocka_unit_test(a_side_without_a_value_is_doubt),
        cmocka_unit_test(a_group_with_a_point_that_a_rule_takes_out_is_not_asked),
        cmocka_unit_test(a_group_with_an_expected_infeasible_point_is_not_asked),
        cmocka_unit_test(a_group_with_an_expected_error_is_not_asked),
        cmocka_unit_test(a_group_with_an_excluded_point_of_a_model_is_not_asked),
        cmocka_unit_test(when_can_ask_the_model_of_a_group_whose_first_point_is_excluded),
        cmocka_unit_test(a_point_that_only_fails_as_expected_is_still_asked),
        cmocka_unit_test(a_gate_that_is_never_asked_is_red),
        cmocka_unit_test(the_dispatch_ratio_is_compared_exactly_at_its_edge),
        cmocka_unit_test(figures_that_are_one_double_are_still_told_apart),
        cmocka_unit_test(a_twin_gate_counts_the_different_digests),
        cmocka_unit_test(a_twin_gate_is_not_asked_where_a_twin_is_taken_out),
        cmocka_unit_test(groups_are_the_same_with_a_grid_and_without),
        cmocka_unit_test(asking_ends_with_the_status_of_who_takes_the_lines),
        cmocka_unit_test(pooled_roots_of_mean_squares_weigh_by_elements),
        cmocka_unit_test(pooled_largest_errors_are_the_largest_and_counts_are_summed),
        cmocka_unit_test(a_gate_that_pools_seeds_is_asked_once_for_all_of_them),
        cmocka_unit_test(gates_may_name_every_column_and_figures_are_no_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
