#include "run/adr_judge.h"

#include "adr_bench.h"

#define RATIO "decode_opt3.total_cycles / decode_opt2.total_cycles"

/* opt2 at 100 cycles; opt3 as said, at TILE 16 and 64. */
static ks_adr_stored two_tiles(double opt3_at_16, double opt3_at_64) {
    ks_adr_stored stored = bench_stored();
    bench_add_cycles(&stored, "decode_opt2", 16, 100);
    bench_add_cycles(&stored, "decode_opt3", 16, opt3_at_16);
    bench_add_cycles(&stored, "decode_opt2", 64, 100);
    bench_add_cycles(&stored, "decode_opt3", 64, opt3_at_64);
    bench_plan(&stored, "4");
    return stored;
}

static void expect_shown(const ks_shown *shown, const char *text) {
    ks_text out = {0};
    if (shown->form == KS_SHOWN_TEXT)
        ks_text_add_string(&out, shown->text);
    else if (!ks_exact_add_shortest(&out, &shown->value, 6))
        ks_exact_add_digits(&out, &shown->value, 6);
    assert_string_equal(ks_text_string(&out), text);
    ks_text_free(&out);
}

static void a_gate_shows_the_group_nearest_to_its_threshold(void **state) {
    ks_adr *adr = bench_adr("gates: [{name: G, expr: \"" RATIO " > 2\"}]\n");
    ks_adr_stored stored = two_tiles(300, 201);
    ks_adr_block block = bench_judge(adr, &stored);
    const ks_adr_gate_line *gate = &block.gates[0];
    (void)state;
    assert_int_equal(gate->result, KS_ADR_PASS);
    assert_int_equal(gate->group_count, 2);
    assert_string_equal(gate->group, "TILE=64");
    expect_shown(&gate->value, "2.01");
    assert_true(gate->has_margin);
    ks_text margin = {0};
    ks_exact_add_decimals(&margin, &gate->margin_percent, 3);
    assert_string_equal(margin.data, "0.500");
    ks_text_free(&margin);
    assert_int_equal(ks_adr_block_result(&block), KS_ADR_PASS);
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

/* 2 exactly, one tick above, one below: no rounded cell could tell them apart. */
static void a_gate_is_judged_on_exact_figures(void **state) {
    static const struct {
        double opt3;
        const char *op;
        ks_adr_result result;
    } cases[] = {
        {200, ">", KS_ADR_FAIL},       {200, ">=", KS_ADR_PASS},     {200.0001, ">", KS_ADR_PASS},
        {199.9999, ">=", KS_ADR_FAIL}, {199.9999, "<", KS_ADR_PASS}, {200, "<", KS_ADR_FAIL},
        {200, "<=", KS_ADR_PASS},      {200, "==", KS_ADR_PASS},     {200.0001, "==", KS_ADR_FAIL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml, "gates: [{name: G, expr: \"" RATIO " %s 2\"}]\n", cases[i].op);
        ks_adr *adr = bench_adr(yaml.data);
        ks_adr_stored stored = two_tiles(cases[i].opt3, cases[i].opt3);
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].result, cases[i].result);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
        ks_text_free(&yaml);
    }
}

static void a_value_shows_as_many_digits_as_tell_it_from_its_limit(void **state) {
    static const struct {
        double opt3;
        unsigned digits;
    } cases[] = {{200, 4}, {250, 4}, {200.1, 4}, {200.01, 5}, {200.0001, 7}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_adr *adr = bench_adr("gates: [{name: G, expr: \"" RATIO " >= 2\"}]\n");
        ks_adr_stored stored = two_tiles(cases[i].opt3, cases[i].opt3);
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].value.places, cases[i].digits);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
    }
}

