#include "run/adr_robust.h"

#include "adr_bench.h"

#define HEADER                                                               \
    "figure,gate,base_value,limit,margin,verdict,method,box,radius_percent," \
    "nearest_flip_constant,nearest_flip_value,nearest_flip_percent,worst_corner\n"

static ks_adr_robust robust_of(const char *lines) {
    ks_adr_robust robust = {0};
    ks_error error = {""};
    ks_text text = {0};
    ks_text_add_format(&text, HEADER "%s", lines);
    if (ks_adr_robust_take(&robust, "s", "robustness.csv", text.data, text.length, &error))
        fail_msg("%s", error.text);
    ks_text_free(&text);
    return robust;
}

static void what_is_stored_reads_back_to_the_same_bytes(void **state) {
    ks_adr_robust robust = robust_of("r,> 2,2.5,2,25,mixed,C3,20 %,1.5,dma,3/7,-4,\"a, b\"\n"
                                     "q,> 1,1.5,1,50,proved-pass,C0,20 %,,,,,\n"),
                  again = {0};
    ks_text first = {0}, second = {0};
    ks_error error = {""};
    (void)state;
    ks_adr_robust_print(&first, &robust);
    if (ks_adr_robust_parse(&again, "t.csv", first.data, first.length, &error))
        fail_msg("%s", error.text);
    ks_adr_robust_print(&second, &again);
    assert_string_equal(first.data, second.data);
    assert_non_null(
        strstr(first.data, "\ns,r,> 2,2.5,2,mixed,C3,20 %,1.5,dma,3/7,-4,\"a, b\",,,\n"));
    ks_adr_robust_free(&robust);
    ks_adr_robust_free(&again);
    ks_text_free(&first);
    ks_text_free(&second);
}

