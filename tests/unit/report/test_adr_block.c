#include "report/adr_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ks_adr_gate_line gate_line(void) {
    return (ks_adr_gate_line){
        .name = "G1",
        .text = "a | claim of <b>",
        .question = "x | y > 2",
        .group = "TILE=16",
        .group_count = 3,
        .has_sides = true,
        .value = {.form = KS_SHOWN_DIGITS, .places = 4, .value = ks_exact_of_ratio(3389, 829)},
        .limit = {.form = KS_SHOWN_EXACT, .value = ks_exact_of_u64(2)},
        .op = ">",
        .unit = "ratio",
        .has_margin = true,
        .margin_percent = ks_exact_of_ratio(1045, 10),
        .robust = "",
        .result = KS_ADR_PASS,
        .why = ""};
}

/* A block with one of everything, changed by the test before it is printed. */
typedef struct bench {
    ks_adr_gate_line gate;
    ks_adr_sentence sentence;
    ks_adr_head heads[2];
    ks_shown cells[4];
    ks_adr_grid grid;
    ks_adr_other other;
    ks_adr_source source;
    ks_adr_value value;
    ks_adr_calibration calibration;
    ks_adr_block block;
    ks_text out;
} bench;

static void begin(bench *b) {
    *b = (bench){
        .gate = gate_line(),
        .sentence = {.text = "It holds.", .gates = "G1", .result = KS_ADR_PASS},
        .heads = {{"TILE", "", true}, {"bound by", "word", false}},
        .cells = {{.form = KS_SHOWN_TEXT, .text = "16"},
                  {.form = KS_SHOWN_TEXT, .text = "dma_rd"},
                  {.form = KS_SHOWN_EXACT, .value = ks_exact_of_ratio(1, 3)},
                  {.form = KS_SHOWN_DECIMALS, .places = 2, .value = ks_exact_of_ratio(1, 8)}},
        .other = {.title = "A2",
                  .why = "no",
                  .has_dispatch = true,
                  .command_count = 2,
                  .byte_count = 108,
                  .ticks = 867500},
        .source = {.name = "a.yaml",
                   .limits = "",
                   .red = "",
                   .file = "a.yaml",
                   .digest = "0123456789abcdef0123456789abcdef",
                   .mode = "timing",
                   .commit = "",
                   .planned = 5,
                   .held = 4,
                   .infeasible = 1,
                   .failed = 1},
        .value = {"clock_ghz", "1.25", "GHz"},
        .calibration = {.file = "", .digest = "fedcba9876543210fedcba9876543210"},
        .block = {.name = "t", .about = "about", .file = "t.yaml", .program = "kernsweep 1"}};
    b->grid = (ks_adr_grid){.title = "rows", .heads = b->heads, .column_count = 2, .row_count = 2};
    b->grid.cells = b->cells;
    b->calibration.values = &b->value;
    b->calibration.value_count = 1;
    b->block.gates = &b->gate;
    b->block.sentences = &b->sentence;
    b->block.grids = &b->grid;
    b->block.others = &b->other;
    b->block.sources = &b->source;
    b->block.calibrations = &b->calibration;
    b->block.gate_count = b->block.sentence_count = b->block.grid_count = 1;
    b->block.other_count = b->block.source_count = b->block.calibration_count = 1;
}

static void expect_line(bench *b, const char *line) {
    ks_text wanted = {0};
    ks_text_clear(&b->out);
    ks_adr_block_print(&b->out, &b->block);
    ks_text_add_format(&wanted, "\n%s\n", line);
    if (!strstr(ks_text_string(&b->out), wanted.data))
        fail_msg("no line '%s' in\n%s", line, ks_text_string(&b->out));
    ks_text_free(&wanted);
}

