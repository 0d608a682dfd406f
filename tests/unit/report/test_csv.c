/* points.csv, gates.csv, winners.csv: what is written reads back, cell by cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <csv.h>
#include <float.h>
#include <string.h>
#include <cmocka.h>

#include "report/csv.h"
#include "support/sample_row.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- a strict reader that is not ours ---- */

enum { MOST_FIELDS = 80 };

typedef struct table {
    char *fields[MOST_FIELDS]; /* of the last record */
    size_t count, record_count;
    bool is_over; /* a record ended; the next field begins a new one */
} table;

static void clear(table *t) {
    for (size_t i = 0; i < t->count; i++) test_free(t->fields[i]);
    t->count = 0;
    t->is_over = false;
}

static void take_field(void *bytes, size_t length, void *self) {
    table *t = self;
    if (t->is_over) clear(t);
    assert_true(t->count < MOST_FIELDS);
    char *copy = test_malloc(length + 1);
    if (length) memcpy(copy, bytes, length);
    copy[length] = '\0';
    t->fields[t->count++] = copy;
}

static void take_end(int c, void *self) {
    table *t = self;
    assert_int_equal(c, '\n');
    t->record_count++;
    t->is_over = true;
}

static int is_no_blank(unsigned char c) {
    (void)c;
    return 0; /* RFC 4180: blanks are part of a field */
}

static void read_back(const ks_text *text, table *t) {
    struct csv_parser parser;
    assert_int_equal(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL), 0);
    csv_set_space_func(&parser, is_no_blank);
    assert_int_equal(csv_parse(&parser, text->data, text->length, take_field, take_end, t),
                     text->length);
    assert_int_equal(csv_fini(&parser, take_field, take_end, t), 0);
    csv_free(&parser);
}

/* ---- points ---- */

static void the_header_of_points_is_that_of_the_interface(void **state) {
    (void)state;
    ks_text header = {0};
    ks_points_csv_header(&header, ",G,TILE");
    assert_string_equal(
        ks_text_string(&header),
        "id,verdict,reason,model,kernel,G,TILE,"
        "tiles,commands,composites,logical_bytes,dispatch_cycles,dispatch_cycles_per_tile,"
        "total_cycles,total_ns,cpu_stall_cycles,cpu_wait_cycles,busy_dma_rd,busy_dma_wr,busy_fetch,"
        "busy_store,busy_gemm,busy_math,crit_cpu,crit_dma_rd,crit_dma_wr,crit_dma_lat,crit_fetch,"
        "crit_store,crit_gemm,crit_math,bound_by,dma_bytes,macs,tcm_peak_bytes,roofline_cycles,"
        "max_abs_err,max_rel_err,rmse,max_ulp_err,max_abs_err_full,rmse_full,nonfinite,out_xxh128,"
        "oplog_records,oplog_xxh128,golden,invariants\n");
    ks_text_free(&header);
}

static void a_point_is_one_line_with_its_cells_in_place(void **state) {
    (void)state;
    ks_row row = {.id = "0123456789abcdef",
                  .verdict = KS_VERDICT_infeasible,
                  .reason = "tcm_overflow end=1054848 tcm_bytes=1048576",
                  .golden = KS_GOLDEN_none,
                  .invariants = "skipped"};
    const ks_record record = {.row = &row,
                              .key = "kernel=decode_opt2",
                              .label = "llama3-8b|mistral-7b",
                              .kernel = "decode_opt2",
                              .params = ",8,65536",
                              .detail = "a, \"detail\"",
                              .why = "a, \"why\""};
    ks_text line = {0};
    ks_points_csv_line(&line, &record);
    assert_string_equal(ks_text_string(&line),
                        "0123456789abcdef,infeasible,tcm_overflow end=1054848 tcm_bytes=1048576,"
                        "llama3-8b|mistral-7b,decode_opt2,8,65536,"
                        ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,none,skipped\n");
    ks_text_free(&line);
}

static void rows_of_any_figures_print_as_printf_would(void **state) {
    static const char *const labels[] = {"", "llama3-8b", "a,b", "say \"x\"", " x", "x ", "a+b"};
    random_source source = {3};
    ks_text found = {0}, expected = {0};
    (void)state;
    for (size_t i = 0; i < 2000; i++) {
        ks_row row = sample_row(&source);
        if (i % 3 == 0) row.has &= random_below(&source, UINT64_MAX);
        ks_record record = sample_record(&row);
        record.label = labels[i % COUNT(labels)];
        ks_points_csv_line(&found, &record);
        plain_points_line(&expected, &record);
    }
    assert_string_equal(ks_text_string(&found), ks_text_string(&expected));
    ks_text_free(&found);
    ks_text_free(&expected);
}

static void texts_are_quoted_only_where_they_must_be(void **state) {
    static const struct {
        const char *text, *cell;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"with blank", "with blank"},
        {"edge ", "\"edge \""},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"a\nb", "\"a\nb\""},
        {"a\rb", "\"a\rb\""},
        {"\"", "\"\"\"\""},
        {"a|b", "a|b"},
        {"=1+1", "=1+1"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const ks_winner_line line = {
            .group = cases[i].text, .kernel = "k", .policy = "serial", .has_tile = false};
        ks_text found = {0}, expected = {0};
        ks_winners_csv_line(&found, &line);
        ks_text_add_format(&expected, "%s,k,,serial,0\n", cases[i].cell);
        assert_string_equal(ks_text_string(&found), ks_text_string(&expected));
        ks_text_free(&found);
        ks_text_free(&expected);
    }
}

/* ---- gates and winners ---- */