static void a_file_of_another_kind_is_refused(void **state) {
    static const char *const texts[][2] = {
        {"figure,gate\nr,> 2\n", "found 2 of the 12 columns"},
        {"figure,figure,gate\n", "found figure a second time"},
        {HEADER "r,> 2,2.5,2,25,proved,C3,20 %,,,,,\n",
         "r.csv:2: field 6: found 'proved', expected a verdict of a study"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        ks_adr_robust robust = {0};
        ks_error error = {""};
        assert_int_equal(
            ks_adr_robust_take(&robust, "s", "r.csv", texts[i][0], strlen(texts[i][0]), &error),
            KS_INPUT);
        if (!strstr(error.text, texts[i][1])) fail_msg("%s", error.text);
        ks_adr_robust_free(&robust);
    }
}

static void a_line_is_found_by_figure_and_comparison(void **state) {
    ks_adr_robust robust =
        robust_of("r,> 2,2.5,2,25,pass,base,base,,,,,\nr,> 2,4.088057901085645,2,,pass,b,b,,,,,\n");
    const ks_exact half = ks_exact_of_ratio(5, 2), ratio = ks_exact_of_ratio(3389, 829),
                   other = ks_exact_of_ratio(3390, 829), two = ks_exact_of_u64(2),
                   three = ks_exact_of_u64(3);
    bool is_known;
    (void)state;
    assert_ptr_equal(ks_adr_robust_find(&robust, "r", &half, ">", &two, &is_known),
                     &robust.items[0]);
    assert_ptr_equal(ks_adr_robust_find(&robust, "", &ratio, ">", &two, &is_known),
                     &robust.items[1]);
    assert_null(ks_adr_robust_find(&robust, "r", &other, ">", &two, &is_known));
    assert_true(is_known);
    assert_null(ks_adr_robust_find(&robust, "r", &half, ">=", &two, &is_known));
    assert_null(ks_adr_robust_find(&robust, "r", &half, ">", &three, &is_known));
    assert_null(ks_adr_robust_find(&robust, "q", &half, ">", &two, &is_known));
    assert_false(is_known);
    ks_adr_robust_free(&robust);
}

static void a_verdict_is_told_with_its_box_radius_and_flip(void **state) {
    static const struct {
        const char *line, *said;
        ks_adr_result result;
    } cases[] = {
        {"r,> 2,2.5,2,25,proved-pass,C0,20 %,81.5,F,63/16,-90.15625,\n",
         "proved-pass over 20 % (C0); radius 81.5 %; nearest flip at F 3.9375 (-90.2 %)",
         KS_ADR_PASS},
        {"r,> 2,2.5,2,25,mixed,lattice,20 %,,F,38.4,-4,F=30\n",
         "mixed over 20 % (lattice); nearest flip at F 38.4 (-4.00 %); worst corner F=30",
         KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,mixed,C3,20 %,,,,,kernel=gemm M=1 math_lanes=3 gemm_cols=2 | kernel=x "
         "math_lanes=3\n",
         "mixed over 20 % (C3); worst corner math_lanes=3 gemm_cols=2", KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,mixed,flips,20 %,,F,15353/387,-0.82,\n",
         "mixed over 20 % (flips); nearest flip at F 15353/387 (39.67) (-0.820 %)", KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,proved-fail,C2,20 %,,,,,\n", "proved-fail over 20 % (C2)", KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,sampled,sampled 4096,the ranges,,R,0.6,4.25,R=0.6\n",
         "sampled over the ranges (sampled 4096); nearest flip at R 0.6 (+4.25 %); worst corner "
         "R=0.6",
         KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,sampled,sampled 4096,+-20 % of every constant,,R,0.6,20,\n",
         "sampled over +-20 % of every constant (sampled 4096); nearest flip at R 0.6 (+20.0 %)",
         KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,sampled,sampled 4096,+-20 % of every constant,,R,0.6,-20.01,\n",
         "sampled over +-20 % of every constant (sampled 4096); nearest flip at R 0.6 (-20.0 %)",
         KS_ADR_PASS},
        {"r,> 2,2.5,2,25,sampled,sampled 4096,20 %,,,,,\n", "sampled over 20 % (sampled 4096)",
         KS_ADR_PASS},
        {"r,> 2,2.5,2,25,proved-pass,C0,+-20 %,,F,39,-2.5,\n",
         "proved-pass over +-20 % (C0); nearest flip at F 39 (-2.50 %)", KS_ADR_PASS},
        {"r,> 2,2.5,2,25,undecided,C3,20 %,,,,,\n", "undecided over 20 % (C3)", KS_ADR_UNDECIDED},
        {"r,> 2,2.5,2,25,undecided,C3,20 %,,F,39,-2.5,F=30\n",
         "undecided over 20 % (C3); nearest flip at F 39 (-2.50 %); worst corner F=30",
         KS_ADR_FRAGILE},
        {"r,> 2,2.5,2,25,pass,base,base,,,,,\n", "at the base alone", KS_ADR_PASS},
        {"r,> 2,2.5,2,25,pass,base,base,,F,39,-2.5,\n",
         "not over its ranges; nearest flip at F 39 (-2.50 %)", KS_ADR_FRAGILE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_adr_robust robust = robust_of(cases[i].line);
        ks_text said = {0};
        ks_adr_robust_say(&said, &robust.items[0]);
        assert_string_equal(said.data, cases[i].said);
        assert_int_equal(ks_adr_robust_result(&robust.items[0]), cases[i].result);
        ks_adr_robust_free(&robust);
        ks_text_free(&said);
    }
}

static void a_closed_form_is_told_first_and_stored(void **state) {
    static const char planes[] = "figure,gate,passes_where,range_low,range_high,elasticity\n"
                                 "r,> 2,F > 63 R,1,5,0.17\n";
    ks_adr_robust robust = robust_of("q,> 2,2.5,2,25,pass,base,base,,,,,\n"
                                     "r,> 2,2.5,2,25,proved-pass,C0,20 %,,F,3.9,-90,\n");
    ks_text said = {0}, stored = {0};
    ks_error error = {""};
    (void)state;
    if (ks_adr_robust_take_planes(&robust, "s", "h.csv", planes, strlen(planes), &error))
        fail_msg("%s", error.text);
    ks_adr_robust_say(&said, &robust.items[1]);
    assert_string_equal(said.data,
                        "holds exactly where F > 63 R; from 1 to 5 over all calibrations; "
                        "proved-pass over 20 % (C0); nearest flip at F 3.9 (-90.0 %)");
    ks_adr_robust_print(&stored, &robust);
    assert_non_null(strstr(stored.data, ",F,3.9,-90,,F > 63 R,1,5\n"));
    assert_int_equal(
        ks_adr_robust_take_planes(&robust, "t", "h.csv", planes, strlen(planes), &error), KS_INPUT);
    assert_non_null(strstr(error.text, "h.csv:2: field 1: found 'r', expected a figure of"));
    ks_adr_robust_free(&robust);
    ks_text_free(&said);
    ks_text_free(&stored);
}

/* A gate of 2.5 > 2 beside what a study says of it. */
static ks_adr_stored stored_with(const char *line) {
    ks_adr_stored stored = bench_stored();
    bench_add_cycles(&stored, "decode_opt2", 16, 100);
    bench_add_cycles(&stored, "decode_opt3", 16, 250);
    bench_plan(&stored, "2");
    stored.robust = robust_of(line);
    return stored;
}

#define GATE "expr: \"decode_opt3.total_cycles / decode_opt2.total_cycles > 2\""

static void a_gate_that_passes_says_what_a_study_leaves_of_it(void **state) {
    static const struct {
        const char *lines;
        ks_adr_result result;
        const char *robust;
    } cases[] = {
        {"r,> 2,2.5,2,25,mixed,C3,20 %,,,,,\n", KS_ADR_FRAGILE, "mixed over 20 % (C3)"},
        {"r,> 2,2.5,2,25,undecided,C3,20 %,,,,,\n", KS_ADR_UNDECIDED, "undecided over 20 % (C3)"},
        {"r,> 2,2.5,2,25,proved-pass,C0,20 %,,,,,\n", KS_ADR_PASS, "proved-pass over 20 % (C0)"},
        /* of several boxes the one that leaves least */
        {"r,> 2,2.5,2,25,proved-pass,C0,5 %,,,,,\nr,> 2,2.5,2,25,undecided,C3,20 %,,,,,\n",
         KS_ADR_UNDECIDED, "undecided over 20 % (C3)"},
        {"r,> 2,2.5,2,25,mixed,C3,20 %,,,,,\nr,> 2,2.5,2,25,proved-pass,C0,5 %,,,,,\n",
         KS_ADR_FRAGILE, "mixed over 20 % (C3)"},
        {"r,> 2,2.5,2,25,proved-pass,C0,5 %,,,,,\nr,> 2,2.5,2,25,proved-pass,C2,20 %,,,,,\n",
         KS_ADR_PASS, "proved-pass over 5 % (C0)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_adr *adr = bench_adr("gates: [{name: G, robust: r, " GATE "}]\n"
                                "findings: [{text: x, gates: [G]}]\nstudy: [s]\n");
        ks_adr_stored stored = stored_with(cases[i].lines);
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].result, cases[i].result);
        assert_string_equal(block.gates[0].robust, cases[i].robust);
        assert_int_equal(block.sentences[0].result, cases[i].result);
        assert_int_equal(ks_adr_block_result(&block), KS_ADR_PASS);
        assert_string_equal(block.studies[0].name, "s");
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
    }
}