static void a_block_shows_gates_sentences_rows_alternatives_and_provenance(void **state) {
    bench b;
    (void)state;
    begin(&b);
    expect_line(&b, "| G1 | a \\| claim of &lt;b>: `x \\| y > 2` | TILE=16 (nearest of 3) | 4.088 "
                    "| ratio | > 2 | +104.5 % | not studied | PASS |");
    expect_line(&b, "- It holds. (G1)");
    expect_line(&b, "| TILE | bound by [word] |\n|--:|---|\n| 16 | dma_rd |\n| 0.333333 | 0.13 |");
    expect_line(&b, "| A2 | 2 | 108 | 86.75 | no |");
    expect_line(&b, "- sweep `a.yaml` xxh128 `0123456789ab`, mode timing: 5 points = 2 passed + 1 "
                    "infeasible + 1 failed + 1 missing");
    expect_line(&b, "- calibration of the model's defaults, its values xxh128 `fedcba987654`: "
                    "clock_ghz 1.25 GHz");
    expect_line(&b, "*Regenerate:* `kernsweep adr t.yaml`");
    ks_text_free(&b.out);
}

static void what_does_not_hold_is_said_in_gate_and_sentence(void **state) {
    bench b;
    (void)state;
    begin(&b);
    b.gate.result = b.sentence.result = KS_ADR_FAIL;
    b.gate.margin_percent = ks_exact_of_ratio(1, 3);
    b.gate.margin_percent.num = -1;
    expect_line(&b, "| G1 | a \\| claim of &lt;b>: `x \\| y > 2` | TILE=16 (worst of 3) | 4.088 | "
                    "ratio | > 2 | -0.3 % | not studied | FAIL |");
    expect_line(&b, "- **no longer true:** It holds. (G1)");
    b.gate.result = b.sentence.result = KS_ADR_INCOMPLETE;
    b.gate.has_sides = b.gate.has_margin = false;
    b.gate.why = "a side has no value";
    expect_line(&b, "| G1 | a \\| claim of &lt;b>: `x \\| y > 2` | TILE=16 (nearest of 3) |  | "
                    "ratio |  |  | not studied | INCOMPLETE: a side has no value |");
    expect_line(&b, "- **not known:** It holds. (G1)");
    b.gate.result = b.sentence.result = KS_ADR_FRAGILE;
    expect_line(&b, "- It holds. (G1; fragile)");
    b.gate.result = b.sentence.result = KS_ADR_UNDECIDED;
    b.gate.robust = "undecided over 20 % (C3)";
    expect_line(&b, "| G1 | a \\| claim of &lt;b>: `x \\| y > 2` | TILE=16 (nearest of 3) |  | "
                    "ratio |  |  | undecided over 20 % (C3) | PASS (undecided) |");
    expect_line(&b, "- It holds. (G1; undecided)");
    ks_text_free(&b.out);
}

static void a_small_margin_is_not_rounded_to_nothing(void **state) {
    static const struct {
        uint64_t num, den;
        const char *margin;
    } cases[] = {{0, 1, "+0.0 %"},
                 {1, 20, "+0.1 %"},
                 {49999, 1000000, "+0.050 %"},
                 {12, 10000, "+0.0012 %"},
                 {1, 3000000, "+3.3e-07 %"}};
    bench b;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ks_text line = {0};
        begin(&b);
        b.gate.text = "";
        b.gate.question = "x";
        b.gate.margin_percent = ks_exact_of_ratio(cases[i].num, cases[i].den);
        ks_text_add_format(&line,
                           "| G1 | `x` | TILE=16 (nearest of 3) | 4.088 | ratio | > 2 | %s "
                           "| not studied | PASS |",
                           cases[i].margin);
        expect_line(&b, line.data);
        ks_text_free(&line);
        ks_text_free(&b.out);
    }
}

static void no_text_opens_a_tag_or_ends_the_block(void **state) {
    bench b;
    (void)state;
    begin(&b);
    b.sentence.text = "<!-- kernsweep:end -->\n<script>";
    expect_line(&b, "- &lt;!-- kernsweep:end --> &lt;script> (G1)");
    b.sentence.text = "a < b <= c";
    expect_line(&b, "- a < b <= c (G1)");
    ks_text_free(&b.out);
}

