#include "sweep/adr_file.h"

#include "sweep_bench.h"

#define HEAD "table: t\ninto: t.md\nresults: [a.yaml]\n"
#define GATES "gates:\n  - {name: G1, expr: \"decode_opt3.rmse > 2\"}\n"

static ks_status parse(const char *yaml, ks_adr **adr, ks_error *error) {
    return ks_adr_parse("t.yaml", yaml, strlen(yaml), &bench_table, &bench_options, adr, error);
}

static ks_adr *adr_of(const char *yaml) {
    ks_adr *adr;
    ks_error error = {""};
    if (parse(yaml, &adr, &error)) fail_msg("%s", error.text);
    return adr;
}

static void a_table_file_says_what_it_shows_and_from_where(void **state) {
    (void)state;
    ks_adr *adr = adr_of("table: t\n"
                         "about: a line\n"
                         "into: reports/t.md\n"
                         "results: [reports/a, sweeps/b.yaml]\n"
                         "study: [reports/s]\n"
                         "gates:\n"
                         "  - {name: G1, text: a claim, unit: cycle, robust: ratio,\n"
                         "     expr: \"decode_opt3.total_cycles > 2\", when: \"TILE == 64\"}\n"
                         "  - {name: G2, twin: [decode_opt2, decode_opt3]}\n"
                         "rows: {each: kernel, where: \"G == 8\"}\n"
                         "columns:\n"
                         "  - {name: rmse}\n"
                         "  - {expr: \"total_cycles / rmse\", title: quotient, digits: 3}\n"
                         "tables:\n"
                         "  - {title: more, rows: {each: [TILE, kernel]},\n"
                         "     columns: [{name: bound_by, title: by, unit: word}]}\n"
                         "findings:\n"
                         "  - {text: So it is., gates: [G2, G1]}\n"
                         "also:\n"
                         "  - {title: A2, why: no, dispatch: [[3, 1], [6]]}\n"
                         "  - {title: A5, why: never}\n");
    assert_string_equal(adr->name, "t");
    assert_string_equal(adr->into, "reports/t.md");
    assert_int_equal(adr->result_count, 2);
    assert_string_equal(adr->results[1].text, "sweeps/b.yaml");
    assert_int_equal(adr->results[1].place.line, 4);
    assert_string_equal(adr->studies[0].text, "reports/s");
    assert_int_equal(adr->gate_count, 2);
    assert_string_equal(adr->gate_facts[0].unit, "cycle");
    assert_string_equal(adr->gate_facts[0].figure, "ratio");
    assert_non_null(adr->gates[0].when);
    assert_int_equal(adr->gates[1].twin_count, 2);
    assert_string_equal(adr->gate_facts[1].unit, "digest");
    assert_string_equal(adr->gate_facts[1].figure, "");
    assert_int_equal(adr->table_count, 2);
    assert_int_equal(adr->tables[0].each[0], KS_P_kernel);
    assert_string_equal(adr->tables[0].columns[0].title, "rmse");
    assert_int_equal(adr->tables[0].columns[1].form, KS_ADR_DIGITS);
    assert_int_equal(adr->tables[0].columns[1].places, 3);
    assert_int_equal(adr->tables[1].each_count, 2);
    assert_string_equal(adr->tables[1].columns[0].unit, "word");
    assert_int_equal(adr->findings[0].gate_count, 2);
    assert_int_equal(adr->findings[0].gates[0], 1);
    assert_int_equal(adr->alsos[0].command_count, 2);
    assert_int_equal(adr->alsos[0].op_counts[0], 2);
    assert_int_equal(adr->alsos[0].handles[2], 6);
    assert_int_equal(adr->alsos[1].command_count, 0);
    ks_adr_free(adr);
}

static void gates_or_rows_are_enough(void **state) {
    (void)state;
    ks_adr_free(adr_of(HEAD GATES));
    ks_adr_free(adr_of(HEAD "rows: {each: kernel}\ncolumns: [{name: rmse}]\n"));
}

static void a_model_may_be_named_that_no_file_lists(void **state) {
    (void)state;
    ks_adr_free(adr_of(HEAD "rows: {each: model, where: \"model == 'mine'\"}\n"
                            "columns: [{name: rmse}]\n"));
}