static void a_gate_without_sides_has_empty_cells(void **state) {
    static const struct {
        ks_gate_line line;
        const char *text;
    } cases[] = {
        {{.gate = "g",
          .group = "TILE=16 S=64",
          .op = ">",
          .has_sides = true,
          .value = 4.088057901085645,
          .limit = 2,
          .answer = KS_GATE_yes},
         "g,TILE=16 S=64,4.088057901085645,>,2,yes\n"},
        {{.gate = "g",
          .group = "",
          .op = "<=",
          .has_sides = true,
          .value = -0.5,
          .limit = 1e-7,
          .answer = KS_GATE_no},
         "g,,-0.5,<=,1e-07,no\n"},
        {{.gate = "g", .group = "", .op = "!=", .value = 3, .limit = 3, .answer = KS_GATE_doubt},
         "g,,,!=,,doubt\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_text found = {0};
        ks_gates_csv_line(&found, &cases[i].line);
        assert_string_equal(ks_text_string(&found), cases[i].text);
        ks_text_free(&found);
    }
}

static void the_other_headers_are_those_of_the_interface(void **state) {
    (void)state;
    assert_string_equal(ks_gates_csv_header, "gate,group,value,op,limit,passed\n");
    assert_string_equal(ks_winners_csv_header, "group,kernel,TILE,policy,total_cycles\n");
}

static void a_bench_wins_without_a_tile(void **state) {
    (void)state;
    const ks_winner_line with = {"S=64", "decode_opt2", "serial", true, 16, 435000},
                         without = {"M=1 N=2", "gemm", "strict_fifo", false, 16, 1};
    ks_text lines = {0};
    ks_winners_csv_line(&lines, &with);
    ks_winners_csv_line(&lines, &without);
    assert_string_equal(ks_text_string(&lines), "S=64,decode_opt2,16,serial,43.5\n"
                                                "M=1 N=2,gemm,,strict_fifo,0.0001\n");
    ks_text_free(&lines);
}

/* ---- any content ---- */

static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static void nasty_text(char *out, size_t room, uint64_t *seed) {
    static const char alphabet[] = "ab ,\"\n\r\t;'=+-@|\\\xc3\xa9\x01";
    const size_t length = next(seed) % room;
    for (size_t i = 0; i < length; i++) out[i] = alphabet[next(seed) % (sizeof alphabet - 1)];
    out[length] = '\0';
}

static void fill_any(ks_row *row, uint64_t *seed) {
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_digest digest = ks_digest_of(seed, sizeof *seed);
        if (next(seed) % 3 == 0) continue;
        switch (ks_column_describe((ks_column)c)->kind) {
        case KS_COUNT:
        case KS_CYCLES: ks_row_set_count(row, (ks_column)c, next(seed) << next(seed) % 32); break;
        case KS_REAL: ks_row_set_real(row, (ks_column)c, (double)next(seed) / 3e9); break;
        case KS_WORD: ks_row_set_word(row, (ks_column)c, "gemm"); break;
        case KS_DIGEST: ks_row_set_digest(row, (ks_column)c, &digest); break;
        }
    }
}

static void any_row_reads_back_with_as_many_fields_as_the_header(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 10000; i++) {
        ks_row row = {.id = "0123456789abcdef", .invariants = "ok"};
        char label[40];
        table t = {0};
        ks_text text = {0};
        row.verdict = (ks_verdict)(next(&seed) % KS_VERDICT_COUNT);
        nasty_text(row.reason, 60, &seed);
        nasty_text(label, sizeof label, &seed);
        fill_any(&row, &seed);
        const ks_record record = {
            .row = &row, .key = "", .label = label, .kernel = "gemm", .params = ",1,2,3"};
        ks_points_csv_header(&text, ",a,b,c");
        ks_points_csv_line(&text, &record);
        read_back(&text, &t);
        assert_int_equal(t.record_count, 2);
        assert_int_equal(t.count, 5 + 3 + KS_COLUMN_COUNT + 2);
        assert_string_equal(t.fields[1], ks_verdict_name(row.verdict));
        assert_string_equal(t.fields[2], row.reason);
        assert_string_equal(t.fields[3], label);
        assert_string_equal(t.fields[t.count - 1], "ok");
        clear(&t);
        ks_text_free(&text);
    }
}

static void any_gate_reads_back(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 2000; i++) {
        char gate[30], group[60];
        table t = {0};
        ks_text text = {0};
        nasty_text(gate, sizeof gate, &seed);
        nasty_text(group, sizeof group, &seed);
        const ks_gate_line line = {.gate = gate,
                                   .group = group,
                                   .op = "<",
                                   .has_sides = next(&seed) % 2,
                                   .value = (double)next(&seed) / 7,
                                   .limit = -DBL_MAX,
                                   .answer = (ks_gate_answer)(next(&seed) % 3)};
        ks_gates_csv_line(&text, &line);
        read_back(&text, &t);
        assert_int_equal(t.record_count, 1);
        assert_int_equal(t.count, 6);
        assert_string_equal(t.fields[0], gate);
        assert_string_equal(t.fields[1], group);
        if (line.has_sides) assert_string_equal(t.fields[4], "-1.7976931348623157e+308");
        clear(&t);
        ks_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_of_points_is_that_of_the_interface),
        cmocka_unit_test(a_point_is_one_line_with_its_cells_in_place),
        cmocka_unit_test(rows_of_any_figures_print_as_printf_would),
        cmocka_unit_test(texts_are_quoted_only_where_they_must_be),
        cmocka_unit_test(a_gate_without_sides_has_empty_cells),
        cmocka_unit_test(the_other_headers_are_those_of_the_interface),
        cmocka_unit_test(a_bench_wins_without_a_tile),
        cmocka_unit_test(any_row_reads_back_with_as_many_fields_as_the_header),
        cmocka_unit_test(any_gate_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