static void a_report_folder_is_named_with_the_commit_that_ran_it(void **state) {
    bench b;
    (void)state;
    begin(&b);
    b.source.name = "reports/a";
    b.source.commit = "0123456789ab-dirty";
    expect_line(&b, "- sweep `a.yaml` xxh128 `0123456789ab`, mode timing: 5 points = 2 passed + 1 "
                    "infeasible + 1 failed + 1 missing; read from `reports/a`, run by git "
                    "`0123456789ab-dirty`");
    ks_text_free(&b.out);
}

static void what_a_run_was_not_is_said_behind_its_folder(void **state) {
    bench b;
    ks_text said = {0};
    (void)state;
    begin(&b);
    ks_adr_sources_say(&said, &b.block);
    assert_int_equal(said.length, 0);
    b.source.unlogged = 2;
    b.source.name = "reports/a";
    b.source.commit = "0123456789ab";
    b.source.limits = "--where 'G == 8 | G == 4'";
    b.source.red = "1";
    expect_line(&b, "- sweep `a.yaml` xxh128 `0123456789ab`, mode timing: 5 points = 2 passed + 1 "
                    "infeasible + 1 failed + 1 missing; 2 without op_log: invariants were not "
                    "checked; read from `reports/a`, run by git `0123456789ab`; **not the whole "
                    "sweep:** run with `--where 'G == 8 \\| G == 4'`; **its run ended red:** exit "
                    "code 1");
    ks_adr_sources_say(&said, &b.block);
    assert_string_equal(
        said.data, "incomplete: reports/a was run with --where 'G == 8 | G == 4', expected a "
                   "run of the whole a.yaml\nred: the run of reports/a ended with exit code 1\n");
    ks_text_free(&said);
    ks_text_free(&b.out);
}

static void every_group_is_a_line_with_its_sides_as_fractions(void **state) {
    ks_adr_group groups[] = {
        {.gate = "G1",
         .group = "TILE=16 d=8",
         .op = ">",
         .has_sides = true,
         .value = ks_exact_of_ratio(1, 3),
         .limit = ks_exact_of_u64(2),
         .result = KS_ADR_FAIL},
        {.gate = "G,2", .group = "", .op = "==", .result = KS_ADR_INCOMPLETE},
    };
    const ks_adr_block block = {.groups = groups, .group_count = 2};
    ks_text out = {0};
    (void)state;
    ks_adr_groups_print(&out, &block);
    assert_string_equal(out.data, "gate,group,value,exact_value,op,limit,exact_limit,result\n"
                                  "G1,TILE=16 d=8,0.3333333333333333,1/3,>,2,2,FAIL\n"
                                  "\"G,2\",,,,==,,,INCOMPLETE\n");
    ks_text_free(&out);
}

static void the_worst_gate_decides(void **state) {
    bench b;
    (void)state;
    begin(&b);
    b.block.is_whole = true;
    assert_int_equal(ks_adr_block_result(&b.block), KS_ADR_PASS);
    b.gate.result = KS_ADR_FRAGILE;
    assert_int_equal(ks_adr_block_result(&b.block), KS_ADR_PASS);
    b.block.is_whole = false;
    assert_int_equal(ks_adr_block_result(&b.block), KS_ADR_INCOMPLETE);
    b.gate.result = KS_ADR_FAIL;
    assert_int_equal(ks_adr_block_result(&b.block), KS_ADR_FAIL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_shows_gates_sentences_rows_alternatives_and_provenance),
        cmocka_unit_test(what_does_not_hold_is_said_in_gate_and_sentence),
        cmocka_unit_test(a_small_margin_is_not_rounded_to_nothing),
        cmocka_unit_test(no_text_opens_a_tag_or_ends_the_block),
        cmocka_unit_test(a_report_folder_is_named_with_the_commit_that_ran_it),
        cmocka_unit_test(what_a_run_was_not_is_said_behind_its_folder),
        cmocka_unit_test(every_group_is_a_line_with_its_sides_as_fractions),
        cmocka_unit_test(the_worst_gate_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
