/* Goldens are read to the letter: what was flipped, lost, doubled, moved or cut is refused. */
#include "golden_bench.h"

static const ks_golden_parts all_parts[] = {
    {false, false, false, false}, {true, false, false, false}, {true, false, true, false},
    {true, false, true, true},    {true, true, false, false},  {true, true, true, false},
    {true, true, true, true}};

static void a_golden_reads_back_as_it_was_written(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(all_parts); p++)
        for (unsigned count = 0; count < 12; count += 11) {
            const ks_golden_head head = bench_head(all_parts[p]);
            ks_golden *golden = bench_golden(all_parts[p], count);
            const ks_golden_head *found = ks_golden_head_of(golden);
            assert_int_equal(ks_golden_count(golden), count);
            assert_string_equal(found->sweep, head.sweep);
            assert_string_equal(found->model, head.model);
            assert_string_equal(found->defaults, head.defaults);
            assert_memory_equal(&found->parts, &head.parts, sizeof head.parts);
            for (unsigned i = 0; i < count; i++) {
                ks_text cells = {0};
                bench_cells(&cells, head.parts, i);
                const ks_golden_line line = ks_golden_at(golden, i);
                assert_int_equal(line.length, cells.length);
                assert_memory_equal(line.cells, cells.data, cells.length);
                assert_int_equal(line.line, i + 3);
                assert_false(line.is_red);
                ks_text_free(&cells);
            }
            ks_golden_free(golden);
        }
}

static void a_line_reads_back_to_its_row(void **state) {
    (void)state;
    ks_golden *golden = bench_golden(bench_data, 10);
    for (unsigned i = 0; i < 10; i++) {
        const ks_row expected = bench_row(i);
        const uint64_t pinned = ks_golden_columns(bench_data) & expected.has;
        ks_row row;
        ks_log_blocks blocks;
        ks_golden_row_of(golden, i, &row, &blocks);
        assert_int_equal(row.verdict, expected.verdict);
        assert_string_equal(row.reason, expected.reason);
        assert_true(row.has == pinned);
        assert_int_equal(blocks.row_count,
                         row.has ? expected.figures[KS_COL_oplog_records].count : 0);
        for (int c = 0; c < KS_COLUMN_COUNT; c++) {
            ks_text a = {0}, b = {0};
            if (!ks_row_has(&row, (ks_column)c)) continue;
            ks_row_print_cell(&a, &row, (ks_column)c);
            ks_row_print_cell(&b, &expected, (ks_column)c);
            assert_string_equal(ks_text_string(&a), ks_text_string(&b));
            ks_text_free(&a);
            ks_text_free(&b);
        }
    }
    ks_golden_free(golden);
}

static void what_a_run_observed_reads_back_with_who_made_it_and_what_was_red(void **state) {
    (void)state;
    ks_golden_head head = bench_head(bench_timing);
    ks_golden *observed;
    ks_error error = {""};
    head.origin = "program=12ab whole";
    ks_text file = bench_file(&head, 9);
    ks_text copy = bench_copy(&file);
    assert_int_equal(ks_golden_parse("o.csv", file, KS_GOLDEN_OBSERVED, &observed, &error), KS_OK);
    assert_string_equal(ks_golden_head_of(observed)->origin, "program=12ab whole");
    for (unsigned i = 0; i < 9; i++) assert_int_equal(ks_golden_at(observed, i).is_red, i % 3 == 2);
    ks_golden_free(observed);
    /* The one is not the other. */
    assert_int_equal(ks_golden_parse("o.csv", copy, KS_GOLDEN_BLESSED, &observed, &error),
                     KS_INPUT);
    assert_string_equal(error.text,
                        "o.csv:1: field 1: found 'kernsweep observed 1', expected 'kernsweep "
                        "golden 1'");
}

/* ---- refusals ---- */

static void expect_refused(ks_text bytes, const char *message) {
    ks_golden *golden;
    ks_error error = {""};
    assert_int_equal(ks_golden_parse("g.csv", bytes, KS_GOLDEN_BLESSED, &golden, &error), KS_INPUT);
    assert_null(golden);
    if (!strstr(error.text, message)) fail_msg("found '%s', expected '%s'", error.text, message);
}

static ks_text four_points(void) {
    const ks_golden_head head = bench_head(bench_dispatch);
    return bench_file(&head, 4);
}

/* Start of line `number`, from 1. */
static size_t line_start(const ks_text *text, size_t number) {
    size_t at = 0;
    for (; number > 1; number--) at = (size_t)(strchr(text->data + at, '\n') - text->data) + 1;
    return at;
}

/* The file with its lines in another order, "" for none: "1233456". */
static ks_text lines_of(const char *order) {
    ks_text file = four_points(), out = {0};
    for (; *order; order++) {
        const size_t start = line_start(&file, (size_t)(*order - '0'));
        ks_text_add(&out, file.data + start, strcspn(file.data + start, "\n") + 1);
    }
    ks_text_free(&file);
    return out;
}