static void a_table_with_a_hole_is_incomplete_whatever_a_study_says(void **state) {
    static const char *const verdicts[] = {"proved-pass", "undecided", "mixed"};
    (void)state;
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        ks_text line = {0};
        ks_text_add_format(&line, "r,> 2,2.5,2,25,%s,C3,20 %%,,,,,\n", verdicts[i]);
        ks_adr *adr = bench_adr("gates: [{name: G, robust: r, " GATE "}]\nstudy: [s]\n");
        ks_adr_stored stored = stored_with(line.data);
        stored.rows.items[1].row.verdict = KS_VERDICT_fail;
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].result, KS_ADR_INCOMPLETE);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
        ks_text_free(&line);
    }
}

static void a_gate_is_not_given_the_robustness_of_another_figure(void **state) {
    static const char *const cases[][3] = {
        {"robust: r, ", "q,> 2,2.5,2,25,pass,base,base,,,,,\n", "found no figure 'r'"},
        {"robust: r, ", "r,> 2,2.6,2,30,pass,base,base,,,,,\n", "found no fitting figure 'r'"},
        {"robust: r, ", "r,> 1,2.5,1,150,pass,base,base,,,,,\n", "found no fitting figure 'r'"},
        {"robust: r, ", "r,>= 2,2.5,2,25,pass,base,base,,,,,\n", "found no fitting figure 'r'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text yaml = {0};
        ks_text_add_format(&yaml, "gates: [{name: G, %s" GATE "}]\nstudy: [s]\n", cases[i][0]);
        ks_adr *adr = bench_adr(yaml.data);
        ks_adr_stored stored = stored_with(cases[i][1]);
        ks_adr_block block;
        ks_error error = {""};
        assert_int_equal(ks_adr_judge(adr, &stored, &block, &error), KS_INPUT);
        if (!strstr(error.text, cases[i][2])) fail_msg("%s", error.text);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
        ks_text_free(&yaml);
    }
}

static void a_gate_that_names_no_figure_takes_the_one_that_is_the_same_comparison(void **state) {
    static const struct {
        const char *line;
        ks_adr_result result;
        const char *robust;
    } cases[] = {
        {"r,> 2,2.5,2,25,mixed,C3,20 %,,,,,\n", KS_ADR_FRAGILE, "mixed over 20 % (C3)"},
        {"r,> 2,2.6,2,30,mixed,C3,20 %,,,,,\n", KS_ADR_PASS, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_adr *adr = bench_adr("gates: [{name: G, " GATE "}]\nstudy: [s]\n");
        ks_adr_stored stored = stored_with(cases[i].line);
        ks_adr_block block = bench_judge(adr, &stored);
        assert_int_equal(block.gates[0].result, cases[i].result);
        assert_string_equal(block.gates[0].robust, cases[i].robust);
        ks_adr_block_free(&block);
        ks_adr_stored_free(&stored);
        ks_adr_free(adr);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stored_reads_back_to_the_same_bytes),
        cmocka_unit_test(a_file_of_another_kind_is_refused),
        cmocka_unit_test(a_line_is_found_by_figure_and_comparison),
        cmocka_unit_test(a_verdict_is_told_with_its_box_radius_and_flip),
        cmocka_unit_test(a_closed_form_is_told_first_and_stored),
        cmocka_unit_test(a_gate_that_passes_says_what_a_study_leaves_of_it),
        cmocka_unit_test(a_table_with_a_hole_is_incomplete_whatever_a_study_says),
        cmocka_unit_test(a_gate_is_not_given_the_robustness_of_another_figure),
        cmocka_unit_test(a_gate_that_names_no_figure_takes_the_one_that_is_the_same_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