static void what_is_wrong_is_named_with_its_place(void **state) {
    static const struct {
        const char *yaml, *message;
    } cases[] = {
        {"into: t.md\nresults: [a]\n" GATES, "t.yaml:1:1: found no table, expected its name"},
        {"table: ../t\ninto: t.md\nresults: [a]\n" GATES, "t.yaml:1:8: found '../t' for table"},
        {"table: t\nresults: [a]\n" GATES, "found no into, expected a line of text"},
        {"table: t\ninto: t.txt\nresults: [a]\n" GATES,
         "t.yaml:2:7: found 't.txt' for into, expected a Markdown file"},
        {"table: t\ninto: t.md\n" GATES, "found no results, expected a list of sweep files"},
        {"table: t\ninto: t.md\nresults: []\n" GATES, "found an empty list for results"},
        {"table: t\ninto: t.md\nresults: [a, a]\n" GATES, "t.yaml:3:14: found 'a' a second time"},
        {HEAD "colour: red\n" GATES, "t.yaml:4:1: found the unknown key 'colour'"},
        {HEAD "table: u\n" GATES, "t.yaml:4:1: found 'table' a second time"},
        {HEAD, "found neither gates nor rows and columns"},
        {HEAD "gates: [{name: G1, expr: \"rmse > 1\", why: x}]\n", "found the unknown key 'why'"},
        {HEAD GATES "  - {name: G1, expr: \"rmse > 1\"}\n",
         "t.yaml:6:12: found 'G1' a second time"},
        {HEAD "gates: [{name: G1, expr: \"rmse + 1\"}]\n", "t.yaml:4:"},
        {HEAD "gates: [{name: G1, expr: \"rmsd > 1\"}]\n", "found the word 'rmsd'"},
        {HEAD "gates: [{name: G1}]\n", "found neither of expr and twin"},
        {HEAD "rows: {each: kernel}\n", "found no columns"},
        {HEAD "columns: [{name: rmse}]\n", "found no rows"},
        {HEAD "rows: {each: TYLE}\ncolumns: [{name: rmse}]\n",
         "t.yaml:4:14: found 'TYLE' for each, expected a parameter or a constant (did you mean TILE?)"},
        {HEAD "rows: {each: [TILE, TILE]}\ncolumns: [{name: rmse}]\n", "found TILE a second time"},
        {HEAD "rows: {each: []}\ncolumns: [{name: rmse}]\n", "for each, expected"},
        {HEAD "rows: {each: kernel, where: \"rmse > 1\"}\ncolumns: [{name: rmse}]\n",
         "t.yaml:4:30"},
        {HEAD "rows: {each: kernel}\ncolumns: [{name: rmsd}]\n",
         "t.yaml:5:18: found 'rmsd' for name, expected a result column (did you mean rmse?)"},
        {HEAD "rows: {each: kernel}\ncolumns: [{name: rmse, expr: \"rmse\"}]\n", "found both of"},
        {HEAD "rows: {each: kernel}\ncolumns: [{expr: \"rmse\"}]\n", "found no title"},
        {HEAD "rows: {each: kernel}\ncolumns: [{name: rmse, digits: 0}]\n",
         "expected a whole number from 1 to 17"},
        {HEAD "rows: {each: kernel}\ncolumns: [{name: rmse, digits: 2, decimals: 2}]\n",
         "found digits and decimals"},
        {HEAD GATES "findings: [{text: x, gates: [G2]}]\n",
         "t.yaml:6:30: found 'G2', expected the "
         "name of a gate of this table (did you mean G1?)"},
        {HEAD GATES "findings: [{text: x}]\n", "found no gates"},
        {HEAD GATES "also: [{title: A, why: x, dispatch: [3]}]\n", "found '3' for dispatch"},
        {HEAD GATES "also: [{title: A, why: x, dispatch: [[x]]}]\n", "found 'x' for the handles"},
        {HEAD GATES "also: [{title: A}]\n", "found no why"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_adr *adr;
        ks_error error = {""};
        assert_int_equal(parse(cases[i].yaml, &adr, &error), KS_INPUT);
        assert_null(adr);
        if (!strstr(error.text, cases[i].message))
            fail_msg("case %zu: '%s' has not '%s'", i, error.text, cases[i].message);
    }
}

static void a_dispatch_has_at_most_a_thousand_ops(void **state) {
    ks_text yaml = {0};
    ks_adr *adr;
    ks_error error;
    (void)state;
    ks_text_add_string(&yaml, HEAD GATES "also: [{title: A, why: x, dispatch: [[1");
    for (int i = 1; i < 1000; i++) ks_text_add_string(&yaml, ",1");
    const size_t length = yaml.length;
    ks_text_add_string(&yaml, "]]}]\n");
    ks_adr_free(adr_of(yaml.data));
    yaml.length = length;
    ks_text_add_string(&yaml, ",1]]}]\n");
    assert_int_equal(parse(yaml.data, &adr, &error), KS_INPUT);
    assert_non_null(strstr(error.text, "at most 1000 ops"));
    ks_text_free(&yaml);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_file_says_what_it_shows_and_from_where),
        cmocka_unit_test(gates_or_rows_are_enough),
        cmocka_unit_test(a_model_may_be_named_that_no_file_lists),
        cmocka_unit_test(what_is_wrong_is_named_with_its_place),
        cmocka_unit_test(a_dispatch_has_at_most_a_thousand_ops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