static void lines_that_are_lost_doubled_or_moved_are_named(void **state) {
    static const struct {
        const char *order, *message;
    } table[] = {
        {"123456", "g.csv:7: found the end of the file, expected the line 'end'"},
        {"12345", "g.csv:6: found the end of the file"},
        {"12", "g.csv:3: found the end of the file"},
        {"1", "g.csv:2: found the end of the file"},
        {"2", "g.csv:1: field 1: found 'KEY', expected 'kernsweep golden 1'"},
        {"234567", "g.csv:1: field 1: found 'KEY'"},
        {"134567", "g.csv:2: field 1: found column 'kernel=decode_opt2 G=8 TILE=1"},
        {"124567", "g.csv:6: field 2: found 3 points before, expected '4'"},
        {"12367", "g.csv:5: field 2: found 2 points before, expected '4'"},
        {"123457", "g.csv:6: field 2: found 3 points before, expected '4'"},
        {"12334567", "g.csv:4: field 1: this KEY is already in line 3"},
        {"12345673", "g.csv:8: found a line, expected none after the line 'end'"},
        {"12345677", "g.csv:8: found a line, expected none after the line 'end'"},
        {"1243567", "g.csv:7: field 11: found the check '"},
        {"1236547", "which does not fit the lines before: one was lost, doubled or moved"},
        {"1123456", "g.csv:2: field 1: found column 'kernsweep golden 1', expected 'KEY'"},
        {"12234567", "g.csv:3: field 11: found the check"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        expect_refused(lines_of(table[i].order), table[i].message);
}

static ks_text replaced(const char *from, const char *to) {
    ks_text file = four_points(), out = {0};
    char *at = strstr(file.data, from);
    assert_non_null(at);
    ks_text_add(&out, file.data, (size_t)(at - file.data));
    ks_text_add_string(&out, to);
    ks_text_add_string(&out, at + strlen(from));
    ks_text_free(&file);
    return out;
}

static void what_is_not_to_the_letter_is_refused_with_its_place(void **state) {
    static const struct {
        const char *from, *to, *message;
    } table[] = {
        {"golden 1", "golden 2", "g.csv:1: field 1: found format 2, expected 1"},
        {"model 1", "mudel 1", "g.csv:1: field 2: found 'mudel 1', expected 'model VERSION'"},
        {"mode dispatch", "mode fast", "found mode 'fast' with op_log 'none', expected dispatch"},
        {"op_log none", "op_log digest", "found mode 'dispatch' with op_log 'digest'"},
        {"clock_ghz=1.25", "clock_ghz=1.26", "g.csv:1: field 6: found another digest than that"},
        {"bench.ci", "bench.cj", "g.csv:1: field 11: found the check"},
        {",bench.ci,", ",,", "g.csv:1: field 3: found '', expected the name of a sweep"},
        {"KEY,verdict", "KEY,Verdict", "g.csv:2: field 2: found column 'Verdict'"},
        {",reason,tiles", ",reason", "g.csv:2: found 10 fields, expected 11"},
        {",reason,", ",\"reason\",", "g.csv:2: found a quote"},
        {"pass", "\"pass\"", "g.csv:3: found a quote"},
        {"pass", "\"pass", "g.csv:3: found the end of the file in a quoted field"},
        {"pass", "fail", "g.csv:3: field 11: found the check"},
        {"pass", "pass,", "g.csv:3: found 12 fields, expected 11"},
        {"TILE=1 d", "TILE=9 d", "g.csv:3: field 11: found the check"},
        {"end,4", "end,5", "g.csv:7: field 2: found 4 points before, expected '5'"},
        {"end,4", "end,04", "g.csv:7: field 11: found the check"},
        {"end,4,", "end,4,x", "g.csv:7: field 3: found 'x', expected nothing"},
        {"KEY", "\nKEY", "g.csv:2: found an empty line"},
        {"pass", "p\rss", "g.csv:3: found CR in the line ends, expected LF alone"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        expect_refused(replaced(table[i].from, table[i].to), table[i].message);
}

static void a_byte_order_mark_and_an_empty_file_are_refused(void **state) {
    (void)state;
    ks_text file = four_points(), marked = {0}, empty = {0};
    ks_text_add_string(&marked, "\xEF\xBB\xBF");
    ks_text_add(&marked, file.data, file.length);
    ks_text_free(&file);
    expect_refused(marked, "g.csv:1: found a byte order mark");
    expect_refused(empty, "g.csv: found an empty file");
}

/* Cells that a writer of ours would not print, under a check that fits. */
static void cells_that_are_not_as_printed_are_refused(void **state) {
    static const struct {
        const char *from, *to, *message;
    } table[] = {
        {",pass,", ",Pass,", "field 2: found 'Pass', expected a verdict"},
        {",0,1,", ",00,1,", "field 4: found '00' as tiles, expected it as printed"},
        {",4.0625,", ",4.06250,", "field 8: found '4.06250' as dispatch_cycles"},
        {",4.0625,", ",4.06256,", "field 8: found '4.06256' as dispatch_cycles"},
        {",4.0625,", ",-4,", "field 8: found '-4' as dispatch_cycles"},
    };
    (void)state;
    const ks_golden_head head = bench_head(bench_dispatch);
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_text out = {0}, cells = {0}, changed = {0};
        bench_cells(&cells, head.parts, 0);
        char *at = strstr(cells.data, table[i].from);
        assert_non_null(at);
        ks_text_add(&changed, cells.data, (size_t)(at - cells.data));
        ks_text_add_string(&changed, table[i].to);
        ks_text_add_string(&changed, at + strlen(table[i].from));
        ks_golden_writer writer = ks_golden_begin(&out, &head);
        ks_golden_line_print(&out, &writer, changed.data, changed.length, false);
        ks_golden_end(&out, &writer);
        ks_text_free(&cells);
        ks_text_free(&changed);
        expect_refused(out, table[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_golden_reads_back_as_it_was_written),
        cmocka_unit_test(a_line_reads_back_to_its_row),
        cmocka_unit_test(what_a_run_observed_reads_back_with_who_made_it_and_what_was_red),
        cmocka_unit_test(lines_that_are_lost_doubled_or_moved_are_named),
        cmocka_unit_test(what_is_not_to_the_letter_is_refused_with_its_place),
        cmocka_unit_test(a_byte_order_mark_and_an_empty_file_are_refused),
        cmocka_unit_test(cells_that_are_not_as_printed_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