static void a_group_is_named_as_a_key_would_name_it(void **state) {
    ks_adr *adr = bench_adr("gates: [{name: G, expr: \"decode_opt2.total_cycles > 1\"}]\n");
    ks_adr_stored stored = bench_stored();
    const ks_row far = bench_row(300), near = bench_row(100);
    (void)state;
    bench_add(&stored, "kernel=decode_opt2 G=8 TILE=16 d=128 S=4096", &far);
    bench_add(&stored,
              "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 policy=rw_aware dma_latency_cycles=99",
              &near);
    bench_add(&stored, "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096 stream_in_prologue=1", &far);
    bench_plan(&stored, "3");
    ks_adr_block block = bench_judge(adr, &stored);
    assert_string_equal(block.gates[0].group, "TILE=64 policy=rw_aware dma_latency_cycles=99");
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

static void one_group_that_fails_is_the_one_that_is_shown(void **state) {
    ks_adr *adr = bench_adr("gates: [{name: G, expr: \"" RATIO " > 2\"}]\n"
                            "findings: [{text: So it is., gates: [G]}]\n");
    ks_adr_stored stored = two_tiles(150, 900);
    ks_adr_block block = bench_judge(adr, &stored);
    (void)state;
    assert_int_equal(block.gates[0].result, KS_ADR_FAIL);
    assert_string_equal(block.gates[0].group, "TILE=16");
    assert_int_equal(block.sentences[0].result, KS_ADR_FAIL);
    assert_int_equal(ks_adr_block_result(&block), KS_ADR_FAIL);
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

/* A gate that would pass, in a table that is not whole. */
static void expect_incomplete(const char *planned, ks_verdict verdict) {
    ks_adr *adr = bench_adr("gates: [{name: G, when: \"TILE == 16\", expr: \"" RATIO " > 2\"}]\n");
    ks_adr_stored stored = two_tiles(300, 300);
    ks_adr_inputs_free(&stored.inputs);
    bench_plan(&stored, planned);
    stored.rows.items[3].row.verdict = verdict;
    ks_adr_block block = bench_judge(adr, &stored);
    assert_int_equal(block.gates[0].result, KS_ADR_INCOMPLETE);
    assert_int_equal(ks_adr_block_result(&block), KS_ADR_INCOMPLETE);
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

static void a_table_with_a_missing_or_failed_point_never_says_pass(void **state) {
    (void)state;
    expect_incomplete("5", KS_VERDICT_pass);
    expect_incomplete("3", KS_VERDICT_pass);
    expect_incomplete("", KS_VERDICT_pass);
    expect_incomplete("4", KS_VERDICT_fail);
    expect_incomplete("4", KS_VERDICT_doubt);
    expect_incomplete("4", KS_VERDICT_xfail);
    expect_incomplete("4", KS_VERDICT_timeout);
}

static void a_gate_without_a_side_or_a_group_is_incomplete(void **state) {
    static const char *const gates[][2] = {
        {"expr: \"decode_a1.total_cycles > 2\"", "no group was asked"},
        {"expr: \"decode_opt2.rmse > 2\"", "a side has no value"},
        {"when: \"TILE == 5\", expr: \"decode_opt2.total_cycles > 2\"", "no group was asked"},
        {"expr: \"decode_opt2{TILE=16}.total_cycles / decode_opt3.total_cycles > 2\"",
         "a side stands for several points: fix in it every axis that another side fixes"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(gates); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml, "gates: [{name: G, %s}]\n", gates[i][0]);
        ks_adr *adr = bench_adr(yaml.data);
        ks_adr_stored stored = two_tiles(300, 300);
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].result, KS_ADR_INCOMPLETE);
        assert_string_equal(block.gates[0].why, gates[i][1]);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
        ks_text_free(&yaml);
    }
}

static void cells_come_from_the_row_and_from_its_neighbours(void **state) {
    ks_adr *adr =
        bench_adr("rows: {each: TILE, where: \"kernel == decode_opt2\"}\n"
                  "columns:\n"
                  "  - {name: total_cycles}\n"
                  "  - {expr: \"decode_opt3.total_cycles\", title: opt3, unit: cycle}\n"
                  "  - {expr: \"" RATIO "\", title: ratio}\n"
                  "  - {expr: \"decode_opt3{TILE=16}.total_cycles / TILE\", title: mixed}\n"
                  "  - {name: rmse}\n");
    ks_adr_stored stored = two_tiles(150.5, 201);
    ks_row *row = &stored.rows.items[2].row;
    (void)state;
    ks_row_set_real(row, KS_COL_rmse, 0.25);
    ks_adr_block block = bench_judge(adr, &stored);
    const ks_adr_grid *grid = &block.grids[0];
    static const char *const cells[] = {"16", "100", "150.5", "1.505", "9.40625",  "–",
                                        "64", "100", "201",   "2.01",  "2.351563", "0.25"};
    assert_int_equal(grid->row_count, 2);
    assert_int_equal(grid->column_count, 6);
    assert_string_equal(grid->heads[0].title, "TILE");
    assert_string_equal(grid->heads[1].unit, "cycle");
    assert_int_equal(grid->cells[2].form, KS_SHOWN_EXACT);
    assert_int_equal(grid->cells[3].form, KS_SHOWN_DIGITS);
    assert_int_equal(grid->cells[3].places, 4);
    for (size_t i = 0; i < COUNT(cells); i++) {
        if (i == 10) continue; /* 2.3515625 has no six decimals */
        expect_shown(&grid->cells[i], cells[i]);
    }
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

static void an_infeasible_point_is_said_in_its_cells_and_leaves_the_table_whole(void **state) {
    ks_adr *adr = bench_adr("rows: {each: TILE, where: \"kernel == decode_opt2\"}\n"
                            "columns:\n"
                            "  - {name: total_cycles}\n"
                            "  - {expr: \"decode_opt3.total_cycles\", title: opt3}\n");
    ks_adr_stored stored = two_tiles(150, 201);
    (void)state;
    for (size_t i = 2; i < 4; i++)
        stored.rows.items[i].row = (ks_row){.verdict = KS_VERDICT_infeasible};
    ks_adr_block block = bench_judge(adr, &stored);
    assert_true(block.is_whole);
    assert_int_equal(block.sources[0].infeasible, 2);
    expect_shown(&block.grids[0].cells[4], "infeasible");
    expect_shown(&block.grids[0].cells[5], "infeasible");
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

/* p_dtype has the format of score unless a point says otherwise. */
static void a_format_that_follows_another_is_fixed_with_it(void **state) {
    static const char *const keys[] = {
        "kernel=decode_opt2 G=8 TILE=16 d=128 S=4096",
        "kernel=decode_opt2 G=8 TILE=16 d=128 S=4096 score=f32",
        "kernel=decode_opt2 G=8 TILE=16 d=128 S=4096 score=f32 p_dtype=f16",
    };
    (void)state;
    for (size_t count = 2; count <= 3; count++) {
        ks_adr *adr = bench_adr("gates: [{name: G, expr: \"decode_opt2{score=f16}.total_cycles < "
                                "decode_opt2{score=f32}.total_cycles\"}]\n");
        ks_adr_stored stored = bench_stored();
        for (size_t i = 0; i < count; i++) {
            const ks_row row = bench_row(100 + (double)i);
            bench_add(&stored, keys[i], &row);
        }
        bench_plan(&stored, count == 2 ? "2" : "3");
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].result, count == 2 ? KS_ADR_PASS : KS_ADR_INCOMPLETE);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
    }
}

static void rows_that_each_does_not_tell_apart_show_what_else_differs(void **state) {
    ks_adr *adr = bench_adr("rows: {each: kernel}\ncolumns: [{name: total_cycles}]\n");
    ks_adr_stored stored = two_tiles(150, 201);
    ks_adr_block block = bench_judge(adr, &stored);
    const ks_adr_grid *grid = &block.grids[0];
    (void)state;
    assert_int_equal(grid->column_count, 3);
    assert_string_equal(grid->heads[0].title, "kernel");
    assert_string_equal(grid->heads[1].title, "TILE");
    assert_string_equal(grid->heads[2].title, "total_cycles");
    expect_shown(&grid->cells[3 * 3 + 1], "64");
    expect_shown(&grid->cells[3 * 3 + 2], "201");
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

static void what_a_table_cannot_show_is_refused(void **state) {
    static const char *const tables[][2] = {
        {"rows: {each: kernel, where: \"TILE == 5\"}\ncolumns: [{name: total_cycles}]\n",
         "found no result for the rows of a table"},
        {"rows: {each: [kernel, TILE]}\ncolumns: [{name: rmse}]\n",
         "t.yaml:5:18: found no value of 'rmse' in any row"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(tables); i++) {
        ks_adr *adr = bench_adr(tables[i][0]);
        ks_adr_stored stored = two_tiles(150, 201);
        ks_adr_block block;
        ks_error error = {""};
        assert_int_equal(ks_adr_judge(adr, &stored, &block, &error), KS_INPUT);
        if (!strstr(error.text, tables[i][1])) fail_msg("%s", error.text);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
    }
}

/* Composite #2 of opt2: eight MATH ops with 22 handles, a GEMM with 3, an add with 2: 322 bytes. */
static void dispatch_of_an_alternative_is_priced_as_the_device_prices_it(void **state) {
    ks_adr *adr =
        bench_adr("gates: [{name: G, expr: \"" RATIO " > 1\"}]\n"
                  "also:\n"
                  "  - {title: opt2, why: x, dispatch: [[3, 1], [2, 3, 3, 3, 2, 4, 3, 2, 3, 2]]}\n"
                  "  - {title: A5, why: y}\n");
    ks_adr_stored stored = two_tiles(300, 300);
    ks_adr_block block = bench_judge(adr, &stored);
    (void)state;
    assert_int_equal(block.others[0].command_count, 2);
    assert_int_equal(block.others[0].byte_count, 378);
    assert_int_equal(block.others[0].ticks, 1036250); /* 103.625 cycles: MODEL.md section 4 */
    assert_false(block.others[1].has_dispatch);
    ks_adr_block_free(&block);
    ks_adr_inputs_add(&stored.inputs, "a.yaml", "max_composite_logical_bytes", "100");
    block = bench_judge(adr, &stored); /* #2 in four segments: 28+34+34+... under 100 bytes */
    assert_int_equal(block.others[0].byte_count, 378);
    assert_true(block.others[0].ticks > 1036250);
    assert_int_equal((block.others[0].ticks - 1036250) % 400000, 0);
    ks_adr_block_free(&block);
    ks_adr_stored_free(&stored);
    ks_adr_free(adr);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gate_shows_the_group_nearest_to_its_threshold),
        cmocka_unit_test(a_gate_is_judged_on_exact_figures),
        cmocka_unit_test(a_value_shows_as_many_digits_as_tell_it_from_its_limit),
        cmocka_unit_test(a_group_is_named_as_a_key_would_name_it),
        cmocka_unit_test(one_group_that_fails_is_the_one_that_is_shown),
        cmocka_unit_test(a_table_with_a_missing_or_failed_point_never_says_pass),
        cmocka_unit_test(a_gate_without_a_side_or_a_group_is_incomplete),
        cmocka_unit_test(cells_come_from_the_row_and_from_its_neighbours),
        cmocka_unit_test(an_infeasible_point_is_said_in_its_cells_and_leaves_the_table_whole),
        cmocka_unit_test(a_format_that_follows_another_is_fixed_with_it),
        cmocka_unit_test(rows_that_each_does_not_tell_apart_show_what_else_differs),
        cmocka_unit_test(what_a_table_cannot_show_is_refused),
        cmocka_unit_test(dispatch_of_an_alternative_is_priced_as_the_device_prices_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
